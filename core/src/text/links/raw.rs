//! The content of elements without markup, and its end.

use memchr::memchr2;

use super::element::Element;
use super::search::find;
use super::span::{Span, has_word};
use super::tokenizer::{Tokenizer, ends_name};
use super::work;

impl Tokenizer {
    /// Reads the content of a raw element and its end tag, and returns the content.
    pub(super) fn raw(&mut self, html: &[u8], element: Element) -> Span {
        let begin = self.position;
        let end = match element {
            Element::Plaintext => None,
            Element::Script => script_end(html, begin),
            _ => raw_end(html, begin, self.name.bytes(html)),
        };
        let Some(end) = end else {
            self.position = html.len();
            return Span::new(begin, html.len());
        };
        // An end tag that the document does not finish ends the content all the same.
        self.tag(html, end + 2, false);
        Span::new(begin, end)
    }
}

/// Whether `html` has `word` at `at`, in any case, and then a byte that ends a tag's name.
fn tag_at(html: &[u8], at: usize, word: &[u8]) -> bool {
    let end = html.get(at + word.len());
    has_word(html, at, word) && end.is_some_and(|byte| ends_name(*byte))
}

/// The start of the end tag of a raw element.
fn raw_end(html: &[u8], begin: usize, element: &[u8]) -> Option<usize> {
    let mut searched = begin;
    loop {
        let at = find(html, searched, b'<')?;
        searched = at + 1;
        if html.get(searched) == Some(&b'/') && tag_at(html, at + 2, element) {
            return Some(at);
        }
    }
}

/// The start of the end tag of a script. If an HTML comment in the script holds another `<script`, the end tag of that one
/// does not count.
fn script_end(html: &[u8], begin: usize) -> Option<usize> {
    #[derive(PartialEq)]
    enum ScriptState {
        Data,
        Escaped,
        DoubleEscaped,
    }
    let mut state = ScriptState::Data;
    let mut searched = begin;
    loop {
        let tail = html.get(searched..)?;
        let found = memchr2(b'<', b'-', tail);
        work::count(found.unwrap_or(tail.len()) + 1);
        let at = searched + found?;
        let rest = html.get(at..)?;
        searched = at + 1;
        if rest.first() == Some(&b'-') {
            if state == ScriptState::Data {
                continue;
            }
            let dashes = rest.iter().take_while(|byte| **byte == b'-').count();
            searched = at + dashes;
            if dashes >= 2 && rest.get(dashes) == Some(&b'>') {
                state = ScriptState::Data;
            }
            continue;
        }
        let closing = rest.get(1) == Some(&b'/') && tag_at(html, at + 2, b"script");
        match state {
            ScriptState::Data | ScriptState::Escaped if closing => return Some(at),
            ScriptState::Data if rest.starts_with(b"<!--") => {
                state = ScriptState::Escaped;
                searched = at + 2;
            }
            ScriptState::Escaped if tag_at(html, at + 1, b"script") => {
                state = ScriptState::DoubleEscaped
            }
            ScriptState::DoubleEscaped if closing => state = ScriptState::Escaped,
            _ => {}
        }
    }
}
