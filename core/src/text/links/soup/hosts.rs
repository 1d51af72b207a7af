//! The search for everything that looks like a host in one text of soup.
//!
//! A host begins at a *start*: two or more slashes, a scheme, `www.`. Readers disagree where it ends, so a start has a
//! reading for each kind of end. The host of a reading begins after the last `@` in it. Of the starts without slashes that
//! share an end, the first and the last count: otherwise `www.a!www.a!` and so on would be many long hosts, each inside
//! another.

mod addresses;
mod ends;
mod region;
mod visit;

use core::ops::Range;

use super::super::hidden::Clause;
use super::super::host::{Looked, Shared};
use super::super::span::{ends_word, slashes_end};
use super::super::work;
use super::find::Next;
use super::texts::Text;
use super::{Findings, Soup};
use crate::bytes::class::{ByteTable, byte_table};
use ends::{End, Ends};
use region::Region;
use visit::is_www_alone;

/// The bytes at which something begins: a slash, the `:` of a scheme, the full stop of `www.`, an `@`.
static MARKS: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, b'/' | b'\\' | b':' | b'.' | b'@'));

/// The length of the longest scheme with two slashes.
const LONGEST_SCHEME: usize = b"https://".len();

/// The state of the search in one text.
struct HostSearch<'a, 't, 'f, 'v> {
    soup: &'a Soup<'t>,
    text: &'a Text<'a>,
    /// Whether there is an `@` in the text. Most texts have none, and then no reading is searched for it.
    has_user: bool,
    findings: &'f mut Findings<'v>,
    /// The kinds of ends that readings have in this text.
    ends: Ends,
    /// The last region of each end.
    regions: [Option<Region>; End::ALL.len()],
    /// The last hosts that share an end, by kind of end.
    shared: [Shared; End::ALL.len()],
    looked: Looked,
    /// The next change of the text, by kind of end. `changed_address` is the next change for addresses.
    changes: [Next; End::ALL.len()],
    changed_address: Next,
    /// The next change of the text. Up to it, the text is the same as the text from which it was made.
    change: Next,
    /// The last change before which a part was skipped, because both texts have it.
    passed_change: Option<usize>,
    /// The end of the part that was skipped. No reading after it has a change before it.
    alike_to: usize,
    /// The next gap, for readings. `gap_in_address` is the next gap for addresses.
    gap: Next,
    gap_in_address: Next,
    /// The next reference that is one in text but not in an attribute.
    open_reference: Next,
    /// The position of the last start.
    started: usize,
    /// The end of the addresses that were read.
    addressed: usize,
}

