//! Looks up the stored data that a group of plans is about, while their accounts are locked, in one round trip.

use std::collections::HashMap;

use deadpool_postgres::Pool;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use super::failure::Doing as _;
use super::session::{Params, Session};
use super::slices::slices;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::group::{Keys, Stored};
use crate::store::idempotency::{IdempotencyKey, KEPT_SECONDS, Kept};
use crate::store::identity::{AccountId, Authenticated, CallId, KeyHash};
use crate::store::work::Work;

const DOING: &str = "looking up what a plan is about";

/// The statements of [`look_up`].
pub(super) const STATEMENTS: &[&str] = &[
    include_str!("sql/lock_accounts.sql"),
    include_str!("sql/lock_free_accounts.sql"),
    include_str!("sql/find_accounts.sql"),
    include_str!("sql/find_calls.sql"),
    include_str!("sql/find_match_keys.sql"),
    include_str!("sql/find_subscribers.sql"),
    include_str!("sql/find_lists.sql"),
    include_str!("sql/find_mailers.sql"),
    include_str!("sql/find_kept.sql"),
    include_str!("sql/new_ids.sql"),
];

/// How the rows of accounts are locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lock {
    /// Waits for rows that are not free, as long as for any other lock.
    Waits,
    /// Waits for them only about as long as a group of another process takes.
    WaitsBriefly,
    /// Leaves out the accounts whose rows are not free.
    LeavesOut,
}

impl Lock {
    /// The statement that begins the transaction.
    pub(super) const fn begins(self) -> &'static str {
        match self {
            Self::WaitsBriefly => "BEGIN; SET LOCAL lock_timeout = 100",
            Self::Waits | Self::LeavesOut => "BEGIN",
        }
    }

    const fn sql(self) -> &'static str {
        match self {
            Self::LeavesOut => include_str!("sql/lock_free_accounts.sql"),
            Self::Waits | Self::WaitsBriefly => include_str!("sql/lock_accounts.sql"),
        }
    }
}

/// The stored data, and ids for the subscribers that the plans create, in their order.
pub(super) struct Found {
    pub(super) stored: Stored,
    pub(super) new_ids: Vec<i64>,
}

/// Locks the accounts of plans, and looks up the data that the plans are about, within a transaction.
pub(super) async fn look_up(
    session: &Session,
    works: &[&Work],
    lock: Lock,
) -> Result<Found, StoreError> {
    let keys = Keys::of(works);
    let new = works.iter().map(|work| work.create.len());
    let new = new.fold(0, usize::saturating_add);
    let (lock_accounts, find_accounts, find_calls) = (
        lock.sql(),
        include_str!("sql/find_accounts.sql"),
        include_str!("sql/find_calls.sql"),
    );
    let accounts_params: Params<'_> = &[&keys.accounts];
    let calls_params: Params<'_> = &[&keys.calls];
    // Joined statements go out together, in this order. Each sees the data as it is when the accounts are locked.
    let (locked, accounts, calls, kept, match_keys, subscribers, lists, mailers, new_ids) = tokio::try_join!(
        biased;
        session.query("locking accounts", lock_accounts, accounts_params),
        session.query(DOING, find_accounts, accounts_params),
        session.query(DOING, find_calls, calls_params),
        find_kept(session, &keys.kept),
        find(session, include_str!("sql/find_match_keys.sql"), &keys.match_keys),
        find_subscribers(session, &keys.subscribers),
        find(session, include_str!("sql/find_lists.sql"), &keys.lists),
        find(session, include_str!("sql/find_mailers.sql"), &keys.mailers),
        new_ids(session, new),
    )?;
    let read = || {
        let mut stored = Stored::default();
        if lock == Lock::LeavesOut {
            stored.held.extend(&keys.accounts);
            for row in &locked {
                stored.held.remove(&row.try_get::<_, i64>(0)?);
            }
        }
        for row in &accounts {
            let found = read_account(row)?;
            stored.accounts.insert(found.id.0, found.account);
        }
        for row in &calls {
            stored.calls.insert(row.try_get(0)?);
        }
        for row in &match_keys {
            stored.match_keys.insert((row.try_get(0)?, row.try_get(1)?));
        }
        for row in &subscribers {
            let whose = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            stored.inactive.insert(whose, row.try_get(3)?);
        }
        for row in &lists {
            stored.lists.insert((row.try_get(0)?, row.try_get(1)?));
        }
        for row in &mailers {
            let whose = (row.try_get(0)?, row.try_get(1)?);
            stored.revisions.insert(whose, row.try_get(2)?);
        }
        Ok::<_, Error>(stored)
    };
    let mut stored = read().doing(DOING)?;
    for row in &kept {
        let key = (row.try_get(0).doing(DOING)?, row.try_get(1).doing(DOING)?);
        stored.kept.insert(key, read_kept(row)?);
    }
    Ok(Found { stored, new_ids })
}

