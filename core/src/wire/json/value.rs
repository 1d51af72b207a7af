//! JSON values: each is a kind and a place in the body.

use core::ops::Range;

use super::text::is_blank;
use crate::bytes::class::{ByteTable, byte_table};
pub(super) use crate::bytes::narrow;

/// The kind of a JSON value, as far as fields distinguish kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Shape {
    /// No member has the name.
    #[default]
    Missing,
    Null,
    /// `""`.
    Empty,
    /// A string of nothing but white space.
    Blank,
    /// A string without escapes: its text is a slice of the body.
    Text,
    /// A string that has to be unescaped.
    Escaped,
    Number,
    True,
    False,
    Object,
    Array,
}

impl Shape {
    /// The shape of a string, from the bytes between its quotes.
    #[inline]
    pub(super) fn of_string(raw: &[u8], is_escaped: bool) -> Self {
        match raw.first() {
            None => Self::Empty,
            Some(first) if !begins_text(*first) && is_blank(raw) => Self::Blank,
            Some(_) if is_escaped => Self::Escaped,
            Some(_) => Self::Text,
        }
    }
}

/// A JSON value: its kind and its place in the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) shape: Shape,
    /// Whether the member's name is an alias of the field.
    pub(crate) is_alias: bool,
    /// The number of its text among the unescaped texts, from 1; 0 when it has none.
    unescaped: u16,
    start: u32,
    end: u32,
}

impl Value {
    pub(crate) fn new(shape: Shape, start: usize, end: usize) -> Self {
        Self {
            shape,
            is_alias: false,
            unescaped: 0,
            start: narrow(start),
            end: narrow(end),
        }
    }

    /// Turns the value into a string that is not blank.
    #[inline]
    pub(super) fn set_text(&mut self, start: u32, end: u32, is_escaped: bool, is_alias: bool) {
        self.shape = if is_escaped {
            Shape::Escaped
        } else {
            Shape::Text
        };
        self.is_alias = is_alias;
        self.start = start;
        self.end = end;
    }

    /// Sets the number of its text among the unescaped texts, from 1.
    pub(crate) fn set_unescaped(&mut self, number: u16) {
        self.unescaped = number;
    }

    /// The index of its text among the unescaped texts, from 0; `None` when it has none.
    pub(crate) fn unescaped(self) -> Option<usize> {
        usize::from(self.unescaped).checked_sub(1)
    }

    /// The bytes of the value, including quotes.
    pub(crate) fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether it is missing, `null`, or a string that is empty or only white space.
    pub(crate) fn is_absent(self) -> bool {
        matches!(
            self.shape,
            Shape::Missing | Shape::Null | Shape::Empty | Shape::Blank
        )
    }

    pub(crate) fn is_there(self) -> bool {
        self.shape != Shape::Missing
    }

    /// The bytes between a string's quotes, or a number's digits as written.
    #[inline]
    pub(crate) fn content(self) -> Range<usize> {
        match self.shape {
            Shape::Number => self.span(),
            Shape::Empty | Shape::Blank | Shape::Text | Shape::Escaped => {
                self.start as usize + 1..self.end as usize - 1
            }
            _ => 0..0,
        }
    }
}

/// Whether the first byte of a string is enough to show that the string is not blank. In most texts it is. The byte is then not
/// a quote, and begins neither an escape nor white space (Unicode White_Space, in UTF-8).
#[inline]
pub(super) fn begins_text(first: u8) -> bool {
    BEGINS_TEXT.of(first)
}

static BEGINS_TEXT: ByteTable<bool> =
    byte_table!(|byte| !matches!(byte, 0..=b' ' | b'"' | b'\\' | 0x80..=0xc2 | 0xe1..=0xe3));
