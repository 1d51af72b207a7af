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
}

impl Attribute {
    /// The attribute as it is spelt.
    pub(super) const fn spelling(self) -> &'static str {
        match self {
            Self::Href => "href",
            Self::XlinkHref => "xlink:href",
            Self::OHref => "o:href",
            Self::Src => "src",
            Self::Background => "background",
            Self::Action => "action",
            Self::Formaction => "formaction",
            Self::Poster => "poster",
            Self::Data => "data",
            Self::Codebase => "codebase",
            Self::Cite => "cite",
            Self::Longdesc => "longdesc",
            Self::Lowsrc => "lowsrc",
            Self::Dynsrc => "dynsrc",
            Self::Saferedirecturl => "data-saferedirecturl",
            Self::Srcset => "srcset",
            Self::Imagesrcset => "imagesrcset",
            Self::Ping => "ping",
            Self::Style => "style",
            Self::Srcdoc => "srcdoc",
            Self::Classid => "classid",
            Self::Archive => "archive",
            Self::Code => "code",
            Self::Profile => "profile",
            Self::Usemap => "usemap",
            Self::HttpEquiv => "http-equiv",
            Self::Itemprop => "itemprop",
            Self::Content => "content",
            Self::Type => "type",
        }
    }

    #[inline]
    pub(super) fn named(spelling: &[u8]) -> Option<Self> {
        let first = spelling.first()?.to_ascii_lowercase();
        // Length and first letter tell all but a few apart.
        let (candidate, other) = match (spelling.len(), first) {
            (3, b's') => (Self::Src, None),
            (4, b'h') => (Self::Href, None),
            (4, b'd') => (Self::Data, None),
            (4, b'p') => (Self::Ping, None),
            (4, b'c') => (Self::Cite, Some(Self::Code)),
            (4, b't') => (Self::Type, None),
            (5, b's') => (Self::Style, None),
            (6, b's') => (Self::Srcset, Some(Self::Srcdoc)),
            (6, b'a') => (Self::Action, None),
            (6, b'p') => (Self::Poster, None),
            (6, b'o') => (Self::OHref, None),
            (6, b'l') => (Self::Lowsrc, None),
            (6, b'd') => (Self::Dynsrc, None),
            (6, b'u') => (Self::Usemap, None),
            (7, b'c') => (Self::Content, Some(Self::Classid)),
            (7, b'a') => (Self::Archive, None),
            (7, b'p') => (Self::Profile, None),
            (8, b'i') => (Self::Itemprop, None),
            (8, b'c') => (Self::Codebase, None),
            (8, b'l') => (Self::Longdesc, None),
            (10, b'b') => (Self::Background, None),
            (10, b'f') => (Self::Formaction, None),
            (10, b'x') => (Self::XlinkHref, None),
            (10, b'h') => (Self::HttpEquiv, None),
            (11, b'i') => (Self::Imagesrcset, None),
            (20, b'd') => (Self::Saferedirecturl, None),
            _ => return None,
        };
        let is = |candidate: &Self| {
            let wanted = candidate.spelling().as_bytes();
            wanted == spelling || wanted.eq_ignore_ascii_case(spelling)
        };
        Some(candidate).filter(is).or_else(|| other.filter(is))
    }

    /// [`Attribute::named`] of letters and digits alone, of which `word` is the first.
    #[inline]
    pub(super) fn of_word(word: Word, spelling: &[u8]) -> Option<Self> {
        let attribute = WORDS.find(word)?;
        let wanted = attribute.spelling().as_bytes();
        (spelling.len() < Word::LENGTH || spelling.eq_ignore_ascii_case(wanted))
            .then_some(attribute)
    }

    pub(super) const fn bit(self) -> u32 {
        1 << self as u8
    }
}

const ALL: [Attribute; 29] = [
    Attribute::Href,
    Attribute::XlinkHref,
    Attribute::OHref,
    Attribute::Src,
    Attribute::Background,
    Attribute::Action,
    Attribute::Formaction,
    Attribute::Poster,
    Attribute::Data,
    Attribute::Codebase,
    Attribute::Cite,
    Attribute::Longdesc,
    Attribute::Lowsrc,
    Attribute::Dynsrc,
    Attribute::Saferedirecturl,
    Attribute::Srcset,
    Attribute::Imagesrcset,
    Attribute::Ping,
    Attribute::Style,
    Attribute::Srcdoc,
    Attribute::Classid,
    Attribute::Archive,
    Attribute::Code,
    Attribute::Profile,
    Attribute::Usemap,
    Attribute::HttpEquiv,
    Attribute::Itemprop,
    Attribute::Content,
    Attribute::Type,
];

static WORDS: Words<Attribute> = words();

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn words() -> Words<Attribute> {
    let mut words = Words::new(0x2adf_559a_11cb_c289);
    let mut index = 0;
    while index < ALL.len() {
        words = words.with(ALL[index].spelling(), ALL[index]);
        index += 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_found_by_its_first_word_as_by_its_name() {
        for attribute in ALL {
            let name = attribute.spelling();
            assert_eq!(Attribute::named(name.as_bytes()), Some(attribute));
            for name in [
                name.into(),
                name.to_uppercase(),
                alloc::format!("{name}s"),
                alloc::format!("s{name}"),
                name[..name.len() - 1].into(),
                alloc::format!("{}x", &name[..name.len() - 1]),
            ] {
                let mut window = [b'"'; 8];
                let length = name.len().min(8);
                window[..length].copy_from_slice(&name.as_bytes()[..length]);
                let found = Attribute::of_word(Word::new(window, name.len()), name.as_bytes());
                assert_eq!(found, Attribute::named(name.as_bytes()), "{name}");
            }
        }
    }
}
