//! Records as structures of C. Generated from core/src/record.rs by `cargo run -p franking-tools -- header`: do not edit.

use crate::size::Grows;
use crate::text::{FrankingSpan, FrankingText};

/// A rule broken at one place. Start from FRANKING_VIOLATION_INIT. Texts live until the cursor moves on or is freed, or
/// the call is answered or freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingViolation {
    /// sizeof(franking_violation).
    pub size: usize,
    /// The rule that is broken. One of FRANKING_RULE.
    pub rule: i32,
    /// The code that the rule has on the operation.
    pub code: i32,
    /// The position in requests, from 0. Only if has_request.
    pub request: u64,
    /// The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. data NULL: it has no place in the
    /// body.
    pub pointer: FrankingText,
    /// The bytes of the body that it is about. Only if has_span.
    pub span: FrankingSpan,
    /// What to do about it, in whole sentences.
    pub remedy: FrankingText,
    /// 0: it is about the whole call, or the operation is sendMailer.
    pub has_request: u8,
    /// 0: it has no place in the body.
    pub has_span: u8,
    /// 0.
    pub reserved: [u8; 6],
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingViolation {
    const FIRST: usize = 80;
}

/// Something that does not change the code, but was probably not meant. Start from FRANKING_WARNING_INIT. Texts live
/// until the cursor moves on or is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingWarning {
    /// sizeof(franking_warning).
    pub size: usize,
    /// The kind of the warning. One of FRANKING_WARNING.
    pub kind: i32,
    /// 0: it has no place in the body.
    pub has_span: u8,
    /// 0.
    pub reserved: [u8; 3],
    /// The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. data NULL: it has no place in the
    /// body.
    pub pointer: FrankingText,
    /// The bytes of the body that it is about. Only if has_span.
    pub span: FrankingSpan,
    /// The detail: the field that was probably meant, or the URL that cannot be read. It is the caller's own text. data
    /// NULL: there is none.
    pub detail: FrankingText,
    /// One sentence for people, with the detail.
    pub message: FrankingText,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingWarning {
    const FIRST: usize = 80;
}

/// The decision about a call. Start from FRANKING_DECISION_INIT. Texts live until the call is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingDecision {
    /// sizeof(franking_decision).
    pub size: usize,
    /// The operation that was called. One of FRANKING_OPERATION.
    pub operation: i32,
    /// The one code that answers the call. 0: the call ended without a code.
    pub code: i32,
    /// The rule that gives the code. One of FRANKING_RULE. 0: accepted, or the call ended without a code.
    pub rule: i32,
    /// The reason why the call ended without a code. One of FRANKING_FAILURE. 0: the call has a code.
    pub failure: i32,
    /// The number by which the host identifies the accepted call. 0: it was not accepted.
    pub transaction_id: u64,
    /// The position in requests at which the rule is broken, from 0. Only if has_request.
    pub request: u64,
    /// The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body. data NULL: it has no place in the
    /// body.
    pub pointer: FrankingText,
    /// The bytes of the body that it is about. Only if has_span.
    pub span: FrankingSpan,
    /// The body of the response. data NULL: the call ended without a code.
    pub response: FrankingText,
    /// How often the account was looked up.
    pub asked_account: u64,
    /// How often facts were looked up.
    pub asked_facts: u64,
    /// How many plans were handed out or answered, each counted once.
    pub asked_commits: u64,
    /// Not 0: the call was accepted and its plan carried out.
    pub accepted: u8,
    /// 0: the rule is not broken at a request.
    pub has_request: u8,
    /// 0: it has no place in the body.
    pub has_span: u8,
    /// 0.
    pub reserved: [u8; 5],
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingDecision {
    const FIRST: usize = 120;
}

