//! Erases a person everywhere, or an account with everything that it has. The statements are the same on both databases.

use std::collections::BTreeSet;

use super::identity::AccountId;
use super::operator::{Address, OperatorError, Reply};
use super::records::list;
use super::retention::counts;
use super::statement::{HasStatements, Row, Statement, Statements, Value};

/// The number of rows of a table that were removed or emptied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
    /// The table.
    pub table: &'static str,
    /// How many rows.
    pub rows: u64,
}

/// The result of erasing a person or an account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removal {
    /// The removed rows, by table.
    pub removed: Vec<Removed>,
    /// The number of messages that stay because they were sent to others as well.
    pub shared: u64,
}

impl Removal {
    /// Adds what another removal has removed.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for removed in other.removed {
            self.add(removed.table, removed.rows);
        }
        self.shared = self.shared.saturating_add(other.shared);
        self
    }

    fn add(&mut self, table: &'static str, rows: u64) {
        let found = self
            .removed
            .iter_mut()
            .find(|removed| removed.table == table);
        match found {
            Some(removed) => removed.rows = removed.rows.saturating_add(rows),
            None => self.removed.push(Removed { table, rows }),
        }
    }
}

/// A kept call, sealed: its number, its account and its text.
pub type SealedCall = (i64, AccountId, Vec<u8>);

/// Removes people and accounts.
pub trait Erasure {
    /// Returns the subscribers with an address, each with its account: of one account, or of all.
    fn readers(&self, address: Address, account: Option<AccountId>)
    -> Reply<Vec<(AccountId, i64)>>;
    /// Returns the emails of a subscriber that still wait.
    fn waiting_of(&self, account: AccountId, subscriber: i64) -> Reply<Vec<i64>>;
    /// Removes what reports, transcripts, events and suppressions say about a subscriber.
    fn erase_traces(&self, account: AccountId, subscriber: i64) -> Reply<Removal>;
    /// Removes the emails that a subscriber was sent, and then the subscriber itself. If this fails, it can be repeated.
    /// Counts stay, and so does the hash of a reader who has unsubscribed.
    fn erase_reader(&self, account: AccountId, subscriber: i64) -> Reply<Removal>;
    /// Returns the next sealed calls after a number, of one account or of all, each with its number and its account: at most
    /// 100, up to the call with which they reach 4 MB.
    fn sealed_calls(&self, account: Option<AccountId>, after: i64) -> Reply<Vec<SealedCall>>;
    /// Removes a kept call.
    fn remove_call(&self, number: i64) -> Reply<()>;
    /// Removes an account with everything that it has. Counts stay. If this fails, it can be repeated.
    fn delete_account(&self, account: AccountId) -> Reply<Removal>;
}

/// A statement that finds deliveries, and the one that removes them.
macro_rules! of_deliveries {
    ($which:literal) => {
        [
            $which,
            concat!(
                "DELETE FROM deliveries WHERE id IN (",
                $which,
                ") RETURNING account, created, events, call, message"
            ),
        ]
    };
}

/// The statements that remove rows of a subscriber before its emails are removed. ?1 is the account, and ?2 is the subscriber.
const TRACES: &[(&str, &str)] = &[
    (
        "reports",
        "DELETE FROM reports WHERE account = ?1 AND subscriber = ?2 RETURNING id",
    ),
    (
        "transcripts",
        "DELETE FROM transcripts WHERE call IN (SELECT call FROM deliveries WHERE account = ?1 AND subscriber = ?2) RETURNING id",
    ),
    (
        // A mail server's answer often quotes the address.
        "reasons of events",
        "UPDATE events SET reason = NULL WHERE account = ?1 AND subscriber = ?2 AND reason IS NOT NULL RETURNING account",
    ),
    (
        "suppressions",
        "DELETE FROM suppressions WHERE account = ?1 AND subscriber = ?2 RETURNING id",
    ),
    (
        "suppression_checks",
        "DELETE FROM suppression_checks WHERE account = ?1 AND subscriber = ?2 RETURNING id",
    ),
];

/// The statements that remove rows of a subscriber after its emails are removed. ?1 is the account, and ?2 is the subscriber.
const READER: &[(&str, &str)] = &[
    (
        "subscriber_fields",
        "DELETE FROM subscriber_fields WHERE account = ?1 AND subscriber = ?2 RETURNING account",
    ),
    (
        "list_members",
        "DELETE FROM list_members WHERE account = ?1 AND subscriber = ?2 RETURNING account",
    ),
    (
        "subscribers",
        "DELETE FROM subscribers WHERE account = ?1 AND id = ?2 RETURNING id",
    ),
];

