//! The recipients of an httpSendMail call: entries of address lists, and which of them are the same address.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bits::{Bits, Ranked};
use crate::equal::{equal_groups, hash, item, tag};
use crate::text::address::{self, AsciiScan, MAX_ADDRESS_LEN};
use crate::text::unicode;
use crate::wire::json::{Characters, Shape, Value};

/// One entry of an address list, trimmed, by its bytes in the body.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'b> {
    pub(crate) span: Range<usize>,
    pub(crate) text: Cow<'b, str>,
}

impl Entry<'_> {
    pub(crate) fn is_valid(&self) -> bool {
        address::parse(&self.text).is_ok()
    }
}

/// The entries of a list, in order; empty ones are skipped.
#[derive(Clone, Debug)]
pub(crate) struct Entries<'b> {
    raw: &'b [u8],
    /// Where `raw` starts in the body.
    offset: usize,
    is_escaped: bool,
    at: Option<usize>,
}

/// The entries of a text field's value; none of a value that is absent or no text.
pub(crate) fn entries(value: Value, body: &[u8]) -> Entries<'_> {
    let content = value.content();
    match value.shape {
        Shape::Text | Shape::Number => entries_in(body, content, false),
        Shape::Escaped => entries_in(body, content, true),
        _ => entries_in(body, 0..0, false),
    }
}

fn entries_in(body: &[u8], content: Range<usize>, is_escaped: bool) -> Entries<'_> {
    Entries {
        offset: content.start,
        raw: body.get(content).unwrap_or_default(),
        is_escaped,
        at: Some(0),
    }
}

impl<'b> Iterator for Entries<'b> {
    type Item = Entry<'b>;

    fn next(&mut self) -> Option<Entry<'b>> {
        loop {
            let start = self.at?;
            let rest = self.raw.get(start..)?;
            let entry = if self.is_escaped {
                self.escaped(start, rest)
            } else {
                self.plain(start, rest)
            };
            if !entry.text.is_empty() {
                return Some(entry);
            }
        }
    }
}

impl<'b> Entries<'b> {
    /// Goes on behind an entry that ends at this offset of the body; 0 starts at the first.
    pub(crate) fn starting_from(mut self, end: usize) -> Self {
        self.at = Some(end.saturating_sub(self.offset));
        self
    }

    fn plain(&mut self, start: usize, rest: &'b [u8]) -> Entry<'b> {
        let length = memchr::memchr(b',', rest);
        self.at = length.map(|length| start.saturating_add(length).saturating_add(1));
        let text = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
        let text = core::str::from_utf8(text).unwrap_or_default();
        let from_start = text.trim_start();
        let trimmed = unicode::trim(text);
        let start = self
            .offset
            .saturating_add(start)
            .saturating_add(text.len().saturating_sub(from_start.len()));
        Entry {
            span: start..start.saturating_add(trimmed.len()),
            text: Cow::Borrowed(trimmed),
        }
    }

    fn escaped(&mut self, start: usize, rest: &'b [u8]) -> Entry<'b> {
        let mut text = String::new();
        let mut span = 0..0;
        // How much of the text and of the bytes is kept so far: up to the last character that is no white space.
        let mut kept = 0;
        self.at = None;
        for (bytes, character) in Characters::new(rest) {
            if character == ',' {
                self.at = Some(start.saturating_add(bytes.end));
                break;
            }
            // Within a string a quote is escaped: this one ends the list that is read from its middle.
            if character == '"' && bytes.len() == 1 {
                break;
            }
            let is_space = unicode::is_white_space(character);
            if text.is_empty() {
                if is_space {
                    continue;
                }
                span.start = bytes.start;
            }
            text.push(character);
            if !is_space {
                kept = text.len();
                span.end = bytes.end;
            }
        }
        text.truncate(kept);
        let offset = self.offset.saturating_add(start);
        Entry {
            span: offset.saturating_add(span.start)..offset.saturating_add(span.end),
            text: Cow::Owned(text),
        }
    }
}

/// The valid entries of all requests that stand, and which of them are the same address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recipients {
    /// The offset of each entry in the body, request by request, over to, cc and bcc; the high bit marks a repetition
    /// within its request.
    entries: Vec<u32>,
    /// How long each of the first [`MANY`] entries is, and whether it is its own match key.
    sizes: Vec<Size>,
    /// The first entry of each distinct address. None where every entry is one.
    firsts: Option<Ranked>,
    /// How many distinct addresses there are.
    distinct: usize,
    /// For each entry the number of its distinct address. None where that can be counted: where no address is used by
    /// two requests, and repetitions need no number.
    numbers: Vec<u32>,
    /// Repetitions within a request.
    repeated: u32,
}

const REPEATED: u32 = 1 << 31;

/// As many entries keep their sizes, which makes them quick to compare and to read again. A call of more is made to
/// cost: there memory counts.
const MANY: usize = if cfg!(test) { 64 } else { 1 << 20 };

/// So often on average an entry is compared with others before they are sorted instead.
const MOST_COMPARED: usize = 16;

/// So many entries are compared at once; more by ranges of their hashes.
const RANGE: usize = MANY / 4;

/// Into so many ranges hashes are divided at most: each costs a look at all hashes.
const RANGES: usize = 64;

/// Collects entries; [`Collector::finish`] finds the equal ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    entries: Vec<u32>,
    sizes: Vec<Size>,
    /// The hash of each entry's match key.
    hashes: Vec<u32>,
}

