//! Mail addresses, lists of them, and days.

use franking_core::address::{self, parse};
use franking_core::date;

use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{Guarded, check_out, get, put_out, run_alone, run_next, value};
use crate::size::{Grows, check_sized, write_sized};
use crate::status::{Fail, More};
use crate::text::{FrankingString, FrankingText};

/// The parts of a valid address. Start from FRANKING_ADDRESS_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingAddress {
    /// sizeof(franking_address).
    pub size: usize,
    /// The match key: two addresses with the same key are the same mailbox.
    pub match_key: FrankingText,
    /// The domain in lower-case ASCII form, as blacklists name it.
    pub domain: FrankingText,
    /// The part before the @, as given.
    pub local_part: FrankingText,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingAddress {
    const FIRST: usize = 56;
}

/// Parses one mail address. White space around it is not skipped. address->size has to be set. *texts owns the match key and
/// the domain: free it with franking_string_free. The local part points into text.
///
/// Fails with FRANKING_STATUS_INVALID when the text is not a valid address. The message of the error names one thing to
/// correct.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_parse(
    text: FrankingText,
    address: *mut FrankingAddress,
    texts: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(address, "address") }?;
        check_out(texts, "texts")?;
        let parsed = parse(text).map_err(Fail::invalid)?;
        let domain = parsed.domain().into_owned();
        let own = FrankingText::new(&domain);
        let made = FrankingString::beside(parsed.match_key().into_owned(), Some(domain))?;
        let value = FrankingAddress {
            size: size_of::<FrankingAddress>(),
            // SAFETY: it was just made.
            match_key: FrankingText::new(unsafe { &*made }.text()),
            domain: own,
            local_part: FrankingText::new(parsed.local_part()),
        };
        // SAFETY: checked above.
        unsafe { write_sized(address, "address", value) }?;
        // SAFETY: checked above.
        unsafe { put_out(texts, made) }
    })
}

/// A cursor over the entries of a comma-separated list. Owned: free it with franking_address_entries_free. To be used by one
/// thread at a time.
pub struct FrankingAddressEntries(Guarded<Box<dyn Iterator<Item = Entry> + Send + Sync>>);

type Entry = (core::ops::Range<usize>, &'static str);

/// Splits a list at its commas. White space around an entry is cut off, and empty entries are skipped. The entries are not
/// checked: franking_address_parse says whether an entry is an address.
///
/// The list is not copied: it has to stay as it is until the entries are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_entries_new(
    list: FrankingText,
    entries: *mut *mut FrankingAddressEntries,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller keeps the list until the entries are freed.
        let list: &'static str = unsafe { list.read("list") }?;
        check_out(entries, "entries")?;
        let new = boxed(FrankingAddressEntries(Guarded::new(Box::new(
            address::entries(list),
        ))));
        // SAFETY: checked above.
        unsafe { put_out(entries, new) }
    })
}

/// Moves to the next entry. Writes it to *entry and, unless start is NULL, its offset in the list to *start. Returns
/// FRANKING_STATUS_END after the last entry. The text points into the list and lives as long as the list does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_address_entries_next(
    entries: *mut FrankingAddressEntries,
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
pub unsafe extern "C" fn franking_address_entries_free(entries: *mut FrankingAddressEntries) {
    // SAFETY: the caller passes NULL or entries that were not freed.
    unsafe { free(entries) };
}

/// Returns 1 if the text is a day of the calendar, written yyyy-mm-dd, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_is_day(text: FrankingText) -> u8 {
    value(0, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") };
        u8::from(text.is_ok_and(date::is_day))
    })
}
