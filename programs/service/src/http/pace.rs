//! The bounded rate at which bodies are read: all large bodies together, and all refused bodies together.
//!
//! The kernel moves the bytes of connections before it lets a thread run. If megabytes came as fast as a processor can copy
//! them, the short calls of all accounts would wait for tens of milliseconds.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The bytes a second that are read of all large bodies together: 64 MiB, about half a gigabit.
const OF_LARGE_BODIES: u32 = 64 << 20;
/// The bytes a second that are read of all refused bodies together. Nobody waits for more than an answer to them.
const OF_REFUSED_BODIES: u32 = 16 << 20;

/// The longest wait that the bytes read so far can cause. Without this bound, clients that hang up while they wait would
/// make those after them wait ever longer.
const LONGEST: Duration = Duration::from_secs(10);

/// A rate that bodies share. Clones share it as well.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    bytes_per_second: u32,
    /// The time up to which the bytes read so far use up the rate. It is `None` before the first body.
    read: Arc<Mutex<Option<Instant>>>,
}

impl Pace {
    /// For large bodies.
    pub(super) fn of_large_bodies() -> Self {
        Self::new(OF_LARGE_BODIES)
    }

    /// For bodies that are read only so that their clients can read the answer.
    pub(super) fn of_refused_bodies() -> Self {
        Self::new(OF_REFUSED_BODIES)
    }

    fn new(bytes_per_second: u32) -> Self {
        Self {
            bytes_per_second,
            read: Arc::default(),
        }
    }

    /// Counts bytes that were read, and returns when more may be read.
    pub(super) fn count(&self, bytes: usize) -> Instant {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let seconds = f64::from(bytes) / f64::from(self.bytes_per_second);
        let takes = Duration::from_secs(1).mul_f64(seconds);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        // clock: how fast bodies are read, whatever they hold
        let now = Instant::now();
        let next = read.map_or(now, |read| read.clamp(now, now + LONGEST)) + takes;
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
    fn the_pages_say_how_fast_bodies_are_read() {
        let (longer, fast) = (COPIED_BYTES >> 20, OF_LARGE_BODIES >> 20);
        let refused = OF_REFUSED_BODIES >> 20;
        for said in [
            format!("Bodies longer than {longer} MiB are read at {fast} MiB a second"),
            format!("The rest of refused bodies is read at {refused} MiB a second"),
        ] {
            assert!(include_str!("../../../../docs/limits.md").contains(&said));
            assert!(include_str!("../../../../docs/service.md").contains(&said));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn large_bodies_share_a_rate_and_one_that_comes_later_owes_nothing_for_the_time_before() {
        let pace = Pace::of_large_bodies();
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

    #[tokio::test(start_paused = true)]
    async fn those_who_hang_up_leave_a_bounded_wait_behind() {
        let pace = Pace::of_refused_bodies();
        for _ in 0..1_000 {
            pace.count(1 << 20);
        }
        let next = pace.count(0);
        assert_eq!(next.duration_since(Instant::now()), LONGEST);
    }
}
