//! What httpSendMail does: recipients, credits, placeholders, the end of the operation, and batches in part.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::unreachable,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use franking::Operation::{HttpSendMail, SendMailer};
use serde_json::{Value, json};
use support::{Case, request};

fn http(changes: Value) -> Case {
    Case::http_send_mail(changes)
}

fn recipients(case: &Case) -> Value {
    case.message()["recipients"].clone()
}

#[test]
fn lists_are_split_at_commas_entries_trimmed_and_empty_entries_skipped() {
    let to = ", new@customer.example ,,\t third@customer.example\u{3000}, ,";
    let found = recipients(&http(json!({"to": to})));
    let addresses: Vec<_> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["to"].clone())
        .collect();
    assert_eq!(
        addresses,
        ["new@customer.example", "third@customer.example"]
    );
    for empty in [",", " , ,, "] {
        assert_eq!(
            http(json!({"to": empty})).outcome(),
            (411, "recipient-missing".into())
        );
        assert_eq!(
            http(json!({"to": empty, "bcc": "new@customer.example"}))
                .outcome()
                .0,
            200
        );
    }
}

#[test]
fn commas_may_be_escaped_and_display_names_are_no_addresses() {
    let body = r#"{"ApiKey":"key-1","requests":[{"subject":"s","body":"b","from":"news@shop.example","to":"a@b.example\u002cc@d.example"}]}"#;
    assert_eq!(
        Case::raw(HttpSendMail, body).message()["recipients"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    for to in [
        "Name <a@b.example>",
        "<a@b.example>",
        "a@b.example;c@d.example",
        "a@b.example c@d.example",
        "\"a,b\"@b.example",
        "a@[192.0.2.1]",
    ] {
        assert_eq!(
            http(json!({"to": to})).outcome(),
            (412, "recipient-malformed".into()),
            "{to}"
        );
    }
}

#[test]
fn the_place_of_a_malformed_entry_is_its_own_bytes_escapes_included() {
    let body = r#"{"ApiKey":"key-1","requests":[{"subject":"s","body":"b","from":"news@shop.example","to":"a@b.example, \tno\u0062ody\u00a0 ,x"}]}"#;
    let case = Case::raw(HttpSendMail, body);
    assert_eq!(
        case.place(),
        (Some("/requests/0/to".into()), Some(r"no\u0062ody".into()))
    );
    let all: Vec<_> = case
        .violations()
        .into_iter()
        .map(|violation| violation.1.unwrap())
        .collect();
    assert_eq!(all, ["/requests/0/to", "/requests/0/to"]);
}

#[test]
fn there_is_one_email_for_each_distinct_address_over_to_cc_and_bcc_and_its_first_place_is_its_role()
{
    let case = http(json!({
        "to": "new@customer.example, NEW@customer.example",
        "cc": "third@customer.example,New@Customer.Example",
        "bcc": "third@customer.example,fourth@customer.example",
    }));
    let found: Vec<_> = recipients(&case)
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["to"].clone(), row["role"].clone()))
        .collect();
    let expected = [
        ("new@customer.example", "to"),
        ("third@customer.example", "cc"),
        ("fourth@customer.example", "bcc"),
    ];
    assert_eq!(found, expected.map(|(to, role)| (json!(to), json!(role))));
    let plan = case.plan();
    let collapsed: Vec<_> = plan["collapsed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["pointer"].clone(), row["to"].clone()))
        .collect();
    let expected = [
        ("/requests/0/to", "NEW@customer.example"),
        ("/requests/0/cc", "New@Customer.Example"),
        ("/requests/0/bcc", "third@customer.example"),
    ];
    assert_eq!(
        collapsed,
        expected.map(|(pointer, to)| (json!(pointer), json!(to)))
    );
    for row in plan["collapsed"].as_array().unwrap() {
        let at = |index: usize| usize::try_from(row["span"][index].as_u64().unwrap()).unwrap();
        assert_eq!(
            String::from_utf8_lossy(&case.body[at(0)..at(1)]),
            row["to"].as_str().unwrap()
        );
    }
    assert_eq!(plan["debit"], json!({"email": 3, "subscriber": 3}));
}

#[test]
fn the_same_address_in_two_requests_gets_two_emails_and_is_created_or_enlisted_once() {
    let both = |to: &str| {
        Case::requests(&[
            request(json!({"to": to})),
            request(json!({"to": to.to_uppercase()})),
        ])
        .plan()
    };
    let plan = both("new@customer.example");
    assert_eq!(plan["create"].as_array().unwrap().len(), 1);
    assert_eq!(plan["debit"], json!({"email": 2, "subscriber": 1}));
    assert_eq!(plan["collapsed"], json!([]));
    let plan = both("old@customer.example");
    assert_eq!(plan["enlist"], json!([{"id": 5, "list": "API_EMAILS"}]));
    assert_eq!(plan["debit"], json!({"email": 2, "subscriber": 0}));
}

#[test]
fn an_email_goes_to_the_address_as_sent_also_when_a_subscriber_matches() {
    let found = recipients(&http(json!({"to": "OLD@customer.EXAMPLE"})));
    assert_eq!(
        found,
        json!([{"to": "OLD@customer.EXAMPLE", "role": "to", "subscriber": 5}])
    );
}

#[test]
fn every_address_used_is_put_into_the_list_for_addresses_of_the_api() {
    let plan = http(json!({"to": "new@customer.example", "cc": "old@customer.example"})).plan();
    assert_eq!(
        plan["create"],
        json!([{"email": "new@customer.example", "match_key": "new@customer.example", "list": "API_EMAILS", "fields": {}}])
    );
    assert_eq!(plan["enlist"], json!([{"id": 5, "list": "API_EMAILS"}]));
    assert_eq!(plan["update"], json!([]));
}

#[test]
fn an_existing_subscriber_is_no_error_and_an_inactive_one_is() {
    assert_eq!(http(json!({"to": "old@customer.example"})).outcome().0, 200);
    let case =
        http(json!({"to": "new@customer.example", "bcc": "x@y.example, quiet@customer.example"}));
    assert_eq!(
        (case.outcome().0, case.place()),
        (
            443,
            (
                Some("/requests/0/bcc".into()),
                Some("quiet@customer.example".into())
            )
        )
    );
}

#[test]
fn credits_are_refused_when_the_call_needs_more_than_there_is_and_no_limit_is_none() {
    let three =
        || http(json!({"to": "a@customer.example,b@customer.example,old@customer.example"}));
    let with = |email: Value, subscriber: Value| {
        three()
            .account(json!({"email_credit": email, "subscriber_credit": subscriber}))
            .outcome()
            .0
    };
    assert_eq!(with(json!(3), json!(2)), 200);
    assert_eq!(with(json!(3), json!(1)), 444);
    assert_eq!(with(json!(2), json!(2)), 445);
    assert_eq!(with(json!(0), json!(0)), 444);
    assert_eq!(with(Value::Null, Value::Null), 200);
    let known = http(json!({"to": "old@customer.example"}));
    assert_eq!(
        known
            .account(json!({"subscriber_credit": 0, "email_credit": 1}))
            .outcome()
            .0,
        200
    );
}

#[test]
fn a_placeholder_stands_between_a_pair_of_marks() {
    for subject in [
        "{{name}}",
        "Hi {{ first name }}",
        "{%x%}",
        "%%First_Name%%",
        "*|FNAME|*",
        "{*n*}",
        "${user.name}",
        "{{_}}",
        "{{\u{e9}t\u{e9}-1~2}}",
    ] {
        assert_eq!(
            http(json!({"subject": subject})).outcome(),
            (476, "subject-placeholder".into()),
            "{subject}"
        );
    }
    for subject in [
        "{{}}",
        "{{1a}}",
        "{{a!}}",
        "{name}",
        "{{ }}",
        "100%% and more",
        "$name",
        "{{a}",
        "*|a|",
        &format!("{{{{{}}}}}", "a".repeat(65)),
    ] {
        assert_eq!(
            http(json!({"subject": subject})).outcome().0,
            200,
            "{subject}"
        );
    }
    let marks = |pairs: Value| {
        http(json!({"subject": "Hi {{name}} [name]"}))
            .policy(json!({"placeholders": pairs}))
            .outcome()
            .0
    };
    assert_eq!(marks(json!([])), 200);
    assert_eq!(marks(json!([["[", "]"]])), 476);
    assert_eq!(marks(json!([["<", ">"]])), 200);
}

#[test]
fn reply_to_is_exactly_one_valid_address() {
    assert_eq!(http(json!({"replyTo": " a@b.example "})).outcome().0, 200);
    for wrong in [
        "nobody",
        "a@b.example,c@d.example",
        "a@b.example,",
        "Name <a@b.example>",
    ] {
        assert_eq!(
            http(json!({"replyTo": wrong})).outcome(),
            (407, "reply-to-malformed".into()),
            "{wrong}"
        );
    }
}

#[test]
fn a_sender_is_given_and_is_exactly_one_valid_address() {
    for absent in [Value::Null, json!(""), json!(" ")] {
        assert_eq!(
            http(json!({"from": absent})).outcome(),
            (409, "sender-missing".into())
        );
    }
    for wrong in ["nobody", "a@b.example,c@d.example", "We <a@b.example>"] {
        assert_eq!(
            http(json!({"from": wrong})).outcome(),
            (410, "sender-malformed".into()),
            "{wrong}"
        );
    }
    assert_eq!(
        http(json!({"from": "other@shop.example"})).outcome(),
        (420, "sender-unknown".into())
    );
}

#[test]
fn subject_and_from_name_hold_no_control_character_and_neither_separator() {
    for character in [
        "\u{0}", "\t", "\n", "\r", "\u{7f}", "\u{85}", "\u{2028}", "\u{2029}",
    ] {
        let text = format!("a{character}b");
        assert_eq!(
            http(json!({"subject": text})).outcome(),
            (476, "subject-control".into()),
            "{character:?}"
        );
        assert_eq!(
            http(json!({"fromName": text})).outcome(),
            (477, "from-name-control".into()),
            "{character:?}"
        );
    }
    for character in ["\u{a0}", "\u{200b}", "\u{202e}", "\u{feff}"] {
        let text = format!("a{character}b");
        let case = http(json!({"subject": text, "fromName": text}));
        assert_eq!(case.outcome().0, 200, "{character:?}");
    }
}

#[test]
fn html_that_is_nothing_but_white_space_after_decoding_is_missing() {
    for body in [
        "+",
        "%20%0A+",
        "%E3%80%80",
        "%C2%A0%E2%80%A8",
        "\u{3000}%09",
    ] {
        let case = http(json!({"body": body}));
        assert_eq!(
            (case.outcome(), case.place().0),
            (
                (408, "html-missing".into()),
                Some("/requests/0/body".into())
            ),
            "{body:?}"
        );
    }
    assert_eq!(http(json!({"body": "%E2%80%8B"})).outcome().0, 200);
}

#[test]
fn html_whose_decoded_bytes_are_not_utf8_is_refused() {
    for body in ["%FF", "a%C3", "%ED%A0%80", "%C0%AF"] {
        let case = http(json!({"body": body}));
        assert_eq!(
            (case.outcome(), case.place().0),
            (
                (408, "html-not-utf8".into()),
                Some("/requests/0/body".into())
            ),
            "{body:?}"
        );
    }
}

#[test]
fn there_is_no_cap_on_the_number_of_links() {
    let mut html = "<a href='//clean.example/'>".repeat(20_000);
    html.push_str("<img src='//www.bad.example/'>");
    let case = http(json!({"body": html}));
    assert_eq!(
        (case.outcome(), case.place().0),
        (
            (413, "html-domain-blacklisted".into()),
            Some("/requests/0/body".into())
        )
    );
}

#[test]
fn from_name_and_custom_field_and_flags_reach_the_message() {
    let message = http(
        json!({"fromName": "We", "customField": 7, "trackOpens": "1", "replyTo": "a@b.example"}),
    )
    .message();
    assert_eq!(
        (
            &message["from_name"],
            &message["custom_field"],
            &message["reply_to"]
        ),
        (&json!("We"), &json!("7"), &json!("a@b.example"))
    );
    assert_eq!(
        (
            &message["track_opens"],
            &message["track_clicks"],
            &message["mailer"]
        ),
        (&json!(true), &json!(false), &Value::Null)
    );
    assert_eq!(http(json!({})).message()["from_name"], Value::Null);
}

#[test]
fn what_is_checked_is_what_is_delivered_and_the_plan_says_how_it_was_sent() {
    let message = |body: &str| {
        let message = http(json!({"body": body})).message();
        (
            message["html"].as_str().unwrap().to_string(),
            message["encoding"].as_str().unwrap().to_string(),
        )
    };
    assert_eq!(
        message("%3Cp%3Ea+b%3C%2Fp%3E"),
        ("<p>a b</p>".into(), "form".into())
    );
    assert_eq!(
        message("<p>a+b%20</p>\n"),
        ("<p>a+b%20</p>\n".into(), "plain".into())
    );
    assert_eq!(message(" %3Cp%3E100%"), ("<p>100%".into(), "form".into()));
    assert_eq!(message("%253Cp%253E").0, "%3Cp%3E", "decoded at most once");
    let always = http(json!({"body": "<p>a+b</p>"})).policy(json!({"html_encoding": "always"}));
    assert_eq!(always.message()["html"], "<p>a b</p>");
}

#[test]
fn every_decision_on_the_operation_carries_its_last_day_and_successor() {
    let deprecation = json!({"last_day": "2024-04-30", "successor": "sendEmail"});
    let mut wrong_method = http(json!({}));
    wrong_method.method = "GET".to_string();
    let retired = http(json!({})).policy(json!({"today": "2025-01-01"}));
    for case in [
        http(json!({})),
        http(json!({"to": "x"})),
        wrong_method,
        retired,
        Case::raw(HttpSendMail, ""),
    ] {
        assert_eq!(case.decide()["deprecation"], deprecation);
    }
    assert_eq!(
        Case::send_mailer(json!({})).decide()["deprecation"],
        Value::Null
    );
    let sunset = HttpSendMail.deprecation().unwrap().sunset;
    assert_eq!(sunset, "Tue, 30 Apr 2024 23:59:59 GMT");
    assert!(SendMailer.deprecation().is_none());
}

#[test]
fn http_send_mail_answers_only_codes_that_the_interface_lists_for_it() {
    let listed = [
        200, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 420,
        442, 443, 444, 445, 448, 453, 454, 475, 476, 477,
    ];
    for rule in franking::Rule::ALL {
        if let Some(code) = rule.code(HttpSendMail) {
            assert!(listed.contains(&code.number()), "{rule}");
        }
    }
}

#[test]
fn more_requests_than_allowed_are_refused_and_exactly_as_many_pass() {
    let many = |count: usize| Case::requests(&vec![request(json!({})); count]);
    assert_eq!(many(1000).outcome().0, 200);
    let refused = many(1001);
    assert_eq!(
        (refused.outcome(), refused.place().0),
        ((453, "too-many-requests".into()), Some("/requests".into()))
    );
    let of_nothing = Case::requests(&vec![json!({}); 1001]);
    assert_eq!(
        of_nothing.violations().len(),
        1,
        "then nothing is said about single requests"
    );
    let odd = request(json!({"zz": 1, "body": "<p>", "to": "a@b.example,a@b.example"}));
    let of_odd = Case::requests(&vec![odd; 3]).policy(json!({"max_requests": 2}));
    assert_eq!(
        of_odd.warnings(),
        [("operation-deprecated", None)],
        "nor are there warnings about them"
    );
}

#[test]
fn requests_are_given_as_an_array_that_is_not_empty() {
    for requests in [Value::Null, json!([]), json!({}), json!("[]"), json!(1)] {
        let case = Case::new(
            HttpSendMail,
            &support::with(json!({"ApiKey": "key-1"}), json!({"requests": requests})),
        );
        assert_eq!(
            (case.outcome(), case.place().0),
            ((475, "requests-missing".into()), Some("/requests".into())),
            "{requests}"
        );
    }
}

#[test]
fn an_entry_of_requests_that_is_no_object_is_a_violation_of_that_request() {
    for entry in [
        json!(null),
        json!("x"),
        json!(7),
        json!([]),
        json!(true),
        json!(""),
    ] {
        let case = Case::requests(&[request(json!({})), entry.clone()]);
        let decision = case.decide();
        assert_eq!(
            (&decision["rule"], &decision["request"]),
            (&json!("request-not-object"), &json!(1))
        );
        assert_eq!(
            case.place(),
            (Some("/requests/1".into()), Some(entry.to_string()))
        );
    }
}

// Partial batches.

/// Request, pointer, rule of each row of what is left out.
fn refused(case: &Case) -> Vec<(u64, String, String)> {
    let decision = case.decide();
    let rows = decision["refused"].as_array().unwrap();
    rows.iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap().to_string();
            (
                row["request"].as_u64().unwrap(),
                text("pointer"),
                text("rule"),
            )
        })
        .collect()
}

