//! Hits on PostgreSQL.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use deadpool_postgres::Pool;
use tokio_postgres::{Error, Row};

use super::events;
use super::failure::Doing as _;
use super::reports::in_transaction;
use super::session::{Session, one};
use super::{ATTEMPTS, Postgres};
use crate::mail::SentHtml;
use crate::outcomes::DECIDED_AFTER;
use crate::store::Answer;
use crate::store::claimed::sent_html;
use crate::store::error::StoreError;
use crate::store::hits::{HitRow, MOST_HITS, NewHit, Tracking, decide};

const LOOKING: &str = "looking for a tracked email";
const KEEPING: &str = "keeping a hit";
const DECIDING: &str = "deciding hits";

/// The advisory lock of the process that decides hits.
const LOCK: i64 = 0x6672_616e_6b68_6974;

impl Tracking for Postgres {
    fn has_tracked_image(&self, delivery: i64) -> Answer<bool> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/has_tracked_image.sql");
            let has = one(&session, LOOKING, sql, &[&delivery]).await?;
            session.close();
            Ok(has)
        })
    }

    fn tracked_html(&self, delivery: i64) -> Answer<Option<SentHtml>> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/tracked_html.sql");
            let rows = session.query(LOOKING, sql, &[&delivery]).await?;
            session.close();
            let html = rows.first().map(read_html).transpose().doing(LOOKING)?;
            Ok(html.flatten())
        })
    }

    fn add_hit(&self, hit: NewHit) -> Answer<()> {
        self.run(move |pool| async move {
            let Some(place) = hit.place() else {
                return Ok(());
            };
            let mut attempts = ATTEMPTS;
            loop {
                attempts = attempts.saturating_sub(1);
                match add(&pool, place, &hit).await {
                    Err(StoreError::Busy(_)) if attempts > 0 => {}
                    added => return added,
                }
            }
        })
    }

    fn decide_hits(&self, at_most: u32) -> Answer<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let rows = to_decide(&session, 1).await?;
            session.close();
            // Usually there is nothing to do, and no transaction begins.
            if rows.is_empty() {
                return Ok(0);
            }
            in_transaction(&pool, at_most, |session, at_most| {
                Box::pin(decide_all(session, *at_most))
            })
            .await
        })
    }
}

fn read_html(row: &Row) -> Result<Option<SentHtml>, Error> {
    let (to, mailer, fields) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let decode = |value: String| String::from_utf8(BASE64_STANDARD.decode(value).ok()?).ok();
    Ok(sent_html(to, row.try_get(3)?, mailer, fields, decode))
}

/// Stores a hit by one statement, which is a transaction of its own.
async fn add(
    pool: &Pool,
    (delivery, link): (i64, Option<i64>),
    hit: &NewHit,
) -> Result<(), StoreError> {
    let session = Session::open(pool).await?;
    let (reason, most) = (hit.reason.name(), i64::from(MOST_HITS));
    let (address, agent) = (hit.address(), hit.agent());
    let sql = include_str!("sql/insert_hit.sql");
    session
        .execute(
            KEEPING,
            sql,
            &[&delivery, &link, &reason, &address, &agent, &most],
        )
        .await?;
    session.close();
    Ok(())
}

async fn to_decide(session: &Session, at_most: u32) -> Result<Vec<HitRow>, StoreError> {
    let sql = include_str!("sql/hits_to_decide.sql");
    let (after, most) = (DECIDED_AFTER as f64, i64::from(at_most));
    let rows = session.query(DECIDING, sql, &[&after, &most]).await?;
    let read = |row: &Row| {
        Ok(HitRow {
            id: row.try_get(0)?,
            delivery: row.try_get(1)?,
            link: row.try_get(2)?,
            reason: row.try_get(3)?,
            happened: row.try_get(4)?,
            stays: row.try_get(5)?,
            delivered: row.try_get(6)?,
        })
    };
    let rows: Result<Vec<HitRow>, Error> = rows.iter().map(read).collect();
    rows.doing(DECIDING)
}

async fn decide_all(session: &Session, at_most: u32) -> Result<u64, StoreError> {
    let sql = include_str!("sql/try_lock_for_transaction.sql");
    if !one::<bool>(session, DECIDING, sql, &[&LOCK]).await? {
        return Ok(0);
    }
    // A separate statement sees what was committed before the lock was taken.
    let decided = decide(&to_decide(session, at_most).await?)?;
    let (ids, reasons): (Vec<i64>, Vec<&str>) = decided
        .reasons
        .iter()
        .map(|(id, reason)| (*id, reason.name()))
        .unzip();
    let sql = include_str!("sql/decide_hits.sql");
    let changed = session.execute(DECIDING, sql, &[&ids, &reasons]).await?;
    if !decided.events.is_empty() {
        events::record(session, &decided.events).await?;
    }
    Ok(changed)
}
