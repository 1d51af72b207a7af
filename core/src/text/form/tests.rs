use super::*;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use proptest::prelude::*;

use HtmlEncoding::{Always, Detect};

#[track_caller]
fn form(text: &str, html: &str) {
    let decoded = decode(text, Detect).unwrap();
    assert_eq!(
        (decoded.html.as_ref(), decoded.encoding),
        (html, Encoding::Form)
    );
    assert_eq!(detect(text, Detect), Encoding::Form);
}

#[track_caller]
fn plain(text: &str) {
    let decoded = decode(text, Detect).unwrap();
    assert_eq!(
        (decoded.html.as_ref(), decoded.encoding),
        (text, Encoding::Plain)
    );
    assert!(matches!(decoded.html, Cow::Borrowed(_)));
    assert_eq!(detect(text, Detect), Encoding::Plain);
}

#[test]
fn a_plus_is_a_space_and_an_escape_an_octet() {
    form("%3Cp%3EHello+there%21%3C%2Fp%3E", "<p>Hello there!</p>");
    form("%3cp%3e", "<p>");
    form("1%2B1", "1+1");
    form("%00%7F", "\0\u{7f}");
    form("%C3%A9%e2%82%ac", "é€");
}

#[test]
fn a_percent_sign_without_two_hexadecimal_digits_stays() {
    form("100%", "100%");
    form("100%+sure", "100% sure");
    form("%", "%");
    form("%4", "%4");
    form("%%", "%%");
    form("%%41", "%A");
    form("%4%41", "%4A");
    form("%G1%1G%-1", "%G1%1G%-1");
    form("%u00e9", "%u00e9");
}

#[test]
fn a_text_is_decoded_at_most_once() {
    form("%2541%253C", "%41%3C");
    form("%252B", "%2B");
}

#[test]
fn white_space_at_the_ends_is_set_aside_and_is_not_part_of_an_encoded_text() {
    form("\r\n %3Cp%3E\t\u{3000}", "<p>");
    form(" a ", "a");
    plain(" <p> ");
    plain("\n<p>1+1\n");
    plain("  http://example.com/  ");
    plain("\u{a0}a b\u{a0}");
}

#[test]
fn encoded_white_space_at_the_ends_is_part_of_the_text() {
    form("+%3Cp%3E%0A", " <p>\n");
}

#[test]
fn a_text_of_white_space_is_an_empty_encoded_one() {
    for text in ["", " ", "\r\n\t", "\u{3000}\u{2028}"] {
        form(text, "");
        assert!(decode(text, Detect).unwrap().is_blank());
    }
}

#[test]
fn characters_that_no_encoder_leaves_show_plain_text() {
    const NEVER_LEFT: &str = "<>\"\\^`{|} ";
    for c in '\0'..='\u{7f}' {
        let is_plain = NEVER_LEFT.contains(c) || c.is_control();
        let expected = if is_plain {
            Encoding::Plain
        } else {
            Encoding::Form
        };
        // The character is at each kind of place in a block, and after the first block.
        for before in [0, 1, 15, 31, 62, 63, 64, 100] {
            let text = format!("a{}{c}{}b", "x".repeat(before), "y".repeat(80));
            assert_eq!(detect(&text, Detect), expected, "{c:?} after {before}");
        }
    }
    for c in "\u{80}é漢🦀\u{ad}\u{2028}".chars() {
        plain(&format!("a{c}b"));
    }
}

#[test]
fn a_text_that_begins_with_http_is_plain() {
    plain("http://example.com/?a=1+2%20");
    plain("HTTPS://example.com");
    plain("hTtP:");
    form("xhttp://example.com", "xhttp://example.com");
    form("http", "http");
    form("https", "https");
    form("httpx:", "httpx:");
    form("ftp://example.com/a+b", "ftp://example.com/a b");
    form("http%3A%2F%2Fexample.com", "http://example.com");
}

#[test]
fn the_setting_can_insist_on_decoding() {
    let always = |text| decode(text, Always).unwrap();
    assert_eq!(always(" <p>1+1%21 ").html, "<p>1 1!");
    assert_eq!(always("http://example.com/+").html, "http://example.com/ ");
    assert_eq!(always("é%C3%A9").html, "éé");
    assert_eq!(always("<p>").encoding, Encoding::Form);
    assert_eq!(detect("<p>", Always), Encoding::Form);
    assert_eq!(decode("é%C3", Always), Err(NotUtf8));
}

