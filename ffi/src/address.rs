//! Mail addresses, lists of them, and days.

use franking_core::address::{entries, parse};
use franking_core::date::parse_day;

use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run_alone, run_next};
use crate::status::{Fail, More};
use crate::text::FrankingText;

/// A valid address, taken apart. Never changes, so it may be shared between threads. Owned: free it with
/// franking_address_free.
pub struct FrankingAddress {
    text: String,
    at: usize,
    key: String,
    domain: String,
}

/// Takes an address apart, as it is: white space around it is no part of one.
///
/// Fails with FRANKING_STATUS_INVALID and one thing to correct when the text is no valid address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_parse(
    text: FrankingText,
    address: *mut *mut FrankingAddress,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        check_out(address, "address")?;
        let parsed = parse(text).map_err(Fail::invalid)?;
        let new = boxed(FrankingAddress {
            text: text.to_owned(),
            at: parsed.local_part().len(),
            key: parsed.match_key().into_owned(),
            domain: parsed.domain().into_owned(),
        });
        // SAFETY: checked above.
        unsafe { put_out(address, new) }
    })
}

/// The match key: addresses with one key are one mailbox. Lives until the address is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_match_key(
    address: *const FrankingAddress,
) -> FrankingText {
    // SAFETY: the caller passes NULL or an address that was not freed.
    let address = unsafe { address.as_ref() };
    FrankingText::from_option(address.map(|address| &*address.key))
}

/// The domain in lower-case ASCII form, as blacklists name it. Lives until the address is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_domain(address: *const FrankingAddress) -> FrankingText {
    // SAFETY: the caller passes NULL or an address that was not freed.
    let address = unsafe { address.as_ref() };
    FrankingText::from_option(address.map(|address| &*address.domain))
}

/// What stands before the @, as given. Lives until the address is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_local_part(
    address: *const FrankingAddress,
) -> FrankingText {
    // SAFETY: the caller passes NULL or an address that was not freed.
    let address = unsafe { address.as_ref() };
    FrankingText::from_option(address.and_then(|address| address.text.get(..address.at)))
}

/// Frees an address. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_free(address: *mut FrankingAddress) {
    // SAFETY: the caller passes NULL or an address that was not freed.
    unsafe { free(address) };
}

/// The entries of a comma-separated list, one after the other. Owned: free it with franking_entries_free. To be used by one
/// thread at a time.
pub struct FrankingEntries(Guarded<Box<dyn Iterator<Item = Entry> + Send + Sync>>);

type Entry = (core::ops::Range<usize>, &'static str);

/// Splits a list at its commas; white space around an entry is cut off, and empty entries are skipped. Whether an entry is
/// an address, franking_address_parse tells.
///
/// The list is not copied: it has to stay as it is until the entries are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_entries_new(
    list: FrankingText,
    entries_out: *mut *mut FrankingEntries,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller keeps the list until the entries are freed.
        let list: &'static str = unsafe { list.read("list") }?;
        check_out(entries_out, "entries_out")?;
        let new = boxed(FrankingEntries(Guarded::new(Box::new(entries(list)))));
        // SAFETY: checked above.
        unsafe { put_out(entries_out, new) }
    })
}

/// Moves to the next entry and writes it and, unless start is NULL, its offset in the list. FRANKING_STATUS_END when there
/// is none. The text lives as the list does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_entries_next(
    entries: *mut FrankingEntries,
    entry: *mut FrankingText,
    start: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or entries that were not freed.
        let entries = unsafe { get(entries, "entries") }?;
        check_out(entry, "entry")?;
        let Some((span, text)) = entries.0.write(|rest| Ok(rest.next()))? else {
            return Ok(More::No);
        };
        // SAFETY: checked above.
        unsafe { put_out(entry, FrankingText::new(text)) }?;
        if !start.is_null() {
            // SAFETY: the caller passes NULL or a place for a number.
            unsafe { put_out(start, span.start) }?;
        }
        Ok(More::Yes)
    })
}

/// Frees entries. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_entries_free(entries: *mut FrankingEntries) {
    // SAFETY: the caller passes NULL or entries that were not freed.
    unsafe { free(entries) };
}

/// Checks that a text is a day of the calendar, written yyyy-mm-dd.
///
/// Fails with FRANKING_STATUS_INVALID and one thing to correct when it is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_day_check(
    text: FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        parse_day(text).map_err(Fail::invalid)?;
        Ok(())
    })
}