fn row(request: u64, pointer: &str, rule: &str) -> (u64, String, String) {
    (request, pointer.to_string(), rule.to_string())
}

fn sent_requests(case: &Case) -> Vec<u64> {
    let plan = case.plan();
    plan["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["request"].as_u64().unwrap())
        .collect()
}

#[test]
fn by_default_a_call_is_accepted_whole_or_refused_whole_and_the_list_is_empty() {
    let case = Case::requests(&[request(json!({})), request(json!({"subject": ""}))]);
    assert_eq!(case.outcome().0, 406);
    assert_eq!(refused(&case), []);
    assert_eq!(refused(&http(json!({}))), []);
}

#[test]
fn in_a_partial_batch_a_violation_of_one_request_refuses_that_request_alone() {
    let case = Case::requests(&[
        request(json!({"subject": ""})),
        request(json!({})),
        request(json!({"from": "other@shop.example"})),
        request(json!({"to": "third@customer.example"})),
    ])
    .partial();
    assert_eq!(sent_requests(&case), [1, 3]);
    assert_eq!(
        refused(&case),
        [
            row(0, "/requests/0/subject", "subject-missing"),
            row(2, "/requests/2/from", "sender-unknown")
        ]
    );
}

#[test]
fn in_a_partial_batch_412_416_and_443_refuse_that_one_address_alone_with_its_duplicates() {
    let case = http(json!({
        "to": "new@customer.example, nobody, quiet@customer.example",
        "cc": "QUIET@customer.example, new@bad.example, nobody",
        "bcc": "NEW@bad.example, third@customer.example",
    }))
    .partial();
    let found: Vec<_> = recipients(&case)
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["to"].clone())
        .collect();
    assert_eq!(found, ["new@customer.example", "third@customer.example"]);
    // Malformed duplicates have a row each; other duplicates have none, and are not reported as collapsed.
    assert_eq!(
        refused(&case),
        [
            row(0, "/requests/0/to", "recipient-malformed"),
            row(0, "/requests/0/cc", "recipient-malformed"),
            row(0, "/requests/0/cc", "recipient-domain-blacklisted"),
            row(0, "/requests/0/to", "subscriber-inactive"),
        ]
    );
    assert_eq!(case.plan()["collapsed"], json!([]));
    assert_eq!(case.plan()["debit"], json!({"email": 2, "subscriber": 2}));
}

