//! Readers of events who wait for the next one. They hold no connection to the database, and their number is bounded.

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::http::queues::{Place, Places};
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

    /// Waits for news. Returns false if no news will come any more.
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
    places: Places<AccountId>,
}

impl Waiting {
    pub(super) fn new(feed: Feed) -> Self {
        Self {
            feed,
            places: Places::new(MOST_OF_ONE, MOST),
        }
    }

    pub(super) fn feed(&self) -> Feed {
        self.feed.clone()
    }

    /// Takes a place for a reader of an account, if one is free.
    pub(super) fn place(&self, account: AccountId) -> Option<Place<AccountId>> {
        self.places.take(account)
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
