use std::collections::HashMap;

use franking::{
    Account, Blacklists, Call, Commit, Conflict, Facts, Host, Mailer, Operation, Plan, Policy, Questions,
    Subscriber, decide,
};

/// A database in memory; yours is SQL.
struct Database {
    /// By match key: the id and the address as it was first given.
    subscribers: HashMap<String, (u64, String)>,
    blacklists: Blacklists,
    next_id: u64,
}

impl Host for Database {
    type Error = std::convert::Infallible;

    fn account(&mut self, key: &str) -> Result<Option<Account>, Self::Error> {
        Ok((key == "secret").then(Account::default))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Self::Error> {
        for _id in questions.mailers() {
            facts.mailers.push(Some(Mailer {
                from: "news@shop.example",
                from_name: Some("Shop News"),
                blacklisted: None, // said below
            }));
        }
        facts.senders.extend(questions.senders().map(|key| key.ends_with("@shop.example")));
        for _id in questions.subscriber_ids() {
            facts.subscriber_ids.push(None);
        }
        for key in questions.subscribers() {
            facts.subscribers.push(self.subscribers.get(&*key).map(|(id, email)| Subscriber {
                id: *id,
                email,
                inactive: false,
                blacklisted: None, // said below
            }));
        }
        facts.lists.extend(questions.lists().map(|_name| false));
        // Which domains are listed: those of the call, and those of the addresses above.
        self.blacklists.answer(questions, facts);
        Ok(())
    }

    fn commit(&mut self, plan: &Plan<'_>) -> Result<Commit, Self::Error> {
        if plan.create().any(|new| self.subscribers.contains_key(&*new.match_key())) {
            return Ok(Commit::Conflict(Conflict::SubscriberExists));
        }
        for new in plan.create() {
            self.next_id += 1;
            let row = (self.next_id, new.email().into_owned());
            self.subscribers.insert(new.match_key().into_owned(), row);
        }
        for message in plan.messages() {
            for recipient in message.recipients() {
                // Queue an email from message.from() to recipient.to() here.
                assert!(recipient.to().contains('@'));
            }
        }
        Ok(Commit::Done { transaction_id: 1 })
    }
}
