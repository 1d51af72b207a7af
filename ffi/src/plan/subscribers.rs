//! The subscribers of a plan: those to create, to update, and to add to a list.

use super::{Boxed, nowhere};
use crate::arena::Arena;
use crate::call::{FrankingCall, Loan};
use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run, run_next};
use crate::size::{Grows, RowsRoom, check_sized, put, write_sized};
use crate::status::More;
use crate::text::{FrankingText, room};
use franking_core::{NewSubscriber, Update};
use std::borrow::Cow;

/// A field of personalization, by its name in the interface: one row of a subscriber's fields.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingField {
    /// The name, such as firstName. Lives forever.
    pub name: FrankingText,
    /// The value; of an update, an empty one clears the field.
    pub value: FrankingText,
}

// SAFETY: repr(C), 2 * 16 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingField {
    const FIRST: usize = 32;
    const EMPTY: Self = Self {
        name: FrankingText::NONE,
        value: FrankingText::NONE,
    };
}

type Fields = Boxed<(&'static str, Cow<'static, str>)>;

/// Writes fields into the caller's room and keeps their texts.
///
/// # Safety
/// The room is the caller's.
unsafe fn write_fields(fields: &mut Fields, texts: &mut Arena, room: &mut RowsRoom<FrankingField>) {
    while !room.is_full() {
        let Some((name, value)) = fields.next() else {
            break;
        };
        let row = FrankingField {
            name: FrankingText::new(name),
            value: texts.keep(value),
        };
        // SAFETY: as demanded of the caller.
        unsafe { room.push(row) };
    }
}

/// A subscriber to create. Start from FRANKING_NEW_SUBSCRIBER_INIT. Texts live until the cursor moves on or is freed, or
/// the call is answered or freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingNewSubscriber {
    /// sizeof(franking_new_subscriber).
    pub size: usize,
    /// The address, as sent, without white space around it.
    pub email: FrankingText,
    /// The match key of the address, by which the subscriber was asked about: store it beside the address.
    pub match_key: FrankingText,
    /// The name of the list to put the subscriber into.
    pub list: FrankingText,
}

// SAFETY: repr(C), 8 + 3 * 16 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingNewSubscriber {
    const FIRST: usize = 56;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        email: FrankingText::NONE,
        match_key: FrankingText::NONE,
        list: FrankingText::NONE,
    };
}

/// The subscribers to create, one after the other. Owned: free it with franking_new_subscribers_free. To be used by one
/// thread at a time.
pub struct FrankingNewSubscribers(Guarded<NewSubscribers>);

struct NewSubscribers {
    rest: Boxed<NewSubscriber<'static>>,
    current: Option<NewSubscriber<'static>>,
    fields: Option<Fields>,
    texts: Arena,
    loan: Loan,
}

/// The subscribers to create, in order of first use. Owned: free it with franking_new_subscribers_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_new_subscribers(
    call: *mut FrankingCall,
    subscribers: *mut *mut FrankingNewSubscribers,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(subscribers, "subscribers")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (rest, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.plan()?.create()) as Boxed<_>)
            })
        }?;
        let cursor = FrankingNewSubscribers(Guarded::new(NewSubscribers {
            rest,
            current: None,
            fields: None,
            texts: Arena::default(),
            loan,
        }));
        // SAFETY: checked above.
        unsafe { put_out(subscribers, boxed(cursor)) }
    })
}

/// Moves to the next subscriber. FRANKING_STATUS_END when there is none. subscriber->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_new_subscribers_next(
    subscribers: *mut FrankingNewSubscribers,
    subscriber: *mut FrankingNewSubscriber,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let subscribers = unsafe { get(subscribers, "subscribers") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(subscriber, "subscriber") }?;
        let next = subscribers.0.write(|own| {
            own.loan.with(|| {
                own.fields = None;
                own.texts.clear();
                own.current = own.rest.next();
                Ok(own.current.as_ref().map(|current| FrankingNewSubscriber {
                    size: size_of::<FrankingNewSubscriber>(),
                    email: own.texts.keep(current.email()),
                    match_key: own.texts.keep(current.match_key()),
                    list: own.texts.keep(current.list()),
                }))
            })
        })?;
        let Some(next) = next else {
            return Ok(More::No);
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(subscriber, "subscriber", next) }?;
        Ok(More::Yes)
    })
}

/// Further fields of the personalization that was sent for the subscriber at which the cursor is, in the interface's order,
/// up to capacity rows of row_size, sizeof(franking_field). *count is how many were written, 0 behind the last. Texts live
/// as the subscriber's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_new_subscribers_fields(
    subscribers: *mut FrankingNewSubscribers,
    rows: *mut FrankingField,
    capacity: usize,
    row_size: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let subscribers = unsafe { get(subscribers, "subscribers") }?;
        let mut room = RowsRoom::new(rows, capacity, row_size, "rows")?;
        check_out(count, "count")?;
        subscribers.0.write(|own| {
            own.loan.with(|| {
                let current = own.current.as_ref().ok_or_else(nowhere)?;
                let fields = own.fields.get_or_insert_with(|| Box::new(current.fields()));
                // SAFETY: the caller passes room for as many rows as it says.
                unsafe { write_fields(fields, &mut own.texts, &mut room) };
                Ok(())
            })
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, room.written()) }
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_new_subscribers_free(subscribers: *mut FrankingNewSubscribers) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(subscribers) };
}

