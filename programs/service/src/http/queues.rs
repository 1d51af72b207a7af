//! Places and turns of requests, by a key such as an account. Places bound how many requests there are, and turns bound how
//! many of them are served at once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::lanes::Lanes;
use crate::store::StoreError;

/// The places of requests. Clones share them.
#[derive(Clone)]
pub(super) struct Places<K> {
    of_one: usize,
    of_all: usize,
    taken: Taken<K>,
}

/// The number of places that are taken, by key.
type Taken<K> = Arc<Mutex<HashMap<K, usize>>>;

/// The place of a request. It is free again when this is dropped.
pub(super) struct Place<K: Eq + Hash> {
    key: K,
    taken: Taken<K>,
}

impl<K: Copy + Eq + Hash> Places<K> {
    /// There are `of_one` places for each key, and `of_all` for all keys together.
    pub(super) fn new(of_one: usize, of_all: usize) -> Self {
        Self {
            of_one,
            of_all,
            taken: Arc::default(),
        }
    }

    /// Takes a place, if one is free.
    pub(super) fn take(&self, key: K) -> Option<Place<K>> {
        let mut taken = lock(&self.taken);
        let all: usize = taken.values().sum();
        let own = taken.get(&key).copied().unwrap_or(0);
        if all >= self.of_all || own >= self.of_one {
            return None;
        }
        taken.insert(key, own.saturating_add(1));
        Some(Place {
            key,
            taken: Arc::clone(&self.taken),
        })
    }
}

impl<K: Eq + Hash> Drop for Place<K> {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        if let Some(own) = taken.get_mut(&self.key) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                taken.remove(&self.key);
            }
        }
    }
}

fn lock<K>(taken: &Mutex<HashMap<K, usize>>) -> MutexGuard<'_, HashMap<K, usize>> {
    // Each use leaves the map consistent, even if a thread has panicked.
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The turns of requests. Clones share them.
#[derive(Clone)]
pub(super) struct Turns<K> {
    lanes: Arc<Mutex<Lanes<K>>>,
    all: Arc<Semaphore>,
}

/// The turn of a request, which ends when this is dropped.
pub(super) struct Turn {
    _of_all: Permit,
    _of_one: Permit,
}

/// It is never an error, because the semaphores are never closed.
type Permit = Result<OwnedSemaphorePermit, AcquireError>;

impl<K: Eq + Hash> Turns<K> {
    /// There are `of_one` turns at once for each key, and `of_all` for all keys together.
    pub(super) fn new(of_one: usize, of_all: usize) -> Self {
        Self {
            lanes: Arc::new(Mutex::new(Lanes::new(of_one))),
            all: Arc::new(Semaphore::new(of_all)),
        }
    }

    /// Waits for a turn, in order of arrival: first among the requests with this key, and then among all keys.
    pub(super) async fn of(&self, key: K) -> Turn {
        let of_one = self.lane(key).acquire_owned().await;
        let of_all = Arc::clone(&self.all).acquire_owned().await;
        Turn {
            _of_all: of_all,
            _of_one: of_one,
        }
    }

    fn lane(&self, key: K) -> Arc<Semaphore> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        lanes.of(key)
    }
}

/// Why a request was not served.
pub(super) enum Unserved {
    Store(StoreError),
    /// Too many requests wait, or this one has waited for too long.
    Busy,
    /// Serving it panicked, which is logged.
    Fault,
}

impl From<StoreError> for Unserved {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Does work that goes on when its client has gone. `held`, such as a turn, is held until the work has ended.
pub(super) async fn holding<T: Send + 'static>(
    held: impl Send + 'static,
    work: impl Future<Output = T> + Send + 'static,
) -> Result<T, Unserved> {
    let task = tokio::spawn(async move {
        let done = work.await;
        drop(held);
        done
    });
    task.await.map_err(|_| Unserved::Fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_bounded_and_a_key_that_has_no_place_is_forgotten() {
        let places = Places::new(2, 3);
        let mut held = vec![places.take(1), places.take(1), places.take(2)];
        assert!(held.iter().all(Option::is_some));
        assert!(places.take(1).is_none());
        assert!(places.take(2).is_none());
        drop(held.pop());
        assert!(places.take(2).is_some());
        drop(held);
        assert!(lock(&places.taken).is_empty());
    }
}
