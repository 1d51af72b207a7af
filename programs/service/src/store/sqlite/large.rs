//! Large plans are written part by part, and other work is served between two parts.
//!
//! All rows of a plan are first stored in a table of their own, which nothing else reads. Then one short transaction accepts
//! the plan: it takes the credits, and stores the call. After that, the rows are moved to their tables, and the call is
//! answered when all of them are there. The account's gate is closed all the while. If the process ends before that, the
//! next start completes the plan if it was accepted, and takes it back if it was not.

use std::sync::Arc;

use franking::{Commit, HostAnswer, Step};
use rusqlite::{Connection, TransactionBehavior, params};
use tokio::task::spawn_blocking;

use super::carry_out::{accept_alone, account_by_key, execute, query_row, with_ids};
use super::facts::facts;
use super::gates::Gate;
use super::open::OpenError;
use super::readers::Readers;
use super::rows::{BYTES, Table, part};
use super::stored::look_up;
use super::writer::{Writer, Written};
use crate::store::Committed;
use crate::store::asked::{Asked, to_signed};
use crate::store::error::{Cause, StoreError};
use crate::store::group::{Keys, Plan};
use crate::store::identity::CallId;
use crate::store::turn::{Again, Turned, fault};
use crate::store::work::{Ids, Work};

/// The maximum number of rows of a part.
const PART: usize = 1_000;

/// The connections by which large plans are carried out.
#[derive(Clone)]
pub(super) struct Ways {
    pub(super) writer: Arc<Writer>,
    pub(super) readers: Arc<Readers>,
}

impl Ways {
    /// Carries out a plan, in the turn of its account.
    pub(super) async fn commit(self, work: Work) -> Result<Committed, StoreError> {
        let gate = self.writer.close(work.account).await?;
        self.carry_out(&gate, work).await
    }

    /// Judges a call again and carries it out, while nobody else writes for its account.
    pub(super) async fn in_turn(self, again: Again) -> Result<Turned, StoreError> {
        let Again {
            mut call,
            key,
            id,
            record,
            mut domains,
            mut journal,
            account,
            ..
        } = again;
        let gate = self.writer.close(account).await?;
        let (mut found, mut mailer_revision, mut replayed) = (None, None, None);
        loop {
            match call.step() {
                // Another conflict can only come from a writer that does not use the account's gate. The caller goes on with
                // the call.
                Step::Account(_) if found.is_some() => break,
                Step::Account(_) => {
                    let read = self
                        .readers
                        .served
                        .read(move |connection| account_by_key(connection, key));
                    let account: Result<_, StoreError> = read.await;
                    let account = account?;
                    found = Some(account.map(|found| found.id));
                    let answer = HostAnswer::Account(account.map(|found| found.account));
                    journal.answer(&mut call, answer).map_err(|_| fault())?;
                }
                Step::Facts(_) => {
                    let asked;
                    (call, asked) = blocking(move || {
                        let asked = match call.step() {
                            Step::Facts(questions) => Asked::of(&questions),
                            Step::Account(_) | Step::Commit(_) | Step::Done(_) => Asked::default(),
                        };
                        (call, asked)
                    })
                    .await?;
                    let read = self
                        .readers
                        .served
                        .read(move |connection| facts(connection, account, &asked));
                    let known: Result<_, StoreError> = read.await;
                    let mut known = known?;
                    mailer_revision = known.mailer_revision;
                    known.facts.domains.append(&mut domains);
                    let answered;
                    (call, journal, answered) = blocking(move || {
                        let answered = journal.answer(&mut call, HostAnswer::Facts(known.facts));
                        (call, journal, answered)
                    })
                    .await?;
                    answered.map_err(|_| fault())?;
                }
                Step::Commit(_) => {
                    let record = record.clone();
                    let made;
                    (call, made) = blocking(move || {
                        let begun = call.begin_commit().map(drop);
                        let made = begun
                            .ok()
                            .and_then(|()| Work::of(&call, account, id, mailer_revision, record));
                        (call, made)
                    })
                    .await?;
                    let commit = match self.carry_out(&gate, made.ok_or_else(fault)?).await {
                        Ok(Committed::Done) => Commit::Done {
                            transaction_id: id.number(),
                        },
                        Ok(Committed::Replayed(kept)) => {
                            replayed = Some(kept);
                            Commit::Unknown
                        }
                        Err(StoreError::Conflict(conflict)) => Commit::Conflict(conflict),
                        Err(failure) => return Err(failure),
                    };
                    let answer = HostAnswer::Commit(commit);
                    journal.answer(&mut call, answer).map_err(|_| fault())?;
                }
                Step::Done(_) => break,
            }
        }
        Ok(Turned {
            call,
            replayed,
            journal,
        })
    }

