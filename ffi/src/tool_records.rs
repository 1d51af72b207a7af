//! Records as structures of C. Generated from core/src/record.rs by `cargo run -p franking-tools -- header`: do not edit.

use crate::size::Grows;
use crate::text::{FrankingSpan, FrankingText};

/// A URL in HTML that a mail reader would follow, load or turn into a link. Start from FRANKING_LINK_INIT. Texts live
/// until the cursor moves on or is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingLink {
    /// sizeof(franking_link).
    pub size: usize,
    /// The place in the HTML, in words for people, such as href of <a>.
    pub place: FrankingText,
    /// The URL, with character references and escapes of CSS resolved.
    pub url: FrankingText,
    /// The bytes of the HTML in which it is written.
    pub span: FrankingSpan,
    /// The hosts to judge the link by. A relative URL and a scheme without hosts have none; a mailto URL can have
    /// several.
    pub hosts: *const FrankingText,
    /// How many.
    pub host_count: usize,
    /// Not 0: at least one browser can read it.
    pub readable: u8,
    /// Not 0: it is in a conditional comment, which only some mail readers read.
    pub in_conditional_comment: u8,
    /// 0.
    pub reserved: [u8; 6],
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingLink {
    const FIRST: usize = 80;
}

/// Something that happened to an email, to its reader or to a webhook, as the service reports it. It can come more than
/// once, and in any order. Start from FRANKING_NOTICE_INIT. Texts live until the string that owns them is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingNotice {
    /// sizeof(franking_notice).
    pub size: usize,
    /// The number of the event. Ignore an event whose number you have seen before: it is a repetition.
    pub id: u64,
    /// What happened. One of FRANKING_EVENT_TYPE. 0: it is of a type that this version of the library does not know.
    pub event_type: i32,
    /// The interface's code for it (section 6). 0: it has none.
    pub code: i32,
    /// The name of its type.
    pub type_name: FrankingText,
    /// When it happened, in UTC (RFC 3339). data NULL: the time is not known.
    pub timestamp: FrankingText,
    /// The transactionId that the call was answered with. 0: it is not about a call, or the call is no longer stored.
    pub transaction_id: u64,
    /// The customField of the call. data NULL: the call had none, or is no longer stored.
    pub custom_field: FrankingText,
    /// The recipient's address. data NULL: it is not stored.
    pub recipient: FrankingText,
    /// The enhanced status code (RFC 3463). data NULL: there is none.
    pub status: FrankingText,
    /// The reason, in the words of a mail server, a report, the operator or the service. data NULL: the reason is not
    /// known.
    pub reason: FrankingText,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingNotice {
    const FIRST: usize = 128;
}
