//! The library with the host that docs/rust.md shows: std's maps, each key looked up on its own, nothing done for speed.

use std::collections::{HashMap, HashSet};
use std::hint::black_box;
use std::sync::Arc;

use franking::{
    Account, Blacklists, Call, Commit, Conflict, DomainSet, Facts, Host, Mailer, Plan, Policy,
    Questions, Subscriber, decide,
};

use crate::contender::Contender;
use crate::workload::Operation;
use crate::world::{self, World};

/// Decides with the library and an ordinary host.
#[derive(Debug)]
pub struct Ordinary {
    policy: Policy,
    host: MapsHost,
}

impl Ordinary {
    /// With the default policy.
    #[must_use]
    pub fn new(world: &World) -> Self {
        Self {
            policy: Policy::default(),
            host: MapsHost::new(world),
        }
    }

    /// Uses a host that reads all of a plan but the HTML. The rest is the cost of deciding alone.
    #[must_use]
    pub fn without_html(mut self) -> Self {
        self.host.reads_html = false;
        self
    }
}

impl Contender for Ordinary {
    fn name(&self) -> &'static str {
        match self.host.reads_html {
            true => "ordinary host",
            false => "ordinary host, HTML unread",
        }
    }

    fn decide(&mut self, operation: Operation, body: &[u8]) -> u16 {
        let operation = match operation {
            Operation::SendMailer => franking::Operation::SendMailer,
            Operation::HttpSendMail => franking::Operation::HttpSendMail,
        };
        let mut call = Call::new(&self.policy, operation, "POST", body);
        let decision =
            decide(&mut call, &mut self.host).expect("the host answers what it is asked");
        black_box(decision.response());
        decision.code().map_or(0, franking::Code::number)
    }
}

/// An account with its senders.
#[derive(Debug)]
struct Row {
    account: Account,
    senders: HashSet<String>,
}

impl Row {
    fn new(account: &world::Account) -> Self {
        Self {
            account: Account {
                subscriber_credit: i64::try_from(account.subscriber_credit).ok(),
                email_credit: i64::try_from(account.email_credit).ok(),
                ..Account::default()
            },
            senders: account
                .senders
                .iter()
                .map(|sender| sender.to_lowercase())
                .collect(),
        }
    }
}

/// A host with the world in std's maps.
#[derive(Debug)]
struct MapsHost {
    accounts: HashMap<String, Row>,
    /// The key of the account whose call is decided.
    key: String,
    mailers: HashMap<u64, world::Mailer>,
    by_key: HashMap<String, world::Subscriber>,
    by_id: HashMap<u64, world::Subscriber>,
    lists: HashSet<String>,
    blacklists: Blacklists<Arc<DomainSet>>,
    messages: u64,
    reads_html: bool,
}

impl MapsHost {
    fn new(world: &World) -> Self {
        let listed = DomainSet::from_entries(&world.blacklist).expect("domains");
        let listed = Arc::new(listed);
        let accounts = world.accounts.iter();
        let subscribers = world.subscribers.iter();
        Self {
            accounts: accounts
                .clone()
                .map(|account| (account.key.clone(), Row::new(account)))
                .collect(),
            key: String::new(),
            mailers: accounts
                .flat_map(|account| &account.mailers)
                .map(|mailer| (mailer.id, mailer.clone()))
                .collect(),
            by_key: subscribers
                .clone()
                .map(|subscriber| (subscriber.email.to_lowercase(), subscriber.clone()))
                .collect(),
            by_id: subscribers
                .map(|subscriber| (subscriber.id, subscriber.clone()))
                .collect(),
            lists: world.lists.iter().cloned().collect(),
            blacklists: Blacklists {
                sender: listed.clone(),
                reply_to: listed.clone(),
                recipient: listed.clone(),
                content: listed,
            },
            messages: 0,
            reads_html: true,
        }
    }
}

fn answer(found: &world::Subscriber) -> Subscriber<'_> {
    Subscriber {
        id: found.id,
        email: &found.email,
        inactive: found.inactive,
        // The blacklists say that.
        blacklisted: None,
    }
}

impl Host for MapsHost {
    type Error = std::convert::Infallible;

    fn account(&mut self, key: &str) -> Result<Option<Account>, Self::Error> {
        key.clone_into(&mut self.key);
        Ok(self.accounts.get(key).map(|row| row.account))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Self::Error> {
        for id in questions.mailers() {
            facts
                .mailers
                .push(self.mailers.get(&id).map(|mailer| Mailer {
                    from: &mailer.from,
                    from_name: Some(&mailer.from_name),
                    blacklisted: None,
                }));
        }
        let row = self.accounts.get(&self.key);
        let has_sender = |key: &str| row.is_some_and(|row| row.senders.contains(key));
        facts
            .senders
            .extend(questions.senders().map(|key| has_sender(&key)));
        for id in questions.subscriber_ids() {
            facts.subscriber_ids.push(self.by_id.get(&id).map(answer));
        }
        for key in questions.subscribers() {
            facts.subscribers.push(self.by_key.get(&*key).map(answer));
        }
        facts
            .lists
            .extend(questions.lists().map(|name| self.lists.contains(&*name)));
        self.blacklists.answer(questions, facts);
        Ok(())
    }

    fn commit(&mut self, plan: &Plan<'_>) -> Result<Commit, Self::Error> {
        let is_there = |key: &str| self.by_key.contains_key(key);
        if plan.create().any(|new| is_there(&new.match_key())) {
            return Ok(Commit::Conflict(Conflict::SubscriberExists));
        }
        for new in plan.create() {
            black_box((new.email(), new.match_key()));
        }
        for message in plan.messages() {
            black_box((message.from(), message.from_name(), message.subject()));
            black_box((message.reply_to(), message.custom_field()));
            if self.reads_html {
                black_box(message.html());
            }
            for recipient in message.recipients() {
                black_box((recipient.to(), recipient.subscriber()));
                self.messages += 1;
            }
        }
        black_box(plan.debit());
        Ok(Commit::Done {
            transaction_id: self.messages.max(1),
        })
    }
}
