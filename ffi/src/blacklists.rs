//! Blacklists in memory, one for each role, and the answer to all that is asked about them.

use franking_core::{Blacklists, DomainRoles, DomainSet, Facts, Questions};

use crate::domain_set::insert;
use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run, run_alone};
use crate::numbers::domain_roles;
use crate::status::Outcome;
use crate::text::{FrankingText, slice};

/// A set of domains for each of FRANKING_DOMAIN_ROLE. It answers all that a call asks about domains: those of the call, and those of
/// the stored addresses that the host has found. Owned: free it with franking_blacklists_free. Answering through a const
/// pointer may go on in many threads at once; changing needs it alone.
pub struct FrankingBlacklists(Guarded<Blacklists>);

impl FrankingBlacklists {
    /// Answers the column of domains, and says what was not said of stored addresses.
    pub(crate) fn answer(&self, questions: &Questions<'_>, facts: &mut Facts) -> Outcome {
        self.0.read(|own| {
            facts.domains.try_reserve(questions.domain_count())?;
            own.answer(questions, facts);
            Ok(())
        })
    }

    /// Changes the set of each of the roles.
    fn change(&self, bits: u8, mut change: impl FnMut(&mut DomainSet) -> Outcome) -> Outcome {
        let roles = domain_roles(bits)?;
        self.0.write(|own| {
            let sets = [
                (DomainRoles::SENDER, &mut own.sender),
                (DomainRoles::REPLY_TO, &mut own.reply_to),
                (DomainRoles::RECIPIENT, &mut own.recipient),
                (DomainRoles::CONTENT, &mut own.content),
            ];
            let mut chosen = sets.into_iter().filter(|(role, _)| roles.contains(*role));
            chosen.try_for_each(|(_, set)| change(set))
        })
    }
}

/// Makes blacklists that list nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_blacklists_new(
    blacklists: *mut *mut FrankingBlacklists,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(blacklists, "blacklists")?;
        let new = FrankingBlacklists(Guarded::new(Blacklists::default()));
        // SAFETY: checked above.
        unsafe { put_out(blacklists, boxed(new)) }
    })
}

/// Adds count entries, hosts in any spelling, to the set of each of the FRANKING_DOMAIN_ROLE bits.
///
/// Fails with FRANKING_STATUS_INVALID at the first entry that is no host; franking_error_value is its position, and those
/// before it are in the set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_blacklists_insert(
    blacklists: *mut FrankingBlacklists,
    role_bits: u8,
    entries: *const FrankingText,
    count: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or blacklists that were not freed.
        let blacklists = unsafe { get(blacklists, "blacklists") }?;
        // SAFETY: the caller passes as many texts as it says.
        let entries = unsafe { slice(entries, count, "entries") }?;
        // SAFETY: the caller passes texts that can be read.
        blacklists.change(role_bits, |set| unsafe { insert(set, entries) })
    })
}

/// Frees blacklists. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_blacklists_free(blacklists: *mut FrankingBlacklists) {
    // SAFETY: the caller passes NULL or blacklists that were not freed.
    unsafe { free(blacklists) };
}
