//! The outbox on SQLite. One process serves a file, so that claims live in its memory: they cost no write, and are void when
//! the process has ended.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::{Connection, Row, params};
use serde_json::json;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

use super::Sqlite;
use super::carry_out::{array, hex};
use super::failure::Doing as _;
use super::watch::watch;
use super::writer::{Writer, Written};
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::identity::AccountId;
use crate::store::operator::Reply;
use crate::store::outbox::{
    Ask, Batch, ClaimedRow, Contents, Lease, Outbox, PART, Queue, Settled, Share, Wakes, Which,
    fields, hashes, seconds, share,
};

const CLAIMING: &str = "claiming deliveries";
const SETTLING: &str = "settling deliveries";
const DOING: &str = "carrying out what the operator asked for";

/// A statement that begins with the accounts of which something is queued.
macro_rules! of_queued {
    ($sql:literal) => {
        concat!(include_str!("sql/queued.sql"), include_str!($sql))
    };
}

/// The claims of this process.
#[derive(Clone, Default)]
pub(super) struct Claims {
    /// Told when there may be something to claim.
    pub(super) work: Arc<Notify>,
    held: Arc<Mutex<Held>>,
    /// Held by whoever claims: two who read at once would find the same. It keeps the account that was served last.
    turn: Arc<tokio::sync::Mutex<i64>>,
}

#[derive(Default)]
struct Held {
    /// By the delivery: the claim's number, and when its lease ends.
    leases: HashMap<i64, (i64, Instant)>,
    last: i64,
}

impl Claims {
    fn held(&self) -> MutexGuard<'_, Held> {
        // A map is whole after each of its methods, whoever panicked beside it.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The deliveries whose lease has not ended.
    fn claimed(&self) -> String {
        let now = Instant::now();
        let held = self.held();
        let valid = held.leases.iter().filter(|(_, (_, until))| *until > now);
        array(valid.map(|(delivery, _)| json!(delivery)))
    }

    fn claim(&self, rows: &mut [ClaimedRow], until: Instant) {
        let mut held = self.held();
        held.last = held.last.saturating_add(1);
        let claim = held.last;
        for row in rows {
            row.lease.claim = claim;
            held.leases.insert(row.lease.delivery, (claim, until));
        }
    }

    fn holds(&self, lease: Lease) -> bool {
        let held = self.held();
        let found = held.leases.get(&lease.delivery);
        found.is_some_and(|(claim, _)| *claim == lease.claim)
    }

    fn release(&self, lease: Lease) {
        let mut held = self.held();
        let found = held.leases.get(&lease.delivery);
        if found.is_some_and(|(claim, _)| *claim == lease.claim) {
            held.leases.remove(&lease.delivery);
        }
    }
}

impl Outbox for Sqlite {
    fn claim_batch(&self, ask: Ask, without: Vec<AccountId>) -> Answer<Batch> {
        let (claims, readers) = (self.claims.clone(), Arc::clone(&self.readers));
        Box::pin(async move {
            let mut turn = Arc::clone(&claims.turn).lock_owned().await;
            // Before the snapshot: what is settled and released after this is queued no more in it, and what was released
            // before, neither.
            let claimed = claims.claimed();
            let without = array(without.iter().map(|account| json!(account.0)));
            let after = *turn;
            let until = Instant::now() + ask.lease;
            let read = readers.read(move |connection| {
                let mut read = read(connection, after, ask, &claimed, &without)?;
                if read.rows.is_empty() && after > 0 {
                    // The round is over: the next one begins.
                    read = self::read(connection, 0, ask, &claimed, &without)?;
                }
                Ok::<_, StoreError>(read)
            });
            let mut read = read.await?;
            *turn = read.after;
            claims.claim(&mut read.rows, until);
            let rows = read.rows.into_iter();
            let deliveries = rows.map(|row| row.into_claimed(&read.contents));
            Ok(Batch {
                deliveries: deliveries.collect(),
                next: read.next,
            })
        })
    }

    fn renew(&self, leases: Vec<Lease>, time: Duration) -> Answer<HashSet<i64>> {
        let until = Instant::now() + time;
        let mut held = self.claims.held();
        let mut kept = HashSet::new();
        for lease in leases {
            if let Some((claim, end)) = held.leases.get_mut(&lease.delivery)
                && *claim == lease.claim
            {
                *end = until;
                kept.insert(lease.delivery);
            }
        }
        drop(held);
        Box::pin(std::future::ready(Ok(kept)))
    }

