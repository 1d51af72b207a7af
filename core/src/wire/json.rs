//! A borrowing reader of JSON text (RFC 8259), made for byte offsets, repeated names and digit-exact numbers.
//!
//! It accepts exactly what a call's body may be: UTF-8, at most [`MAX_OPEN`] objects and arrays open at once, no lone
//! surrogates. It builds no tree: what it meets is a [`Value`], a kind and a place in the body.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use super::field::{Field, NAME_CHUNK};
use super::repeats::{Opened, Repeats};
use crate::policy::MAX_BODY;

/// The most objects and arrays that may be open at once, the body's own object included.
pub(crate) const MAX_OPEN: u32 = 128;

/// What stands at a place of the body.
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

/// A JSON value by its place in the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) shape: Shape,
    /// The member's name was the interface's other spelling of the field.
    pub(crate) is_alias: bool,
    /// Always 0: without gaps an array of values is cleared in one go.
    gap: u16,
    start: u32,
    end: u32,
}

impl Value {
    fn new(shape: Shape, start: usize, end: usize) -> Self {
        Self {
            shape,
            is_alias: false,
            gap: 0,
            start: narrow(start),
            end: narrow(end),
        }
    }

    /// The bytes of the value, quotes included.
    pub(crate) fn span(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Neither absent nor a string.
    pub(crate) fn is_no_string(self) -> bool {
        matches!(
            self.shape,
            Shape::Number | Shape::True | Shape::False | Shape::Object | Shape::Array
        )
    }

    /// Not there, `null`, empty, or a string of white space.
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
    pub(crate) fn content(self) -> Range<usize> {
        match self.shape {
            Shape::Number => self.span(),
            _ => (self.start as usize).saturating_add(1)..(self.end as usize).saturating_sub(1),
        }
    }
}

/// Offsets fit: the reader refuses bodies that are longer.
#[inline]
fn narrow(offset: usize) -> u32 {
    offset as u32
}

/// Where and why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: usize,
    pub(crate) reason: SyntaxReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxReason {
    NotObject,
    ExpectedValue,
    ExpectedName,
    ExpectedColon,
    ExpectedCommaOrEnd,
    UnfinishedString,
    ControlInString,
    BadEscape,
    LoneSurrogate,
    NotUtf8,
    BadNumber,
    TooDeep,
    TrailingText,
    TooLong,
}

impl fmt::Display for SyntaxReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotObject => "the body has to be one object",
            Self::ExpectedValue => "a value was expected",
            Self::ExpectedName => "a member's name in double quotes was expected",
            Self::ExpectedColon => "a colon was expected",
            Self::ExpectedCommaOrEnd => "a comma or the end of the object or array was expected",
            Self::UnfinishedString => "the string is not finished",
            Self::ControlInString => "a control character in a string has to be escaped",
            Self::BadEscape => "there is no such escape",
            Self::LoneSurrogate => "a surrogate escape needs its other half",
            Self::NotUtf8 => "the bytes are not UTF-8",
            Self::BadNumber => "the number is not written as JSON writes numbers",
            Self::TooDeep => "more than 128 objects and arrays are open at once",
            Self::TrailingText => "nothing but white space may follow the object",
            Self::TooLong => "the body is longer than 2147483647 bytes",
        })
    }
}

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
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn error<T>(&self, reason: SyntaxReason) -> Result<T> {
        Err(SyntaxError {
            at: self.at,
            reason,
        })
    }

    #[inline]
    fn advance(&mut self, by: usize) {
        // Never beyond the body by more than an escape's length: no sum of offsets overflows.
        self.at = self.at.wrapping_add(by);
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
        let raw = self.bytes.get(content).unwrap_or_default();
        Ok(Name {
            raw,
            is_escaped,
            at,
        })
    }

    /// The field whose name begins at the opening quote here, written without escapes, and whether it is the other
    /// spelling; goes on to behind the name. Any other name leaves the reader where it is.
    pub(crate) fn field<F: Field>(&mut self) -> Option<(F, bool)> {
        let name = self.rest();
        let start = name.get(1..)?;
        let length = start
            .iter()
            .take(NAME_CHUNK)
            .position(|byte| *byte == b'"')?;
        let found = F::find(start.get(..length)?)?;
        self.advance(length.wrapping_add(2));
        Some(found)
    }

    /// After a member's name: up to its value.
    #[inline]
    pub(crate) fn colon(&mut self) -> Result<()> {
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

    /// Reads a value whole. `open` counts the objects and arrays around it.
    pub(crate) fn value(&mut self, open: u32, repeats: &mut Repeats) -> Result<Value> {
        let start = self.at;
        let shape = match self.peek() {
            Some(b'{') => Shape::Object,
            Some(b'[') => Shape::Array,
            _ => return self.scalar(),
        };
        self.container(open, repeats)?;
        Ok(Value::new(shape, start, self.at))
    }

    /// Reads a value that is no object or array.
    fn scalar(&mut self) -> Result<Value> {
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

    /// An object or array whose members were read by the caller, from its opening to here.
    pub(crate) fn read_container(&self, shape: Shape, start: usize) -> Value {
        Value::new(shape, start, self.at)
    }

    fn string_value(&mut self) -> Result<Value> {
        let start = self.at;
        let (content, is_escaped) = self.string()?;
        let raw = self.bytes.get(content).unwrap_or_default();
        let shape = match raw.first() {
            None => Shape::Empty,
            // The first byte of most texts already shows that they are not blank.
            Some(0x21..=0x5b | 0x5d..=0x7f) => match is_escaped {
                true => Shape::Escaped,
                false => Shape::Text,
            },
            Some(_) if is_blank(raw) => Shape::Blank,
            Some(_) if is_escaped => Shape::Escaped,
            Some(_) => Shape::Text,
        };
        Ok(Value::new(shape, start, self.at))
    }

    fn literal(&mut self, word: &[u8], shape: Shape) -> Result<Shape> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word) {
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

    /// From the opening quote to after the closing one: the bytes between them, and whether they hold escapes.
    #[inline]
    fn string(&mut self) -> Result<(Range<usize>, bool)> {
        let start = self.at.wrapping_add(1);
        let (end, is_ascii) = end_of_plain(self.bytes, start);
        if is_ascii && self.bytes.get(end) == Some(&b'"') {
            self.at = end.wrapping_add(1);
            return Ok((start..end, false));
        }
        self.long_string(start, end, is_ascii)
    }

    /// A string that holds escapes or more than ASCII, or is wrong: plain up to `end`.
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
                    self.at = start.saturating_sub(1);
                    return self.error(SyntaxReason::UnfinishedString);
                }
            }
            let (end, is_plain_ascii) = end_of_plain(self.bytes, self.at);
            is_ascii &= is_plain_ascii;
            self.at = end;
        }
        let content = start..self.at;
        if !is_ascii {
            let raw = self.bytes.get(content.clone()).unwrap_or_default();
            if let Err(error) = core::str::from_utf8(raw) {
                self.at = start.saturating_add(error.valid_up_to());
                return self.error(SyntaxReason::NotUtf8);
            }
        }
        self.advance(1);
        Ok((content, is_escaped))
    }

    fn escape(&mut self) -> Result<()> {
        match self.bytes.get(self.at.saturating_add(1)) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.advance(2);
                return Ok(());
            }
            Some(b'u') => {}
            _ => return self.error(SyntaxReason::BadEscape),
        }
        let Some(unit) = hex_unit(self.bytes, self.at) else {
            return self.error(SyntaxReason::BadEscape);
        };
        match unit {
            0xd800..=0xdbff => match hex_unit(self.bytes, self.at.saturating_add(6)) {
                Some(0xdc00..=0xdfff) => self.advance(12),
                _ => return self.error(SyntaxReason::LoneSurrogate),
            },
            0xdc00..=0xdfff => return self.error(SyntaxReason::LoneSurrogate),
            _ => self.advance(6),
        }
        Ok(())
    }

    /// Reads an object or array that no field defines, without recursion.
    #[cold]
    fn container(&mut self, open: u32, repeats: &mut Repeats) -> Result<()> {
        // One bit a level: set for an object.
        let mut objects: u128 = 0;
        let mut level: u32 = 0;
        // Whether the innermost container was opened just now, so that no comma stands before its first value.
        let mut is_first;
        let mut before = [Opened::default(); MAX_OPEN as usize];
        loop {
            let byte = self.peek();
            if let Some(b'{' | b'[') = byte {
                if open.saturating_add(level) >= MAX_OPEN {
                    return self.error(SyntaxReason::TooDeep);
                }
                let is_object = byte == Some(b'{');
                if let Some(slot) = before.get_mut(level as usize).filter(|_| is_object) {
                    *slot = repeats.open();
                }
                objects = (objects << 1) | u128::from(is_object);
                level = level.saturating_add(1);
                self.advance(1);
                is_first = true;
            } else {
                self.skip_scalar()?;
                is_first = false;
            }
            // Up to the next value, closing what ends here.
            loop {
                if level == 0 {
                    return Ok(());
                }
                let more = if objects & 1 == 1 {
                    match self.next_name(is_first)? {
                        Some(name) => {
                            repeats.name(&name, self.bytes);
                            true
                        }
                        None => {
                            let opened = before
                                .get(level.saturating_sub(1) as usize)
                                .copied()
                                .unwrap_or_default();
                            repeats.close(opened, self.bytes);
                            false
                        }
                    }
                } else {
                    self.next_entry(is_first)?
                };
                if more {
                    break;
                }
                level = level.saturating_sub(1);
                objects >>= 1;
                is_first = false;
            }
        }
    }

    /// Passes over a value that is no object or array.
    fn skip_scalar(&mut self) -> Result<()> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            _ => self.scalar().map(drop),
        }
    }
}

