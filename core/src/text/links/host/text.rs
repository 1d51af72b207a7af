//! The hosts of links in text. Readers disagree about where a link in text ends.

use core::ops::Range;

use memchr::{memchr_iter, memrchr};

use super::super::run::{is_boundary, is_cut, is_punctuation};
use super::super::span::{Span, has_word, skip, tail, word_before};
use super::super::work;
use super::known::KnownHosts;
use super::looked::Looked;
use super::plain::visit_plain;
use super::{DELIMITERS, before, host_length, is_port, is_special, scheme};

/// Visits the hosts of a link in text, which may begin with `www.`. A host counts up to the end of the link, up to the
/// first of some signs, and up to the first character beyond ASCII.
pub(in super::super) fn visit_text_link(
    link: &str,
    known: &mut KnownHosts,
    visit: &mut impl FnMut(&str),
) {
    if visit_plain(link, visit) {
        return;
    }
    // White space ends a link. Control characters do not, but those at the end are not a part of the URL.
    let link = link.trim_end_matches(|character| character <= ' ');
    let rest = match scheme(link) {
        Some((scheme, rest)) if is_special(scheme) => rest,
        _ => link,
    };
    // A link that begins with `www.` is read like any `www.` inside a link.
    let is_word = rest.len() == link.len() && has_word(link.as_bytes(), 0, b"www.");
    let rest = rest.trim_start_matches(['/', '\\']);
    let authority = before(rest, &DELIMITERS);
    let early_ends: [fn(u8) -> bool; 2] = [is_cut, |byte| !byte.is_ascii()];
    let early_ends = early_ends
        .into_iter()
        .filter(|is_end| authority.bytes().any(*is_end));
    let mut reader = AuthorityReader {
        text: authority,
        visit,
        known,
        looked: Looked::default(),
        reading: Reading::default(),
        shared: Shared::default(),
    };
    for is_end in core::iter::once((|_| false) as fn(u8) -> bool).chain(early_ends) {
        reader.read(is_word, is_end);
    }
}

/// Visits the hosts that begin in an authority, for one kind of end after the other.
struct AuthorityReader<'t, V> {
    text: &'t str,
    visit: V,
    known: &'t mut KnownHosts,
    looked: Looked,
    /// The last reading that is not within another one of the same end.
    reading: Reading,
    shared: Shared,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    end: usize,
    /// The end without the punctuation before it.
    trimmed: usize,
    /// The end of the last `@` in the reading.
    user: usize,
}

/// The hosts that begin without a slash and share an end: the starts of the first and of the last. Only these two count.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Shared {
    first: usize,
    last: usize,
    end: usize,
    /// The end of their readings, with a port.
    reading_end: usize,
}

impl Shared {
    /// The first host, which begins with this reading of a text.
    pub(in super::super) fn new(text: &[u8], reading: Range<usize>) -> Self {
        let part = Span::new(reading.start, reading.end).bytes(text);
        Self {
            first: reading.start,
            last: reading.start,
            end: reading.start + host_length(part),
            reading_end: reading.end,
        }
    }

    /// Notes the host that begins at `begin` if it shares the end. Returns whether it does.
    pub(in super::super) fn add(&mut self, begin: usize) -> bool {
        let shares = begin < self.end;
        if shares {
            self.last = begin;
        }
        shares
    }

    /// The reading of the last host, if it is not the first.
    pub(in super::super) fn last(self) -> Option<Range<usize>> {
        (self.last > self.first).then_some(self.last..self.reading_end)
    }
}

