//! The kinds of JSON that the reader accepts and refuses. The module `both` compares it with `serde_json`.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::plain::end_of_plain;
use super::*;
use crate::http_send_mail::Content;
use crate::policy::Policy;
use crate::send_mailer::Body as SendMailerBody;
use crate::wire::field::{Field as _, SendMailerField};
use crate::wire::object::first_error;
use crate::wire::value::text;

mod both;
mod generated;

use generated::{Random, string};

fn text_of(value: Value, body: &[u8]) -> Option<String> {
    let sent = core::str::from_utf8(body).unwrap();
    text(value, sent).map(Cow::into_owned)
}

fn read(text: &[u8]) -> core::result::Result<SendMailerBody, SyntaxError> {
    let Ok(sent) = core::str::from_utf8(text) else {
        return Err(first_error(text));
    };
    let mut body = SendMailerBody::default();
    body.read(sent).map(|()| body)
}

fn refused(text: &[u8]) -> (SyntaxReason, usize) {
    let error = read(text).expect_err(&String::from_utf8_lossy(text));
    (error.reason, error.at)
}

#[test]
fn at_most_128_objects_and_arrays_are_open_at_once_the_body_included() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for inside in [126, 127] {
            let text = format!("{{\"a\":{}0{}}}", open.repeat(inside), close.repeat(inside));
            assert!(read(text.as_bytes()).is_ok(), "{open} {inside}");
        }
        let text = format!("{{\"a\":{}0{}}}", open.repeat(128), close.repeat(128));
        let (reason, at) = refused(text.as_bytes());
        assert_eq!((reason, at), (SyntaxReason::TooDeep, 5 + 127 * open.len()));
    }
    // The depth is the number of containers that are open at once, not the number of containers.
    let wide = format!("{{\"a\":[{}[]]}}", "[],".repeat(1000));
    assert!(read(wide.as_bytes()).is_ok());
}

#[test]
fn the_depth_is_counted_alike_inside_requests() {
    // The body, the array and the request are three levels.
    for (inside, is_read) in [(125, true), (126, false)] {
        for before in ["\"x\":", "\"subject\":"] {
            let deep = format!("{}{}", "[".repeat(inside), "]".repeat(inside));
            let text = format!("{{\"requests\":[{{{before}{deep}}}]}}");
            assert_eq!(
                Content::read(&text, &Policy::default()).is_ok(),
                is_read,
                "{before} {inside}"
            );
        }
    }
}

#[test]
fn a_million_open_brackets_are_refused_at_the_129th() {
    let mut text = b"{\"a\":".to_vec();
    text.resize(1_000_000, b'[');
    assert_eq!(refused(&text), (SyntaxReason::TooDeep, 5 + 127));
}

#[test]
fn every_control_character_has_to_be_escaped_in_strings_and_names() {
    for control in 0..0x20_u8 {
        for (before, after) in [
            ("{\"city\":\"ab", "\"}"),
            ("{\"ab", "\":0}"),
            ("{\"a\":[\"", "\"]}"),
        ] {
            let mut text = before.as_bytes().to_vec();
            text.push(control);
            text.extend_from_slice(after.as_bytes());
            assert_eq!(
                refused(&text),
                (SyntaxReason::ControlInString, before.len()),
                "{control}"
            );
        }
        let escaped = format!("{{\"city\":\"\\u{control:04x}\"}}");
        assert!(read(escaped.as_bytes()).is_ok(), "{control}");
    }
    // JSON does not restrict U+007F and above.
    assert!(read("{\"city\":\"\u{7f}\u{80}\u{2028}\"}".as_bytes()).is_ok());
}

#[test]
fn only_space_tab_line_feed_and_carriage_return_are_white_space_between_tokens() {
    for byte in 0..=0xff_u8 {
        let text = [b"{", [byte].as_slice(), b"\"a\":0}"].concat();
        assert_eq!(
            read(&text).is_ok(),
            matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
            "{byte:#x}"
        );
        let text = [b"{}", [byte].as_slice()].concat();
        assert_eq!(
            read(&text).is_ok(),
            matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
            "{byte:#x}"
        );
    }
}