/// The UTF-16 unit of `\uXXXX` at `at`.
fn hex_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let rest = bytes.get(at..)?;
    let digits = rest.strip_prefix(b"\\u")?.first_chunk::<4>()?;
    digits.iter().try_fold(0_u32, |unit, byte| {
        Some(unit << 4 | (*byte as char).to_digit(16)?)
    })
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;
const BACKSLASHES: u64 = ONES * b'\\' as u64;

/// The high bit of the first byte that is a quote, a backslash or a control character, with those of bytes behind it
/// that may be none.
#[inline]
const fn stops(word: u64) -> u64 {
    (controls_and_quotes(word) | (word ^ BACKSLASHES).wrapping_sub(ONES)) & !word & HIGHS
}

/// For ASCII: the high bit of the first byte that is a control character or a quote. With one bit turned, a quote comes
/// right behind the control characters, and they stay what they are.
#[inline]
const fn controls_and_quotes(word: u64) -> u64 {
    (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21)
}

/// The first byte from `at` on that is a quote, a backslash or a control character, and whether all before are ASCII.
#[inline]
fn end_of_plain(bytes: &[u8], at: usize) -> (usize, bool) {
    let mut at = at;
    let mut seen = 0;
    for _ in 0..8 {
        let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            return end_of_plain_by_bytes(bytes, at, seen);
        };
        let word = u64::from_le_bytes(*word);
        let stop = stops(word);
        if stop != 0 {
            // Only what stands before the stop counts.
            seen |= word & (stop & stop.wrapping_neg()).wrapping_sub(1);
            return (
                at.wrapping_add(stop.trailing_zeros() as usize / 8),
                seen & HIGHS == 0,
            );
        }
        seen |= word;
        at = at.wrapping_add(8);
    }
    end_of_long_plain(bytes, at, seen)
}

