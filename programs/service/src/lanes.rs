//! A semaphore for each key, such as an account. They limit how much is done at once for one key.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Weak};

use tokio::sync::Semaphore;

/// When there are this many keys, those for which nothing is done are forgotten.
const MANY: usize = 1_000;

/// The semaphores of all keys.
#[derive(Debug)]
pub(crate) struct Lanes<K> {
    /// The permits of each semaphore.
    permits: usize,
    semaphores: HashMap<K, Weak<Semaphore>>,
}

impl<K: Eq + Hash> Lanes<K> {
    pub(crate) fn new(permits: usize) -> Self {
        Self {
            permits,
            semaphores: HashMap::new(),
        }
    }

    /// The semaphore of a key. It lives as long as somebody holds it or one of its permits.
    pub(crate) fn of(&mut self, key: K) -> Arc<Semaphore> {
        if let Some(semaphore) = self.semaphores.get(&key).and_then(Weak::upgrade) {
            return semaphore;
        }
        if self.semaphores.len() >= MANY {
            self.semaphores
                .retain(|_, semaphore| semaphore.strong_count() > 0);
        }
        let semaphore = Arc::new(Semaphore::new(self.permits));
        self.semaphores.insert(key, Arc::downgrade(&semaphore));
        semaphore
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_for_which_nothing_is_done_are_forgotten() {
        let mut lanes = Lanes::new(1);
        for key in 0..3 * MANY {
            drop(lanes.of(key));
        }
        assert!(lanes.semaphores.len() <= MANY, "{}", lanes.semaphores.len());
    }

    #[test]
    fn a_key_has_one_semaphore_while_one_of_its_permits_is_held() {
        let mut lanes = Lanes::new(1);
        let held = lanes.of("one").try_acquire_owned();
        assert!(held.is_ok());
        assert!(lanes.of("one").try_acquire_owned().is_err());
        assert!(lanes.of("other").try_acquire_owned().is_ok());
        drop(held);
        assert!(lanes.of("one").try_acquire_owned().is_ok());
    }
}
