//! The bodies of composed calls.

use franking::{HttpSendMailRequest, Operation, Policy, Preflight, SendMailerRequest, compose};

use super::{http_send_mail, one_request, send_mailer};

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
