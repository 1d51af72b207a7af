//! The JSON forms of a host's answers are objects with named members. Nothing else is accepted in their place.

use franking::{Account, Commit, Facts, HostAnswer, JsonAnswerError};

fn is_form_error(text: &str) -> bool {
    matches!(HostAnswer::from_json(text), Err(JsonAnswerError::Form(_)))
}

#[test]
fn what_is_left_out_has_its_default() {
    let read = |text| HostAnswer::from_json(text).unwrap();
    assert_eq!(read(r#"{"account":null}"#), HostAnswer::Account(None));
    assert_eq!(
        read(r#"{"account":{}}"#),
        HostAnswer::Account(Some(Account::default()))
    );
    assert_eq!(read(r#"{"facts":{}}"#), HostAnswer::Facts(Facts::default()));
    assert_eq!(
        read(r#"{"commit":{"transaction_id":1.5}}"#),
        HostAnswer::Commit(Commit::Done { transaction_id: 0 })
    );
}

#[test]
fn an_array_of_values_is_not_accepted_as_an_object() {
    for text in [
        r#"{"account":[]}"#,
        r#"{"account":[true,false,false,null,null]}"#,
        r#"{"facts":[]}"#,
        r#"{"facts":[[],[],[],[],[],[]]}"#,
        r#"{"facts":{"mailers":[["a@x.example",null,false]]}}"#,
        r#"{"facts":{"subscribers":[[7,"a@x.example",false,false]]}}"#,
        r#"{"facts":{"subscriber_ids":[[7,"a@x.example",false,false]]}}"#,
        r#"{"commit":[5]}"#,
        r#"["account"]"#,
    ] {
        assert!(is_form_error(text), "{text}");
    }
}

#[test]
fn the_reason_names_what_was_expected_and_not_what_was_given() {
    for text in [
        r#"{"account":"secret"}"#,
        r#"{"account":{"blocked":"secret"}}"#,
        r#"{"facts":{"subscribers":["secret"]}}"#,
        r#"{"facts":{"subscribers":[{"id":"secret"}]}}"#,
        r#"{"facts":{"domains":[["secret"]]}}"#,
        r#"{"commit":{"conflict":"secret"}}"#,
    ] {
        let error = HostAnswer::from_json(text).unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }
}
