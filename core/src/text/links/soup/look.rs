//! What looks like a host in one text of soup.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::host;
use super::super::run::is_punctuation;
use super::super::work;
use super::walk::{CDATA, Manner, Text, Walk};

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
    /// It is a list of addresses.
    is_mail: bool,
    /// Something that divides a host into pieces.
    is_divided: bool,
    /// The mark of a tag.
    is_behind_mark: bool,
    /// An `@`, and nothing since that divides.
    is_behind_at: bool,
}

impl State {
    const COUNT: usize = 24;

    /// The number of a state. Two walks of one number that go the same way for longer than any host find the same hosts.
    fn index(self, piece: &Part) -> usize {
        usize::from(self.is_behind_at)
            | usize::from(piece.is_port) << 1
            | usize::from(piece.is_in_brackets) << 2
            | match self.is_mail {
                true => 16,
                false => usize::from(self.is_behind_mark) << 3,
            }
    }

    /// Whether a piece counts here.
    fn counts(self) -> bool {
        self.is_behind_at || self.is_divided && !self.is_behind_mark && !self.is_mail
    }
}

/// The text of a host so far, without its port.
#[derive(Debug, Default)]
struct Part {
    host: Vec<u8>,
    is_port: bool,
    is_in_brackets: bool,
}

impl Part {
    fn clear(&mut self) {
        self.host.clear();
        self.is_port = false;
        self.is_in_brackets = false;
    }

    fn push(&mut self, byte: u8) {
        match byte {
            b'[' => self.is_in_brackets = true,
            b']' => self.is_in_brackets = false,
            b':' if !self.is_in_brackets => self.is_port = true,
            _ => {}
        }
        if !self.is_port {
            self.host.push(byte);
            if self.host.len() > LONG {
                host::shorten(&mut self.host);
            }
        }
    }

    /// Takes back the last bytes.
    fn pop(&mut self, count: usize) {
        if !self.is_port {
            self.host.truncate(self.host.len().saturating_sub(count));
        }
    }

    fn name(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.host)
    }
}

/// Set beside the kinds of markup that were passed: these are of CDATA.
const IN_CDATA: u8 = 128;

/// A host of more bytes is shortened to its end.
const LONG: usize = 1 << 14;

/// A walk ends that has gone the way of an earlier one for longer than any host: the longest has 253 characters. A character of
/// ASCII weighs 16, and each byte of another one 1, as one with all that is mapped to nothing may take sixteen bytes.
const ENOUGH: usize = 16 * 256;