#[test]
fn an_address_that_breaks_two_rules_has_one_row_with_the_first() {
    let case = http(json!({"to": "new@customer.example,quiet@bad.example"})).partial();
    assert_eq!(
        refused(&case),
        [row(0, "/requests/0/to", "recipient-domain-blacklisted")]
    );
}

#[test]
fn a_request_whose_last_address_is_refused_drops_out_and_breaks_no_further_rule() {
    let case = Case::requests(&[
        request(json!({"to": "nobody"})),
        request(json!({"to": "quiet@customer.example"})),
        request(json!({})),
    ])
    .partial();
    assert_eq!(sent_requests(&case), [2]);
    assert_eq!(
        refused(&case),
        [
            row(0, "/requests/0/to", "recipient-malformed"),
            row(1, "/requests/1/to", "subscriber-inactive")
        ]
    );
    // Not even a rule of the facts: the request is out before them.
    let case = Case::requests(&[
        request(json!({"to": "nobody", "from": "other@shop.example"})),
        request(json!({})),
    ])
    .partial();
    assert_eq!(
        refused(&case),
        [row(0, "/requests/0/to", "recipient-malformed")]
    );
}

#[test]
fn a_request_refused_whole_has_one_row_the_first_that_is_not_an_addresss_and_its_addresses_none() {
    let case = Case::requests(&[
        request(json!({"to": "nobody", "fromName": "a\nb", "trackOpens": 7})),
        request(
            json!({"to": "new@bad.example,new@customer.example", "from": "other@shop.example"}),
        ),
        request(json!({})),
    ])
    .partial();
    assert_eq!(
        refused(&case),
        [
            row(0, "/requests/0/trackOpens", "field-wrong-type"),
            row(1, "/requests/1/from", "sender-unknown"),
        ]
    );
}

