//! What the writer does in one transaction.
//!
//! The plans of a group are carried out together, in one savepoint. Each other piece of work has a savepoint of its own.

// clock: a group is bounded in time, and a result does not depend on it.
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::mpsc::UnboundedReceiver;

use super::carry_out::carry_out;
use super::failure::Doing as _;
use super::gates::Gates;
use crate::store::Committed;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;
use crate::store::work::Work;

/// A group ends at the first of these limits.
const GROUP_PIECES: usize = 256;
const GROUP_ROWS: usize = 10_000;
const GROUP_TIME: Duration = Duration::from_millis(20);
/// Plans of this many rows are carried out before more are taken, so that the time of their group is known.
const PLANS_ROWS: usize = 2_000;

/// A piece of work that waits.
pub(super) struct Piece {
    /// The account whose gate has to be open for it.
    pub(super) account: Option<AccountId>,
    pub(super) job: Job,
}

pub(super) enum Job {
    Plan(Box<Waiting>),
    /// If it gets a failure instead of a connection, it only passes on the failure.
    Other(Run),
}

pub(super) type Run = Box<dyn FnOnce(Result<&Connection, StoreError>) -> Option<Ran> + Send>;

/// A plan that waits.
pub(super) struct Waiting {
    pub(super) work: Work,
    /// Tells its caller, after COMMIT.
    pub(super) tell: Box<dyn FnOnce(Result<Committed, StoreError>) + Send>,
}

impl Waiting {
    fn tell(self, told: Result<Committed, StoreError>) {
        // This releases the idempotency key before anybody can send the call again.
        drop(self.work);
        (self.tell)(told);
    }
}

impl Piece {
    /// Tells the caller of the work that nothing was done.
    pub(super) fn fail(self, failure: StoreError) {
        match self.job {
            Job::Plan(waiting) => waiting.tell(Err(failure)),
            Job::Other(run) => drop(run(Err(failure))),
        }
    }
}

/// A piece of work that was run.
pub(super) struct Ran {
    pub(super) keeps: bool,
    pub(super) rows: usize,
    pub(super) tell: Tell,
}

/// Sends the answer, if the caller still waits for it: that of the work, or the failure of the group.
pub(super) type Tell = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// What is written in one transaction.
#[derive(Default)]
pub(super) struct Group {
    /// The plans that are taken and not yet carried out.
    plans: Vec<Waiting>,
    /// The number of their rows.
    plans_rows: usize,
    /// Tells the callers of the other pieces.
    told: Vec<Tell>,
    /// The number of rows of all pieces.
    rows: usize,
}

impl Group {
    pub(super) fn len(&self) -> usize {
        self.plans.len().saturating_add(self.told.len())
    }

    /// Tells all callers.
    pub(super) fn tell(self, told: &Result<(), StoreError>) {
        for tell in self.told {
            tell(told.clone());
        }
        if let Err(failure) = told {
            for plan in self.plans {
                plan.tell(Err(failure.clone()));
            }
        }
    }

    /// Runs the work that waits, up to the limits of a group. Plans are gathered, and carried out together.
    ///
    /// Work that comes in the meantime waits for the next group. While a group is written, the calls of the group before are
    /// answered and the next calls are read. If a group took in whatever comes, it would soon hold all calls. Writing would
    /// then wait for reading, and reading for writing.
    ///
    /// # Errors
    /// The transaction has to be rolled back, with everything that is in the group.
    pub(super) fn fill(
        &mut self,
        connection: &Connection,
        gates: &Gates,
        waiting: &mut UnboundedReceiver<Piece>,
        first: Piece,
    ) -> Result<(), StoreError> {
        // clock: bounds how long the first of a group waits for the others; a result does not depend on it.
        let started = Instant::now();
        let mut others = waiting.len();
        let mut next = Some(first);
        while let Some(piece) = next {
            match piece.job {
                Job::Plan(plan) => self.gather(*plan),
                Job::Other(run) => self.run(connection, run)?,
            }
            if self.plans_rows >= PLANS_ROWS {
                self.carry_out(connection)?;
            }
            // clock: what does not fit goes into the next group.
            let is_late = started.elapsed() >= GROUP_TIME;
            let is_full = is_late || self.len() >= GROUP_PIECES || self.rows >= GROUP_ROWS;
            next = None;
            while !is_full && others > 0 && next.is_none() {
                others = others.saturating_sub(1);
                next = waiting.try_recv().ok().and_then(|piece| gates.admit(piece));
            }
        }
        self.carry_out(connection)
    }

    fn gather(&mut self, plan: Waiting) {
        let rows = plan.work.size();
        self.plans_rows = self.plans_rows.saturating_add(rows);
        self.rows = self.rows.saturating_add(rows);
        self.plans.push(plan);
    }

    /// Runs work other than a plan, in a savepoint of its own.
    fn run(&mut self, connection: &Connection, work: Run) -> Result<(), StoreError> {
        if let Err(failure) = begin(connection) {
            drop(work(Err(failure.clone())));
            return Err(failure);
        }
        let ran = work(Ok(connection));
        let keeps = ran.as_ref().is_some_and(|ran| ran.keeps);
        if let Some(ran) = ran {
            self.told.push(ran.tell);
            self.rows = self.rows.saturating_add(ran.rows);
        }
        end(connection, keeps)
    }

    /// Carries out the plans that are gathered.
    fn carry_out(&mut self, connection: &Connection) -> Result<(), StoreError> {
        let works: Vec<&Work> = self.plans.iter().map(|plan| &plan.work).collect();
        let answers = carry_out_together(connection, &works)?;
        for (plan, answer) in self.plans.drain(..).zip(answers) {
            let tell = move |group: Result<(), StoreError>| plan.tell(group.and(answer));
            self.told.push(Box::new(tell));
        }
        self.plans_rows = 0;
        Ok(())
    }
}

/// Carries out plans in one savepoint. If one of them cannot be written, each is carried out alone, so that its fault does not
/// fail the others.
fn carry_out_together(
    connection: &Connection,
    works: &[&Work],
) -> Result<Vec<Result<Committed, StoreError>>, StoreError> {
    if works.is_empty() {
        return Ok(Vec::new());
    }
    begin(connection)?;
    let answers = carry_out(connection, works);
    end(connection, answers.is_ok())?;
    match answers {
        Err(failure) if works.len() == 1 => Ok(vec![Err(failure)]),
        Err(_) => {
            let mut answers = Vec::new();
            for alone in works.chunks(1) {
                answers.extend(carry_out_together(connection, alone)?);
            }
            Ok(answers)
        }
        answers => answers,
    }
}

fn begin(connection: &Connection) -> Result<(), StoreError> {
    run(connection, "SAVEPOINT piece").doing("beginning a savepoint")
}

/// Ends a savepoint, and rolls it back unless its rows stay.
fn end(connection: &Connection, keeps: bool) -> Result<(), StoreError> {
    if connection.is_autocommit() {
        return Err(StoreError::Failed(Cause::new(
            "writing: SQLite has rolled the transaction back, as on a full disk",
        )));
    }
    if !keeps {
        run(connection, "ROLLBACK TO piece").doing("rolling a savepoint back")?;
    }
    run(connection, "RELEASE piece").doing("ending a savepoint")
}

pub(super) fn run(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}
