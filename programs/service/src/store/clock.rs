//! The time by which deliveries are due. It is that of the database's clock, except that it does not go back while the
//! process runs.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::moment::Moment;

/// The latest time, and the moment when it was seen.
#[derive(Debug, Default)]
pub(super) struct Clock(Mutex<Option<(Duration, Moment)>>);

impl Clock {
    /// Notes a time that the clock shows, or that is stored because the clock has shown it before. Returns the time since
    /// 1970 that counts: either this time, or the latest noted time plus what has passed since then, whichever is later.
    pub(super) fn shows(&self, shown: SystemTime) -> Duration {
        // A clock that shows a time before 1970 was never set.
        let shown = shown.duration_since(UNIX_EPOCH).unwrap_or_default();
        let now = Moment::now();
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = latest.map(|(time, at)| time.saturating_add(now.since(at)));
        let time = counted.map_or(shown, |counted| counted.max(shown));
        *latest = Some((time, now));
        time
    }

    /// Returns the time since 1970 that counts, or `None` as long as no time was noted.
    pub(super) fn time(&self) -> Option<Duration> {
        let latest = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        latest.map(|(time, at)| time.saturating_add(Moment::now().since(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_time_until_one_is_noted_however_often_it_is_asked_for() {
        let clock = Clock::default();
        assert_eq!((clock.time(), clock.time()), (None, None));
        let shown = clock.shows(UNIX_EPOCH + Duration::from_secs(1_700_000_000));
        assert!(clock.time() >= Some(shown));
    }

    #[test]
    fn time_goes_on_where_the_clock_goes_back_and_follows_where_it_goes_forward() {
        let clock = Clock::default();
        let start = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        assert_eq!(clock.shows(start).as_secs(), 1_700_000_000);
        let hour = Duration::from_secs(3600);
        let back = clock.shows(start - hour);
        assert!(back >= Duration::from_secs(1_700_000_000), "{back:?}");
        assert!(clock.shows(start - hour) >= back);
        let ahead = clock.shows(start + hour);
        assert_eq!(ahead.as_secs(), 1_700_003_600);
        assert!(clock.shows(UNIX_EPOCH - hour) >= ahead);
    }
}