#[test]
fn when_nothing_remains_the_first_violation_gives_the_code_and_the_rows_are_still_listed() {
    let case = Case::requests(&[
        request(json!({"to": "nobody"})),
        request(json!({"subject": ""})),
    ])
    .partial();
    assert_eq!(case.outcome(), (412, "recipient-malformed".into()));
    assert_eq!(refused(&case).len(), 2);
    assert_eq!(
        case.decide()["asked"]["facts"],
        0,
        "no fact is asked about a call that its content refuses"
    );
    let case = Case::requests(&[
        request(json!({"to": "quiet@customer.example"})),
        request(json!({"subject": ""})),
    ])
    .partial();
    assert_eq!(
        case.outcome(),
        (406, "subject-missing".into()),
        "phase 4 before phase 5, whatever the position"
    );
    assert_eq!(
        refused(&case),
        [
            row(1, "/requests/1/subject", "subject-missing"),
            row(0, "/requests/0/to", "subscriber-inactive"),
        ]
    );
}

#[test]
fn call_level_violations_and_phases_1_2_3_and_6_still_refuse_a_partial_batch() {
    let base = || Case::requests(&[request(json!({})), request(json!({"subject": ""}))]).partial();
    assert_eq!(base().policy(json!({"max_requests": 1})).outcome().0, 453);
    assert_eq!(base().world(json!({"accounts": {}})).outcome().0, 403);
    assert_eq!(base().account(json!({"expired": true})).outcome().0, 405);
    assert_eq!(
        Case::requests(&[]).partial().outcome(),
        (475, "requests-missing".into())
    );
    let repeated = r#"{"ApiKey":"key-1","requests":[{"to":1,"to":2},{}]}"#;
    assert_eq!(
        Case::raw(HttpSendMail, repeated).partial().rule(),
        "field-repeated",
        "a violation of the call, also inside a request"
    );
    let mut no_key = base();
    no_key.body = json!({"requests": [request(json!({}))]}).to_string().into();
    assert_eq!(no_key.outcome().0, 402);
    let conflict = base()
        .policy(json!({"max_attempts": 1}))
        .world(json!({"commits": [{"conflict": "subscriber_exists"}]}));
    assert_eq!(conflict.outcome().0, 442);
    let low = base().account(json!({"email_credit": 0}));
    assert_eq!(low.outcome().0, 445);
    assert_eq!(
        refused(&low),
        [row(1, "/requests/1/subject", "subject-missing")],
        "listed also when the call is refused after all"
    );
}

