//! The elements that change how a document is read.

use super::words::{Word, Words};

/// The kind of an element, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Element {
    #[default]
    Ordinary,
    /// Inside this element, and after it, what is a tag depends on a tree.
    Tree,
    /// Its content is markup if scripting is off, and text if it is on.
    Noscript,
    Base,
    Meta,
    Object,
    Embed,
    Link,
    Frame,
    Iframe,
    Style,
    Script,
    /// Its content is text in which links are not looked for.
    Hidden,
    /// Its content is text in which links are looked for.
    Visible,
    /// Its content is text, up to the end of the document.
    Plaintext,
}

/// All elements that are not ordinary, by their names.
const NAMES: [(&str, Element); 21] = [
    ("svg", Element::Tree),
    ("math", Element::Tree),
    ("select", Element::Tree),
    ("frameset", Element::Tree),
    ("template", Element::Tree),
    ("noscript", Element::Noscript),
    ("base", Element::Base),
    ("meta", Element::Meta),
    ("object", Element::Object),
    ("embed", Element::Embed),
    ("link", Element::Link),
    ("frame", Element::Frame),
    ("iframe", Element::Iframe),
    ("style", Element::Style),
    ("script", Element::Script),
    ("title", Element::Hidden),
    ("textarea", Element::Hidden),
    ("xmp", Element::Visible),
    ("noembed", Element::Visible),
    ("noframes", Element::Visible),
    ("plaintext", Element::Plaintext),
];

static WORDS: Words<Element> = Words::new(&NAMES, 0x91b7_584a_2265_b1f5);

impl Element {
    #[inline]
    pub(super) fn named(name: &[u8]) -> Self {
        Self::of_word(Word::of(name), name)
    }

    /// [`Element::named`] of a name whose first bytes are `word`.
    #[inline]
    pub(super) fn of_word(word: Word, name: &[u8]) -> Self {
        WORDS.find(word, name).unwrap_or(Self::Ordinary)
    }

    /// Whether its content is text, not markup.
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
}

#[cfg(test)]
mod tests;
