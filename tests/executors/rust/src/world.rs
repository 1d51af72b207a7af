//! A host that answers from a case's `world`.

use std::collections::{HashMap, HashSet};

use franking::text::address;
use franking::{
    Account, Commit, Conflict, DomainSet, Facts, Host, Mailer, Operation, Plan, Questions, Roles,
    Subscriber, Subscribers,
};
use serde::Deserialize;
use serde_json::{Map, Number, Value};

/// The world as it is written in a case.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Form {
    accounts: HashMap<String, AccountForm>,
    mailers: HashMap<String, MailerForm>,
    senders: Vec<String>,
    subscribers: Vec<SubscriberForm>,
    lists: HashSet<String>,
    blacklists: HashMap<String, Vec<String>>,
    transaction_id: Option<Number>,
    commits: Vec<Option<CommitForm>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct AccountForm {
    blocked: bool,
    expired: bool,
    deactivated: bool,
    subscriber_credit: Option<i64>,
    email_credit: Option<i64>,
}

#[derive(Deserialize)]
struct MailerForm {
    from: String,
    from_name: Option<String>,
}

#[derive(Deserialize)]
struct SubscriberForm {
    id: u64,
    email: String,
    #[serde(default)]
    inactive: bool,
}

#[derive(Deserialize)]
struct CommitForm {
    conflict: String,
    #[serde(default)]
    change: Map<String, Value>,
}

/// The world as the host looks things up in it.
pub struct World {
    source: Map<String, Value>,
    form: Form,
    senders: HashSet<String>,
    by_id: HashMap<u64, usize>,
    by_key: HashMap<String, usize>,
    blacklists: Vec<(Roles, DomainSet)>,
    commits: usize,
    transaction_id: u64,
    conflicts: Vec<Option<(Conflict, Map<String, Value>)>>,
}

impl World {
    /// Reads the JSON form of a world; `null` is an empty one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(world: &Value, operation: Operation) -> Result<Self, String> {
        let source = match world {
            Value::Null => Map::new(),
            Value::Object(source) => source.clone(),
            _ => return Err("world has to be an object".to_string()),
        };
        let mut world = Self {
            source,
            form: Form::default(),
            senders: HashSet::new(),
            by_id: HashMap::new(),
            by_key: HashMap::new(),
            blacklists: Vec::new(),
            commits: 0,
            transaction_id: 1,
            conflicts: Vec::new(),
        };
        world.read()?;
        for commit in std::mem::take(&mut world.form.commits) {
            let conflict = commit.map(|commit| {
                let conflict = Conflict::from_name(&commit.conflict);
                let conflict = conflict.filter(|conflict| conflict.is_possible(operation));
                let conflict = conflict
                    .ok_or_else(|| format!("no such conflict here: {:?}", commit.conflict))?;
                Ok::<_, String>((conflict, commit.change))
            });
            world.conflicts.push(conflict.transpose()?);
        }
        Ok(world)
    }

    /// Makes the tables from the source.
    fn read(&mut self) -> Result<(), String> {
        let form: Form = serde_json::from_value(Value::Object(self.source.clone()))
            .map_err(|error| format!("world: {error}"))?;
        let key = |text: &str| {
            address::parse(text)
                .ok()
                .map(|address| address.match_key().into_owned())
        };
        self.senders = form
            .senders
            .iter()
            .filter_map(|sender| key(sender))
            .collect();
        self.by_id.clear();
        self.by_key.clear();
        for (index, subscriber) in form.subscribers.iter().enumerate() {
            self.by_id.entry(subscriber.id).or_insert(index);
            if let Some(key) = key(&subscriber.email) {
                self.by_key.entry(key).or_insert(index);
            }
        }
        self.blacklists.clear();
        for (role, entries) in &form.blacklists {
            let role =
                Roles::from_name(role).ok_or_else(|| format!("there is no role {role:?}"))?;
            let set = DomainSet::from_entries(entries).map_err(|error| error.to_string())?;
            self.blacklists.push((role, set));
        }
        // Any number may be given: whether it can be an id is for the library to say.
        self.transaction_id = form
            .transaction_id
            .as_ref()
            .map_or(1, |id| id.as_u64().unwrap_or(0));
        self.form = form;
        Ok(())
    }

    /// The roles for which a domain is listed by its own name.
    fn listed(&self, domain: &str) -> Roles {
        let lists = self
            .blacklists
            .iter()
            .filter(|(_, set)| set.contains(domain));
        lists.fold(Roles::NONE, |roles, (role, _)| roles | *role)
    }

    fn is_address_listed(&self, text: &str, role: Roles) -> bool {
        let Ok(address) = address::parse(text) else {
            return false;
        };
        self.blacklists
            .iter()
            .any(|(own, set)| *own == role && set.is_listed(&address.domain_ascii()))
    }

    fn push(&self, column: &mut Subscribers, index: Option<&usize>) {
        let subscriber = index.and_then(|index| self.form.subscribers.get(*index));
        column.push(subscriber.map(|subscriber| Subscriber {
            id: subscriber.id,
            email: &subscriber.email,
            inactive: subscriber.inactive,
            blacklisted: self.is_address_listed(&subscriber.email, Roles::RECIPIENT),
        }));
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}

impl Host for World {
    type Error = String;

    fn account(&mut self, key: &str) -> Result<Option<Account>, String> {
        Ok(self.form.accounts.get(key).map(|account| Account {
            blocked: account.blocked,
            expired: account.expired,
            deactivated: account.deactivated,
            subscriber_credit: account.subscriber_credit,
            email_credit: account.email_credit,
        }))
    }

    fn facts(&mut self, questions: &Questions<'_>) -> Result<Facts, String> {
        let mut facts = Facts::default();
        for id in questions.mailers() {
            let mailer = self.form.mailers.get(&id.to_string());
            facts.mailers.push(mailer.map(|mailer| Mailer {
                from: mailer.from.clone(),
                from_name: mailer.from_name.clone(),
                blacklisted: self.is_address_listed(&mailer.from, Roles::SENDER),
            }));
        }
        facts
            .senders
            .extend(questions.senders().map(|key| self.senders.contains(&*key)));
        for id in questions.subscriber_ids() {
            self.push(&mut facts.subscriber_ids, self.by_id.get(&id));
        }
        for key in questions.subscribers() {
            self.push(&mut facts.subscribers, self.by_key.get(&*key));
        }
        facts.lists.extend(
            questions
                .lists()
                .map(|list| self.form.lists.contains(&*list)),
        );
        facts.domains.extend(
            questions
                .domains()
                .map(|(domain, roles)| self.listed(domain).intersection(roles)),
        );
        Ok(facts)
    }

    fn commit(&mut self, _plan: &Plan<'_>) -> Result<Commit, String> {
        let conflict = self.conflicts.get(self.commits).cloned().flatten();
        self.commits += 1;
        let Some((conflict, change)) = conflict else {
            return Ok(Commit::Done {
                transaction_id: self.transaction_id,
            });
        };
        self.source.extend(change);
        self.read()?;
        Ok(Commit::Conflict(conflict))
    }
}
