//! Events of the service, as a client reads them.

use franking_core::Notice;

use crate::error::FrankingError;
use crate::handle::{check_out, put_out, run_alone};
use crate::size::{check_sized, write_sized};
use crate::status::Fail;
use crate::text::{FrankingString, FrankingText};
use crate::tool_records::FrankingNotice;

/// Reads an event: the body of a webhook that was verified, or one of the events of GET /events. Numbers may be JSON texts
/// or JSON numbers. Unknown members are ignored. notice->size has to be set. *texts owns the texts of the notice: free it
/// with franking_string_free.
///
/// Fails with FRANKING_STATUS_INVALID when the text is not an event; the message of the error says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_notice_read(
    text: FrankingText,
    notice: *mut FrankingNotice,
    texts: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(notice, "notice") }?;
        check_out(texts, "texts")?;
        let read = Notice::read(text).map_err(Fail::invalid)?;
        let parts = [
            Some(read.type_name.as_str()),
            read.timestamp.as_deref(),
            read.custom_field.as_deref(),
            read.recipient.as_deref(),
            read.status.as_deref(),
            read.reason.as_deref(),
        ];
        let all: String = parts.iter().flatten().copied().collect();
        let made = FrankingString::new(all)?;
        // SAFETY: just made.
        let mut rest = unsafe { made.as_ref() }.map_or("", FrankingString::text);
        let [
            type_name,
            timestamp,
            custom_field,
            recipient,
            status,
            reason,
        ] = parts.map(|part| {
            // The parts follow each other in the string.
            let own = part.and_then(|part| {
                let (own, after) = rest.split_at_checked(part.len())?;
                rest = after;
                Some(own)
            });
            FrankingText::from_option(own)
        });
        let number = |number: Option<u16>| number.map_or(0, i32::from);
        let value = FrankingNotice {
            size: size_of::<FrankingNotice>(),
            id: read.id,
            event_type: number(read.event_type().map(franking_core::EventType::number)),
            code: number(read.code.map(franking_core::Code::number)),
            type_name,
            timestamp,
            transaction_id: read.transaction_id.unwrap_or_default(),
            custom_field,
            recipient,
            status,
            reason,
        };
        // SAFETY: checked above.
        unsafe { write_sized(notice, "notice", value) }?;
        // SAFETY: checked above.
        unsafe { put_out(texts, made) }
    })
}
