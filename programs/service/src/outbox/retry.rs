//! When an email that could not be sent is tried again.

use std::time::Duration;

use super::limits::Retry;

impl Retry {
    /// Returns the pause after a failed attempt. `attempts` had failed before it, and `tried` is the time since the first
    /// one. Returns `None` if the email is given up.
    pub(super) fn after(&self, attempts: u32, tried: Duration) -> Option<Duration> {
        if tried >= self.give_up {
            return None;
        }
        let pause = self.first.saturating_mul(1 << attempts.min(30));
        Some(jittered(pause.min(self.longest)))
    }
}

/// Returns a random time from half of `time` to one and a half of it, so that emails that failed together are not tried
/// again together.
pub(super) fn jittered(time: Duration) -> Duration {
    // Without random numbers, the pauses are not jittered.
    let random = getrandom::u32().unwrap_or(u32::MAX / 2);
    time.mul_f64(0.5 + f64::from(random) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_are_jittered() {
        let retry = Retry::default();
        for attempts in 0..100 {
            let pause = retry.after(attempts, Duration::ZERO).unwrap_or_default();
            let plain = 60.0 * f64::from(attempts).exp2();
            let plain = plain.min(retry.longest.as_secs_f64());
            let share = pause.as_secs_f64() / plain;
            assert!((0.49..=1.51).contains(&share), "{attempts}: {pause:?}");
        }
        let pauses: std::collections::HashSet<_> =
            (0..100).map(|_| retry.after(3, Duration::ZERO)).collect();
        assert!(pauses.len() > 50);
    }

    #[test]
    fn the_time_after_the_first_attempt_decides_when_it_is_given_up() {
        let retry = Retry::default();
        assert!(
            retry
                .after(1000, retry.give_up - Duration::from_secs(1))
                .is_some()
        );
        assert_eq!(retry.after(1, retry.give_up), None);
    }
}