    fn settle(&self, mut settled: Vec<Settled>) -> Answer<HashSet<i64>> {
        settled.retain(|settled| self.claims.holds(settled.lease));
        let leases: Vec<Lease> = settled.iter().map(|settled| settled.lease).collect();
        let claims = self.claims.clone();
        self.writer.run_and_finish(
            move |connection| written(settle(connection, &settled), settled.len()),
            move |told| {
                if told.is_ok() {
                    leases.into_iter().for_each(|lease| claims.release(lease));
                }
                told
            },
        )
    }

    fn wakes(&self) -> Wakes {
        let work = Arc::clone(&self.claims.work);
        let watching = watch(self.folder.clone(), Arc::clone(&work));
        Wakes::new(work, Some(AbortOnDropHandle::new(tokio::spawn(watching))))
    }

    fn set_paused(&self, account: Option<AccountId>, paused: bool) -> Reply<()> {
        let work = Arc::clone(&self.claims.work);
        let change = self.change(move |change| match account {
            None => change
                .run(include_str!("sql/pause.sql"), params![paused])
                .map(drop),
            Some(account) => {
                let sql = include_str!("sql/pause_account.sql");
                change.one("account", sql, params![account.0, paused])
            }
        });
        Box::pin(async move {
            let changed = change.await;
            work.notify_one();
            changed
        })
    }

    fn retry(&self, which: Which) -> Reply<u64> {
        let (writer, work) = (Arc::clone(&self.writer), Arc::clone(&self.claims.work));
        Box::pin(async move {
            let now = writer.run(|connection| {
                let now = connection.query_row(include_str!("sql/now.sql"), [], |row| row.get(0));
                written(now.doing(DOING), 0)
            });
            let now: Result<i64, StoreError> = now.await;
            let retried = in_parts(&writer, include_str!("sql/retry.sql"), which, Some(now?)).await;
            work.notify_one();
            Ok(retried?)
        })
    }

    fn cancel(&self, which: Which) -> Reply<u64> {
        let writer = Arc::clone(&self.writer);
        Box::pin(async move {
            let sql = include_str!("sql/cancel.sql");
            Ok(in_parts(&writer, sql, which, None).await?)
        })
    }

    fn queue(&self) -> Reply<Queue> {
        self.readers.read(|connection| {
            let read = || {
                let mut accounts = connection.prepare(include_str!("sql/paused_accounts.sql"))?;
                let accounts = accounts.query_map([], |row| row.get(0).map(AccountId))?;
                let accounts = accounts.collect::<rusqlite::Result<Vec<_>>>()?;
                let count = |row: &Row<'_>, column| row.get(column).map(i64::unsigned_abs);
                connection.query_row(include_str!("sql/queue.sql"), [], |row| {
                    Ok(Queue {
                        due: count(row, 0)?,
                        later: count(row, 1)?,
                        claimed: row.get::<_, Option<i64>>(2)?.map(i64::unsigned_abs),
                        delivered: count(row, 3)?,
                        bounced: count(row, 4)?,
                        next: row.get::<_, Option<f64>>(5)?.map(seconds),
                        paused: row.get(6)?,
                        paused_accounts: accounts,
                    })
                })
            };
            Ok(read().doing(DOING)?)
        })
    }
}

/// Changes what waits, account by account and part by part, each part in a transaction of its own. `due` is the statement's
/// fourth parameter, if it has one.
async fn in_parts(
    writer: &Writer,
    sql: &'static str,
    which: Which,
    due: Option<i64>,
) -> Result<u64, StoreError> {
    let accounts = writer.run(move |connection| {
        let run = || {
            let sql = of_queued!("sql/queued_accounts.sql");
            let mut statement = connection.prepare_cached(sql)?;
            let found =
                statement.query_map(params![0, which.account(), which.call()], |row| row.get(0))?;
            found.collect::<rusqlite::Result<Vec<i64>>>()
        };
        written(run().doing(DOING), 0)
    });
    let accounts: Result<_, StoreError> = accounts.await;
    let mut total = 0_u64;
    for account in accounts? {
        loop {
            let part = writer.run(move |connection| {
                let run = || {
                    let mut statement = connection.prepare_cached(sql)?;
                    match due {
                        Some(due) => statement.execute(params![account, which.call(), PART, due]),
                        None => statement.execute(params![account, which.call(), PART]),
                    }
                };
                let changed = run().doing(DOING);
                let rows = changed.as_ref().map_or(0, |rows| *rows);
                written(changed, rows)
            });
            let changed: Result<usize, StoreError> = part.await;
            let changed = changed? as u64;
            total = total.saturating_add(changed);
            if changed < u64::from(PART) {
                break;
            }
        }
    }
    Ok(total)
}

