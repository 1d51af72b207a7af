//! Sets of domains in memory, and the forms of a domain.

use franking_core::DomainSet;
use franking_core::domain;
use franking_core::domain::EntryError;

use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{Guarded, check_out, get, put_out, run, run_alone};
use crate::status::{Fail, Outcome};
use crate::strings::FrankingStrings;
use crate::text::{FrankingString, FrankingText, slice};

/// A set of hosts, compared in canonical form, that finds a domain or a parent of it. Owned: free it with
/// franking_domain_set_free. Many threads may look up in it at once, through a const pointer. While one thread adds or removes
/// entries, another one gets FRANKING_STATUS_BUSY.
pub struct FrankingDomainSet(Guarded<DomainSet>);

/// Makes an empty set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_set_new(
    set: *mut *mut FrankingDomainSet,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(set, "set")?;
        let new = boxed(FrankingDomainSet(Guarded::new(DomainSet::new())));
        // SAFETY: checked above.
        unsafe { put_out(set, new) }
    })
}

/// Adds count entries, which are hosts in any spelling. Entries that are in the set already stay.
///
/// Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
/// changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_set_insert(
    set: *mut FrankingDomainSet,
    entries: *const FrankingText,
    count: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    // SAFETY: the caller passes what this function asks for.
    unsafe { change(set, entries, count, error, add) }
}

/// Removes count entries, in any spelling. Entries that are not in the set are skipped. The time grows with the length of the
/// set: remove many entries at a time.
///
/// Fails with FRANKING_STATUS_INVALID when an entry is not a host; franking_error_value is the position of the first, and nothing
/// changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_set_remove(
    set: *mut FrankingDomainSet,
    entries: *const FrankingText,
    count: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    // SAFETY: the caller passes what this function asks for.
    unsafe { change(set, entries, count, error, remove) }
}

/// Changes a set by entries that were read into a set of their own.
pub(crate) type Change = fn(&mut DomainSet, &DomainSet) -> Outcome;

pub(crate) fn add(set: &mut DomainSet, entries: &DomainSet) -> Outcome {
    set.try_extend(entries.iter()).map_err(Fail::invalid)
}

pub(crate) fn remove(set: &mut DomainSet, entries: &DomainSet) -> Outcome {
    set.retain(|name| !entries.contains(name));
    Ok(())
}

/// Changes all of the sets or, if the change of one fails, none of them. A change that fails may have added entries, and has
/// removed none.
pub(crate) fn change_all(
    sets: &mut [&mut DomainSet],
    mut change: impl FnMut(&mut DomainSet) -> Outcome,
) -> Outcome {
    let before: Vec<usize> = sets.iter().map(|set| set.len()).collect();
    let changed = sets.iter_mut().try_for_each(|set| change(set));
    if changed.is_err() {
        for (set, len) in sets.iter_mut().zip(before) {
            if set.len() > len {
                // Entries are added at the end.
                let mut old = 0..len;
                set.retain(|_| old.next().is_some());
            }
        }
    }
    changed
}

/// # Safety
/// `set` is NULL or points to a set that was not freed. `entries` points to `count` texts that can be read.
unsafe fn change(
    set: *mut FrankingDomainSet,
    entries: *const FrankingText,
    count: usize,
    error: *mut *mut FrankingError,
    change: Change,
) -> i32 {
    run(error, || {
        // SAFETY: as demanded of the caller.
        let set = unsafe { get(set, "set") }?;
        // SAFETY: as demanded of the caller.
        let entries = unsafe { read_entries(entries, count) }?;
        set.0
            .write(|set| change_all(&mut [set], |set| change(set, &entries)))
    })
}

/// Reads all entries into a set of their own, before any other set is changed.
///
/// # Safety
/// `entries` points to `count` texts that can be read.
pub(crate) unsafe fn read_entries(
    entries: *const FrankingText,
    count: usize,
) -> Outcome<DomainSet> {
    // SAFETY: as demanded of the caller.
    let entries = unsafe { slice(entries, count, "entries") }?;
    let mut set = DomainSet::new();
    for (index, entry) in (0_i64..).zip(entries) {
        // SAFETY: as demanded of the caller.
        let entry = unsafe { entry.read("an entry") }.map_err(|fail| fail.with_value(index))?;
        set.insert(entry)
            .map_err(|error| Fail::invalid(error).with_value(index))?;
    }
    Ok(set)
}

