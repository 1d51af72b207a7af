//! A set of domains in memory, for blacklists of millions of entries.

use alloc::borrow::Cow;
use alloc::string::String;
use core::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use thiserror::Error;

use super::domain::{MAX_DOMAIN_LEN, fits_dns, host_to_ascii, is_canonical_name, parse, walk};
use crate::debug::debug_shows;

/// Why a text cannot be in a [`DomainSet`], or be looked up in it. It contains nothing of that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum EntryError {
    /// It is neither a host in the sense of [`host_to_ascii`] nor the domain of an address, or it does not fit into DNS.
    #[error(
        "this is not a domain: write a bare name such as example.com, or an IP address, without \
         scheme, port, path or white space"
    )]
    NotAHost,
    /// It has a label `*`, which would match only itself.
    #[error("a domain is listed with all that is below it: write it without the *")]
    Wildcard,
    /// The set is full: it has 4 GiB of text.
    #[error("the set is full: split the list in two sets")]
    Full,
}

/// The first of several entries that cannot be in a [`DomainSet`], and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("entry {index}, counted from 0: {reason}")]
pub struct EntriesError {
    /// The position of the entry, counted from 0.
    pub index: usize,
    /// What is wrong with it.
    #[source]
    pub reason: EntryError,
}

/// A set of hosts in canonical form. A host is found under its own name or under the name of a parent.
///
/// Each name takes its own length and about ten bytes more. Looking up a canonical name allocates
/// nothing. Debug shows only the number of entries.
///
/// ```
/// use franking::DomainSet;
/// let set = DomainSet::from_entries(["Spam.Example", "bücher.example"])?;
/// assert_eq!(set.listed("www.spam.example."), Some("spam.example"));
/// assert!(set.is_listed("xn--bcher-kva.example"));
/// assert!(!set.is_listed("notspam.example"));
/// # Ok::<(), franking::domain::EntriesError>(())
/// ```
#[derive(Clone, Default)]
pub struct DomainSet {
    /// The entries one after the other, each followed by [`END`].
    names: String,
    /// The start of each entry in `names`.
    starts: HashTable<u32>,
}

/// The end of an entry: a line feed, which no host has.
const END: char = '\n';

impl DomainSet {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A set of these entries.
    ///
    /// # Errors
    ///
    /// [`EntriesError`] with the first entry that cannot be in it.
    pub fn from_entries<E: AsRef<str>>(
        entries: impl IntoIterator<Item = E>,
    ) -> Result<Self, EntriesError> {
        let mut set = Self::new();
        set.try_extend(entries)?;
        Ok(set)
    }

    /// Adds entries up to the first that cannot be in the set.
    ///
    /// # Errors
    ///
    /// [`EntriesError`] with that entry. The entries before it are in the set.
    pub fn try_extend<E: AsRef<str>>(
        &mut self,
        entries: impl IntoIterator<Item = E>,
    ) -> Result<(), EntriesError> {
        for (index, entry) in entries.into_iter().enumerate() {
            self.insert(entry.as_ref())
                .map_err(|reason| EntriesError { index, reason })?;
        }
        Ok(())
    }

    /// Adds one entry, a host in any spelling. Returns whether it is new.
    ///
    /// # Errors
    ///
    /// [`EntryError::NotAHost`] if it is not a host that fits into DNS, [`EntryError::Wildcard`] if it has a label `*`,
    /// [`EntryError::Full`] if the set has 4 GiB of text.
    pub fn insert(&mut self, entry: &str) -> Result<bool, EntryError> {
        let name = canonical(entry)?;
        let hash = hash(&name);
        if self.find(hash, &name).is_some() {
            return Ok(false);
        }
        let start = u32::try_from(self.names.len()).map_err(|_| EntryError::Full)?;
        self.push(hash, start, &name);
        Ok(true)
    }

    /// Adds a name that the set does not have. `start` is the length of the names.
    fn push(&mut self, hash: u64, start: u32, name: &str) {
        self.names.push_str(name);
        self.names.push(END);
        let names = &self.names;
        self.starts
            .insert_unique(hash, start, |&start| hash_of_entry(names, start));
    }

