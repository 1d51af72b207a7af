//! Records that an operator looks up and changes. The statements are the same on both databases.

use std::fmt;

use franking::Account;

use super::identity::{AccountId, KeyHash};
use super::operator::{Address, KeyRow, OperatorError, Reply};
pub use super::statement::Pool;
use super::statement::{HasStatements, Row, Value, statement};

/// A command of an operator, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRow {
    /// Its number.
    pub id: i64,
    /// When it was begun, in seconds since 1970.
    pub begun: i64,
    /// The operator as the system knows it.
    pub operator: String,
    /// The command, without texts.
    pub action: String,
    /// `done` or `failed`; `None` if it was begun and not ended.
    pub outcome: Option<String>,
}

/// Credits that an operator gave or took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditChange {
    /// When, in seconds since 1970.
    pub changed: i64,
    /// Subscriber credit.
    pub subscriber: i64,
    /// Email credit.
    pub email: i64,
    /// The operator as the system knows it.
    pub operator: String,
}

/// An account as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownAccount {
    /// Its name, for people.
    pub name: String,
    /// Its state and credits.
    pub account: Account,
    /// Whether emails of httpSendMail have the service's own List-Unsubscribe.
    pub http_unsubscribe: bool,
    /// Whether sending of its emails is paused.
    pub is_paused: bool,
    /// When it was made, in seconds since 1970.
    pub created: i64,
}

/// Which subscribers are listed.
#[derive(Clone, PartialEq, Eq)]
pub enum Subscribers {
    /// All subscribers of the account after a number.
    After(i64),
    /// Those of a list after a number.
    OfList(String, i64),
    /// The one with that number.
    One(i64),
    /// The one with that address.
    At(Address),
}

/// A subscriber as it is listed.
#[derive(Clone, PartialEq, Eq)]
pub struct SubscriberRow {
    /// Its number.
    pub id: i64,
    /// Its address.
    pub email: String,
    /// Whether it is INACTIVE.
    pub is_inactive: bool,
    /// When it was created, in seconds since 1970.
    pub created: i64,
}

/// A stored email as it is shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ShownMailer {
    /// The assigned sender address.
    pub from: String,
    /// The assigned sender name.
    pub from_name: Option<String>,
    /// The subject.
    pub subject: String,
    /// The template of the URL by which a reader unsubscribes from such emails.
    pub list_unsubscribe: Option<String>,
    /// The emails that a reader unsubscribes from by the service's own List-Unsubscribe.
    pub unsubscribe: Option<String>,
    /// A number that changes with each change.
    pub revision: i64,
    /// The HTML.
    pub html: String,
}

/// Measurements of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Whether the operator has paused sending altogether.
    pub is_paused: bool,
    /// The accounts for which the operator has paused sending.
    pub paused_accounts: Vec<AccountId>,
    /// Events that webhooks have not accepted.
    pub events_to_retry: i64,
    /// Events that have no number yet.
    pub events_unnumbered: i64,
    /// Webhooks that are disabled.
    pub disabled_webhooks: i64,
    /// The size of the database in bytes.
    pub bytes: i64,
    /// For how many seconds the oldest transaction of others has been open. `None` on SQLite.
    pub oldest_transaction: Option<i64>,
    /// The connections of the pool, if there is one.
    pub pool: Option<Pool>,
}

