//! Scalar values: strings, numbers, `true`, `false` and `null`.

use core::ops::Range;

use super::plain::end_of_plain;
use super::text::{escaped, hex_unit};
use super::{Reader, Result, Shape, SyntaxReason, Value};
use crate::bytes::part;

impl Reader<'_> {
    /// Reads a value that is neither an object nor an array.
    pub(super) fn scalar(&mut self) -> Result<Value> {
        let start = self.at;
        let shape = match self.peek() {
            Some(b'"') => return self.string_value(),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'n') => self.literal(b"null", Shape::Null)?,
            Some(b't') => self.literal(b"true", Shape::True)?,
            Some(b'f') => self.literal(b"false", Shape::False)?,
            _ => return self.error(SyntaxReason::ExpectedValue),
        };
        Ok(Value::new(shape, start, self.at))
    }

    fn string_value(&mut self) -> Result<Value> {
        let start = self.at;
        let (content, is_escaped) = self.string()?;
        let raw = part(self.bytes, content);
        let shape = Shape::of_string(raw, is_escaped);
        Ok(Value::new(shape, start, self.at))
    }

    fn literal(&mut self, word: &[u8], shape: Shape) -> Result<Shape> {
        if !self.rest().starts_with(word) {
            return self.error(SyntaxReason::ExpectedValue);
        }
        self.advance(word.len());
        Ok(shape)
    }

    fn digits(&mut self) -> Result<()> {
        if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            return self.error(SyntaxReason::BadNumber);
        }
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.advance(1);
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Shape> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(Shape::Number)
    }

    /// Reads a string. Returns the place of the bytes between its quotes, and whether they have escapes.
    #[inline]
    pub(super) fn string(&mut self) -> Result<(Range<usize>, bool)> {
        let start = self.at + 1;
        let (end, is_ascii) = end_of_plain(self.bytes, start);
        if is_ascii && self.bytes.get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok((start..end, false));
        }
        self.long_string(start, end, is_ascii)
    }

    /// Reads a string that has escapes, is not ASCII, or is ill-formed. The bytes before `end` are plain and were read.
    #[inline(never)]
    fn long_string(
        &mut self,
        start: usize,
        end: usize,
        is_ascii: bool,
    ) -> Result<(Range<usize>, bool)> {
        let mut is_ascii = is_ascii;
        let mut is_escaped = false;
        self.at = end;
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    is_escaped = true;
                    self.escape()?;
                }
                Some(_) => return self.error(SyntaxReason::ControlInString),
                None => {
                    self.at = start - 1;
                    return self.error(SyntaxReason::UnfinishedString);
                }
            }
            let (end, is_plain_ascii) = end_of_plain(self.bytes, self.at);
            is_ascii &= is_plain_ascii;
            self.at = end;
        }
        let content = start..self.at;
        if !is_ascii {
            let raw = part(self.bytes, content.clone());
            if let Err(error) = core::str::from_utf8(raw) {
                self.at = start + error.valid_up_to();
                return self.error(SyntaxReason::NotUtf8);
            }
        }
        self.advance(1);
        Ok((content, is_escaped))
    }

    fn escape(&mut self) -> Result<()> {
        if let Some((_, length)) = escaped(self.bytes, self.at) {
            self.advance(length);
            return Ok(());
        }
        self.error(match hex_unit(self.bytes, self.at) {
            // A code unit that is not a character is a surrogate. Here its other half is missing.
            Some(_) => SyntaxReason::LoneSurrogate,
            None => SyntaxReason::BadEscape,
        })
    }
}
