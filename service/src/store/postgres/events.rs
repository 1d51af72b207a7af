//! Events on PostgreSQL, which are numbered after their commit.

use super::failure::Doing as _;
use super::session::{Params, Session};
use super::{ATTEMPTS, Postgres};
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::events::{Events, NewEvent, once};

const RECORDING: &str = "recording events";
const NUMBERING: &str = "numbering events";

/// The advisory lock of whoever numbers.
const LOCK: i64 = 0x6672_616e_6b65_7674;

impl Events for Postgres {
    fn record(&self, events: Vec<NewEvent>) -> Answer<u64> {
        self.run(move |pool| async move {
            let mut attempts = ATTEMPTS;
            loop {
                attempts = attempts.saturating_sub(1);
                let session = Session::open(&pool).await?;
                // A statement by itself is a transaction by itself.
                match record(&session, &events).await {
                    Err(StoreError::Busy(_)) if attempts > 0 => {}
                    Ok(added) => {
                        session.close();
                        return Ok(added);
                    }
                    Err(failure) => return Err(failure),
                }
            }
        })
    }

    fn number_events(&self, at_most: u32) -> Answer<u64> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            session.run(NUMBERING, "BEGIN").await?;
            let sql = include_str!("sql/try_number.sql");
            let locked = session.query(NUMBERING, sql, &[&LOCK]).await?;
            let locked = locked.first().map(|row| row.try_get(0));
            if !locked.transpose().doing(NUMBERING)?.unwrap_or(false) {
                session.roll_back().await;
                return Ok(0);
            }
            // A statement of its own sees what was committed before the lock was had.
            let (sql, most) = (include_str!("sql/number_events.sql"), i64::from(at_most));
            let numbered = session.query(NUMBERING, sql, &[&most]).await?;
            let numbered = numbered.first().map(|row| row.try_get::<_, i64>(0));
            let numbered = numbered.transpose().doing(NUMBERING)?.unwrap_or(0);
            session.commit().await?;
            Ok(numbered.unsigned_abs())
        })
    }
}

/// Adds events within a transaction, and sets the outcomes of their deliveries. Answers with how many were news.
pub(super) async fn record(session: &Session, events: &[NewEvent]) -> Result<u64, StoreError> {
    let events = once(events);
    fn column<T>(events: &[&NewEvent], read: impl Fn(&NewEvent) -> T) -> Vec<T> {
        events.iter().map(|event| read(event)).collect()
    }
    let accounts = column(&events, |event| {
        event.subscriber().map(|(account, _)| account)
    });
    let subscribers = column(&events, |event| event.subscriber().map(|(_, id)| id));
    let deliveries = column(&events, NewEvent::delivery);
    let kinds = column(&events, |event| event.kind.name());
    let sets = column(&events, |event| event.bits().0);
    let clears = column(&events, |event| event.bits().1);
    let statuses = column(&events, NewEvent::status);
    let reasons = column(&events, |event| event.reason().map(str::to_owned));
    let reports = column(&events, |event| event.report);
    let times = column(&events, |event| event.happened);
    let params: Params<'_> = &[
        &accounts,
        &subscribers,
        &deliveries,
        &kinds,
        &sets,
        &clears,
        &statuses,
        &reasons,
        &reports,
        &times,
    ];
    let sql = include_str!("sql/insert_events.sql");
    session.execute(RECORDING, sql, params).await
}
