//! Turns limit how many calls with one key are decided at once.
//!
//! Without turns, an account that calls over hundreds of connections would occupy the processors: at each of its steps, a
//! call of another account would wait for all of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
// clock: how long a call waits for its turn; no result depends on it.
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::store::KeyHash;

/// The number of calls with one key that are decided at once: as many as are committed together without losing speed.
const AT_ONCE: usize = 64;
/// How long a call waits for its turn. If no turn ends because the database does not answer, the call goes on without one,
/// so that its client is told.
const PATIENCE: Duration = Duration::from_secs(5);
/// When there are this many keys, those of which no call is being decided are forgotten.
const MANY: usize = 1_000;

/// The turns of all keys.
#[derive(Debug, Default)]
pub struct Turns(Mutex<HashMap<KeyHash, Weak<Semaphore>>>);

/// The turn of a call, which ends when this is dropped. `None` for a call that has waited for too long.
pub(super) type Turn = Option<OwnedSemaphorePermit>;

impl Turns {
    /// Waits for a turn, in order of arrival.
    pub(super) async fn of(&self, key: KeyHash) -> Turn {
        let turns = self.semaphore(key);
        // clock: after this time it goes on without a turn
        let turn = timeout(PATIENCE, turns.acquire_owned()).await;
        // The semaphore is never closed.
        turn.ok().and_then(Result::ok)
    }

    fn semaphore(&self, key: KeyHash) -> Arc<Semaphore> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = all.get(&key).and_then(Weak::upgrade) {
            return turns;
        }
        if all.len() >= MANY {
            all.retain(|_, turns| turns.strong_count() > 0);
        }
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        all.insert(key, Arc::downgrade(&turns));
        turns
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn one_key_has_a_limited_number_of_turns_and_another_one_does_not_wait_for_them() {
        let turns = Turns::default();
        let (one, other) = (KeyHash::of("one"), KeyHash::of("other"));
        let mut held = Vec::new();
        for _ in 0..AT_ONCE {
            held.push(turns.of(one).await);
        }
        assert!(held.iter().all(Option::is_some));
        assert!(turns.of(other).await.is_some());
        // A waiting call gets its turn when another turn ends, and goes on without one when none ends.
        let (next, ()) = tokio::join!(turns.of(one), async {
            sleep(Duration::from_secs(1)).await;
            drop(held.pop());
        });
        assert!(next.is_some());
        assert!(turns.of(one).await.is_none());
    }

    #[tokio::test]
    async fn keys_with_which_nothing_is_decided_are_forgotten() {
        let turns = Turns::default();
        for number in 0..3 * MANY {
            drop(turns.of(KeyHash::of(&number.to_string())).await);
        }
        let kept = turns.0.lock().unwrap_or_else(PoisonError::into_inner).len();
        assert!(kept <= MANY, "{kept}");
    }
}
