//! Reads events as the service sends them. Anything that is not an event is refused with a reason.

use franking::{Code, Event, EventType, Notice, NoticeError};
use serde_json::{Value, json};

fn whole() -> Value {
    json!({
        "type": "bounced",
        "timestamp": "2026-03-01T09:30:00Z",
        "data": {
            "id": "17",
            "code": "417",
            "transactionId": "4398046511104",
            "customField": "order 1",
            "recipient": "reader@customer.example",
            "status": "5.1.1",
            "reason": "550 5.1.1 no such user",
        },
    })
}

fn read(event: &Value) -> Result<Notice, NoticeError> {
    Notice::read(&event.to_string())
}

fn with(pointer: &str, value: Value) -> Value {
    let mut event = whole();
    *event.pointer_mut(pointer).unwrap() = value;
    event
}

#[test]
fn an_event_is_read_member_by_member() {
    let notice = read(&whole()).unwrap();
    assert_eq!((notice.id, &*notice.type_name), (17, "bounced"));
    assert_eq!(notice.event_type(), Some(EventType::Bounced));
    assert_eq!(notice.code, Code::new(Event::Bounced.code()));
    assert_eq!(notice.transaction_id, Some(4_398_046_511_104));
    assert_eq!(notice.timestamp.as_deref(), Some("2026-03-01T09:30:00Z"));
    assert_eq!(
        (notice.custom_field.as_deref(), notice.recipient.as_deref()),
        (Some("order 1"), Some("reader@customer.example"))
    );
    assert_eq!(
        (notice.status.as_deref(), notice.reason.as_deref()),
        (Some("5.1.1"), Some("550 5.1.1 no such user"))
    );
    let shown = format!("{notice:?}");
    assert!(
        !shown.contains("reader") && !shown.contains("order"),
        "{shown}"
    );
}

#[test]
fn what_is_null_or_missing_is_not_known_and_what_is_new_is_ignored() {
    let least =
        read(&json!({"type": "forwarded", "data": {"id": 1, "more": [[]]}, "version": 2})).unwrap();
    assert_eq!((least.event_type(), &*least.type_name), (None, "forwarded"));
    assert_eq!(
        (least.code, least.transaction_id, least.timestamp),
        (None, None, None)
    );
    let nothing = read(&with("/data/recipient", Value::Null)).unwrap();
    assert_eq!(nothing.recipient, None);
    assert_eq!(
        read(&with("/data/recipient", json!("")))
            .unwrap()
            .recipient
            .as_deref(),
        Some("")
    );
    let numbers = read(&with("/data/id", json!(i64::MAX))).unwrap();
    assert_eq!(numbers.id, i64::MAX.unsigned_abs());
    assert!(Notice::read(&format!("\u{feff}{}", whole())).is_ok());
}

#[test]
fn what_is_not_an_event_is_refused_with_its_reason() {
    for text in ["", "<html>", "{", "\u{0}"] {
        assert_eq!(Notice::read(text), Err(NoticeError::NotJson), "{text}");
    }
    for text in [
        "[]",
        "7",
        "{}",
        r#"{"type":"opened"}"#,
        r#"{"type":1,"data":{"id":1}}"#,
        r#"{"type":"opened","data":[]}"#,
    ] {
        assert_eq!(Notice::read(text), Err(NoticeError::NotEvent), "{text}");
    }
    for id in [
        json!(0),
        json!("0"),
        json!(-1),
        json!("1.5"),
        json!(""),
        json!("9223372036854775808"),
        Value::Null,
    ] {
        assert_eq!(
            read(&with("/data/id", id.clone())),
            Err(NoticeError::Id),
            "{id}"
        );
    }
    for code in [json!("4177"), json!(99), json!("x"), json!([])] {
        assert_eq!(
            read(&with("/data/code", code.clone())),
            Err(NoticeError::Code),
            "{code}"
        );
    }
    for id in [json!(0), json!("9007199254740992"), json!({})] {
        assert_eq!(
            read(&with("/data/transactionId", id.clone())),
            Err(NoticeError::TransactionId),
            "{id}"
        );
    }
    for name in ["customField", "recipient", "status", "reason"] {
        let wrong = read(&with(&format!("/data/{name}"), json!(1)));
        assert_eq!(wrong, Err(NoticeError::Text(name)));
    }
    assert_eq!(
        read(&with("/timestamp", json!(1))),
        Err(NoticeError::Text("timestamp"))
    );
    let deep = format!(
        r#"{{"type":"opened","data":{{"id":1,"x":{}"#,
        "[".repeat(100_000)
    );
    assert_eq!(Notice::read(&deep), Err(NoticeError::NotJson));
}