fn written<T>(tells: Result<T, StoreError>, rows: usize) -> Written<Result<T, StoreError>> {
    Written {
        keeps: tells.is_ok(),
        rows,
        tells,
    }
}

/// What was read of a batch, in one snapshot.
struct Read {
    rows: Vec<ClaimedRow>,
    contents: Contents,
    next: Option<Duration>,
    /// Where the next batch goes on in the round.
    after: i64,
}

fn read(
    connection: &Connection,
    after: i64,
    ask: Ask,
    claimed: &str,
    without: &str,
) -> Result<Read, StoreError> {
    let run = || {
        let mut statement = connection.prepare_cached(of_queued!("sql/claim.sql"))?;
        let rows = statement.query_map(params![after, ask.most, claimed, without], read_row)?;
        rows.collect::<rusqlite::Result<Vec<ClaimedRow>>>()
    };
    // What is beyond was not claimed: nothing is to be undone.
    let Share { rows, after, .. } = share(run().doing(CLAIMING)?, ask);
    let next = match rows.is_empty() {
        true => next_due(connection, claimed, without).doing(CLAIMING)?,
        false => None,
    };
    Ok(Read {
        contents: contents(connection, &rows).doing(CLAIMING)?,
        rows,
        next,
        after,
    })
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<ClaimedRow> {
    let content: Option<Vec<u8>> = row.get(13)?;
    let length: Option<i64> = row.get(14)?;
    Ok(ClaimedRow {
        lease: Lease {
            delivery: row.get(0)?,
            claim: 0,
        },
        attempts: row.get(1)?,
        tried: row
            .get::<_, Option<f64>>(2)?
            .map(seconds)
            .unwrap_or_default(),
        created: row.get(3)?,
        account: row.get(4)?,
        fields: fields(row.get::<_, Option<String>>(5)?.as_deref(), Some),
        to: row.get(6)?,
        from: row.get(7)?,
        from_name: row.get(8)?,
        reply_to: row.get(9)?,
        subject: row.get(10)?,
        mailer: row.get(11)?,
        list_unsubscribe: row.get(12)?,
        content: content.zip(length.map(i64::unsigned_abs)),
        secret: row.get(15)?,
        inactive: row.get(16)?,
    })
}

fn next_due(
    connection: &Connection,
    claimed: &str,
    without: &str,
) -> rusqlite::Result<Option<Duration>> {
    let mut statement = connection.prepare_cached(of_queued!("sql/next_due.sql"))?;
    let next: Option<f64> = statement.query_row(params![0, claimed, without], |row| row.get(0))?;
    Ok(next.map(seconds))
}

fn contents(connection: &Connection, rows: &[ClaimedRow]) -> rusqlite::Result<Contents> {
    let hashes = hashes(rows);
    if hashes.is_empty() {
        return Ok(Contents::new());
    }
    let mut statement = connection.prepare_cached(include_str!("sql/claimed_contents.sql"))?;
    let hashes = array(hashes.into_iter().map(|hash| json!(hex(hash))));
    let found = statement.query_map(params![hashes], |row| {
        let html = String::from_utf8(row.get(1)?).ok();
        Ok((row.get(0)?, html.map(Into::into)))
    })?;
    found.collect()
}

/// A time in the seconds that the file counts in: never less than it is.
fn whole_seconds(time: Duration) -> u64 {
    let begun = u64::from(time.subsec_nanos() > 0);
    time.as_secs().saturating_add(begun)
}

fn settle(connection: &Connection, settled: &[Settled]) -> Result<HashSet<i64>, StoreError> {
    let rows = settled.iter().map(|settled| {
        let end = &settled.end;
        json!([
            settled.lease.delivery,
            end.state(),
            whole_seconds(end.due().unwrap_or_default()),
            end.attempts(),
            end.reason()
        ])
    });
    let run = || {
        let mut statement = connection.prepare_cached(include_str!("sql/settle.sql"))?;
        let ids = statement.query_map(params![array(rows)], |row| row.get(0))?;
        ids.collect::<rusqlite::Result<HashSet<i64>>>()
    };
    run().doing(SETTLING)
}