/// [`end_of_plain`] for long texts, looking at more bytes at a time.
#[inline(never)]
fn end_of_long_plain(bytes: &[u8], at: usize, seen: u64) -> (usize, bool) {
    let mut is_ascii = seen & HIGHS == 0;
    let at = skip_plain_chunks(bytes, at, &mut is_ascii);
    let mut seen = if is_ascii { 0 } else { HIGHS };
    let mut at = at;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        let stop = stops(word);
        if stop != 0 {
            seen |= word & (stop & stop.wrapping_neg()).wrapping_sub(1);
            return (
                at.wrapping_add(stop.trailing_zeros() as usize / 8),
                seen & HIGHS == 0,
            );
        }
        seen |= word;
        at = at.wrapping_add(8);
    }
    end_of_plain_by_bytes(bytes, at, seen)
}

#[inline(never)]
fn end_of_plain_by_bytes(bytes: &[u8], at: usize, seen: u64) -> (usize, bool) {
    let mut is_ascii = seen & HIGHS == 0;
    let mut at = at;
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            break;
        }
        is_ascii &= byte.is_ascii();
        at = at.wrapping_add(1);
    }
    (at, is_ascii)
}

/// Skips whole chunks without a quote, backslash or control character. Written so that it becomes vector code.
fn skip_plain_chunks(bytes: &[u8], at: usize, is_ascii: &mut bool) -> usize {
    let (chunks, _) = bytes.get(at..).unwrap_or_default().as_chunks::<64>();
    let mut skipped = 0_usize;
    for chunk in chunks {
        let mut stop = 0_u8;
        let mut high = 0_u8;
        for byte in chunk {
            stop |= u8::from(*byte == b'"') | u8::from(*byte == b'\\') | u8::from(*byte < 0x20);
            high |= byte;
        }
        if stop != 0 {
            break;
        }
        *is_ascii &= high < 0x80;
        skipped = skipped.saturating_add(chunk.len());
    }
    at.saturating_add(skipped)
}

