//! The JSON form of an event: `type`, `timestamp` and `data`, as in Standard Webhooks. It is the same in webhooks and in
//! `GET /events`.

use franking::EventType;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::store::EventRow;

/// The JSON form of an event. All numbers are strings, because some callers lose digits of numbers above 2^53.
pub(crate) fn notice(event: &EventRow) -> Value {
    let code = EventType::from_name(&event.kind).and_then(EventType::event);
    let timestamp = Timestamp::from_second(event.happened).ok();
    json!({
        "type": event.kind,
        "timestamp": timestamp.map(|timestamp| timestamp.to_string()),
        "data": {
            "id": event.number.to_string(),
            "code": code.map(|event| event.code().to_string()),
            "transactionId": event.call.map(|call| call.number().to_string()),
            "customField": event.custom_field,
            "recipient": event.recipient,
            "status": event.status,
            "reason": event.reason,
        },
    })
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use franking::Notice;

    use super::*;
    use crate::store::CallId;

    fn row(kind: EventType) -> EventRow {
        EventRow {
            number: 17,
            kind: kind.name().to_owned(),
            call: CallId::from_number(7),
            custom_field: Some("order 1".to_owned()),
            recipient: Some("reader@customer.example".to_owned()),
            status: Some("5.1.1".to_owned()),
            reason: Some("550 no such user".to_owned()),
            happened: 1_772_357_400,
        }
    }

    #[test]
    fn the_library_reads_every_event_as_it_is_told() {
        for kind in EventType::ALL.iter().copied() {
            let read = Notice::read(&notice(&row(kind)).to_string()).unwrap();
            assert_eq!((read.id, read.event_type()), (17, Some(kind)));
            let code = kind.event().map(franking::Event::code);
            assert_eq!(read.code.map(franking::Code::number), code);
            assert_eq!(read.transaction_id, Some(7));
            assert_eq!(read.timestamp.as_deref(), Some("2026-03-01T09:30:00Z"));
            assert_eq!(read.custom_field.as_deref(), Some("order 1"));
            assert_eq!(read.recipient.as_deref(), Some("reader@customer.example"));
            assert_eq!(
                (read.status.as_deref(), read.reason.as_deref()),
                (Some("5.1.1"), Some("550 no such user"))
            );
        }
        let least = EventRow {
            call: None,
            custom_field: None,
            recipient: None,
            status: None,
            reason: None,
            ..row(EventType::WebhookDisabled)
        };
        let read = Notice::read(&notice(&least).to_string()).unwrap();
        assert_eq!(
            (read.transaction_id, read.custom_field, read.recipient),
            (None, None, None)
        );
        assert_eq!((read.code, read.status, read.reason), (None, None, None));
    }

    #[test]
    fn the_pages_show_an_event_as_it_is_told() {
        let block = |page: &str| -> Value {
            let (_, rest) = page.split_once("```json\n").unwrap();
            serde_json::from_str(rest.split_once("```").unwrap().0).unwrap()
        };
        let posted = block(include_str!("../../../../docs/events.md"));
        let row = EventRow {
            call: CallId::from_number(4_398_046_511_104),
            reason: Some("550 5.1.1 no such user".to_owned()),
            ..row(EventType::Bounced)
        };
        assert_eq!(notice(&row), posted);
        let read = block(include_str!("../../../../docs/outcomes.md"));
        assert_eq!(read, json!({"events": [posted], "next": "17"}));
    }

    #[test]
    fn the_page_names_every_type_with_its_code() {
        let page = include_str!("../../../../docs/outcomes.md");
        let (_, section) = page.split_once("## Reading events").unwrap();
        for kind in EventType::ALL.iter().copied() {
            let name = format!("`{}`", kind.name());
            let row = section
                .lines()
                .find(|line| line.starts_with("| `") && line.contains(&name));
            let code = kind.event().map(|event| format!("| {} |", event.code()));
            let has_code = code.is_none_or(|code| row.is_some_and(|row| row.contains(&code)));
            assert!(row.is_some() && has_code, "{name}");
        }
    }
}
