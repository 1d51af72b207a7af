//! Claims on SQLite. Only one process serves a file, so claims are in its memory. They cost no write, and end with the
//! process.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, Row, params};
use serde_json::json;
use tokio::sync::Notify;

use super::carry_out::{array, execute};
use super::events;
use super::failure::Doing as _;
use crate::hex;
use crate::store::claimed::{ClaimedRow, Contents, Share, fields, hashes, seconds, share};
use crate::store::clock::Clock;
use crate::store::error::StoreError;
use crate::store::events::NewEvent;
use crate::store::outbox::{Ask, Lease, Settled};

const CLAIMING: &str = "claiming deliveries";
const SETTLING: &str = "settling deliveries";

/// A statement that begins with the accounts that have something queued.
macro_rules! of_queued {
    ($sql:literal) => {
        concat!(include_str!("sql/queued.sql"), include_str!($sql))
    };
}
pub(super) use of_queued;

/// The claims of this process.
#[derive(Clone, Default)]
pub(super) struct Claims {
    /// Notified when there may be something to claim.
    pub(super) work: Arc<Notify>,
    pub(super) held: Arc<Mutex<Held>>,
    /// Locked while a batch is claimed, because two claims that read at once would find the same. The value is the account
    /// that was served last.
    pub(super) turn: Arc<tokio::sync::Mutex<i64>>,
    clock: Arc<Clock>,
}

#[derive(Default)]
pub(super) struct Held {
    /// The claim's number and the end of its lease, by delivery.
    pub(super) leases: HashMap<i64, (i64, Instant)>,
    last: i64,
}

impl Claims {
    pub(super) fn held(&self) -> MutexGuard<'_, Held> {
        // A map is consistent after each of its methods, even if a thread has panicked.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a stored time, which the clock has shown before.
    pub(super) fn has_shown(&self, seconds: i64) {
        let since = Duration::from_secs(seconds.try_into().unwrap_or(0));
        self.clock.shows(UNIX_EPOCH + since);
    }

    /// The time by which deliveries are due, in seconds since 1970.
    pub(super) fn now(&self) -> f64 {
        self.clock.shows(SystemTime::now()).as_secs_f64()
    }

    /// Returns the deliveries whose lease has not ended, as JSON.
    pub(super) fn claimed(&self) -> String {
        let now = Instant::now();
        let held = self.held();
        let valid = held.leases.iter().filter(|(_, (_, until))| *until > now);
        array(valid.map(|(delivery, _)| json!(delivery)))
    }

    pub(super) fn claim(&self, rows: &mut [ClaimedRow], until: Instant) {
        let mut held = self.held();
        held.last = held.last.saturating_add(1);
        let claim = held.last;
        for row in rows {
            row.lease.claim = claim;
            held.leases.insert(row.lease.delivery, (claim, until));
        }
    }

    /// Renews the leases of deliveries that are still queued. Returns these deliveries.
    pub(super) fn renew(
        &self,
        leases: &[Lease],
        queued: &HashSet<i64>,
        time: Duration,
    ) -> HashSet<i64> {
        let now = Instant::now();
        let mut held = self.held();
        let mut kept = HashSet::new();
        for lease in leases {
            if let Some((claim, until)) = held.leases.get_mut(&lease.delivery)
                && *claim == lease.claim
                && queued.contains(&lease.delivery)
            {
                *until = now + time;
                kept.insert(lease.delivery);
            }
        }
        // A cancelled delivery may be on its way, and is settled if it arrives. When its lease is long over, nobody sends it
        // any more.
        held.leases.retain(|_, (_, until)| *until + time > now);
        kept
    }

    pub(super) fn holds(&self, lease: Lease) -> bool {
        let held = self.held();
        let found = held.leases.get(&lease.delivery);
        found.is_some_and(|(claim, _)| *claim == lease.claim)
    }

    pub(super) fn release(&self, lease: Lease) {
        let mut held = self.held();
        let found = held.leases.get(&lease.delivery);
        if found.is_some_and(|(claim, _)| *claim == lease.claim) {
            held.leases.remove(&lease.delivery);
        }
    }
}

/// A batch as it was read in one snapshot.
pub(super) struct Read {
    pub(super) rows: Vec<ClaimedRow>,
    pub(super) contents: Contents,
    pub(super) next: Option<Duration>,
    /// Where the next batch begins in the round of accounts.
    pub(super) after: i64,
}