/// The characters of the bytes between a string's quotes, each with its own bytes. Reads what a [`Reader`] accepted.
#[derive(Clone, Debug)]
pub(crate) struct Characters<'b> {
    raw: &'b [u8],
    at: usize,
}

impl<'b> Characters<'b> {
    pub(crate) fn new(raw: &'b [u8]) -> Self {
        Self { raw, at: 0 }
    }
}

impl Iterator for Characters<'_> {
    type Item = (Range<usize>, char);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let first = *self.raw.get(start)?;
        let (character, length) = match first {
            b'\\' => self.escaped(start)?,
            0..0x80 => (first as char, 1),
            _ => {
                let length = match first {
                    0xc0..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    _ => 4,
                };
                let bytes = self.raw.get(start..start.saturating_add(length))?;
                (core::str::from_utf8(bytes).ok()?.chars().next()?, length)
            }
        };
        self.at = start.saturating_add(length);
        Some((start..self.at, character))
    }
}

impl Characters<'_> {
    fn escaped(&self, start: usize) -> Option<(char, usize)> {
        let character = match self.raw.get(start.saturating_add(1))? {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = hex_unit(self.raw, start)?;
                if !(0xd800..0xdc00).contains(&unit) {
                    return Some((char::from_u32(unit)?, 6));
                }
                let low = hex_unit(self.raw, start.saturating_add(6))?;
                let code_point = 0x1_0000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
                return Some((char::from_u32(code_point)?, 12));
            }
            other => *other as char,
        };
        Some((character, 2))
    }
}

/// The text of the bytes between a string's quotes.
pub(crate) fn unescape(raw: &[u8]) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(plain) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
        text.push_str(core::str::from_utf8(before).unwrap_or_default());
        let mut characters = Characters::new(escape);
        let Some((used, character)) = characters.next() else {
            break;
        };
        text.push(character);
        rest = escape.get(used.end..).unwrap_or_default();
    }
    text.push_str(core::str::from_utf8(rest).unwrap_or_default());
    text
}

/// Whether the bytes between a string's quotes are nothing but white space (Unicode White_Space).
fn is_blank(raw: &[u8]) -> bool {
    Characters::new(raw).all(|(_, character)| character.is_whitespace())
}

mod members;
#[cfg(test)]
mod tests;
