//! Erases a person everywhere, or an account with everything that it has. The statements are the same on both databases.

mod statements;

use std::collections::BTreeSet;

use super::identity::AccountId;
use super::operator::{Address, OperatorError, Reply};
use super::records::list;
use super::retention::counts;
use super::statement::{HasStatements, Row, Statement, Statements, Value};
pub use statements::erasing;
use statements::{
    ACCOUNT, AFTER_EMAILS, BEFORE_EMAILS, CALLS, CONTENT, DELIVERIES, DELIVERIES_OF_SUBSCRIBER,
    MAILERS, MESSAGE, OF_CALL, OF_DELIVERY, READER, SEALED, TRACES,
};

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
        if found.is_empty() {
            return Ok(());
        }
        for (table, sql) in OF_DELIVERY {
            let all = found.iter().map(|row| Ok(with(sql, &[row.integer(0)?])));
            let all = all.collect::<Result<_, OperatorError>>()?;
            let rows = store.write_each(all).await?;
            removal.add(table, rows_of_all(&rows));
        }
        let removed = store.write_then(remove.clone(), Box::new(counts)).await?;
        removal.add("deliveries", removed.len() as u64);
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
