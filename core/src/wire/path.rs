//! JSON Pointers (RFC 6901) for places anywhere in a body, found in one walk over it.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use super::json::Reader;
use super::repeats::Repeats;
use crate::bytes::narrow;

/// Adds one reference token, escaped as RFC 6901 requires.
pub(crate) fn push_token(pointer: &mut String, token: &str) {
    if pointer.is_empty() {
        *pointer = String::with_capacity(1 + token.len());
    }
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

/// The path to a value in a body, and its bytes. The path has the offsets of names, not copies: one name can be almost as long
/// as the body and be on the paths of many values.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    steps: SmallVec<[Step; 4]>,
    start: u32,
    end: u32,
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

    /// The bytes of the value.
    pub(crate) fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The paths to the values that start at ascending offsets, found while walking over a body that was read before.
pub(crate) struct Paths<'b> {
    body: &'b [u8],
    starts: &'b [u32],
    /// The number of paths that were returned.
    returned: usize,
    /// The ends of all values, once the end of an object or an array was needed. One walk finds all of them. Objects and arrays
    /// can be inside one another, so looking for each end from its start would read the innermost value once for each.
    ends: Option<Vec<u32>>,
    walk: Option<BodyWalk<'b>>,
}

impl<'b> Paths<'b> {
    pub(crate) fn new(body: &'b [u8], starts: &'b [u32]) -> Self {
        Self {
            body,
            starts,
            returned: 0,
            ends: None,
            walk: BodyWalk::new(body),
        }
    }
}

impl Iterator for Paths<'_> {
    type Item = Path;

    fn next(&mut self) -> Option<Path> {
        let start = *self.starts.get(self.returned)?;
        let walk = self.walk.as_mut()?;
        while !walk.is_at(start) {
            walk.step()?;
        }
        let steps = SmallVec::from_slice(&walk.open);
        let end = match walk.reader.peek()? {
            b'{' | b'[' => {
                if self.ends.is_none() {
                    self.ends = Some(ends(self.body, self.starts)?);
                }
                *self.ends.as_ref()?.get(self.returned)?
            }
            _ => {
                walk.step()?;
                narrow(walk.reader.position())
            }
        };
        self.returned += 1;
        Some(Path { steps, start, end })
    }
}

/// The ends of the values that start at ascending offsets.
fn ends(body: &[u8], starts: &[u32]) -> Option<Vec<u32>> {
    let mut walk = BodyWalk::new(body)?;
    let mut starts = starts.iter().peekable();
    let mut ends = Vec::with_capacity(starts.len());
    // The values that have started and not ended, the innermost last: the number of objects and arrays around each, and its
    // position among the ends.
    let mut started: Vec<(usize, usize)> = Vec::new();
    while starts.len() > 0 || !started.is_empty() {
        while starts.next_if(|start| walk.is_at(**start)).is_some() {
            started.push((walk.open.len(), ends.len()));
            ends.push(0);
        }
        walk.step()?;
        while !walk.at_value
            && let Some((_, index)) = started.pop_if(|(around, _)| *around == walk.open.len())
        {
            *ends.get_mut(index)? = narrow(walk.reader.position());
        }
    }
    Some(ends)
}

/// A walk over all values of a body that was read before.
struct BodyWalk<'b> {
    reader: Reader<'b>,
    /// For each open object and array, the step to the value in it that was read last. An object of which nothing was read
    /// has the offset 0.
    open: Vec<Step>,
    /// Whether nothing of the innermost container has been read yet.
    is_first: bool,
    /// Whether the reader is at the start of a value.
    at_value: bool,
}

impl<'b> BodyWalk<'b> {
    fn new(body: &'b [u8]) -> Option<Self> {
        Some(Self {
            reader: Reader::new(body).ok()?,
            open: Vec::new(),
            is_first: true,
            at_value: true,
        })
    }

    /// Whether a value starts here, at this offset.
    fn is_at(&self, offset: u32) -> bool {
        self.at_value && self.reader.position() == offset as usize
    }

    /// Walks on to the next start or end of a value; `None` after the last one.
    fn step(&mut self) -> Option<()> {
        match self.at_value {
            true => self.enter_or_skip(),
            false => self.go_on(),
        }
    }

    fn enter_or_skip(&mut self) -> Option<()> {
        let reader = &mut self.reader;
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
        let reader = &mut self.reader;
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
