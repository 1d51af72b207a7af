//! The tokens that are a URL or may be one, and the other readings of those that the standard calls bad.

use super::syntax::{escape_end, is_escape};
use super::{Css, Expected, Span, skip_space, work};

impl Css {
    /// The end of a URL without quotes: white space, a semicolon, a quote, or one of `others`. Its content is read as CSS,
    /// too, so that another URL without quotes may begin inside it. The inner URL ends at one of `nested`, where a third
    /// could begin: otherwise each of many URLs would be read up to the same end.
    pub(super) fn unquoted(
        &mut self,
        bytes: &[u8],
        begin: usize,
        others: &[u8],
        nested: &[u8],
    ) -> usize {
        let is_nested = begin < self.unquoted_to;
        let others = if is_nested { nested } else { others };
        let mut at = begin;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b';' | b'"' | b'\'' => break,
                _ if byte.is_ascii_whitespace() || others.contains(byte) => break,
                b'\\' if is_escape(bytes, at) => at = escape_end(bytes, at),
                _ => at += 1,
            }
        }
        self.unquoted_to = self.unquoted_to.max(at);
        at
    }

    /// Reads what follows `url(`.
    pub(super) fn url(&mut self, bytes: &[u8]) -> Option<Span> {
        let begin = skip_space(bytes, self.position);
        if matches!(bytes.get(begin), Some(b'"' | b'\'')) {
            self.position = begin;
            self.expected = match self.is_import {
                true => Expected::Import,
                false => Expected::Urls,
            };
            return None;
        }
        // The end of the good part of the URL.
        let mut good = None;
        let mut is_bad = false;
        let mut at = begin;
        loop {
            match bytes.get(at) {
                None | Some(b')') => break,
                Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c') => {
                    let end = skip_space(bytes, at);
                    if matches!(bytes.get(end), None | Some(b')')) {
                        good = good.or(Some(at));
                        at = end;
                        break;
                    }
                    good = good.or(Some(at));
                    is_bad = true;
                    at = end;
                }
                Some(b'\\') if is_escape(bytes, at) => at = escape_end(bytes, at),
                Some(b'"' | b'\'' | b'(' | b'\\' | 1..=8 | 0x0b | 0x0e..=0x1f | 0x7f) => {
                    good = good.or(Some(at));
                    is_bad = true;
                    at += 1;
                }
                Some(_) => at += 1,
            }
        }
        let at = at.min(bytes.len());
        self.position = (at + 1).min(bytes.len());
        let good = good.unwrap_or(at);
        if is_bad {
            self.bad = Some((Span::new(begin, at), good, 0));
        }
        self.is_unquoted = true;
        Some(Span::new(begin, good))
    }

    /// Reads a string after its opening quote. A line break ends the string and makes it bad.
    pub(super) fn string(&mut self, bytes: &[u8], quote: u8) -> Span {
        let begin = self.position;
        let mut at = begin;
        loop {
            match bytes.get(at) {
                None => {
                    self.position = at;
                    break;
                }
                Some(b'\n' | b'\r' | b'\x0c') => {
                    self.position = at;
                    return self.bad_string(bytes, Span::new(begin, at));
                }
                Some(byte) if *byte == quote => {
                    self.position = at + 1;
                    break;
                }
                Some(b'\\') => at = escape_end(bytes, at),
                Some(_) => at += 1,
            }
        }
        let end = at.min(bytes.len());
        self.position = self.position.min(bytes.len());
        Span::new(begin, end)
    }

    /// The first reading of a string that a line break ends.
    fn bad_string(&mut self, bytes: &[u8], whole: Span) -> Span {
        let is_space = |byte: &&u8| matches!(**byte, b' ' | b'\t');
        let spaces = whole.bytes(bytes).iter().take_while(is_space).count();
        let whole = Span::new(whole.start + spaces, whole.end);
        let ends = |byte: &u8| BAD_ENDS.iter().any(|ends| ends.contains(byte));
        let length = whole.bytes(bytes).iter().position(ends);
        let good = length.map_or(whole.end, |length| whole.start + length);
        self.bad = Some((whole, good, 0));
        Span::new(whole.start, good)
    }

    /// The next other reading of a bad token. Readers may end the token at the first sign of each kind that could end a
    /// URL, or where the standard ends it.
    pub(super) fn other_reading(&mut self, bytes: &[u8]) -> Option<Span> {
        while let Some((whole, first, index)) = self.bad.take() {
            let end = match BAD_ENDS.get(index) {
                Some(ends) => {
                    self.bad = Some((whole, first, index + 1));
                    let mut bytes = whole.bytes(bytes).iter();
                    let length = bytes.position(|byte| ends.contains(byte));
                    length.map_or(whole.end, |length| whole.start + length)
                }
                None => whole.end,
            };
            work::count(whole.end - whole.start);
            let is_whole = end == whole.end;
            if end != first && is_whole == self.bad.is_none() {
                return Some(Span::new(whole.start, end));
            }
        }
        None
    }
}

/// The signs that may end a bad token, by kind.
const BAD_ENDS: [&[u8]; 6] = [b" \t\n\r\x0c", b"\"", b"'", b"(", b")", b";"];
