//! A host that answers from a world in JSON.

use franking::{
    Account, Commit, Conflict, DomainRoles, DomainSet, Facts, Host, Mailer, Plan, Questions,
    Subscriber, Subscribers, address,
};
use serde_json::{Value, json};

/// A host that answers from a world in JSON, in the form of `tests/vectors`, and records what it was asked.
pub(crate) struct World {
    world: Value,
    commits: usize,
    /// `account`, `facts` and `commit`, in the order in which they were asked.
    pub(crate) asked: Vec<&'static str>,
}

impl World {
    pub(crate) fn new(world: Value) -> Self {
        let world = if world.is_null() { json!({}) } else { world };
        Self {
            world,
            commits: 0,
            asked: Vec::new(),
        }
    }

    fn list(&self, key: &str) -> &[Value] {
        self.world
            .get(key)
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    fn listed(&self, domain: &str) -> DomainRoles {
        let mut roles = DomainRoles::NONE;
        for name in ["sender", "reply_to", "recipient", "content"] {
            let entries = self.world["blacklists"][name].as_array();
            if entries.is_some_and(|entries| entries.iter().any(|entry| entry == domain)) {
                roles |= DomainRoles::from_name(name).unwrap();
            }
        }
        roles
    }

    fn is_address_listed(&self, text: &str, role: &str) -> bool {
        let Ok(address) = address::parse(text) else {
            return false;
        };
        let entries = self.world["blacklists"][role].as_array();
        let entries = entries.into_iter().flatten().filter_map(Value::as_str);
        DomainSet::from_entries(entries)
            .unwrap()
            .is_listed(&address.domain())
    }

    fn push(&self, column: &mut Subscribers, found: Option<&Value>) {
        column.push(found.map(|row| {
            let email = row["email"].as_str().unwrap();
            Subscriber {
                id: row["id"].as_u64().unwrap(),
                email,
                inactive: row["inactive"].as_bool().unwrap_or_default(),
                blacklisted: Some(self.is_address_listed(email, "recipient")),
            }
        }));
    }

    pub(crate) fn account_of(&self, key: &str) -> Option<Account> {
        let account = self.world["accounts"].get(key)?;
        let flag = |name: &str| account[name].as_bool().unwrap_or_default();
        Some(Account {
            blocked: flag("blocked"),
            expired: flag("expired"),
            deactivated: flag("deactivated"),
            subscriber_credit: account["subscriber_credit"].as_i64(),
            email_credit: account["email_credit"].as_i64(),
        })
    }

    pub(crate) fn facts_of(&self, questions: &Questions<'_>) -> Facts {
        let mut facts = Facts::default();
        for id in questions.mailers() {
            let mailer = self.world["mailers"].get(id.to_string());
            facts.mailers.push(mailer.map(|mailer| {
                let from = mailer["from"].as_str().unwrap();
                Mailer {
                    from,
                    from_name: mailer["from_name"].as_str(),
                    blacklisted: Some(self.is_address_listed(from, "sender")),
                }
            }));
        }
        for sender in questions.senders() {
            let mut keys = self.list("senders").iter().filter_map(key_of);
            facts.senders.push(keys.any(|key| key == sender));
        }
        for id in questions.subscriber_ids() {
            let mut rows = self.list("subscribers").iter();
            self.push(
                &mut facts.subscriber_ids,
                rows.find(|row| row["id"].as_u64() == Some(id)),
            );
        }
        for subscriber in questions.subscribers() {
            let mut rows = self.list("subscribers").iter();
            let found = rows.find(|row| key_of(&row["email"]).as_deref() == Some(&*subscriber));
            self.push(&mut facts.subscribers, found);
        }
        for list in questions.lists() {
            let exists = self.list("lists").iter().any(|name| *name == *list);
            facts.lists.push(exists);
        }
        for (domain, roles) in questions.domains() {
            facts.domains.push(self.listed(&domain).intersection(roles));
        }
        facts
    }

    pub(crate) fn commit_of(&mut self) -> Commit {
        let commit = self
            .list("commits")
            .get(self.commits)
            .cloned()
            .unwrap_or_default();
        self.commits += 1;
        let Value::Object(commit) = commit else {
            let id = &self.world["transaction_id"];
            let transaction_id = if id.is_null() {
                1
            } else {
                id.as_u64().unwrap_or(0)
            };
            return Commit::Done { transaction_id };
        };
        if let Some(Value::Object(change)) = commit.get("change") {
            for (key, value) in change {
                self.world[key] = value.clone();
            }
        }
        if commit.get("fails").is_some_and(|fails| fails == true) {
            return Commit::Unknown;
        }
        let kind = commit["conflict"].as_str().and_then(Conflict::from_name);
        Commit::Conflict(kind.unwrap_or(Conflict::Other))
    }
}

fn key_of(text: &Value) -> Option<String> {
    address::parse(text.as_str()?)
        .ok()
        .map(|address| address.match_key().into_owned())
}

impl Host for World {
    type Error = std::convert::Infallible;

    fn account(&mut self, key: &str) -> Result<Option<Account>, Self::Error> {
        self.asked.push("account");
        Ok(self.account_of(key))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Self::Error> {
        self.asked.push("facts");
        *facts = self.facts_of(questions);
        Ok(())
    }

    fn commit(&mut self, _plan: &Plan<'_>) -> Result<Commit, Self::Error> {
        self.asked.push("commit");
        Ok(self.commit_of())
    }
}
