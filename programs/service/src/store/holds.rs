//! Idempotency keys that this process holds.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::idempotency::{Hold, IdempotencyKey};
use super::identity::AccountId;

/// The keys that calls of this process hold.
#[derive(Clone, Default)]
pub(super) struct Holds(Arc<Mutex<HashSet<(AccountId, IdempotencyKey)>>>);

impl Holds {
    /// Holds a key until the [`Hold`] is dropped, which also calls `after`. Returns `None` if the key is held already.
    pub(super) fn hold(
        &self,
        account: AccountId,
        key: &IdempotencyKey,
        after: impl Fn(AccountId, &IdempotencyKey) + Send + Sync + 'static,
    ) -> Option<Hold> {
        if !self.held().insert((account, key.clone())) {
            return None;
        }
        let holds = self.clone();
        Some(Hold {
            account,
            key: key.clone(),
            release: Box::new(move |account, key| {
                after(account, key);
                holds.held().remove(&(account, key.clone()));
            }),
        })
    }

    fn held(&self) -> std::sync::MutexGuard<'_, HashSet<(AccountId, IdempotencyKey)>> {
        // Each method leaves the set consistent, even if a thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_held_once_until_it_is_dropped_and_by_account() {
        let holds = Holds::default();
        let key = IdempotencyKey::parse("key");
        let hold = |account| {
            let key = key.as_ref()?;
            holds.hold(AccountId(account), key, |_, _| {})
        };
        let held = hold(1);
        assert!(held.is_some());
        assert!(hold(1).is_none());
        assert!(hold(2).is_some());
        drop(held);
        assert!(hold(1).is_some());
    }
}
