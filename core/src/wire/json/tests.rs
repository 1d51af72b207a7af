//! The reader against `serde_json`, on generated and mutated JSON, and by the classes of what it refuses.
//!
//! Where the two differ by design: `serde_json` takes 127 levels and we 128, it refuses numbers that are too large for
//! a float, and it does not skip a byte-order mark. Names that stand twice are no error to either.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::*;
use crate::wire::field::SendMailerField;
use crate::wire::send_mailer::SendMailerBody;
use crate::wire::value::text;

/// What `serde_json` reads, with every member of every object.
#[derive(Debug, PartialEq)]
enum Node {
    Scalar(serde_json::Value),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        struct Nodes;
        impl<'de> Visitor<'de> for Nodes {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_unit<E>(self) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(serde_json::Value::Null))
            }
            fn visit_bool<E>(self, value: bool) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_str<E>(self, value: &str) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut access: A,
            ) -> core::result::Result<Node, A::Error> {
                let mut items = vec![];
                while let Some(item) = access.next_element()? {
                    items.push(item);
                }
                Ok(Node::Array(items))
            }
            fn visit_map<A: MapAccess<'de>>(
                self,
                mut access: A,
            ) -> core::result::Result<Node, A::Error> {
                let mut members = vec![];
                while let Some(member) = access.next_entry()? {
                    members.push(member);
                }
                Ok(Node::Object(members))
            }
        }
        deserializer.deserialize_any(Nodes)
    }
}

impl Node {
    /// How many names stand twice or more in one object, at any depth, two spellings of one of the top level's
    /// fields counted as one.
    fn repeated(&self, is_top: bool) -> usize {
        match self {
            Self::Scalar(_) => 0,
            Self::Array(items) => items.iter().map(|item| item.repeated(false)).sum(),
            Self::Object(members) => {
                let mut counts: BTreeMap<String, usize> = BTreeMap::new();
                for (name, _) in members {
                    let field = SendMailerField::find(name.as_bytes()).filter(|_| is_top);
                    let name = field.map_or(name.as_str(), |(field, _)| field.name());
                    *counts.entry(name.to_string()).or_default() += 1;
                }
                let own = counts.values().filter(|count| **count > 1).count();
                own + members
                    .iter()
                    .map(|(_, value)| value.repeated(false))
                    .sum::<usize>()
            }
        }
    }

    /// A field's first value that is not absent, else its first; none when it is not there.
    fn field(&self, field: SendMailerField) -> Option<&Self> {
        let Self::Object(members) = self else {
            return None;
        };
        let own = || {
            let own = members.iter().filter(move |(name, _)| {
                SendMailerField::find(name.as_bytes()).is_some_and(|(found, _)| found == field)
            });
            own.map(|(_, value)| value)
        };
        own()
            .find(|value| !value.is_absent())
            .or_else(|| own().next())
    }

    fn is_absent(&self) -> bool {
        match self {
            Self::Scalar(serde_json::Value::Null) => true,
            Self::Scalar(serde_json::Value::String(text)) => text.chars().all(char::is_whitespace),
            _ => false,
        }
    }
}

/// A small generator of numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

const SPACES: [&str; 8] = ["", "", "", "", " ", "\n", "\t\r", "  "];
const PARTS: [&str; 24] = [
    "a",
    "b",
    " ",
    "0",
    "\u{e9}",
    "\u{1f600}",
    "\u{3000}",
    "\\n",
    "\\u0041",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\t",
    "\\u0000",
    "\\u2028",
    "\\u3000",
    "/",
    ",",
    "{",
    "abcdefghijklmnopqrst",
];
const NAMES: [&str; 12] = [
    "apiKey",
    "ApiKey",
    "subID",
    "subid",
    "email",
    "\\u0065mail",
    "city",
    "extra1",
    "x",
    "y",
    "x\\u0079",
    "",
];
const NUMBERS: [&str; 12] = [
    "0",
    "-0",
    "7",
    "12.5",
    "-1e5",
    "1E+2",
    "0.0",
    "9223372036854775807",
    "9223372036854775808",
    "1e-400",
    "123456789012345678901234567890",
    "2.50",
];

