//! What the host is to do: cursors over the parts of a plan.
//!
//! A plan can be read at FRANKING_STEP_COMMIT, and at FRANKING_STEP_DONE of a call that was accepted.

use std::borrow::Cow;

use franking_core::{Collapsed, Message, NewSubscriber, Recipient, Update};

use crate::call::{FrankingCall, Loan};
use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run, run_next};
use crate::numbers::{of_encoding, of_role};
use crate::size::{Grows, RowsRoom, check_sized, put, write_sized};
use crate::status::{Fail, More, Outcome};
use crate::text::{Arena, FrankingSpan, FrankingString, FrankingText, room};

type Boxed<T> = Box<dyn Iterator<Item = T> + Send + Sync>;

/// The credits that a plan costs. Start from FRANKING_DEBIT_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingDebit {
    /// sizeof(franking_debit).
    pub size: usize,
    /// Email credit: one for each email.
    pub email: u64,
    /// Subscriber credit: one for each subscriber that is created.
    pub subscriber: u64,
}

// SAFETY: repr(C), 3 * 8 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingDebit {
    const FIRST: usize = 24;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        email: 0,
        subscriber: 0,
    };
}

/// What the plan costs, which is also how many emails it sends and how many subscribers it creates. debit->size has to be
/// set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_debit(
    call: *mut FrankingCall,
    debit: *mut FrankingDebit,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        call.state.read(|state| {
            let cost = state.plan()?.debit();
            let value = FrankingDebit {
                size: size_of::<FrankingDebit>(),
                email: cost.email,
                subscriber: cost.subscriber,
            };
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized(debit, "debit", value) }
        })
    })
}

/// The JSON form of the plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_plan_json(
    call: *mut FrankingCall,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(json, "json")?;
        let text = call.state.read(|state| Ok(state.plan()?.to_json()))?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(text)) }
    })
}

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
    /// The name of the list to put the subscriber into.
    pub list: FrankingText,
}

// SAFETY: repr(C), 8 + 2 * 16 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingNewSubscriber {
    const FIRST: usize = 40;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        email: FrankingText::NONE,
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

fn nowhere() -> Fail {
    Fail::misuse("the cursor is at nothing: move it first, and ask nothing behind the end")
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

/// An email's content and sender. Start from FRANKING_MESSAGE_INIT. Texts live until the cursor moves on to another message
/// or is freed, or the call is answered or freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingMessage {
    /// sizeof(franking_message).
    pub size: usize,
    /// The position in requests, from 0; -1 on sendMailer.
    pub request: i64,
    /// The id of the stored email to send; 0 on httpSendMail.
    pub mailer: u64,
    /// The subject; data NULL on sendMailer, whose stored email has one.
    pub subject: FrankingText,
    /// The effective sender address.
    pub from: FrankingText,
    /// The effective sender name; data NULL: none.
    pub from_name: FrankingText,
    /// The reply address; data NULL: none.
    pub reply_to: FrankingText,
    /// The caller's text for its own tracking; data NULL: none.
    pub custom_field: FrankingText,
    /// How the HTML was sent: one of FRANKING_ENCODING; 0 on sendMailer.
    pub encoding: i32,
    /// Not 0: opens are to be tracked.
    pub track_opens: u8,
    /// Not 0: clicks are to be tracked.
    pub track_clicks: u8,
    /// 0.
    pub reserved: [u8; 2],
}

// SAFETY: repr(C), 3 * 8 + 5 * 16 + 4 + 4 * 1 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingMessage {
    const FIRST: usize = 112;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        request: -1,
        mailer: 0,
        subject: FrankingText::NONE,
        from: FrankingText::NONE,
        from_name: FrankingText::NONE,
        reply_to: FrankingText::NONE,
        custom_field: FrankingText::NONE,
        encoding: 0,
        track_opens: 0,
        track_clicks: 0,
        reserved: [0; 2],
    };
}

