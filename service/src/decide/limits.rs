//! Limits of an account: how many calls and emails a second it may have, in this process.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
// clock: what limits are about.
use std::time::{Duration, Instant};

use crate::store::AccountId;

/// So many seconds of what an account may have can come at once.
const BURST: f64 = 10.0;
/// From so many accounts on, those whose time has made them whole are forgotten.
const MANY: usize = 10_000;

/// What each account has had. An account that is not known has all.
#[derive(Debug)]
pub struct Limits {
    calls: Option<f64>,
    emails: Option<f64>,
    buckets: Mutex<HashMap<AccountId, Buckets>>,
}

/// What is left of an account's calls and emails; less than nothing after a large call.
#[derive(Clone, Copy, Debug)]
struct Buckets {
    calls: f64,
    emails: f64,
    since: Instant,
}

impl Limits {
    /// So many calls and emails a second; `None` is no limit.
    #[must_use]
    pub fn new(calls: Option<f64>, emails: Option<f64>) -> Self {
        Self {
            calls,
            emails,
            buckets: Mutex::default(),
        }
    }

    /// Takes a call of an account.
    ///
    /// # Errors
    /// The time after which it may come again.
    pub(super) fn call(&self, account: AccountId) -> Result<(), Duration> {
        self.with(account, |buckets| {
            let missing = |left: f64, rate: Option<f64>| {
                let rate = rate.filter(|_| left < 1.0)?;
                Duration::try_from_secs_f64((1.0 - left) / rate).ok()
            };
            let wait = missing(buckets.calls, self.calls).max(missing(buckets.emails, self.emails));
            match wait {
                Some(wait) => Err(wait),
                None => {
                    buckets.calls -= 1.0;
                    Ok(())
                }
            }
        })
        .unwrap_or(Ok(()))
    }

    /// Takes the emails of an accepted call: a later call waits for them.
    pub(super) fn emails(&self, account: AccountId, emails: u64) {
        self.with(account, |buckets| buckets.emails -= emails as f64);
    }

    /// Brings what an account has left up to now. `None` where nothing is limited.
    fn with<T>(&self, account: AccountId, take: impl FnOnce(&mut Buckets) -> T) -> Option<T> {
        if self.calls.is_none() && self.emails.is_none() {
            return None;
        }
        let now = Instant::now();
        let whole = |rate: Option<f64>| (rate.unwrap_or(0.0) * BURST).max(1.0);
        let (calls, emails) = (whole(self.calls), whole(self.emails));
        let refill = |buckets: &Buckets| {
            let seconds = now.duration_since(buckets.since).as_secs_f64();
            let fill = |left: f64, rate: Option<f64>, whole: f64| {
                rate.map_or(whole, |rate| (left + seconds * rate).min(whole))
            };
            Buckets {
                calls: fill(buckets.calls, self.calls, calls),
                emails: fill(buckets.emails, self.emails, emails),
                since: now,
            }
        };
        let mut all = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MANY {
            all.retain(|_, buckets| {
                let filled = refill(buckets);
                filled.calls < calls || filled.emails < emails
            });
        }
        let fresh = Buckets {
            calls,
            emails,
            since: now,
        };
        let buckets = all.entry(account).or_insert(fresh);
        *buckets = refill(buckets);
        Some(take(buckets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: AccountId = AccountId::from_number(1);

    #[test]
    fn an_account_over_its_calls_or_emails_waits_and_another_does_not() {
        let limits = Limits::new(Some(0.1), Some(0.001));
        assert!(limits.call(ONE).is_ok());
        let wait = limits.call(ONE).err().unwrap_or_default();
        assert!(
            wait > Duration::from_secs(5) && wait <= Duration::from_secs(10),
            "{wait:?}"
        );
        let other = AccountId::from_number(2);
        assert!(limits.call(other).is_ok());
        let third = AccountId::from_number(3);
        limits.emails(third, 1);
        assert!(limits.call(third).is_err());
        let none = Limits::new(None, None);
        none.emails(ONE, 1_000_000);
        assert!((0..1000).all(|_| none.call(ONE).is_ok()));
    }
}
