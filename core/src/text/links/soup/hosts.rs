//! What looks like a host in one text of soup.
//!
//! A host begins at a *start*: two or more slashes, a scheme, `www.`. Readers disagree where it ends, so a start has a reading
//! for each kind of end. A reading begins after its last `@`. Starts that share an end share one look at it.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use alloc::string::String;
use core::ops::Range;

use memchr::memrchr;
use percent_encoding::percent_decode;

use super::super::hidden::Clause;
use super::super::host;
use super::super::references::{self, Context};
use super::super::work;
use super::texts::{Reading, Text, has_word, space_at};
use super::{Findings, Soup};
use crate::bytes::class::{ByteTable, byte_table};

/// Where a reading ends: at a slash, `?` or `#`, or at one of these before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Nothing else: the long reading.
    Long,
    /// A quote, parenthesis, comma, semicolon, `<`, `>` or white space: the short reading.
    Short,
    DoubleQuote,
    SingleQuote,
    Parenthesis,
    /// `>` or white space of ASCII, which ends a value without quotes.
    Tag,
    /// What ends the short reading, or a tab or line break, which ends a value without quotes.
    Line,
}

impl End {
    const ALL: [Self; 7] = [
        Self::Long,
        Self::Short,
        Self::DoubleQuote,
        Self::SingleQuote,
        Self::Parenthesis,
        Self::Tag,
        Self::Line,
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The kinds of ends at which a byte ends a reading.
    const fn of_byte(byte: u8) -> u8 {
        const SHORT: u8 = End::Short.bit() | End::Line.bit();
        match byte {
            b'/' | b'\\' | b'?' | b'#' => u8::MAX,
            b'"' => SHORT | Self::DoubleQuote.bit(),
            b'\'' => SHORT | Self::SingleQuote.bit(),
            b')' => SHORT | Self::Parenthesis.bit(),
            b'>' | b'\t'..=b'\r' | b' ' => SHORT | Self::Tag.bit(),
            b'(' | b',' | b';' | b'<' => SHORT,
            _ => 0,
        }
    }

    /// Where the reading ends that begins where `text` does.
    fn find(self, text: &[u8]) -> usize {
        let has_space = matches!(self, Self::Short | Self::Line);
        let end = (0..text.len()).find(|at| {
            let byte = text[*at];
            ENDS.of(byte) & self.bit() != 0
                || has_space && byte >= 0x80 && space_at(&text[*at..]) > 0
        });
        end.unwrap_or(text.len())
    }

    /// How long a reading is that ends here. The four beside the long and the short one go without punctuation at their end.
    fn trim(self, text: &[u8]) -> usize {
        let is_trimmed = |byte: &u8| matches!(byte, b'"' | b'\'' | b'(' | b')' | b',' | b';');
        match self {
            Self::Long | Self::Short | Self::Line => text.len(),
            _ => text
                .iter()
                .rposition(|byte| !is_trimmed(byte))
                .map_or(0, |last| last + 1),
        }
    }
}

static ENDS: ByteTable<u8> = byte_table!(|byte| End::of_byte(byte));

/// The bytes at which something begins: a slash, the `:` of a scheme, the full stop of `www.`, an `@`.
static MARKS: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, b'/' | b'\\' | b':' | b'.' | b'@'));

/// The readings that share one end.
#[derive(Clone, Copy, Debug, Default)]
struct Region {
    /// Where they end in the text.
    end: usize,
    /// The same, without the punctuation there.
    trimmed: usize,
    /// Where the host ends: there, or before a port.
    host_end: usize,
    /// Where the last `@` ends in it.
    user: usize,
    /// Where the last look began.
    looked: usize,
    /// The first look found a host.
    has_host: bool,
}

struct Look<'a, 't, 'f, 'v> {
    soup: &'a Soup<'t>,
    text: &'a Text<'a>,
    findings: &'f mut Findings<'v>,
    /// The last region of each end.
    regions: [Option<Region>; End::ALL.len()],
    /// Up to here addresses were read.
    addressed: usize,
}

