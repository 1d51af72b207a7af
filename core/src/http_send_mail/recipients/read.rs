//! Reading recipients again from the body.

use alloc::borrow::Cow;
use core::ops::Range;

use super::Recipients;
use crate::bytes::distinct::Folded;
use crate::bytes::{part, rest};
use crate::text::address::{self, Scan, scan_ascii};
use crate::wire::entries::{Entry, as_text, entries_in};
use crate::wire::value::lend;

/// What a scan of an entry has found, in two bytes: enough to read the entry again without looking for its end.
///
/// The two highest bits say what is known of it. If anything is, six bits are the length of the local part less one, and
/// eight that of the entry; if not, fourteen bits are the length of the entry. 0 is an entry with escapes, or a very long one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PackedScan(u16);

impl PackedScan {
    /// The bytes are the match key.
    const KEY: u16 = 1 << 14;
    /// The match key is the bytes in ASCII lower case; the domain is in lower case.
    const LOWER: u16 = 2 << 14;
    /// The same, with a domain that is not.
    const LOWER_DOMAIN: u16 = 3 << 14;

    /// Of an entry without escapes of which nothing else is known.
    pub(super) fn new(length: usize) -> Self {
        let length = u16::try_from(length).unwrap_or(Self::KEY);
        Self(if length < Self::KEY { length } else { 0 })
    }

    /// Of an entry that was found valid in one pass.
    #[inline]
    pub(super) fn scanned(scan: Scan) -> Self {
        let at = u16::try_from(scan.at().saturating_sub(1)).unwrap_or(u16::MAX);
        let length = u16::try_from(scan.len()).unwrap_or(u16::MAX);
        if at >= 1 << 6 || length >= 1 << 8 {
            return Self::new(scan.len());
        }
        let kind = match (scan.upper_local_part(), scan.upper_domain()) {
            (false, false) => Self::KEY,
            (true, false) => Self::LOWER,
            (_, true) => Self::LOWER_DOMAIN,
        };
        Self(kind | at << 8 | length)
    }

    pub(super) fn kind(self) -> u16 {
        self.0 & Self::LOWER_DOMAIN
    }

    pub(super) fn length(self) -> Option<usize> {
        let length = if self.kind() == 0 {
            self.0
        } else {
            self.0 & 0xFF
        };
        (length > 0).then_some(usize::from(length))
    }

    /// Where the domain of the entry at `offset` stands, and whether it has upper-case letters.
    pub(super) fn domain(self, offset: usize) -> Option<(Range<usize>, bool)> {
        if self.kind() == 0 {
            return None;
        }
        let at = usize::from(self.0 >> 8 & 0x3F).saturating_add(1);
        let start = offset.saturating_add(at).saturating_add(1);
        let end = offset.saturating_add(usize::from(self.0 & 0xFF));
        Some((start..end, self.kind() == Self::LOWER_DOMAIN))
    }
}

pub(super) fn sized_entry(body: &[u8], offset: usize, size: PackedScan) -> Entry<'_> {
    let Some(length) = size.length() else {
        return entry_at(body, offset);
    };
    let span = offset..offset.saturating_add(length);
    Entry {
        text: Cow::Borrowed(as_text(part(body, span.clone()))),
        span,
    }
}

pub(super) fn key_of(body: &[u8], offset: usize, size: PackedScan) -> Cow<'_, str> {
    key_of_text(sized_entry(body, offset, size).text, size)
}

/// The match key as it is compared, where it lies if it can be.
pub(super) fn folded_key_of(body: &[u8], offset: usize, size: PackedScan) -> Folded<'_> {
    if let Some(length) = size.length().filter(|_| size.kind() != 0) {
        let place = offset..offset.saturating_add(length);
        return Folded(Cow::Borrowed(part(body, place)));
    }
    let bytes = match sized_entry(body, offset, size).text {
        Cow::Borrowed(text) if scan_ascii(text.as_bytes()).is_some() => {
            Cow::Borrowed(text.as_bytes())
        }
        text => match key_of_text(text, size) {
            Cow::Borrowed(key) => Cow::Borrowed(key.as_bytes()),
            Cow::Owned(key) => Cow::Owned(key.into_bytes()),
        },
    };
    Folded(bytes)
}

pub(super) fn key_of_text(text: Cow<'_, str>, size: PackedScan) -> Cow<'_, str> {
    match (text, size.kind()) {
        (text, PackedScan::KEY) => text,
        (text, PackedScan::LOWER | PackedScan::LOWER_DOMAIN) => {
            Cow::Owned(text.to_ascii_lowercase())
        }
        // It was an address when the entry was noted, and is one unless the body has changed.
        (text, _) => {
            lend(text, |text| Some(address::parse(text).ok()?.match_key())).unwrap_or_default()
        }
    }
}

/// The entry that starts at `offset`: up to a comma, or to the string's closing quote.
pub(super) fn entry_at(body: &[u8], offset: usize) -> Entry<'_> {
    let rest = rest(body, offset);
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b',' | b'"' | b'\\'));
    let is_escaped = end.and_then(|end| rest.get(end)) == Some(&b'\\');
    let end = match end {
        // An entry with escapes is read up to its own end.
        Some(end) if !is_escaped => end,
        _ => rest.len(),
    };
    let found = entries_in(body, offset..offset.saturating_add(end), is_escaped).next();
    found.unwrap_or(Entry {
        span: offset..offset,
        text: Cow::Borrowed(""),
    })
}

/// Reads entries from the body. Several entries are checked to be UTF-8 together, with what lies between them: that
/// takes less than a check for each.
#[derive(Clone)]
pub(crate) struct Reader<'r> {
    pub(super) recipients: &'r Recipients,
    pub(super) body: &'r [u8],
    /// Bytes of the body that were checked, and where they start.
    pub(super) text: &'r str,
    pub(super) start: usize,
}

/// The number of entries that are checked together, if they lie within [`CLOSE`] bytes.
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
            Some(text) if size.kind() == PackedScan::KEY => Cow::Borrowed(text),
            Some(text) => key_of_text(Cow::Borrowed(text), size),
            None => key_of(self.body, self.recipients.offset(entry), size),
        }
    }
}
