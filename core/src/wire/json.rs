//! A borrowing reader of JSON text (RFC 8259), made for byte offsets, repeated names and digit-exact numbers.
//!
//! It accepts exactly what a call's body may be: UTF-8, at most [`MAX_OPEN`] objects and arrays open at once, no lone
//! surrogates. It builds no tree: what it meets is a [`Value`], a kind and a place in the body.

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
pub(crate) use text::{Characters, UNESCAPE_ROOM, unescape, unescape_to};
pub(crate) use value::{Shape, Value};

/// The most objects and arrays that may be open at once, the body's own object included.
const MAX_OPEN: u32 = 128;

/// A member's name: the bytes between its quotes, and where they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'b> {
    pub(crate) raw: &'b [u8],
    pub(crate) is_escaped: bool,
    /// Of the opening quote.
    pub(crate) at: usize,
}

impl<'b> Name<'b> {
    /// The name as JSON readers see it.
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

    /// What was not read yet.
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

    /// How many objects and arrays are open in one that begins here, `open` of them around it.
    pub(crate) fn inside(&self, open: u32) -> Result<u32> {
        if open >= MAX_OPEN {
            return self.error(SyntaxReason::TooDeep);
        }
        Ok(open + 1)
    }

    #[inline]
    fn advance(&mut self, by: usize) {
        // The place is at most an escape's length behind the body, so the sum cannot overflow.
        self.at += by;
    }

    #[inline]
    pub(crate) fn skip_white_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.advance(1);
        }
    }

    /// Nothing but white space may follow.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.skip_white_space();
        if self.peek().is_some() {
            self.error(SyntaxReason::TrailingText)
        } else {
            Ok(())
        }
    }

    /// Takes `byte` when it is next.
    #[inline]
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        if is_next {
            self.advance(1);
        }
        is_next
    }

    /// After the opening brace or a member's value: the next member's name, up to its value, or the end of the object.
    #[inline]
    pub(crate) fn next_name(&mut self, is_first: bool) -> Result<Option<Name<'b>>> {
        let has_name = if is_first {
            self.first_member()?
        } else {
            self.next_member()?
        };
        if has_name {
            self.name().map(Some)
        } else {
            Ok(None)
        }
    }

    /// After the opening brace: up to the opening quote of the first member's name, or the end of the object.
    pub(crate) fn first_member(&mut self) -> Result<bool> {
        self.skip_white_space();
        if self.take(b'}') {
            return Ok(false);
        }
        if self.peek() != Some(b'"') {
            return self.error(SyntaxReason::ExpectedName);
        }
        Ok(true)
    }

    /// After a member's value: up to the opening quote of the next member's name, or the end of the object.
    #[inline]
    pub(crate) fn next_member(&mut self) -> Result<bool> {
        // Most programs write no white space.
        if let [b',', b'"', ..] = self.rest() {
            self.advance(1);
            return Ok(true);
        }
        self.next_member_after_space()
    }

    #[inline(never)]
    fn next_member_after_space(&mut self) -> Result<bool> {
        self.skip_white_space();
        if !self.take(b',') {
            if self.take(b'}') {
                return Ok(false);
            }
            return self.error(SyntaxReason::ExpectedCommaOrEnd);
        }
        self.skip_white_space();
        if self.peek() != Some(b'"') {
            return self.error(SyntaxReason::ExpectedName);
        }
        Ok(true)
    }

    /// From the opening quote of a member's name to its value.
    #[inline(never)]
    pub(crate) fn name(&mut self) -> Result<Name<'b>> {
        let at = self.at;
        let (content, is_escaped) = self.string()?;
        self.colon()?;
        let raw = part(self.bytes, content);
        Ok(Name {
            raw,
            is_escaped,
            at,
        })
    }

    /// After a member's name: up to its value.
    #[inline]
    fn colon(&mut self) -> Result<()> {
        if let [b':', next, ..] = self.rest()
            && *next > b' '
        {
            self.advance(1);
            return Ok(());
        }
        self.colon_after_space()
    }

    #[inline(never)]
    fn colon_after_space(&mut self) -> Result<()> {
        self.skip_white_space();
        if !self.take(b':') {
            return self.error(SyntaxReason::ExpectedColon);
        }
        self.skip_white_space();
        Ok(())
    }

    /// After the opening bracket or an entry: whether another entry follows, up to it, or the array ends.
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