#[test]
fn credit_is_counted_for_what_remains_of_a_partial_batch() {
    let case = Case::requests(&[
        request(json!({"to": "a@customer.example,quiet@customer.example"})),
        request(json!({"to": "b@customer.example", "from": "other@shop.example"})),
        request(json!({"to": "c@customer.example", "subject": ""})),
    ])
    .partial();
    assert_eq!(
        case.clone()
            .account(json!({"email_credit": 1, "subscriber_credit": 1}))
            .outcome()
            .0,
        200
    );
    assert_eq!(
        case.clone()
            .account(json!({"email_credit": 1, "subscriber_credit": 0}))
            .outcome()
            .0,
        444
    );
    assert_eq!(
        case.plan()["create"],
        json!([{"email": "a@customer.example", "match_key": "a@customer.example", "list": "API_EMAILS", "fields": {}}])
    );
}

#[test]
fn an_address_refused_in_one_request_is_still_sent_to_where_only_the_request_differs() {
    // Malformed senders refuse the request, not the address.
    let case = Case::requests(&[request(json!({"from": "nobody"})), request(json!({}))]).partial();
    assert_eq!(sent_requests(&case), [1]);
    assert_eq!(case.plan()["create"].as_array().unwrap().len(), 1);
}

#[test]
fn an_address_that_two_requests_use_has_a_row_in_each() {
    let to = json!({"to": "quiet@customer.example, new@customer.example"});
    let case = Case::requests(&[request(to.clone()), request(to)]).partial();
    assert_eq!(
        refused(&case),
        [
            row(0, "/requests/0/to", "subscriber-inactive"),
            row(1, "/requests/1/to", "subscriber-inactive"),
        ]
    );
    assert_eq!(sent_requests(&case), [0, 1]);
}

