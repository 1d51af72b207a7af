//! A host that answers from a JSON file: the `world` of a test case, or of `franking decide`.

use std::collections::{HashMap, HashSet};

use franking::address;
use franking::{
    Account, Blacklists, Commit, Conflict, DomainSet, Facts, Host, HostAnswer, Mailer, Operation,
    Plan, Questions, Step, Subscriber, Subscribers,
};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Number, Value};

/// The JSON form of a world. A member that is left out or null is empty.
#[derive(Deserialize, Clone, Default)]
struct Form {
    accounts: Option<HashMap<String, AccountForm>>,
    mailers: Option<HashMap<String, MailerForm>>,
    senders: Option<Vec<String>>,
    subscribers: Option<Vec<SubscriberForm>>,
    lists: Option<HashSet<String>>,
    blacklists: Option<HashMap<String, Option<Vec<String>>>>,
    transaction_id: Option<Number>,
    commits: Option<Vec<Option<CommitForm>>>,
    #[serde(flatten)]
    _rest: Unknown,
}

/// Unknown members, which are ignored. Flattening it also makes serde accept only objects for the struct, and not arrays.
type Unknown = IgnoredAny;

#[derive(Deserialize, Clone)]
struct AccountForm {
    blocked: Option<bool>,
    expired: Option<bool>,
    deactivated: Option<bool>,
    subscriber_credit: Option<i64>,
    email_credit: Option<i64>,
    #[serde(flatten)]
    _rest: Unknown,
}

#[derive(Deserialize, Clone)]
struct MailerForm {
    from: String,
    from_name: Option<String>,
    #[serde(flatten)]
    _rest: Unknown,
}

#[derive(Deserialize, Clone)]
struct SubscriberForm {
    id: u64,
    email: String,
    inactive: Option<bool>,
    #[serde(flatten)]
    _rest: Unknown,
}

#[derive(Deserialize, Clone)]
struct CommitForm {
    conflict: Option<String>,
    fails: Option<bool>,
    change: Option<Form>,
    #[serde(flatten)]
    _rest: Unknown,
}

impl Form {
    /// This form with the members of `change` in place of its own.
    fn change(self, change: Self) -> Self {
        Self {
            accounts: change.accounts.or(self.accounts),
            mailers: change.mailers.or(self.mailers),
            senders: change.senders.or(self.senders),
            subscribers: change.subscribers.or(self.subscribers),
            lists: change.lists.or(self.lists),
            blacklists: change.blacklists.or(self.blacklists),
            transaction_id: change.transaction_id.or(self.transaction_id),
            commits: change.commits.or(self.commits),
            _rest: self._rest,
        }
    }

    /// Checks what the types do not check, in this form and in every change.
    fn check(&self, operation: Operation) -> Result<(), String> {
        for subscriber in self.subscribers.iter().flatten() {
            if !(1..=i64::MAX as u64).contains(&subscriber.id) {
                return Err(
                    "the id of a subscriber has to be a number from 1 to 2^63-1".to_string()
                );
            }
        }
        self.blacklists()?;
        for commit in self.commits.iter().flatten().flatten() {
            commit.conflict(operation)?;
            if let Some(change) = &commit.change {
                change.check(operation)?;
            }
        }
        Ok(())
    }

    fn blacklists(&self) -> Result<Blacklists, String> {
        let mut blacklists = Blacklists::default();
        for (role, entries) in self.blacklists.iter().flatten() {
            let set = DomainSet::from_entries(entries.iter().flatten());
            let set = set.map_err(|error| error.to_string())?;
            match role.as_str() {
                "sender" => blacklists.sender = set,
                "reply_to" => blacklists.reply_to = set,
                "recipient" => blacklists.recipient = set,
                "content" => blacklists.content = set,
                _ => {
                    return Err(format!(
                        "there is no blacklist {role:?}: expected sender, reply_to, recipient or content"
                    ));
                }
            }
        }
        Ok(blacklists)
    }
}

impl CommitForm {
    /// The conflict that the commit reports; `None` when it fails.
    fn conflict(&self, operation: Operation) -> Result<Option<Conflict>, String> {
        match (&self.conflict, self.fails) {
            (None, Some(true)) => Ok(None),
            (Some(name), None) => Conflict::from_name(name)
                .filter(|conflict| conflict.is_possible(operation))
                .map(Some)
                .ok_or_else(|| {
                    format!("a commit of this operation cannot report the conflict {name:?}")
                }),
            _ => Err("a commit has either \"fails\": true or a \"conflict\"".to_string()),
        }
    }
}

fn key_of(text: &str) -> Option<String> {
    let address = address::parse(text).ok()?;
    Some(address.match_key().into_owned())
}

/// The value of `blacklisted` for a stored address. `None` leaves it to the blacklists. An invalid address is on no list.
fn said(address: &str) -> Option<bool> {
    match address::parse(address) {
        Ok(_) => None,
        Err(_) => Some(false),
    }
}

/// A world, with the tables for look-ups.
pub struct World {
    form: Form,
    senders: HashSet<String>,
    by_id: HashMap<u64, usize>,
    by_key: HashMap<String, usize>,
    blacklists: Blacklists,
    operation: Operation,
    commits: usize,
}