/// Writes the number of different entries.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_set_len(
    set: *const FrankingDomainSet,
    len: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a set that was not freed.
        let set = unsafe { get(set, "set") }?;
        check_out(len, "len")?;
        let count = set.0.lend(|set| Ok(set.len()))?;
        // SAFETY: checked above.
        unsafe { put_out(len, count) }
    })
}

/// Writes 1 if domain itself is an entry, in any spelling, else 0. Use it to answer the questions about domains.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_set_contains(
    set: *const FrankingDomainSet,
    domain: FrankingText,
    contains: *mut u8,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a set that was not freed.
        let set = unsafe { get(set, "set") }?;
        // SAFETY: the caller passes a text that can be read.
        let domain = unsafe { domain.read("domain") }?;
        check_out(contains, "contains")?;
        let found = set.0.lend(|set| Ok(set.contains(domain)))?;
        // SAFETY: checked above.
        unsafe { put_out(contains, u8::from(found)) }
    })
}

/// Writes the entry under which domain is listed: the domain itself or its nearest parent. data is NULL when it is not
/// listed. Use it for the facts about a mailer or a subscriber; with franking_blacklists the library does so on its own. The
/// text lives until an entry is added to the set or removed from it, or the set is freed.
///
/// Fails with FRANKING_STATUS_INVALID when domain is not a domain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_set_listed(
    set: *const FrankingDomainSet,
    domain: FrankingText,
    entry: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a set that was not freed.
        let set = unsafe { get(set, "set") }?;
        // SAFETY: the caller passes a text that can be read.
        let domain = unsafe { domain.read("domain") }?;
        check_out(entry, "entry")?;
        let found = set.0.lend(|set| {
            let listed = set.try_listed(domain).map_err(Fail::invalid)?;
            Ok(FrankingText::from_option(listed))
        })?;
        // SAFETY: checked above.
        unsafe { put_out(entry, found) }
    })
}

/// Frees a set. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_set_free(set: *mut FrankingDomainSet) {
    // SAFETY: the caller passes NULL or a set that was not freed.
    unsafe { free(set) };
}

fn canonical(domain: &str) -> Outcome<std::borrow::Cow<'_, str>> {
    domain::to_ascii(domain).ok_or_else(|| Fail::invalid(EntryError::NotAHost))
}

/// Writes the canonical form of a domain, as URLs and blacklists name it. Numeric spellings become IP addresses, and a dot
/// at the end is dropped. The string is owned: free it with franking_string_free.
///
/// Fails with FRANKING_STATUS_INVALID when no URL can have that domain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_to_ascii(
    domain: FrankingText,
    ascii: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let domain = unsafe { domain.read("domain") }?;
        check_out(ascii, "ascii")?;
        let found = canonical(domain)?;
        // SAFETY: checked above.
        unsafe { put_out(ascii, FrankingString::new(found)?) }
    })
}

/// Writes the names under which a blacklist may list a domain: its canonical form and its parents down to two labels. The
/// strings are owned: free them with franking_strings_free.
///
/// Fails with FRANKING_STATUS_INVALID when no URL can have that domain, or its canonical form has more than the 253 octets
/// of a name of the DNS.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_domain_walk(
    domain: FrankingText,
    names: *mut *mut FrankingStrings,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let domain = unsafe { domain.read("domain") }?;
        check_out(names, "names")?;
        let domain = canonical(domain)?;
        // The parents are copied. Those of a domain that may be of any length would take the square of its length.
        if domain.len() > domain::MAX_DOMAIN_LEN {
            return Err(Fail::invalid(EntryError::NotAHost));
        }
        let walked = domain::walk(&domain)
            .map(|name| name.into_owned())
            .collect();
        // SAFETY: checked above.
        unsafe { put_out(names, FrankingStrings::new(walked)) }
    })
}
