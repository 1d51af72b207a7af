//! What looks like a host in one text of soup.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::host;
use super::super::run::is_punctuation;
use super::super::work;
use super::walk::{Manner, Text, Walk};

/// What a host is found behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Slashes, or a scheme and at most one of them.
    Authority,
    /// Nothing: `www.` is a part of it.
    Name,
    Mailto,
}

/// How a walk ended.
enum Stop {
    /// At what ends a host, or at the end of the text.
    Ended,
    /// Where earlier walks have found all that this one could.
    Known,
}

/// The positions that walks of one manner have passed, by their state: which of the three [`limit`]s they had met, and
/// whether they were behind the colon of a port.
type Passed = [Vec<u64>; 16];

/// More of this is no host: the longest has 253 characters, and a character of sixteen bytes weighs as much as one of ASCII.
const ENOUGH: usize = 16 * 256;

/// Visits everything in the text that looks like a host.
pub(super) fn look(bytes: &[u8], visit: &mut impl FnMut(&str)) {
    let text = Text::new(bytes);
    let mut look = Look {
        text: &text,
        passed: Default::default(),
        buffer: Vec::new(),
        mailto: [0; Manner::COUNT],
        visit,
    };
    work::count(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        let next = bytes.get(at.wrapping_add(1)).copied().unwrap_or(0) | 0x20;
        let second = match byte | 0x20 {
            b'h' | b'f' => b't',
            b'm' => b'a',
            b'w' => match next {
                b's' => b's',
                _ => b'w',
            },
            b'/' => b'/',
            // A backslash.
            b'|' if *byte == b'\\' => next,
            _ => continue,
        };
        // A backslash, a bracket, or what is left out in some manner; by its bits but one.
        let is_likely =
            next == second || matches!(next, b'<' | b'|' | b'}' | b')' | b' ' | b'*' | b'-' | b';');
        if is_likely {
            look.begin(at);
        }
    }
}

struct Look<'a, 't, V> {
    text: &'a Text<'t>,
    passed: [Passed; Manner::COUNT],
    buffer: Vec<u8>,
    /// Up to where addresses were read, in each manner.
    mailto: [usize; Manner::COUNT],
    visit: &'a mut V,
}

impl<V: FnMut(&str)> Look<'_, '_, V> {
    /// Visits what begins at this position, in every manner that makes a difference.
    fn begin(&mut self, at: usize) {
        let mut met = Manner::default();
        for manner in Manner::all() {
            if !manner.is_within(met) {
                continue;
            }
            let mut walk = Walk::new(self.text, at, manner);
            match start(&mut walk) {
                Some(Start::Authority) => self.authority(&mut walk),
                Some(Start::Name) => {
                    let mut from = Walk::new(self.text, at, manner);
                    self.authority(&mut from);
                    met = met.or(from.met);
                }
                Some(Start::Mailto) => self.addresses(&mut walk, manner),
                None => {}
            }
            met = met.or(walk.met);
        }
    }

    fn authority(&mut self, walk: &mut Walk<'_, '_>) {
        self.buffer.clear();
        let Stop::Ended = self.walk(walk) else {
            return;
        };
        self.emit();
    }

    /// Walks to what ends a host in any case. On the way, what may end it ends one, too.
    fn walk(&mut self, walk: &mut Walk<'_, '_>) -> Stop {
        let manner = walk.manner();
        walk.skipped = 0;
        let mut limits: usize = 0;
        let mut skipped = 0;
        let mut port = false;
        let mut weight: usize = 0;
        loop {
            let Some(byte) = walk.next() else {
                return Stop::Ended;
            };
            let is_end = matches!(byte, b'/' | b'\\' | b'?' | b'#');
            if skipped != walk.skipped {
                skipped = walk.skipped;
                self.emit();
            }
            if is_end {
                return Stop::Ended;
            }
            let limit = limit(byte);
            if limits & limit != limit {
                limits |= limit;
                weight = 0;
                self.emit();
            }
            weight = match self.pass(walk.at, manner, limits, port) {
                true if byte == b'%' => weight.saturating_sub(16),
                true if byte.is_ascii() => weight.saturating_add(16),
                true => weight.saturating_add(1),
                false => 0,
            };
            if weight >= ENOUGH {
                // A host behind the port was found then; if there is none, it is this one.
                if port {
                    self.emit();
                }
                return Stop::Known;
            }
            match byte {
                b'@' => {
                    // Behind a link in text it is punctuation, or the link ended before: at white space.
                    let next = self.text.bytes.get(walk.at);
                    if !next.is_some_and(u8::is_ascii_alphanumeric) || !self.buffer.is_ascii() {
                        self.emit();
                    }
                    self.buffer.clear();
                    port = false;
                    limits = 0;
                }
                b':' if self.buffer.first() != Some(&b'[') || self.buffer.contains(&b']') => {
                    port = true;
                }
                _ if port => {}
                _ => self.push(byte),
            }
        }
    }

