//! Points in time for this process, which do not move when the system's clock is set.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A moment by a clock that goes on while the machine sleeps, because leases run out meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(Duration);

impl Moment {
    pub(crate) fn now() -> Self {
        #[cfg(target_os = "linux")]
        const CLOCK: ClockId = ClockId::Boottime;
        // On other systems this clock goes on while the machine sleeps.
        #[cfg(not(target_os = "linux"))]
        const CLOCK: ClockId = ClockId::Monotonic;
        let now = clock_gettime(CLOCK);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        let nanoseconds = u32::try_from(now.tv_nsec).unwrap_or(0);
        Self(Duration::new(seconds, nanoseconds))
    }

    pub(crate) fn milliseconds_after(self, time: Duration) -> u64 {
        u64::try_from(self.0.saturating_add(time).as_millis()).unwrap_or(u64::MAX)
    }

    /// The time since an earlier moment.
    pub(crate) const fn since(self, other: Self) -> Duration {
        self.0.saturating_sub(other.0)
    }
}
