//! What vectors do not cover of reading a body.

use crate::support::Case;
use franking::Operation::SendMailer;
use serde_json::{Value, json};

fn raw(body: &str) -> Case {
    Case::raw(SendMailer, body)
}

#[test]
fn send_mailer_has_no_size_limit_of_the_interface() {
    let case =
        Case::send_mailer(json!({"city": "x".repeat(1000)})).policy(json!({"max_bytes": 10}));
    assert_eq!(case.outcome().0, 200);
}

#[test]
fn an_operation_is_retired_only_when_the_policy_gives_a_day_after_the_last() {
    let on = |day: Value| {
        Case::http_send_mail(json!({}))
            .policy(json!({"today": day}))
            .outcome()
            .0
    };
    assert_eq!(on(Value::Null), 200);
    assert_eq!(on(json!("2024-04-30")), 200);
    assert_eq!(on(json!("2024-05-01")), 401);
    assert_eq!(
        Case::send_mailer(json!({}))
            .policy(json!({"today": "9999-12-31"}))
            .outcome()
            .0,
        200
    );
}

#[test]
fn after_a_repeated_field_a_preflight_judges_the_first_value_that_is_not_absent() {
    let with = |first: &str, second: &str| {
        let body =
            format!(r#"{{"apiKey":"key-1","mailerID":42,"email":{first},"email":{second}}}"#);
        let rules: Vec<String> = raw(&body)
            .violations()
            .into_iter()
            .map(|(rule, _)| rule)
            .collect();
        rules
    };
    assert_eq!(
        with("\"nobody\"", "\"a@b.example\""),
        ["field-repeated", "recipient-malformed"]
    );
    assert_eq!(with("\"a@b.example\"", "\"nobody\""), ["field-repeated"]);
    assert_eq!(
        with("null", "\"nobody\""),
        ["field-repeated", "recipient-malformed"]
    );
    assert_eq!(
        with("\" \"", "\"\""),
        ["field-repeated", "recipient-missing"]
    );
}

#[test]
fn addresses_are_trimmed_and_everything_else_is_taken_as_sent() {
    let plan = Case::send_mailer(json!({
        "email": " new@customer.example\u{3000}", "from": "\tnews@shop.example ", "fromName": " A Name ",
        "city": " Pune ", "customField": " x ",
    }))
    .plan();
    assert_eq!(plan["create"][0]["email"], "new@customer.example");
    assert_eq!(plan["create"][0]["fields"]["city"], " Pune ");
    let message = &plan["messages"][0];
    assert_eq!(message["from"], "news@shop.example");
    assert_eq!(
        (&message["from_name"], &message["custom_field"]),
        (&json!(" A Name "), &json!(" x "))
    );
    assert_eq!(
        Case::send_mailer(json!({"apiKey": " key-1"})).rule(),
        "key-unknown"
    );
    assert_eq!(
        Case::send_mailer(json!({"listName": " Customers"})).rule(),
        "list-unknown"
    );
    let message =
        Case::http_send_mail(json!({"subject": " Hello ", "replyTo": " a@shop.example "}))
            .message();
    assert_eq!(
        (&message["subject"], &message["reply_to"]),
        (&json!(" Hello "), &json!("a@shop.example"))
    );
}

#[test]
fn fields_of_the_wrong_type_are_judged_in_the_interfaces_order_not_the_bodys() {
    let fields = [
        "mailerID",
        "from",
        "fromName",
        "email",
        "mobile",
        "listName",
        "prefix",
        "extra6",
        "birthday",
        "anniversary",
        "trackOpens",
        "trackClicks",
        "customField",
    ];
    for (index, early) in fields.iter().enumerate() {
        for late in &fields[index + 1..] {
            for body in [
                format!(r#""{early}":{{}},"{late}":{{}}"#),
                format!(r#""{late}":{{}},"{early}":{{}}"#),
            ] {
                let mut whole = format!(r#"{{"apiKey":"key-1",{body}"#);
                for (name, value) in [
                    ("mailerID", "42"),
                    ("email", "\"new@customer.example\""),
                    ("from", "\"news@shop.example\""),
                ] {
                    if name != *early && name != *late {
                        whole.push_str(&format!(r#","{name}":{value}"#));
                    }
                }
                whole.push('}');
                assert_eq!(raw(&whole).place().0, Some(format!("/{early}")), "{whole}");
            }
        }
    }
    let fields = [
        "subject",
        "body",
        "to",
        "cc",
        "bcc",
        "from",
        "fromName",
        "replyTo",
        "customField",
        "trackOpens",
        "trackClicks",
    ];
    for (index, early) in fields.iter().enumerate() {
        for late in &fields[index + 1..] {
            let case = Case::http_send_mail(json!({*early: {}, *late: {}}));
            assert_eq!(case.place().0, Some(format!("/requests/0/{early}")));
        }
    }
}

#[test]
fn what_is_deeper_than_128_levels_or_no_utf8_is_not_json() {
    let deep = |levels: usize| {
        let body = format!(
            r#"{{"apiKey":"key-1","mailerID":42,"subID":5,"x":{}{}}}"#,
            "[".repeat(levels),
            "]".repeat(levels)
        );
        raw(&body).outcome().0
    };
    assert_eq!((deep(127), deep(128)), (200, 442));
    let mut case = Case::send_mailer(json!({"city": "x"}));
    let at = case.body.iter().position(|byte| *byte == b'x').unwrap();
    case.body[at] = 0xff;
    assert_eq!(case.rule(), "body-not-json");
    assert_eq!(
        raw(r#"{"apiKey":"key-1","mailerID":42,"subID":5,"city":"\ud800"}"#).rule(),
        "body-not-json"
    );
}
