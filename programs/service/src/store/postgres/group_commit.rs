//! Group commit: the plans of one account wait in one queue. Each queue has a task and a database connection of its own, and
//! carries out what waits in groups, each group in one transaction.
//!
//! The commits of an account therefore never hold the pool, and a commit that comes alone is carried out at once.
//!
//! A large plan is carried out beside the queues, and holds the row of its account for as long as that takes. Meanwhile the
//! account has no turn in its queue: a group that waited for the row would keep the other accounts waiting. The large plans of
//! an account are carried out one after the other, and what waits in the queue has a turn between them.
//!
//! Another process, or an operator's command, may hold the row of an account as well. A group waits only briefly for it. Then
//! the plans of that account are left out of the group, and wait for the row beside the queue.

mod turns;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::Pool;
use tokio::sync::{Notify, oneshot};

use super::carry_out::carry_out;
use super::instance::Signals;
use super::open::{OpenError, Server};
use super::stored::Lock;
use crate::store::broken::Broken;
use crate::store::error::StoreError;
use crate::store::group::Verdict;
use crate::store::identity::AccountId;
use crate::store::work::Work;
use crate::store::{Answer, Committed};
use crate::telemetry;
use turns::Turns;

/// The number of queues: one of the accounts with even numbers, and one of the others.
const QUEUES: usize = 2;
/// How many accounts' plans can wait at once for the row of their account beside the queues. Each account takes a connection.
const WAIT_FOR_ROWS: usize = 4;

/// The queues of a process, and what they share.
pub(super) struct GroupCommit {
    queues: [Arc<CommitQueue>; QUEUES],
    connections: Arc<Connections>,
}

/// A queue of commits.
#[derive(Default)]
struct CommitQueue {
    turns: Mutex<Turns>,
    /// Notified when something waits, or when the queue is to end.
    comes: Notify,
}

/// What is under way beside a queue: a large plan, or plans that wait for the row of their account. Until this is dropped, the
/// other commits of the account wait.
pub(super) struct UnderWay {
    queue: Arc<CommitQueue>,
    account: i64,
}

impl UnderWay {
    /// Ends it because the database failed. The other commits of its account have waited for the same database, so they fail
    /// together with it.
    pub(super) fn fail(self, failure: &StoreError) {
        self.queue.lock().fail(Some(self.account), failure);
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.queue.lock().has_ended(self.account);
        self.queue.comes.notify_one();
    }
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
    /// For plans that wait for the row of their account.
    for_rows: Pool,
    /// For large plans, and for questions about lost commits.
    pool: Pool,
    signals: Signals,
}

impl GroupCommit {
    /// Starts the queues. Call this within a Tokio runtime. After each group that was committed, a signal is given. A panic of
    /// a queue's task is reported.
    pub(super) fn start(
        server: &Server,
        pool: Pool,
        signals: Signals,
        broken: &Broken,
    ) -> Result<Self, OpenError> {
        let connections = Arc::new(Connections {
            own: server.pool(QUEUES)?,
            for_rows: server.pool(WAIT_FOR_ROWS)?,
            pool,
            signals,
        });
        let queues = std::array::from_fn(|_| {
            let queue = Arc::<CommitQueue>::default();
            let serving = serve(Arc::clone(&queue), Arc::clone(&connections));
            tokio::spawn(broken.watch("carrying out what waits in a queue", serving));
            queue
        });
        Ok(Self {
            queues,
            connections,
        })
    }

    /// Carries out a plan, together with others that wait. When this method returns, the queue owns the plan.
    pub(super) fn commit(&self, work: Work) -> Answer<Committed> {
        let (told, answer) = oneshot::channel();
        let (account, is_large) = (work.account, work.is_large());
        let pending = Pending { work, told };
        if is_large {
            // On a connection of the pool, so that others do not wait for it.
            let begins = self.begin_large(account);
            let connections = Arc::clone(&self.connections);
            tokio::spawn(async move {
                let under_way = match begins.await {
                    Ok(under_way) => under_way,
                    Err(failure) => return pending.tell(Err(failure)),
                };
                let carried_out = connections.run(&connections.pool, vec![pending], Lock::Waits);
                if let Err(failure) = carried_out.await {
                    under_way.fail(&failure);
                }
            });
        } else {
            let queue = self.queue_of(account);
            queue.lock().push(pending);
            queue.comes.notify_one();
        }
        Box::pin(async move { answer.await.unwrap_or_else(|_| Err(super::stopped())) })
    }

    /// Announces a large plan, which may begin when the answer comes. It ends when the answer is dropped.
    ///
    /// # Errors
    /// The database failed meanwhile. Nothing was done.
    pub(super) fn begin_large(
        &self,
        account: AccountId,
    ) -> impl Future<Output = Result<UnderWay, StoreError>> + Send + use<> {
        let queue = Arc::clone(self.queue_of(account));
        let account = account.0;
        let begins = queue.lock().large_comes(account);
        async move {
            begins.await.unwrap_or_else(|_| Err(super::stopped()))?;
            Ok(UnderWay { queue, account })
        }
    }

    fn queue_of(&self, account: AccountId) -> &Arc<CommitQueue> {
        let [even, odd] = &self.queues;
        match account.0 % 2 {
            0 => even,
            _ => odd,
        }
    }
}