/// Up to 500 deliveries of account ?1, or of its subscriber ?2: the statement that finds them, and the one that removes
/// them.
const DELIVERIES: [&str; 2] = of_deliveries!(
    "SELECT id FROM deliveries WHERE account = ?1 ORDER BY subscriber, id LIMIT 500"
);
const DELIVERIES_OF_SUBSCRIBER: [&str; 2] = of_deliveries!(
    "SELECT id FROM deliveries WHERE account = ?1 AND subscriber = ?2 ORDER BY id LIMIT 500"
);
/// Removes the hits of delivery ?1, and its place in the queue.
const OF_DELIVERY: [(&str, &str); 2] = [
    ("hits", "DELETE FROM hits WHERE delivery = ?1 RETURNING id"),
    (
        "queue",
        "DELETE FROM queue WHERE delivery = ?1 RETURNING delivery",
    ),
];

/// Removes message ?2 of call ?1 if it was sent to nobody else.
const MESSAGE: &str = "DELETE FROM messages
WHERE call = ?1 AND position = ?2
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.call = messages.call AND d.message = messages.position)
RETURNING content";

/// Removes content ?1 if nothing else uses it.
const CONTENT: &str = include_str!("sql/forget_content.sql");

/// The statements that remove rows of account ?1 before its emails, 500 rows at a time where there can be many.
const BEFORE_EMAILS: &[(&str, &str)] = &[
    (
        "transcripts",
        "DELETE FROM transcripts WHERE id IN (
            SELECT id FROM transcripts WHERE account = ?1 AND call IS NULL LIMIT 500
        ) RETURNING id",
    ),
    (
        "reports",
        "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE account = ?1 LIMIT 500) RETURNING id",
    ),
    (
        "webhooks",
        "DELETE FROM webhooks WHERE account = ?1 RETURNING id",
    ),
];

/// The statements that remove rows of account ?1 after its emails, 500 rows at a time where there can be many.
const AFTER_EMAILS: &[(&str, &str)] = &[
    (
        "idempotency",
        "DELETE FROM idempotency WHERE (account, key) IN (
            SELECT account, key FROM idempotency WHERE account = ?1 LIMIT 500
        ) RETURNING account",
    ),
    (
        "events",
        "DELETE FROM events WHERE number IN (
            SELECT number FROM events WHERE account = ?1 AND number IS NOT NULL LIMIT 500
        ) RETURNING number",
    ),
    (
        // The events without a number.
        "events",
        "DELETE FROM events WHERE account = ?1 RETURNING account",
    ),
    (
        "suppressions",
        "DELETE FROM suppressions WHERE account = ?1 RETURNING id",
    ),
    (
        "suppression_checks",
        "DELETE FROM suppression_checks WHERE account = ?1 RETURNING id",
    ),
    (
        "unsubscribed",
        "DELETE FROM unsubscribed WHERE id IN (SELECT id FROM unsubscribed WHERE account = ?1 LIMIT 500) RETURNING id",
    ),
    (
        "list_members",
        "DELETE FROM list_members WHERE (list, subscriber) IN (
            SELECT list, subscriber FROM list_members WHERE account = ?1 LIMIT 500
        ) RETURNING list",
    ),
    ("lists", "DELETE FROM lists WHERE account = ?1 RETURNING id"),
    (
        "subscribers",
        "DELETE FROM subscribers WHERE account = ?1 AND id IN (
            SELECT id FROM subscribers WHERE account = ?1 LIMIT 500
        ) RETURNING id",
    ),
    (
        "senders",
        "DELETE FROM senders WHERE account = ?1 RETURNING account",
    ),
    ("keys", "DELETE FROM keys WHERE account = ?1 RETURNING id"),
    (
        "credit_changes",
        "DELETE FROM credit_changes WHERE account = ?1 RETURNING id",
    ),
    (
        "past_debits",
        "DELETE FROM past_debits WHERE account = ?1 RETURNING account",
    ),
];

/// The statements that remove account ?1 itself. Its credits come first, because whoever writes for an account locks them
/// first.
const ACCOUNT: &[(&str, &str)] = &[
    (
        "credits",
        "DELETE FROM credits WHERE account = ?1 RETURNING account",
    ),
    (
        "accounts",
        "DELETE FROM accounts WHERE id = ?1 RETURNING id",
    ),
];

/// Finds up to 500 calls of account ?1. `OF_CALL` removes the rows of each.
const CALLS: &str = "SELECT id FROM calls WHERE account = ?1 ORDER BY created LIMIT 500";
const OF_CALL: [(&str, &str); 2] = [
    (
        "transcripts",
        "DELETE FROM transcripts WHERE call = ?1 RETURNING id",
    ),
    ("calls", "DELETE FROM calls WHERE id = ?1 RETURNING id"),
];

