//! The library itself as a contender: its machine, driven by a host over the same database as the peers.

use std::borrow::Cow;
use std::hint::black_box;

use franking::{
    Account, Call, Commit, DomainRoles, Facts, Host, Mailer, Plan, Policy, Questions,
    SingleQuestions, Subscriber, Subscribers, decide,
};

use smallvec::SmallVec;

use crate::contender::Contender;
use crate::database::{AccountRow, Database, Hashed};
use crate::workload::Operation;
use crate::world;

/// The number of subscribers that are looked up together.
const TOGETHER: usize = 64;

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
            reads_html: true,
            answer_by: |answer| answer(),
        };
        Self {
            policy: Policy::default(),
            host,
        }
    }

    /// Uses a host that reads all of a plan but the HTML. The rest is the cost of deciding alone.
    #[must_use]
    pub fn without_html(mut self) -> Self {
        self.host.reads_html = false;
        self
    }

    /// Passes the function that makes the host's answers to `answer_by`, so that their memory can be set aside.
    #[must_use]
    pub fn with_answers_by(mut self, answer_by: fn(&mut dyn FnMut())) -> Self {
        self.host.answer_by = answer_by;
        self
    }
}

impl Contender for Ours<'_> {
    fn name(&self) -> &'static str {
        match self.host.reads_html {
            true => "franking",
            false => "franking, HTML unread",
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

/// A host that looks up in the database. It carries a plan out by counting its messages.
#[derive(Debug)]
struct DatabaseHost<'d> {
    database: &'d Database,
    account: Option<&'d AccountRow>,
    messages: u64,
    reads_html: bool,
    answer_by: fn(&mut dyn FnMut()),
}

