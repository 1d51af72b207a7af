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
use super::texts::{Next, Reading, Text, has_word, space_at};
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
    /// `>` or white space.
    Tag,
}

impl End {
    const ALL: [Self; 6] = [
        Self::Long,
        Self::Short,
        Self::DoubleQuote,
        Self::SingleQuote,
        Self::Parenthesis,
        Self::Tag,
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The kinds of ends at which a byte ends a reading.
    const fn of_byte(byte: u8) -> u8 {
        match byte {
            b'/' | b'\\' | b'?' | b'#' => u8::MAX,
            b'"' => Self::Short.bit() | Self::DoubleQuote.bit(),
            b'\'' => Self::Short.bit() | Self::SingleQuote.bit(),
            b')' => Self::Short.bit() | Self::Parenthesis.bit(),
            b'>' | b'\t'..=b'\r' | b' ' => Self::Short.bit() | Self::Tag.bit(),
            b'(' | b',' | b';' | b'<' => Self::Short.bit(),
            _ => 0,
        }
    }

    /// Where the reading ends that begins where `text` does.
    fn find(self, text: &[u8]) -> usize {
        let has_space = self == Self::Short || self == Self::Tag;
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
            Self::Long | Self::Short => text.len(),
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
    /// What comes before cannot be a part of a host: a user name, or a byte that no host has.
    divided: usize,
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
    quote: Next,
    address_end: Next,
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
        quote: Next::default(),
        address_end: Next::default(),
    };
    let mut from = 0;
    while let Some(found) = bytes[from..].iter().position(|byte| MARKS.of(*byte)) {
        let at = from + found;
        from = at + 1;
        match bytes[at] {
            b':' => match Scheme::before(bytes, at) {
                Some(Scheme::Mail) => look.addresses(from),
                Some(Scheme::Host) => {
                    from = slashes_end(bytes, from);
                    look.start(from);
                }
                None => {}
            },
            b'.' => {
                if let Some(begin) = at.checked_sub(3)
                    && has_word(bytes, begin, b"www")
                {
                    look.start(begin);
                }
            }
            b'@' => {
                if look.regions[End::Long as usize].is_some_and(|region| at < region.end) {
                    look.reading(End::Short, from);
                }
            }
            _ => {
                from = slashes_end(bytes, at);
                if from > at + 1 {
                    look.start(from);
                }
            }
        }
    }
}

enum Scheme {
    /// Its URLs have hosts.
    Host,
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
            b's' if is(b"https") || is(b"ws") || is(b"wss") => Some(Self::Host),
            b'p' if is(b"http") || is(b"ftp") => Some(Self::Host),
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
    /// Reads what begins after a start in each way.
    fn start(&mut self, begin: usize) {
        let long = self.reading(End::Long, begin);
        for end in End::ALL {
            // To the same end it is the same reading.
            if end != End::Long && long > begin {
                self.reading(end, begin);
            }
        }
    }

    /// Reads what begins at `begin` up to an end, and gives where that is.
    fn reading(&mut self, end: End, begin: usize) -> usize {
        let bytes = self.text.bytes;
        let known = self.regions[end as usize].filter(|region| begin <= region.end);
        let Some(region) = known else {
            let mut region = Region::new(bytes, end, begin);
            work::count(region.end - begin);
            // The short reading of most starts is the long one.
            let long = self.regions[End::Long as usize].filter(|long| {
                end != End::Long && (long.user, long.trimmed) == (region.user, region.trimmed)
            });
            region.has_host = match long {
                Some(long) => long.has_host,
                None => self.look(region.looked..region.trimmed),
            };
            self.regions[end as usize] = Some(region);
            self.judge(end, begin..region.trimmed, region.has_host);
            return region.end;
        };
        if begin > region.looked && begin >= region.user && is_worth_a_look(bytes, begin, &region) {
            if let Some(region) = &mut self.regions[end as usize] {
                region.looked = begin;
            }
            self.look(begin..region.trimmed);
        }
        region.end
    }

