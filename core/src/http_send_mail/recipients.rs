//! The recipients of an httpSendMail call: the entries of its address lists, and which of them are the same address.

mod list;
mod read;
mod same;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use crate::bytes::distinct::hash;
use crate::bytes::{narrow, part, rest};
use crate::domains::Domains;
use crate::fault::Fault;
use crate::roles::DomainRoles;
use crate::text::address::{MAX_ADDRESS_LEN, Scan};
use crate::wire::entries::Entry;
use read::{entry_at, folded_key_of, key_of};
use same::{NONE, firsts};

/// The valid entries of all requests that phase 4 accepts, and which of them are the same address.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recipients {
    /// The offset of each entry in the body: request by request, and in a request `to`, `cc`, `bcc`. The high bit marks a
    /// repetition within the request.
    entries: Vec<u32>,
    /// The scan of each entry that is an ordinary address, so that it is quick to compare and to read again.
    scans: Vec<Option<Scan>>,
    /// The number of distinct addresses.
    distinct: usize,
    /// The number of each entry's distinct address, in order of first use. It is empty when no address is repeated: then each
    /// entry has the number of its own position.
    numbers: Vec<u32>,
}

const REPEATED: u32 = 1 << 31;

/// Collects entries; [`Collector::finish`] finds the equal ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Collector {
    entries: Vec<u32>,
    scans: Vec<Option<Scan>>,
    /// The hash of each entry's match key.
    hashes: Vec<u32>,
}

impl Collector {
    /// The number of entries: the end of the current request's range.
    pub(crate) fn len(&self) -> u32 {
        narrow(self.entries.len())
    }

    /// Adds an entry that was found valid in one pass. `text` begins with it.
    #[inline]
    pub(crate) fn push_scanned(&mut self, offset: usize, text: &[u8], scan: Scan) {
        let key = part(text, 0..scan.len());
        if scan.is_match_key() {
            self.push(offset, Some(scan), key);
            return;
        }
        let mut lower = [0; MAX_ADDRESS_LEN];
        if let Some(lower) = lower.get_mut(..scan.len()) {
            lower.copy_from_slice(key);
            lower.make_ascii_lowercase();
            self.push(offset, Some(scan), lower);
        }
    }

    /// Adds a valid entry with its match key, and with its scan if it is an ordinary address.
    #[inline]
    pub(crate) fn push(&mut self, offset: usize, scan: Option<Scan>, key: &[u8]) {
        self.scans.push(scan);
        self.hashes.push(hash(key));
        self.entries.push(narrow(offset));
    }

    /// Removes all entries from `len` on.
    pub(crate) fn truncate(&mut self, len: u32) {
        self.entries.truncate(len as usize);
        self.scans.truncate(len as usize);
        self.hashes.truncate(len as usize);
    }

    /// Adds the domains of the entries from `start` on.
    pub(crate) fn note_domains(
        &self,
        start: u32,
        body: &str,
        domains: &mut Domains,
    ) -> Result<(), Fault> {
        for (entry, offset) in (start..).zip(rest(&self.entries, start as usize)) {
            let offset = *offset as usize;
            match scan_of(&self.scans, entry) {
                Some(scan) => domains.insert_scanned(offset, scan, body, DomainRoles::RECIPIENT),
                None => {
                    let entry = entry_at(body, offset, None);
                    domains.insert_entry(&entry, body, DomainRoles::RECIPIENT)
                }
            }?;
        }
        Ok(())
    }

    /// Finds equal entries. `ends` has the end of each request's range of entries, ascending.
    pub(crate) fn finish(self, body: &str, ends: &[u32]) -> Recipients {
        let Self {
            mut entries,
            scans,
            hashes,
        } = self;
        let key = |entry: u32| {
            let offset = offset_of(&entries, entry);
            folded_key_of(body, offset, scan_of(&scans, entry))
        };
        let (mut numbers, repeats) = firsts(hashes, ends, key);
        entries.shrink_to_fit();
        let mut next = 0_u32;
        for (entry, offset) in (0_u32..).zip(&mut entries) {
            if repeats.contains(entry as usize) {
                *offset |= REPEATED;
            }
            let first = numbers.get(entry as usize).copied();
            let number = match first.filter(|first| *first != NONE) {
                // The first entry is before this one, so it has its number already.
                Some(first) => numbers.get(first as usize).copied(),
                None => {
                    next += 1;
                    Some(next - 1)
                }
            };
            if let (Some(slot), Some(number)) = (numbers.get_mut(entry as usize), number) {
                *slot = number;
            }
        }
        let distinct = next as usize;
        if distinct == entries.len() {
            numbers = Vec::new();
        }
        Recipients {
            entries,
            scans,
            distinct,
            numbers,
        }
    }
}