/// The subscribers whose personalization is overwritten, one after the other. Owned: free it with franking_updates_free. To
/// be used by one thread at a time.
pub struct FrankingUpdates(Guarded<Updates>);

struct Updates {
    rest: Boxed<Update<'static>>,
    current: Option<Update<'static>>,
    fields: Option<Fields>,
    texts: Arena,
    loan: Loan,
}

/// The subscribers whose stored personalization is overwritten, field by field, with what was sent. Owned: free it with
/// franking_updates_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_updates(
    call: *mut FrankingCall,
    updates: *mut *mut FrankingUpdates,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(updates, "updates")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (rest, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.plan()?.update()) as Boxed<_>)
            })
        }?;
        let cursor = FrankingUpdates(Guarded::new(Updates {
            rest,
            current: None,
            fields: None,
            texts: Arena::default(),
            loan,
        }));
        // SAFETY: checked above.
        unsafe { put_out(updates, boxed(cursor)) }
    })
}

/// Moves to the next subscriber and writes its id. FRANKING_STATUS_END when there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_updates_next(
    updates: *mut FrankingUpdates,
    id: *mut u64,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let updates = unsafe { get(updates, "updates") }?;
        check_out(id, "id")?;
        let next = updates.0.write(|own| {
            own.loan.with(|| {
                own.fields = None;
                own.texts.clear();
                own.current = own.rest.next();
                Ok(own.current.as_ref().map(Update::id))
            })
        })?;
        let Some(next) = next else {
            return Ok(More::No);
        };
        // SAFETY: checked above.
        unsafe { put_out(id, next) }?;
        Ok(More::Yes)
    })
}

/// Further fields to overwrite of the subscriber at which the cursor is, in the interface's order, up to capacity rows of
/// row_size, sizeof(franking_field). *count is how many were written, 0 behind the last. Texts live until the cursor moves
/// on or is freed, or the call is answered or freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_updates_fields(
    updates: *mut FrankingUpdates,
    rows: *mut FrankingField,
    capacity: usize,
    row_size: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let updates = unsafe { get(updates, "updates") }?;
        let mut room = RowsRoom::new(rows, capacity, row_size, "rows")?;
        check_out(count, "count")?;
        updates.0.write(|own| {
            own.loan.with(|| {
                let current = own.current.as_ref().ok_or_else(nowhere)?;
                let fields = own.fields.get_or_insert_with(|| Box::new(current.fields()));
                // SAFETY: the caller passes room for as many rows as it says.
                unsafe { write_fields(fields, &mut own.texts, &mut room) };
                Ok(())
            })
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, room.written()) }
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_updates_free(updates: *mut FrankingUpdates) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(updates) };
}

/// The existing subscribers to add to the list API_EMAILS. Owned: free it with franking_enlistments_free. To be used by one
/// thread at a time.
pub struct FrankingEnlistments(Guarded<Enlistments>);

struct Enlistments {
    rest: Boxed<u64>,
    loan: Loan,
}

/// The ids of existing subscribers to add to the list API_EMAILS (FRANKING_API_LIST), those that are in it already included,
/// in order of first use. Owned: free it with franking_enlistments_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_enlistments(
    call: *mut FrankingCall,
    enlistments: *mut *mut FrankingEnlistments,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(enlistments, "enlistments")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (rest, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.plan()?.enlist()) as Boxed<_>)
            })
        }?;
        let cursor = FrankingEnlistments(Guarded::new(Enlistments { rest, loan }));
        // SAFETY: checked above.
        unsafe { put_out(enlistments, boxed(cursor)) }
    })
}

/// The next ids, up to capacity of them. *count is how many were written, 0 behind the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_enlistments_next(
    enlistments: *mut FrankingEnlistments,
    ids: *mut u64,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let enlistments = unsafe { get(enlistments, "enlistments") }?;
        // SAFETY: the caller passes room for as many ids as it says.
        let ids = unsafe { room(ids, capacity, "ids") }?;
        check_out(count, "count")?;
        let written = enlistments.0.write(|own| {
            own.loan.with(|| {
                let mut written = 0_usize;
                for id in own.rest.by_ref().take(capacity) {
                    put(ids, written, id);
                    written = written.saturating_add(1);
                }
                Ok(written)
            })
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, written) }
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_enlistments_free(enlistments: *mut FrankingEnlistments) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(enlistments) };
}
