//! Writes a group of plans in one transaction. Their accounts are locked first, in the order of their numbers, so
//! that all who write for an account do so one after another. However many plans there are, two round trips are needed: to
//! look up, and to write and commit.
//!
//! COMMIT goes out with the statements that write, before they are answered. No decision depends on their answers. If the
//! server refuses a row, it refuses all later statements of the transaction, and COMMIT rolls back. If a statement cannot be
//! sent, COMMIT, which is the last one, is not sent either. If an answer is lost, the server may commit, now or later, so one
//! of the plans is looked up when the transaction has ended.

use std::future::ready;

use deadpool_postgres::Pool;

use super::rows::{self, before_commit, write};
use super::session::Session;
use super::stored::{self, Found, Lock, look_up};
use super::{ATTEMPTS, find_call};
use crate::store::error::StoreError;
use crate::store::group::{Plan, Stored, Verdict, judge};
use crate::store::work::{Ids, Work};

/// Carries out all plans that can be carried out, in a transaction of their own. Tries again if other transactions
/// interfered. If an answer is lost after COMMIT was sent, one of the plans is looked up: all of them are stored, or none.
pub(super) async fn carry_out(
    own: &Pool,
    pool: &Pool,
    works: &[&Work],
    lock: Lock,
) -> Result<Vec<Verdict>, StoreError> {
    let mut attempts = ATTEMPTS;
    loop {
        attempts = attempts.saturating_sub(1);
        let session = open(own).await?;
        let (begun, judged) = tokio::join!(
            biased;
            session.run("beginning a transaction", lock.begins()),
            look_up_and_judge(&session, works, lock),
        );
        let judged = match begun.and(judged) {
            Err(StoreError::Busy(_)) if attempts > 0 => {
                session.roll_back().await;
                continue;
            }
            Err(failure) => {
                session.roll_back().await;
                return Err(failure);
            }
            Ok(judged) => judged,
        };
        let Some(done) = judged.group.first() else {
            session.roll_back().await;
            return Ok(judged.verdicts);
        };
        let work = done.work;
        let written = write(&session, &judged.group, &judged.stored, session.end());
        let Err(failure) = written.await else {
            session.close();
            return Ok(judged.verdicts);
        };
        // This closes the connection. The server rolls back unless it has read COMMIT.
        drop(session);
        match failure {
            StoreError::Busy(_) if attempts > 0 => {}
            StoreError::Unknown(cause) => match find_call(pool, work).await {
                Ok(true) => return Ok(judged.verdicts),
                Ok(false) if attempts > 0 => {}
                Ok(false) => return Err(StoreError::Failed(cause)),
                Err(_) => return Err(StoreError::Unknown(cause)),
            },
            failure => return Err(failure),
        }
    }
}

/// Opens a session in which plans can be carried out.
pub(super) async fn open(pool: &Pool) -> Result<Session, StoreError> {
    let session = Session::open(pool).await?;
    session.prepare(stored::STATEMENTS).await?;
    session.prepare(rows::STATEMENTS).await?;
    Ok(session)
}

/// Carries out all plans that can be carried out, within a transaction of a session from [`open`].
pub(super) async fn write_within(
    session: &Session,
    works: &[&Work],
    lock: Lock,
) -> Result<Vec<Verdict>, StoreError> {
    let judged = look_up_and_judge(session, works, lock).await?;
    if !judged.group.is_empty() {
        let written = write(session, &judged.group, &judged.stored, ready(Ok(())));
        written.await.map_err(before_commit)?;
    }
    Ok(judged.verdicts)
}

/// Plans that were judged while their accounts are locked.
struct Judged<'w> {
    verdicts: Vec<Verdict>,
    /// The plans that can be carried out.
    group: Vec<Plan<'w>>,
    /// The data by which they were judged.
    stored: Stored,
}

async fn look_up_and_judge<'w>(
    session: &Session,
    works: &[&'w Work],
    lock: Lock,
) -> Result<Judged<'w>, StoreError> {
    let Found {
        mut stored,
        new_ids,
    } = look_up(session, works, lock).await?;
    let verdicts = judge(works.iter().copied(), &mut stored);
    let mut new_ids = new_ids.into_iter();
    let mut group = Vec::new();
    for (work, verdict) in works.iter().copied().zip(&verdicts) {
        let ids = Ids(new_ids.by_ref().take(work.create.len()).collect());
        if verdict.is_done() {
            group.push(Plan { work, ids });
        }
    }
    Ok(Judged {
        verdicts,
        group,
        stored,
    })
}
