//! Looks up the stored data that a group of plans is about, while their accounts are locked, in one round trip.

use std::collections::HashMap;

use deadpool_postgres::Pool;
use tokio_postgres::{Error, Row};

use super::failure::Doing as _;
use super::session::{Params, Session};
use super::slices::{self, SLICE, parts};
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
    include_str!("sql/find.sql"),
    include_str!("sql/find_kept.sql"),
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
#[derive(Default)]
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
    let mut keys = Keys::of(works);
    // Most lists that are created if they are missing exist.
    keys.lists.append(&mut keys.made_lists);
    let new = works.iter().map(|work| work.create.len());
    let new = new.fold(0, usize::saturating_add);
    let lengths = [
        new,
        keys.accounts.len(),
        keys.calls.len(),
        keys.match_keys.len(),
        keys.subscribers.len(),
        keys.lists.len(),
        keys.mailers.len(),
    ];
    let accounts: Params<'_> = &[&keys.accounts];
    // Joined statements go out together, in this order. Each sees the data as it is when the accounts are locked.
    let (locked, kept, rows) = tokio::try_join!(
        biased;
        session.query("locking accounts", lock.sql(), accounts),
        find_kept(session, &keys.kept),
        find(session, &keys, 0, new),
    )?;
    let mut found = Found::default();
    if lock == Lock::LeavesOut {
        found.stored.held.extend(&keys.accounts);
        for row in &locked {
            let free: i64 = row.try_get(0).doing(DOING)?;
            found.stored.held.remove(&free);
        }
    }
    found.read(&rows).doing(DOING)?;
    drop(rows);
    for part in 1..parts(&lengths) {
        let rows = find(session, &keys, part, new).await?;
        found.read(&rows).doing(DOING)?;
    }
    for row in &kept {
        let key = (row.try_get(0).doing(DOING)?, row.try_get(1).doing(DOING)?);
        found.stored.kept.insert(key, read_kept(row)?);
    }
    Ok(found)
}

/// Looks up a part of each column, and takes as large a part of this number of new ids.
async fn find(
    session: &Session,
    keys: &Keys<'_>,
    part: usize,
    new: usize,
) -> Result<Vec<Row>, StoreError> {
    let new = new.saturating_sub(part.saturating_mul(SLICE)).min(SLICE);
    let new = to_signed(new as u64);
    let accounts = slices::part(&keys.accounts, part);
    let calls = slices::part(&keys.calls, part);
    let match_keys = slices::part(&keys.match_keys, part).iter().copied();
    let (match_accounts, match_keys): (Vec<i64>, Vec<&str>) = match_keys.unzip();
    let subscribers = slices::part(&keys.subscribers, part).iter().copied();
    let (subscriber_accounts, subscribers, sent): (Vec<i64>, Vec<i64>, Vec<Option<i64>>) =
        subscribers.collect();
    let lists = slices::part(&keys.lists, part).iter().copied();
    let (list_accounts, lists): (Vec<i64>, Vec<&str>) = lists.unzip();
    let mailers = slices::part(&keys.mailers, part).iter().copied();
    let (mailer_accounts, mailers): (Vec<i64>, Vec<i64>) = mailers.unzip();
    let params: Params<'_> = &[
        &accounts,
        &calls,
        &match_accounts,
        &match_keys,
        &subscriber_accounts,
        &subscribers,
        &sent,
        &list_accounts,
        &lists,
        &mailer_accounts,
        &mailers,
        &new,
    ];
    session
        .query(DOING, include_str!("sql/find.sql"), params)
        .await
}

impl Found {
    /// Reads rows of [`find`].
    fn read(&mut self, rows: &[Row]) -> Result<(), Error> {
        rows.iter().try_for_each(|row| self.read_row(row))
    }

    fn read_row(&mut self, row: &Row) -> Result<(), Error> {
        let [account, flag, one, other, kind, text] = [0_usize, 1, 4, 5, 6, 7];
        let stored = &mut self.stored;
        match row.try_get::<_, i32>(kind)? {
            0 => {
                let found = read_account(row)?;
                stored.accounts.insert(found.id.0, found.account);
            }
            1 => {
                stored.calls.insert(row.try_get(one)?);
            }
            2 => {
                let key = (row.try_get(account)?, row.try_get(text)?);
                stored.match_keys.insert(key);
            }
            3 => {
                let whose = (
                    row.try_get(account)?,
                    row.try_get(one)?,
                    row.try_get(other)?,
                );
                stored.inactive.insert(whose, row.try_get(flag)?);
            }
            4 => {
                let list = (row.try_get(account)?, row.try_get(text)?);
                stored.lists.insert(list);
            }
            5 => {
                let whose = (row.try_get(account)?, row.try_get(one)?);
                stored.revisions.insert(whose, row.try_get(other)?);
            }
            _ => self.new_ids.push(row.try_get(one)?),
        }
        Ok(())
    }
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
