//! Token buckets of accounts: how much of something each account may have in a time.

use std::collections::HashMap;
// clock: a bucket fills as time goes by.
use std::time::{Duration, Instant};

use crate::store::AccountId;

/// When there are this many accounts, those whose buckets are full again are forgotten.
const MANY: usize = 10_000;

/// One bucket for each account. An account that is not known has a full one.
#[derive(Debug)]
pub(crate) struct Buckets {
    /// How much comes back in a second.
    rate: f64,
    /// How much a full bucket holds.
    whole: f64,
    /// How much is left, and since when. It is less than nothing when more was taken than there was.
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

    /// How much an account has.
    pub(crate) fn left(&self, account: AccountId) -> f64 {
        let known = self.left.get(&account);
        known.map_or(self.whole, |known| self.refilled(*known, Instant::now()))
    }

    /// How long it takes until an account has that much.
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
