//! Turns limit how many calls with one key are decided at once.
//!
//! Without turns, an account that calls over hundreds of connections would occupy the processors: at each of its steps, a
//! call of another account would wait for all of them.

use std::sync::{Mutex, PoisonError};
// clock: how long a call waits for its turn, and how many others have one; no result depends on it.
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout};

use crate::lanes::Lanes;
use crate::store::KeyHash;

/// The number of calls with one key that are decided at once. With more, groups of commits are larger, and an account that calls
/// now and then waits longer beside another one.
const AT_ONCE: u32 = 64;
/// The number of calls with one key that are decided at once while there are calls with other keys. At each of its steps a
/// call waits for the calls before it: beside 64 it would take seven times as long as alone, and beside 6 two to three times
/// as long.
const AT_ONCE_BESIDE_OTHERS: u32 = 6;
/// How long a key counts as beside others after a call with the key of another account.
const BESIDE: Duration = Duration::from_secs(1);
/// How long a call waits for its turn. If no turn ends because the database does not answer, the call goes on without one,
/// so that its client is told.
const PATIENCE: Duration = Duration::from_secs(5);

/// The turns of all keys.
#[derive(Debug, Default)]
pub struct Turns(Mutex<Keys>);

#[derive(Debug)]
struct Keys {
    /// For each key, a semaphore with `AT_ONCE` permits. Beside others, a call takes several of them.
    lanes: Lanes<KeyHash>,
    /// The last call with the key of an account. Calls with other keys do not count, because anybody can send them.
    last: Option<(KeyHash, Instant)>,
    /// The last of these calls that had another key than `last`.
    other: Option<(KeyHash, Instant)>,
}

/// The turn of a call, which ends when this is dropped. `None` for a call that has waited for too long.
pub(super) type Turn = Option<OwnedSemaphorePermit>;

impl Turns {
    /// Waits for a turn, in order of arrival.
    pub(super) async fn of(&self, key: KeyHash) -> Turn {
        let (semaphore, permits) = {
            let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let is_beside_others = keys.has_others(key, Instant::now());
            let permits = if is_beside_others {
                AT_ONCE / AT_ONCE_BESIDE_OTHERS
            } else {
                1
            };
            (keys.lanes.of(key), permits)
        };
        // clock: after this time it goes on without a turn
        let turn = timeout(PATIENCE, semaphore.acquire_many_owned(permits)).await;
        // The semaphore is never closed.
        turn.ok().and_then(Result::ok)
    }

    /// Notes a call with a key that is known to be an account's.
    pub(super) fn note(&self, key: KeyHash) {
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        keys.note(key, Instant::now());
    }
}

impl Keys {
    fn note(&mut self, key: KeyHash, now: Instant) {
        if self.last.is_some_and(|(last, _)| last != key) {
            self.other = self.last;
        }
        self.last = Some((key, now));
    }

    /// Whether there was a call with another key shortly before.
    fn has_others(&self, key: KeyHash, now: Instant) -> bool {
        let mut calls = [self.last, self.other].into_iter().flatten();
        // clock: it decides who waits, and not what is answered
        calls.any(|(of, then)| of != key && now.duration_since(then) < BESIDE)
    }
}

impl Default for Keys {
    fn default() -> Self {
        Self {
            lanes: Lanes::new(AT_ONCE as usize),
            last: None,
            other: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    /// Takes turns until none is free, and returns them.
    async fn take_all(turns: &Turns, key: KeyHash) -> Vec<Turn> {
        let mut held = Vec::new();
        loop {
            match timeout(Duration::from_millis(1), turns.of(key)).await {
                Ok(turn) => held.push(turn),
                Err(_) => return held,
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn one_key_has_a_limited_number_of_turns_and_another_one_does_not_wait_for_them() {
        let turns = Turns::default();
        let (one, other) = (KeyHash::of("one"), KeyHash::of("other"));
        let mut held = take_all(&turns, one).await;
        assert_eq!(held.len(), AT_ONCE as usize);
        assert!(held.iter().all(Option::is_some));
        // A waiting call gets its turn when another turn ends, and goes on without one when none ends.
        let (next, ()) = tokio::join!(turns.of(one), async {
            sleep(Duration::from_secs(1)).await;
            drop(held.pop());
        });
        assert!(next.is_some());
        assert!(turns.of(one).await.is_none());
        assert!(turns.of(other).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_key_has_fewer_turns_for_a_second_after_a_call_with_another_one() {
        let turns = Turns::default();
        let (one, other) = (KeyHash::of("one"), KeyHash::of("other"));
        turns.note(other);
        let few = take_all(&turns, one).await;
        assert_eq!(few.len(), AT_ONCE_BESIDE_OTHERS as usize);
        turns.note(one);
        // Both have their share while both call.
        assert_eq!(take_all(&turns, other).await.len(), few.len());
        drop(few);
        sleep(BESIDE).await;
        assert_eq!(take_all(&turns, one).await.len(), AT_ONCE as usize);
    }

    #[tokio::test(start_paused = true)]
    async fn calls_with_keys_of_no_account_leave_a_key_all_its_turns() {
        let turns = Turns::default();
        let (one, unknown) = (KeyHash::of("one"), KeyHash::of("unknown"));
        turns.note(one);
        let waits = turns.of(unknown).await;
        turns.note(one);
        assert_eq!(take_all(&turns, one).await.len(), AT_ONCE as usize);
        drop(waits);
    }

    #[test]
    fn the_pages_say_how_many_calls_are_decided_at_once() {
        let service = include_str!("../../../../docs/service.md");
        let sentence = format!(
            "decides {AT_ONCE} calls with one key at once, and {AT_ONCE_BESIDE_OTHERS} while others call too"
        );
        assert!(service.contains(&sentence), "{sentence}");
        let load = include_str!("../../../../docs/load.md");
        for sentence in [
            format!("decides {AT_ONCE} calls with one key at once"),
            format!("decides only {AT_ONCE_BESIDE_OTHERS} calls with one key at once"),
        ] {
            assert!(load.contains(&sentence), "{sentence}");
        }
    }
}
