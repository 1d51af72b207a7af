use super::*;

fn masked(text: &str, masked: Masked) -> String {
    let mut bytes = text.as_bytes().to_vec();
    body(&mut bytes, masked);
    assert_eq!(bytes.len(), text.len());
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_value_and_every_foreign_name_is_masked_in_its_place() {
    assert_eq!(
        masked(
            r#"{"apiKey": "k3y", "email":"Ada.L@x.example", "subID": 712, "Ada": [true, "ü\u00e9\n"]}"#,
            Masked::All
        ),
        r#"{"apiKey": "x0x", "email":"xxx.x@x.xxxxxxx", "subID": 000, "xxx": [true, "xx\u0078\n"]}"#
    );
}

#[test]
fn a_body_that_is_not_json_is_masked_as_well() {
    for (body, expected) in [
        ("apiKey=s3cret&to=a@b", "xxxxxx=x0xxxx&xx=x@x"),
        (r#"{"apiKey": "never ends \"#, r#"{"xxxxxx": "xxxxx xxxx \"#),
        (r#"{"to": tru, "x": "\u00e"#, r#"{"to": xxx, "x": "\u007"#),
        ("", ""),
    ] {
        // A name is recognized even if its value has no end.
        let expected = expected.replace(r#"{"xxxxxx": "#, r#"{"apiKey": "#);
        assert_eq!(masked(body, Masked::All), expected);
    }
}

#[test]
fn a_key_alone_is_masked_wherever_and_however_it_is_written() {
    for (body, expected) in [
        (
            r#"{"apiKey":"k 1","to":"a@b.example"}"#,
            r#"{"apiKey":"x 0","to":"a@b.example"}"#,
        ),
        (
            r#"{"requests":[{"ApiKey" : "k"}],"\u0061piKey":{"k":["v",1]},"to":"a"}"#,
            r#"{"requests":[{"ApiKey" : "x"}],"\u0061piKey":{"x":["x",1]},"to":"a"}"#,
        ),
        (
            r#"{"apiKey":-12.50e+3,"subID":712}"#,
            r#"{"apiKey":-11.11e+1,"subID":712}"#,
        ),
        (r#"{"apiKey":"k"#, r#"{"apiKey":"x"#),
    ] {
        assert_eq!(masked(body, Masked::Key), expected);
    }
}

#[test]
fn a_pointer_keeps_the_names_of_the_interface() {
    assert_eq!(pointer("/requests/0/to"), "/requests/0/to");
    assert_eq!(pointer("/Ada~1/0"), "/xxx~0/0");
    assert_eq!(pointer(""), "");
}