/// How an entry lies in the body: enough to read it again without looking for its end. Two bits for what is known of it,
/// six for the length of its local part less one, eight for its own; or fourteen for that, when nothing is known. 0 is an
/// entry that has escapes or is very long.
#[derive(Clone, Copy, Debug, Default)]
struct Size(u16);

impl Size {
    /// The bytes are the match key.
    const KEY: u16 = 1 << 14;
    /// The match key is the bytes in ASCII lower case; the domain is in lower case.
    const LOWER: u16 = 2 << 14;
    /// The same, with a domain that is not.
    const LOWER_DOMAIN: u16 = 3 << 14;

    /// Of an entry without escapes of which nothing else is known.
    fn new(length: usize) -> Self {
        let length = u16::try_from(length).unwrap_or(Self::KEY);
        Self(if length < Self::KEY { length } else { 0 })
    }

    /// Of an entry that was found valid in one pass.
    fn scanned(scan: AsciiScan) -> Self {
        let at = u16::try_from(scan.at.saturating_sub(1)).unwrap_or(u16::MAX);
        let length = u16::try_from(scan.len).unwrap_or(u16::MAX);
        if at >= 1 << 6 || length >= 1 << 8 {
            return Self::new(scan.len);
        }
        let kind = match (scan.upper_local_part, scan.upper_domain) {
            (false, false) => Self::KEY,
            (true, false) => Self::LOWER,
            (_, true) => Self::LOWER_DOMAIN,
        };
        Self(kind | at << 8 | length)
    }

    fn kind(self) -> u16 {
        self.0 & Self::LOWER_DOMAIN
    }

    fn length(self) -> Option<usize> {
        let length = if self.kind() == 0 {
            self.0
        } else {
            self.0 & 0xFF
        };
        (length > 0).then_some(usize::from(length))
    }

    /// Where the domain of the entry at `offset` stands, and whether it has upper-case letters.
    fn domain(self, offset: usize) -> Option<(Range<usize>, bool)> {
        if self.kind() == 0 {
            return None;
        }
        let at = usize::from(self.0 >> 8 & 0x3F).saturating_add(1);
        let start = offset.saturating_add(at).saturating_add(1);
        let end = offset.saturating_add(usize::from(self.0 & 0xFF));
        Some((start..end, self.kind() == Self::LOWER_DOMAIN))
    }
}

/// The domain of a valid entry.
pub(crate) enum EntryDomain<'b> {
    /// It stands here, in ASCII.
    At { span: Range<usize>, is_upper: bool },
    /// It has to be read from the entry.
    Of(Entry<'b>),
}

impl Collector {
    /// How many entries there are: the end of a request's range.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Adds an entry that was found valid in one pass.
    #[inline]
    pub(crate) fn push_scanned(&mut self, offset: usize, text: &[u8], scan: AsciiScan) {
        let size = Size::scanned(scan);
        if scan.is_match_key() {
            self.push_sized(offset, size, text);
            return;
        }
        let mut lower = [0; MAX_ADDRESS_LEN];
        if let Some(lower) = lower.get_mut(..text.len()) {
            lower.copy_from_slice(text);
            lower.make_ascii_lowercase();
            self.push_sized(offset, size, lower);
        }
    }

    /// Adds a valid entry with its match key. `length` is that of the entry, when it has no escapes.
    pub(crate) fn push(&mut self, offset: usize, length: Option<usize>, key: &[u8]) {
        self.push_sized(offset, length.map_or(Size(0), Size::new), key);
    }

