//! Lists of texts that the caller owns.

use franking_core::html::SortedHosts;

use crate::guard::{boxed, free};
use crate::status::{Fail, Outcome};
use crate::text::FrankingText;

/// A list of texts that the caller owns: free it with franking_strings_free. It never changes, so it may be shared between
/// threads.
pub struct FrankingStrings {
    /// Owns the texts of the views.
    _shown: Shown,
    views: Vec<FrankingText>,
}

#[expect(dead_code, reason = "owns the texts of the views")]
enum Shown {
    Texts(Vec<String>),
    Hosts(SortedHosts),
}

impl FrankingStrings {
    pub(crate) fn new(texts: Vec<String>) -> *mut Self {
        let views = texts.iter().map(|text| FrankingText::new(text)).collect();
        boxed(Self {
            _shown: Shown::Texts(texts),
            views,
        })
    }

    /// The hosts of an HTML text, sorted. Only the length of the text bounds their number, so the allocation may fail.
    pub(crate) fn of_hosts(hosts: SortedHosts) -> Outcome<*mut Self> {
        let mut views = Vec::new();
        let room = views.try_reserve_exact(hosts.len());
        room.map_err(|_| Fail::memory("the hosts"))?;
        views.extend(
            (0..hosts.len())
                .filter_map(|index| hosts.get(index))
                .map(FrankingText::new),
        );
        Ok(boxed(Self {
            _shown: Shown::Hosts(hosts),
            views,
        }))
    }
}

/// Returns the array of the texts, and NULL when there are none. Unless count is NULL, writes their number to *count. The
/// texts live until the strings are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_strings_texts(
    strings: *const FrankingStrings,
    count: *mut usize,
) -> *const FrankingText {
    // SAFETY: the caller passes NULL or strings that were not freed.
    let strings = unsafe { strings.as_ref() };
    let views = strings.map_or(&[][..], |strings| &strings.views);
    if !count.is_null() {
        // SAFETY: the caller passes NULL or a place for a number.
        unsafe { count.write(views.len()) };
    }
    if views.is_empty() {
        return core::ptr::null();
    }
    views.as_ptr()
}

/// Frees strings. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_strings_free(strings: *mut FrankingStrings) {
    // SAFETY: the caller passes NULL or strings that were not freed.
    unsafe { free(strings) };
}