#[test]
fn every_class_of_bytes_that_are_not_utf8_is_refused_where_it_starts() {
    let classes: &[(&str, &[u8])] = &[
        ("a continuation alone", b"\x80"),
        ("the last continuation alone", b"\xbf"),
        ("two bytes, overlong", b"\xc0\x80"),
        ("two bytes, overlong", b"\xc1\xbf"),
        ("two bytes, cut", b"\xc3"),
        ("two bytes, no continuation", b"\xc3("),
        ("three bytes, overlong", b"\xe0\x80\x80"),
        ("three bytes, cut", b"\xe2\x82"),
        ("three bytes, bad continuation", b"\xe2(\xa1"),
        ("a surrogate", b"\xed\xa0\x80"),
        ("the last surrogate", b"\xed\xbf\xbf"),
        ("four bytes, overlong", b"\xf0\x80\x80\x80"),
        ("four bytes, cut", b"\xf0\x9f\x98"),
        ("above U+10FFFF", b"\xf4\x90\x80\x80"),
        ("no first byte", b"\xf5\x80\x80\x80"),
        ("no first byte", b"\xfe"),
        ("no first byte", b"\xff"),
    ];
    for (class, bytes) in classes {
        // After texts of several lengths, because long texts are read in larger steps.
        for length in [0, 1, 7, 8, 63, 64, 65, 200] {
            let plain = "p".repeat(length);
            for (before, after) in [
                ("{\"city\":\"", "\"}"),
                ("{\"", "\":0}"),
                ("{\"a\":{\"", "\":\"\"}}"),
            ] {
                let before = format!("{before}{plain}");
                let text = [before.as_bytes(), bytes, after.as_bytes()].concat();
                assert_eq!(
                    refused(&text),
                    (SyntaxReason::NotUtf8, before.len()),
                    "{class} {length}"
                );
            }
        }
        let outside = [b"{\"a\":", *bytes, b"}"].concat();
        assert!(read(&outside).is_err(), "{class}");
    }
}

#[test]
fn lone_surrogates_are_refused_and_pairs_are_one_character() {
    for text in [
        "\\ud800",
        "\\udfff",
        "\\udbff",
        "\\udc00",
        "\\ud800\\ud800",
        "\\ude00\\ud83d",
        "\\ud800x",
        "\\ud83d\\n",
        "\\ud83d\\u0041",
    ] {
        let whole = format!("{{\"city\":\"a{text}\"}}");
        assert_eq!(
            refused(whole.as_bytes()).0,
            SyntaxReason::LoneSurrogate,
            "{text}"
        );
    }
    let body = br#"{"city":"\uD83d\uDe00"}"#;
    let city = read(body).unwrap().get(SendMailerField::City);
    assert_eq!(text_of(city, body).as_deref(), Some("\u{1f600}"));
}

#[test]
fn every_escape_of_json_is_read_and_no_other() {
    for byte in 0x20..0x7f_u8 {
        let text = [b"{\"city\":\"\\", [byte].as_slice(), b"\"}"].concat();
        let is_escape = b"\"\\/bfnrt".contains(&byte);
        assert_eq!(read(&text).is_ok(), is_escape, "{:?}", byte as char);
    }
    for text in [
        "\\u", "\\u0", "\\u00g0", "\\u+041", "\\u 041", "\\U0041", "\\x41",
    ] {
        let whole = format!("{{\"city\":\"{text}\"}}");
        assert_eq!(
            refused(whole.as_bytes()).0,
            SyntaxReason::BadEscape,
            "{text}"
        );
    }
    let body = br#"{"city":"\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC"}"#;
    let city = read(body).unwrap().get(SendMailerField::City);
    assert_eq!(
        text_of(city, body).as_deref(),
        Some("\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{20ac}")
    );
}

