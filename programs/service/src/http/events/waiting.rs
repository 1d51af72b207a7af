//! Readers of events who wait for the next one. They hold no connection to the database, and their number is bounded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::store::AccountId;

/// The most readers that wait at once, of all accounts and of one. Further readers are answered at once.
const MOST: usize = 256;
const MOST_OF_ONE: usize = 8;

/// Tells that there may be new events. It carries the number of the last event of all accounts.
#[derive(Clone, Debug)]
pub struct Feed {
    last: watch::Receiver<i64>,
    end: CancellationToken,
}

impl Feed {
    /// A feed of what a sender tells, until the service ends.
    #[must_use]
    pub const fn new(last: watch::Receiver<i64>, end: CancellationToken) -> Self {
        Self { last, end }
    }

    /// Marks all events up to now as seen.
    pub(super) fn see(&mut self) {
        self.last.mark_unchanged();
    }

    /// Waits for news. Returns false if none will come.
    pub(super) async fn news(&mut self) -> bool {
        tokio::select! {
            changed = self.last.changed() => changed.is_ok(),
            () = self.end.cancelled() => false,
        }
    }
}

/// The readers who wait.
#[derive(Clone)]
pub(super) struct Waiting {
    feed: Feed,
    places: Arc<Mutex<HashMap<AccountId, usize>>>,
}

/// A place among the readers who wait.
pub(super) struct Place {
    account: AccountId,
    places: Arc<Mutex<HashMap<AccountId, usize>>>,
}

impl Waiting {
    pub(super) fn new(feed: Feed) -> Self {
        Self {
            feed,
            places: Arc::default(),
        }
    }

    pub(super) fn feed(&self) -> Feed {
        self.feed.clone()
    }

    /// Takes a place for a reader of an account, if one is free.
    pub(super) fn place(&self, account: AccountId) -> Option<Place> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let all: usize = places.values().sum();
        let own = places.get(&account).copied().unwrap_or(0);
        if all >= MOST || own >= MOST_OF_ONE {
            return None;
        }
        places.insert(account, own.saturating_add(1));
        Some(Place {
            account,
            places: Arc::clone(&self.places),
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = places.get_mut(&self.account) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                places.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_bound_to_those_who_wait_and_to_those_of_one_account() {
        let (_sender, receiver) = watch::channel(0);
        let waiting = Waiting::new(Feed::new(receiver, CancellationToken::new()));
        let account = AccountId::from_number;
        let mut held: Vec<_> = (0..8).map(|_| waiting.place(account(1))).collect();
        assert!(held.iter().all(Option::is_some));
        assert!(waiting.place(account(1)).is_none());
        drop(held.pop());
        assert!(waiting.place(account(1)).is_some());
        let others: Vec<_> = (0..400)
            .filter_map(|n| waiting.place(account(2 + n % 100)))
            .collect();
        assert_eq!(others.len(), 256 - 7);
        drop((held, others));
        assert!(waiting.place(account(1)).is_some());
    }
}