impl Drop for GroupCommit {
    /// Ends the queues. Commits that wait are still carried out.
    fn drop(&mut self) {
        for queue in &self.queues {
            queue.lock().end();
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

/// Closes a queue when its task has ended, even by a panic.
struct Closes<'q>(&'q CommitQueue);

impl Drop for Closes<'_> {
    fn drop(&mut self) {
        self.0.lock().close();
    }
}

/// Carries out groups until the queue is to end and nothing waits.
async fn serve(queue: Arc<CommitQueue>, connections: Arc<Connections>) {
    let _closes = Closes(&queue);
    loop {
        let (group, are_over) = {
            let mut turns = queue.lock();
            let group = turns.group();
            (group, turns.are_over())
        };
        if !group.is_empty() {
            let own = &connections.own;
            let left = connections.run(own, group, Lock::WaitsBriefly).await;
            let held = after_group(&mut queue.lock(), left);
            for (account, held) in held {
                let under_way = UnderWay {
                    queue: Arc::clone(&queue),
                    account,
                };
                tokio::spawn(wait_for_row(Arc::clone(&connections), held, under_way));
            }
        } else if are_over {
            return;
        } else {
            queue.comes.notified().await;
        }
    }
}

/// Notes that a group has ended, and returns the plans that go on beside the queue, by account.
fn after_group(turns: &mut Turns, left: Result<Left, StoreError>) -> BTreeMap<i64, Vec<Pending>> {
    let mut held = BTreeMap::<i64, Vec<Pending>>::new();
    match left {
        Ok(left) => {
            for pending in left.later {
                turns.push(pending);
            }
            for pending in left.held {
                let account = pending.work.account.0;
                turns.go_on_beside(account);
                held.entry(account).or_default().push(pending);
            }
        }
        // All commits that wait have waited for the same database, so they fail together.
        Err(failure) => turns.fail(None, &failure),
    }
    turns.group_has_ended();
    held
}

/// Carries out plans of an account whose row is held, as soon as it is free.
async fn wait_for_row(connections: Arc<Connections>, mut plans: Vec<Pending>, under_way: UnderWay) {
    while !plans.is_empty() {
        let carried_out = connections.run(&connections.for_rows, plans, Lock::Waits);
        match carried_out.await {
            Ok(left) => plans = left.later,
            Err(failure) => return under_way.fail(&failure),
        }
    }
}

/// The commits of a group that were not carried out yet, in their order.
#[derive(Default)]
struct Left {
    /// Commits whose turn comes later.
    later: Vec<Pending>,
    /// Commits of accounts whose rows another transaction holds.
    held: Vec<Pending>,
}

impl Left {
    fn has_held(&self, account: AccountId) -> bool {
        let mut held = self.held.iter();
        held.any(|pending| pending.work.account == account)
    }
}

impl Connections {
    /// Carries out a group, and tells the callers. Returns the commits that were not carried out yet.
    ///
    /// # Errors
    /// The database failed. No commit that waits was carried out.
    async fn run(&self, own: &Pool, group: Vec<Pending>, lock: Lock) -> Result<Left, StoreError> {
        let works: Vec<&Work> = group.iter().map(|pending| &pending.work).collect();
        let mut carried_out = carry_out(own, &self.pool, &works, lock).await;
        let is_held =
            matches!(&carried_out, Err(StoreError::Failed(cause)) if cause.is_of_a_lock());
        if is_held && lock == Lock::WaitsBriefly {
            carried_out = carry_out(own, &self.pool, &works, Lock::LeavesOut).await;
        }
        match carried_out {
            Ok(verdicts) => {
                let done = verdicts.iter().filter(|verdict| verdict.is_done()).count();
                if done > 0 {
                    telemetry::committed(done);
                    self.signals.give();
                }
                Ok(tell(group, verdicts))
            }
            // One plan's fault must not fail the others, so each is tried alone.
            Err(StoreError::Conflict(_) | StoreError::Busy(_)) if group.len() > 1 => {
                let mut left = Left::default();
                let mut group = group.into_iter();
                while let Some(pending) = group.next() {
                    // The plans of an account keep their order.
                    if left.has_held(pending.work.account) {
                        left.held.push(pending);
                        continue;
                    }
                    match Box::pin(self.run(own, vec![pending], lock)).await {
                        Ok(again) => {
                            left.later.extend(again.later);
                            left.held.extend(again.held);
                        }
                        Err(failure) => {
                            // The others are not tried: they would wait for the same database.
                            let others = left.later.into_iter().chain(left.held).chain(group);
                            for pending in others {
                                pending.tell(Err(failure.clone()));
                            }
                            return Err(failure);
                        }
                    }
                }
                Ok(left)
            }
            Err(failure) => {
                for pending in group {
                    pending.tell(Err(failure.clone()));
                }
                match failure {
                    StoreError::Failed(_) => Err(failure),
                    StoreError::Unknown(cause) => Err(StoreError::Failed(cause)),
                    StoreError::Conflict(_) | StoreError::Busy(_) => Ok(Left::default()),
                }
            }
        }
    }
}

/// Tells the callers of a group, except those whose commits were not carried out yet. Returns these commits.
fn tell(group: Vec<Pending>, verdicts: Vec<Verdict>) -> Left {
    let mut left = Left::default();
    for (pending, verdict) in group.into_iter().zip(verdicts) {
        match verdict {
            Verdict::Told(answer) => pending.tell(answer),
            Verdict::Later => left.later.push(pending),
            Verdict::Held => left.held.push(pending),
        }
    }
    left
}

#[cfg(test)]
mod tests;