async fn find<T>(session: &Session, sql: &str, asked: &[(i64, T)]) -> Result<Vec<Row>, StoreError>
where
    T: Copy + ToSql + Sync,
{
    let mut all = Vec::new();
    for (_, part) in slices(asked, |_| 0) {
        let (accounts, values): (Vec<i64>, Vec<T>) = part.iter().copied().unzip();
        let params: Params<'_> = &[&accounts, &values];
        all.extend(session.query(DOING, sql, params).await?);
    }
    Ok(all)
}

/// Looks up subscribers, each with the stored email that is sent to them.
async fn find_subscribers(
    session: &Session,
    asked: &[(i64, i64, Option<i64>)],
) -> Result<Vec<Row>, StoreError> {
    let mut all = Vec::new();
    for (_, part) in slices(asked, |_| 0) {
        let (accounts, ids, mailers): (Vec<i64>, Vec<i64>, Vec<Option<i64>>) =
            part.iter().copied().collect();
        let params: Params<'_> = &[&accounts, &ids, &mailers];
        let sql = include_str!("sql/find_subscribers.sql");
        all.extend(session.query(DOING, sql, params).await?);
    }
    Ok(all)
}

async fn find_kept(session: &Session, asked: &[(i64, &str)]) -> Result<Vec<Row>, StoreError> {
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let (accounts, keys): (Vec<i64>, Vec<&str>) = asked.iter().copied().unzip();
    let params: Params<'_> = &[&accounts, &keys, &KEPT_SECONDS];
    let sql = include_str!("sql/find_kept.sql");
    session.query(DOING, sql, params).await
}

async fn new_ids(session: &Session, count: usize) -> Result<Vec<i64>, StoreError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let sql = include_str!("sql/new_ids.sql");
    let count = to_signed(count as u64);
    let ids = session.query(DOING, sql, &[&count]).await?;
    let ids: Result<Vec<i64>, Error> = ids.iter().map(|row| row.try_get(0)).collect();
    ids.doing(DOING)
}

/// Returns the calls that are kept under keys, in the order of the keys.
pub(super) async fn kept(
    pool: &Pool,
    asked: &[(AccountId, IdempotencyKey)],
) -> Result<Vec<Option<Kept>>, StoreError> {
    let session = Session::open(pool).await?;
    let keys = asked.iter().map(|(account, key)| (account.0, key.as_str()));
    let rows = find_kept(&session, &keys.collect::<Vec<_>>()).await?;
    session.close();
    let mut found = HashMap::new();
    for row in &rows {
        let account: i64 = row.try_get(0).doing(DOING)?;
        let key: String = row.try_get(1).doing(DOING)?;
        found.insert((account, key), read_kept(row)?);
    }
    let of = |(account, key): &(AccountId, IdempotencyKey)| {
        found.get(&(account.0, key.as_str().to_owned())).cloned()
    };
    Ok(asked.iter().map(of).collect())
}

/// Returns the accounts with keys, in the order of the keys.
pub(super) async fn accounts(
    pool: &Pool,
    keys: &[KeyHash],
) -> Result<Vec<Option<Authenticated>>, StoreError> {
    let doing = "looking for accounts";
    let session = Session::open(pool).await?;
    let hashes: Vec<&[u8]> = keys.iter().map(|key| key.0.as_slice()).collect();
    let sql = include_str!("sql/accounts_by_keys.sql");
    let rows = session.query(doing, sql, &[&hashes]).await?;
    session.close();
    let mut found = HashMap::new();
    for row in &rows {
        let hash: &[u8] = row.try_get(6).doing(doing)?;
        found.insert(hash, read_account(row).doing(doing)?);
    }
    Ok(keys
        .iter()
        .map(|key| found.get(key.0.as_slice()).copied())
        .collect())
}

fn read_kept(row: &Row) -> Result<Kept, StoreError> {
    let [call, digest, answer] = [2, 3, 4];
    let digest: &[u8] = row.try_get(digest).doing(DOING)?;
    let digest = digest.try_into();
    Ok(Kept {
        call: CallId(row.try_get::<_, i64>(call).doing(DOING)?.unsigned_abs()),
        digest: digest.map_err(|_| StoreError::Failed(Cause::new(DOING)))?,
        answer: row.try_get(answer).doing(DOING)?,
    })
}

pub(super) fn read_account(row: &Row) -> Result<Authenticated, Error> {
    Ok(Authenticated {
        id: AccountId(row.try_get(0)?),
        account: franking::Account {
            blocked: row.try_get(1)?,
            expired: row.try_get(2)?,
            deactivated: row.try_get(3)?,
            subscriber_credit: row.try_get(4)?,
            email_credit: row.try_get(5)?,
        },
    })
}