    /// Notes that a walk is at this position. Whether one was there before that has met no limit but those, and so has
    /// found what this one could.
    fn pass(&mut self, at: usize, manner: Manner, limits: usize, port: bool) -> bool {
        let blocks = (self.text.bytes.len() / 64).saturating_add(1);
        let bit = 1_u64 << (at % 64);
        let states = usize::from(port) << 3;
        let Some(passed) = self.passed.get_mut(manner.index()) else {
            return false;
        };
        let was_there = |state: usize| {
            let word = passed
                .get(states | state)
                .and_then(|bits| bits.get(at / 64));
            state & !limits == 0 && word.is_some_and(|word| word & bit != 0)
        };
        let is_known = (0..8).any(was_there);
        if !is_known && let Some(bits) = passed.get_mut(states | limits) {
            if bits.is_empty() {
                bits.resize(blocks, 0);
            }
            if let Some(word) = bits.get_mut(at / 64) {
                *word |= bit;
            }
        }
        is_known
    }

    fn push(&mut self, byte: u8) {
        const LONG: usize = 1 << 14;
        self.buffer.push(byte);
        if self.buffer.len() > LONG {
            host::shorten(&mut self.buffer);
        }
    }

    fn emit(&mut self) {
        if self.buffer.is_empty() {
            return;
        }
        let mut name = String::from_utf8_lossy(&self.buffer);
        if name.contains('\0') {
            name = Cow::Owned(name.replace('\0', ""));
        }
        let name = name.trim_matches(|character: char| character <= ' ');
        host::visit_host(name, self.visit);
        // A link in text ends before white space and the punctuation there.
        let plain = name.split(char::is_whitespace).next().unwrap_or_default();
        let plain = plain.trim_end_matches(is_punctuation);
        if plain.len() < name.len() {
            host::visit_host(plain, self.visit);
        }
    }

    /// Visits the domains of the addresses behind `mailto:`. Of one that is inside another, the first address is enough.
    fn addresses(&mut self, walk: &mut Walk<'_, '_>, manner: Manner) {
        let is_inside = self
            .mailto
            .get(manner.index())
            .is_some_and(|end| walk.at < *end);
        self.buffer.clear();
        let mut limits = 0;
        while let Some(byte) = walk.next() {
            match byte {
                b'"' | b'<' | b'>' => break,
                // No address has a colon: with many schemes, there are many.
                b',' | b'?' | b':' if is_inside => break,
                // What may end a list may also be in it: the first of each kind ends one.
                _ if limits & limit(byte) != limit(byte) && byte != b',' && byte != b';' => {
                    limits |= limit(byte);
                    host::visit_mailto(&String::from_utf8_lossy(&self.buffer), self.visit);
                }
                _ => {}
            }
            self.buffer.push(byte);
        }
        if let Some(end) = self.mailto.get_mut(manner.index()) {
            *end = walk.at.max(*end);
        }
        host::visit_mailto(&String::from_utf8_lossy(&self.buffer), self.visit);
    }
}

/// What may end a host, in three kinds: the first of each kind ends one.
const fn limit(byte: u8) -> usize {
    match byte {
        b'"' | b'\'' | b'<' | b'>' => 1,
        b'(' | b')' => 2,
        b';' | b',' => 4,
        _ if byte.is_ascii_whitespace() => 2,
        _ => 0,
    }
}

/// Reads what a host is found behind.
fn start(walk: &mut Walk<'_, '_>) -> Option<Start> {
    let first = walk.next()?;
    if is_slash(first) {
        return is_slash(walk.next()?).then_some(Start::Authority);
    }
    // The longest are seven characters long.
    let mut word = [first.to_ascii_lowercase(), 0, 0, 0, 0, 0, 0];
    for length in 1..word.len() {
        let byte = walk.next()?.to_ascii_lowercase();
        if let Some(place) = word.get_mut(length) {
            *place = byte;
        }
        match word.get(..length.saturating_add(1))? {
            b"www." => return Some(Start::Name),
            b"http:" | b"https:" | b"ftp:" | b"ws:" | b"wss:" => {
                // With more slashes than one, the host is found behind these.
                let mut ahead = walk.clone();
                if ahead.next().is_some_and(is_slash) {
                    *walk = ahead;
                }
                return Some(Start::Authority);
            }
            b"mailto:" => return Some(Start::Mailto),
            so_far if !BEGINNINGS.iter().any(|word| word.starts_with(so_far)) => return None,
            _ => {}
        }
    }
    None
}

const BEGINNINGS: [&[u8]; 7] = [
    b"http:", b"https:", b"ftp:", b"ws:", b"wss:", b"www.", b"mailto:",
];

const fn is_slash(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}
