//! The library itself as a contender: its machine, driven by a host over the same database as the peers.

use std::hint::black_box;

use franking::{
    Account, Call, Commit, Facts, Host, Mailer, Plan, Policy, Questions, Roles, Subscriber, decide,
};

use crate::contender::Contender;
use crate::database::{AccountRow, Database};
use crate::workload::Operation;
use crate::world;

/// How many subscribers are looked up before any is answered for.
const TOGETHER: usize = 32;

/// Decides with the library.
#[derive(Debug)]
pub struct Ours<'d> {
    policy: Policy,
    host: DatabaseHost<'d>,
}

impl<'d> Ours<'d> {
    /// With the default policy.
    #[must_use]
    pub fn new(database: &'d Database) -> Self {
        let host = DatabaseHost {
            database,
            account: None,
            messages: 0,
            answer_by: |answer| answer(),
        };
        Self {
            policy: Policy::default(),
            host,
        }
    }

    /// Lets `answer_by` call what makes the host's answers, so that their memory can be set aside.
    #[must_use]
    pub fn with_answers_by(mut self, answer_by: fn(&mut dyn FnMut())) -> Self {
        self.host.answer_by = answer_by;
        self
    }
}

impl Contender for Ours<'_> {
    fn name(&self) -> &'static str {
        "franking"
    }

    fn decide(&mut self, operation: Operation, body: &[u8]) -> u16 {
        let operation = match operation {
            Operation::SendMailer => franking::Operation::SendMailer,
            Operation::HttpSendMail => franking::Operation::HttpSendMail,
        };
        let mut call = Call::new(&self.policy, operation, "POST", body);
        let decision =
            decide(&mut call, &mut self.host).expect("the host answers what it is asked");
        black_box(decision.answer());
        decision.code().map_or(0, franking::Code::number)
    }
}

/// A host that looks up in the database and carries plans out by counting.
#[derive(Debug)]
struct DatabaseHost<'d> {
    database: &'d Database,
    account: Option<&'d AccountRow>,
    messages: u64,
    answer_by: fn(&mut dyn FnMut()),
}

impl DatabaseHost<'_> {
    fn answer(&self, questions: &Questions<'_>) -> Facts {
        let mut facts = Facts::default();
        facts.mailers.extend(questions.mailers().map(|id| {
            self.database.mailer(id).map(|mailer| Mailer {
                from: mailer.from.clone(),
                from_name: Some(mailer.from_name.clone()),
                blacklisted: self.is_listed(&mailer.from),
            })
        }));
        let account = self.account;
        let has_sender = |key: &str| account.is_some_and(|account| account.has_sender(key));
        facts
            .senders
            .extend(questions.senders().map(|key| has_sender(&key)));
        for id in questions.subscriber_ids() {
            let found = self.database.subscriber_by_id(id);
            facts.subscriber_ids.push(self.subscriber(found, true));
        }
        // On httpSendMail the stored address is not judged: the email goes to the address as sent.
        let is_judged = questions.mailers().len() > 0;
        facts.subscribers.reserve(questions.subscriber_count());
        // Some at a time, so that the processor waits for several look-ups at once.
        let mut keys = questions.subscribers();
        let mut found = Vec::with_capacity(TOGETHER);
        while keys.len() > 0 {
            let some = keys.by_ref().take(TOGETHER);
            found.extend(some.map(|key| self.database.subscriber(&key)));
            for subscriber in found.drain(..) {
                facts
                    .subscribers
                    .push(self.subscriber(subscriber, is_judged));
            }
        }
        facts
            .lists
            .extend(questions.lists().map(|list| self.database.has_list(&list)));
        facts
            .domains
            .extend(questions.domains().map(|(domain, roles)| {
                if self.database.is_blacklisted(&domain) {
                    roles
                } else {
                    Roles::NONE
                }
            }));
        facts
    }

    fn is_listed(&self, address: &str) -> bool {
        let Some(at) = address.bytes().rposition(|byte| byte == b'@') else {
            return false;
        };
        let domain = &address[at + 1..];
        franking::text::domain::walk(domain).any(|name| self.database.is_blacklisted(&name))
    }

    fn subscriber<'a>(
        &self,
        found: Option<&'a world::Subscriber>,
        is_judged: bool,
    ) -> Option<Subscriber<'a>> {
        found.map(|subscriber| Subscriber {
            id: subscriber.id,
            email: &subscriber.email,
            inactive: subscriber.inactive,
            blacklisted: is_judged && self.is_listed(&subscriber.email),
        })
    }
}

impl Host for DatabaseHost<'_> {
    type Error = std::convert::Infallible;

    fn account(&mut self, key: &str) -> Result<Option<Account>, Self::Error> {
        self.account = self.database.account(key);
        Ok(self.account.map(|account| Account {
            blocked: account.blocked,
            expired: account.expired,
            deactivated: account.deactivated,
            subscriber_credit: i64::try_from(account.subscriber_credit).ok(),
            email_credit: i64::try_from(account.email_credit).ok(),
        }))
    }

    fn facts(&mut self, questions: &Questions<'_>) -> Result<Facts, Self::Error> {
        let mut facts = Facts::default();
        (self.answer_by)(&mut || facts = self.answer(questions));
        Ok(facts)
    }

    fn commit(&mut self, plan: &Plan<'_>) -> Result<Commit, Self::Error> {
        // Everything but the HTML is read, as a host that carries the plan out would.
        for message in plan.messages() {
            black_box((message.from(), message.from_name(), message.subject()));
            black_box((message.reply_to(), message.custom_field()));
            for recipient in message.recipients() {
                black_box((recipient.to(), recipient.subscriber()));
                self.messages += 1;
            }
            if message.mailer().is_some() {
                let updated = plan.update().flat_map(|update| update.fields());
                let created = plan.create().flat_map(|new| new.fields());
                updated.chain(created).for_each(|field| {
                    black_box(field);
                });
            }
        }
        black_box(plan.debit());
        Ok(Commit::Done {
            transaction_id: self.messages.max(1),
        })
    }
}
