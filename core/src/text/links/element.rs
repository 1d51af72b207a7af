//! The elements that change how a document is read.

/// What an element's name says about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Element {
    #[default]
    Ordinary,
    /// What is a tag inside of it, and behind it, depends on a tree.
    Tree,
    /// Markup or text, as scripting is off or on.
    Noscript,
    Meta,
    Object,
    Embed,
    /// `link` and `frame`.
    Loading,
    Iframe,
    Style,
    Script,
    /// Text that no reader shows as such.
    Hidden,
    /// Text.
    Visible,
    /// Text, up to the end of the document.
    Plaintext,
}

impl Element {
    pub(super) fn named(name: &[u8]) -> Self {
        let is = |word: &[u8]| name.eq_ignore_ascii_case(word);
        let Some(first) = name.first() else {
            return Self::Ordinary;
        };
        match (name.len(), first | 0x20) {
            (3, b's') if is(b"svg") => Self::Tree,
            (3, b'x') if is(b"xmp") => Self::Visible,
            (4, b'l') if is(b"link") => Self::Loading,
            (4, b'm') if is(b"meta") => Self::Meta,
            (4, b'm') if is(b"math") => Self::Tree,
            (5, b'e') if is(b"embed") => Self::Embed,
            (5, b'f') if is(b"frame") => Self::Loading,
            (5, b's') if is(b"style") => Self::Style,
            (5, b't') if is(b"title") => Self::Hidden,
            (6, b'i') if is(b"iframe") => Self::Iframe,
            (6, b'o') if is(b"object") => Self::Object,
            (6, b's') if is(b"script") => Self::Script,
            (6, b's') if is(b"select") => Self::Tree,
            (7, b'n') if is(b"noembed") => Self::Visible,
            (8, b'f') if is(b"frameset") => Self::Tree,
            (8, b'n') if is(b"noframes") => Self::Visible,
            (8, b'n') if is(b"noscript") => Self::Noscript,
            (8, b't') if is(b"template") => Self::Tree,
            (8, b't') if is(b"textarea") => Self::Hidden,
            (9, b'p') if is(b"plaintext") => Self::Plaintext,
            _ => Self::Ordinary,
        }
    }

    /// Its content is no markup.
    pub(super) const fn is_raw(self) -> bool {
        matches!(
            self,
            Self::Iframe
                | Self::Style
                | Self::Script
                | Self::Hidden
                | Self::Visible
                | Self::Plaintext
        )
    }

    /// Readers take what it loads for what they expect there, whatever type it says that it has.
    pub(super) const fn loads_any_type(self) -> bool {
        matches!(
            self,
            Self::Loading | Self::Iframe | Self::Object | Self::Embed
        )
    }
}