/// Finds the next sealed calls after number ?1, of account ?2 or of all if ?2 is NULL. A call is found if those before it have
/// less than 4 MB together, so a longer call is found as well.
const SEALED: &str = "WITH next_ones AS (
        SELECT id, length(sealed) AS size FROM transcripts
        WHERE id > ?1 AND (CAST(?2 AS bigint) IS NULL OR account = ?2) AND sealed IS NOT NULL ORDER BY id LIMIT 100
    ), placed AS (
        SELECT id, sum(size) OVER (ORDER BY id) - size AS place FROM next_ones
    )
    SELECT t.id, t.account, t.sealed FROM placed p JOIN transcripts t ON t.id = p.id WHERE p.place < 4194304 ORDER BY t.id";

const MAILERS: &str = "DELETE FROM mailers WHERE account = ?1 RETURNING content";

/// All statements that remove people and accounts, each with its table.
#[must_use]
pub fn erasing() -> Vec<(&'static str, &'static str)> {
    let lists = [
        TRACES,
        READER,
        BEFORE_EMAILS,
        AFTER_EMAILS,
        ACCOUNT,
        &OF_CALL,
        &OF_DELIVERY,
    ];
    let lists = lists.into_iter();
    let of_deliveries = DELIVERIES.into_iter().chain(DELIVERIES_OF_SUBSCRIBER);
    let of_deliveries = of_deliveries.map(|sql| ("deliveries", sql));
    let others = [
        ("messages", MESSAGE),
        ("mailers", MAILERS),
        ("calls", CALLS),
    ];
    let all = lists.flatten().copied().chain(of_deliveries);
    all.chain(others).collect()
}

fn with(sql: &'static str, given: &[i64]) -> Statement {
    Statement {
        sql,
        given: given.iter().map(|number| (*number).into()).collect(),
    }
}

impl<T: HasStatements> Erasure for T {
    fn readers(
        &self,
        address: Address,
        account: Option<AccountId>,
    ) -> Reply<Vec<(AccountId, i64)>> {
        let sql = "SELECT a.id, s.id FROM accounts a JOIN subscribers s ON s.account = a.id AND s.match_key = ?1 ORDER BY a.id";
        let found = self.statements().read_rows(Statement {
            sql,
            given: vec![address.match_key.into()],
        });
        Box::pin(async move {
            let mut readers = Vec::new();
            for row in found.await? {
                let of = AccountId(row.integer(0)?);
                if account.is_none_or(|account| account == of) {
                    readers.push((of, row.integer(1)?));
                }
            }
            Ok(readers)
        })
    }

    fn waiting_of(&self, account: AccountId, subscriber: i64) -> Reply<Vec<i64>> {
        let sql =
            "SELECT id FROM deliveries WHERE account = ?1 AND subscriber = ?2 AND state = 'queued'";
        let found = self
            .statements()
            .read_rows(with(sql, &[account.0, subscriber]));
        Box::pin(async move { found.await?.iter().map(|row| row.integer(0)).collect() })
    }

    fn erase_traces(&self, account: AccountId, subscriber: i64) -> Reply<Removal> {
        let store = self.statements();
        Box::pin(async move {
            let mut removal = Removal::default();
            remove_each(&*store, TRACES, &[account.0, subscriber], &mut removal).await?;
            Ok(removal)
        })
    }

    fn erase_reader(&self, account: AccountId, subscriber: i64) -> Reply<Removal> {
        let store = self.statements();
        Box::pin(async move {
            let mut removal = Removal::default();
            let given = [account.0, subscriber];
            let deliveries = DELIVERIES_OF_SUBSCRIBER.map(|sql| with(sql, &given));
            remove_emails(&*store, &deliveries, &mut removal).await?;
            remove_each(&*store, READER, &given, &mut removal).await?;
            // A call may have sent to the subscriber in the meantime.
            remove_emails(&*store, &deliveries, &mut removal).await?;
            Ok(removal)
        })
    }

    fn sealed_calls(&self, account: Option<AccountId>, after: i64) -> Reply<Vec<SealedCall>> {
        let found = self.statements().read_rows(Statement {
            sql: SEALED,
            given: vec![after.into(), account.map(|account| account.0).into()],
        });
        list(found, |row| {
            Ok((row.integer(0)?, AccountId(row.integer(1)?), row.bytes(2)?))
        })
    }

    fn remove_call(&self, number: i64) -> Reply<()> {
        let sql = "DELETE FROM transcripts WHERE id = ?1";
        let removed = self.statements().write_rows(vec![with(sql, &[number])]);
        Box::pin(async move { removed.await.map(drop) })
    }