fn string(random: &mut Random, out: &mut String) {
    out.push('"');
    for _ in 0..random.below(6) {
        out.push_str(random.of(&PARTS));
    }
    out.push('"');
}

fn value(random: &mut Random, depth: usize, out: &mut String) {
    out.push_str(random.of(&SPACES));
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => out.push_str("null"),
        1 => out.push_str(random.of(&["true", "false"])),
        2 => out.push_str(random.of(&NUMBERS)),
        3..=5 => string(random, out),
        6 | 7 => object(random, depth - 1, out),
        _ => {
            out.push('[');
            for index in 0..random.below(4) {
                if index > 0 {
                    out.push(',');
                }
                value(random, depth - 1, out);
            }
            out.push_str(random.of(&SPACES));
            out.push(']');
        }
    }
    out.push_str(random.of(&SPACES));
}

fn object(random: &mut Random, depth: usize, out: &mut String) {
    out.push('{');
    out.push_str(random.of(&SPACES));
    for index in 0..random.below(6) {
        if index > 0 {
            out.push(',');
        }
        out.push_str(random.of(&SPACES));
        out.push('"');
        out.push_str(random.of(&NAMES));
        out.push('"');
        out.push_str(random.of(&SPACES));
        out.push(':');
        value(random, depth, out);
    }
    out.push('}');
}

fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    const BYTES: &[u8] = b"\"\\{}[]:,0123456789eE+-. \n\t\r\0\x1f\x7f\x80\xbf\xc0\xc3\xe2\xed\xf0\xf5\xffunltrfaisd/b";
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() + 1);
        let byte = BYTES[random.below(BYTES.len())];
        match random.below(4) {
            0 => text.insert(at, byte),
            1 if at < text.len() => drop(text.remove(at)),
            2 if at < text.len() => text[at] = byte,
            _ => text.truncate(at),
        }
    }
}

/// Reads both ways and compares. `false` when the two differ by design.
fn compare(text: &[u8]) -> bool {
    let ours = read(text);
    let theirs: core::result::Result<Node, _> = serde_json::from_slice(text);
    let about = || format!("{:?}\n{ours:?}\n{theirs:?}", String::from_utf8_lossy(text));
    let theirs = match &theirs {
        Ok(node @ Node::Object(_)) => node,
        Ok(_) => {
            assert_eq!(
                ours.as_ref().unwrap_err().reason,
                SyntaxReason::NotObject,
                "{}",
                about()
            );
            return true;
        }
        Err(error) => {
            let by_design = ["out of range", "recursion limit"];
            let message = error.to_string();
            if by_design.iter().any(|reason| message.contains(reason))
                || text.starts_with(b"\xef\xbb\xbf")
            {
                return false;
            }
            assert!(ours.is_err(), "{}", about());
            assert!(ours.as_ref().unwrap_err().at <= text.len(), "{}", about());
            // The first error, though strings with escapes are checked last.
            let mut in_order = SendMailerBody::default();
            let in_order = in_order.read_members::<false>(text);
            assert_eq!(ours.as_ref().err(), in_order.as_ref().err(), "{}", about());
            return true;
        }
    };
    let Ok(body) = &ours else {
        panic!("refused: {}", about());
    };
    assert_eq!(body.repeats.len(), theirs.repeated(true), "{}", about());
    assert!(
        body.repeats.windows(2).all(|pair| pair[0] < pair[1]),
        "{}",
        about()
    );
    // The places of repeats are those of values.
    for offset in &body.repeats {
        let mut reader = Reader::at(text, *offset as usize);
        reader.value(0, &mut Repeats::default()).unwrap();
    }
    let object: Node = serde_json::from_slice(&text[body.object.span()]).unwrap();
    assert_eq!(object, *theirs, "{}", about());
    for field in SendMailerField::ALL {
        let ours = body.get(*field);
        let theirs = theirs.field(*field);
        assert_eq!(ours.is_there(), theirs.is_some(), "{field:?} {}", about());
        let Some(theirs) = theirs else {
            continue;
        };
        assert_eq!(
            ours.is_absent(),
            theirs.is_absent(),
            "{field:?} {}",
            about()
        );
        let span = &text[ours.span()];
        let read: Node = serde_json::from_slice(span).unwrap();
        assert_eq!(read, *theirs, "{field:?} {}", about());
        let is_spaced = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\n' | b'\r' | b'\t'));
        assert!(
            !is_spaced(span.first()) && !is_spaced(span.last()),
            "{}",
            about()
        );
        match theirs {
            Node::Scalar(serde_json::Value::String(string)) if !ours.is_absent() => {
                assert_eq!(text_of(ours, text), Some(string.clone()), "{}", about());
            }
            Node::Scalar(serde_json::Value::Number(_)) => {
                // Digit for digit as written.
                assert_eq!(text_of(ours, text).unwrap().as_bytes(), span, "{}", about());
            }
            _ => {}
        }
    }
    true
}

