//! Group commit: the plans of one account wait in one queue. Each queue has a task and a database connection of its own, and
//! carries out what waits in groups, each group in one transaction.
//!
//! The commits of an account therefore never hold the pool, and a commit that comes alone is carried out at once.
//!
//! A large plan is carried out outside the queues, and holds the row of its account for as long as that takes. Meanwhile the
//! account has no turn in its queue: a group that waited for the row would keep the other accounts waiting. The large plans of
//! an account are carried out one after the other, and what waits in the queue has a turn between them.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::Pool;
use tokio::sync::{Notify, oneshot};

use super::carry_out::carry_out;
use super::instance::Signals;
use super::open::{OpenError, Server};
use crate::store::error::StoreError;
use crate::store::group::Verdict;
use crate::store::identity::AccountId;
use crate::store::work::Work;
use crate::store::{Answer, Committed};
use crate::telemetry;

/// The number of queues: one of the accounts with even numbers, and one of the others.
const QUEUES: usize = 2;
/// A group is everything that waits when the previous group has ended, up to these limits.
const GROUP_PLANS: usize = 128;
const GROUP_ROWS: usize = 5_000;

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

#[derive(Default)]
struct Turns {
    /// The accounts that have something waiting, in the order of their turns.
    accounts: VecDeque<i64>,
    by_account: HashMap<i64, VecDeque<Pending>>,
    /// The accounts that have large plans.
    large: HashMap<i64, LargePlans>,
    /// Whether a group is being carried out. It may have plans of any account that has no large plan under way.
    is_running: bool,
    is_over: bool,
}

/// The large plans of an account.
struct LargePlans {
    next: Next,
    /// Those that have not begun, in their order.
    waiting: VecDeque<oneshot::Sender<Result<(), StoreError>>>,
}

/// What comes next for an account that has large plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A large plan is under way.
    Ends,
    /// The next large plan begins when the group that is being carried out has ended.
    AfterThisGroup,
    /// What waits in the queue is in the next group.
    InNextGroup,
}

/// A large plan that is under way. Until this is dropped, the other commits of its account wait.
pub(super) struct LargePlan {
    queue: Arc<CommitQueue>,
    account: i64,
}

impl LargePlan {
    /// Ends the plan because the database failed. What waits of its account has waited for the same database, and fails
    /// together with it.
    pub(super) fn fail(self, failure: &StoreError) {
        self.queue.lock().fail(Some(self.account), failure);
    }
}

