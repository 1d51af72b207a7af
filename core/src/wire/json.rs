//! A JSON reader (RFC 8259) that borrows from the text and keeps byte offsets, repeated names and all digits of numbers.
//!
//! It accepts exactly the bodies that a call may have: UTF-8, at most [`MAX_OPEN`] objects and arrays open at once, no lone
//! surrogates. It builds no tree: each [`Value`] is a kind and a place in the body.

mod container;
mod error;
mod marks;
mod members;
mod plain;
mod scalar;
mod text;
mod value;

use alloc::borrow::Cow;

use crate::bytes::{part, rest};
use crate::policy::MAX_BODY;
pub(crate) use error::{SyntaxError, SyntaxReason};
pub(crate) use marks::Marks;
pub(crate) use text::{Characters, UNESCAPE_PADDING, unescape, unescape_to};
pub(crate) use value::{Shape, Value};

/// The most objects and arrays that may be open at once, the body's own object included.
const MAX_OPEN: u32 = 128;

/// A member's name: the bytes between its quotes, and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'b> {
    pub(crate) raw: &'b [u8],
    pub(crate) is_escaped: bool,
    /// The offset of the opening quote.
    pub(crate) at: usize,
}

impl<'b> Name<'b> {
    /// The name with its escapes resolved.
    pub(crate) fn text(&self) -> Cow<'b, [u8]> {
        if self.is_escaped {
            Cow::Owned(unescape(self.raw).into_bytes())
        } else {
            Cow::Borrowed(self.raw)
        }
    }
}

/// Reads forward through a body.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

type Result<T> = core::result::Result<T, SyntaxError>;

/// `EF BB BF`, which some programs put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<'b> Reader<'b> {
    /// Starts before the body's value: a byte-order mark and white space are skipped.
    pub(crate) fn new(bytes: &'b [u8]) -> Result<Self> {
        let mut reader = Self { bytes, at: 0 };
        if bytes.len() as u64 > MAX_BODY {
            return Err(SyntaxError {
                at: 0,
                reason: SyntaxReason::TooLong,
            });
        }
        if bytes.starts_with(BYTE_ORDER_MARK) {
            reader.at = BYTE_ORDER_MARK.len();
        }
        reader.skip_white_space();
        Ok(reader)
    }

    /// Starts at a place that an earlier pass has found well-formed.
    pub(crate) fn at(bytes: &'b [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(crate) fn body(&self) -> &'b [u8] {
        self.bytes
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The bytes that were not read yet.
    #[inline]
    fn rest(&self) -> &'b [u8] {
        rest(self.bytes, self.at)
    }

    fn error<T>(&self, reason: SyntaxReason) -> Result<T> {
        Err(SyntaxError {
            at: self.at,
            reason,
        })
    }

    /// Returns the number of open objects and arrays inside one that begins here, if `open` are around it. More than
    /// [`MAX_OPEN`] are [`SyntaxReason::TooDeep`].
    pub(crate) fn inside(&self, open: u32) -> Result<u32> {
        if open >= MAX_OPEN {
            return self.error(SyntaxReason::TooDeep);
        }
        Ok(open + 1)
    }

    #[inline]
    fn advance(&mut self, by: usize) {
        // The position is at most the length of an escape after the end of the body, so the sum cannot overflow.
        self.at += by;
    }

    #[inline]
    pub(crate) fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.advance(1);
        }
    }

    /// Checks that only white space follows.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.skip_white_space();
        if self.peek().is_some() {
            self.error(SyntaxReason::TrailingText)
        } else {
            Ok(())
        }
    }

    /// Consumes `byte` if it is next, and returns whether it was.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.advance(1);
        }
        is_next
    }

    /// Reads from the opening brace or the end of a value to the next member's value. Returns the member's name, or
    /// `None` at the end of the object.
    #[inline]
    pub(crate) fn next_name(&mut self, is_first: bool) -> Result<Option<Name<'b>>> {
        if self.next_member(is_first)? {
            self.name().map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads from the opening brace or the end of a value to the next member's name. Returns `false` at the end of the object.
    pub(crate) fn next_member(&mut self, is_first: bool) -> Result<bool> {
        self.skip_white_space();
        if self.take(b'}') {
            return Ok(false);
        }
        if !is_first {
            if !self.take(b',') {
                return self.error(SyntaxReason::ExpectedCommaOrEnd);
            }
            self.skip_white_space();
        }
        if self.peek() != Some(b'"') {
            return self.error(SyntaxReason::ExpectedName);
        }
        Ok(true)
    }

    /// Reads a member's name and the colon after it, up to its value.
    #[inline(never)]
    pub(crate) fn name(&mut self) -> Result<Name<'b>> {
        let at = self.at;
        let (content, is_escaped) = self.string()?;
        self.skip_white_space();
        if !self.take(b':') {
            return self.error(SyntaxReason::ExpectedColon);
        }
        self.skip_white_space();
        let raw = part(self.bytes, content);
        Ok(Name {
            raw,
            is_escaped,
            at,
        })
    }

    /// Reads from the opening bracket or the end of an entry to the next entry. Returns `false` at the end of the array.
    #[inline]
    pub(crate) fn next_entry(&mut self, is_first: bool) -> Result<bool> {
        self.skip_white_space();
        if self.take(b']') {
            return Ok(false);
        }
        if !is_first {
            if !self.take(b',') {
                return self.error(SyntaxReason::ExpectedCommaOrEnd);
            }
            self.skip_white_space();
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
