//! Decisions: the method, stored senders, the plan and the transaction, what to do after a refusal, and the policy.

use franking::Operation::{HttpSendMail, SendMailer};
use franking::PolicyError;
use serde_json::json;

use crate::support::{Case, OPTIONAL_FIELDS};

#[test]
fn nothing_of_a_refused_call_is_carried_out() {
    let (plan, asked) = Case::send_mailer(json!({"email": "new@bad.example"}))
        .decide_with(|decision| decision.plan().is_some());
    assert_eq!((plan, asked), (false, vec!["account", "facts"]));
}

#[test]
fn the_method_is_exactly_post() {
    for method in ["GET", "post", "Post", "POST ", " POST", "PUT", ""] {
        for mut case in [
            Case::send_mailer(json!({})),
            Case::http_send_mail(json!({})),
            Case::raw(HttpSendMail, "no JSON"),
        ] {
            case.method = method.to_string();
            let decision = case.decide();
            assert_eq!(
                (&decision["code"], &decision["rule"]),
                (&json!(401), &json!("method-not-post")),
                "{method:?}"
            );
            assert_eq!(decision["asked"]["account"], 0);
        }
    }
}

#[test]
fn texts_in_a_plan_may_hold_any_character() {
    let odd = "a\u{0}b\r\nc\u{1f600}\"'<>\\";
    let plan = Case::send_mailer(json!({"city": odd, "customField": odd})).plan();
    assert_eq!(plan["create"][0]["fields"]["city"], odd);
    assert_eq!(plan["messages"][0]["custom_field"], odd);
}

#[test]
fn a_transaction_id_is_any_whole_number_that_every_json_reader_keeps_exact() {
    for (id, is_taken) in [
        (1_u64, true),
        ((1 << 53) - 1, true),
        (0, false),
        (1 << 53, false),
        (u64::MAX, false),
    ] {
        let decision = Case::send_mailer(json!({}))
            .world(json!({"transaction_id": id}))
            .decide();
        assert_eq!(decision["code"] == 200, is_taken, "{id}");
        assert_eq!(decision.get("error").is_some(), !is_taken);
    }
}

#[test]
fn a_decision_too_says_where_reading_stopped_and_what_to_do() {
    let (seen, _) = Case::raw(SendMailer, r#"{"a":tru}"#).decide_with(|decision| {
        let violation = decision.violation().unwrap();
        (
            violation.pointer(),
            violation.span(),
            violation.stopped_at(),
            violation.remedy(),
        )
    });
    let (pointer, span, stopped_at, remedy) = seen;
    assert_eq!((pointer.as_deref(), span), (Some(""), Some(0..9)));
    let at = stopped_at.unwrap();
    assert!((5..=8).contains(&at), "{at}");
    assert!(remedy.contains(&format!("at byte {at}")), "{remedy}");
}

#[test]
fn every_rule_says_what_to_do_in_whole_sentences() {
    for rule in franking::Rule::ALL {
        assert!(
            rule.remedy().len() > 10 && rule.remedy().ends_with('.'),
            "{rule}"
        );
        assert!(
            !rule.meaning().is_empty() && !rule.meaning().ends_with('.'),
            "{rule}"
        );
    }
}

#[test]
fn invalid_policy_values_are_refused_when_the_policy_is_built_and_their_key_is_named() {
    let key = |text: &str| -> &'static str {
        franking::Policy::from_json(text)
            .map_err(|error: PolicyError| error.key())
            .expect_err(text)
    };
    for (text, expected) in [
        (r#"{"max_requests":0}"#, "max_requests"),
        (r#"{"max_requests":2147483648}"#, "max_requests"),
        (r#"{"max_bytes":0}"#, "max_bytes"),
        (r#"{"max_bytes":-1}"#, "max_bytes"),
        (r#"{"max_attempts":0}"#, "max_attempts"),
        (r#"{"max_attempts":"3"}"#, "max_attempts"),
        (r#"{"today":"2024-02-30"}"#, "today"),
        (r#"{"today":20240501}"#, "today"),
        (r#"{"batch":"half"}"#, "batch"),
        (r#"{"empty_clears":1}"#, "empty_clears"),
        (r#"{"html_encoding":"never"}"#, "html_encoding"),
        (r#"{"placeholders":[["",""]]}"#, "placeholders"),
        (r#"{"placeholders":["{{"]}"#, "placeholders"),
        (r#"{"answer_values":"words"}"#, "answer_values"),
        (r#"{"answer_status":""}"#, "answer_status"),
        ("[]", "policy"),
    ] {
        assert_eq!(key(text), expected, "{text}");
    }
}

#[test]
fn senders_are_compared_by_match_key_and_the_assigned_address_need_not_be_an_active_sender() {
    assert_eq!(
        Case::send_mailer(json!({"from": "NEWS@SHOP.EXAMPLE"}))
            .outcome()
            .0,
        200
    );
    assert_eq!(
        Case::send_mailer(json!({"from": "news2@shop.example"})).outcome(),
        (442, "sender-unknown".into())
    );
    assert_eq!(
        Case::send_mailer(json!({}))
            .world(json!({"senders": []}))
            .outcome()
            .0,
        200
    );
    // The address is the host's: only its domain is judged, not its form.
    let odd = json!({"mailers": {"42": {"from": "\"The Shop\"@localhost", "from_name": "a\nb"}}});
    assert_eq!(
        Case::send_mailer(json!({})).world(odd).message()["from"],
        "\"The Shop\"@localhost"
    );
}

/// The interface, section 2.3.
#[test]
fn the_fields_of_personalization_are_the_optional_ones_that_are_stored_with_a_subscriber() {
    let others = [
        "from",
        "fromName",
        "subID",
        "listName",
        "trackOpens",
        "trackClicks",
        "customField",
    ];
    let mut expected = OPTIONAL_FIELDS.to_vec();
    expected.retain(|name| !others.contains(name));
    let mut fields: Vec<_> = franking::personalization_fields().collect();
    expected.sort_unstable();
    fields.sort_unstable();
    assert_eq!(fields, expected);
}
