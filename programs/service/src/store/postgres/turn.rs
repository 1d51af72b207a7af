//! Judges a call again and carries it out while its account is locked, so that no other call can come between.

use deadpool_postgres::Pool;
use franking::{Commit, HostAnswer, Step};
use tokio::task::block_in_place;

use super::carry_out::{open, write_within};
use super::facts::look_up;
use super::failure::Doing as _;
use super::find_call;
use super::session::Session;
use super::stored::{Lock, read_account};
use crate::store::Committed;
use crate::store::asked::Asked;
use crate::store::error::StoreError;
use crate::store::group::Verdict;
use crate::store::identity::AccountId;
use crate::store::turn::{Again, Turned, fault};
use crate::store::work::Work;

const LOCKING: &str = "locking the account";

/// Drives a call to its decision in one transaction, unless it meets another conflict.
pub(super) async fn drive(pool: &Pool, again: Again) -> Result<Turned, StoreError> {
    let session = open(pool).await?;
    session.run("beginning a transaction", "BEGIN").await?;
    let (mut call, mut journal, mut domains) = (again.call, again.journal, again.domains);
    let mut account: Option<AccountId> = None;
    let mut mailer_revision = None;
    let mut replayed = None;
    loop {
        match call.step() {
            Step::Account(_) if account.is_some() => break,
            Step::Account(_) => {
                let key = again.key.0.as_slice();
                let sql = include_str!("sql/lock_account_by_key.sql");
                session.execute(LOCKING, sql, &[&key]).await?;
                let sql = include_str!("sql/accounts_by_keys.sql");
                let rows = session.query(LOCKING, sql, &[&vec![key]]).await?;
                let found = rows.first().map(read_account).transpose().doing(LOCKING)?;
                account = found.map(|found| found.id);
                let answer = HostAnswer::Account(found.map(|found| found.account));
                journal.answer(&mut call, answer).map_err(|_| fault())?;
            }
            Step::Facts(questions) => {
                let asked = Asked::of(&questions);
                let account = account.ok_or_else(fault)?;
                let mut found = look_up(&session, &[(account, &asked)], false).await?;
                let mut found = found.pop().ok_or_else(fault)??;
                mailer_revision = found.mailer_revision;
                found.facts.domains.append(&mut domains);
                // A large call takes a while, so this thread is marked as blocked.
                let answer = HostAnswer::Facts(found.facts);
                block_in_place(|| journal.answer(&mut call, answer)).map_err(|_| fault())?;
            }
            Step::Commit(_) => {
                let account = account.ok_or_else(fault)?;
                call.begin_commit().map_err(|_| fault())?;
                let record = again.record.clone();
                let work = || Work::of(&call, account, again.id, mailer_revision, record);
                let work = block_in_place(work).ok_or_else(fault)?;
                let mut verdicts = write_within(&session, &[&work], Lock::Waits).await?;
                let commit = match verdicts.pop() {
                    Some(Verdict::Told(Ok(Committed::Done))) => Commit::Done {
                        transaction_id: again.id.number(),
                    },
                    Some(Verdict::Told(Ok(Committed::Replayed(kept)))) => {
                        replayed = Some(kept);
                        Commit::Unknown
                    }
                    Some(Verdict::Told(Err(StoreError::Conflict(conflict)))) => {
                        Commit::Conflict(conflict)
                    }
                    Some(Verdict::Told(Err(failure))) => return Err(failure),
                    // The plan is alone in its group, and has waited for the row of its account.
                    Some(Verdict::Later | Verdict::Held) | None => return Err(fault()),
                };
                if matches!(commit, Commit::Done { .. }) {
                    end(pool, session, &work).await?;
                } else {
                    session.roll_back().await;
                }
                let answer = HostAnswer::Commit(commit);
                journal.answer(&mut call, answer).map_err(|_| fault())?;
                return Ok(Turned {
                    call,
                    replayed,
                    journal,
                });
            }
            Step::Done(_) => break,
        }
    }
    session.roll_back().await;
    Ok(Turned {
        call,
        replayed,
        journal,
    })
}

/// Commits, and looks up the call if the answer was lost.
async fn end(pool: &Pool, session: Session, work: &Work) -> Result<(), StoreError> {
    match session.commit().await {
        Err(StoreError::Unknown(cause)) => match find_call(pool, work).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(StoreError::Failed(cause)),
            Err(_) => Err(StoreError::Unknown(cause)),
        },
        committed => committed,
    }
}
