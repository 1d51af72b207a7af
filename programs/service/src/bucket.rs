//! Token buckets of accounts: the amount of something that each account may use in a time.

use std::collections::HashMap;
// clock: a bucket fills as time goes by.
use std::time::{Duration, Instant};

use crate::store::AccountId;

/// When there are this many accounts, those whose buckets are full again are forgotten.
const MANY: usize = 10_000;

/// One bucket for each account. An account that is not known has a full bucket.
#[derive(Debug)]
pub(crate) struct Buckets {
    /// The amount that a bucket regains in a second.
    rate: f64,
    /// The amount in a full bucket.
    whole: f64,
    /// The amount that was left at a time, and that time. The amount is negative if more was taken than there was.
    left: HashMap<AccountId, (f64, Instant)>,
}

impl Buckets {
    pub(crate) fn new(rate: f64, whole: f64) -> Self {
        Self {
            rate,
            whole,
            left: HashMap::new(),
        }
    }

    /// The amount that an account has now.
    pub(crate) fn left(&self, account: AccountId) -> f64 {
        let known = self.left.get(&account);
        known.map_or(self.whole, |known| self.refilled(*known, Instant::now()))
    }

    /// The time until an account has `amount`; `None` if it has it already.
    pub(crate) fn wait(&self, account: AccountId, amount: f64) -> Option<Duration> {
        let missing = amount - self.left(account);
        let is_missing = missing > 0.0;
        is_missing
            .then(|| Duration::try_from_secs_f64(missing / self.rate).unwrap_or(Duration::MAX))
    }

    /// Takes an amount, whether the account has it or not.
    pub(crate) fn take(&mut self, account: AccountId, amount: f64) {
        let left = self.left(account) - amount;
        let now = Instant::now();
        if self.left.len() >= MANY {
            let mut all = std::mem::take(&mut self.left);
            all.retain(|_, known| self.refilled(*known, now) < self.whole);
            self.left = all;
        }
        self.left.insert(account, (left, now));
    }

    fn refilled(&self, (left, since): (f64, Instant), now: Instant) -> f64 {
        let seconds = now.duration_since(since).as_secs_f64();
        (left + seconds * self.rate).min(self.whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_that_has_had_all_waits_and_another_does_not() {
        let (one, other) = (AccountId::from_number(1), AccountId::from_number(2));
        let mut buckets = Buckets::new(0.001, 1000.0);
        buckets.take(one, 600.0);
        assert_eq!(buckets.wait(one, 300.0), None);
        buckets.take(one, 600.0);
        let wait = buckets.wait(one, 1.0).unwrap_or_default();
        assert!(wait > Duration::from_secs(100_000), "{wait:?}");
        assert_eq!(buckets.wait(other, 1000.0), None);
    }
}
