//! The host's side of every Rust contender: the world in std's maps and sets.
//!
//! Ours and the peers ask the same database, so that a ratio compares the deciding and not two databases.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

use crate::world::{Mailer, Subscriber, World};

/// What the host looks up.
#[derive(Debug)]
pub struct Database {
    accounts: HashMap<String, AccountRow>,
    mailers: HashMap<u64, Mailer>,
    subscribers: Vec<Subscriber>,
    /// Places in `subscribers`, which keeps the maps small, by the hash of the lower-case address. The key of these hashes
    /// is random, so that nobody can choose two that share one.
    by_address: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    address_hasher: RandomState,
    by_id: HashMap<u64, u32>,
    lists: HashSet<String>,
    blacklist: HashSet<String>,
}

/// An account with its senders.
#[derive(Debug, Default)]
pub struct AccountRow {
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
    senders: HashSet<String>,
}

impl AccountRow {
    /// Is this lower-case address an active sender of the account?
    #[must_use]
    pub fn has_sender(&self, address: &str) -> bool {
        self.senders.contains(address)
    }
}

/// Takes a hash for a hash.
#[derive(Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        // Never called for a number: bytes are taken as the number that they spell.
        self.0 = bytes
            .iter()
            .fold(0, |hash, byte| hash << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Database {
    /// Indexes `world`.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let address_hasher = RandomState::new();
        let mut by_address = HashMap::default();
        for (place, subscriber) in (0..).zip(&world.subscribers) {
            let hash = address_hasher.hash_one(subscriber.email.to_lowercase().as_str());
            let before = by_address.insert(hash, place);
            assert!(before.is_none(), "two addresses share a hash of 64 bits");
        }
        Self {
            accounts: world
                .accounts
                .iter()
                .map(|account| {
                    let row = AccountRow {
                        email_credit: account.email_credit,
                        subscriber_credit: account.subscriber_credit,
                        senders: account
                            .senders
                            .iter()
                            .map(|sender| sender.to_lowercase())
                            .collect(),
                        ..AccountRow::default()
                    };
                    (account.key.clone(), row)
                })
                .collect(),
            mailers: world
                .accounts
                .iter()
                .flat_map(|account| &account.mailers)
                .map(|mailer| (mailer.id, mailer.clone()))
                .collect(),
            subscribers: world.subscribers.clone(),
            by_address,
            address_hasher,
            by_id: (0..)
                .zip(&world.subscribers)
                .map(|(place, subscriber)| (subscriber.id, place))
                .collect(),
            lists: world.lists.iter().cloned().collect(),
            blacklist: world.blacklist.iter().cloned().collect(),
        }
    }

    /// The account with this API key.
    #[must_use]
    pub fn account(&self, key: &str) -> Option<&AccountRow> {
        self.accounts.get(key)
    }

    /// The stored email with this number.
    #[must_use]
    pub fn mailer(&self, id: u64) -> Option<&Mailer> {
        self.mailers.get(&id)
    }

    /// The subscriber with this lower-case address.
    #[must_use]
    pub fn subscriber(&self, address: &str) -> Option<&Subscriber> {
        self.with_hash(self.address_hasher.hash_one(address))
            .filter(|found| found.email.eq_ignore_ascii_case(address))
    }

    /// The subscribers with these lower-case addresses, in their order. They are looked up step by step, each step for all
    /// of them, so that the processor waits for several at once.
    pub fn subscribers<'d>(
        &'d self,
        addresses: &[impl Borrow<str>],
        found: &mut Vec<Option<&'d Subscriber>>,
    ) {
        let hash = |address: &str| self.address_hasher.hash_one(address);
        let hashes: Vec<u64> = addresses
            .iter()
            .map(|address| hash(address.borrow()))
            .collect();
        found.clear();
        found.extend(hashes.iter().map(|hash| self.with_hash(*hash)));
        for (found, address) in found.iter_mut().zip(addresses) {
            *found = found.filter(|found| found.email.len() == address.borrow().len());
        }
        for (found, address) in found.iter_mut().zip(addresses) {
            *found = found.filter(|found| found.email.eq_ignore_ascii_case(address.borrow()));
        }
    }

    fn with_hash(&self, hash: u64) -> Option<&Subscriber> {
        self.subscribers.get(*self.by_address.get(&hash)? as usize)
    }

    /// The subscriber with this number.
    #[must_use]
    pub fn subscriber_by_id(&self, id: u64) -> Option<&Subscriber> {
        self.subscribers.get(*self.by_id.get(&id)? as usize)
    }

    /// Is there a list of this name?
    #[must_use]
    pub fn has_list(&self, name: &str) -> bool {
        self.lists.contains(name)
    }

    /// Is exactly this domain on the blacklist? Whoever asks walks up to its parents.
    #[must_use]
    pub fn is_blacklisted(&self, domain: &str) -> bool {
        self.blacklist.contains(domain)
    }
}
