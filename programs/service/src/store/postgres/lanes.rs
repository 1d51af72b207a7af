//! Lanes: queues of commits. A lane is a task with a queue and a database connection of its own. All commits of one account
//! go into the same lane. The lane carries out the commits that wait in groups, each group in one transaction.
//!
//! The commits of an account therefore never hold the pool, and a commit that comes alone is carried out at once.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::Pool;
use tokio::sync::{Notify, oneshot};

use super::carry_out::carry_out;
use super::instance::Signals;
use super::open::{OpenError, Server};
use crate::store::error::StoreError;
use crate::store::group::Verdict;
use crate::store::work::Work;
use crate::store::{Answer, Committed};
use crate::telemetry;

/// How many lanes there are.
const LANES: usize = 2;
/// A group is everything that waits when the previous group has ended, up to these limits.
const GROUP_PLANS: usize = 128;
const GROUP_ROWS: usize = 5_000;

/// The lanes of a process.
pub(super) struct Lanes {
    lanes: Vec<Arc<Lane>>,
    ways: Arc<Ways>,
}

/// One lane, with its queue.
#[derive(Default)]
struct Lane {
    state: Mutex<State>,
    /// Notified when something waits, or when the lane is to end.
    comes: Notify,
}

#[derive(Default)]
struct State {
    /// The accounts that have something waiting, in the order of their turns.
    turns: VecDeque<i64>,
    by_account: HashMap<i64, VecDeque<Job>>,
    is_over: bool,
}

/// A commit that waits.
struct Job {
    work: Work,
    told: oneshot::Sender<Result<Committed, StoreError>>,
}

impl Job {
    fn tell(self, answer: Result<Committed, StoreError>) {
        // This releases the idempotency key before anybody can send the call again.
        drop(self.work);
        // The answer may have been dropped.
        drop(self.told.send(answer));
    }
}

/// The connections and signals that the lanes share.
struct Ways {
    /// The lanes' own connections.
    own: Pool,
    /// For large plans, and for questions about lost commits.
    pool: Pool,
    signals: Signals,
}

impl Lanes {
    /// Starts the lanes. Call this within a Tokio runtime. After each group that was committed, a signal is given.
    pub(super) fn start(server: &Server, pool: Pool, signals: Signals) -> Result<Self, OpenError> {
        let ways = Arc::new(Ways {
            own: server.pool(LANES)?,
            pool,
            signals,
        });
        let lane = || {
            let lane = Arc::<Lane>::default();
            tokio::spawn(serve(Arc::clone(&lane), Arc::clone(&ways)));
            lane
        };
        let lanes = std::iter::repeat_with(lane).take(LANES).collect();
        Ok(Self { lanes, ways })
    }

    /// Carries out a plan, together with others that wait. When this method returns, the lane owns the plan.
    pub(super) fn commit(&self, work: Work) -> Answer<Committed> {
        let (told, answer) = oneshot::channel();
        let place = usize::try_from(work.account.0.rem_euclid(LANES as i64)).unwrap_or(0);
        // A large plan goes alone, on a connection of the pool, so that others do not wait for it.
        let is_large = work.is_large();
        let job = Job { work, told };
        match self.lanes.get(place) {
            Some(lane) if !is_large => {
                lane.lock().push(job);
                lane.comes.notify_one();
            }
            _ => {
                let ways = Arc::clone(&self.ways);
                tokio::spawn(async move { ways.run(&ways.pool, vec![job]).await.map(drop) });
            }
        }
        Box::pin(async move { answer.await.unwrap_or_else(|_| Err(super::stopped())) })
    }
}

impl Drop for Lanes {
    /// Ends the lanes. Commits that wait are still carried out.
    fn drop(&mut self) {
        for lane in &self.lanes {
            lane.lock().is_over = true;
            lane.comes.notify_one();
        }
    }
}

impl Lane {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Each method leaves the state consistent, even if a thread has panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, job: Job) {
        let account = job.work.account.0;
        let waiting = self.by_account.entry(account).or_default();
        if waiting.is_empty() {
            self.turns.push_back(account);
        }
        waiting.push_back(job);
    }

    /// Takes everything that waits.
    fn clear(&mut self) -> impl Iterator<Item = Job> {
        self.turns.clear();
        std::mem::take(&mut self.by_account).into_values().flatten()
    }

    /// Takes the next group: one plan of each account in turn, up to the limits.
    fn group(&mut self) -> Vec<Job> {
        let mut group = Vec::new();
        let mut rows = 0_usize;
        while let Some(account) = self.turns.front().copied() {
            let waiting = self.by_account.entry(account).or_default();
            let next = waiting.front().map_or(0, |job| job.work.rows());
            rows = rows.saturating_add(next);
            if !group.is_empty() && (group.len() >= GROUP_PLANS || rows > GROUP_ROWS) {
                break;
            }
            self.turns.pop_front();
            group.extend(waiting.pop_front());
            match waiting.is_empty() {
                true => drop(self.by_account.remove(&account)),
                false => self.turns.push_back(account),
            }
        }
        group
    }
}

/// Carries out groups until the lane is to end and nothing waits.
async fn serve(lane: Arc<Lane>, ways: Arc<Ways>) {
    loop {
        let (group, is_over) = {
            let mut state = lane.lock();
            (state.group(), state.is_over)
        };
        if !group.is_empty() {
            let later = ways.run(&ways.own, group).await;
            let mut state = lane.lock();
            match later {
                Ok(later) => later.into_iter().for_each(|job| state.push(job)),
                // All commits that wait have waited for the same database, so they fail together.
                Err(failure) => {
                    for job in state.clear() {
                        job.tell(Err(failure.clone()));
                    }
                }
            }
        } else if is_over {
            return;
        } else {
            lane.comes.notified().await;
        }
    }
}

impl Ways {
    /// Carries out a group, and tells the callers. Returns the commits whose turn comes later.
    ///
    /// # Errors
    /// The database failed. Nothing that waits was done.
    async fn run(&self, own: &Pool, group: Vec<Job>) -> Result<Vec<Job>, StoreError> {
        let works: Vec<&Work> = group.iter().map(|job| &job.work).collect();
        match carry_out(own, &self.pool, &works).await {
            Ok(verdicts) => {
                telemetry::committed(group.len());
                if verdicts.contains(&Verdict::Done) {
                    self.signals.give();
                }
                Ok(tell(group, verdicts))
            }
            // One plan's fault must not fail the others, so each is tried alone.
            Err(StoreError::Conflict(_) | StoreError::Busy(_)) if group.len() > 1 => {
                let mut later = Vec::new();
                for job in group {
                    later.extend(Box::pin(self.run(own, vec![job])).await?);
                }
                Ok(later)
            }
            Err(failure) => {
                for job in group {
                    job.tell(Err(failure.clone()));
                }
                match failure {
                    StoreError::Failed(_) => Err(failure),
                    StoreError::Unknown(cause) => Err(StoreError::Failed(cause)),
                    StoreError::Conflict(_) | StoreError::Busy(_) => Ok(Vec::new()),
                }
            }
        }
    }
}

fn tell(group: Vec<Job>, verdicts: Vec<Verdict>) -> Vec<Job> {
    let mut later = Vec::new();
    for (job, verdict) in group.into_iter().zip(verdicts) {
        let answer = match verdict {
            Verdict::Done => Ok(Committed::Done),
            Verdict::Replayed(kept) => Ok(Committed::Replayed(kept)),
            Verdict::Conflict(conflict) => Err(StoreError::Conflict(conflict)),
            Verdict::Later => {
                later.push(job);
                continue;
            }
        };
        job.tell(answer);
    }
    later
}