    /// Carries out a plan while the gate of its account is closed.
    async fn carry_out(&self, gate: &Gate, work: Work) -> Result<Committed, StoreError> {
        let work = Arc::new(work);
        let judged = Arc::clone(&work);
        // The gate is closed, so what is found about the subscribers stays true.
        let checked = self.readers.served.read(move |connection| {
            let stored = look_up(connection, &Keys::of(&[&judged]))?;
            stored.check(&judged)
        });
        let checked = checked.await;
        if checked != Ok(Committed::Done) {
            return checked;
        }
        let laid = self.lay_down(&work).await;
        let parts = match laid {
            Ok(parts) => parts,
            Err(failure) => {
                self.take_back(work.id).await;
                return Err(failure);
            }
        };
        // This comes before the plan is accepted, so that the gate stays closed if the task ends from now on.
        gate.set_half(true);
        let accepts = Arc::clone(&work);
        let accepted = self.write(move |connection| done(accept_alone(connection, &accepts)));
        let accepted = accepted.await;
        match &accepted {
            Ok(Committed::Done) => {}
            // The writer has ended. The next start finds out whether the plan is accepted.
            Err(StoreError::Unknown(_)) => return accepted,
            Ok(Committed::Replayed(_)) | Err(_) => {
                gate.set_half(false);
                self.take_back(work.id).await;
                return accepted;
            }
        }
        for part in parts {
            self.write_accepted(move |connection| move_part(connection, part))
                .await?;
        }
        let call = work.id;
        self.write_accepted(move |connection| end(connection, call))
            .await?;
        gate.set_half(false);
        Ok(Committed::Done)
    }

    /// Writes for a plan that is accepted, as soon as no other process is writing.
    async fn write_accepted(
        &self,
        work: impl Fn(&Connection) -> Result<(), StoreError> + Copy + Send + 'static,
    ) -> Result<(), StoreError> {
        loop {
            match self.write(move |connection| done(work(connection))).await {
                Ok(()) => return Ok(()),
                // Another process is writing, and will end.
                Err(StoreError::Busy(_)) => {}
                Err(failure) => return Err(self.give_up(failure)),
            }
        }
    }

    /// Stores all rows of a plan in the table that nothing else reads. Returns the ids of its parts.
    async fn lay_down(&self, work: &Arc<Work>) -> Result<Vec<i64>, StoreError> {
        let begins = Arc::clone(work);
        let ids = self.write(move |connection| {
            let ids = execute(
                connection,
                "beginning a large plan",
                include_str!("sql/insert_large_plan.sql"),
                params![to_signed(begins.id.0), begins.account.0],
            )
            .and_then(|_| with_ids(connection, &[&begins]))
            .map(|plans| plans.into_iter().flat_map(|plan| plan.ids.0).collect());
            done(ids)
        });
        let ids = Ids(ids.await?);
        let plan = [Plan { work, ids }];
        let mut parts = Vec::new();
        for table in Table::ROWS {
            let mut rows = table.rows(&plan);
            while let Some(part) = part(&mut rows, PART, BYTES)? {
                let call = to_signed(work.id.0);
                let laid = self.write(move |connection| {
                    done(query_row(
                        connection,
                        "laying down a part of a large plan",
                        include_str!("sql/insert_large_plan_part.sql"),
                        params![call, table.name(), part],
                        |row| row.get(0),
                    ))
                });
                parts.push(laid.await?);
            }
        }
        Ok(parts)
    }