/// Visits everything in the text that looks like a host.
pub(super) fn read(soup: &Soup<'_>, text: &Text<'_>, findings: &mut Findings<'_>) {
    let bytes = text.bytes;
    let mut ends = match text.is_apart {
        true => Ends::OF_VALUE,
        false => Ends::OF_TEXT,
    };
    if text.gaps.is_empty() {
        ends = ends.without(Ends::AT_GAP);
    }
    let mut search = HostSearch {
        soup,
        text,
        has_user: memchr::memchr(b'@', bytes).is_some(),
        findings,
        ends,
        regions: [None; End::ALL.len()],
        shared: [Shared::default(); End::ALL.len()],
        looked: Looked::default(),
        changes: [Next::default(); End::ALL.len()],
        changed_address: Next::default(),
        change: Next::default(),
        passed_change: None,
        alike_to: 0,
        gap: Next::default(),
        gap_in_address: Next::default(),
        open_reference: Next::default(),
        started: usize::MAX,
        addressed: 0,
    };
    let mut from = 0;
    while !search.findings.budget.is_used_up {
        from = search.past_what_is_alike(from);
        let Some(found) = bytes[from..].iter().position(|byte| MARKS.of(*byte)) else {
            break;
        };
        let at = from + found;
        from = at + 1;
        match bytes[at] {
            b':' => match Scheme::before(bytes, at) {
                Some(Scheme::Mail) => search.addresses(from),
                Some(scheme) => {
                    from = slashes_end(bytes, from);
                    let slashes = &bytes[at + 1..from];
                    let is_text = scheme == Scheme::Text && *slashes == *b"//";
                    search.start(from, is_text, !slashes.is_empty());
                }
                None => {}
            },
            b'.' => {
                if ends_word(bytes, at, b"www") {
                    search.start(at - 3, true, false);
                }
            }
            b'@' => {
                let long = search.regions[End::Long as usize];
                if let Some(long) = long.filter(|region| at < region.end) {
                    let kind = Begin::User(long.change);
                    search.readings(from, kind, Ends::OF_USER);
                }
            }
            _ => {
                from = slashes_end(bytes, at);
                if from > at + 1 {
                    search.start(from, false, true);
                }
            }
        }
    }
    for end in End::ALL {
        search.last_shared(end);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scheme {
    /// Its URLs have hosts.
    Host,
    /// Its URLs have hosts, and mail readers make links of them in text.
    Text,
    /// `mailto`
    Mail,
}

/// The beginning of a reading.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// Slashes, with a scheme or without.
    Slashes,
    /// `www.`, or a scheme without slashes. It can be inside another reading.
    Word,
    /// An `@` in a long reading, whose first change is at this position.
    User(usize),
}

impl Scheme {
    /// The scheme whose `:` is at `at`.
    fn before(text: &[u8], at: usize) -> Option<Self> {
        let is = |word: &[u8]| ends_word(text, at, word);
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

/// The bytes at which every reading ends.
static DELIMITERS: ByteTable<bool> = byte_table!(|byte| matches!(byte, b'/' | b'\\' | b'?' | b'#'));

impl HostSearch<'_, '_, '_, '_> {
    /// The position from which to go on instead of `from`, in a text that was made from another one. Up to the next change
    /// both texts are the same, and this part was read in the other one. It is skipped up to its last delimiter, because a
    /// delimiter ends every reading that begins before it.
    fn past_what_is_alike(&mut self, from: usize) -> usize {
        let Self { text, .. } = self;
        let bytes = text.bytes;
        let long = self.regions[End::Long as usize];
        let Some(changes) = text
            .changes
            .filter(|_| long.is_none_or(|long| long.end <= from))
        else {
            return from;
        };
        // In the other text a start can be at the last change, and share its end with starts up to the next delimiter. Then
        // others of these starts count there than here.
        if from > 0 && !DELIMITERS.of(bytes[from - 1]) {
            return from;
        }
        // A change can be in the scheme, before its colon.
        let since = from.saturating_sub(LONGEST_SCHEME);
        let change = self.change.next_of(changes, since);
        let change = change.unwrap_or(bytes.len());
        if self.passed_change == Some(change) {
            return from;
        }
        self.passed_change = Some(change);
        let Some(last) = bytes[..change]
            .get(from..)
            .and_then(|alike| alike.iter().rposition(|byte| DELIMITERS.of(*byte)))
        else {
            return from;
        };
        // The start to which the delimiter belongs is not skipped: slashes, and a scheme before them.
        let slashes = bytes[..=from + last].iter().rev();
        let slashes = slashes.take_while(|byte| matches!(byte, b'/' | b'\\'));
        let begin = from + last + 1 - slashes.count();
        let to = begin.saturating_sub(LONGEST_SCHEME).max(from);
        // The addresses of a `mailto:` do not end at a delimiter.
        for colon in memchr::memchr_iter(b':', &bytes[from..to]) {
            let colon = from + colon;
            if Scheme::before(bytes, colon) == Some(Scheme::Mail) {
                self.addresses(colon + 1);
            }
        }
        self.alike_to = to;
        to
    }

    /// Reads what begins after a start, up to each kind of end. `is_text` says that mail readers would make a link of it in
    /// text.
    fn start(&mut self, begin: usize, is_text: bool, has_slashes: bool) {
        if matches!(
            self.text.bytes.get(begin),
            None | Some(b'/' | b'\\' | b'?' | b'#')
        ) {
            return;
        }
        // `https://www.` counts as one start.
        if self.started != begin {
            self.started = begin;
            let Self { soup, text, .. } = self;
            if !self.findings.start(|| soup.written(text, begin..begin + 1)) {
                return;
            }
        }
        let kind = match has_slashes {
            true => Begin::Slashes,
            false => Begin::Word,
        };
        let ends = match is_text {
            true => Ends::OF_TEXT,
            false => Ends::OF_HTML,
        };
        self.readings(begin, kind, ends);
    }

    /// Reads what begins at `begin` up to each of these kinds of ends.
    fn readings(&mut self, begin: usize, kind: Begin, kinds: Ends) {
        let kinds = kinds.and(self.ends);
        let mut new = Ends::default();
        for end in End::ALL {
            let region = &self.regions[end as usize];
            if kinds.contains(end) && region.is_none_or(|region| begin >= region.end) {
                new.insert(end);
            }
        }
        if kind != Begin::Word && new.is_empty() {
            return;
        }
        let ends = self.find_ends(new, begin);
        for end in End::ALL {
            let last = self.regions[end as usize];
            if new.contains(end) {
                let stop = begin + ends[end as usize];
                self.first_reading(end, begin..stop, kind, last);
            } else if kind == Begin::Word
                && kinds.contains(end)
                && let Some(region) = last.filter(|region| !region.is_known)
            {
                self.word(end, begin, &region);
            }
        }
    }

    /// The lengths of the readings of these kinds that begin at `begin`.
    fn find_ends(&mut self, kinds: Ends, begin: usize) -> [usize; End::ALL.len()] {
        let Self { text, gap, .. } = self;
        let rest = &text.bytes[begin..];
        let at_gap = kinds.and(Ends::AT_GAP);
        let mut ends = End::find(kinds.without(at_gap), rest, rest.len());
        if !at_gap.is_empty() {
            // A line break before the reading does not end it. The search for these ends stops at the next gap: beyond it,
            // every reading would search the same text again.
            let gap = gap.next_of(text.gaps, begin + 1);
            let limit = gap.map_or(rest.len(), |gap| gap - begin);
            let found = End::find(at_gap, rest, limit);
            for end in [End::Line, End::WordLine] {
                ends[end as usize] = found[end as usize];
            }
        }
        ends
    }

    /// Reads the first reading up to a new end. `last` is the region of the last end of this kind.
    fn first_reading(
        &mut self,
        end: End,
        reading: Range<usize>,
        kind: Begin,
        last: Option<Region>,
    ) {
        let Self { text, has_user, .. } = self;
        let begin = reading.start;
        let mut region = Region::new(text, *has_user, end, reading);
        work::count(region.end - begin);
        // From the last end of this kind on, both texts are the same up to the next change. The scheme can be before that end.
        let since = begin.saturating_sub(LONGEST_SCHEME);
        let since = last
            .map_or(0, |last| last.end.min(since))
            .max(self.alike_to);
        if let Some(changes) = text.changes {
            let next = self.changes[end as usize].next_of(changes, since);
            let next = next.unwrap_or(usize::MAX);
            region.change = match kind {
                Begin::User(change) => next.min(change),
                Begin::Slashes | Begin::Word => next,
            };
        }
        let mut before = self.regions[end.before()].iter().flatten();
        region.is_known = before.any(|known| known.is_like(&region));
        self.regions[end as usize] = Some(region);
        if !region.is_new() {
            return;
        }
        let bytes = text.bytes;
        let is_unsure = self.soup.is_inner && !self.soup.is_utf8;
        // The long reading is not judged here. So a reading of another kind is judged even if its hosts are known from the
        // long one.
        let is_judged = end != End::Long && !end.is_of_text();
        let text = &bytes[begin..region.trimmed];
        if is_unsure && is_judged && !self.text.together(text).is_ascii() {
            self.open(Clause::Charset, begin..region.trimmed);
        }
        if region.is_known {
            return;
        }
        if kind == Begin::Word && region.user == begin {
            self.word(end, begin, &region);
        } else {
            self.visit_host(end, region.user, begin..region.trimmed);
        }
    }

    /// Reads a host that begins without a slash in a region. Of the hosts that share an end, the first and the last count.
    fn word(&mut self, end: End, begin: usize, region: &Region) {
        if !region.is_new() || begin < region.user || begin >= region.trimmed {
            return;
        }
        let text = &self.text.bytes[begin..region.trimmed];
        if end.loses_punctuation() && is_www_alone(text) {
            return;
        }
        if self.shared[end as usize].add(begin) {
            return;
        }
        self.last_shared(end);
        let reading = begin..region.trimmed;
        self.shared[end as usize] = Shared::new(self.text.bytes, reading.clone());
        self.visit_host(end, begin, reading);
    }

    /// Reads the last of the hosts that share an end.
    fn last_shared(&mut self, end: End) {
        if let Some(last) = self.shared[end as usize].last() {
            self.visit_host(end, last.start, last);
        }
    }
}

#[cfg(test)]
mod tests;