#[test]
fn octets_that_are_not_utf8_are_an_error() {
    for text in [
        "%FF",
        "%C3",
        "%C3+%A9",
        "a%80b",
        "%ED%A0%80",
        "%C0%AF",
        "%F4%90%80%80",
    ] {
        assert_eq!(decode(text, Detect), Err(NotUtf8), "{text}");
        let mut buffer = String::new();
        let decoded = decode_into(text.as_bytes(), Detect, &mut buffer);
        assert_eq!(decoded, Err(NotUtf8));
    }
    assert!(!NotUtf8.to_string().is_empty());
}

#[test]
fn a_decoded_text_of_white_space_is_blank() {
    assert!(decode("+%20%0A%E3%80%80", Detect).unwrap().is_blank());
    assert!(!decode("+.+", Detect).unwrap().is_blank());
    assert!(!decode("\u{feff}", Detect).unwrap().is_blank());
}

#[test]
fn a_text_in_which_nothing_is_encoded_is_borrowed() {
    let decoded = decode(" abc\n", Detect).unwrap();
    assert!(matches!(decoded.html, Cow::Borrowed("abc")));
}

#[test]
fn debug_prints_nothing_of_the_text() {
    let decoded = decode("secret", Detect).unwrap();
    assert_eq!(format!("{decoded:?}"), "Decoded { encoding: Form, .. }");
}

#[test]
fn html_is_encoded_as_whatwg_forms_are() {
    for c in '\0'..='\u{7f}' {
        let expected = match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '*' | '-' | '.' | '_' => c.to_string(),
            ' ' => "+".into(),
            _ => format!("%{:02X}", u32::from(c)),
        };
        assert_eq!(encode(&c.to_string()), expected);
    }
    assert_eq!(encode("é漢"), "%C3%A9%E6%BC%A2");
}

/// Decodes octet by octet, as the standard says.
fn decode_slowly(input: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < input.len() {
        let digits = input
            .get(at + 1..at + 3)
            .and_then(|digits| core::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (input[at], digits) {
            (b'%', Some(digits)) => {
                out.push(u8::from_str_radix(digits, 16).unwrap());
                at += 3;
                continue;
            }
            (b'+', _) => out.push(b' '),
            (octet, _) => out.push(octet),
        }
        at += 1;
    }
    out
}

/// Decodes into buffers that are empty, short, or longer than the result, and that hold other octets.
fn check_octets(input: &[u8]) {
    let expected = decode_slowly(input);
    for mut buffer in [Vec::new(), vec![0xaa; 7], vec![0xaa; input.len() + 100]] {
        octets::decode(input, &mut buffer);
        assert_eq!(buffer, expected, "{input:?}");
    }
}

#[test]
fn escapes_are_decoded_at_every_distance_from_each_other_and_from_the_ends() {
    for before in 0..70 {
        for between in 0..36 {
            for after in [0, 1, 2, 5, 15, 16, 17, 40, 70] {
                let text = format!(
                    "{}%41{}%42{}",
                    "+x".repeat(before / 2) + &"y".repeat(before % 2),
                    "+".repeat(between),
                    "z".repeat(after)
                );
                check_octets(text.as_bytes());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decoding_is_what_the_standard_says(text in "(%[0-9a-fA-F]{2}|%|[a-z]{1,20}|\\+|%[0-9][g-z]|é){0,60}") {
        check_octets(text.as_bytes());
    }

    #[test]
    fn any_octets_are_decoded(octets in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_octets(&octets);
    }

    #[test]
    fn the_buffer_makes_no_difference(
        texts in proptest::collection::vec("[ ]?(%[0-7][0-9A-F]|%C3%A9|%FF|[a-z]{1,9}|\\+|<)*[ ]?", 1..4),
    ) {
        let mut buffer = String::new();
        for text in &texts {
            for setting in [Detect, Always] {
                let once = decode(text, setting).map(|decoded| (decoded.html.into_owned(), decoded.encoding));
                let reused = decode_into(text.as_bytes(), setting, &mut buffer);
                prop_assert_eq!(reused.map(|(html, encoding)| (html.into(), encoding)), once);
            }
        }
    }

    #[test]
    fn what_is_encoded_is_read_back(html: String) {
        let text = encode(&html);
        let encoded = decode(&text, Detect).unwrap();
        prop_assert_eq!((encoded.html.as_ref(), encoded.encoding), (html.as_str(), Encoding::Form));
    }
}