#[test]
fn an_ill_formed_escape_is_the_first_error_on_both_operations_whatever_follows() {
    for (before, after) in [
        (r#"{"ApiKey":"k"#, r#"","requests":[{"subject":tru}]}"#),
        (r#"{"requests":[{"subject":"s"#, r#"","to":"a"}]}"#),
        (r#"{"requests":[{"subject":"s"#, r#"","to":tru}]}"#),
        (r#"{"requests":[{"subject":"s"#, r#"","to":"\ud800"},{}"#),
        (r#"{"requests":[{"x":"s"#, r#"","to":"\q"}]}"#),
    ] {
        let text = format!("{before}\\x{after}");
        let error = Content::read(&text, &Policy::default())
            .map(drop)
            .unwrap_err();
        let expected = (SyntaxReason::BadEscape, before.len());
        assert_eq!((error.reason, error.at), expected, "{text}");
        assert_eq!(refused(text.as_bytes()), expected, "{text}");
    }
}

#[test]
fn names_are_compared_after_unescaping() {
    for text in [
        r#"{"a":0,"\u0061":0}"#,
        r#"{"\u0061":0,"a":0}"#,
        r#"{"x":{"\n":1,"\u000a":2}}"#,
        r#"{"x":[{"\ud83d\ude00":1,"😀":2}]}"#,
        r#"{"email":0,"\u0065mail":0}"#,
        r#"{"subID":null,"subi\u0064":""}"#,
        r#"{"":1,"":2}"#,
    ] {
        assert_eq!(read(text.as_bytes()).unwrap().repeats.len(), 1, "{text}");
    }
    for text in [
        r#"{"a":0,"A":0}"#,
        r#"{"a":{"b":0},"b":0}"#,
        r#"{"a":[{"b":0},{"b":0}]}"#,
        "{\"\u{e9}\":0,\"e\u{301}\":0}",
    ] {
        assert!(read(text.as_bytes()).unwrap().repeats.is_empty(), "{text}");
    }
    let body = br#"{"\u0063ity":"Pune"}"#;
    assert_eq!(
        &body[read(body).unwrap().get(SendMailerField::City).span()],
        b"\"Pune\""
    );
}

#[test]
fn a_name_that_stands_three_times_is_one_repeat_at_its_second_value() {
    let body = br#"{"a":1,"a": 22,"a":3,"b":{"c":1,"c":2,"c":3}}"#;
    let repeats = read(body).unwrap().repeats;
    let starts: Vec<&[u8]> = repeats
        .iter()
        .map(|at| &body[*at as usize..][..1])
        .collect();
    assert_eq!(starts, [b"2", b"2"]);
}

#[test]
fn numbers_are_written_as_json_writes_them_and_kept_digit_for_digit() {
    for number in [
        "0", "-0", "00", "01", "-", "+1", "1.", ".5", "1.5", "1e", "1e+", "1e5", "1E-5", "0x1",
        "1_0", "-01", "NaN", "Infinity", "1e99999", "0.10",
    ] {
        let text = format!("{{\"pinCode\":{number}}}");
        let is_json = serde_json::from_str::<serde_json::Value>(&text);
        let is_number = is_json.is_ok() || number == "1e99999";
        let read = read(text.as_bytes());
        assert_eq!(read.is_ok(), is_number, "{number}");
        if let Ok(body) = read {
            let value = body.get(SendMailerField::PinCode);
            assert_eq!(text_of(value, text.as_bytes()).as_deref(), Some(number));
        }
    }
    let long = format!("{{\"pinCode\":{}}}", "7".repeat(100_000));
    let value = read(long.as_bytes()).unwrap().get(SendMailerField::PinCode);
    assert_eq!(value.span().len(), 100_000);
}

#[test]
fn one_byte_order_mark_at_the_beginning_is_skipped() {
    let body = "\u{feff} {\"city\":\"x\"}";
    let city = read(body.as_bytes()).unwrap().get(SendMailerField::City);
    assert_eq!(&body.as_bytes()[city.span()], b"\"x\"");
    assert!(read("\u{feff}\u{feff}{}".as_bytes()).is_err());
    assert!(read(" \u{feff}{}".as_bytes()).is_err());
    assert!(read("{}\u{feff}".as_bytes()).is_err());
    assert!(read(b"\xef\xbb{}").is_err());
    assert!(read(b"\xff\xfe{\0}\0").is_err());
}

#[test]
fn nothing_but_white_space_may_follow_the_object() {
    assert!(read(b"{} \n\t\r").is_ok());
    for (text, at) in [
        ("{}{}", 2),
        ("{},", 2),
        ("{}null", 2),
        ("{} }", 3),
        ("{}\0", 2),
        ("{}\n/**/", 3),
    ] {
        assert_eq!(
            refused(text.as_bytes()),
            (SyntaxReason::TrailingText, at),
            "{text}"
        );
    }
}

#[test]
fn extensions_of_json_are_refused() {
    for text in [
        "{'a':1}",
        "{a:1}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":[1,]}",
        "{\"a\":[,1]}",
        "{\"a\" 1}",
        "{\"a\"::1}",
        "{\"a\":}",
        "{\"a\"}",
        "{\"a\":True}",
        "{\"a\":nul}",
        "{\"a\":nulll}",
        "{/**/}",
        "{\"a\":'1'}",
        "{\"a\":1;}",
        "{\"a\":undefined}",
        "",
    ] {
        assert!(read(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn the_characters_of_a_string_are_those_of_its_text_each_with_its_own_bytes() {
    let mut random = Random(4);
    for _ in 0..4_000 {
        let mut token = String::new();
        string(&mut random, &mut token);
        let expected: String = serde_json::from_str(&token).unwrap();
        let raw = &token.as_bytes()[1..token.len() - 1];
        let characters: Vec<_> = Characters::new(raw).collect();
        assert_eq!(
            characters
                .iter()
                .map(|(_, character)| *character)
                .collect::<String>(),
            expected,
            "{token}"
        );
        assert_eq!(unescape(raw), expected, "{token}");
        let mut end = 0;
        for (bytes, _) in characters {
            assert_eq!(bytes.start, end);
            end = bytes.end;
        }
        assert_eq!(end, raw.len());
    }
}

#[test]
fn escapes_are_read_and_checked_anywhere_in_a_string() {
    let good = [
        (r"\/", "/"),
        (r#"\""#, "\""),
        (r"\\", "\\"),
        (r"\n", "\n"),
        (r"\u0000", "\0"),
        (r"\u007f", "\x7f"),
        (r"\u0080", "\u{80}"),
        (r"\u07FF", "\u{7ff}"),
        (r"\u0800", "\u{800}"),
        (r"\uffff", "\u{ffff}"),
        (r"\ud7ff", "\u{d7ff}"),
        (r"\ue000", "\u{e000}"),
        (r"\ud83c\udf3c", "\u{1f33c}"),
    ];
    let bad = [
        r"\x",
        r"\u12",
        r"\u12g4",
        r"\ud83c",
        r"\ud83c\u0041",
        r"\udf3c",
        "\t",
        "\u{1f}",
    ];
    for before in 0..36 {
        for behind in 0..36 {
            let body = |middle: &str, end: &str| {
                let (before, behind) = (
                    "é".repeat(before / 2) + &"x".repeat(before % 2),
                    "y".repeat(behind),
                );
                let value = format!("a{before}{middle}{behind}{end}");
                (
                    format!(r#"{{"subID":1,"extra1":"{value}","extra2":"{value}"}}"#),
                    value,
                )
            };
            for (escape, character) in good {
                let (json, _) = body(escape, r"\/");
                let (_, text) = body(character, "/");
                let read = read(json.as_bytes()).unwrap();
                for field in [SendMailerField::Extra1, SendMailerField::Extra2] {
                    assert_eq!(read.text(field as usize, &json), Some(&*text), "{json}");
                }
            }
            for escape in bad {
                for end in ["", r"\/"] {
                    let (json, _) = body(escape, end);
                    assert!(read(json.as_bytes()).is_err(), "{json}");
                }
            }
        }
    }
}

#[test]
fn the_end_of_plain_text_is_found_at_every_offset_and_length() {
    for length in 0..200 {
        for stop in [b'"', b'\\', 0x1f, 0] {
            let mut text = vec![b'x'; length];
            text.push(stop);
            text.extend_from_slice(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff");
            let found = end_of_plain(&text, 0);
            assert_eq!(
                found,
                (length, true),
                "what comes after the stop does not count"
            );
            if length > 0 {
                text[length - 1] = 0xc3;
                assert_eq!(end_of_plain(&text, 0), (length, false));
            }
        }
    }
}