impl DatabaseHost<'_> {
    fn answer(&self, questions: &Questions<'_>, facts: &mut Facts) {
        if let Some(single) = questions.single() {
            self.answer_send_mailer(questions, &single, facts);
        } else {
            self.answer_domains(questions, facts);
            self.answer_senders(questions, facts);
            facts.subscribers = self.answer_many(questions.subscribers());
        }
    }

    /// Hashes all keys first, then finds them, and reads the rows at the end: the processor then loads several distant rows
    /// at the same time.
    fn answer_send_mailer(
        &self,
        questions: &Questions<'_>,
        single: &SingleQuestions<'_>,
        facts: &mut Facts,
    ) {
        let database = self.database;
        let mailer = database.hashed(single.mailer());
        let id = single.subscriber_id().map(|id| database.hashed(id));
        let key = single.subscriber();
        let key = key.as_deref().map(|key| database.hashed(key));
        let sender = single.sender();
        let sender = sender.as_deref().map(|key| database.hashed(key));
        let list = single.list();
        let list = list.as_deref().map(|list| database.hashed(list));
        let domains: SmallVec<[_; 4]> = questions
            .domains()
            .map(|(name, roles)| (database.hashed(name), roles))
            .collect();

        let with_hash = key.and_then(|key| database.with_hash_of(key));
        let with_id = id.and_then(|id| database.subscriber_by_id(id));
        let mailer = database.mailer(mailer);
        let has_sender = |key| self.account.is_some_and(|account| account.has_sender(key));
        let has_sender = sender.map(has_sender);
        let has_list = list.map(|list| database.has_list(list));
        let listed = |(name, roles): &(Hashed<_>, DomainRoles)| {
            if database.is_blacklisted(name.text()) {
                *roles
            } else {
                DomainRoles::NONE
            }
        };
        facts.domains = domains.iter().map(listed).collect();
        // The texts are not in the rows. Reading a byte of each loads them before they are needed.
        let first = |text: &str| text.as_bytes().first().copied();
        black_box((
            with_hash.or(with_id).and_then(|found| first(&found.email)),
            mailer.map(|mailer| (first(&mailer.from), first(&mailer.from_name))),
        ));
        facts.senders = has_sender.into_iter().collect();
        facts.lists = has_list.into_iter().collect();

        // The assigned address is not used when the call has a sender of its own.
        let is_used = sender.is_none();
        facts.mailers.push(mailer.map(|mailer| Mailer {
            from: if is_used { &mailer.from } else { "" },
            from_name: Some(&mailer.from_name),
            blacklisted: Some(is_used && self.is_listed(&mailer.from)),
        }));
        if id.is_some() {
            let found = with_id.map(|found| answer(found, self.is_listed(&found.email)));
            facts.subscriber_ids.push(found);
        }
        if let Some(key) = key {
            // A subscriber that was found by address has that address. Its domain was looked up above.
            let is_recipient = |roles: &DomainRoles| roles.contains(DomainRoles::RECIPIENT);
            let is_listed = facts.domains.iter().any(is_recipient);
            let found = with_hash.filter(|found| found.email.eq_ignore_ascii_case(key.key));
            let found = found.map(|found| answer(found, is_listed));
            facts.subscribers.push(found);
        }
    }

    fn answer_domains(&self, questions: &Questions<'_>, facts: &mut Facts) {
        let listed = |(domain, roles): (Cow<'_, str>, DomainRoles)| {
            if self.is_blacklisted(&domain) {
                roles
            } else {
                DomainRoles::NONE
            }
        };
        facts.domains = questions.domains().map(listed).collect();
    }

    fn answer_senders(&self, questions: &Questions<'_>, facts: &mut Facts) {
        let account = self.account;
        let has_sender = |key: &str| {
            account.is_some_and(|account| account.has_sender(self.database.hashed(key)))
        };
        let senders = questions.senders().map(|key| has_sender(&key));
        facts.senders = senders.collect();
    }

    /// The subscribers with these addresses. The emails go to the addresses of the call, so the stored ones are left out.
    fn answer_many<'k>(
        &self,
        mut keys: impl ExactSizeIterator<Item = Cow<'k, str>>,
    ) -> Subscribers {
        let mut answers = Subscribers::default();
        answers.reserve(keys.len());
        let mut some = Vec::with_capacity(keys.len().min(TOGETHER));
        let mut found = Vec::with_capacity(keys.len().min(TOGETHER));
        while keys.len() > 0 {
            some.clear();
            some.extend(keys.by_ref().take(TOGETHER));
            self.database.subscribers(&some, &mut found);
            for found in &found {
                answers.push(found.map(|found| Subscriber {
                    email: "",
                    ..answer(found, false)
                }));
            }
        }
        answers
    }

    fn is_listed(&self, address: &str) -> bool {
        let at = address.bytes().rposition(|byte| byte == b'@');
        let domain = at.and_then(|at| address.get(at + 1..)).unwrap_or_default();
        franking::domain::walk(domain).any(|name| self.is_blacklisted(&name))
    }

    fn is_blacklisted(&self, domain: &str) -> bool {
        self.database.is_blacklisted(self.database.hashed(domain))
    }
}

fn answer(found: &world::Subscriber, blacklisted: bool) -> Subscriber<'_> {
    Subscriber {
        id: found.id,
        email: &found.email,
        inactive: found.inactive,
        blacklisted: Some(blacklisted),
    }
}

impl Host for DatabaseHost<'_> {
    type Error = std::convert::Infallible;

    fn account(&mut self, key: &str) -> Result<Option<Account>, Self::Error> {
        self.account = self.database.account(self.database.hashed(key));
        Ok(self.account.map(|account| Account {
            blocked: account.blocked,
            expired: account.expired,
            deactivated: account.deactivated,
            subscriber_credit: i64::try_from(account.subscriber_credit).ok(),
            email_credit: i64::try_from(account.email_credit).ok(),
        }))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Self::Error> {
        (self.answer_by)(&mut || self.answer(questions, facts));
        Ok(())
    }

    fn commit(&mut self, plan: &Plan<'_>) -> Result<Commit, Self::Error> {
        // Reads everything, as a host that carries the plan out would.
        if let Some(plan) = plan.single() {
            black_box((plan.mailer(), plan.subscriber(), plan.to(), plan.list()));
            black_box((plan.from(), plan.from_name(), plan.custom_field()));
            plan.fields().for_each(|field| {
                black_box(field);
            });
            self.messages += 1;
        } else {
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
        }
        black_box(plan.debit());
        Ok(Commit::Done {
            transaction_id: self.messages.max(1),
        })
    }
}