impl<V: FnMut(&str)> AuthorityReader<'_, V> {
    /// Visits the host that begins with the authority, and the hosts that begin with a `www.` in it. `is_word` says that
    /// the first `www.` is the start of the authority.
    fn read(&mut self, is_word: bool, is_end: fn(u8) -> bool) {
        let bytes = self.text.as_bytes();
        self.reading = Reading::default();
        self.shared = Shared::default();
        if !is_word {
            self.begin(0, is_end);
            if !self.is_www_alone(0) {
                self.host(self.reading.user, self.reading.trimmed);
            }
        }
        for dot in memchr_iter(b'.', bytes) {
            if let Some(begin) = word_before(bytes, dot, b"www")
                && (begin > 0 || is_word)
                && is_boundary(self.text, begin, true)
            {
                if begin >= self.reading.end {
                    self.begin(begin, is_end);
                    if self.reading.user > begin {
                        self.host(self.reading.user, self.reading.trimmed);
                    }
                }
                self.word(begin);
            }
        }
        self.last_word();
    }

    /// Begins the first reading up to a new end.
    fn begin(&mut self, begin: usize, is_end: fn(u8) -> bool) {
        let bytes = self.text.as_bytes();
        let end = skip(bytes, begin, |byte| !is_end(byte));
        work::count(end - begin);
        let reading = Span::new(begin, end).bytes(bytes);
        let trimmed = Span::new(0, length_without_punctuation(reading)).bytes(reading);
        self.reading = Reading {
            end,
            trimmed: begin + trimmed.len(),
            user: begin + memrchr(b'@', trimmed).map_or(0, |at| at + 1),
        };
    }

    /// Reads a host that begins with a `www.`. Of the hosts that share an end, the first and the last count.
    fn word(&mut self, begin: usize) {
        let Reading { trimmed, user, .. } = self.reading;
        if begin < user || begin >= trimmed || self.is_www_alone(begin) {
            return;
        }
        if self.shared.add(begin) {
            return;
        }
        self.last_word();
        self.shared = Shared::new(self.text.as_bytes(), begin..trimmed);
        self.host(begin, trimmed);
    }

    fn last_word(&mut self) {
        if let Some(last) = self.shared.last() {
            self.host(last.start, last.end);
        }
    }

    /// Whether a reading is `www` and nothing else, which is not a link.
    fn is_www_alone(&self, begin: usize) -> bool {
        let part = Span::new(begin, self.reading.trimmed).of(self.text);
        part.eq_ignore_ascii_case("www")
    }

    /// Visits the host that begins at `begin`, if nothing but a port follows it.
    fn host(&mut self, begin: usize, end: usize) {
        let part = Span::new(begin, end).of(self.text);
        let Some((host, port)) = part.split_at_checked(host_length(part.as_bytes())) else {
            return;
        };
        let range = begin..begin + host.len();
        if is_port(port) && self.looked.get(&range).is_none() {
            self.looked.add(range, true);
            self.known.visit(host.as_bytes(), &mut self.visit);
        }
    }
}

/// The length of a text, which need not be UTF-8, without the punctuation at its end. The closing bracket of an IPv6 address
/// stays.
pub(in super::super) fn length_without_punctuation(text: &[u8]) -> usize {
    let mut length = text.len();
    loop {
        let left = Span::new(0, length).bytes(text);
        let character = match left {
            [before @ .., b']'] if is_open_address(before) => None,
            [.., last @ 0..=0x7f] => Some(char::from(*last)),
            _ => last_character(left),
        };
        match character.filter(|one| is_punctuation(*one)) {
            Some(character) => length -= character.len_utf8(),
            None => return length,
        }
    }
}

/// The character at the end of a text; `None` if the end is not UTF-8.
fn last_character(text: &[u8]) -> Option<char> {
    let start = text.iter().rposition(|byte| !matches!(byte, 0x80..=0xbf))?;
    let character = core::str::from_utf8(tail(text, start)).ok()?;
    character.chars().next()
}

/// Whether a text ends in an IPv6 address that lacks its closing bracket.
fn is_open_address(text: &[u8]) -> bool {
    let open = text.iter().rposition(|byte| matches!(byte, b'[' | b']'));
    open.is_some_and(|open| {
        let before = open.checked_sub(1).and_then(|at| text.get(at));
        text.get(open) == Some(&b'[') && before.is_none_or(|byte| *byte == b'@')
    })
}
