//! Texts and values of which no call can be composed.

use franking::{
    ComposeError, HttpSendMailRequest, HttpSendMailRequests, Policy, SendMailerRequest, compose,
};

use super::{http_send_mail, one_request, send_mailer};

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
