//! Blacklists in memory, one for each role. They answer all questions of a call about domains.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arc_swap::ArcSwapOption;
use franking_core::{Blacklists, DomainRoles, DomainSet, Facts, Questions};

use crate::domain_set::{Change, add, change_all, read_entries, remove};
use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{Guarded, check_out, get, put_out, run, run_alone};
use crate::memory::reserve;
use crate::numbers::domain_roles;
use crate::status::Outcome;
use crate::text::FrankingText;

/// A set of domains for each of FRANKING_DOMAIN_ROLE. It answers all questions of a call about domains: the domains of the
/// call, and those of the stored addresses that the host has found. Owned: free it with franking_blacklists_free.
///
/// Calls may be decided with it in many threads while one other thread changes it. Each call sees the lists as they were
/// before a change or as they are after it, and never gets FRANKING_STATUS_BUSY. It waits for a change only if no call has seen
/// the lists before. If two threads change it at the same time, one of them gets FRANKING_STATUS_BUSY. Once a call has been
/// decided with it, each change copies all lists: change many entries at a time.
pub struct FrankingBlacklists {
    /// The lists that are changed. Until a call has seen them, they are changed in place.
    own: Guarded<Arc<Blacklists>>,
    /// The lists that calls see. Empty until the first call looks at them.
    shown: ArcSwapOption<Blacklists>,
    /// The numbers of calls that have begun, and have ended, to publish the lists in `shown` for the first time.
    shows: [AtomicUsize; 2],
}

impl FrankingBlacklists {
    fn new() -> Self {
        Self {
            own: Guarded::new(Arc::new(Blacklists::default())),
            shown: ArcSwapOption::empty(),
            shows: [AtomicUsize::new(0), AtomicUsize::new(0)],
        }
    }

    /// Answers the column of domains, and fills in `blacklisted` of each stored address for which the host did not say it.
    pub(crate) fn answer(&self, questions: &Questions<'_>, facts: &mut Facts) -> Outcome {
        reserve(&mut facts.domains, questions.domain_count())?;
        self.look(|lists| lists.answer(questions, facts))
    }

    /// The lists as they are now. Later changes do not affect them.
    pub(crate) fn lists(&self) -> Outcome<Arc<Blacklists>> {
        self.look(Arc::clone)
    }

    /// Looks at the lists as calls see them.
    fn look<T>(&self, look: impl FnOnce(&Arc<Blacklists>) -> T) -> Outcome<T> {
        loop {
            if let Some(lists) = &*self.shown.load() {
                return Ok(look(lists));
            }
            match self.show() {
                // Another thread is filling the lists, and there is no earlier version to answer from.
                Err(fail) if fail.is_busy() => std::thread::yield_now(),
                shown => shown?,
            }
        }
    }

    /// Publishes the lists as they are, while no thread changes them.
    fn show(&self) -> Outcome {
        let [begun, ended] = &self.shows;
        begun.fetch_add(1, Ordering::SeqCst);
        let outcome = self.own.lend(|own| {
            self.shown.store(Some(Arc::clone(own)));
            Ok(())
        });
        ended.fetch_add(1, Ordering::SeqCst);
        outcome
    }

    /// Runs `change`. Waits while a call publishes the lists for the first time. Only another change makes it fail with
    /// BUSY.
    fn change_unless_busy(&self, mut change: impl FnMut() -> Outcome) -> Outcome {
        loop {
            let [begun, ended] = &self.shows;
            let (ended, before) = (ended.load(Ordering::SeqCst), begun.load(Ordering::SeqCst));
            match change() {
                Err(fail) if fail.is_busy() => {
                    // If no call was publishing during this attempt, another change is at work.
                    if ended == before && begun.load(Ordering::SeqCst) == before {
                        return Err(fail);
                    }
                    std::thread::yield_now();
                }
                done => return done,
            }
        }
    }

    /// Changes the set of each role in `bits`, or none of them.
    fn change(&self, bits: u8, mut change: impl FnMut(&mut DomainSet) -> Outcome) -> Outcome {
        let roles = domain_roles(bits)?;
        self.change_unless_busy(|| self.write(roles, &mut change))
    }

