//! Whose turn it is in a queue of commits.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use tokio::sync::oneshot;

use super::Pending;
use crate::store::error::{Cause, StoreError};

/// A group is everything that waits when the previous group has ended, up to these limits.
const GROUP_PLANS: usize = 128;
const GROUP_ROWS: usize = 5_000;

/// What waits in a queue.
#[derive(Default)]
pub(super) struct Turns {
    /// The accounts that have something waiting, in the order of their turns.
    accounts: VecDeque<i64>,
    by_account: HashMap<i64, VecDeque<Pending>>,
    /// The accounts for which something is carried out beside the queue.
    beside: HashMap<i64, Beside>,
    /// Whether a group is being carried out. It may have plans of any account that has nothing under way beside the queue.
    is_running: bool,
    is_over: bool,
    /// Whether the task of the queue has ended. Nothing waits then.
    is_closed: bool,
}

/// What is carried out beside the queue for an account.
struct Beside {
    next: Next,
    /// The large plans that have not begun, in their order.
    waiting: VecDeque<oneshot::Sender<Result<(), StoreError>>>,
}

/// What comes next for an account for which something is carried out beside the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A large plan is under way.
    LargeEnds,
    /// Plans that were in a group are under way: they wait for the row of their account.
    HeldEnd,
    /// The next large plan begins when the group that is being carried out has ended.
    AfterThisGroup,
    /// What waits in the queue is in the next group.
    InNextGroup,
}

impl Next {
    /// Whether something is under way beside the queue, so that the account has no turn in it.
    const fn is_under_way(self) -> bool {
        matches!(self, Self::LargeEnds | Self::HeldEnd)
    }
}

impl Turns {
    pub(super) fn push(&mut self, pending: Pending) {
        if self.is_closed {
            return pending.tell(Err(closed()));
        }
        let account = pending.work.account.0;
        let waiting = self.by_account.entry(account).or_default();
        if waiting.is_empty() {
            self.accounts.push_back(account);
        }
        waiting.push_back(pending);
    }

    /// Ends the queue when nothing waits any more.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    /// Whether nothing waits, and nothing will.
    pub(super) fn are_over(&self) -> bool {
        let mut beside = self.beside.values();
        self.is_over && self.accounts.is_empty() && beside.all(|beside| beside.waiting.is_empty())
    }

    /// Notes that the task of the queue has ended. What waits and what comes later fails. Large plans go on.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
        self.is_running = false;
        self.fail(None, &closed());
    }

    /// Tells the waiting commits of an account, or of all accounts, that the database failed. What is under way beside the
    /// queue goes on.
    pub(super) fn fail(&mut self, account: Option<i64>, failure: &StoreError) {
        let is_of = |other: &i64| account.is_none_or(|account| account == *other);
        self.accounts.retain(|account| !is_of(account));
        let waiting = self.by_account.extract_if(|account, _| is_of(account));
        for pending in waiting.flat_map(|(_, waiting)| waiting) {
            pending.tell(Err(failure.clone()));
        }
        self.beside.retain(|account, beside| {
            if is_of(account) {
                for begins in beside.waiting.drain(..) {
                    // The answer may have been dropped.
                    drop(begins.send(Err(failure.clone())));
                }
            }
            beside.next.is_under_way() || !beside.waiting.is_empty()
        });
    }

    /// Takes the next group: one plan of each account in turn, up to the limits.
    pub(super) fn group(&mut self) -> Vec<Pending> {
        let mut group = Vec::new();
        let mut rows = 0_usize;
        let mut without_turn = VecDeque::new();
        while let Some(account) = self.accounts.pop_front() {
            let mut beside = self.beside.get_mut(&account);
            if beside
                .as_ref()
                .is_some_and(|beside| beside.next.is_under_way())
            {
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
            if let Some(beside) = &mut beside {
                beside.next = Next::AfterThisGroup;
            }
            match waiting.is_empty() {
                true => drop(self.by_account.remove(&account)),
                false => self.accounts.push_back(account),
            }
        }
        // The accounts without a turn keep their places.
        without_turn.append(&mut self.accounts);
        self.accounts = without_turn;
        self.is_running = !group.is_empty();
        group
    }

    /// Notes that an account's plans in the group that is being carried out go on beside the queue, until
    /// [`Turns::has_ended`].
    pub(super) fn go_on_beside(&mut self, account: i64) {
        self.beside.entry(account).or_insert_with(Beside::none).next = Next::HeldEnd;
    }

    /// Notes that the group which was taken has ended. The large plans that have waited for its end begin.
    pub(super) fn group_has_ended(&mut self) {
        self.is_running = false;
        for beside in self.beside.values_mut() {
            if beside.next == Next::AfterThisGroup {
                beside.begin();
            }
        }
    }

    /// Notes a large plan of an account. It begins when the answer comes.
    pub(super) fn large_comes(
        &mut self,
        account: i64,
    ) -> oneshot::Receiver<Result<(), StoreError>> {
        let (begins, answer) = oneshot::channel();
        let is_first = !self.beside.contains_key(&account);
        let beside = self.beside.entry(account).or_insert_with(Beside::none);
        beside.waiting.push_back(begins);
        if is_first && !self.is_running {
            beside.begin();
        }
        answer
    }

    /// Notes that what was under way beside the queue for an account has ended.
    pub(super) fn has_ended(&mut self, account: i64) {
        let Entry::Occupied(mut beside) = self.beside.entry(account) else {
            return;
        };
        // Plans that waited for the row have had the turn of the queue.
        let was_large = beside.get().next == Next::LargeEnds;
        if beside.get().waiting.is_empty() {
            beside.remove();
        } else if was_large && self.by_account.contains_key(&account) {
            beside.get_mut().next = Next::InNextGroup;
        } else {
            beside.get_mut().begin();
        }
    }
}

impl Beside {
    /// For an account that may have a plan in the group that is being carried out.
    const fn none() -> Self {
        Self {
            next: Next::AfterThisGroup,
            waiting: VecDeque::new(),
        }
    }

    /// Begins the next large plan that waits.
    fn begin(&mut self) {
        self.next = Next::LargeEnds;
        if let Some(begins) = self.waiting.pop_front() {
            // A plan waits for this until it comes.
            drop(begins.send(Ok(())));
        }
    }
}

/// The failure of what waits in a queue whose task has ended. Nothing of it was done.
fn closed() -> StoreError {
    StoreError::Failed(Cause::new("waiting for a queue, which has ended"))
}
