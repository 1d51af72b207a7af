//! JSON Pointers (RFC 6901) for places anywhere in a body, found in one walk over it.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::json::{Reader, Value};
use super::repeats::Repeats;
use crate::bytes::narrow;

/// Adds one reference token, escaped as RFC 6901 requires.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    if memchr::memchr2(b'~', b'/', token.as_bytes()).is_none() {
        pointer.push_str(token);
        return;
    }
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// One step from a value to a value in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// To a member, whose name starts at this offset.
    Member(u32),
    /// To an entry of an array.
    Entry(u32),
}

/// A value in a body, and the path to it. The path has the offsets of names, not copies: one name can be almost as long as
/// the body and be on the paths of many values.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    steps: Box<[Step]>,
    pub(crate) value: Value,
}

impl Path {
    /// The JSON Pointer; `None` when the path was not found in `body`.
    pub(crate) fn pointer(&self, body: &[u8]) -> Option<String> {
        let mut pointer = String::new();
        for step in &self.steps {
            match step {
                Step::Member(at) => {
                    let name = Reader::at(body, *at as usize).next_name(true).ok()??;
                    push_token(&mut pointer, core::str::from_utf8(&name.text()).ok()?);
                }
                Step::Entry(index) => push_token(&mut pointer, &index.to_string()),
            }
        }
        Some(pointer)
    }
}

/// Walks once over a body that was read before, and finds the paths to the values at given offsets.
pub(crate) struct PathFinder<'b> {
    reader: Option<Reader<'b>>,
    /// For each open object and array, the step to the value in it that was read last. An object of which nothing was read
    /// has the offset 0.
    open: Vec<Step>,
    /// Whether nothing of the innermost container has been read yet.
    is_first: bool,
    /// Whether the reader is at the start of a value.
    at_value: bool,
}

impl<'b> PathFinder<'b> {
    pub(crate) fn new(body: &'b [u8]) -> Self {
        Self {
            reader: Reader::new(body).ok(),
            open: Vec::new(),
            is_first: true,
            at_value: true,
        }
    }

    /// Walks on to the value that starts at `offset`; `None` when there is none. Offsets have to ascend from call to call.
    pub(crate) fn seek(&mut self, offset: usize) -> Option<Path> {
        loop {
            let reader = self.reader.as_mut()?;
            if self.at_value {
                if reader.position() == offset {
                    let value = reader.clone().value(0, &mut Repeats::default()).ok()?;
                    let steps = self.open.as_slice().into();
                    return Some(Path { steps, value });
                }
                self.enter_or_skip()?;
            } else {
                self.go_on()?;
            }
        }
    }

    fn enter_or_skip(&mut self) -> Option<()> {
        let reader = self.reader.as_mut()?;
        self.at_value = false;
        self.is_first = false;
        if reader.take(b'{') {
            self.open.push(Step::Member(0));
            self.is_first = true;
        } else if reader.take(b'[') {
            self.open.push(Step::Entry(0));
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
            Step::Member(own) => match reader.next_name(is_first).ok()? {
                Some(name) => {
                    *own = narrow(name.at);
                    true
                }
                None => false,
            },
            Step::Entry(index) => {
                let more = reader.next_entry(is_first).ok()?;
                if more && !is_first {
                    *index += 1;
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