/// Visits everything in the text that looks like a host.
pub(super) fn read(soup: &Soup<'_>, text: &Text<'_>, findings: &mut Findings<'_>) {
    let bytes = text.bytes;
    let mut look = Look {
        soup,
        text,
        findings,
        regions: [None; End::ALL.len()],
        addressed: 0,
    };
    let mut from = 0;
    while let Some(found) = bytes[from..].iter().position(|byte| MARKS.of(*byte)) {
        let at = from + found;
        from = at + 1;
        match bytes[at] {
            b':' => match Scheme::before(bytes, at) {
                Some(Scheme::Mail) => look.addresses(from),
                Some(scheme) => {
                    from = slashes_end(bytes, from);
                    let is_text = scheme == Scheme::Text && bytes[at + 1..from] == *b"//";
                    look.start(from, is_text);
                }
                None => {}
            },
            b'.' => {
                if let Some(begin) = at.checked_sub(3)
                    && has_word(bytes, begin, b"www")
                {
                    look.start(begin, true);
                }
            }
            b'@' => {
                if look.regions[End::Long as usize].is_some_and(|region| at < region.end) {
                    look.reading(End::Short, from, false);
                    look.reading(End::Line, from, false);
                }
            }
            _ => {
                from = slashes_end(bytes, at);
                if from > at + 1 {
                    look.start(from, false);
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    /// Its URLs have hosts.
    Host,
    /// The same, and mail readers make links of them in text.
    Text,
    /// `mailto`
    Mail,
}

impl Scheme {
    /// The scheme whose `:` is at `at`.
    fn before(text: &[u8], at: usize) -> Option<Self> {
        let is = |word: &[u8]| {
            at.checked_sub(word.len())
                .is_some_and(|begin| has_word(text, begin, word))
        };
        let last = at.checked_sub(1)?;
        match text[last].to_ascii_lowercase() {
            b's' if is(b"https") => Some(Self::Text),
            b's' if is(b"ws") || is(b"wss") => Some(Self::Host),
            b'p' if is(b"http") || is(b"ftp") => Some(Self::Text),
            b'o' if is(b"mailto") => Some(Self::Mail),
            _ => None,
        }
    }
}

fn slashes_end(text: &[u8], from: usize) -> usize {
    let slashes = text[from..].iter();
    from + slashes
        .take_while(|byte| matches!(byte, b'/' | b'\\'))
        .count()
}

impl Look<'_, '_, '_, '_> {
    /// Reads what begins after a start in each way. `is_text`: in text it would be a link.
    fn start(&mut self, begin: usize, is_text: bool) {
        let long = self.reading(End::Long, begin, false);
        for end in End::ALL {
            if end != End::Long && long > begin {
                self.reading(end, begin, is_text && end == End::Short);
            }
        }
    }

    /// Reads what begins at `begin` up to an end, and gives where that is. `is_text`: as a link in text, too.
    fn reading(&mut self, end: End, begin: usize, is_text: bool) -> usize {
        let bytes = self.text.bytes;
        if end == End::Line && self.text.gaps.is_empty() {
            return begin;
        }
        let known = self.regions[end as usize].filter(|region| begin < region.end);
        let Some(region) = known else {
            let mut region = Region::new(self.text, end, begin);
            work::count(region.end - begin);
            // The short reading of most starts is the long one.
            let long = self.regions[End::Long as usize].filter(|long| {
                end != End::Long && (long.user, long.host_end) == (region.user, region.host_end)
            });
            region.has_host = match long {
                Some(long) => long.has_host,
                None => self.look(region.looked..region.host_end),
            };
            self.regions[end as usize] = Some(region);
            self.judge(end, begin..region.trimmed, region.has_host);
            if is_text {
                self.text_link(begin..region.end);
            }
            return region.end;
        };
        if begin < region.user || begin > region.trimmed {
            return region.end;
        }
        if begin > region.host_end {
            // What follows a colon is a port to some, and to others it has a start of its own.
            let mut next = Region::within(bytes, region, begin);
            next.has_host = self.look(next.looked..next.host_end);
            self.regions[end as usize] = Some(next);
            self.judge(end, begin..next.host_end, next.has_host);
        } else if begin > region.looked && is_address(&bytes[begin..region.host_end]) {
            self.look(begin..region.host_end);
        }
        region.end
    }

    /// Visits the hosts that a link in text has.
    fn text_link(&mut self, part: Range<usize>) {
        let text = String::from_utf8_lossy(&self.text.bytes[part]);
        for authority in host::text_authorities(&text) {
            let host = authority.rsplit('@').next().unwrap_or(authority);
            let host = host.get(..host_length(host.as_bytes())).unwrap_or(host);
            host::visit_host_and_nested(host, &mut |host| self.findings.host(host));
        }
    }

    /// Visits the host of a text, and tells whether it has one.
    fn look(&mut self, part: Range<usize>) -> bool {
        let text = &self.text.bytes[part];
        if text.is_empty() {
            return false;
        }
        work::count(text.len());
        let mut has_host = false;
        host::visit_host_and_nested(&String::from_utf8_lossy(text), &mut |host| {
            has_host = true;
            self.findings.host(host);
        });
        has_host
    }

    /// What a reading leaves open.
    fn judge(&mut self, end: End, part: Range<usize>, has_host: bool) {
        let bytes = &self.text.bytes[part.clone()];
        if end == End::Long {
            return;
        }
        if self.soup.is_inner && !self.soup.is_utf8 && !bytes.is_ascii() {
            self.open(Clause::Charset, part.clone());
        }
        if matches!(end, End::Short | End::Line)
            && has_host
            && self.text.reading == Reading::WRITTEN
        {
            for found in memchr::memchr_iter(b'&', bytes) {
                let rest = &self.text.bytes[part.start + found..];
                let of_text = references::reference(rest, Context::Text);
                if of_text.is_some() && references::reference(rest, Context::Attribute).is_none() {
                    self.open(Clause::OpenReference, part.clone());
                }
            }
        }
    }

    fn open(&mut self, clause: Clause, part: Range<usize>) {
        let Self { soup, text, .. } = self;
        self.findings.open(clause, || soup.written(text, part));
    }

    /// Visits the domains of the addresses that follow `mailto:`, up to the next `>`.
    fn addresses(&mut self, begin: usize) {
        let bytes = self.text.bytes;
        if begin < self.addressed {
            return;
        }
        let rest = &bytes[begin..];
        let text = &rest[..memchr::memchr(b'>', rest).unwrap_or(rest.len())];
        let end = begin + text.len();
        self.addressed = end;
        work::count(text.len());
        let decoded = percent_decode(text).decode_utf8_lossy();
        for domain in decoded.split('@').skip(1) {
            self.address(domain);
        }
        // In a value without quotes a tab or line break ends the last one.
        let mut at = begin;
        while let Some(found) = memchr::memchr2(b'@', b'4', &bytes[at..end]) {
            at += found + 1;
            let is_sign = bytes[at - 1] == b'@' || bytes[at - 2..].starts_with(b"%40");
            if is_sign && let Some(gap) = self.text.gaps.next(at).filter(|gap| *gap < end) {
                let domain = &bytes[at..gap];
                let domain = domain
                    .strip_prefix(b"0")
                    .filter(|_| bytes[at - 1] == b'4')
                    .unwrap_or(domain);
                if memchr::memchr(b'@', domain).is_none() {
                    self.address(&percent_decode(domain).decode_utf8_lossy());
                }
            }
        }
        let is_unsure = self.soup.is_inner && !self.soup.is_utf8 && !text.is_ascii();
        if is_unsure && decoded.contains('@') {
            self.open(Clause::Charset, begin..end);
        }
    }

    /// Visits the domain that follows the `@` of an address.
    fn address(&mut self, text: &str) {
        let ends = |character: char| {
            character.is_whitespace()
                || matches!(
                    character,
                    '"' | '\'' | '<' | '>' | ',' | ';' | '(' | ')' | '?' | '&' | '#' | '/' | '\\'
                )
        };
        let domain = text.split(ends).next().unwrap_or(text);
        work::count(domain.len());
        host::visit_domain(domain.trim_end_matches('.'), &mut |host| {
            self.findings.host(host);
        });
    }
}

impl Region {
    /// That of the first reading to an end.
    fn new(text: &Text<'_>, end: End, begin: usize) -> Self {
        let rest = &text.bytes[begin..];
        let gap = match end {
            End::Line => text.gaps.next(begin),
            _ => None,
        };
        let rest = &rest[..gap.map_or(rest.len(), |gap| gap - begin)];
        let reading = &rest[..end.find(rest)];
        let trimmed = &reading[..end.trim(reading)];
        let user = memrchr(b'@', trimmed).map_or(0, |at| at + 1);
        let region = Self {
            end: begin + reading.len(),
            trimmed: begin + trimmed.len(),
            ..Self::default()
        };
        Self::within(text.bytes, region, begin + user)
    }

    /// That of a reading to the same end which has no `@`.
    fn within(bytes: &[u8], region: Self, begin: usize) -> Self {
        let text = &bytes[begin..region.trimmed];
        let host = &text[..host_length(text)];
        let divided = match host.first() {
            Some(b'[') => None,
            _ => host.iter().rposition(|byte| NEVER.of(*byte)),
        };
        Self {
            host_end: begin + host.len(),
            user: begin,
            // The labels after a byte that no host has may be the end of one.
            looked: begin + divided.unwrap_or(0),
            has_host: false,
            ..region
        }
    }
}

/// The bytes that no host has, as the URL standard calls them forbidden. Brackets are not among them, nor what ends a reading.
static NEVER: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, 0..=b' ' | b'<' | b'>' | b'^' | b'|' | 0x7f));

/// Whether a host that begins within another one may be an address of IPv6. One from `www.` on is found with the other one.
fn is_address(text: &[u8]) -> bool {
    // More than any of them has.
    const LONGEST: usize = 256;
    text.first() == Some(&b'[') && text.len() <= LONGEST
}

/// How long the host is that a text begins with, which a port may follow. In brackets a colon is a part of it.
fn host_length(text: &[u8]) -> usize {
    let mut is_in_brackets = false;
    let end = text.iter().position(|byte| {
        match byte {
            b'[' => is_in_brackets = true,
            b']' => is_in_brackets = false,
            _ => {}
        }
        *byte == b':' && !is_in_brackets
    });
    end.unwrap_or(text.len())
}
