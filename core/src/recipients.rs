//! The recipients of an httpSendMail call: entries of address lists, and which of them are the same address.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::equal::{equal_groups, hash, item, tag};
use crate::text::{address, unicode};
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

    /// The match key of a valid entry.
    pub(crate) fn key(&self) -> String {
        address::parse(&self.text)
            .map(|address| address.match_key().into_owned())
            .unwrap_or_default()
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
    /// How long each entry is, and whether it is its own match key.
    sizes: Vec<Size>,
    /// The first entry of each distinct address.
    distinct: Vec<u32>,
    /// For an entry whose address was used by an earlier request: the number of that distinct address.
    again: Vec<(u32, u32)>,
    /// Repetitions within a request.
    repeated: u32,
}

const REPEATED: u32 = 1 << 31;

/// Collects entries; [`Collector::finish`] finds the equal ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    entries: Vec<u32>,
    sizes: Vec<Size>,
    tags: Vec<u64>,
}

/// The length of an entry in bytes, with a bit that says that the bytes are the match key; or nothing, for an entry
/// that has escapes or is very long, and is read again when it is wanted.
#[derive(Clone, Copy, Debug, Default)]
struct Size(u16);

impl Size {
    const IS_KEY: u16 = 1 << 15;

    fn new(length: usize, is_key: bool) -> Self {
        match u16::try_from(length) {
            Ok(length) if length < Self::IS_KEY => Self(if is_key {
                length | Self::IS_KEY
            } else {
                length
            }),
            _ => Self(0),
        }
    }

    fn length(self) -> Option<usize> {
        let length = self.0 & !Self::IS_KEY;
        (length > 0).then_some(usize::from(length))
    }

    fn is_key(self) -> bool {
        self.0 & Self::IS_KEY != 0
    }
}

impl Collector {
    /// How many entries there are: the end of a request's range.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.entries.len()).unwrap_or(u32::MAX)
    }

    /// Adds a valid entry that is its own match key.
    #[inline]
    pub(crate) fn push_key(&mut self, offset: usize, key: &[u8]) {
        self.push_sized(offset, Size::new(key.len(), true), key);
    }

    /// Adds a valid entry with its match key. `length` is that of the entry, when it has no escapes.
    pub(crate) fn push(&mut self, offset: usize, length: Option<usize>, key: &[u8]) {
        self.push_sized(
            offset,
            length.map_or(Size(0), |length| Size::new(length, false)),
            key,
        );
    }

    #[inline]
    fn push_sized(&mut self, offset: usize, size: Size, key: &[u8]) {
        self.tags.push(tag(hash(key), self.len()));
        self.entries.push(u32::try_from(offset).unwrap_or(u32::MAX));
        self.sizes.push(size);
    }

    /// Takes back all entries from `len` on.
    pub(crate) fn truncate(&mut self, len: u32) {
        self.entries.truncate(len as usize);
        self.sizes.truncate(len as usize);
        self.tags.truncate(len as usize);
    }

    /// `requests` are the ends of the requests' ranges of entries, ascending.
    pub(crate) fn finish(self, body: &[u8], ends: &[u32]) -> Recipients {
        let Self {
            mut entries,
            sizes,
            mut tags,
        } = self;
        let mut repeated = 0_u32;
        let mut again: Vec<(u32, u32)> = Vec::new();
        if entries.len() > 1 {
            let request_of = |entry: u32| ends.partition_point(|end| *end <= entry);
            let mut repeats: Vec<u32> = Vec::new();
            let key = |entry: u32| {
                let offset = entries.get(entry as usize).copied().unwrap_or_default();
                let size = sizes.get(entry as usize).copied().unwrap_or_default();
                key_of(body, offset as usize, size)
            };
            equal_groups(&mut tags, key, |group| {
                let first = group.first().copied().map(item).unwrap_or_default();
                let mut before = request_of(first);
                for entry in group.iter().skip(1).copied().map(item) {
                    let request = request_of(entry);
                    if request == before {
                        repeats.push(entry);
                    } else {
                        again.push((entry, first));
                    }
                    before = request;
                }
            });
            repeated = u32::try_from(repeats.len()).unwrap_or(u32::MAX);
            for entry in repeats {
                if let Some(offset) = entries.get_mut(entry as usize) {
                    *offset |= REPEATED;
                }
            }
        }
        drop(tags);
        again.sort_unstable();
        let mut distinct = Vec::with_capacity(
            entries
                .len()
                .saturating_sub(repeated as usize + again.len()),
        );
        let mut next_again = again.iter().peekable();
        for (entry, offset) in (0_u32..).zip(&entries) {
            if next_again.next_if(|(again, _)| *again == entry).is_none() && offset & REPEATED == 0
            {
                distinct.push(entry);
            }
        }
        for (_, first) in &mut again {
            *first = u32::try_from(distinct.partition_point(|entry| *entry < *first))
                .unwrap_or(u32::MAX);
        }
        Recipients {
            entries,
            sizes,
            distinct,
            again,
            repeated,
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
    match sized_entry(body, offset, size).text {
        Cow::Borrowed(text) if size.is_key() => Cow::Borrowed(text),
        Cow::Borrowed(text) => address::parse(text)
            .map(|address| address.match_key())
            .unwrap_or_default(),
        Cow::Owned(text) => Cow::Owned(
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
    let end = if is_escaped {
        end_of_string(rest)
    } else {
        end.unwrap_or(rest.len())
    };
    let found = entries_in(body, offset..offset.saturating_add(end), is_escaped).next();
    found.unwrap_or(Entry {
        span: offset..offset,
        text: Cow::Borrowed(""),
    })
}

fn end_of_string(rest: &[u8]) -> usize {
    let mut at = 0_usize;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'"' => break,
            b'\\' => at = at.saturating_add(2),
            _ => at = at.saturating_add(1),
        }
    }
    at
}

/// A recipient that gets an email: its place, and which distinct address it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub(crate) entry: u32,
    pub(crate) distinct: u32,
}

impl Recipients {
    /// How many distinct addresses the call uses.
    pub(crate) fn distinct_count(&self) -> usize {
        self.distinct.len()
    }

    /// How many emails the requests send together.
    pub(crate) fn email_count(&self) -> u64 {
        (self.entries.len() as u64).saturating_sub(u64::from(self.repeated))
    }

    /// The entry at which the distinct address first stands.
    pub(crate) fn first_entry(&self, distinct: u32) -> u32 {
        self.distinct
            .get(distinct as usize)
            .copied()
            .unwrap_or_default()
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

    /// The recipients of a request that get an email, in order of to, cc and bcc.
    pub(crate) fn kept(&self, request: Range<u32>) -> impl Iterator<Item = Kept> + Clone {
        let mut next_distinct = self
            .distinct
            .partition_point(|entry| *entry < request.start);
        let next_again = self
            .again
            .partition_point(|(entry, _)| *entry < request.start);
        let mut again = self
            .again
            .get(next_again..)
            .unwrap_or_default()
            .iter()
            .peekable();
        let entries = self
            .entries
            .get(request.start as usize..request.end as usize)
            .unwrap_or_default();
        (request.start..)
            .zip(entries)
            .filter_map(move |(entry, offset)| {
                if let Some((_, distinct)) = again.next_if(|(again, _)| *again == entry) {
                    return Some(Kept {
                        entry,
                        distinct: *distinct,
                    });
                }
                if offset & REPEATED != 0 {
                    return None;
                }
                let distinct = u32::try_from(next_distinct).unwrap_or(u32::MAX);
                next_distinct = next_distinct.saturating_add(1);
                Some(Kept { entry, distinct })
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
