//! Rate limits: how many calls and emails per second an account may send to this process.

use std::sync::{Mutex, MutexGuard, PoisonError};
// clock: the limits are rates.
use std::time::Duration;

use crate::bucket::Buckets;
use crate::store::AccountId;

/// The allowed burst, in seconds of the rate.
const BURST: f64 = 10.0;

/// The rate limits of each account. `None` means no limit.
#[derive(Debug)]
pub struct Limits {
    calls: Option<Mutex<Buckets>>,
    emails: Option<Mutex<Buckets>>,
}

impl Limits {
    /// Limits each account to these numbers of calls and emails per second. `None` means no limit.
    #[must_use]
    pub fn new(calls: Option<f64>, emails: Option<f64>) -> Self {
        let buckets = |rate: f64| Mutex::new(Buckets::new(rate, (rate * BURST).max(1.0)));
        Self {
            calls: calls.map(buckets),
            emails: emails.map(buckets),
        }
    }

    /// Counts a call of an account.
    ///
    /// # Errors
    /// Returns the time after which the account may call again.
    pub(super) fn call(&self, account: AccountId) -> Result<(), Duration> {
        let mut calls = self.calls.as_ref().map(lock);
        let emails = self.emails.as_ref().map(lock);
        let waits = [calls.as_deref(), emails.as_deref()];
        let waits = waits.into_iter().flatten();
        match waits.filter_map(|buckets| buckets.wait(account, 1.0)).max() {
            Some(wait) => Err(wait),
            None => {
                if let Some(calls) = &mut calls {
                    calls.take(account, 1.0);
                }
                Ok(())
            }
        }
    }

    /// Counts the emails of an accepted call. Later calls wait for them.
    pub(super) fn emails(&self, account: AccountId, emails: u64) {
        if let Some(buckets) = &self.emails {
            lock(buckets).take(account, emails as f64);
        }
    }
}

fn lock(buckets: &Mutex<Buckets>) -> MutexGuard<'_, Buckets> {
    buckets.lock().unwrap_or_else(PoisonError::into_inner)
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
