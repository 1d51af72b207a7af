//! What of each account is kept: so many bytes in a day, so that none fills the disk.

use std::collections::HashMap;
// clock: what a share of a day is about.
use std::time::{Duration, Instant};

use crate::store::AccountId;

const DAY: Duration = Duration::from_secs(86_400);
/// From so many accounts on, those whose time has made them whole are forgotten.
const MANY: usize = 10_000;

/// What is left to each account. One that is not known has all.
pub(super) struct Shares {
    whole: u64,
    left: HashMap<AccountId, (u64, Instant)>,
}

impl Shares {
    pub(super) fn new(whole: u64) -> Self {
        Self {
            whole,
            left: HashMap::new(),
        }
    }

    /// Takes bytes of an account's share, and says whether it has them. What is taken comes back evenly in a day.
    pub(super) fn take(&mut self, account: AccountId, bytes: u64) -> bool {
        let now = Instant::now();
        let whole = self.whole;
        let refilled = |(left, since): (u64, Instant)| {
            let part = now.duration_since(since).as_secs_f64() / DAY.as_secs_f64();
            left.saturating_add((whole as f64 * part) as u64).min(whole)
        };
        if self.left.len() >= MANY {
            self.left.retain(|_, left| refilled(*left) < whole);
        }
        let known = self.left.get(&account);
        let left = known.map_or(whole, |known| refilled(*known));
        let Some(rest) = left.checked_sub(bytes) else {
            return false;
        };
        self.left.insert(account, (rest, now));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_that_has_had_its_share_leaves_the_others_alone() {
        let (one, other) = (AccountId::from_number(1), AccountId::from_number(2));
        let mut shares = Shares::new(1000);
        assert!(shares.take(one, 600));
        assert!(!shares.take(one, 600));
        assert!(shares.take(one, 400));
        assert!(!shares.take(one, 1));
        assert!(shares.take(other, 1000));
    }
}
