//! Batches of look-ups. Questions that come while look-ups are on their way go out together with the next one, and a
//! question that comes alone goes out at once. Only a few look-ups of a kind run at once, so the questions of one account
//! never hold the whole pool.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use deadpool_postgres::Pool;
use tokio::sync::oneshot;

use super::stopped;
use crate::store::Answer;
use crate::store::error::StoreError;

/// How many look-ups of a kind run at once.
const AT_ONCE: usize = 2;
/// The maximum number of questions of one look-up.
const MOST: usize = 256;

/// Answers for all questions, in their order.
type Answers<'q, A> = Pin<Box<dyn Future<Output = Result<Vec<A>, StoreError>> + Send + 'q>>;

/// Looks up all questions at once.
type LookUp<Q, A> = Box<dyn for<'q> Fn(&'q Pool, &'q [Q]) -> Answers<'q, A> + Send + Sync>;

/// The look-ups of one kind.
pub(super) struct Batches<Q, A>(Arc<Shared<Q, A>>);

struct Shared<Q, A> {
    state: Mutex<State<Q, A>>,
    pool: Pool,
    look_up: LookUp<Q, A>,
}

struct State<Q, A> {
    waiting: VecDeque<(Q, oneshot::Sender<Result<A, StoreError>>)>,
    /// How many look-ups are running.
    running: usize,
}

impl<Q: Send + Sync + 'static, A: Send + 'static> Batches<Q, A> {
    pub(super) fn new(
        pool: Pool,
        look_up: impl for<'q> Fn(&'q Pool, &'q [Q]) -> Answers<'q, A> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(Shared {
            state: Mutex::new(State {
                waiting: VecDeque::new(),
                running: 0,
            }),
            pool,
            look_up: Box::new(look_up),
        }))
    }

    /// Looks up a question, together with others that wait.
    pub(super) fn ask(&self, question: Q) -> Answer<A> {
        let (told, answer) = oneshot::channel();
        let mut state = self.0.lock();
        state.waiting.push_back((question, told));
        if state.running < AT_ONCE {
            state.running = state.running.saturating_add(1);
            tokio::spawn(Arc::clone(&self.0).run());
        }
        drop(state);
        Box::pin(async move { answer.await.unwrap_or_else(|_| Err(stopped())) })
    }
}

impl<Q: Send + Sync, A: Send> Shared<Q, A> {
    fn lock(&self) -> MutexGuard<'_, State<Q, A>> {
        // Each use leaves the state consistent, even if a thread has panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs look-ups until nothing waits.
    async fn run(self: Arc<Self>) {
        // Frees the slot even if a look-up panics, so that the next one can run.
        let place = Place(&self);
        loop {
            let (questions, told): (Vec<Q>, Vec<_>) = {
                let mut state = self.lock();
                let most = state.waiting.len().min(MOST);
                // This is decided under the lock, so a question that comes later starts a new look-up.
                if most == 0 {
                    place.give_up(&mut state);
                    return;
                }
                state.waiting.drain(..most).unzip()
            };
            match (self.look_up)(&self.pool, &questions).await {
                Ok(answers) => {
                    for (told, answer) in told.into_iter().zip(answers) {
                        // The answer may have been dropped.
                        drop(told.send(Ok(answer)));
                    }
                }
                // One question's fault must not fail the others, so each is looked up alone.
                Err(StoreError::Failed(cause)) if cause.is_of_a_value() && questions.len() > 1 => {
                    for (question, told) in questions.iter().zip(told) {
                        let found =
                            (self.look_up)(&self.pool, std::slice::from_ref(question)).await;
                        let none = || Err(StoreError::Failed(cause.clone()));
                        let answer = found.and_then(|mut all| all.pop().map_or_else(none, Ok));
                        drop(told.send(answer));
                    }
                }
                Err(failure) => {
                    for told in told {
                        drop(told.send(Err(failure.clone())));
                    }
                }
            }
        }
    }
}

/// The slot of a running look-up, until it is given up or dropped.
struct Place<'s, Q: Send + Sync, A: Send>(&'s Shared<Q, A>);

impl<Q: Send + Sync, A: Send> Place<'_, Q, A> {
    fn give_up(self, state: &mut State<Q, A>) {
        state.running = state.running.saturating_sub(1);
        std::mem::forget(self);
    }
}

impl<Q: Send + Sync, A: Send> Drop for Place<'_, Q, A> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.running = state.running.saturating_sub(1);
    }
}
