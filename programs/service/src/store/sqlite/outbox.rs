//! The outbox on SQLite.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use franking::EventType;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde_json::json;
use tokio_util::task::AbortOnDropHandle;

use super::Sqlite;
use super::carry_out::{array, execute};
use super::claims::{self, But, of_queued};
use super::events;
use super::failure::Doing as _;
use super::reports::rows;
use super::watch::watch;
use super::writer::{Writer, Written};
use crate::mail::Reason;
use crate::store::Answer;
use crate::store::asked::to_signed;
use crate::store::claimed::seconds;
use crate::store::error::StoreError;
use crate::store::events::{About, NewEvent};
use crate::store::identity::AccountId;
use crate::store::operator::{OperatorError, Reply};
use crate::store::outbox::{Ask, Batch, Lease, ON_ITS_WAY, Outbox, PART, Settled, Wakes, Which};
use crate::store::queue::{AccountQueue, Queue};

const DOING: &str = "carrying out what the operator asked for";
const RENEWING: &str = "renewing leases";

impl Outbox for Sqlite {
    fn claim_batch(&self, ask: Ask, without: Vec<AccountId>) -> Answer<Batch> {
        let (claims, readers) = (self.claims.clone(), Arc::clone(&self.readers));
        Box::pin(async move {
            let mut turn = Arc::clone(&claims.turn).lock_owned().await;
            // The claims are read before the snapshot. A delivery that was released before is settled in the snapshot, and
            // one that is released later is among the claims.
            let claimed = claims.claimed();
            let without = array(without.iter().map(|account| json!(account.0)));
            let after = *turn;
            let until = Instant::now() + ask.lease;
            let now = claims.now();
            let read = readers.served.read(move |connection| {
                let but = But {
                    claimed: &claimed,
                    without: &without,
                };
                let mut read = claims::read(connection, after, ask, but, now)?;
                if read.rows.is_empty() && after > 0 {
                    // The round is over: the next one begins.
                    read = claims::read(connection, 0, ask, but, now)?;
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
        let claims = self.claims.clone();
        let asked = array(leases.iter().map(|lease| json!(lease.delivery)));
        let queued = self.readers.served.read(move |connection| {
            let sql = include_str!("sql/still_queued.sql");
            rows(connection, sql, params![asked], |row| row.get::<_, i64>(0)).doing(RENEWING)
        });
        Box::pin(async move {
            let queued: Result<Vec<i64>, StoreError> = queued.await;
            let queued = HashSet::from_iter(queued?);
            Ok(claims.renew(&leases, &queued, time))
        })
    }

    fn settle(&self, mut settled: Vec<Settled>) -> Answer<HashSet<i64>> {
        settled.retain(|settled| self.claims.holds(settled.lease));
        let leases: Vec<Lease> = settled.iter().map(|settled| settled.lease).collect();
        let (claims, released) = (self.claims.clone(), self.claims.clone());
        self.writer.run_and_finish(
            None,
            move |connection| {
                let now = claims.now();
                written(claims::settle(connection, &settled, now), settled.len())
            },
            move |told| {
                if told.is_ok() {
                    leases.into_iter().for_each(|lease| released.release(lease));
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

    fn hold_name(&self, _: String) -> Answer<Option<AbortOnDropHandle<()>>> {
        Box::pin(std::future::ready(Ok(None)))
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
            let now = now?;
            let retried = in_parts(&writer, which, move |connection, account| {
                let sql = include_str!("sql/retry.sql");
                let params = params![account, which.call(), PART, now];
                execute(connection, DOING, sql, params)
            });
            let retried = retried.await;
            work.notify_one();
            Ok(retried?)
        })
    }

    fn cancel(&self, which: Which) -> Reply<u64> {
        let writer = Arc::clone(&self.writer);
        Box::pin(async move {
            let cancelled = in_parts(&writer, which, move |connection, account| {
                cancel(connection, account, which)
            });
            Ok(cancelled.await?)
        })
    }

    fn resend(&self, delivery: i64) -> Reply<()> {
        let work = Arc::clone(&self.claims.work);
        let resent = self.writer.run(move |connection| {
            let tells = resend(connection, delivery);
            Written {
                keeps: tells.is_ok(),
                rows: 1,
                tells,
            }
        });
        Box::pin(async move {
            resent.await?;
            work.notify_one();
            Ok(())
        })
    }

    fn queue(&self, at_most: u32) -> Reply<Queue> {
        self.readers.operators.read(move |connection| {
            let read = || {
                let mut waiting = connection.prepare_cached(of_queued!("sql/queue.sql"))?;
                let waiting = waiting.query_map(params![0, at_most], read_waiting)?;
                let accounts = waiting.collect::<rusqlite::Result<_>>()?;
                Ok(Queue { accounts })
            };
            Ok(read().doing(DOING)?)
        })
    }

    fn waiting_reasons(&self, at_most: u32) -> Reply<Vec<(String, i64)>> {
        self.readers.operators.read(move |connection| {
            let sql = of_queued!("sql/waiting_reasons.sql");
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            Ok(rows(connection, sql, params![0, at_most], read).doing(DOING)?)
        })
    }
}

fn read_waiting(row: &Row<'_>) -> rusqlite::Result<AccountQueue> {
    let count = |column| row.get(column).map(i64::unsigned_abs);
    let since = |column| {
        let time = row.get::<_, Option<f64>>(column)?;
        Ok::<_, rusqlite::Error>(time.filter(|time| *time >= 0.0).map(seconds))
    };
    Ok(AccountQueue {
        account: AccountId(row.get(0)?),
        is_paused: row.get(1)?,
        due: count(2)?,
        later: count(3)?,
        claimed: None,
        oldest: since(4)?,
        next: since(5)?,
    })
}

/// Makes a delivery that has ended due again. If it had bounced, an event undoes that.
fn resend(connection: &Connection, delivery: i64) -> Result<(), OperatorError> {
    let run = || {
        let sql = include_str!("sql/resendable.sql");
        let mut statement = connection.prepare_cached(sql)?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let params = params![delivery, to_signed(ON_ITS_WAY.as_secs())];
        statement.query_row(params, read).optional()
    };
    match run().doing(DOING)? {
        None => return Err(OperatorError::NotFound("delivery")),
        Some((true, _, _)) => return Err(OperatorError::StillQueued),
        Some((false, false, _)) => return Err(OperatorError::ContentGone),
        Some((false, true, true)) => return Err(OperatorError::OnItsWay),
        Some((false, true, false)) => {}
    }
    execute(
        connection,
        DOING,
        include_str!("sql/resend.sql"),
        params![delivery],
    )?;
    let queue = include_str!("sql/requeue.sql");
    execute(connection, DOING, queue, params![delivery])?;
    let undone = NewEvent::new(About::Delivery(delivery), EventType::NotBounced);
    events::record(connection, &[undone])?;
    Ok(())
}

/// Cancels a part of the waiting deliveries of an account.
fn cancel(connection: &Connection, account: i64, which: Which) -> Result<usize, StoreError> {
    let run = || {
        let mut statement = connection.prepare_cached(include_str!("sql/cancel.sql"))?;
        let ids = statement.query_map(params![account, which.call(), PART], |row| row.get(0))?;
        ids.collect::<rusqlite::Result<Vec<i64>>>()
    };
    let cancelled = run().doing(DOING)?;
    let ids = array(cancelled.iter().map(|id| json!(id)));
    let sql = include_str!("sql/leave_queue.sql");
    execute(connection, DOING, sql, params![ids])?;
    let bounced = |id: &i64| NewEvent {
        reason: Some(Reason::new("cancelled")),
        ..NewEvent::new(About::Delivery(*id), EventType::Bounced)
    };
    events::record(
        connection,
        &cancelled.iter().map(bounced).collect::<Vec<_>>(),
    )?;
    Ok(cancelled.len())
}

/// Changes waiting deliveries, account by account and part by part, each part in a transaction of its own.
async fn in_parts(
    writer: &Writer,
    which: Which,
    change: impl Fn(&Connection, i64) -> Result<usize, StoreError> + Clone + Send + 'static,
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
            let change = change.clone();
            let part = writer.run(move |connection| {
                let changed = change(connection, account);
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