/// Looks up and changes records for an operator.
pub trait Records {
    /// Measures the database. The time for this does not grow with the number of emails.
    fn measure(&self) -> Reply<Measure>;
    /// Notes that a command begins. Returns the number of the note.
    fn begin_audit(&self, operator: String, action: String) -> Reply<i64>;
    /// Notes how a command has ended.
    fn end_audit(&self, id: i64, is_done: bool) -> Reply<()>;
    /// Returns at most `at_most` commands of operators before a number, newest first.
    fn audit(&self, before: Option<i64>, at_most: u32) -> Reply<Vec<AuditRow>>;
    /// Returns an account.
    fn shown_account(&self, account: AccountId) -> Reply<ShownAccount>;
    /// Adds to an account's credits, and notes by how much they have changed. Calls can be debited at the same time. No credit
    /// falls below zero, and a credit without limit stays without limit.
    fn add_credits(
        &self,
        account: AccountId,
        subscriber: i64,
        email: i64,
        operator: String,
    ) -> Reply<()>;
    /// Returns at most `at_most` changes of an account's credits by operators, newest first.
    fn credit_changes(&self, account: AccountId, at_most: u32) -> Reply<Vec<CreditChange>>;
    /// Returns the live keys of an account.
    fn keys(&self, account: AccountId) -> Reply<Vec<KeyRow>>;
    /// Notes that keys are being used.
    fn use_keys(&self, keys: Vec<KeyHash>) -> Reply<()>;
    /// Returns at most `at_most` subscribers of an account, in the order of their numbers.
    fn subscribers(
        &self,
        account: AccountId,
        which: Subscribers,
        at_most: u32,
    ) -> Reply<Vec<SubscriberRow>>;
    /// The names of the lists that a subscriber is in.
    fn lists_of(&self, account: AccountId, subscriber: i64) -> Reply<Vec<String>>;
    /// A stored email.
    fn shown_mailer(&self, account: AccountId, mailer: i64) -> Reply<ShownMailer>;
}

impl<T: HasStatements> Records for T {
    fn measure(&self) -> Reply<Measure> {
        let others = self
            .statements()
            .read_rows(statement!("measure_others.sql"));
        let paused = self
            .statements()
            .read_rows(statement!("paused_accounts.sql", true));
        let (sizes, pool) = (
            self.statements().read_rows(self.statements().sizes()),
            self.statements().pool(),
        );
        Box::pin(async move {
            let others = one(others.await?, "outbox")?;
            let paused = paused.await?;
            let paused = paused.iter().map(|row| row.integer(0).map(AccountId));
            let sizes = one(sizes.await?, "database")?;
            Ok(Measure {
                is_paused: others.flag(0)?,
                paused_accounts: paused.collect::<Result<_, OperatorError>>()?,
                events_to_retry: others.integer(1)?,
                disabled_webhooks: others.integer(2)?,
                events_unnumbered: sizes.integer(1)?,
                bytes: sizes.integer(0)?,
                // If no other transaction is open, it is 0.
                oldest_transaction: match &pool {
                    Some(_) => Some(sizes.optional_integer(2)?.unwrap_or(0)),
                    None => None,
                },
                pool,
            })
        })
    }

    fn begin_audit(&self, operator: String, action: String) -> Reply<i64> {
        let begun =
            self.statements()
                .write_rows(vec![statement!("insert_audit.sql", operator, action)]);
        Box::pin(async move { one(begun.await?, "audit")?.integer(0) })
    }

    fn end_audit(&self, id: i64, is_done: bool) -> Reply<()> {
        let outcome = if is_done { "done" } else { "failed" };
        let ended = self
            .statements()
            .write_rows(vec![statement!("end_audit.sql", id, outcome)]);
        Box::pin(async move { ended.await.map(drop) })
    }

    fn audit(&self, before: Option<i64>, at_most: u32) -> Reply<Vec<AuditRow>> {
        let before = before.unwrap_or(i64::MAX);
        let rows = self
            .statements()
            .read_rows(statement!("select_audit.sql", before, at_most));
        list(rows, |row| {
            Ok(AuditRow {
                id: row.integer(0)?,
                begun: row.integer(1)?,
                operator: row.text(2)?,
                action: row.text(3)?,
                outcome: row.optional_text(4)?,
            })
        })
    }

    fn shown_account(&self, account: AccountId) -> Reply<ShownAccount> {
        let rows = self
            .statements()
            .read_rows(statement!("select_account.sql", account.0));
        Box::pin(async move {
            let row = one(rows.await?, "account")?;
            Ok(ShownAccount {
                name: row.text(0)?,
                account: Account {
                    blocked: row.flag(1)?,
                    expired: row.flag(2)?,
                    deactivated: row.flag(3)?,
                    subscriber_credit: row.optional_integer(4)?,
                    email_credit: row.optional_integer(5)?,
                },
                http_unsubscribe: row.flag(6)?,
                is_paused: row.flag(7)?,
                created: row.integer(8)?,
            })
        })
    }

