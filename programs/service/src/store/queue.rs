//! The emails that wait, counted by account.

use std::cmp::Reverse;
use std::time::Duration;

use super::identity::AccountId;

/// The emails that wait, counted by account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// The accounts that have waiting emails.
    pub accounts: Vec<AccountQueue>,
}

/// The emails of an account that wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountQueue {
    /// The account.
    pub account: AccountId,
    /// Whether sending is paused for it.
    pub is_paused: bool,
    /// Emails that are due.
    pub due: u64,
    /// Emails that wait for their next attempt.
    pub later: u64,
    /// Emails that are claimed. `None` on SQLite, where only the serving process knows them: they count as due.
    pub claimed: Option<u64>,
    /// How long the first of them has been due, if one is.
    pub oldest: Option<Duration>,
    /// The time until the first email that waits for its next attempt is due.
    pub next: Option<Duration>,
}

impl AccountQueue {
    /// All waiting emails.
    #[must_use]
    pub fn emails(&self) -> u64 {
        let claimed = self.claimed.unwrap_or(0);
        [self.due, self.later, claimed].iter().sum()
    }
}

impl Queue {
    /// Emails that are due.
    #[must_use]
    pub fn due(&self) -> u64 {
        self.accounts.iter().map(|waiting| waiting.due).sum()
    }

    /// Emails that wait for their next attempt.
    #[must_use]
    pub fn later(&self) -> u64 {
        self.accounts.iter().map(|waiting| waiting.later).sum()
    }

    /// Emails that are claimed.
    #[must_use]
    pub fn claimed(&self) -> u64 {
        let claimed = |waiting: &AccountQueue| waiting.claimed.unwrap_or(0);
        self.accounts.iter().map(claimed).sum()
    }

    /// All waiting emails.
    #[must_use]
    pub fn emails(&self) -> u64 {
        self.accounts.iter().map(AccountQueue::emails).sum()
    }

    /// The accounts that are not paused.
    fn going(&self) -> impl Iterator<Item = &AccountQueue> {
        self.accounts.iter().filter(|waiting| !waiting.is_paused)
    }

    /// Emails that are due and may be sent, because their account is not paused.
    #[must_use]
    pub fn due_and_going(&self) -> u64 {
        self.going().map(|waiting| waiting.due).sum()
    }

    /// How long the first of those emails has been due.
    #[must_use]
    pub fn oldest(&self) -> Option<Duration> {
        self.going().filter_map(|waiting| waiting.oldest).max()
    }

    /// The time until the first email that waits for its next attempt is due.
    #[must_use]
    pub fn next(&self) -> Option<Duration> {
        let next = |waiting: &AccountQueue| waiting.next;
        self.accounts.iter().filter_map(next).min()
    }

    /// Returns the accounts with the most waiting emails, at most `at_most` of them.
    #[must_use]
    pub fn largest(mut self, at_most: usize) -> Vec<AccountQueue> {
        let most_first = |waiting: &AccountQueue| (Reverse(waiting.emails()), waiting.account);
        self.accounts.sort_by_key(most_first);
        self.accounts.truncate(at_most);
        self.accounts
    }
}