    /// Visits the host of a text, and tells whether it has one.
    fn look(&mut self, part: Range<usize>) -> bool {
        let text = &self.text.bytes[part.start.min(part.end)..part.end];
        let text = &text[..port_begin(text)];
        if text.is_empty() {
            return false;
        }
        work::count(text.len());
        let mut has_host = false;
        host::visit_host(&String::from_utf8_lossy(text), &mut |host| {
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
        if end == End::Short && has_host && self.text.reading == Reading::WRITTEN {
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

    /// Visits the domains of the addresses that follow `mailto:`.
    fn addresses(&mut self, begin: usize) {
        let bytes = self.text.bytes;
        let length = bytes.len();
        let end = self.address_end.after(begin, length, || {
            let mut marks = bytes[begin..].iter();
            marks.position(|byte| matches!(byte, b'<' | b'>' | b'"' | b'\''))
        });
        // A display name comes before an address in angle brackets. Else they are tags.
        let end = match bytes.get(end) {
            Some(b'<') => self
                .quote
                .after(begin, length, || memchr::memchr(b'"', &bytes[begin..])),
            Some(b'\'') => {
                let rest = &bytes[end..];
                end + memchr::memchr3(b'<', b'>', b'"', rest).unwrap_or(rest.len())
            }
            _ => end,
        };
        let begin = begin.max(self.addressed);
        if begin >= end {
            return;
        }
        self.addressed = end;
        work::count(end - begin);
        let decoded = percent_decode(&bytes[begin..end]).decode_utf8_lossy();
        for domain in decoded.split('@').skip(1) {
            let ends = |character: char| {
                character.is_whitespace()
                    || matches!(
                        character,
                        '"' | '\'' | '<' | '>' | ',' | ';' | '(' | ')' | '?' | '&' | '#' | '/' | '\\'
                    )
            };
            let domain = domain.split(ends).next().unwrap_or(domain);
            host::visit_domain(domain.trim_end_matches('.'), &mut |host| {
                self.findings.host(host);
            });
        }
    }
}

impl Region {
    /// That of the first reading to an end.
    fn new(bytes: &[u8], end: End, begin: usize) -> Self {
        let rest = &bytes[begin..];
        let reading = &rest[..end.find(rest)];
        let trimmed = &reading[..end.trim(reading)];
        let user = memrchr(b'@', trimmed).map_or(0, |at| at + 1);
        let host = &trimmed[user..port_begin(trimmed).max(user)];
        let divided = match host.first() {
            Some(b'[') => None,
            _ => host.iter().rposition(|byte| NEVER.of(*byte)),
        };
        // The labels after a byte that no host has may be the end of one.
        let looked = divided.unwrap_or(0) + user;
        Self {
            end: begin + reading.len(),
            trimmed: begin + trimmed.len(),
            divided: begin + user + divided.map_or(0, |at| at + 1),
            user: begin + user,
            looked: begin + looked,
            has_host: false,
        }
    }
}

/// The bytes that no host has, as the URL standard calls them forbidden. Brackets are not among them, nor what ends a reading.
static NEVER: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, 0..=b' ' | b':' | b'<' | b'>' | b'^' | b'|' | 0x7f));

/// A second start before the same end begins a host of its own only if it is `www.` within a host, or an address of IPv6. Longer
/// than any name it is none, and close to the end alone it is looked at in a form that takes long to read.
fn is_worth_a_look(bytes: &[u8], begin: usize, region: &Region) -> bool {
    const LONGEST: usize = 256;
    const CLOSE: usize = 64;
    let Some(text) = bytes.get(begin..region.trimmed) else {
        return false;
    };
    if text.first() == Some(&b'[') {
        return text.len() <= LONGEST;
    }
    let is_plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
    begin >= region.divided
        && (text.len() <= CLOSE || text.len() <= LONGEST && text.iter().all(is_plain))
}

/// Where the port begins at the end of a text, or the ports: a reader may cut off one after the other.
fn port_begin(text: &[u8]) -> usize {
    let mut end = text.len();
    loop {
        let digits = text[..end]
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        match text[..end - digits].split_last() {
            Some((b':', rest)) => end = rest.len(),
            _ => return end,
        }
    }
}
