//! The host's side of every Rust contender: the world in hash tables of the kind that std's maps and sets use.
//!
//! The library and the peers ask the same database, so that a ratio compares the deciding and not two databases. Hashing a
//! key is a step of its own: a host with several questions can hash all keys before it looks up the first.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash, RandomState};

use hashbrown::HashTable;

use crate::world::{Mailer, Subscriber, World};

/// What the host looks up.
#[derive(Debug)]
pub struct Database {
    /// The hasher of std's maps. Its key is random, so that nobody can choose texts that share a hash.
    hasher: RandomState,
    accounts: HashTable<AccountRow>,
    mailers: HashTable<Mailer>,
    /// The subscribers by lower-case address with its hash, and by number. Both tables hold the rows themselves, as std's
    /// maps would.
    by_address: HashTable<(u64, Subscriber)>,
    by_id: HashTable<Subscriber>,
    lists: HashTable<String>,
    blacklist: HashTable<String>,
}

/// A key and its hash.
#[derive(Clone, Copy, Debug)]
pub struct Hashed<T> {
    /// The key.
    pub key: T,
    hash: u64,
}

impl<T: Borrow<str>> Hashed<T> {
    /// The key as a borrowed text, with the same hash.
    pub fn text(&self) -> Hashed<&str> {
        let key = self.key.borrow();
        Hashed {
            key,
            hash: self.hash,
        }
    }
}

/// An account with its senders.
#[derive(Debug, Default)]
pub struct AccountRow {
    key: String,
    /// Sending is blocked.
    pub blocked: bool,
    /// The account has expired.
    pub expired: bool,
    /// The account was deactivated.
    pub deactivated: bool,
    /// How many emails it may still send.
    pub email_credit: u64,
    /// How many subscribers it may still create.
    pub subscriber_credit: u64,
    senders: HashTable<String>,
}

impl AccountRow {
    /// Is this lower-case address an active sender of the account?
    #[must_use]
    pub fn has_sender(&self, address: Hashed<&str>) -> bool {
        has(&self.senders, address)
    }
}

impl Database {
    /// Makes the tables for `world`.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let hasher = RandomState::new();
        let texts = |texts: &[String]| {
            let texts = texts.iter().map(|text| text.to_lowercase());
            table(texts, |text| hasher.hash_one(text.as_str()))
        };
        let accounts = world.accounts.iter().map(|account| AccountRow {
            key: account.key.clone(),
            email_credit: account.email_credit,
            subscriber_credit: account.subscriber_credit,
            senders: texts(&account.senders),
            ..AccountRow::default()
        });
        let mailers = world.accounts.iter().flat_map(|account| &account.mailers);
        let subscribers = || world.subscribers.iter().cloned();
        let by_address = subscribers().map(|subscriber| {
            let address = subscriber.email.to_lowercase();
            (hasher.hash_one(address.as_str()), subscriber)
        });
        let lists = world.lists.iter().cloned();
        Self {
            accounts: table(accounts, |account| hasher.hash_one(account.key.as_str())),
            mailers: table(mailers.cloned(), |mailer| hasher.hash_one(mailer.id)),
            by_address: table(by_address, |(hash, _)| *hash),
            by_id: table(subscribers(), |subscriber| hasher.hash_one(subscriber.id)),
            lists: table(lists, |list| hasher.hash_one(list.as_str())),
            blacklist: texts(&world.blacklist),
            hasher,
        }
    }

    /// Hashes a text or a number, for the functions below.
    #[must_use]
    pub fn hashed<T: Hash>(&self, key: T) -> Hashed<T> {
        let hash = self.hasher.hash_one(&key);
        Hashed { key, hash }
    }

    /// The account with this API key.
    #[must_use]
    pub fn account(&self, key: Hashed<&str>) -> Option<&AccountRow> {
        self.accounts
            .find(key.hash, |account| account.key == key.key)
    }

    /// The stored email with this number.
    #[must_use]
    pub fn mailer(&self, id: Hashed<u64>) -> Option<&Mailer> {
        self.mailers.find(id.hash, |mailer| mailer.id == id.key)
    }

    /// The subscriber with this lower-case address.
    #[must_use]
    pub fn subscriber(&self, address: Hashed<&str>) -> Option<&Subscriber> {
        self.with_hash_of(address)
            .filter(|found| found.email.eq_ignore_ascii_case(address.key))
    }

    /// The subscribers with these lower-case addresses, in the order of the addresses. Each step of the search is taken for
    /// all of them, so that the processor waits for several rows at the same time.
    pub fn subscribers<'d>(
        &'d self,
        addresses: &[impl Borrow<str>],
        found: &mut Vec<Option<&'d Subscriber>>,
    ) {
        let hashed: Vec<Hashed<&str>> = addresses
            .iter()
            .map(|address| self.hashed(address.borrow()))
            .collect();
        found.clear();
        found.extend(hashed.iter().map(|address| self.with_hash_of(*address)));
        for (found, address) in found.iter_mut().zip(&hashed) {
            *found = found.filter(|found| found.email.len() == address.key.len());
        }
        for (found, address) in found.iter_mut().zip(&hashed) {
            *found = found.filter(|found| found.email.eq_ignore_ascii_case(address.key));
        }
    }

    /// The subscriber whose address has the hash of this lower-case address. It is most likely the same address; the caller
    /// checks that later, and can do other work until the row is in the cache.
    #[must_use]
    pub fn with_hash_of(&self, address: Hashed<&str>) -> Option<&Subscriber> {
        let has_hash = |(hash, _): &(u64, Subscriber)| *hash == address.hash;
        let found = self.by_address.find(address.hash, has_hash);
        found.map(|(_, subscriber)| subscriber)
    }

    /// The subscriber with this number.
    #[must_use]
    pub fn subscriber_by_id(&self, id: Hashed<u64>) -> Option<&Subscriber> {
        self.by_id.find(id.hash, |found| found.id == id.key)
    }

    /// Is there a list of this name?
    #[must_use]
    pub fn has_list(&self, name: Hashed<&str>) -> bool {
        has(&self.lists, name)
    }

    /// Is exactly this domain on the blacklist? The caller asks about its parents.
    #[must_use]
    pub fn is_blacklisted(&self, domain: Hashed<&str>) -> bool {
        has(&self.blacklist, domain)
    }
}

/// A table of rows, which must all be different.
fn table<R>(rows: impl Iterator<Item = R>, hash: impl Fn(&R) -> u64) -> HashTable<R> {
    let mut table = HashTable::new();
    for row in rows {
        table.insert_unique(hash(&row), row, &hash);
    }
    table
}

fn has(texts: &HashTable<String>, text: Hashed<&str>) -> bool {
    texts.find(text.hash, |found| found == text.key).is_some()
}
