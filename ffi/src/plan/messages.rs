//! The emails of a plan, and who gets them.

use super::{Boxed, nowhere};
use crate::arena::Arena;
use crate::call::{FrankingCall, Loan};
use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run, run_next};
use crate::numbers::{of_encoding, of_role};
use crate::size::{Grows, RowsRoom, check_sized, write_sized};
use crate::status::{More, Outcome};
use crate::text::FrankingText;
use franking_core::{Message, Recipient};

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