/// Visits everything in the text that looks like a host.
pub(super) fn look(bytes: &[u8], visit: &mut impl FnMut(&str)) {
    let text = Text::new(bytes);
    let mut look = Look {
        text: &text,
        passed: core::array::from_fn(|_| Passed::default()),
        user: Part::default(),
        whole: Part::default(),
        piece: Part::default(),
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
        // Second may stand a backslash, what begins markup, or a control that is left out. All have the bit of lower case set
        // here: `|` is a backslash, `}` a bracket, and what follows them are controls.
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
    /// What stands before the last `@`, the whole of what may be a host behind it, and the piece of that that is read.
    user: Part,
    whole: Part,
    piece: Part,
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
            let start = start(&mut walk);
            met = met.or(walk.met);
            if start == Some(Start::Name) {
                walk = Walk::new(self.text, at, manner);
            }
            if let Some(start) = start {
                self.walk(&mut walk, start == Start::Mailto);
            }
            met = met.or(walk.met);
        }
    }

    /// Walks to what ends a host in any case. What stands there counts as a whole, and so does each of the pieces into
    /// which quotes, parentheses, marks of tags, white space, controls and the signs of lists divide it. Of a list of
    /// addresses each piece behind an `@` counts, and nothing else.
    ///
    /// Behind the first mark of a tag stands what is no part of the URL any more: there a piece counts only behind an `@`,
    /// which ends a user name.
    fn walk(&mut self, walk: &mut Walk<'_, '_>, is_mail: bool) {
        walk.skipped = 0;
        self.user.clear();
        self.whole.clear();
        self.piece.clear();
        let mut state = State {
            is_mail,
            is_divided: is_mail,
            ..State::default()
        };
        let mut weight: usize = 0;
        let mut recent: u32 = 0;
        let mut passed = 0;
        while let Some(byte) = walk.next() {
            let kinds = core::mem::take(&mut walk.skipped);
            if recent == 0 {
                // What stands before the first character ends nothing.
            } else if kinds & !passed != 0 {
                // For some readers, what was left out ends the URL. Behind the beginning of CDATA, all markup does.
                self.visit_first(state);
                self.visit_piece(state);
                passed = match kinds & CDATA & !passed != 0 && passed & IN_CDATA == 0 {
                    true => IN_CDATA,
                    false => passed | kinds,
                };
            }
            recent = recent << 8 | u32::from(byte);
            if ends(byte, is_mail, passed != 0) {
                break;
            }
            let is_known = self.pass(walk, state);
            if is_known && is_mail && !state.is_behind_at {
                return;
            }
            weight = match is_known {
                true if byte == b'%' => weight.saturating_sub(16),
                true if byte.is_ascii() => weight.saturating_add(16),
                true => weight.saturating_add(1),
                false => 0,
            };
            if weight >= ENOUGH {
                // Earlier walks have found all that this one could.
                return;
            }
            if byte == b'@' {
                self.visit_piece(state);
                self.piece.clear();
                if !plain(&self.whole.name()).is_empty() {
                    core::mem::swap(&mut self.user, &mut self.whole);
                }
                self.whole.clear();
                state.is_behind_at = true;
            } else if let Some(before) = divides(recent, is_mail) {
                self.whole.pop(before);
                self.piece.pop(before);
                // Whatever follows, a reader may take the URL to end here.
                self.visit_first(state);
                self.visit_piece(state);
                self.piece.clear();
                // No host has white space in it.
                self.whole.push(if byte.is_ascii() { byte } else { b' ' });
                state.is_divided = true;
                state.is_behind_at = false;
                state.is_behind_mark |= matches!(byte, b'<' | b'>');
            } else {
                self.whole.push(byte);
                self.piece.push(byte);
            }
        }
        self.visit_first(state);
        self.visit_piece(state);
        if state.is_divided && !is_mail {
            host::visit_taken(&self.whole.name(), self.visit);
        }
    }

    /// Notes that a walk is at this position. Whether one was there before in the same state, and so has found what this
    /// one could.
    fn pass(&mut self, walk: &Walk<'_, '_>, state: State) -> bool {
        let blocks = (self.text.bytes.len() / 64).saturating_add(1);
        let bit = 1_u64 << (walk.at % 64);
        let manner = self.passed.get_mut(walk.manner().index());
        let Some(bits) = manner.and_then(|passed| passed.get_mut(state.index(&self.piece))) else {
            return false;
        };
        if bits.is_empty() {
            bits.resize(blocks, 0);
        }
        let Some(word) = bits.get_mut(walk.at / 64) else {
            return false;
        };
        let is_known = *word & bit != 0;
        *word |= bit;
        is_known
    }

    /// The text before anything divides it, by its longest end where the standard refuses it. If it ends with an `@`, that
    /// is punctuation behind a link in text.
    fn visit_first(&mut self, state: State) {
        if state.is_divided {
            return;
        }
        let name = self.whole.name();
        visit_name(&name, self.visit);
        if plain(&name).is_empty() {
            visit_name(plain(&self.user.name()), self.visit);
        }
    }

    fn visit_piece(&mut self, state: State) {
        if !state.counts() {
            return;
        }
        // Behind a URL stand words. One of them alone, without a dot, is no host.
        visit_name(&self.piece.name(), &mut |host| {
            if state.is_mail || host.contains('.') || host.starts_with('[') {
                (self.visit)(host);
            }
        });
    }
}

/// As in a link of text, punctuation at the end of a host may be no part of it.
fn visit_name(name: &str, visit: &mut impl FnMut(&str)) {
    host::visit_host(name, visit);
    let plain = plain(name);
    if plain.len() < name.len() {
        host::visit_host(plain, visit);
    }
}

/// Without the punctuation at its end. A bracket that closes an address of IPv6 stays.
fn plain(name: &str) -> &str {
    let plain = name.trim_end_matches(is_punctuation);
    let close = name.starts_with('[').then(|| name.find(']')).flatten();
    match close.and_then(|close| name.get(..=close)) {
        Some(address) if address.len() > plain.len() => address,
        _ => plain,
    }
}

/// What ends the text of a host, or a list of addresses. All but `<` may stand in such a list. Behind markup that was left
/// out, quotes, `>` and white space end it too: there the list may be over, and text follows.
const fn ends(byte: u8, is_mail: bool, is_behind_markup: bool) -> bool {
    match is_mail {
        true => byte == b'<' || is_behind_markup && matches!(byte, b'"' | b'>' | 1..=b' '),
        false => matches!(byte, b'/' | b'\\' | b'?' | b'#'),
    }
}

/// Whether the last of these bytes divides the text of a host, or of an address: the number of bytes before it
/// that belong to its character.
const fn divides(recent: u32, is_mail: bool) -> Option<usize> {
    match recent as u8 {
        b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b')' | b',' | b';' | 1..=b' ' => Some(0),
        b'/' | b'\\' | b'?' | b'#' | b'&' if is_mail => Some(0),
        // White space beyond ASCII.
        0x80.. => match (recent as u16, recent & 0xff_ffff) {
            (0xc285 | 0xc2a0, _) => Some(1),
            (_, 0xe1_9a80 | 0xe2_8080..=0xe2_808a | 0xe2_80a8 | 0xe2_80a9) => Some(2),
            (_, 0xe2_80af | 0xe2_819f | 0xe3_8080) => Some(2),
            _ => None,
        },
        _ => None,
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
