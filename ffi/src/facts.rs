//! The host's facts: a row for each question, in columns.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use std::borrow::Cow;

use franking_core::{Facts, Mailers, Questions, Subscribers};

use crate::arena::Arena;
use crate::blacklists::FrankingBlacklists;
use crate::error::FrankingError;
use crate::handle::{Guarded, check_out, get, put_out, run};
use crate::memory::reserve;
use crate::numbers::domain_roles;
use crate::questions::{FEW_DOMAINS, FrankingQuestions};
use crate::rows::{FrankingMailer, FrankingSubscriber, push_mailer, push_subscriber};
use crate::size::{Grows, borrow_sized, init_sized};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingText, slice};

/// The host's answer to all questions, in columns with one row for each question, in the same order. It comes with rows
/// that belong to the library. Each of them is all 0, which means that nothing of this name exists and that no domain
/// is listed. Fill in these rows, or point to rows of your own. Rows and their texts have to live until the next
/// callback, or until franking_call_answer_facts returns. franking_facts_keep copies a text that does not live that
/// long.
///
/// If blacklists is set, domain_roles is ignored: the blacklists answer it, and they decide blacklisted of each mailer
/// and subscriber where it is 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingFacts {
    /// sizeof(franking_facts).
    pub size: usize,
    /// The stored emails.
    pub mailers: *mut FrankingMailer,
    /// How many.
    pub mailer_count: usize,
    /// Not 0: an active sender of the account.
    pub senders: *mut u8,
    /// How many.
    pub sender_count: usize,
    /// The subscribers with the ids.
    pub subscriber_ids: *mut FrankingSubscriber,
    /// How many.
    pub subscriber_id_count: usize,
    /// The subscribers with the match keys.
    pub subscribers: *mut FrankingSubscriber,
    /// How many.
    pub subscriber_count: usize,
    /// Not 0: the list exists.
    pub lists: *mut u8,
    /// How many.
    pub list_count: usize,
    /// The FRANKING_DOMAIN_ROLE bits for which each domain is on a blacklist.
    pub domain_roles: *mut u8,
    /// How many.
    pub domain_count: usize,
    /// NULL, or the blacklists that answer for domains.
    pub blacklists: *const FrankingBlacklists,
    /// Belongs to the library, for franking_facts_keep.
    pub texts: *const c_void,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingFacts {
    const FIRST: usize = 120;
}

// SAFETY: the pointers are only numbers here; code that reads through them has to know how long their targets live.
unsafe impl Send for FrankingFacts {}
// SAFETY: as above.
unsafe impl Sync for FrankingFacts {}

/// Writes FRANKING_FACTS_INIT, which has no rows. size is sizeof(franking_facts).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_init(facts: *mut FrankingFacts, size: usize) {
    // SAFETY: the caller passes NULL or a structure of that size.
    unsafe { init_sized(facts, size) };
}

/// The rows of one column. Up to `FEW` rows are inline, which is enough for most calls.
struct Rows<T, const FEW: usize> {
    few: [T; FEW],
    many: Vec<T>,
}

impl<T: Copy, const FEW: usize> Rows<T, FEW> {
    const fn new(empty: T) -> Self {
        Self {
            few: [empty; FEW],
            many: Vec::new(),
        }
    }

    /// Opens `count` rows. They do not move as long as `self` does not.
    #[inline]
    fn open(&mut self, count: usize, empty: T) -> Outcome<*mut T> {
        if count <= FEW {
            return Ok(self.few.as_mut_ptr());
        }
        let room = self.many.try_reserve_exact(count);
        room.map_err(|_| Fail::memory("the facts"))?;
        self.many.resize(count, empty);
        Ok(self.many.as_mut_ptr())
    }
}

/// Rows for the answer to a batch of questions, and the texts that it keeps.
pub(crate) struct FactsRoom {
    mailers: Rows<FrankingMailer, 1>,
    senders: Rows<u8, 1>,
    subscriber_ids: Rows<FrankingSubscriber, 1>,
    subscribers: Rows<FrankingSubscriber, 1>,
    lists: Rows<u8, 1>,
    domain_roles: Rows<u8, FEW_DOMAINS>,
    texts: Guarded<Arena>,
}

// SAFETY: the rows hold pointers that are only numbers here.
unsafe impl Send for FactsRoom {}
// SAFETY: as above.
unsafe impl Sync for FactsRoom {}

impl Default for FactsRoom {
    #[inline]
    fn default() -> Self {
        Self {
            mailers: Rows::new(FrankingMailer::NONE),
            senders: Rows::new(0),
            subscriber_ids: Rows::new(FrankingSubscriber::NONE),
            subscribers: Rows::new(FrankingSubscriber::NONE),
            lists: Rows::new(0),
            domain_roles: Rows::new(0),
            texts: Guarded::new(Arena::default()),
        }
    }
}

impl FactsRoom {
    /// Points `facts` to a row for each question. The rows do not move as long as `self` does not.
    #[inline]
    pub(crate) fn open(&mut self, asked: &FrankingQuestions, facts: &mut FrankingFacts) -> Outcome {
        let none = FrankingSubscriber::NONE;
        let mailers = &mut self.mailers;
        facts.mailers = mailers.open(asked.mailer_count, FrankingMailer::NONE)?;
        facts.mailer_count = asked.mailer_count;
        facts.senders = self.senders.open(asked.sender_count, 0)?;
        facts.sender_count = asked.sender_count;
        facts.subscriber_ids = self.subscriber_ids.open(asked.subscriber_id_count, none)?;
        facts.subscriber_id_count = asked.subscriber_id_count;
        facts.subscribers = self.subscribers.open(asked.subscriber_count, none)?;
        facts.subscriber_count = asked.subscriber_count;
        facts.lists = self.lists.open(asked.list_count, 0)?;
        facts.list_count = asked.list_count;
        facts.domain_roles = self.domain_roles.open(asked.domain_count, 0)?;
        facts.domain_count = asked.domain_count;
        facts.texts = (&raw const self.texts).cast();
        Ok(())
    }
}