    /// Deletes the stored rows of a plan that is not accepted. If this fails, the next start does it.
    async fn take_back(&self, call: CallId) {
        let taken = self.write(move |connection| done(take_back(connection, call)));
        if let Err(failure) = taken.await {
            tracing::warn!(%failure, "the rows of a plan that was not accepted could not be deleted: the next start deletes them");
        }
    }

    /// Gives up a plan that is accepted and that the database does not take. The process has to end.
    fn give_up(&self, failure: StoreError) -> StoreError {
        let cause = match failure {
            StoreError::Busy(cause) | StoreError::Failed(cause) | StoreError::Unknown(cause) => {
                cause
            }
            StoreError::Conflict(_) => Cause::new("writing an accepted plan: a row does not fit"),
        };
        self.writer.breaks(cause.clone());
        StoreError::Unknown(cause)
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Written<Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.run(work).await
    }
}

/// Completes the plans that were accepted, and deletes the stored rows of the others.
pub(super) fn recover(connection: &mut Connection) -> Result<(), OpenError> {
    let plans: Vec<(i64, bool)> = {
        let mut plans = connection.prepare(include_str!("sql/select_large_plans.sql"))?;
        let plans = plans.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        plans.collect::<rusqlite::Result<_>>()?
    };
    for (call, is_accepted) in plans {
        let parts: Vec<i64> = {
            let mut parts = connection.prepare(include_str!("sql/select_large_plan_parts.sql"))?;
            let parts = parts.query_map([call], |row| row.get(0))?;
            parts.collect::<rusqlite::Result<_>>()?
        };
        let call = CallId(call.unsigned_abs());
        if !is_accepted {
            within(connection, |connection| take_back(connection, call))?;
            continue;
        }
        for part in parts {
            within(connection, |connection| move_part(connection, part))?;
        }
        within(connection, |connection| end(connection, call))?;
    }
    Ok(())
}

fn within(
    connection: &mut Connection,
    work: impl FnOnce(&Connection) -> Result<(), StoreError>,
) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    work(&transaction).map_err(OpenError::Unfinished)?;
    Ok(transaction.commit()?)
}

/// Writes the rows of a part to their table.
fn move_part(connection: &Connection, part: i64) -> Result<(), StoreError> {
    let doing = "writing a part of a large plan";
    let sql = include_str!("sql/delete_large_plan_part.sql");
    let (table, rows): (String, String) =
        query_row(connection, doing, sql, params![part], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    let table = Table::named(&table).ok_or(StoreError::Failed(Cause::new(doing)))?;
    table.insert(connection, &rows)
}

/// Ends a plan whose rows are all in their tables.
fn end(connection: &Connection, call: CallId) -> Result<(), StoreError> {
    let sql = include_str!("sql/delete_large_plan.sql");
    let ended = execute(
        connection,
        "ending a large plan",
        sql,
        params![to_signed(call.0)],
    );
    ended.map(drop)
}

fn take_back(connection: &Connection, call: CallId) -> Result<(), StoreError> {
    let sql = include_str!("sql/delete_large_plan_parts.sql");
    execute(
        connection,
        "taking back a large plan",
        sql,
        params![to_signed(call.0)],
    )?;
    end(connection, call)
}

/// Runs work on a thread that may be blocked for long.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    spawn_blocking(work).await.map_err(|_| fault())
}

fn done<T>(tells: Result<T, StoreError>) -> Written<Result<T, StoreError>> {
    Written {
        keeps: tells.is_ok(),
        rows: PART,
        tells,
    }
}
