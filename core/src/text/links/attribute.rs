//! The attributes that may hold links.

use super::words::{Word, Words};

/// Defines the attributes, each with its spelling.
macro_rules! attributes {
    ($($Variant:ident $spelling:literal)*) => {
        /// An attribute that may hold a link, or that a rule about links reads.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Attribute {
            $($Variant,)*
        }

        /// All attributes, in the order of the enumeration.
        const NAMES: [(&str, Attribute); [$($spelling),*].len()] =
            [$(($spelling, Attribute::$Variant)),*];
    };
}

attributes! {
    Href "href"
    XlinkHref "xlink:href"
    OHref "o:href"
    Src "src"
    Background "background"
    Action "action"
    Formaction "formaction"
    Poster "poster"
    Data "data"
    Codebase "codebase"
    Cite "cite"
    Longdesc "longdesc"
    Lowsrc "lowsrc"
    Dynsrc "dynsrc"
    Saferedirecturl "data-saferedirecturl"
    Srcset "srcset"
    Imagesrcset "imagesrcset"
    Ping "ping"
    Style "style"
    Srcdoc "srcdoc"
    Classid "classid"
    Archive "archive"
    Code "code"
    Profile "profile"
    Usemap "usemap"
    HttpEquiv "http-equiv"
    Itemprop "itemprop"
    Content "content"
    Type "type"
    Rel "rel"
    Charset "charset"
}

impl Attribute {
    /// The spelling of the attribute.
    #[expect(
        clippy::indexing_slicing,
        reason = "each attribute has a row, in the order of the enumeration"
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

static WORDS: Words<Attribute> = Words::new(&NAMES, 0x2adf_559a_11cb_c289);

#[cfg(test)]
mod tests;