/// Copies a text into the library's memory, where it lives until the facts are taken. facts has to come from a callback or
/// from franking_call_questions. If the text is absent (its data is NULL), *kept is absent, too.
///
/// Fails with FRANKING_STATUS_MISUSE when the facts have no memory of the library, and with FRANKING_STATUS_MEMORY when
/// there is not enough memory for the copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_keep(
    facts: *const FrankingFacts,
    text: FrankingText,
    kept: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        let mut room = MaybeUninit::uninit();
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let facts = unsafe { borrow_sized(facts, &mut room, "facts") }?;
        let texts: *const Guarded<Arena> = facts.texts.cast();
        check_out(kept, "kept")?;
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read_option("text") }?;
        // SAFETY: NULL, or the library's own, which lives until the facts are taken.
        let Some(texts) = (unsafe { texts.as_ref() }) else {
            return Err(Fail::misuse(
                "these facts have no memory of the library's: take those of a callback or of franking_call_questions",
            ));
        };
        let Some(text) = text else {
            // SAFETY: checked above.
            return unsafe { put_out(kept, FrankingText::NONE) };
        };
        let mut copy = String::new();
        let room = copy.try_reserve_exact(text.len());
        room.map_err(|_| Fail::memory("the text"))?;
        copy.push_str(text);
        let view = texts.write(|texts| Ok(texts.keep(Cow::Owned(copy))))?;
        // SAFETY: checked above.
        unsafe { put_out(kept, view) }
    })
}

impl FrankingFacts {
    /// Writes the columns into empty facts.
    ///
    /// # Safety
    /// The columns can be read, and their texts; the blacklists are NULL or were not freed.
    #[inline(always)]
    pub(crate) unsafe fn fill(&self, questions: &Questions<'_>, facts: &mut Facts) -> Outcome {
        // SAFETY: as demanded of the caller.
        let mailers = unsafe { slice(self.mailers, self.mailer_count, "mailers") }?;
        let column = &mut facts.mailers;
        // One row fits without an allocation.
        if mailers.len() > 1 {
            make_room_for_mailers(column, mailers)?;
        }
        for row in mailers {
            // SAFETY: as demanded of the caller.
            unsafe { push_mailer(column, row) }?;
        }
        // SAFETY: as demanded of the caller.
        let rows = unsafe {
            slice(
                self.subscriber_ids,
                self.subscriber_id_count,
                "subscriber_ids",
            )
        }?;
        // SAFETY: as demanded of the caller.
        unsafe { fill_subscribers(&mut facts.subscriber_ids, rows) }?;
        // SAFETY: as demanded of the caller.
        let rows = unsafe { slice(self.subscribers, self.subscriber_count, "subscribers") }?;
        // SAFETY: as demanded of the caller.
        unsafe { fill_subscribers(&mut facts.subscribers, rows) }?;
        // SAFETY: as demanded of the caller.
        let flags = unsafe { slice(self.senders, self.sender_count, "senders") }?;
        push_flags(&mut facts.senders, flags)?;
        // SAFETY: as demanded of the caller.
        let flags = unsafe { slice(self.lists, self.list_count, "lists") }?;
        push_flags(&mut facts.lists, flags)?;
        if !self.blacklists.is_null() {
            // SAFETY: as demanded of the caller.
            return unsafe { get(self.blacklists, "blacklists") }?.answer(questions, facts);
        }
        // SAFETY: as demanded of the caller.
        let bits = unsafe { slice(self.domain_roles, self.domain_count, "domain_roles") }?;
        reserve(&mut facts.domains, bits.len())?;
        for bits in bits {
            facts.domains.push(domain_roles(*bits)?);
        }
        Ok(())
    }
}

/// # Safety
/// The texts of the rows can be read.
#[inline(always)]
unsafe fn fill_subscribers(column: &mut Subscribers, rows: &[FrankingSubscriber]) -> Outcome {
    // One row fits without an allocation.
    if rows.len() > 1 {
        make_room_for_subscribers(column, rows)?;
    }
    for row in rows {
        // SAFETY: as demanded of the caller.
        unsafe { push_subscriber(column, row) }?;
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn make_room_for_mailers(column: &mut Mailers, rows: &[FrankingMailer]) -> Outcome {
    let sizes = rows.iter().map(FrankingMailer::text_bytes);
    Ok(column.try_reserve(rows.len(), sizes.fold(0, usize::saturating_add))?)
}

#[cold]
#[inline(never)]
fn make_room_for_subscribers(column: &mut Subscribers, rows: &[FrankingSubscriber]) -> Outcome {
    let sizes = rows.iter().map(FrankingSubscriber::email_bytes);
    Ok(column.try_reserve(rows.len(), sizes.fold(0, usize::saturating_add))?)
}

#[inline]
fn push_flags(column: &mut Vec<bool>, flags: &[u8]) -> Outcome {
    reserve(column, flags.len())?;
    column.extend(flags.iter().map(|flag| *flag != 0));
    Ok(())
}
