//! Composing calls: the bodies, the limits of a call, and the errors.

use franking::{
    ComposeError, ComposedCall, HttpSendMailRequest, HttpSendMailRequests, Operation, Policy,
    Preflight, SendMailerRequest, compose, compose_json,
};

const HEAD: &str = r#"{"ApiKey":"k","requests":["#;
const TAIL: &str = "]}";

fn policy(max_requests: u64, max_bytes: u64) -> Policy {
    let builder = Policy::builder();
    builder
        .max_requests(max_requests)
        .max_bytes(max_bytes)
        .build()
        .unwrap()
}

fn with_subject(subject: &str) -> HttpSendMailRequest<'_> {
    HttpSendMailRequest::new().subject(subject)
}

/// The body of a call whose requests have only these subjects.
fn body(subjects: &[&str]) -> String {
    let requests: Vec<String> = subjects
        .iter()
        .map(|subject| format!(r#"{{"subject":"{subject}"}}"#))
        .collect();
    format!("{HEAD}{}{TAIL}", requests.join(","))
}

fn calls(policy: &Policy, subjects: &[&str]) -> Result<Vec<String>, ComposeError> {
    let requests = subjects.iter().map(|subject| with_subject(subject));
    compose(policy, "k", requests)
        .map(|call| call.map(ComposedCall::into_body))
        .collect()
}

fn send_mailer(fields: &str) -> Result<String, ComposeError> {
    let calls = compose_json(&Policy::default(), Operation::SendMailer, fields)?;
    assert_eq!(calls.len(), 1);
    Ok(calls.concat())
}

fn http_send_mail(fields: &str) -> Result<Vec<String>, ComposeError> {
    compose_json(&Policy::default(), Operation::HttpSendMail, fields)
}

/// The body of one request, given by its fields.
fn one_request(fields: &str) -> Result<String, ComposeError> {
    let calls = http_send_mail(&format!(r#"{{"ApiKey":"k","requests":[{fields}]}}"#))?;
    let body = calls.concat();
    let request = body
        .strip_prefix(HEAD)
        .and_then(|rest| rest.strip_suffix(TAIL));
    Ok(request.unwrap().to_string())
}

// Bodies

#[test]
fn fields_are_written_in_the_interfaces_order_whatever_the_order_in_which_they_were_set() {
    let request = SendMailerRequest::default()
        .custom_field("c")
        .track_clicks(false)
        .track_opens(true)
        .anniversary("2000-01-02")
        .birthday("2000-01-01")
        .extra6("6")
        .mobile("m")
        .email("e@example.com")
        .sub_id(7)
        .from_name("N")
        .from("f@example.com")
        .mailer_id(42)
        .api_key("k");
    assert_eq!(
        request.compose(),
        r#"{"apiKey":"k","mailerID":42,"from":"f@example.com","fromName":"N","subID":7,"email":"e@example.com","mobile":"m","extra6":"6","birthday":"2000-01-01","anniversary":"2000-01-02","trackOpens":1,"trackClicks":0,"customField":"c"}"#
    );
    let request = HttpSendMailRequest::new()
        .track_clicks(false)
        .track_opens(true)
        .custom_field("c")
        .reply_to("r@example.com")
        .from_name("N")
        .from("f@example.com")
        .bcc("b@example.com")
        .cc("c@example.com")
        .to("t@example.com")
        .html("<p>Hi + é</p>")
        .subject("S");
    let mut calls = compose(&Policy::default(), "k", [request]);
    assert_eq!(
        calls.next().unwrap().unwrap().body(),
        r#"{"ApiKey":"k","requests":[{"subject":"S","body":"%3Cp%3EHi+%2B+%C3%A9%3C%2Fp%3E","to":"t@example.com","cc":"c@example.com","bcc":"b@example.com","from":"f@example.com","fromName":"N","replyTo":"r@example.com","customField":"c","trackOpens":"1","trackClicks":"0"}]}"#
    );
}

#[test]
fn every_form_of_a_flag_is_written_as_the_operation_types_it() {
    for (given, on) in [
        ("true", 1),
        ("1", 1),
        (r#""1""#, 1),
        ("false", 0),
        ("0", 0),
        (r#""0""#, 0),
    ] {
        let fields = format!(r#"{{"trackOpens":{given},"trackClicks":{given}}}"#);
        assert_eq!(
            send_mailer(&fields).unwrap(),
            format!(r#"{{"trackOpens":{on},"trackClicks":{on}}}"#)
        );
        assert_eq!(
            one_request(&fields).unwrap(),
            format!(r#"{{"trackOpens":"{on}","trackClicks":"{on}"}}"#)
        );
    }
}

#[test]
fn an_absent_field_is_left_out() {
    assert_eq!(
        send_mailer(r#"{"apiKey":null,"city":null,"trackOpens":null}"#).unwrap(),
        "{}"
    );
    assert_eq!(
        send_mailer(r#"{"trackOpens":"","trackClicks":" \u3000"}"#).unwrap(),
        "{}"
    );
    assert_eq!(
        one_request(r#"{"subject":null,"body":null}"#).unwrap(),
        "{}"
    );
    assert_eq!(
        http_send_mail(r#"{"requests":[{}]}"#).unwrap(),
        [r#"{"requests":[{}]}"#],
        "a missing key is content, and not judged"
    );
}

#[test]
fn an_empty_text_is_written_since_a_service_may_clear_a_stored_value_by_it() {
    assert_eq!(
        send_mailer(r#"{"city":"","state":" "}"#).unwrap(),
        r#"{"city":"","state":" "}"#
    );
    assert_eq!(
        one_request(r#"{"body":" ","cc":""}"#).unwrap(),
        r#"{"body":"+","cc":""}"#
    );
    assert_eq!(
        SendMailerRequest::default().city("").compose(),
        r#"{"city":""}"#
    );
}

#[test]
fn characters_that_are_not_ascii_stay_as_they_are_and_controls_are_escaped() {
    let city = "\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f} é😀\u{2028}";
    assert_eq!(
        SendMailerRequest::default().city(city).compose(),
        "{\"city\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f} é😀\u{2028}\"}"
    );
}

#[test]
fn texts_and_ids_are_written_as_they_were_given_digit_for_digit() {
    for value in [
        "411001",
        r#""411001""#,
        "0",
        "-5",
        "18446744073709551615",
        "-9223372036854775808",
        r#""007""#,
        r#""99999999999999999999.50""#,
    ] {
        for field in ["mailerID", "subID", "pinCode", "from", "apiKey"] {
            let fields = format!(r#"{{"{field}":{value}}}"#);
            assert_eq!(send_mailer(&fields).unwrap(), fields);
        }
        let fields = format!(r#"{{"subject":{value},"body":{value}}}"#);
        assert_eq!(one_request(&fields).unwrap(), fields);
    }
}

#[test]
fn both_spellings_of_a_field_are_read_and_the_operations_own_is_written() {
    assert_eq!(
        send_mailer(r#"{"subid":7,"ApiKey":"k"}"#).unwrap(),
        r#"{"apiKey":"k","subID":7}"#
    );
    assert_eq!(
        http_send_mail(r#"{"requests":[{"replyto":"r"}],"apiKey":"k"}"#).unwrap(),
        [r#"{"ApiKey":"k","requests":[{"replyTo":"r"}]}"#]
    );
}

#[test]
fn content_is_not_judged() {
    let fields = r#"{"apiKey":" ","mailerID":0,"fromName":"a\nb","subID":"x","email":"nobody","birthday":"never"}"#;
    assert_eq!(send_mailer(fields).unwrap(), fields);
    let fields = r#"{"subject":"{{name}}","to":"nobody","from":"@"}"#;
    assert_eq!(one_request(fields).unwrap(), fields);
}

#[test]
fn html_is_encoded_once_even_if_it_looks_encoded() {
    assert_eq!(
        one_request(r#"{"body":"%3Cp%3E"}"#).unwrap(),
        r#"{"body":"%253Cp%253E"}"#
    );
}

// The limits of a call

#[test]
fn a_call_carries_up_to_1000_requests() {
    for (count, lengths) in [
        (0, &[][..]),
        (1, &[1]),
        (999, &[999]),
        (1000, &[1000]),
        (1001, &[1000, 1]),
        (2000, &[1000, 1000]),
        (2001, &[1000, 1000, 1]),
    ] {
        let requests = vec![with_subject("s"); count];
        let calls: Vec<ComposedCall> = compose(&Policy::default(), "k", requests)
            .map(Result::unwrap)
            .collect();
        let carried: Vec<usize> = calls.iter().map(|call| call.requests().len()).collect();
        assert_eq!(carried, lengths, "{count}");
        let mut next = 0;
        for call in &calls {
            assert_eq!(call.requests().start, next);
            next = call.requests().end;
            assert_eq!(call.body(), body(&vec!["s"; call.requests().len()]));
        }
        assert_eq!(next, count);
    }
}

#[test]
fn a_call_has_exactly_max_bytes_or_fewer() {
    let two = body(&["ab", "c"]);
    let room = two.len() as u64;
    assert_eq!(calls(&policy(1000, room), &["ab", "c"]).unwrap(), [two]);
    assert_eq!(
        calls(&policy(1000, room - 1), &["ab", "c"]).unwrap(),
        [body(&["ab"]), body(&["c"])]
    );
    let one = body(&["ab"]);
    let room = one.len() as u64;
    assert_eq!(calls(&policy(1000, room), &["ab"]).unwrap(), [one]);
    assert!(calls(&policy(1000, room - 1), &["ab"]).is_err());
}

#[test]
fn bytes_are_counted_as_they_are_written() {
    for (subject, written) in [("é", "é"), ("😀", "😀"), ("\n", "\\n"), ("\0", "\\u0000")] {
        let exact = body(&[written]);
        let room = exact.len() as u64;
        assert_eq!(calls(&policy(1000, room), &[subject]).unwrap(), [exact]);
        assert!(
            calls(&policy(1000, room - 1), &[subject]).is_err(),
            "{written}"
        );
    }
    let encoded = format!(r#"{HEAD}{{"body":"%3C%C3%A9+%0A"}}{TAIL}"#);
    let room = encoded.len() as u64;
    let composed = |room| {
        let request = HttpSendMailRequest::new().html("<é \n");
        compose(&policy(1000, room), "k", [request]).next().unwrap()
    };
    assert_eq!(composed(room).unwrap().body(), encoded);
    assert!(composed(room - 1).is_err());
}

#[test]
fn the_default_limit_is_32_mb_to_the_byte() {
    let room = 33_554_432 - body(&["", ""]).len();
    let long = "s".repeat(room - 5);
    let both = calls(&Policy::default(), &[&long, "12345"]).unwrap();
    assert_eq!(
        both.iter().map(String::len).collect::<Vec<_>>(),
        [33_554_432]
    );
    assert_eq!(
        calls(&Policy::default(), &[&long, "123456"]).unwrap().len(),
        2
    );
    let alone = "s".repeat(33_554_432 - body(&[""]).len());
    assert_eq!(calls(&Policy::default(), &[&alone]).unwrap().len(), 1);
    let too_long = format!("{alone}s");
    assert_eq!(
        calls(&Policy::default(), &["s", &too_long])
            .unwrap_err()
            .request(),
        Some(1)
    );
}

#[test]
fn no_requests_make_no_call() {
    assert_eq!(calls(&Policy::default(), &[]).unwrap(), [""; 0]);
    assert_eq!(
        http_send_mail(r#"{"ApiKey":"k","requests":[]}"#).unwrap(),
        [""; 0]
    );
    // That holds even if no request would fit.
    assert_eq!(calls(&policy(1, 1), &[]).unwrap(), [""; 0]);
}

#[test]
fn a_request_too_large_for_any_call_is_named_and_no_calls_are_returned() {
    let room = body(&["four"]).len() as u64;
    let hopeless = "x".repeat(1000);
    for (subjects, index) in [
        (&["fiver"][..], 0),
        (&["a", "fiver"], 1),
        (&["four", "four", "a", "fiver", "a", "sixsix"], 3),
        // The long request is refused before it is written.
        (&["a", &hopeless, "a"], 1),
    ] {
        let error = calls(&policy(1000, room), subjects).unwrap_err();
        assert_eq!(
            error,
            ComposeError::RequestTooLarge {
                request: index,
                max_bytes: room
            }
        );
        assert_eq!(error.request(), Some(index));
        assert!(
            error
                .to_string()
                .starts_with(&format!("request {index} fits in no call"))
        );
    }
}

#[test]
fn a_key_that_leaves_no_room_is_reported_with_the_first_request() {
    let key = "k".repeat(40);
    let mut calls = compose(&policy(1, 40), &key, [HttpSendMailRequest::new()]);
    assert_eq!(calls.next().unwrap().unwrap_err().request(), Some(0));
}

#[test]
fn one_by_one_all_requests_before_the_one_that_does_not_fit_are_carried_and_none_after() {
    let policy = policy(2, body(&["a", "a"]).len() as u64);
    let subjects = ["a", "a", "a", "a much longer subject than that", "a"];
    let mut calls = compose(&policy, "k", subjects.map(with_subject));
    assert_eq!(calls.next().unwrap().unwrap().requests(), 0..2);
    assert_eq!(calls.next().unwrap().unwrap().requests(), 2..3);
    assert_eq!(calls.next().unwrap().unwrap_err().request(), Some(3));
    assert!(calls.next().is_none());
    assert!(calls.next().is_none());
}

#[test]
fn calls_are_composed_one_at_a_time_even_from_endless_requests() {
    let mut taken = 0;
    let requests = std::iter::repeat_with(|| {
        taken += 1;
        with_subject("s")
    });
    let calls = compose(&policy(3, 1000), "k", requests).take(2);
    let carried: usize = calls.map(|call| call.unwrap().requests().len()).sum();
    assert_eq!(
        (carried, taken),
        (6, 6),
        "no request is taken before its call is asked for"
    );
}

#[test]
fn composed_calls_have_no_violations() {
    let request = SendMailerRequest::new("k", 1)
        .email("a@example.com")
        .pin_code("411001");
    let body = request.compose();
    let preflight = Preflight::new(&Policy::default(), Operation::SendMailer, body.as_bytes());
    assert!(preflight.is_clean() && preflight.warnings().next().is_none());
    let request = HttpSendMailRequest::new()
        .subject("Hi")
        .html("https://example.com")
        .to("a@example.com")
        .from("shop@example.com");
    for call in compose(&Policy::default(), "k", [request]) {
        let body = call.unwrap().into_body();
        let preflight =
            Preflight::new(&Policy::default(), Operation::HttpSendMail, body.as_bytes());
        assert!(preflight.is_clean());
        // The one warning is that the operation is deprecated, not that the HTML was plain.
        assert_eq!(preflight.warnings().count(), 1);
    }
}

// Errors

#[test]
fn a_text_that_is_not_a_json_object_is_an_error() {
    for fields in [
        "",
        "{",
        "{} {}",
        "{\"city\":\"\\ud800\"}",
        "{\"city\":01}",
        "\u{feff}{}",
    ] {
        let error = send_mailer(fields).unwrap_err();
        assert!(matches!(error, ComposeError::NotJson { .. }), "{fields}");
    }
    for fields in ["[]", "null", "1", "\"{}\""] {
        assert_eq!(
            send_mailer(fields).unwrap_err(),
            ComposeError::NotObject,
            "{fields}"
        );
        assert_eq!(
            http_send_mail(fields).unwrap_err(),
            ComposeError::NotObject,
            "{fields}"
        );
    }
    assert_eq!(
        send_mailer("{\n\"city\": x}").unwrap_err().to_string(),
        "the fields are not JSON: reading stopped at line 2, column 9"
    );
}

#[test]
fn requests_that_are_not_an_array_are_an_error() {
    for fields in [
        r#"{"ApiKey":"k"}"#,
        r#"{"requests":null}"#,
        r#"{"requests":{}}"#,
        r#"{"requests":"[]"}"#,
    ] {
        assert_eq!(
            http_send_mail(fields).unwrap_err(),
            ComposeError::RequestsNotArray,
            "{fields}"
        );
    }
}

#[test]
fn an_entry_that_is_not_an_object_is_named() {
    for entry in ["null", "[]", "1", "\"\""] {
        let fields = format!(r#"{{"requests":[{{}},{entry}]}}"#);
        let error = http_send_mail(&fields).unwrap_err();
        assert_eq!(error, ComposeError::RequestNotObject { request: 1 });
    }
}

#[test]
fn a_field_that_the_interface_does_not_have_there_is_named() {
    for (fields, request, name) in [
        (r#"{"requests":[],"mailerID":1}"#, None, "mailerID"),
        (r#"{"requests":[{},{"ApiKey":"k"}]}"#, Some(1), "ApiKey"),
        (r#"{"requests":[{"replyTO":"r"}]}"#, Some(0), "replyTO"),
        (r#"{"requests":[{"html":null}]}"#, Some(0), "html"),
    ] {
        let error = http_send_mail(fields).unwrap_err();
        assert_eq!(
            error,
            ComposeError::UnknownField {
                request,
                name: name.into()
            }
        );
        assert!(error.to_string().contains(name));
        assert_eq!(error.field(), Some(name));
    }
    assert_eq!(
        send_mailer(r#"{"mailerId":1}"#).unwrap_err().field(),
        Some("mailerId")
    );
}

#[test]
fn a_field_given_twice_is_named_also_in_two_spellings_or_when_one_is_null() {
    for fields in [
        r#"{"subID":1,"subid":1}"#,
        r#"{"subID":null,"subID":1}"#,
        r#"{"subID":1,"su\u0062ID":null}"#,
    ] {
        let error = send_mailer(fields).unwrap_err();
        assert_eq!(
            error,
            ComposeError::RepeatedField {
                request: None,
                field: "subID"
            }
        );
    }
    let error = http_send_mail(r#"{"requests":[{"replyto":"","replyTo":""}]}"#).unwrap_err();
    assert_eq!(
        error,
        ComposeError::RepeatedField {
            request: Some(0),
            field: "replyTo"
        }
    );
    for (fields, field) in [
        (r#"{"requests":[],"requests":[]}"#, "requests"),
        (r#"{"requests":[],"apiKey":"k","ApiKey":null}"#, "ApiKey"),
    ] {
        let error = http_send_mail(fields).unwrap_err();
        assert_eq!(
            error,
            ComposeError::RepeatedField {
                request: None,
                field
            }
        );
    }
}

#[test]
fn a_value_of_a_type_that_the_field_does_not_take_is_an_error_that_names_the_field() {
    for (field, values) in [
        (
            "city",
            &[
                "true",
                "[]",
                "{}",
                "1.50",
                "1e2",
                "18446744073709551616",
                "-0",
            ][..],
        ),
        ("mailerID", &["false", "[1]", "4.2"]),
        ("subID", &["true", "{}"]),
        ("apiKey", &["true", "[\"k\"]"]),
        (
            "trackOpens",
            &["2", "-1", "1.0", "\"true\"", "\"01\"", "[]", "{}"],
        ),
    ] {
        for value in values {
            let error = send_mailer(&format!(r#"{{"{field}":{value}}}"#)).unwrap_err();
            assert!(
                matches!(error, ComposeError::WrongType { .. }),
                "{field} {value}"
            );
            assert_eq!((error.request(), error.field()), (None, Some(field)));
        }
    }
    assert_eq!(
        one_request(r#"{"trackOpens":"yes"}"#)
            .unwrap_err()
            .to_string(),
        r#"request 0: trackOpens has a wrong type: give true, false, 0, 1, "0" or "1""#
    );
    let error = http_send_mail(r#"{"ApiKey":[],"requests":[]}"#).unwrap_err();
    assert_eq!(error.field(), Some("ApiKey"));
}

#[test]
fn endless_brackets_are_an_error_and_do_not_overflow_the_stack() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let nested = format!("{}1{}", open.repeat(1_000_000), close.repeat(1_000_000));
        assert!(send_mailer(&nested).is_err());
        assert!(send_mailer(&format!(r#"{{"city":{nested}}}"#)).is_err());
        assert!(http_send_mail(&format!(r#"{{"requests":{nested}}}"#)).is_err());
        assert!(http_send_mail(&format!(r#"{{"requests":[{{"to":{nested}}}]}}"#)).is_err());
    }
}

#[test]
fn nothing_that_was_given_shows_in_debug_or_in_an_error() {
    const SECRET: &str = "secret@example.com";
    let mailer = SendMailerRequest::new(SECRET, 987_654).email(SECRET);
    assert_eq!(
        format!("{mailer:?}"),
        r#"SendMailerRequest { fields: {"apiKey", "mailerID", "email"} }"#
    );
    let request = HttpSendMailRequest::new().html(SECRET).to(SECRET);
    assert_eq!(
        format!("{request:?}"),
        r#"HttpSendMailRequest { fields: {"body", "to"} }"#
    );
    let mut calls = compose(&Policy::default(), SECRET, [request]);
    let call = calls.next().unwrap().unwrap();
    assert!(!format!("{call:?}").contains("secret"));
    let fields = format!(r#"{{"ApiKey":"{SECRET}","requests":[{{}}]}}"#);
    assert_eq!(
        format!("{:?}", HttpSendMailRequests::from_json(&fields).unwrap()),
        "HttpSendMailRequests { requests: 1, .. }"
    );

    let quoted = format!("{SECRET:?}");
    for fields in [
        format!(r#"{{{quoted}:1}}"#),
        format!(r#"{{"trackOpens":{quoted}}}"#),
        format!(r#"{{"city":[{quoted}]}}"#),
        format!(r#"{{"city":{quoted} {quoted}}}"#),
        format!(r#"{{{quoted}:1,{quoted}:2}}"#),
    ] {
        let error = send_mailer(&fields).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"), "{error}");
    }
}
