//! What the host knows, as plain data: a thousand accounts, a hundred thousand subscribers, and a hundred
//! thousand blacklisted domains.

use serde::Serialize;

use crate::random::Random;

/// How many accounts there are.
pub const ACCOUNTS: usize = 1_000;
/// How many senders each account has.
pub const SENDERS: usize = 5;
/// How many stored emails each account has.
pub const MAILERS: usize = 10;
/// How many subscribers there are.
pub const SUBSCRIBERS: usize = 100_000;
/// How many domains are blacklisted, for every role.
pub const BLACKLISTED: usize = 100_000;

const SEED: u64 = 0x0077_6F72_6C64;
/// One subscriber of this many is INACTIVE. No workload writes to one.
const INACTIVE_EVERY: usize = 100;
/// The domains where most people have their mailbox.
const PROVIDERS: [&str; 12] = [
    "mail.example",
    "post.example",
    "inbox.example",
    "letters.example",
    "webmail.example.com",
    "mail.example.org",
    "box.example.net",
    "quickmail.example",
    "mymail.example",
    "pigeon.example",
    "envelope.example",
    "stamps.example",
];
const PLACES: [&str; 24] = [
    "harbour",
    "meadow",
    "river",
    "station",
    "market",
    "garden",
    "tower",
    "bridge",
    "forest",
    "valley",
    "island",
    "castle",
    "orchard",
    "museum",
    "library",
    "theatre",
    "bakery",
    "village",
    "airport",
    "village-hall",
    "lighthouse",
    "mill",
    "square",
    "quay",
];
const WORDS: [&str; 32] = [
    "amber", "birch", "cedar", "daisy", "elder", "fern", "ginger", "hazel", "iris", "jasper",
    "juniper", "kestrel", "laurel", "maple", "nettle", "olive", "poppy", "quince", "robin",
    "rowan", "sage", "sorrel", "tansy", "thistle", "umber", "violet", "willow", "yarrow", "zinnia",
    "aspen", "clover", "linden",
];

/// Everything that the host knows.
#[derive(Clone, Debug, Serialize)]
pub struct World {
    /// The accounts, none of them blocked, expired or deactivated.
    pub accounts: Vec<Account>,
    /// The subscribers of all accounts.
    pub subscribers: Vec<Subscriber>,
    /// The names of the lists that exist, in every account.
    pub lists: Vec<String>,
    /// Domains in lower-case ASCII form that are blacklisted for every role.
    pub blacklist: Vec<String>,
}

/// An account.
#[derive(Clone, Debug, Serialize)]
pub struct Account {
    /// The API key.
    pub key: String,
    /// The addresses of its active senders.
    pub senders: Vec<String>,
    /// Its stored emails.
    pub mailers: Vec<Mailer>,
    /// How many emails it may still send.
    pub email_credit: u64,
    /// How many subscribers it may still create.
    pub subscriber_credit: u64,
}

/// A stored email.
#[derive(Clone, Debug, Serialize)]
pub struct Mailer {
    /// Its number.
    pub id: u64,
    /// The sender address assigned to it.
    pub from: String,
    /// The sender name assigned to it.
    pub from_name: String,
}

/// A subscriber.
#[derive(Clone, Debug, Serialize)]
pub struct Subscriber {
    /// The number.
    pub id: u64,
    /// The stored address.
    pub email: String,
    /// True when nothing may be sent to it.
    pub inactive: bool,
}

impl World {
    /// The world of every benchmark: the same in every run.
    #[must_use]
    pub fn new() -> Self {
        let mut random = Random::new(SEED);
        Self {
            accounts: (0..ACCOUNTS)
                .map(|index| account(&mut random, index))
                .collect(),
            subscribers: (0..SUBSCRIBERS)
                .map(|index| subscriber(&mut random, index))
                .collect(),
            lists: Vec::from(
                [
                    "Newsletter",
                    "Customers",
                    "Spring_2024",
                    "RealTime_Via_API",
                    "API_EMAILS",
                ]
                .map(str::to_owned),
            ),
            blacklist: (0..BLACKLISTED)
                .map(|index| blacklisted(&mut random, index))
                .collect(),
        }
    }

    /// A line for every account, sender, mailer, subscriber, list and domain, for readers without JSON: the kind of the row
    /// and its columns, separated by tabs. Senders and mailers belong to the account before them.
    #[must_use]
    pub fn to_table(&self) -> String {
        let mut table = String::new();
        let mut line = |columns: &[&str]| {
            table.push_str(&columns.join("\t"));
            table.push('\n');
        };
        for account in &self.accounts {
            let credits = [account.email_credit, account.subscriber_credit];
            let [emails, subscribers] = credits.map(|credit| credit.to_string());
            line(&["account", &account.key, &emails, &subscribers]);
            for sender in &account.senders {
                line(&["sender", sender]);
            }
            for Mailer {
                id,
                from,
                from_name,
            } in &account.mailers
            {
                line(&["mailer", &id.to_string(), from, from_name]);
            }
        }
        for subscriber in &self.subscribers {
            let inactive = if subscriber.inactive { "1" } else { "0" };
            let id = subscriber.id.to_string();
            line(&["subscriber", &id, &subscriber.email, inactive]);
        }
        self.lists.iter().for_each(|list| line(&["list", list]));
        self.blacklist
            .iter()
            .for_each(|name| line(&["domain", name]));
        table
    }

