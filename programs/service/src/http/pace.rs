//! The bounded rate at which all large bodies together are read.
//!
//! The kernel moves the bytes of connections before it lets a thread run. If one account's megabytes came as fast as a
//! processor can copy them, the short calls of all other accounts would wait for tens of milliseconds.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The bytes a second that are read of all large bodies together: 64 MiB, about half a gigabit.
const BYTES_PER_SECOND: u32 = 64 << 20;

/// The rate that all large bodies share.
#[derive(Clone, Debug, Default)]
pub(super) struct Pace {
    /// The time up to which the bytes read so far use up the rate. It is `None` before the first body.
    read: Arc<Mutex<Option<Instant>>>,
}

impl Pace {
    /// Counts bytes that were read, and returns when more may be read.
    pub(super) fn count(&self, bytes: usize) -> Instant {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let takes = Duration::from_secs(1).mul_f64(f64::from(bytes) / f64::from(BYTES_PER_SECOND));
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // clock: how fast large bodies are read, whatever they hold
        let now = Instant::now();
        let next = read.map_or(now, |read| read.max(now)) + takes;
        *read = Some(next);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::body::COPIED_BYTES;
    use tokio::time::{sleep, sleep_until};

    #[test]
    fn the_pages_say_how_fast_large_bodies_are_read() {
        let (longer, fast) = (COPIED_BYTES >> 20, BYTES_PER_SECOND >> 20);
        let said = format!("Bodies longer than {longer} MiB are read at {fast} MiB a second");
        assert!(include_str!("../../../../docs/limits.md").contains(&said));
        assert!(include_str!("../../../../docs/service.md").contains(&said));
    }

    #[tokio::test(start_paused = true)]
    async fn large_bodies_share_a_rate_and_one_that_comes_later_owes_nothing_for_the_time_before() {
        let pace = Pace::default();
        let begun = Instant::now();
        let piece = 1 << 20;
        let body = |pieces: usize| {
            let pace = pace.clone();
            async move {
                for _ in 0..pieces {
                    sleep_until(pace.count(piece)).await;
                }
            }
        };
        tokio::join!(body(32), body(64), body(32));
        let took = begun.elapsed();
        assert!(
            took.abs_diff(Duration::from_secs(2)) < Duration::from_millis(200),
            "{took:?}"
        );
        sleep(Duration::from_secs(5)).await;
        let begun = Instant::now();
        body(64).await;
        let took = begun.elapsed();
        assert!(
            took.abs_diff(Duration::from_secs(1)) < Duration::from_millis(200),
            "{took:?}"
        );
    }
}
