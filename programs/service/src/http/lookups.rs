//! The queue of requests that look through an email for the target of a link.
//!
//! Looking through an email takes work in proportion to its HTML, and calls go before it, so one email is looked through at
//! a time. Requests for one email wait for each other before they wait for the rest. So somebody who follows one link of a
//! large email again and again delays a reader of another email by one search only.

use super::queues::{Place, Places, Turn, Turns};

/// How many requests for links of one email are taken at once.
const OF_ONE_EMAIL: usize = 16;
/// How many requests are taken at once. Each holds a connection, which calls need as well.
const OF_ALL: usize = 128;

/// The queue. Clones share it.
#[derive(Clone)]
pub(super) struct Lookups {
    places: Places<i64>,
    turns: Turns<i64>,
}

impl Default for Lookups {
    fn default() -> Self {
        Self {
            places: Places::new(OF_ONE_EMAIL, OF_ALL),
            turns: Turns::new(1, 1),
        }
    }
}

impl Lookups {
    /// Waits for the turn of a request that follows a link of a delivery. The request has a place meanwhile, and keeps it
    /// with its turn. `None` if no place is free.
    pub(super) async fn turn(&self, delivery: i64) -> Option<(Turn, Place<i64>)> {
        let place = self.places.take(delivery)?;
        Some((self.turns.of(delivery).await, place))
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

    use tokio::sync::oneshot;

    use super::*;
    use crate::http::queues::holding;

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
        let first = is_ready(&mut pin!(lookups.turn(1))).flatten().unwrap();
        let mut again = pin!(lookups.turn(1));
        let mut other = pin!(lookups.turn(2));
        assert!(is_ready(&mut again).is_none());
        assert!(is_ready(&mut other).is_none());
        drop(first);
        assert!(is_ready(&mut again).is_none());
        let other = is_ready(&mut other).flatten().unwrap();
        assert!(is_ready(&mut again).is_none());
        drop(other);
        assert!(is_ready(&mut again).flatten().is_some());
    }

    #[test]
    fn the_requests_for_one_email_and_for_all_emails_are_bounded() {
        let lookups = Lookups::default();
        let is_refused =
            |delivery| matches!(is_ready(&mut pin!(lookups.turn(delivery))), Some(None));
        let take = |delivery| lookups.places.take(delivery).unwrap();
        let mut places: Vec<_> = (0..OF_ONE_EMAIL).map(|_| take(1)).collect();
        assert!(is_refused(1) && !is_refused(2));
        places.extend(
            (2..)
                .zip(OF_ONE_EMAIL..OF_ALL)
                .map(|(email, _)| take(email)),
        );
        assert!(is_refused(-1));
        drop(places);
        assert!(!is_refused(1));
    }

    #[tokio::test]
    async fn a_place_and_a_turn_last_while_the_database_reads_for_a_request_that_was_dropped() {
        let lookups = Lookups::default();
        let (ends, reads) = oneshot::channel::<()>();
        let turn = lookups.turn(1).await.unwrap();
        {
            let mut request = pin!(holding(turn, reads));
            assert!(is_ready(&mut request).is_none());
        }
        // A request that is dropped while it waits gives its place back.
        assert!(is_ready(&mut pin!(lookups.turn(1))).is_none());
        let take = || lookups.places.take(1);
        let others: Vec<_> = (1..OF_ONE_EMAIL).map(|_| take().unwrap()).collect();
        assert!(take().is_none());
        let mut other = pin!(lookups.turn(2));
        assert!(is_ready(&mut other).is_none());
        ends.send(()).unwrap();
        assert!(other.await.is_some());
        assert!(take().is_some());
        drop(others);
    }
}
