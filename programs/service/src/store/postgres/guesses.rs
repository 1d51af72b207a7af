//! Guesses which domains of stored addresses the facts of calls will be about. They are looked up together with the addresses,
//! so that one statement is enough. If a domain was not guessed, everything is looked up again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::facts::Call;
use crate::store::error::StoreError;
use crate::store::known::{Found, walk};

/// How many stored emails are remembered. When there are this many, all are forgotten.
const MOST: usize = 1_000;

/// An account and one of its stored emails.
type Mailer = (i64, i64);

/// The domains of the senders of stored emails, with their parents, as they were when they were last looked up. Clones share
/// them.
#[derive(Clone, Default)]
pub(super) struct Guesses(Arc<Mutex<HashMap<Mailer, Vec<String>>>>);

impl Guesses {
    fn lock(&self) -> MutexGuard<'_, HashMap<Mailer, Vec<String>>> {
        // Each use leaves the map consistent, even if a thread has panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the domains, in ascending order. `None` if they cannot be guessed.
    pub(super) fn of(&self, calls: &[Call<'_>]) -> Option<Vec<String>> {
        let senders = self.lock();
        let mut names = Vec::new();
        for (account, asked) in calls.iter().filter(|(_, asked)| asked.wants_addresses) {
            if !asked.subscriber_ids.is_empty() {
                return None;
            }
            let sender = senders.get(&(account.0, asked.mailer()?))?;
            names.extend(sender.iter().cloned());
            for key in &asked.subscribers {
                // A subscriber has one domain in the match key and in the address.
                names.extend(walk(key).ok()?);
            }
        }
        names.sort_unstable();
        names.dedup();
        Some(names)
    }

    /// Remembers the senders that were looked up.
    pub(super) fn note(&self, calls: &[Call<'_>], found: &[Result<Found, StoreError>]) {
        let mut senders = self.lock();
        for ((account, asked), found) in calls.iter().zip(found) {
            if !asked.wants_addresses {
                continue;
            }
            if let (Some(mailer), Ok(found)) = (asked.mailer(), found)
                && let Some(sender) = found.facts.mailers.get(0)
                && let Ok(names) = walk(sender.from)
            {
                if senders.len() >= MOST {
                    senders.clear();
                }
                senders.insert((account.0, mailer), names);
            }
        }
    }
}