    fn delete_account(&self, account: AccountId) -> Reply<Removal> {
        let store = self.statements();
        Box::pin(async move {
            let mut removal = Removal::default();
            let given = [account.0];
            for (table, sql) in BEFORE_EMAILS {
                remove_all(&*store, table, with(sql, &given), &mut removal).await?;
            }
            let deliveries = DELIVERIES.map(|sql| with(sql, &given));
            remove_emails(&*store, &deliveries, &mut removal).await?;
            let mailers = store.write_rows(vec![with(MAILERS, &given)]).await?;
            removal.add("mailers", mailers.len() as u64);
            remove_contents(&*store, &mailers, &mut removal).await?;
            remove_calls(&*store, account, &mut removal).await?;
            for (table, sql) in AFTER_EMAILS {
                remove_all(&*store, table, with(sql, &given), &mut removal).await?;
            }
            remove_each(&*store, ACCOUNT, &given, &mut removal).await?;
            removal.shared = 0;
            Ok(removal)
        })
    }
}

/// The number of rows that several statements have returned.
fn rows_of_all(rows: &[Vec<Row>]) -> u64 {
    rows.iter().map(|rows| rows.len() as u64).sum()
}

/// Removes the calls of an account, and the transcripts of these calls.
async fn remove_calls(
    store: &dyn Statements,
    account: AccountId,
    removal: &mut Removal,
) -> Result<(), OperatorError> {
    loop {
        let calls = store.read_rows(with(CALLS, &[account.0])).await?;
        if calls.is_empty() {
            return Ok(());
        }
        for (table, sql) in OF_CALL {
            let all = calls.iter().map(|call| Ok(with(sql, &[call.integer(0)?])));
            let all = all.collect::<Result<_, OperatorError>>()?;
            let removed = store.write_each(all).await?;
            removal.add(table, rows_of_all(&removed));
        }
    }
}

/// Carries out statements in one transaction, each of which removes all that it finds.
async fn remove_each(
    store: &dyn Statements,
    statements: &[(&'static str, &'static str)],
    given: &[i64],
    removal: &mut Removal,
) -> Result<(), OperatorError> {
    let all = statements.iter().map(|(_, sql)| with(sql, given));
    let removed = store.write_each(all.collect()).await?;
    for ((table, _), rows) in statements.iter().zip(removed) {
        removal.add(table, rows.len() as u64);
    }
    Ok(())
}

/// Carries out a statement until it finds nothing.
async fn remove_all(
    store: &dyn Statements,
    table: &'static str,
    statement: Statement,
    removal: &mut Removal,
) -> Result<(), OperatorError> {
    loop {
        let removed = store.write_rows(vec![statement.clone()]).await?;
        removal.add(table, removed.len() as u64);
        if removed.is_empty() {
            return Ok(());
        }
    }
}

/// Removes deliveries and adds them to the counts. Also removes the messages that were sent to nobody else.
async fn remove_emails(
    store: &dyn Statements,
    [which, remove]: &[Statement; 2],
    removal: &mut Removal,
) -> Result<(), OperatorError> {
    loop {
        let found = store.read_rows(which.clone()).await?;
        for (table, sql) in OF_DELIVERY {
            let all = found.iter().map(|row| Ok(with(sql, &[row.integer(0)?])));
            let all = all.collect::<Result<_, OperatorError>>()?;
            let rows = store.write_each(all).await?;
            removal.add(table, rows_of_all(&rows));
        }
        let removed = store.write_then(remove.clone(), Box::new(counts)).await?;
        removal.add("deliveries", removed.len() as u64);
        if removed.is_empty() {
            return Ok(());
        }
        let messages = removed
            .iter()
            .map(|row| Ok([row.integer(3)?, row.integer(4)?]));
        let messages = messages.collect::<Result<BTreeSet<_>, OperatorError>>()?;
        let all = messages.iter().map(|message| with(MESSAGE, message));
        let removed = store.write_each(all.collect()).await?;
        let kept = removed.iter().filter(|rows| rows.is_empty()).count();
        removal.shared = removal.shared.saturating_add(kept as u64);
        let removed: Vec<Row> = removed.into_iter().flatten().collect();
        removal.add("messages", removed.len() as u64);
        remove_contents(store, &removed, removal).await?;
    }
}

/// Removes the contents of removed rows that nothing else uses.
async fn remove_contents(
    store: &dyn Statements,
    rows: &[Row],
    removal: &mut Removal,
) -> Result<(), OperatorError> {
    let hashes = rows.iter().map(|row| row.optional_bytes(0));
    let hashes = hashes.collect::<Result<BTreeSet<_>, _>>()?;
    let unused = hashes.into_iter().flatten().map(|hash| Statement {
        sql: CONTENT,
        given: vec![Value::Bytes(hash)],
    });
    let removed = store.write_each(unused.collect()).await?;
    removal.add("contents", rows_of_all(&removed));
    Ok(())
}
