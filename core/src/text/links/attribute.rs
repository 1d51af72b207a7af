//! The attributes that may hold links.

use super::words::{Word, Words};

/// An attribute that may hold a link, or that a rule about links reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Attribute {
    Href,
    XlinkHref,
    OHref,
    Src,
    Background,
    Action,
    Formaction,
    Poster,
    Data,
    Codebase,
    Cite,
    Longdesc,
    Lowsrc,
    Dynsrc,
    Saferedirecturl,
    Srcset,
    Imagesrcset,
    Ping,
    Style,
    Srcdoc,
    Classid,
    Archive,
    Code,
    Profile,
    Usemap,
    HttpEquiv,
    Itemprop,
    Content,
    Type,
    Rel,
    Charset,
}

impl Attribute {
    /// The spelling of the attribute.
    #[expect(
        clippy::indexing_slicing,
        reason = "each attribute has a row, in the order of the enumeration, which a test compares"
    )]
    pub(super) const fn spelling(self) -> &'static str {
        NAMES[self as usize].0
    }

    #[inline]
    pub(super) fn named(spelling: &[u8]) -> Option<Self> {
        let is = |known: &Self| known.spelling().as_bytes().eq_ignore_ascii_case(spelling);
        Self::of_word(Word::of(spelling), spelling).filter(is)
    }

    /// [`Attribute::named`] of a name of letters and digits alone, whose first bytes are `word`.
    #[inline]
    pub(super) fn of_word(word: Word, spelling: &[u8]) -> Option<Self> {
        WORDS.find(word, spelling)
    }
}

/// All attributes, in the order of the enumeration.
const NAMES: [(&str, Attribute); 31] = [
    ("href", Attribute::Href),
    ("xlink:href", Attribute::XlinkHref),
    ("o:href", Attribute::OHref),
    ("src", Attribute::Src),
    ("background", Attribute::Background),
    ("action", Attribute::Action),
    ("formaction", Attribute::Formaction),
    ("poster", Attribute::Poster),
    ("data", Attribute::Data),
    ("codebase", Attribute::Codebase),
    ("cite", Attribute::Cite),
    ("longdesc", Attribute::Longdesc),
    ("lowsrc", Attribute::Lowsrc),
    ("dynsrc", Attribute::Dynsrc),
    ("data-saferedirecturl", Attribute::Saferedirecturl),
    ("srcset", Attribute::Srcset),
    ("imagesrcset", Attribute::Imagesrcset),
    ("ping", Attribute::Ping),
    ("style", Attribute::Style),
    ("srcdoc", Attribute::Srcdoc),
    ("classid", Attribute::Classid),
    ("archive", Attribute::Archive),
    ("code", Attribute::Code),
    ("profile", Attribute::Profile),
    ("usemap", Attribute::Usemap),
    ("http-equiv", Attribute::HttpEquiv),
    ("itemprop", Attribute::Itemprop),
    ("content", Attribute::Content),
    ("type", Attribute::Type),
    ("rel", Attribute::Rel),
    ("charset", Attribute::Charset),
];

static WORDS: Words<Attribute> = Words::new(&NAMES, 0x2adf_559a_11cb_c289);

#[cfg(test)]
mod tests;