    #[inline]
    fn push_sized(&mut self, offset: usize, size: Size, key: &[u8]) {
        if self.entries.len() < MANY {
            self.sizes.push(size);
        } else if self.entries.len() == self.entries.capacity() {
            // Doubling would cost more than the entries.
            let more = self.entries.len() / 16;
            self.entries.reserve_exact(more);
            self.hashes.reserve_exact(more);
        }
        self.hashes.push(hash(key));
        self.entries.push(u32::try_from(offset).unwrap_or(u32::MAX));
    }

    /// Takes back all entries from `len` on.
    pub(crate) fn truncate(&mut self, len: u32) {
        self.entries.truncate(len as usize);
        self.sizes.truncate(len as usize);
        self.hashes.truncate(len as usize);
    }

    /// The domains of the entries from `start` on.
    pub(crate) fn domains_from<'b>(
        &self,
        start: u32,
        body: &'b [u8],
    ) -> impl Iterator<Item = EntryDomain<'b>> {
        (start..).map_while(move |entry| {
            let offset = *self.entries.get(entry as usize)? as usize;
            let size = self.sizes.get(entry as usize).copied().unwrap_or_default();
            Some(match size.domain(offset) {
                Some((span, is_upper)) => EntryDomain::At { span, is_upper },
                None => EntryDomain::Of(sized_entry(body, offset, size)),
            })
        })
    }

    /// `ends` are the ends of the requests' ranges of entries, ascending. `numbers_all`: repetitions, too, need the
    /// number of their address.
    pub(crate) fn finish(self, body: &[u8], ends: &[u32], numbers_all: bool) -> Recipients {
        let Self {
            mut entries,
            sizes,
            hashes,
        } = self;
        let key = |entry: u32| {
            let offset = entries.get(entry as usize).copied().unwrap_or_default();
            let size = sizes.get(entry as usize).copied().unwrap_or_default();
            key_of(body, offset as usize, size)
        };
        let mut equal = Equal::new(hashes, ends, numbers_all);
        equal.judge_all(key);
        let Equal {
            repeats,
            mut numbers,
            repeated,
            again,
            ..
        } = equal;
        let count = entries.len();
        let others = (repeated as usize).saturating_add(again);
        let distinct = count.saturating_sub(others);
        entries.shrink_to_fit();
        if again == 0 && !(numbers_all && repeated > 0) {
            numbers = Vec::new();
        }
        if others == 0 {
            return Recipients {
                entries,
                sizes,
                distinct,
                ..Recipients::default()
            };
        }
        let mut firsts = Bits::below(count);
        let mut next = 0_u32;
        for (entry, offset) in (0_u32..).zip(&mut entries) {
            let is_repeat = repeats.contains(entry);
            if is_repeat {
                *offset |= REPEATED;
            }
            let first = numbers.get(entry as usize).copied();
            let number = match first.filter(|first| *first != Equal::NONE) {
                Some(first) => numbers.get(first as usize).copied(),
                None if is_repeat => None,
                None => {
                    firsts.insert(entry);
                    next = next.saturating_add(1);
                    Some(next.saturating_sub(1))
                }
            };
            if let (Some(slot), Some(number)) = (numbers.get_mut(entry as usize), number) {
                *slot = number;
            }
        }
        Recipients {
            entries,
            sizes,
            firsts: Some(Ranked::new(firsts)),
            distinct,
            numbers,
            repeated,
        }
    }
}

/// Which entries are equal to an earlier one, as it is found out.
struct Equal<'e> {
    /// Equal to an earlier entry of the same request.
    repeats: Bits,
    /// At first the hash of each entry. Once it was judged, [`Equal::NONE`]; but for an entry that is equal to an
    /// earlier one of another request, and if all are numbered for every repetition: the first equal entry.
    numbers: Vec<u32>,
    /// How many there are of either.
    repeated: u32,
    again: usize,
    ends: &'e [u32],
    numbers_all: bool,
}

impl<'e> Equal<'e> {
    const NONE: u32 = u32::MAX;

    fn new(hashes: Vec<u32>, ends: &'e [u32], numbers_all: bool) -> Self {
        Self {
            repeats: Bits::below(hashes.len()),
            numbers: hashes,
            repeated: 0,
            again: 0,
            ends,
            numbers_all,
        }
    }

    fn request_of(&self, entry: u32) -> usize {
        self.ends.partition_point(|end| *end <= entry)
    }