#[test]
fn a_413_names_the_element_the_url_its_place_in_the_html_and_the_listed_domain() {
    let html = "<p>x</p><A HREF='https://shop.bad-links.example/a?b=1&amp;c'>y</A>";
    let case = Case::http_send_mail(json!({"body": form_encoded(html)})).world(json!({
        "blacklists": {"content": ["bad-links.example"]}
    }));
    case.decide_with(|decision| {
        let violation = decision.violation().unwrap();
        assert_eq!(violation.code().number(), 413);
        let link = decision.blacklisted_link(&violation).unwrap();
        assert_eq!((link.request, &*link.place), (0, "href of <a>"));
        assert_eq!(link.url, "https://shop.bad-links.example/a?b=1&c");
        assert_eq!(
            html.get(link.span.clone()).unwrap(),
            "https://shop.bad-links.example/a?b=1&amp;c"
        );
        assert_eq!(link.domain, "bad-links.example");
        // The span in the call is that of the body field.
        let sent = &case.body[violation.span().unwrap()];
        assert_eq!(sent, format!("\"{}\"", form_encoded(html)).as_bytes());
    });
}

fn form_encoded(html: &str) -> String {
    percent_encoding::utf8_percent_encode(html, percent_encoding::NON_ALPHANUMERIC).to_string()
}