/// A recipient that gets an email: its entry, and the number of its distinct address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptRecipient {
    pub(crate) entry: u32,
    pub(crate) distinct: u32,
}

impl Recipients {
    /// The number of distinct addresses that the call uses.
    pub(crate) fn distinct_count(&self) -> usize {
        self.distinct
    }

    /// The number of emails that all requests together send.
    pub(crate) fn email_count(&self) -> u64 {
        let sent = self.entries.iter();
        sent.filter(|offset| **offset & REPEATED == 0).count() as u64
    }

    /// The first entry of each distinct address, in order.
    pub(crate) fn first_entries(&self) -> impl Iterator<Item = u32> + Clone {
        let mut next = 0;
        (0..self.count()).filter(move |entry| {
            let is_first = self.number(*entry) == next;
            next += u32::from(is_first);
            is_first
        })
    }

    /// The offset of an entry's first byte.
    pub(crate) fn offset(&self, entry: u32) -> usize {
        offset_of(&self.entries, entry)
    }

    fn scan(&self, entry: u32) -> Option<Scan> {
        scan_of(&self.scans, entry)
    }

    /// An entry, read from the body.
    pub(crate) fn entry<'b>(&self, body: &'b str, entry: u32) -> Entry<'b> {
        entry_at(body, self.offset(entry), self.scan(entry))
    }

    /// The match key of an entry.
    pub(crate) fn key<'b>(&self, body: &'b str, entry: u32) -> Cow<'b, str> {
        key_of(self.entry(body, entry).text, self.scan(entry))
    }

    /// The number of an entry's distinct address.
    pub(crate) fn number(&self, entry: u32) -> u32 {
        self.numbers.get(entry as usize).copied().unwrap_or(entry)
    }

    /// The number of entries.
    pub(crate) fn count(&self) -> u32 {
        narrow(self.entries.len())
    }

    /// Whether each entry without a scan still begins where it was noted, and not with a comma or the end of its list. If one
    /// does not, the library contradicts itself, and the entry would be read as empty.
    pub(super) fn is_sound(&self, body: &str) -> bool {
        self.entries.iter().zip(&self.scans).all(|(offset, scan)| {
            let at = (offset & !REPEATED) as usize;
            scan.is_some() || !matches!(body.as_bytes().get(at), None | Some(b',' | b'"'))
        })
    }

    /// The recipients of a request that get an email, in order of to, cc and bcc.
    pub(crate) fn kept(&self, request: Range<u32>) -> impl Iterator<Item = KeptRecipient> + Clone {
        self.of_request(request)
            .filter(|(_, offset)| *offset & REPEATED == 0)
            .map(move |(entry, _)| KeptRecipient {
                entry,
                distinct: self.number(entry),
            })
    }

    /// The entries of a request that repeat an earlier entry of it.
    pub(crate) fn repeated(&self, request: Range<u32>) -> impl Iterator<Item = u32> + Clone {
        self.of_request(request)
            .filter(|(_, offset)| *offset & REPEATED != 0)
            .map(|(entry, _)| entry)
    }

    /// The entries of a request, with their items of `entries`.
    fn of_request(&self, request: Range<u32>) -> impl Iterator<Item = (u32, &u32)> + Clone {
        let place = request.start as usize..request.end as usize;
        (request.start..).zip(part(&self.entries, place))
    }
}

/// The offset of an entry's first byte. That of a missing entry is after the end of every body, where no text is taken from.
fn offset_of(entries: &[u32], entry: u32) -> usize {
    let offset = entries.get(entry as usize).copied();
    (offset.unwrap_or(u32::MAX) & !REPEATED) as usize
}

/// The scan of an entry; `None` if the entry is not an ordinary address.
fn scan_of(scans: &[Option<Scan>], entry: u32) -> Option<Scan> {
    scans.get(entry as usize).copied().flatten()
}

#[cfg(test)]
mod tests;