    /// Keeps only the entries for which `keep` is true. Takes time proportional to the whole set, even if few are removed.
    pub fn retain(&mut self, mut keep: impl FnMut(&str) -> bool) {
        let mut kept = Self::new();
        for name in self.iter().filter(|name| keep(name)) {
            kept.push(hash(name), kept.names.len() as u32, name);
        }
        *self = kept;
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The entries in canonical form, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.split_terminator(END)
    }

    /// Whether `name` itself is an entry, in any spelling. A text that is not a host is not an entry.
    pub fn contains(&self, name: &str) -> bool {
        // Entries are canonical, so a name that equals an entry need not be normalized.
        if self.find(hash(name), name).is_some() {
            return true;
        }
        match any_spelling(name) {
            Some(Cow::Owned(name)) => self.find(hash(&name), &name).is_some(),
            Some(Cow::Borrowed(_)) | None => false,
        }
    }

    /// Whether `host` or a parent of it, as [`walk`] yields them, is an entry. A text that is not a host is not listed.
    pub fn is_listed(&self, host: &str) -> bool {
        self.listed(host).is_some()
    }

    /// The entry under which `host` is listed: the first name that [`walk`] yields and the set has.
    pub fn listed(&self, host: &str) -> Option<&str> {
        self.nearest(&any_spelling(host)?)
    }

    /// Like [`listed`](Self::listed), but distinguishes a text that is not a host from a host that is not listed.
    ///
    /// # Errors
    ///
    /// [`EntryError::NotAHost`], also for a name that a browser accepts but that does not fit into DNS.
    /// [`EntryError::Wildcard`] for a name that no entry can have.
    pub fn try_listed(&self, host: &str) -> Result<Option<&str>, EntryError> {
        Ok(self.nearest(&canonical(host)?))
    }

    fn nearest(&self, host: &str) -> Option<&str> {
        // Names that are longer than any entry are skipped, because a host can have a million parents.
        walk(host)
            .filter(|name| name.len() <= MAX_DOMAIN_LEN)
            .find_map(|name| self.find(hash(&name), &name))
    }

    fn find(&self, hash: u64, name: &str) -> Option<&str> {
        let is_name = |&start: &u32| {
            let entry = self.names.as_bytes().get(start as usize..);
            let after = entry.and_then(|entry| entry.strip_prefix(name.as_bytes()));
            after.is_some_and(|after| after.first() == Some(&(END as u8)))
        };
        let start = *self.starts.find(hash, is_name)? as usize;
        self.names.get(start..start + name.len())
    }
}

/// The canonical form of an entry: an IP address, or labels of 1 to 63 octets, 253 in all (RFC 1035, section 2.3.4).
fn canonical(text: &str) -> Result<Cow<'_, str>, EntryError> {
    if is_canonical_name(text) {
        return Ok(Cow::Borrowed(text));
    }
    let name = any_spelling(text).ok_or(EntryError::NotAHost)?;
    if name.contains('*') && name.split('.').any(|label| label == "*") {
        return Err(EntryError::Wildcard);
    }
    if fits_dns(name.as_bytes()) {
        Ok(name)
    } else {
        Err(EntryError::NotAHost)
    }
}

/// The canonical form of a host, or of the domain of an address that no URL can have as its host, such as `a.0x1`.
fn any_spelling(text: &str) -> Option<Cow<'_, str>> {
    host_to_ascii(text).or_else(|| parse(text).ok())
}

fn hash(name: &str) -> u64 {
    // The seed is fixed: the entries come from the host itself, so nobody else can make them collide.
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(name.as_bytes());
    hasher.finish()
}

fn hash_of_entry(names: &str, start: u32) -> u64 {
    let entry = names.get(start as usize..);
    entry.map_or(0, |entry| hash(entry.split(END).next().unwrap_or(entry)))
}

debug_shows!(DomainSet { len() });

#[cfg(test)]
mod tests;