/// Who gets an email: one row of a message's recipients. Texts live as the message's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingRecipient {
    /// The address to send to.
    pub to: FrankingText,
    /// The id of the subscriber with this address; 0: the plan creates it.
    pub subscriber: u64,
    /// The list in which the address first stands: one of FRANKING_RECIPIENT; 0 on sendMailer.
    pub role: i32,
    /// 0.
    pub reserved: i32,
}

// SAFETY: repr(C), 16 + 8 + 2 * 4 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingRecipient {
    const FIRST: usize = 32;
    const EMPTY: Self = Self {
        to: FrankingText::NONE,
        subscriber: 0,
        role: 0,
        reserved: 0,
    };
}

/// The messages of a plan, one after the other, each with its recipients. Owned: free it with franking_messages_free. To be
/// used by one thread at a time.
pub struct FrankingMessages(Guarded<Messages>);

struct Messages {
    rest: Boxed<Message<'static>>,
    current: Option<Message<'static>>,
    recipients: Option<Boxed<Recipient<'static>>>,
    html: Option<FrankingText>,
    texts: Arena,
    loan: Loan,
}

impl Messages {
    fn next(&mut self) -> Outcome<Option<FrankingMessage>> {
        let Self {
            rest,
            current,
            recipients,
            html,
            texts,
            loan,
        } = self;
        loan.with(|| {
            *recipients = None;
            *html = None;
            texts.clear();
            *current = rest.next();
            let Some(message) = current else {
                return Ok(None);
            };
            Ok(Some(FrankingMessage {
                size: size_of::<FrankingMessage>(),
                request: message.request().map_or(-1, i64::from),
                mailer: message.mailer().unwrap_or_default(),
                subject: texts.keep_option(message.subject()),
                from: texts.keep(message.from()),
                from_name: texts.keep_option(message.from_name()),
                reply_to: texts.keep_option(message.reply_to()),
                custom_field: texts.keep_option(message.custom_field()),
                encoding: message.encoding().map_or(0, of_encoding),
                track_opens: u8::from(message.track_opens()),
                track_clicks: u8::from(message.track_clicks()),
                reserved: [0; 2],
            }))
        })
    }

    fn html(&mut self) -> Outcome<FrankingText> {
        let Self {
            current,
            html,
            texts,
            loan,
            ..
        } = self;
        loan.with(|| {
            let message = current.as_ref().ok_or_else(nowhere)?;
            Ok(*html.get_or_insert_with(|| texts.keep_option(message.html())))
        })
    }
}

/// The messages, one for each request; each of its recipients gets an email of its own. Owned: free it with
/// franking_messages_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_messages(
    call: *mut FrankingCall,
    messages: *mut *mut FrankingMessages,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(messages, "messages")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (rest, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.plan()?.messages()) as Boxed<_>)
            })
        }?;
        let cursor = FrankingMessages(Guarded::new(Messages {
            rest,
            current: None,
            recipients: None,
            html: None,
            texts: Arena::default(),
            loan,
        }));
        // SAFETY: checked above.
        unsafe { put_out(messages, boxed(cursor)) }
    })
}

/// Moves to the next message. FRANKING_STATUS_END when there is none. message->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_messages_next(
    messages: *mut FrankingMessages,
    message: *mut FrankingMessage,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let messages = unsafe { get(messages, "messages") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(message, "message") }?;
        let Some(next) = messages.0.write(Messages::next)? else {
            return Ok(More::No);
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(message, "message", next) }?;
        Ok(More::Yes)
    })
}

/// The HTML of the message at which the cursor is, decoded: exactly what was checked and is to be delivered. data NULL on
/// sendMailer. It is decoded when it is first asked for. Lives as the message's texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_messages_html(
    messages: *mut FrankingMessages,
    html: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let messages = unsafe { get(messages, "messages") }?;
        check_out(html, "html")?;
        let text = messages.0.write(Messages::html)?;
        // SAFETY: checked above.
        unsafe { put_out(html, text) }
    })
}