    /// A subscriber to whom mail may be sent.
    pub(crate) fn active_subscriber(&self, random: &mut Random) -> &Subscriber {
        loop {
            let candidate = random.pick(&self.subscribers);
            if !candidate.inactive {
                return candidate;
            }
        }
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

fn account(random: &mut Random, index: usize) -> Account {
    let domain = organization(random, index);
    let senders: Vec<String> = ["news", "orders", "support", "hello", "billing"]
        .iter()
        .map(|local| format!("{local}@{domain}"))
        .collect();
    let mailers = (0..MAILERS)
        .map(|mailer| Mailer {
            id: (index * MAILERS + mailer + 1) as u64,
            from: senders[mailer % SENDERS].clone(),
            from_name: "Customer care".to_owned(),
        })
        .collect();
    Account {
        key: format!("{:016x}{:016x}", random.next_u64(), random.next_u64()),
        senders,
        mailers,
        email_credit: 1_000_000_000,
        subscriber_credit: 1_000_000_000,
    }
}

fn subscriber(random: &mut Random, index: usize) -> Subscriber {
    Subscriber {
        id: 1_000_000 + index as u64,
        email: mailbox(random, index),
        inactive: index % INACTIVE_EVERY == INACTIVE_EVERY - 1,
    }
}

/// An address that no other `number` gives. Most are at a provider, the others at one of four thousand domains.
pub(crate) fn mailbox(random: &mut Random, number: usize) -> String {
    let (first, second) = (random.pick(&WORDS), random.pick(&WORDS));
    let local = match random.below(4) {
        0 => format!("{first}{number}"),
        1 => format!("{first}.{second}.{number}"),
        2 => format!("{first}_{second}{number}"),
        _ => format!("{}.{second}{number}", capitalized(first)),
    };
    if random.chance(60) {
        format!("{local}@{}", random.pick(&PROVIDERS))
    } else {
        let number = random.below(4_000);
        format!(
            "{local}@{}",
            organization(&mut Random::new(number as u64), number)
        )
    }
}

/// A domain that is not blacklisted. Each `number` has its own.
pub(crate) fn organization(random: &mut Random, number: usize) -> String {
    let (word, place) = (random.pick(&WORDS), random.pick(&PLACES));
    match random.below(4) {
        0 => format!("mail.{word}-{place}{number}.example"),
        1 => format!("{word}{place}{number}.example.com"),
        _ => format!("{word}-{place}{number}.example"),
    }
}

/// A blacklisted domain. Its number is higher than that of any clean one.
fn blacklisted(random: &mut Random, index: usize) -> String {
    let (word, place) = (random.pick(&WORDS), random.pick(&PLACES));
    let number = 100_000 + index;
    match random.below(8) {
        0 => format!("{word}.{place}{number}.example"),
        1 => format!("{word}{place}{number}.example.com"),
        2 => format!("{place}{number}.example"),
        _ => format!("{word}-{place}{number}.example"),
    }
}

pub(crate) fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{ACCOUNTS, BLACKLISTED, SENDERS, SUBSCRIBERS, World};

    #[test]
    fn the_world_has_the_size_that_it_should_have_without_repetition() {
        let world = World::new();
        let keys: HashSet<_> = world.accounts.iter().map(|account| &account.key).collect();
        let senders: HashSet<_> = world
            .accounts
            .iter()
            .flat_map(|account| &account.senders)
            .collect();
        let addresses: HashSet<_> = world
            .subscribers
            .iter()
            .map(|subscriber| subscriber.email.to_lowercase())
            .collect();
        let blacklist: HashSet<_> = world.blacklist.iter().collect();
        assert_eq!(keys.len(), ACCOUNTS);
        assert_eq!(senders.len(), ACCOUNTS * SENDERS);
        assert_eq!(addresses.len(), SUBSCRIBERS);
        assert_eq!(blacklist.len(), BLACKLISTED);
    }

    #[test]
    fn no_sender_or_subscriber_is_at_a_blacklisted_domain() {
        let world = World::new();
        let blacklist: HashSet<_> = world.blacklist.iter().map(String::as_str).collect();
        let senders = world.accounts.iter().flat_map(|account| &account.senders);
        let subscribers = world.subscribers.iter().map(|subscriber| &subscriber.email);
        for address in senders.chain(subscribers) {
            let mut domain = address.split_once('@').map(|(_, domain)| domain);
            while let Some(name) = domain {
                assert!(!blacklist.contains(name), "{name}");
                domain = name.split_once('.').map(|(_, parent)| parent);
            }
        }
    }
}