impl Drop for LargePlan {
    fn drop(&mut self) {
        self.queue.lock().large_has_ended(self.account);
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
        let queues = std::array::from_fn(|_| {
            let queue = Arc::<CommitQueue>::default();
            tokio::spawn(serve(Arc::clone(&queue), Arc::clone(&connections)));
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
                let carried_out = connections.run(&connections.pool, vec![pending]);
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
    ) -> impl Future<Output = Result<LargePlan, StoreError>> + Send + use<> {
        let queue = Arc::clone(self.queue_of(account));
        let account = account.0;
        let begins = queue.lock().large_comes(account);
        async move {
            begins.await.unwrap_or_else(|_| Err(super::stopped()))?;
            Ok(LargePlan { queue, account })
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

    /// Tells what waits, of an account or of all, that the database failed. Large plans that are under way go on.
    fn fail(&mut self, account: Option<i64>, failure: &StoreError) {
        let is_of = |other: &i64| account.is_none_or(|account| account == *other);
        self.accounts.retain(|account| !is_of(account));
        let waiting = self.by_account.extract_if(|account, _| is_of(account));
        for pending in waiting.flat_map(|(_, waiting)| waiting) {
            pending.tell(Err(failure.clone()));
        }
        self.large.retain(|account, large| {
            if is_of(account) {
                for begins in large.waiting.drain(..) {
                    // The answer may have been dropped.
                    drop(begins.send(Err(failure.clone())));
                }
            }
            large.next == Next::Ends || !large.waiting.is_empty()
        });
    }

    /// Takes the next group: one plan of each account in turn, up to the limits.
    fn group(&mut self) -> Vec<Pending> {
        let mut group = Vec::new();
        let mut rows = 0_usize;
        let mut without_turn = VecDeque::new();
        while let Some(account) = self.accounts.pop_front() {
            let mut large = self.large.get_mut(&account);
            if large.as_ref().is_some_and(|large| large.next == Next::Ends) {
                without_turn.push_back(account);
                continue;
            }
            let waiting = self.by_account.entry(account).or_default();
            let next = waiting.front().map_or(0, |pending| pending.work.rows());
            rows = rows.saturating_add(next);
            if !group.is_empty() && (group.len() >= GROUP_PLANS || rows > GROUP_ROWS) {
                self.accounts.push_front(account);
                break;
            }
            group.extend(waiting.pop_front());
            if let Some(large) = &mut large {
                large.next = Next::AfterThisGroup;
            }
            match waiting.is_empty() {
                true => drop(self.by_account.remove(&account)),
                false => self.accounts.push_back(account),
            }
        }
        // They keep their places.
        without_turn.append(&mut self.accounts);
        self.accounts = without_turn;
        self.is_running = !group.is_empty();
        group
    }

    /// Notes that the group which was taken has ended. The large plans that have waited for its end begin.
    fn group_has_ended(&mut self) {
        self.is_running = false;
        for large in self.large.values_mut() {
            if large.next == Next::AfterThisGroup {
                large.begin();
            }
        }
    }

    /// Notes a large plan of an account. It begins when the answer comes.
    fn large_comes(&mut self, account: i64) -> oneshot::Receiver<Result<(), StoreError>> {
        let (begins, answer) = oneshot::channel();
        let is_first = !self.large.contains_key(&account);
        let large = self.large.entry(account).or_insert_with(|| LargePlans {
            // The group may have a plan of the account.
            next: Next::AfterThisGroup,
            waiting: VecDeque::new(),
        });
        large.waiting.push_back(begins);
        if is_first && !self.is_running {
            large.begin();
        }
        answer
    }

    /// Notes that the large plan of an account that was under way has ended.
    fn large_has_ended(&mut self, account: i64) {
        let Entry::Occupied(mut large) = self.large.entry(account) else {
            return;
        };
        if large.get().waiting.is_empty() {
            large.remove();
        } else if self.by_account.contains_key(&account) {
            large.get_mut().next = Next::InNextGroup;
        } else {
            large.get_mut().begin();
        }
    }
}

impl LargePlans {
    /// Begins the next one that waits.
    fn begin(&mut self) {
        self.next = Next::Ends;
        if let Some(begins) = self.waiting.pop_front() {
            // A plan waits for this until it comes.
            drop(begins.send(Ok(())));
        }
    }
}

/// Carries out groups until the queue is to end and nothing waits.
async fn serve(queue: Arc<CommitQueue>, connections: Arc<Connections>) {
    loop {
        let (group, is_over) = {
            let mut turns = queue.lock();
            let group = turns.group();
            (group, turns.is_over && turns.accounts.is_empty())
        };
        if !group.is_empty() {
            let later = connections.run(&connections.own, group).await;
            let mut turns = queue.lock();
            match later {
                Ok(later) => later.into_iter().for_each(|pending| turns.push(pending)),
                // All commits that wait have waited for the same database, so they fail together.
                Err(failure) => turns.fail(None, &failure),
            }
            turns.group_has_ended();
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
                let mut group = group.into_iter();
                while let Some(pending) = group.next() {
                    match Box::pin(self.run(own, vec![pending])).await {
                        Ok(again) => later.extend(again),
                        Err(failure) => {
                            // The others are not tried: they would wait for the same database.
                            for pending in later.into_iter().chain(group) {
                                pending.tell(Err(failure.clone()));
                            }
                            return Err(failure);
                        }
                    }
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
