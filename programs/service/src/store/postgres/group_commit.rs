//! Group commit: the plans of one account wait in one queue. Each queue has a task and a database connection of its own, and
//! carries out what waits in groups, each group in one transaction.
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

/// The number of queues.
const QUEUES: usize = 2;
/// A group is everything that waits when the previous group has ended, up to these limits.
const GROUP_PLANS: usize = 128;
const GROUP_ROWS: usize = 5_000;

/// The queues of a process, and what they share.
pub(super) struct GroupCommit {
    queues: Vec<Arc<CommitQueue>>,
    connections: Arc<Connections>,
}

/// A queue of commits.
#[derive(Default)]
struct CommitQueue {
    turns: Mutex<Turns>,
    /// Notified when something waits, or when the queue is to end.
    comes: Notify,
}

#[derive(Default)]
struct Turns {
    /// The accounts that have something waiting, in the order of their turns.
    accounts: VecDeque<i64>,
    by_account: HashMap<i64, VecDeque<Pending>>,
    is_over: bool,
}

/// A commit that waits.
struct Pending {
    work: Work,
    told: oneshot::Sender<Result<Committed, StoreError>>,
}

impl Pending {
    fn tell(self, answer: Result<Committed, StoreError>) {
        // This releases the idempotency key before anybody can send the call again.
        drop(self.work);
        // The answer may have been dropped.
        drop(self.told.send(answer));
    }
}

/// The connections and signals that the queues share.
struct Connections {
    /// The queues' own connections.
    own: Pool,
    /// For large plans, and for questions about lost commits.
    pool: Pool,
    signals: Signals,
}

impl GroupCommit {
    /// Starts the queues. Call this within a Tokio runtime. After each group that was committed, a signal is given.
    pub(super) fn start(server: &Server, pool: Pool, signals: Signals) -> Result<Self, OpenError> {
        let connections = Arc::new(Connections {
            own: server.pool(QUEUES)?,
            pool,
            signals,
        });
        let queue = || {
            let queue = Arc::<CommitQueue>::default();
            tokio::spawn(serve(Arc::clone(&queue), Arc::clone(&connections)));
            queue
        };
        let queues = std::iter::repeat_with(queue).take(QUEUES).collect();
        Ok(Self {
            queues,
            connections,
        })
    }

    /// Carries out a plan, together with others that wait. When this method returns, the queue owns the plan.
    pub(super) fn commit(&self, work: Work) -> Answer<Committed> {
        let (told, answer) = oneshot::channel();
        let place = usize::try_from(work.account.0.rem_euclid(QUEUES as i64)).unwrap_or(0);
        // A large plan goes alone, on a connection of the pool, so that others do not wait for it.
        let is_large = work.is_large();
        let pending = Pending { work, told };
        match self.queues.get(place) {
            Some(queue) if !is_large => {
                queue.lock().push(pending);
                queue.comes.notify_one();
            }
            _ => {
                let connections = Arc::clone(&self.connections);
                tokio::spawn(async move {
                    connections
                        .run(&connections.pool, vec![pending])
                        .await
                        .map(drop)
                });
            }
        }
        Box::pin(async move { answer.await.unwrap_or_else(|_| Err(super::stopped())) })
    }
}

impl Drop for GroupCommit {
    /// Ends the queues. Commits that wait are still carried out.
    fn drop(&mut self) {
        for queue in &self.queues {
            queue.lock().is_over = true;
            queue.comes.notify_one();
        }
    }
}

impl CommitQueue {
    fn lock(&self) -> MutexGuard<'_, Turns> {
        // Each method leaves the turns consistent, even if a thread has panicked.
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns {
    fn push(&mut self, pending: Pending) {
        let account = pending.work.account.0;
        let waiting = self.by_account.entry(account).or_default();
        if waiting.is_empty() {
            self.accounts.push_back(account);
        }
        waiting.push_back(pending);
    }

    /// Takes everything that waits.
    fn clear(&mut self) -> impl Iterator<Item = Pending> {
        self.accounts.clear();
        std::mem::take(&mut self.by_account).into_values().flatten()
    }

    /// Takes the next group: one plan of each account in turn, up to the limits.
    fn group(&mut self) -> Vec<Pending> {
        let mut group = Vec::new();
        let mut rows = 0_usize;
        while let Some(account) = self.accounts.front().copied() {
            let waiting = self.by_account.entry(account).or_default();
            let next = waiting.front().map_or(0, |pending| pending.work.rows());
            rows = rows.saturating_add(next);
            if !group.is_empty() && (group.len() >= GROUP_PLANS || rows > GROUP_ROWS) {
                break;
            }
            self.accounts.pop_front();
            group.extend(waiting.pop_front());
            match waiting.is_empty() {
                true => drop(self.by_account.remove(&account)),
                false => self.accounts.push_back(account),
            }
        }
        group
    }
}

/// Carries out groups until the queue is to end and nothing waits.
async fn serve(queue: Arc<CommitQueue>, connections: Arc<Connections>) {
    loop {
        let (group, is_over) = {
            let mut turns = queue.lock();
            (turns.group(), turns.is_over)
        };
        if !group.is_empty() {
            let later = connections.run(&connections.own, group).await;
            let mut turns = queue.lock();
            match later {
                Ok(later) => later.into_iter().for_each(|pending| turns.push(pending)),
                // All commits that wait have waited for the same database, so they fail together.
                Err(failure) => {
                    for pending in turns.clear() {
                        pending.tell(Err(failure.clone()));
                    }
                }
            }
        } else if is_over {
            return;
        } else {
            queue.comes.notified().await;
        }
    }
}

impl Connections {
    /// Carries out a group, and tells the callers. Returns the commits whose turn comes later.
    ///
    /// # Errors
    /// The database failed. Nothing that waits was done.
    async fn run(&self, own: &Pool, group: Vec<Pending>) -> Result<Vec<Pending>, StoreError> {
        let works: Vec<&Work> = group.iter().map(|pending| &pending.work).collect();
        match carry_out(own, &self.pool, &works).await {
            Ok(verdicts) => {
                telemetry::committed(group.len());
                if verdicts.iter().any(Verdict::is_done) {
                    self.signals.give();
                }
                Ok(tell(group, verdicts))
            }
            // One plan's fault must not fail the others, so each is tried alone.
            Err(StoreError::Conflict(_) | StoreError::Busy(_)) if group.len() > 1 => {
                let mut later = Vec::new();
                for pending in group {
                    later.extend(Box::pin(self.run(own, vec![pending])).await?);
                }
                Ok(later)
            }
            Err(failure) => {
                for pending in group {
                    pending.tell(Err(failure.clone()));
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

fn tell(group: Vec<Pending>, verdicts: Vec<Verdict>) -> Vec<Pending> {
    let mut later = Vec::new();
    for (pending, verdict) in group.into_iter().zip(verdicts) {
        match verdict {
            Verdict::Told(answer) => pending.tell(answer),
            Verdict::Later => later.push(pending),
        }
    }
    later
}