fn text_of(value: Value, body: &[u8]) -> Option<String> {
    text(value, body).map(Cow::into_owned)
}

#[test]
fn generated_json_is_read_as_serde_json_reads_it() {
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..8_000 {
        let mut text = String::new();
        object(&mut random, 4, &mut text);
        compared += usize::from(compare(text.as_bytes()));
    }
    assert!(compared > 7_900, "{compared}");
}

#[test]
fn mutated_json_is_accepted_or_refused_as_serde_json_does() {
    let mut random = Random(2);
    let (mut compared, mut accepted) = (0, 0);
    for _ in 0..40_000 {
        let mut text = String::new();
        object(&mut random, 2, &mut text);
        let mut text = text.into_bytes();
        mutate(&mut random, &mut text);
        compared += usize::from(compare(&text));
        accepted += usize::from(read(&text).is_ok());
    }
    assert!(compared > 39_000, "{compared}");
    assert!(accepted > 4_000 && accepted < 36_000, "{accepted}");
}

#[test]
fn anything_that_is_no_object_is_refused_as_such_or_by_its_syntax() {
    let mut random = Random(3);
    for _ in 0..4_000 {
        let mut text = String::new();
        value(&mut random, 2, &mut text);
        compare(text.as_bytes());
    }
}

fn read(text: &[u8]) -> core::result::Result<SendMailerBody, SyntaxError> {
    let mut body = SendMailerBody::default();
    body.read(text).map(|()| body)
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
    // The depth counts what is open, not how much there is.
    let wide = format!("{{\"a\":[{}[]]}}", "[],".repeat(1000));
    assert!(read(wide.as_bytes()).is_ok());
}

#[test]
fn the_depth_is_counted_alike_inside_requests() {
    use crate::wire::http_send_mail::HttpSendMailBody;
    // The body, the array and the request are three.
    for (inside, is_read) in [(125, true), (126, false)] {
        for before in ["\"x\":", "\"subject\":"] {
            let deep = format!("{}{}", "[".repeat(inside), "]".repeat(inside));
            let text = format!("{{\"requests\":[{{{before}{deep}}}]}}");
            assert_eq!(
                HttpSendMailBody::read(text.as_bytes(), 1000).is_ok(),
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
    // U+007F and above are no business of JSON's.
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
        // Behind texts of several lengths, because long texts are read in larger steps.
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
fn what_json_extensions_allow_is_refused() {
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
fn escapes_are_read_and_checked_wherever_they_stand_in_a_string() {
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
                    let found = read.text(field as usize, json.as_bytes());
                    assert_eq!(found.as_deref(), Some(&*text), "{json}");
                }
            }
            for escape in bad {
                for end in ["", r"\/"] {
                    let (json, _) = body(escape, end);
                    let found = read(json.as_bytes()).map(drop);
                    let in_order = SendMailerBody::default().read_members::<false>(json.as_bytes());
                    assert!(found.is_err(), "{json}");
                    assert_eq!(found, in_order, "{json}");
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
                "what stands behind the stop does not count"
            );
            if length > 0 {
                text[length - 1] = 0xc3;
                assert_eq!(end_of_plain(&text, 0), (length, false));
            }
        }
    }
}