    fn write(
        &self,
        roles: DomainRoles,
        change: &mut impl FnMut(&mut DomainSet) -> Outcome,
    ) -> Outcome {
        self.own.write(|own| {
            let lists = Arc::make_mut(own);
            let sets = [
                (DomainRoles::SENDER, &mut lists.sender),
                (DomainRoles::REPLY_TO, &mut lists.reply_to),
                (DomainRoles::RECIPIENT, &mut lists.recipient),
                (DomainRoles::CONTENT, &mut lists.content),
            ];
            let chosen = sets.into_iter().filter(|(role, _)| roles.contains(*role));
            let mut chosen: Vec<&mut DomainSet> = chosen.map(|(_, set)| set).collect();
            change_all(&mut chosen, change)?;
            if self.shown.load().is_some() {
                self.shown.store(Some(Arc::clone(own)));
            }
            Ok(())
        })
    }
}

/// Makes empty blacklists.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_blacklists_new(
    blacklists: *mut *mut FrankingBlacklists,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(blacklists, "blacklists")?;
        // SAFETY: checked above.
        unsafe { put_out(blacklists, boxed(FrankingBlacklists::new())) }
    })
}

/// Adds count entries, hosts in any spelling, to the set of each of the FRANKING_DOMAIN_ROLE bits.
///
/// Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
/// changes. Fails with FRANKING_STATUS_BUSY while another thread changes the blacklists.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_blacklists_insert(
    blacklists: *mut FrankingBlacklists,
    role_bits: u8,
    entries: *const FrankingText,
    count: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    // SAFETY: the caller passes what this function asks for.
    unsafe { change(blacklists, role_bits, entries, count, error, add) }
}

/// Removes count entries, in any spelling, from the set of each of the FRANKING_DOMAIN_ROLE bits. Entries that are not in a
/// set are skipped. The time grows with the length of all lists: remove many entries at a time.
///
/// Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
/// changes. Fails with FRANKING_STATUS_BUSY while another thread changes the blacklists.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_blacklists_remove(
    blacklists: *mut FrankingBlacklists,
    role_bits: u8,
    entries: *const FrankingText,
    count: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    // SAFETY: the caller passes what this function asks for.
    unsafe { change(blacklists, role_bits, entries, count, error, remove) }
}

/// # Safety
/// `blacklists` is NULL or points to blacklists that were not freed. `entries` points to `count` texts that can be read.
unsafe fn change(
    blacklists: *mut FrankingBlacklists,
    role_bits: u8,
    entries: *const FrankingText,
    count: usize,
    error: *mut *mut FrankingError,
    change: Change,
) -> i32 {
    run(error, || {
        // SAFETY: as demanded of the caller.
        let blacklists = unsafe { get(blacklists, "blacklists") }?;
        // SAFETY: as demanded of the caller.
        let entries = unsafe { read_entries(entries, count) }?;
        blacklists.change(role_bits, |set| change(set, &entries))
    })
}

/// Frees blacklists. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_blacklists_free(blacklists: *mut FrankingBlacklists) {
    // SAFETY: the caller passes NULL or blacklists that were not freed.
    unsafe { free(blacklists) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::{FRANKING_STATUS_MEMORY, Fail};

    fn entries(lists: &Blacklists) -> [Vec<&str>; 4] {
        let Blacklists {
            sender,
            reply_to,
            recipient,
            content,
        } = lists;
        [sender, reply_to, recipient, content].map(|set| set.iter().collect())
    }

    #[test]
    fn a_change_that_fails_at_one_role_changes_no_role() {
        let own = FrankingBlacklists::new();
        let all = DomainRoles::from_bits(u8::MAX).bits();
        let insert = |set: &mut DomainSet, entry| match set.insert(entry) {
            Ok(_) => Ok(()),
            Err(error) => Err(Fail::invalid(error)),
        };
        assert!(own.change(all, |set| insert(set, "first.example")).is_ok());
        // In place, and once calls have seen the lists.
        for _ in 0..2 {
            let mut left = 2;
            let failing = own.change(all, |set| {
                insert(set, "second.example")?;
                left -= 1;
                match left {
                    0 => Err(Fail::memory("a test")),
                    _ => Ok(()),
                }
            });
            let status = failing.map_err(|fail| fail.status);
            assert_eq!(status, Err(FRANKING_STATUS_MEMORY));
            let lists = own.lists().ok();
            let lists = lists.as_deref().map(entries);
            assert_eq!(lists, Some([(); 4].map(|()| vec!["first.example"])));
        }
        assert!(own.change(all, |set| insert(set, "second.example")).is_ok());
    }
}
