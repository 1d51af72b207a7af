//! How a body is read: what counts as absent, which spellings a field has, which types it takes.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::unreachable,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use franking::Operation::{HttpSendMail, SendMailer};
use serde_json::{Value, json};
use support::{Case, batch, request};

fn rule_of(case: Case) -> String {
    case.rule()
}

fn raw(body: &str) -> Case {
    Case::raw(SendMailer, body)
}

#[test]
fn size_is_judged_before_the_json_is_parsed() {
    let case = Case::raw(HttpSendMail, "not JSON at all").policy(json!({"max_bytes": 14}));
    assert_eq!(case.outcome(), (454, "body-too-large".into()));
    assert_eq!(
        case.clone().policy(json!({"max_bytes": 15})).rule(),
        "body-not-json"
    );
}

#[test]
fn exactly_as_many_bytes_as_are_allowed_pass() {
    let case = Case::http_send_mail(json!({}));
    let length = case.body.len();
    assert_eq!(
        case.clone()
            .policy(json!({"max_bytes": length}))
            .outcome()
            .0,
        200
    );
    assert_eq!(
        case.policy(json!({"max_bytes": length - 1})).outcome().0,
        454
    );
}

#[test]
fn by_default_exactly_33554432_bytes_pass() {
    const LIMIT: usize = 33_554_432;
    let mut case = Case::http_send_mail(json!({}));
    case.body.resize(LIMIT, b' ');
    assert_eq!(case.outcome().0, 200);
    case.body.push(b' ');
    assert_eq!(case.outcome(), (454, "body-too-large".into()));
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
fn a_leading_byte_order_mark_is_skipped_and_content_after_the_object_is_not_allowed() {
    let body = support::send_mailer_body(json!({})).to_string();
    assert_eq!(raw(&format!("\u{feff}{body}")).outcome().0, 200);
    assert_eq!(raw(&format!(" {body} \r\n\t")).outcome().0, 200);
    assert_eq!(rule_of(raw(&format!("{body}x"))), "body-not-json");
    assert_eq!(rule_of(raw(&format!("[{body}]"))), "body-not-json");
    for scalar in ["null", "7", "\"text\"", "true", "[]", ""] {
        assert_eq!(rule_of(raw(scalar)), "body-not-json", "{scalar}");
    }
}

#[test]
fn field_names_are_matched_exactly() {
    for name in ["apikey", "APIKEY", "api_key", " apiKey", "apiKey "] {
        let body = format!(r#"{{"{name}":"key-1","mailerID":42,"email":"new@customer.example"}}"#);
        assert_eq!(rule_of(raw(&body)), "key-missing", "{name}");
    }
    for name in ["mailerId", "mailerid", "MailerID"] {
        let body = format!(r#"{{"apiKey":"key-1","{name}":42,"email":"new@customer.example"}}"#);
        assert_eq!(rule_of(raw(&body)), "mailer-missing", "{name}");
    }
}

#[test]
fn both_spellings_that_the_interface_uses_are_taken() {
    for key in ["apiKey", "ApiKey"] {
        let body = format!(r#"{{"{key}":"key-1","mailerID":42,"subid":5}}"#);
        assert_eq!(
            raw(&body).plan()["messages"][0]["recipients"][0]["subscriber"],
            5
        );
        let body =
            json!({key: "key-1", "requests": [request(json!({"replyto": "a@shop.example"}))]});
        let case = Case::new(HttpSendMail, &body);
        assert_eq!(case.message()["reply_to"], "a@shop.example", "{key}");
    }
    // The key inside a request is no field there.
    let body = json!({"requests": [request(json!({"ApiKey": "key-1"}))]});
    assert_eq!(Case::new(HttpSendMail, &body).rule(), "key-missing");
}

#[test]
fn other_fields_are_ignored() {
    let case = Case::send_mailer(json!({"subject": [], "x": {"y": [1, null]}, "": 0}));
    assert_eq!(case.outcome().0, 200);
    assert_eq!(
        Case::http_send_mail(json!({"mailerID": [], "email": 7}))
            .outcome()
            .0,
        200
    );
}

#[test]
fn the_same_name_twice_in_one_object_at_any_depth_is_repeated_after_unescaping() {
    let base = r#""apiKey":"key-1","mailerID":42,"email":"new@customer.example""#;
    for more in [
        r#""x":1,"x":1"#,
        r#""x":1,"\u0078":2"#,
        r#""y":[{"z":{"a":1,"a":2}}]"#,
        r#""email":"new@customer.example""#,
        r#""email":null"#,
        r#""city":"","city":"Pune""#,
        r#""subID":null,"subid":"""#,
        r#""ApiKey":null"#,
    ] {
        assert_eq!(
            rule_of(raw(&format!("{{{base},{more}}}"))),
            "field-repeated",
            "{more}"
        );
    }
    for more in [
        r#""x":{"y":1},"y":1"#,
        r#""x":1,"X":2"#,
        r#""replyTo":1,"replyto":2"#,
    ] {
        assert_eq!(
            raw(&format!("{{{base},{more}}}")).outcome().0,
            200,
            "{more}"
        );
    }
    for top in [
        r#"{"ApiKey":"key-1","apiKey":null,"requests":[]}"#,
        r#"{"ApiKey":"key-1","requests":[],"requests":null}"#,
        r#"{"ApiKey":"key-1","requests":[[{"a":1,"a":1}]]}"#,
    ] {
        assert_eq!(
            rule_of(Case::raw(HttpSendMail, top)),
            "field-repeated",
            "{top}"
        );
    }
    let twice = |more: &str| {
        let body = format!(r#"{{"ApiKey":"key-1","requests":[{{"x":0{more}}}]}}"#);
        rule_of(Case::raw(HttpSendMail, body))
    };
    assert_eq!(twice(r#","replyTo":null,"replyto":"""#), "field-repeated");
    assert_eq!(
        twice(r#","subID":1,"subid":2"#),
        "subject-missing",
        "no field of a request"
    );
}

#[test]
fn several_repeated_names_are_violations_of_the_call_one_for_each_name_by_position() {
    let body = r#"{"b":1,"a":1,"a":2,"a":3,"x":{"c":1,"c":2},"b":2,"apiKey":"key-1"}"#;
    let pointers: Vec<_> = raw(body)
        .violations()
        .into_iter()
        .filter(|(rule, _)| rule == "field-repeated")
        .map(|(_, pointer)| pointer.unwrap())
        .collect();
    assert_eq!(pointers, ["/a", "/x/c", "/b"]);
    assert_eq!(raw(body).place(), (Some("/a".into()), Some("2".into())));
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

/// What counts as absent.
fn absent() -> [Value; 5] {
    [
        json!(null),
        json!(""),
        json!(" "),
        json!("\t\r\n"),
        json!("\u{a0}\u{2003}\u{3000}\u{85}\u{2028}"),
    ]
}

/// The body as text, so that null can be a value.
fn with_member(base: Value, name: &str, value: &Value) -> String {
    let Value::Object(members) = base else {
        return String::new();
    };
    let mut text = String::from("{");
    for (key, own) in members.iter().filter(|(key, _)| *key != name) {
        text.push_str(&format!("{}:{own},", json!(key)));
    }
    format!("{text}{}:{value}}}", json!(name))
}

#[test]
fn null_empty_and_white_space_mean_absent_for_every_field() {
    for value in absent() {
        let send = |name: &str| {
            raw(&with_member(
                support::send_mailer_body(json!({})),
                name,
                &value,
            ))
            .rule()
        };
        assert_eq!(send("apiKey"), "key-missing");
        assert_eq!(send("mailerID"), "mailer-missing");
        assert_eq!(send("email"), "recipient-missing");
        for name in support::OPTIONAL_FIELDS {
            assert_eq!(send(name), "", "{name} {value}");
        }
        let http = |name: &str| {
            let entry = with_member(request(json!({})), name, &value);
            Case::raw(
                HttpSendMail,
                format!(r#"{{"ApiKey":"key-1","requests":[{entry}]}}"#),
            )
            .rule()
        };
        assert_eq!(http("subject"), "subject-missing");
        assert_eq!(http("body"), "html-missing");
        assert_eq!(http("to"), "recipient-missing");
        assert_eq!(http("from"), "sender-missing");
        for name in [
            "cc",
            "bcc",
            "fromName",
            "replyTo",
            "customField",
            "trackOpens",
            "trackClicks",
        ] {
            assert_eq!(http(name), "", "{name} {value}");
        }
        let requests = format!(r#"{{"ApiKey":"key-1","requests":{value}}}"#);
        assert_eq!(Case::raw(HttpSendMail, requests).rule(), "requests-missing");
    }
}

#[test]
fn characters_that_only_look_empty_are_not_white_space() {
    // Zero width space, zero width no-break space, Braille blank: not of the property White_Space.
    for text in ["\u{200b}", "\u{feff}", "\u{2800}", "\u{180e}"] {
        assert_eq!(
            Case::send_mailer(json!({"apiKey": text})).rule(),
            "key-unknown",
            "{text:?}"
        );
    }
}

#[test]
fn stored_personalization_is_never_blanked_by_what_is_absent() {
    let body = |value: &Value| {
        with_member(
            json!({"apiKey": "key-1", "mailerID": 42, "subID": 5}),
            "city",
            value,
        )
    };
    for value in absent() {
        assert_eq!(raw(&body(&value)).plan()["update"], json!([]));
    }
    // With the setting an empty string clears, and only that.
    let cleared = json!([{"id": 5, "fields": {"city": ""}}]);
    for value in absent() {
        let plan = raw(&body(&value))
            .policy(json!({"empty_clears": true}))
            .plan();
        let expected = if value == "" {
            cleared.clone()
        } else {
            json!([])
        };
        assert_eq!(plan["update"], expected, "{value}");
    }
}

#[test]
fn what_is_cleared_is_left_out_of_a_subscriber_that_is_created() {
    let case = Case::send_mailer(json!({"city": "", "state": "Goa"}))
        .policy(json!({"empty_clears": true}));
    assert_eq!(case.plan()["create"][0]["fields"], json!({"state": "Goa"}));
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
fn a_text_field_takes_a_number_digit_for_digit_as_written() {
    for number in [
        "411001",
        "0",
        "-1.50",
        "1e3",
        "12345678901234567890123",
        "0.10",
        "1E+2",
    ] {
        let body = format!(
            r#"{{"apiKey":"key-1","mailerID":42,"email":"new@customer.example","pinCode":{number}}}"#
        );
        assert_eq!(raw(&body).plan()["create"][0]["fields"]["pinCode"], number);
    }
    let body = r#"{"apiKey":7,"mailerID":42,"email":"new@customer.example"}"#;
    assert_eq!(
        raw(body).world(json!({"accounts": {"7": {}}})).outcome().0,
        200,
        "the key is a text field"
    );
}

#[test]
fn a_text_field_takes_nothing_but_strings_and_numbers() {
    for value in [
        json!(true),
        json!(false),
        json!([]),
        json!({}),
        json!(["x"]),
    ] {
        for name in [
            "city",
            "fromName",
            "listName",
            "customField",
            "from",
            "birthday",
            "email",
        ] {
            let case = Case::send_mailer(json!({"from": "news@shop.example", name: value}));
            assert_eq!(
                case.outcome(),
                (442, "field-wrong-type".into()),
                "{name} {value}"
            );
        }
        for name in [
            "subject",
            "body",
            "to",
            "cc",
            "bcc",
            "from",
            "fromName",
            "replyTo",
            "customField",
        ] {
            let case = Case::http_send_mail(json!({name: value}));
            assert_eq!(
                case.outcome(),
                (475, "field-wrong-type".into()),
                "{name} {value}"
            );
        }
    }
}

#[test]
fn an_integer_takes_a_number_or_a_string_of_digits_from_1_to_2_to_the_63_less_1() {
    let with = |value: &str| {
        let body =
            format!(r#"{{"apiKey":"key-1","email":"new@customer.example","mailerID":{value}}}"#);
        raw(&body).rule()
    };
    for good in [
        "42",
        "\"42\"",
        "\"00042\"",
        "\"0000000000000000000000000000042\"",
    ] {
        assert_eq!(with(good), "", "{good}");
    }
    assert_eq!(with("9223372036854775807"), "mailer-unknown");
    for wrong in [
        "0",
        "-1",
        "42.0",
        "4.2e1",
        "\"+42\"",
        "\"-42\"",
        "\" 42\"",
        "\"42 \"",
        "\"4 2\"",
        "\"42.0\"",
        "\"\u{0664}\u{0662}\"",
        "9223372036854775808",
        "\"9223372036854775808\"",
        "\"0\"",
        "\"x\"",
        "true",
        "[42]",
        "{}",
    ] {
        assert_eq!(with(wrong), "field-wrong-type", "{wrong}");
    }
}

#[test]
fn a_flag_takes_0_1_true_false_and_the_strings_0_and_1() {
    for (value, is_on) in [
        ("0", false),
        ("1", true),
        ("true", true),
        ("false", false),
        ("\"0\"", false),
        ("\"1\"", true),
        ("null", false),
        ("\"\"", false),
        ("\" \"", false),
    ] {
        let body = format!(
            r#"{{"apiKey":"key-1","mailerID":42,"subID":5,"trackOpens":{value},"trackClicks":{value}}}"#
        );
        let message = raw(&body).message();
        assert_eq!(
            (&message["track_opens"], &message["track_clicks"]),
            (&json!(is_on), &json!(is_on)),
            "{value}"
        );
    }
    for value in [
        "2", "-1", "1.0", "0e0", "\"true\"", "\"on\"", "\"01\"", "\" 1\"", "[1]", "{}", "\"yes\"",
    ] {
        let body = format!(r#"{{"apiKey":"key-1","mailerID":42,"subID":5,"trackOpens":{value}}}"#);
        assert_eq!(raw(&body).rule(), "field-wrong-type", "{value}");
        let flag: Value = serde_json::from_str(value).unwrap();
        let case = Case::http_send_mail(json!({"trackClicks": flag}));
        assert_eq!(case.outcome(), (475, "field-wrong-type".into()), "{value}");
    }
    for (value, is_on) in [(json!(0), false), (json!(true), true), (json!("1"), true)] {
        let message = Case::http_send_mail(json!({"trackOpens": value})).message();
        assert_eq!(message["track_opens"], is_on);
    }
}

#[test]
fn a_field_of_a_wrong_type_counts_as_present_for_all_other_rules() {
    // fromName without from, although fromName is of a wrong type.
    assert_eq!(
        Case::send_mailer(json!({"fromName": []})).outcome(),
        (478, "sender-missing".into())
    );
    let rules = |case: Case| -> Vec<String> {
        case.violations()
            .into_iter()
            .map(|(rule, _)| rule)
            .collect()
    };
    assert_eq!(
        rules(Case::send_mailer(
            json!({"email": {}, "mailerID": [], "from": 1})
        )),
        ["field-wrong-type", "field-wrong-type", "sender-malformed"]
    );
    let case = Case::http_send_mail(
        json!({"subject": [], "body": {}, "to": true, "from": false, "replyTo": []}),
    );
    assert_eq!(rules(case), ["field-wrong-type"; 5]);
}

#[test]
fn the_key_the_requests_and_sub_id_have_their_own_rules_for_a_wrong_type() {
    for value in [json!(true), json!([]), json!({})] {
        assert_eq!(
            Case::send_mailer(json!({"apiKey": value})).rule(),
            "key-missing"
        );
        assert_eq!(
            Case::send_mailer(json!({"subID": value})).rule(),
            "subscriber-id-malformed"
        );
        if !value.is_array() {
            let body = json!({"ApiKey": "key-1", "requests": value});
            assert_eq!(Case::new(HttpSendMail, &body).rule(), "requests-missing");
        }
    }
}

#[test]
fn fields_of_the_wrong_type_are_judged_in_the_order_of_the_interface_wherever_they_stand() {
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
fn only_what_stops_the_body_from_being_one_object_with_unrepeated_names_is_judged_before_the_key() {
    for case in [
        Case::send_mailer(
            json!({"apiKey": "other", "email": "nobody", "mailerID": [], "subID": -1}),
        ),
        Case::new(
            HttpSendMail,
            &json!({"ApiKey": "other", "requests": "none"}),
        ),
        Case::new(HttpSendMail, &json!({"ApiKey": "other"})),
        Case::new(HttpSendMail, &{
            let mut body = batch(&[json!(7), json!({})]);
            body["ApiKey"] = json!("other");
            body
        }),
    ] {
        assert_eq!(case.outcome().0, 403);
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
