//! What looks like a host in one text of soup.
//!
//! A host begins at a *start*: two or more slashes, a scheme, `www.`. Readers disagree where it ends, so a start has a reading
//! for each kind of end. A reading begins after its last `@`. Starts that share an end share one look at it.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

mod ends;
mod region;

use alloc::string::String;
use core::ops::Range;

use percent_encoding::percent_decode;

use super::super::hidden::Clause;
use super::super::host;
use super::super::references::{self, Context};
use super::super::work;
use super::texts::{Next, Reading, Text, has_word};
use super::{Findings, Soup};
use crate::bytes::class::{ByteTable, byte_table};
use ends::End;
use region::{Region, host_length};

/// The bytes at which something begins: a slash, the `:` of a scheme, the full stop of `www.`, an `@`.
static MARKS: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, b'/' | b'\\' | b':' | b'.' | b'@'));

struct Look<'a, 't, 'f, 'v> {
    soup: &'a Soup<'t>,
    text: &'a Text<'a>,
    findings: &'f mut Findings<'v>,
    /// The last region of each end.
    regions: [Option<Region>; End::ALL.len()],
    /// The next change of the text, by kind of end, and for addresses.
    changes: [Next; End::ALL.len()],
    changed_address: Next,
    /// The next gap, for readings and for addresses.
    gap: Next,
    gap_in_address: Next,
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
        changes: [Next::default(); End::ALL.len()],
        changed_address: Next::default(),
        gap: Next::default(),
        gap_in_address: Next::default(),
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
                let long = look.regions[End::Long as usize];
                if let Some(long) = long.filter(|region| at < region.end) {
                    look.reading(End::Short, from, Begin::User(long.change));
                    look.reading(End::Line, from, Begin::User(long.change));
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

/// What a reading begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    Start,
    /// A start which in text begins a link.
    Text,
    /// An `@` in a long reading whose first change is here.
    User(usize),
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
        let long = self.reading(End::Long, begin, Begin::Start);
        for end in End::ALL {
            let kind = match end {
                End::Short if is_text => Begin::Text,
                _ => Begin::Start,
            };
            if end != End::Long && long > begin {
                self.reading(end, begin, kind);
            }
        }
    }

    /// Reads what begins at `begin` up to an end, and gives where that is.
    fn reading(&mut self, end: End, begin: usize, kind: Begin) -> usize {
        let bytes = self.text.bytes;
        if end == End::Line && self.text.gaps.is_empty() {
            return begin;
        }
        let last = self.regions[end as usize];
        let Some(mut region) = last.filter(|region| begin < region.end) else {
            let region = self.first_reading(end, begin, kind, last);
            self.regions[end as usize] = Some(region);
            return region.end;
        };
        if begin < region.user || begin > region.trimmed {
            return region.end;
        }
        if begin > region.host_end {
            // What follows a colon is a port to some, and to others it has a start of its own.
            region = Region::within(bytes, region, begin);
            self.regions[end as usize] = Some(region);
            if region.is_new() {
                region.has_host = self.look(region.looked..region.host_end);
                self.judge(end, begin..region.host_end, region.has_host);
            }
        } else if begin > region.looked
            && region.is_new()
            && is_address(&bytes[begin..region.host_end])
        {
            self.look(begin..region.host_end);
        }
        region.end
    }

    /// The first reading to an end. `last`: the region of the last end of this kind.
    fn first_reading(
        &mut self,
        end: End,
        begin: usize,
        kind: Begin,
        last: Option<Region>,
    ) -> Region {
        let Self { text, .. } = self;
        let gap = (end == End::Line).then(|| {
            self.gap
                .next_of(text.gaps, begin)
                .unwrap_or(text.bytes.len())
        });
        let mut region = Region::new(text, end, begin, gap);
        work::count(region.end - begin);
        // Since the last end of this kind both texts are alike up to a change. The scheme can be before that end.
        let since = begin.saturating_sub(b"https://".len());
        let since = last.map_or(0, |last| last.end.min(since));
        region.change = match text.changes {
            Some(changes) => {
                let next = self.changes[end as usize].next_of(changes, since);
                let next = next.unwrap_or(usize::MAX);
                match kind {
                    Begin::User(change) => next.min(change),
                    Begin::Start | Begin::Text => next,
                }
            }
            None => 0,
        };
        if !region.is_new() {
            return region;
        }
        // Most readings of a start are the same.
        let mut known = self.regions.iter().flatten().filter(|known| {
            known.is_new() && (known.user, known.host_end) == (region.user, region.host_end)
        });
        region.has_host = match known.next() {
            Some(known) => known.has_host,
            None => self.look(region.looked..region.host_end),
        };
        self.judge(end, begin..region.trimmed, region.has_host);
        if kind == Begin::Text {
            self.text_link(begin..region.end, region.looked..region.host_end);
        }
        region
    }

    /// Visits the hosts that a link in text has, but for the one that was looked at.
    fn text_link(&mut self, part: Range<usize>, looked: Range<usize>) {
        let looked = &self.text.bytes[looked];
        let text = String::from_utf8_lossy(&self.text.bytes[part]);
        for authority in host::text_authorities(&text) {
            let host = authority.rsplit('@').next().unwrap_or(authority);
            let host = host.get(..host_length(host.as_bytes())).unwrap_or(host);
            if host.as_bytes() != looked {
                host::visit_host_and_nested(host, &mut |host| self.findings.host(host));
            }
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
        if let Some(changes) = self.text.changes {
            let since = begin.saturating_sub(b"mailto:".len());
            let change = self.changed_address.next_of(changes, since);
            if change.is_none_or(|change| change > end) {
                return;
            }
        }
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
            if is_sign
                && let Some(gap) = self
                    .gap_in_address
                    .next_of(self.text.gaps, at)
                    .filter(|gap| *gap < end)
            {
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

/// Whether a host that begins within another one may be an address of IPv6. One from `www.` on is found with the other one.
fn is_address(text: &[u8]) -> bool {
    // More than any of them has.
    const LONGEST: usize = 256;
    text.first() == Some(&b'[') && text.len() <= LONGEST
}

#[cfg(test)]
mod tests;