/// Further recipients of the message at which the cursor is, in order of to, cc and bcc, up to capacity rows of row_size,
/// sizeof(franking_recipient). *count is how many were written, 0 behind the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_messages_recipients(
    messages: *mut FrankingMessages,
    rows: *mut FrankingRecipient,
    capacity: usize,
    row_size: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let messages = unsafe { get(messages, "messages") }?;
        let mut room = RowsRoom::new(rows, capacity, row_size, "rows")?;
        check_out(count, "count")?;
        messages.0.write(|own| {
            own.loan.with(|| {
                let message = own.current.as_ref().ok_or_else(nowhere)?;
                let rest = own
                    .recipients
                    .get_or_insert_with(|| Box::new(message.recipients()));
                while !room.is_full() {
                    let Some(recipient) = rest.next() else {
                        break;
                    };
                    let row = FrankingRecipient {
                        to: own.texts.keep(recipient.to()),
                        subscriber: recipient.subscriber().unwrap_or_default(),
                        role: recipient.role().map_or(0, of_role),
                        reserved: 0,
                    };
                    // SAFETY: the caller passes room for as many rows as it says.
                    unsafe { room.push(row) };
                }
                Ok(())
            })
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, room.written()) }
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_messages_free(messages: *mut FrankingMessages) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(messages) };
}

/// A repeated address that is left out. Start from FRANKING_COLLAPSED_INIT. Texts live until the cursor moves on or is freed,
/// or the call is answered or freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingCollapsed {
    /// sizeof(franking_collapsed).
    pub size: usize,
    /// The position in requests, from 0.
    pub request: i64,
    /// The list in which the repetition stands, as a JSON Pointer (RFC 6901).
    pub pointer: FrankingText,
    /// The bytes of the entry in the body.
    pub span: FrankingSpan,
    /// The address as sent, without white space around it.
    pub to: FrankingText,
}

// SAFETY: repr(C), 2 * 8 + 3 * 16 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingCollapsed {
    const FIRST: usize = 64;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        request: 0,
        pointer: FrankingText::NONE,
        span: FrankingSpan { start: 0, end: 0 },
        to: FrankingText::NONE,
    };
}

/// The repeated addresses that a plan leaves out, one after the other. Owned: free it with franking_collapsed_list_free. To
/// be used by one thread at a time.
pub struct FrankingCollapsedList(Guarded<CollapsedList>);

struct CollapsedList {
    rest: Boxed<Collapsed<'static>>,
    texts: Arena,
    loan: Loan,
}

/// The repeated addresses that are left out, in order of requests, then of to, cc and bcc. Owned: free it with
/// franking_collapsed_list_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_collapsed(
    call: *mut FrankingCall,
    collapsed: *mut *mut FrankingCollapsedList,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(collapsed, "collapsed")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (rest, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.plan()?.collapsed()) as Boxed<_>)
            })
        }?;
        let cursor = FrankingCollapsedList(Guarded::new(CollapsedList {
            rest,
            texts: Arena::default(),
            loan,
        }));
        // SAFETY: checked above.
        unsafe { put_out(collapsed, boxed(cursor)) }
    })
}

/// Moves to the next repetition. FRANKING_STATUS_END when there is none. entry->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_collapsed_list_next(
    collapsed: *mut FrankingCollapsedList,
    entry: *mut FrankingCollapsed,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let collapsed = unsafe { get(collapsed, "collapsed") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(entry, "entry") }?;
        let next = collapsed.0.write(|own| {
            own.loan.with(|| {
                own.texts.clear();
                Ok(own.rest.next().map(|next| FrankingCollapsed {
                    size: size_of::<FrankingCollapsed>(),
                    request: i64::from(next.request()),
                    pointer: own.texts.keep(Cow::Owned(next.pointer())),
                    span: FrankingSpan::from(next.span()),
                    to: own.texts.keep(next.to()),
                }))
            })
        })?;
        let Some(next) = next else {
            return Ok(More::No);
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(entry, "entry", next) }?;
        Ok(More::Yes)
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_collapsed_list_free(collapsed: *mut FrankingCollapsedList) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(collapsed) };
}
