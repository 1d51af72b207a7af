//! The queue of requests that look through an email for the target of a link.
//!
//! Looking through an email takes work in proportion to its HTML, and calls go before it, so one email is looked through at a
//! time. Requests for one email wait for each other before they wait for the rest. So somebody who follows one link of a large
//! email again and again delays a reader of another email by one search only.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Lane, OwnedMutexGuard};

/// How many requests for links of one email are taken at once.
const OF_ONE_EMAIL: usize = 16;
/// How many requests are taken at once. Each holds a connection, which calls need as well.
const OF_ALL: usize = 128;

/// The queue.
#[derive(Clone, Default)]
pub(super) struct Lookups(Arc<Queue>);

#[derive(Default)]
struct Queue {
    lane: Arc<Lane<()>>,
    emails: Mutex<HashMap<i64, Email>>,
}

/// The requests for the links of an email.
#[derive(Default)]
struct Email {
    requests: usize,
    lane: Arc<Lane<()>>,
}

/// The place of a request in the queue. It is free again when this is dropped.
pub(super) struct Place {
    queue: Arc<Queue>,
    delivery: i64,
    lane: Arc<Lane<()>>,
}

/// The turn of a request. Whoever has it may look through an email, and keeps it until that is done.
pub(super) struct Turn {
    _of_all: OwnedMutexGuard<()>,
    _of_email: OwnedMutexGuard<()>,
    _place: Place,
}

impl Lookups {
    /// A place for a request that follows a link of a delivery; `None` if too many are waiting.
    pub(super) fn place(&self, delivery: i64) -> Option<Place> {
        let mut emails = self.0.lock();
        if emails.values().map(|email| email.requests).sum::<usize>() >= OF_ALL {
            return None;
        }
        let email = emails.entry(delivery).or_default();
        if email.requests >= OF_ONE_EMAIL {
            return None;
        }
        email.requests += 1;
        Some(Place {
            queue: Arc::clone(&self.0),
            delivery,
            lane: Arc::clone(&email.lane),
        })
    }
}

impl Queue {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<i64, Email>> {
        // Nothing in here can panic between two changes that belong together.
        self.emails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Waits for the turn.
    pub(super) async fn turn(self) -> Turn {
        let of_email = Arc::clone(&self.lane).lock_owned().await;
        let of_all = Arc::clone(&self.queue.lane).lock_owned().await;
        Turn {
            _of_all: of_all,
            _of_email: of_email,
            _place: self,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut emails = self.queue.lock();
        if let Some(email) = emails.get_mut(&self.delivery) {
            email.requests -= 1;
            if email.requests == 0 {
                emails.remove(&self.delivery);
            }
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    fn is_ready<T>(future: &mut std::pin::Pin<&mut impl Future<Output = T>>) -> Option<T> {
        match future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(value) => Some(value),
            Poll::Pending => None,
        }
    }

    #[test]
    fn another_email_is_next_however_often_one_is_asked_for() {
        let lookups = Lookups::default();
        let first = lookups.place(1).unwrap();
        let first = is_ready(&mut pin!(first.turn())).unwrap();
        let mut again = pin!(lookups.place(1).unwrap().turn());
        let mut other = pin!(lookups.place(2).unwrap().turn());
        assert!(is_ready(&mut again).is_none());
        assert!(is_ready(&mut other).is_none());
        drop(first);
        assert!(is_ready(&mut again).is_none());
        let other = is_ready(&mut other).unwrap();
        assert!(is_ready(&mut again).is_none());
        drop(other);
        assert!(is_ready(&mut again).is_some());
    }

    #[test]
    fn a_turn_lasts_until_the_search_ends_and_a_place_until_it_is_given_up() {
        let lookups = Lookups::default();
        let mut places: Vec<_> = (0..OF_ONE_EMAIL)
            .map(|_| lookups.place(1).unwrap())
            .collect();
        assert!(lookups.place(1).is_none());
        let turn = is_ready(&mut pin!(places.pop().unwrap().turn())).unwrap();
        assert!(lookups.place(1).is_none());
        drop(turn);
        assert!(lookups.place(1).is_some());
        drop(places);
        assert!(lookups.0.lock().is_empty());
    }

    #[test]
    fn the_requests_for_all_emails_together_are_bounded() {
        let lookups = Lookups::default();
        let emails = 0..i64::try_from(OF_ALL).unwrap();
        let places: Vec<_> = emails.map(|email| lookups.place(email).unwrap()).collect();
        assert!(lookups.place(-1).is_none());
        drop(places);
        assert!(lookups.place(-1).is_some());
    }
}