    /// Judges all entries.
    fn judge_all<'b>(&mut self, key: impl Fn(u32) -> Cow<'b, str>) {
        let count = self.numbers.len();
        if count > MANY {
            self.judge_many(key);
        } else if !self.judge_by_table(&key) {
            let mut tags: Vec<u64> = (0..)
                .zip(&mut self.numbers)
                .map(|(entry, slot)| tag(core::mem::replace(slot, Self::NONE), entry))
                .collect();
            self.judge(&mut tags, key, 0, None);
        }
    }

    /// Judges all entries by a table of their hashes. Whoever chooses the addresses can choose such that share their
    /// hash, so it gives up when too much was compared, and leaves everything as it was.
    fn judge_by_table<'b>(&mut self, key: &impl Fn(u32) -> Cow<'b, str>) -> bool {
        let count = self.numbers.len();
        let mask = count
            .saturating_mul(2)
            .next_power_of_two()
            .saturating_sub(1);
        // The hash and the last entry of each address, less one: 0 is a free place.
        let mut table = vec![0_u64; mask.saturating_add(1)];
        let mut left = count.saturating_mul(MOST_COMPARED).saturating_add(64);
        for entry in 0..u32::try_from(count).unwrap_or(u32::MAX) {
            let Some(slot) = self.numbers.get_mut(entry as usize) else {
                break;
            };
            let hash = core::mem::replace(slot, Self::NONE);
            let mut place = hash as usize & mask;
            loop {
                left = left.saturating_sub(1);
                if left == 0 {
                    self.take_back(key);
                    return false;
                }
                let Some(there) = table.get_mut(place) else {
                    break;
                };
                let last = item(*there).wrapping_sub(1);
                if *there == 0 {
                    *there = tag(hash, entry.saturating_add(1));
                    break;
                }
                if *there >> 32 == u64::from(hash) && key(last) == key(entry) {
                    *there = tag(hash, entry.saturating_add(1));
                    let first = self.numbers.get(last as usize).copied();
                    let first = first.filter(|first| *first != Self::NONE).unwrap_or(last);
                    let is_repeat = self.request_of(last) == self.request_of(entry);
                    self.found(entry, first, is_repeat);
                    if let Some(number) = self.numbers.get_mut(entry as usize) {
                        *number = first;
                    }
                    break;
                }
                place = place.saturating_add(1) & mask;
            }
        }
        true
    }

    /// Undoes what was judged.
    fn take_back<'b>(&mut self, key: &impl Fn(u32) -> Cow<'b, str>) {
        for (entry, slot) in (0..).zip(&mut self.numbers) {
            *slot = hash(key(entry).as_bytes());
        }
        self.repeats = Bits::below(self.numbers.len());
        self.repeated = 0;
        self.again = 0;
    }

    /// Judges the entries from `judged` on; those before were judged before, with the same firsts. Notes the entries
    /// that are neither the first nor the last of their address.
    fn judge<'b>(
        &mut self,
        tags: &mut [u64],
        key: impl Fn(u32) -> Cow<'b, str>,
        judged: u32,
        mut between: Option<&mut Bits>,
    ) {
        equal_groups(tags, key, |group| {
            let first = group.first().copied().map(item).unwrap_or_default();
            let mut before = self.request_of(first);
            if let (Some(between), [_, middle @ .., _]) = (between.as_deref_mut(), group) {
                for entry in middle {
                    between.insert(item(*entry));
                }
            }
            for entry in group.iter().skip(1).copied().map(item) {
                let request = self.request_of(entry);
                if entry >= judged {
                    self.found(entry, first, request == before);
                }
                before = request;
            }
        });
    }

    fn found(&mut self, entry: u32, first: u32, is_repeat: bool) {
        if is_repeat {
            self.repeats.insert(entry);
            self.repeated = self.repeated.saturating_add(1);
        } else {
            self.again = self.again.saturating_add(1);
        }
        if is_repeat && !self.numbers_all {
            return;
        }
        if let Some(number) = self.numbers.get_mut(entry as usize) {
            *number = first;
        }
    }

    /// Judges all entries by ranges of hashes; of each address that stands often only the first and the last entry are
    /// kept meanwhile.
    fn judge_many<'b>(&mut self, key: impl Fn(u32) -> Cow<'b, str>) {
        let count = self.numbers.len();
        let ranges = (count / RANGE).saturating_add(1).min(RANGES) as u64;
        let mut taken = Bits::below(count);
        let mut between = Bits::below(count);
        let mut tags: Vec<u64> = Vec::new();
        for range in 0..ranges {
            tags.clear();
            let mut limit = RANGE.saturating_mul(2);
            let mut judged = 0;
            for entry in 0..u32::try_from(count).unwrap_or(u32::MAX) {
                let Some(slot) = self.numbers.get_mut(entry as usize) else {
                    break;
                };
                let hash = *slot;
                if (u64::from(hash) * ranges) >> 32 != range || taken.contains(entry) {
                    continue;
                }
                taken.insert(entry);
                *slot = Self::NONE;
                if tags.len() >= limit {
                    self.judge(&mut tags, &key, judged, Some(&mut between));
                    tags.retain(|tag| !between.contains(item(*tag)));
                    judged = entry;
                    limit = limit.max(tags.len().saturating_mul(2));
                }
                if tags.len() == tags.capacity() {
                    tags.reserve_exact((tags.len() / 4).max(RANGE / 4));
                }
                tags.push(tag(hash, entry));
            }
            self.judge(&mut tags, &key, judged, None);
        }
    }
}

