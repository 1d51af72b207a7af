//! Judges a call again and carries it out within the writer's transaction, so that no other call can come between.

use franking::{Call, Commit, HostAnswer, Step};
use rusqlite::Connection;

use super::carry_out::{account_by_key, carry_out};
use super::facts::facts;
use super::writer::Written;
use crate::store::Committed;
use crate::store::asked::Asked;
use crate::store::error::StoreError;
use crate::store::idempotency::{Kept, Record};
use crate::store::identity::{AccountId, CallId};
use crate::store::turn::{Again, Journal, Turned, fault};
use crate::store::work::Work;

/// A call that has had its turn, with the answer that it gets when COMMIT has returned.
pub(super) struct Driven {
    call: Call<'static>,
    account: Option<AccountId>,
    replayed: Option<Kept>,
    commit: Option<Commit>,
    journal: Journal,
}

impl Driven {
    /// Gives the call that answer.
    pub(super) fn finish(mut self) -> Result<Turned, StoreError> {
        if let Some(commit) = self.commit {
            self.answer(HostAnswer::Commit(commit))?;
        }
        Ok(Turned {
            call: self.call,
            replayed: self.replayed,
            journal: self.journal,
        })
    }

    fn answer(&mut self, answer: HostAnswer) -> Result<(), StoreError> {
        let answered = self.journal.answer(&mut self.call, answer);
        answered.map_err(|_| fault())
    }
}

/// Drives the call up to its commit.
pub(super) fn drive(connection: &Connection, again: Again) -> Written<Result<Driven, StoreError>> {
    let mut driven = Driven {
        call: again.call,
        account: None,
        replayed: None,
        commit: None,
        journal: again.journal,
    };
    let mut rows = 0;
    let mut mailer_revision = None;
    let mut domains = again.domains;
    let done = loop {
        let more = match driven.call.step() {
            Step::Account(_) => match account_by_key(connection, again.key) {
                Ok(found) => {
                    driven.account = found.map(|found| found.id);
                    let account = found.map(|found| found.account);
                    driven.answer(HostAnswer::Account(account))
                }
                Err(failure) => Err(failure),
            },
            Step::Facts(questions) => {
                let asked = Asked::of(&questions);
                let account = driven.account.ok_or_else(fault);
                match account.and_then(|account| facts(connection, account, &asked)) {
                    Ok(mut found) => {
                        mailer_revision = found.mailer_revision;
                        found.facts.domains.append(&mut domains);
                        driven.answer(HostAnswer::Facts(found.facts))
                    }
                    Err(failure) => Err(failure),
                }
            }
            Step::Commit(_) => {
                let work = work(&mut driven, &again.record, again.id, mailer_revision);
                break work.and_then(|work| {
                    rows = work.rows();
                    let told = carry_out(connection, &[&work])?.pop();
                    told.unwrap_or_else(|| Err(fault()))
                });
            }
            // Decided without a commit.
            Step::Done(_) => {
                return Written {
                    keeps: false,
                    rows: 0,
                    tells: Ok(driven),
                };
            }
        };
        if let Err(failure) = more {
            break Err(failure);
        }
    };
    let keeps = done == Ok(Committed::Done);
    let tells = match done {
        Ok(Committed::Done) => {
            driven.commit = Some(Commit::Done {
                transaction_id: again.id.number(),
            });
            Ok(driven)
        }
        Ok(Committed::Replayed(kept)) => {
            driven.commit = Some(Commit::Unknown);
            driven.replayed = Some(kept);
            Ok(driven)
        }
        Err(StoreError::Conflict(conflict)) => {
            driven.commit = Some(Commit::Conflict(conflict));
            Ok(driven)
        }
        Err(failure) => Err(failure),
    };
    Written { keeps, rows, tells }
}

fn work(
    driven: &mut Driven,
    record: &Option<Record>,
    id: CallId,
    mailer_revision: Option<i64>,
) -> Result<Work, StoreError> {
    let account = driven.account.ok_or_else(fault)?;
    driven.call.begin_commit().map_err(|_| fault())?;
    let record = record.clone();
    Work::of(&driven.call, account, id, mailer_revision, record).ok_or_else(fault)
}
