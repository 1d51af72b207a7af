//! Events about accepted calls, as the service posts them to a webhook and as `GET /events` returns them.

use alloc::string::String;

use serde_json::Value;

use crate::code::Code;
use crate::debug::debug_shows;
use crate::outcome::Event;
use crate::wire::response::{code, digits, optional, transaction_id};
use crate::word::words;

words! {
    #[derive(PartialOrd, Ord)]
    enum EventType "What happened to an email, to its reader or to a webhook, as the service tells it."
    1 Delivered "delivered" "The mail server took the email over."
    2 Bounced "bounced" "The email could not be delivered."
    3 NotBounced "not_bounced" "A bounce that was told is undone: the email did not bounce."
    4 Opened "opened" "The reader opened the email."
    5 Clicked "clicked" "The reader followed a link in the email."
    6 Complained "complained" "The reader reported the email as abuse."
    7 NotComplained "not_complained" "A complaint that was told is undone."
    8 Unsubscribed "unsubscribed" "The reader has unsubscribed by the service's own link."
    9 Resubscribed "resubscribed" "The operator has lifted what the reader had unsubscribed from."
    10 Suppressed "suppressed" "The subscriber has become INACTIVE because of what was reported."
    11 Lifted "lifted" "The operator has made a suppressed subscriber active again."
    12 WebhookDisabled "webhook_disabled" "A webhook of the account is posted to no more, because its endpoint has failed for days."
}

impl EventType {
    /// The event of the interface (section 6), if it is one.
    #[must_use]
    pub const fn event(self) -> Option<Event> {
        match self {
            Self::Delivered => Some(Event::Delivered),
            Self::Bounced => Some(Event::Bounced),
            Self::Opened => Some(Event::Opened),
            Self::Clicked => Some(Event::Clicked),
            _ => None,
        }
    }
}

/// An event as the service reports it. The same event may come more than once, and events may come in any order. The id
/// identifies the event. `Debug` shows only the id and the type.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Notice {
    /// The number of the event. If you have already handled an event with this number, ignore this one.
    pub id: u64,
    /// The name of the event's type.
    pub type_name: String,
    /// The time of the event, in UTC (RFC 3339), if it is known.
    pub timestamp: Option<String>,
    /// The interface's code for the event (section 6), if it has one.
    pub code: Option<Code>,
    /// The transaction id with which the call was answered; `None` when the event is not about a call, or the call is
    /// no longer stored.
    pub transaction_id: Option<u64>,
    /// The `customField` of the call, if it had one and is still stored.
    pub custom_field: Option<String>,
    /// The recipient's address, as long as it is stored.
    pub recipient: Option<String>,
    /// The enhanced status code (RFC 3463), if there is one.
    pub status: Option<String>,
    /// The reason, in the words of a mail server, a report, the operator or the service, if it is known.
    pub reason: Option<String>,
}

/// Why a text is not an event of the service. No error holds any part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoticeError {
    /// It is not JSON.
    #[error("the event is not JSON: hand over the body of the webhook as it came")]
    NotJson,
    /// It is JSON, but not an object with `type` and `data`.
    #[error("the event is not an object with type and data: it may come from another service")]
    NotEvent,
    /// `data.id` is not a whole number from 1 to 2^63-1.
    #[error("the id of the event is not a whole number from 1 to 9223372036854775807")]
    Id,
    /// `data.code` is not a number of three digits.
    #[error("the code of the event is not a number of three digits")]
    Code,
    /// `data.transactionId` is not a whole number from 1 to 2^53-1.
    #[error("the transactionId of the event is not a whole number from 1 to 9007199254740991")]
    TransactionId,
    /// The member of this name has to be a text or null, and is something else.
    #[error("{0} of the event is neither a text nor null")]
    Text(&'static str),
}

impl Notice {
    /// Reads an event: the body of a webhook that was verified, or one of the events of `GET /events`. Numbers may be
    /// written as texts or as numbers. Unknown members are ignored.
    ///
    /// ```
    /// use franking::{EventType, Notice};
    /// let notice = Notice::read(
    ///     r#"{"type":"bounced","timestamp":"2026-03-01T09:30:00Z",
    ///        "data":{"id":"17","code":"417","transactionId":"7","status":"5.1.1","reason":"550 no such user"}}"#,
    /// )?;
    /// assert_eq!((notice.id, notice.event_type()), (17, Some(EventType::Bounced)));
    /// assert_eq!((notice.transaction_id, notice.status.as_deref()), (Some(7), Some("5.1.1")));
    /// # Ok::<(), franking::NoticeError>(())
    /// ```
    ///
    /// # Errors
    /// - [`NoticeError::NotJson`] when the text is not JSON;
    /// - [`NoticeError::NotEvent`] when it is not an object with a text `type` and an object `data`;
    /// - [`NoticeError::Id`], [`NoticeError::Code`], [`NoticeError::TransactionId`] or [`NoticeError::Text`] when that member
    ///   has an invalid value.
    pub fn read(text: &str) -> Result<Self, NoticeError> {
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|_| NoticeError::NotJson)?;
        let (type_name, data) = match (value.get("type"), value.get("data")) {
            (Some(Value::String(name)), Some(Value::Object(data))) => (name.clone(), data),
            _ => return Err(NoticeError::NotEvent),
        };
        let code = optional(data.get("code"), code, NoticeError::Code)?;
        let id = data.get("transactionId");
        let transaction_id = optional(id, transaction_id, NoticeError::TransactionId)?;
        Ok(Self {
            id: data.get("id").and_then(event_id).ok_or(NoticeError::Id)?,
            type_name,
            timestamp: optional_text(value.get("timestamp"), "timestamp")?,
            code,
            transaction_id,
            custom_field: optional_text(data.get("customField"), "customField")?,
            recipient: optional_text(data.get("recipient"), "recipient")?,
            status: optional_text(data.get("status"), "status")?,
            reason: optional_text(data.get("reason"), "reason")?,
        })
    }

    /// What happened; `None` for a type that this version of the library does not know.
    #[must_use]
    pub fn event_type(&self) -> Option<EventType> {
        EventType::from_name(&self.type_name)
    }
}

/// The number of an event, 1 to 2^63-1.
fn event_id(value: &Value) -> Option<u64> {
    let id = digits(value)?.parse::<u64>().ok()?;
    (1..=i64::MAX.unsigned_abs()).contains(&id).then_some(id)
}

fn optional_text(value: Option<&Value>, name: &'static str) -> Result<Option<String>, NoticeError> {
    let text = |value: &Value| value.as_str().map(String::from);
    optional(value, text, NoticeError::Text(name))
}

debug_shows!(this: Notice { "id": this.id, "type": this.type_name });