fn sized_entry(body: &[u8], offset: usize, size: Size) -> Entry<'_> {
    let Some(length) = size.length() else {
        return entry_at(body, offset);
    };
    let span = offset..offset.saturating_add(length);
    let text = body
        .get(span.clone())
        .and_then(|text| core::str::from_utf8(text).ok());
    Entry {
        span,
        text: Cow::Borrowed(text.unwrap_or_default()),
    }
}

fn key_of(body: &[u8], offset: usize, size: Size) -> Cow<'_, str> {
    key_of_text(sized_entry(body, offset, size).text, size)
}

fn key_of_text(text: Cow<'_, str>, size: Size) -> Cow<'_, str> {
    match (text, size.kind()) {
        (text, Size::KEY) => text,
        (text, Size::LOWER | Size::LOWER_DOMAIN) => Cow::Owned(text.to_ascii_lowercase()),
        (Cow::Borrowed(text), _) => address::parse(text)
            .map(|address| address.match_key())
            .unwrap_or_default(),
        (Cow::Owned(text), _) => Cow::Owned(
            address::parse(&text)
                .map(|address| address.match_key().into_owned())
                .unwrap_or_default(),
        ),
    }
}

/// The entry that starts at `offset`: up to a comma, or to the string's closing quote.
fn entry_at(body: &[u8], offset: usize) -> Entry<'_> {
    let rest = body.get(offset..).unwrap_or_default();
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b',' | b'"' | b'\\'));
    let is_escaped = end.and_then(|end| rest.get(end)) == Some(&b'\\');
    let end = match end {
        // An entry with escapes ends itself: where the string ends, nobody needs to know.
        Some(end) if !is_escaped => end,
        _ => rest.len(),
    };
    let found = entries_in(body, offset..offset.saturating_add(end), is_escaped).next();
    found.unwrap_or(Entry {
        span: offset..offset,
        text: Cow::Borrowed(""),
    })
}

/// Reads entries from the body. What lies between some of them is checked to be UTF-8 at once, which costs less than one
/// check for each.
#[derive(Clone)]
pub(crate) struct Reader<'r> {
    recipients: &'r Recipients,
    body: &'r [u8],
    /// Bytes of the body that were checked, and where they start.
    text: &'r str,
    start: usize,
}

/// As many entries are checked together, if they lie close.
const TOGETHER: u32 = 32;
const CLOSE: usize = 4096;

impl<'r> Reader<'r> {
    /// The text of an entry, when it is known where it ends.
    #[inline]
    pub(crate) fn text(&mut self, entry: u32) -> Option<&'r str> {
        let length = self.recipients.size(entry).length()?;
        let offset = self.recipients.offset(entry);
        if let Some(text) = self.known(offset, length) {
            return Some(text);
        }
        let last = entry
            .saturating_add(TOGETHER)
            .min(self.recipients.count().saturating_sub(1));
        let far = self.recipients.size(last).length();
        let far = far.map_or(0, |length| {
            self.recipients.offset(last).saturating_add(length)
        });
        let end = offset.saturating_add(length);
        let end = if far.saturating_sub(offset) <= CLOSE {
            far.max(end)
        } else {
            end
        };
        self.start = offset;
        self.text = core::str::from_utf8(self.body.get(offset..end)?).ok()?;
        self.known(offset, length)
    }

    #[inline]
    fn known(&self, offset: usize, length: usize) -> Option<&'r str> {
        let from = offset.checked_sub(self.start)?;
        self.text.get(from..from.saturating_add(length))
    }

    /// The match key of an entry.
    #[inline]
    pub(crate) fn key(&mut self, entry: u32) -> Cow<'r, str> {
        let size = self.recipients.size(entry);
        match self.text(entry) {
            Some(text) if size.kind() == Size::KEY => Cow::Borrowed(text),
            Some(text) => key_of_text(Cow::Borrowed(text), size),
            None => key_of(self.body, self.recipients.offset(entry), size),
        }
    }
}

