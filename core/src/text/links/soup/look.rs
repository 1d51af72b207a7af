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

/// The positions that walks of one manner have passed, by their state.
type Passed = [Vec<u64>; State::COUNT];

/// What a walk over the text of a host has met.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Something that divides a host into pieces.
    is_divided: bool,
    /// The mark of a tag.
    is_behind_mark: bool,
    /// An `@`, and nothing since that divides.
    is_behind_at: bool,
    /// The colon of a port, in the whole and in the piece.
    whole_port: bool,
    piece_port: bool,
}

impl State {
    const COUNT: usize = 8;

    /// The number of a state. Walks of one number that have gone the same way for longer than a host can be find the same.
    fn index(self) -> usize {
        usize::from(self.is_behind_mark)
            | usize::from(self.is_behind_at) << 1
            | usize::from(self.piece_port) << 2
    }

    /// Whether a piece counts here.
    fn counts(self) -> bool {
        self.is_behind_at || !self.is_behind_mark
    }
}

/// A host of more bytes is shortened to its end.
const LONG: usize = 1 << 14;

/// More of this is no host: the longest has 253 characters, and a character of sixteen bytes weighs as much as one of ASCII.
const ENOUGH: usize = 16 * 256;

/// Visits everything in the text that looks like a host.
pub(super) fn look(bytes: &[u8], visit: &mut impl FnMut(&str)) {
    let text = Text::new(bytes);
    let mut look = Look {
        text: &text,
        passed: Default::default(),
        buffer: Vec::new(),
        piece: Vec::new(),
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
    /// The whole of what may be a host, and the piece of it that is read.
    buffer: Vec<u8>,
    piece: Vec<u8>,
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
        self.walk(walk);
    }

    /// Walks to what ends a host in any case. What stands there counts as a whole, and so does each of the pieces into
    /// which quotes, parentheses, marks of tags, white space and the signs of lists divide it.
    ///
    /// Behind the first mark of a tag stands what is no part of the URL any more: there a piece counts only behind an `@`,
    /// which ends a user name.
    fn walk(&mut self, walk: &mut Walk<'_, '_>) {
        let manner = walk.manner();
        walk.skipped = 0;
        let mut skipped = 0;
        let mut state = State::default();
        let mut weight: usize = 0;
        self.piece.clear();
        while let Some(byte) = walk.next() {
            if skipped != walk.skipped {
                skipped = walk.skipped;
                self.emit();
                self.emit_piece(state);
            }
            if matches!(byte, b'/' | b'\\' | b'?' | b'#') {
                break;
            }
            weight = match self.pass(walk.at, manner, state) {
                true if byte == b'%' => weight.saturating_sub(16),
                true if byte.is_ascii() => weight.saturating_add(16),
                true => weight.saturating_add(1),
                false => 0,
            };
            if weight >= ENOUGH {
                // Earlier walks have found all that this one could.
                return;
            }
            match byte {
                b'@' => {
                    // Behind a link in text it is punctuation, or the link ended before: at white space.
                    let next = self.text.bytes.get(walk.at);
                    if !next.is_some_and(u8::is_ascii_alphanumeric) || !self.buffer.is_ascii() {
                        self.emit();
                    }
                    self.emit_piece(state);
                    self.buffer.clear();
                    self.piece.clear();
                    state.is_behind_at = true;
                    state.whole_port = false;
                    state.piece_port = false;
                }
                _ if divides(byte) => {
                    // Whatever follows, a reader may take the URL to end here.
                    if !state.is_divided {
                        self.emit();
                    }
                    self.emit_piece(state);
                    self.piece.clear();
                    state.is_divided = true;
                    state.is_behind_at = false;
                    state.piece_port = false;
                    state.is_behind_mark |= matches!(byte, b'<' | b'>');
                    if !state.whole_port {
                        self.push(byte);
                    }
                }
                b':' => {
                    let is_port = |text: &[u8]| text.first() != Some(&b'[') || text.contains(&b']');
                    state.whole_port |= is_port(&self.buffer);
                    state.piece_port |= is_port(&self.piece);
                    if !state.whole_port {
                        self.push(byte);
                    }
                    if !state.piece_port {
                        self.piece.push(byte);
                    }
                }
                _ => {
                    if !state.whole_port {
                        self.push(byte);
                    }
                    if !state.piece_port {
                        self.push_piece(byte);
                    }
                }
            }
        }
        self.emit_piece(state);
        self.emit_whole(state);
    }

    /// Notes that a walk is at this position. Whether one was there before in the same state, and so has found what this
    /// one could.
    fn pass(&mut self, at: usize, manner: Manner, state: State) -> bool {
        let blocks = (self.text.bytes.len() / 64).saturating_add(1);
        let bit = 1_u64 << (at % 64);
        let Some(bits) = self
            .passed
            .get_mut(manner.index())
            .and_then(|passed| passed.get_mut(state.index()))
        else {
            return false;
        };
        if bits.is_empty() {
            bits.resize(blocks, 0);
        }
        let Some(word) = bits.get_mut(at / 64) else {
            return false;
        };
        let is_known = *word & bit != 0;
        *word |= bit;
        is_known
    }

    fn push(&mut self, byte: u8) {
        self.buffer.push(byte);
        if self.buffer.len() > LONG {
            host::shorten(&mut self.buffer);
        }
    }

    fn push_piece(&mut self, byte: u8) {
        self.piece.push(byte);
        if self.piece.len() > LONG {
            host::shorten(&mut self.piece);
        }
    }

    /// The whole so far: by its longest end where the standard refuses it.
    fn emit(&mut self) {
        visit_parts(&name(&self.buffer), true, self.visit);
    }

    /// The whole, of which pieces were visited: only if the standard takes it.
    fn emit_whole(&mut self, state: State) {
        match state.is_divided {
            true => host::visit_taken(&name(&self.buffer), self.visit),
            false => self.emit(),
        }
    }

    fn emit_piece(&mut self, state: State) {
        if state.is_divided && state.counts() {
            visit_parts(&name(&self.piece), false, self.visit);
        }
    }

    /// Visits the domains of the addresses behind `mailto:`. Of one that is inside another, the first address is enough.
    fn addresses(&mut self, walk: &mut Walk<'_, '_>, manner: Manner) {
        let is_inside = self
            .mailto
            .get(manner.index())
            .is_some_and(|end| walk.at < *end);
        self.buffer.clear();
        walk.skipped = 0;
        let mut limits = 0;
        while let Some(byte) = walk.next() {
            match byte {
                b'"' | b'<' | b'>' => break,
                b',' | b'?' if is_inside => break,
                // No address has a colon: with many schemes, there are many, in others or behind what is left out.
                b':' if is_inside || walk.skipped != 0 => break,
                // What may end a list may also be in it: the first of each kind ends one.
                _ if limits & limit(byte) != limit(byte) && byte != b',' && byte != b';' => {
                    limits |= limit(byte);
                    host::visit_mailto(&String::from_utf8_lossy(&self.buffer), self.visit);
                }
                _ => {}
            }
            self.buffer.push(byte);
        }
        // What was left out may hold addresses of its own, which this walk has not read.
        if walk.skipped == 0
            && let Some(end) = self.mailto.get_mut(manner.index())
        {
            *end = walk.at.max(*end);
        }
        host::visit_mailto(&String::from_utf8_lossy(&self.buffer), self.visit);
    }
}

/// White space beyond ASCII divides the text of a host, too. As in a link of text, punctuation at its end may be no part
/// of it. Only where a URL begins, a word alone is a host: behind it, there are many.
fn visit_parts(name: &str, is_first: bool, visit: &mut impl FnMut(&str)) {
    for (index, part) in name.split(char::is_whitespace).enumerate() {
        let mut visit_domain = |host: &str| {
            if is_first && index == 0 || host.contains('.') || host.starts_with('[') {
                visit(host);
            }
        };
        host::visit_host(part, &mut visit_domain);
        let plain = part.trim_end_matches(is_punctuation);
        if plain.len() < part.len() {
            host::visit_host(plain, &mut visit_domain);
        }
    }
}

fn name(bytes: &[u8]) -> Cow<'_, str> {
    let name = String::from_utf8_lossy(bytes);
    match name.contains('\0') {
        true => Cow::Owned(name.replace('\0', "")),
        false => name,
    }
}

/// What divides the text of a host.
fn divides(byte: u8) -> bool {
    matches!(
        byte,
        b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b')' | b',' | b';'
    ) || byte.is_ascii_whitespace()
}

/// What may end a list of addresses, in kinds: the first of each kind ends one.
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