impl World {
    /// Reads the JSON form of a world; `null` is an empty world.
    ///
    /// # Errors
    /// The text says what is wrong with the form.
    pub fn new(world: &Value, operation: Operation) -> Result<Self, String> {
        let form: Option<Form> =
            Option::deserialize(world).map_err(|error| format!("world: {error}"))?;
        let mut world = Self {
            form: form.unwrap_or_default(),
            senders: HashSet::new(),
            by_id: HashMap::new(),
            by_key: HashMap::new(),
            blacklists: Blacklists::default(),
            operation,
            commits: 0,
        };
        world.form.check(operation)?;
        world.read()?;
        Ok(world)
    }

    /// Builds the tables from the form.
    fn read(&mut self) -> Result<(), String> {
        let senders = self.form.senders.iter().flatten();
        self.senders = senders.filter_map(|sender| key_of(sender)).collect();
        self.by_id.clear();
        self.by_key.clear();
        for (index, subscriber) in self.form.subscribers.iter().flatten().enumerate() {
            self.by_id.entry(subscriber.id).or_insert(index);
            if let Some(key) = key_of(&subscriber.email) {
                self.by_key.entry(key).or_insert(index);
            }
        }
        self.blacklists = self.form.blacklists()?;
        Ok(())
    }

    fn push(&self, column: &mut Subscribers, index: Option<&usize>) {
        let subscribers = self.form.subscribers.as_deref().unwrap_or_default();
        let subscriber = index.and_then(|index| subscribers.get(*index));
        column.push(subscriber.map(|subscriber| Subscriber {
            id: subscriber.id,
            email: &subscriber.email,
            inactive: subscriber.inactive.unwrap_or_default(),
            blacklisted: said(&subscriber.email),
        }));
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World").finish_non_exhaustive()
    }
}

impl World {
    /// The account with this key; `None` when there is none.
    #[must_use]
    pub fn look_up_account(&self, key: &str) -> Option<Account> {
        let account = self.form.accounts.as_ref()?.get(key)?;
        Some(Account {
            blocked: account.blocked.unwrap_or_default(),
            expired: account.expired.unwrap_or_default(),
            deactivated: account.deactivated.unwrap_or_default(),
            subscriber_credit: account.subscriber_credit,
            email_credit: account.email_credit,
        })
    }

    /// Writes into `facts`, which is empty, what the world knows of each member of each column.
    pub fn look_up(&self, questions: &Questions<'_>, facts: &mut Facts) {
        for id in questions.mailers() {
            let mailers = self.form.mailers.as_ref();
            let mailer = mailers.and_then(|mailers| mailers.get(&id.to_string()));
            facts.mailers.push(mailer.map(|mailer| Mailer {
                from: &mailer.from,
                from_name: mailer.from_name.as_deref(),
                blacklisted: said(&mailer.from),
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
        let lists = self.form.lists.as_ref();
        facts.lists.extend(
            questions
                .lists()
                .map(|list| lists.is_some_and(|lists| lists.contains(&*list))),
        );
        self.blacklists.answer(questions, facts);
    }

    /// The answer to a step of a call; `None` at the end of the call. If the world cannot carry a plan out, its outcome
    /// is unknown.
    pub fn answer(&mut self, step: &Step<'_>) -> Option<HostAnswer> {
        match step {
            Step::Account(question) => {
                Some(HostAnswer::Account(self.look_up_account(&question.key())))
            }
            Step::Facts(questions) => {
                let mut facts = Facts::default();
                self.look_up(questions, &mut facts);
                Some(HostAnswer::Facts(facts))
            }
            Step::Commit(_) => Some(HostAnswer::Commit(
                self.carry_out().unwrap_or(Commit::Unknown),
            )),
            Step::Done(_) => None,
        }
    }

    /// The result of the next commit, as the form sets it. The form can also change the world at that point.
    ///
    /// # Errors
    /// When the form says that the commit fails, or changes the world into an invalid one.
    pub fn carry_out(&mut self) -> Result<Commit, String> {
        let commits = self.form.commits.as_deref().unwrap_or_default();
        let entry = commits.get(self.commits).cloned().flatten();
        self.commits += 1;
        let Some(entry) = entry else {
            // The form may have any number: whether it is a valid id is for the library to judge.
            let transaction_id = self.form.transaction_id.as_ref();
            return Ok(Commit::Done {
                transaction_id: transaction_id.map_or(1, |id| id.as_u64().unwrap_or(0)),
            });
        };
        let conflict = entry.conflict(self.operation)?;
        if let Some(change) = entry.change {
            self.form = std::mem::take(&mut self.form).change(change);
            self.read()?;
        }
        conflict
            .map(Commit::Conflict)
            .ok_or_else(|| "the commit fails".to_string())
    }
}

impl Host for World {
    type Error = String;

    fn account(&mut self, key: &str) -> Result<Option<Account>, String> {
        Ok(self.look_up_account(key))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), String> {
        self.look_up(questions, facts);
        Ok(())
    }

    fn commit(&mut self, _plan: &Plan<'_>) -> Result<Commit, String> {
        self.carry_out()
    }
}