/// The deliveries and accounts that are not to be claimed, as JSON.
#[derive(Clone, Copy)]
pub(super) struct But<'a> {
    /// Deliveries that are claimed already.
    pub(super) claimed: &'a str,
    /// Accounts that are left out.
    pub(super) without: &'a str,
}

pub(super) fn read(
    connection: &Connection,
    after: i64,
    ask: Ask,
    but: But<'_>,
    now: f64,
) -> Result<Read, StoreError> {
    let run = || {
        let mut statement = connection.prepare_cached(of_queued!("sql/claim.sql"))?;
        let rows = statement.query_map(
            params![after, ask.most, but.claimed, but.without, now],
            read_row,
        )?;
        rows.collect::<rusqlite::Result<Vec<ClaimedRow>>>()
    };
    // The rows that are left out were not claimed, so nothing has to be undone.
    let Share { rows, after, .. } = share(run().doing(CLAIMING)?, ask);
    let next = match rows.is_empty() {
        true => next_due(connection, but, now).doing(CLAIMING)?,
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
        unsubscribe: row.get(17)?,
        track_opens: row.get(18)?,
        track_clicks: row.get(19)?,
    })
}

fn next_due(connection: &Connection, but: But<'_>, now: f64) -> rusqlite::Result<Option<Duration>> {
    let mut statement = connection.prepare_cached(of_queued!("sql/next_due.sql"))?;
    let params = params![0, but.claimed, but.without, now];
    let next: Option<f64> = statement.query_row(params, |row| row.get(0))?;
    Ok(next.map(seconds))
}

fn contents(connection: &Connection, rows: &[ClaimedRow]) -> rusqlite::Result<Contents> {
    let hashes = hashes(rows);
    if hashes.is_empty() {
        return Ok(Contents::new());
    }
    let mut statement = connection.prepare_cached(include_str!("sql/claimed_contents.sql"))?;
    let hashes = array(hashes.into_iter().map(|hash| json!(hex::digits(hash))));
    let found = statement.query_map(params![hashes], |row| {
        let html = String::from_utf8(row.get(1)?).ok();
        Ok((row.get(0)?, html.map(Into::into)))
    })?;
    found.collect()
}

/// Converts a time to whole seconds, in which the database counts. It is rounded up.
fn whole_seconds(time: Duration) -> u64 {
    let begun = u64::from(time.subsec_nanos() > 0);
    time.as_secs().saturating_add(begun)
}

pub(super) fn settle(
    connection: &Connection,
    settled: &[Settled],
    now: f64,
) -> Result<HashSet<i64>, StoreError> {
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
    let (rows, now) = (array(rows), now as i64);
    let run = || {
        let mut statement = connection.prepare_cached(include_str!("sql/settle.sql"))?;
        let ids = statement.query_map(params![rows, now], |row| Ok((row.get(0)?, row.get(1)?)))?;
        ids.collect::<rusqlite::Result<HashMap<i64, bool>>>()
    };
    let cancelled = run().doing(SETTLING)?;
    let mut ids = queue_again(connection, &rows, now).doing(SETTLING)?;
    let ended = settled.iter().filter(|settled| settled.end.due().is_none());
    let ended = array(ended.map(|settled| json!(settled.lease.delivery)));
    let sql = include_str!("sql/leave_queue.sql");
    execute(connection, SETTLING, sql, params![ended])?;
    let of = |settled: &Settled| {
        let cancelled = cancelled.get(&settled.lease.delivery)?;
        Some(settled.events(*cancelled))
    };
    let tried = settled.iter().filter_map(|settled| {
        let reason = settled.end.postponed_because()?;
        let is_settled = cancelled.contains_key(&settled.lease.delivery);
        is_settled.then(|| json!([settled.lease.delivery, reason.as_str()]))
    });
    let tried: Vec<_> = tried.collect();
    if !tried.is_empty() {
        let sql = include_str!("sql/insert_attempts.sql");
        execute(connection, SETTLING, sql, params![array(tried), now])?;
    }
    let events: Vec<NewEvent> = settled.iter().filter_map(of).flatten().collect();
    if !events.is_empty() {
        events::record(connection, &events)?;
    }
    ids.extend(cancelled.into_keys());
    Ok(ids)
}

/// Makes deliveries that are queued again due. Returns the deliveries that were not cancelled in the meantime.
fn queue_again(connection: &Connection, rows: &str, now: i64) -> rusqlite::Result<HashSet<i64>> {
    let mut statement = connection.prepare_cached(include_str!("sql/settle_queued.sql"))?;
    let ids = statement.query_map(params![rows, now], |row| row.get(0))?;
    ids.collect()
}
