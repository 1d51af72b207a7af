//! JSON Pointers (RFC 6901) of places anywhere in a body, found in one walk over it.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::json::{Reader, Value};
use super::repeats::Repeats;

/// Adds one reference token, escaped as RFC 6901 says.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

enum Open<'b> {
    Object(Cow<'b, [u8]>),
    Array(u64),
}

/// Walks over a body that was read before, and stops at the values that start at given offsets.
pub(crate) struct Walk<'b> {
    reader: Option<Reader<'b>>,
    open: Vec<Open<'b>>,
    /// Whether the innermost container was opened just now.
    is_first: bool,
    /// Whether the reader stands before a value.
    at_value: bool,
}

impl<'b> Walk<'b> {
    pub(crate) fn new(body: &'b [u8]) -> Self {
        Self {
            reader: Reader::new(body).ok(),
            open: Vec::new(),
            is_first: true,
            at_value: true,
        }
    }

    /// Goes on to the value that starts at `offset`, which must not lie before one that was sought earlier. Gives its
    /// pointer and the bytes it takes.
    pub(crate) fn seek(&mut self, offset: usize) -> Option<(String, Value)> {
        loop {
            let reader = self.reader.as_mut()?;
            if self.at_value {
                if reader.position() == offset {
                    let value = reader.clone().value(0, &mut Repeats::default()).ok()?;
                    return Some((self.pointer(), value));
                }
                self.enter_or_skip()?;
            } else {
                self.go_on()?;
            }
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for open in &self.open {
            match open {
                Open::Object(name) => push_token(&mut pointer, &String::from_utf8_lossy(name)),
                Open::Array(index) => push_token(&mut pointer, &index.to_string()),
            }
        }
        pointer
    }

    fn enter_or_skip(&mut self) -> Option<()> {
        let reader = self.reader.as_mut()?;
        self.at_value = false;
        self.is_first = false;
        if reader.take(b'{') {
            self.open.push(Open::Object(Cow::Borrowed(&[])));
            self.is_first = true;
        } else if reader.take(b'[') {
            self.open.push(Open::Array(0));
            self.is_first = true;
        } else {
            reader.value(0, &mut Repeats::default()).ok()?;
        }
        Some(())
    }

    fn go_on(&mut self) -> Option<()> {
        let reader = self.reader.as_mut()?;
        let is_first = self.is_first;
        let more = match self.open.last_mut()? {
            Open::Object(own) => match reader.next_name(is_first).ok()? {
                Some(name) => {
                    *own = name.text();
                    true
                }
                None => false,
            },
            Open::Array(index) => {
                let more = reader.next_entry(is_first).ok()?;
                if more && !is_first {
                    *index = index.saturating_add(1);
                }
                more
            }
        };
        self.at_value = more;
        if !more {
            self.open.pop();
            self.is_first = false;
        }
        Some(())
    }
}