    fn add_credits(
        &self,
        account: AccountId,
        subscriber: i64,
        email: i64,
        operator: String,
    ) -> Reply<()> {
        let note = statement!(
            "insert_credit_change.sql",
            account.0,
            subscriber,
            email,
            operator
        );
        let rows = self.statements().write_rows(vec![
            statement!("lock_credits.sql", account.0),
            note,
            statement!("add_credits.sql", account.0, subscriber, email),
        ]);
        Box::pin(async move { one(rows.await?, "account").map(drop) })
    }

    fn credit_changes(&self, account: AccountId, at_most: u32) -> Reply<Vec<CreditChange>> {
        let rows = self.statements().read_rows(statement!(
            "select_credit_changes.sql",
            account.0,
            at_most
        ));
        list(rows, |row| {
            Ok(CreditChange {
                changed: row.integer(0)?,
                subscriber: row.integer(1)?,
                email: row.integer(2)?,
                operator: row.text(3)?,
            })
        })
    }

    fn keys(&self, account: AccountId) -> Reply<Vec<KeyRow>> {
        let rows = self
            .statements()
            .read_rows(statement!("select_keys.sql", account.0));
        list(rows, |row| {
            Ok(KeyRow {
                id: row.integer(0)?,
                created: row.integer(1)?,
                label: row.optional_text(2)?,
                used: row.optional_integer(3)?,
            })
        })
    }

    fn use_keys(&self, keys: Vec<KeyHash>) -> Reply<()> {
        let keys = keys.into_iter();
        let used = keys.map(|key| statement!("use_key.sql", Value::Bytes(key.0.to_vec())));
        let used = self.statements().write_rows(used.collect());
        Box::pin(async move { used.await.map(drop) })
    }

    fn subscribers(
        &self,
        account: AccountId,
        which: Subscribers,
        at_most: u32,
    ) -> Reply<Vec<SubscriberRow>> {
        let found = match which {
            Subscribers::After(after) => {
                let sql = statement!("select_subscribers.sql", account.0, after, at_most);
                self.statements().read_rows(sql)
            }
            Subscribers::One(id) => {
                self.statements()
                    .read_rows(statement!("select_subscriber.sql", account.0, id))
            }
            Subscribers::At(address) => {
                let key = address.match_key;
                let sql = statement!("select_subscriber_of_address.sql", account.0, key);
                self.statements().read_rows(sql)
            }
            Subscribers::OfList(name, after) => {
                let sql = statement!("select_members.sql", account.0, name, after, at_most);
                self.statements().read_rows(sql)
            }
        };
        list(found, |row| {
            Ok(SubscriberRow {
                id: row.integer(0)?,
                email: row.text(1)?,
                is_inactive: row.flag(2)?,
                created: row.integer(3)?,
            })
        })
    }

    fn lists_of(&self, account: AccountId, subscriber: i64) -> Reply<Vec<String>> {
        let sql = statement!("select_lists_of_subscriber.sql", account.0, subscriber);
        list(self.statements().read_rows(sql), |row| row.text(0))
    }

    fn shown_mailer(&self, account: AccountId, mailer: i64) -> Reply<ShownMailer> {
        let rows = self
            .statements()
            .read_rows(statement!("select_mailer.sql", account.0, mailer));
        Box::pin(async move {
            let row = one(rows.await?, "mailer")?;
            Ok(ShownMailer {
                from: row.text(0)?,
                from_name: row.optional_text(1)?,
                subject: row.text(2)?,
                list_unsubscribe: row.optional_text(3)?,
                unsubscribe: row.optional_text(4)?,
                revision: row.integer(5)?,
                html: row.text(6)?,
            })
        })
    }
}

pub(super) fn one(rows: Vec<Row>, what: &'static str) -> Result<Row, OperatorError> {
    rows.into_iter().next().ok_or(OperatorError::NotFound(what))
}

pub(super) fn list<R: Send + 'static>(
    rows: Reply<Vec<Row>>,
    read: fn(&Row) -> Result<R, OperatorError>,
) -> Reply<Vec<R>> {
    Box::pin(async move { rows.await?.iter().map(read).collect() })
}

macro_rules! debug_shows_the_type {
    ($($type:ident),+) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($type))
            }
        }
    )+};
}

debug_shows_the_type!(Subscribers, SubscriberRow, ShownMailer);