/// A recipient that gets an email: its place, and which distinct address it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub(crate) entry: u32,
    pub(crate) distinct: u32,
}

impl Recipients {
    /// Nobody.
    pub(crate) const NONE: Self = Self {
        entries: Vec::new(),
        sizes: Vec::new(),
        firsts: None,
        distinct: 0,
        numbers: Vec::new(),
        repeated: 0,
    };

    /// How many distinct addresses the call uses.
    pub(crate) fn distinct_count(&self) -> usize {
        self.distinct
    }

    /// How many emails the requests send together.
    pub(crate) fn email_count(&self) -> u64 {
        (self.entries.len() as u64).saturating_sub(u64::from(self.repeated))
    }

    /// The entry at which the distinct address first stands.
    pub(crate) fn first_entry(&self, distinct: u32) -> u32 {
        match &self.firsts {
            Some(firsts) => firsts.select(distinct),
            None => distinct,
        }
    }

    /// The entry at which each distinct address first stands, in order.
    pub(crate) fn first_entries(&self) -> impl Iterator<Item = u32> + Clone {
        let all = match self.firsts {
            Some(_) => 0,
            None => self.count(),
        };
        let some = self.firsts.iter().flat_map(Ranked::iter);
        (0..all).chain(some)
    }

    /// For reading entries in their order.
    pub(crate) fn reader<'r>(&'r self, body: &'r [u8]) -> Reader<'r> {
        Reader {
            recipients: self,
            body,
            start: 0,
            text: "",
        }
    }

    /// The offset of an entry's first byte.
    pub(crate) fn offset(&self, entry: u32) -> usize {
        (self
            .entries
            .get(entry as usize)
            .copied()
            .unwrap_or_default()
            & !REPEATED) as usize
    }

    fn size(&self, entry: u32) -> Size {
        self.sizes.get(entry as usize).copied().unwrap_or_default()
    }

    /// An entry, read from the body.
    pub(crate) fn entry<'b>(&self, body: &'b [u8], entry: u32) -> Entry<'b> {
        sized_entry(body, self.offset(entry), self.size(entry))
    }

    /// The match key of a distinct address.
    pub(crate) fn key<'b>(&self, body: &'b [u8], distinct: u32) -> Cow<'b, str> {
        let entry = self.first_entry(distinct);
        key_of(body, self.offset(entry), self.size(entry))
    }

    /// The number of a repetition's address, when repetitions have one.
    pub(crate) fn number(&self, entry: u32) -> Option<u32> {
        self.numbers.get(entry as usize).copied()
    }

    /// How many entries there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// The recipients of a request that get an email, in order of to, cc and bcc.
    pub(crate) fn kept(&self, request: Range<u32>) -> impl Iterator<Item = Kept> + Clone {
        let mut next_distinct = match &self.firsts {
            Some(firsts) => firsts.rank(request.start),
            None => request.start,
        };
        let entries = self
            .entries
            .get(request.start as usize..request.end as usize)
            .unwrap_or_default();
        (request.start..)
            .zip(entries)
            .filter(|(_, offset)| *offset & REPEATED == 0)
            .map(move |(entry, _)| {
                if let Some(distinct) = self.number(entry) {
                    return Kept { entry, distinct };
                }
                // Nothing is numbered: all that are no repetitions are distinct.
                let distinct = next_distinct;
                next_distinct = next_distinct.saturating_add(1);
                Kept { entry, distinct }
            })
    }

    /// The entries of a request that repeat an earlier one of it.
    pub(crate) fn repeated(&self, request: Range<u32>) -> impl Iterator<Item = u32> + Clone {
        let entries = self
            .entries
            .get(request.start as usize..request.end as usize)
            .unwrap_or_default();
        (request.start..)
            .zip(entries)
            .filter(|(_, offset)| *offset & REPEATED != 0)
            .map(|(entry, _)| entry)
    }
}

#[cfg(test)]
mod tests;