/// A link in the HTML of a call that leads to a blacklisted domain. Start from FRANKING_BLACKLISTED_LINK_INIT. Texts
/// live until the call is freed. If the data of url is NULL, the decision is not about a link.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingBlacklistedLink {
    /// sizeof(franking_blacklisted_link).
    pub size: usize,
    /// The position in requests, from 0.
    pub request: u64,
    /// The place in the HTML, in words for people, such as href of <a>.
    pub place: FrankingText,
    /// The URL as written, with character references and escapes of CSS resolved.
    pub url: FrankingText,
    /// The bytes of the decoded HTML in which it is written.
    pub span: FrankingSpan,
    /// The domain on the blacklist: the link's host, or a parent of it.
    pub domain: FrankingText,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingBlacklistedLink {
    const FIRST: usize = 80;
}

/// A rule and the result of judging it. One row of franking_call_explanation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingExplained {
    /// The rule. One of FRANKING_RULE.
    pub rule: i32,
    /// The rule's code on the call's operation.
    pub code: i32,
    /// The result. One of FRANKING_JUDGEMENT.
    pub judgement: i32,
    /// 0.
    pub reserved: i32,
}

/// A field of personalization. The name lives forever.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingField {
    /// Its name in the interface, such as firstName.
    pub name: FrankingText,
    /// The value. In an update, an empty value clears the field.
    pub value: FrankingText,
}

/// A subscriber to create.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingNewSubscriber {
    /// The address as sent, without white space around it. It can have any length.
    pub email: FrankingText,
    /// The match key of the address, by which the subscriber was asked about. It has at most 286 bytes. Store it beside
    /// the address.
    pub match_key: FrankingText,
    /// The name of the list to put the subscriber into.
    pub list: FrankingText,
    /// The personalization to store, in the interface's order.
    pub fields: *const FrankingField,
    /// How many.
    pub field_count: usize,
}

/// A subscriber whose stored personalization is overwritten, field by field.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingUpdate {
    /// The subscriber's id.
    pub id: u64,
    /// The fields to overwrite, in the interface's order.
    pub fields: *const FrankingField,
    /// How many.
    pub field_count: usize,
}

/// A recipient of an email.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingRecipient {
    /// The address to send to.
    pub to: FrankingText,
    /// The id of the subscriber with this address. 0: the plan creates the subscriber.
    pub subscriber: u64,
    /// The address list in which the address appears first. One of FRANKING_RECIPIENT_ROLE. 0: on sendMailer.
    pub role: i32,
    /// 0.
    pub reserved: i32,
}

/// An email's content and sender. Each of its recipients gets an email of its own. Its HTML comes from
/// franking_call_html.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingMessage {
    /// The id of the stored email to send. 0: on httpSendMail, whose messages have HTML.
    pub mailer: u64,
    /// The position in requests, from 0. Only if has_request.
    pub request: u64,
    /// The subject. data NULL: on sendMailer, whose stored email has one.
    pub subject: FrankingText,
    /// The effective sender address.
    pub from: FrankingText,
    /// The effective sender name. data NULL: there is none.
    pub from_name: FrankingText,
    /// The reply address. data NULL: there is none.
    pub reply_to: FrankingText,
    /// The caller's text for its own tracking. data NULL: there is none.
    pub custom_field: FrankingText,
    /// The recipients, in order of to, cc and bcc.
    pub recipients: *const FrankingRecipient,
    /// How many.
    pub recipient_count: usize,
    /// The size of each, by which franking_recipient_at finds it.
    pub recipient_size: usize,
    /// How the HTML was sent. One of FRANKING_ENCODING. 0: on sendMailer.
    pub encoding: i32,
    /// Not 0: opens are to be tracked.
    pub track_opens: u8,
    /// Not 0: clicks are to be tracked.
    pub track_clicks: u8,
    /// 0: on sendMailer.
    pub has_request: u8,
    /// 0.
    pub reserved: u8,
}

/// A repeated address that is left out.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingCollapsed {
    /// The position in requests, from 0.
    pub request: u64,
    /// The address list in which the repetition is, as a JSON Pointer (RFC 6901).
    pub pointer: FrankingText,
    /// The bytes of the repetition in the body.
    pub span: FrankingSpan,
    /// The address as sent, without white space around it.
    pub to: FrankingText,
}

/// The credits that a plan costs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingDebit {
    /// Email credit: one for each email.
    pub email: u64,
    /// Subscriber credit: one for each subscriber that is created.
    pub subscriber: u64,
}
