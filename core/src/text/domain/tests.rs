use super::*;
use alloc::format;
use alloc::vec::Vec;
use proptest::prelude::*;

#[track_caller]
fn valid(text: &str, ascii: &str) {
    assert_eq!(parse(text).as_deref(), Ok(ascii));
    assert_eq!(to_ascii(text).as_deref(), Some(ascii));
    assert_eq!(
        parse(ascii).as_deref(),
        Ok(ascii),
        "the ASCII form is its own"
    );
}

#[track_caller]
fn invalid(text: &str, error: DomainError) {
    assert_eq!(parse(text), Err(error), "{text:?}");
    assert_eq!(to_ascii(text), None);
}

/// The ASCII form of a valid domain.
fn to_ascii(text: &str) -> Option<Cow<'_, str>> {
    parse(text).ok()
}

#[test]
fn a_domain_has_at_least_two_labels() {
    valid("example.com", "example.com");
    valid("a.b", "a.b");
    invalid("", DomainError::Empty);
    invalid("localhost", DomainError::SingleLabel);
    invalid("bücher", DomainError::SingleLabel);
}

#[test]
fn the_ascii_form_is_lower_case() {
    valid("EXAMPLE.Com", "example.com");
    valid("XN--BCHER-KVA.Example", "xn--bcher-kva.example");
    valid("BÜCHER.EXAMPLE", "xn--bcher-kva.example");
}

#[test]
fn deviation_characters_are_kept_since_processing_is_non_transitional() {
    valid("faß.example", "xn--fa-hia.example");
    valid("βόλος.example", "xn--nxasmm1c.example");
    valid("βόλοσ.example", "xn--nxasmq6b.example");
}

#[test]
fn characters_are_mapped_as_uts_46_says() {
    valid("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com");
    valid("example。com", "example.com");
    valid("exam\u{ad}ple.com", "example.com");
    valid("bu\u{308}cher.example", "xn--bcher-kva.example");
    valid("\u{212a}.example", "k.example");
}

#[test]
fn std3_rules_allow_letters_digits_and_hyphens_only() {
    for c in '\0'..='\u{7f}' {
        let allowed = c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let text = format!("a{c}b.example.com");
        assert_eq!(to_ascii(&text).is_some(), allowed, "{text:?}");
    }
    invalid("a_b.example", DomainError::Characters);
    invalid("a＿b.example", DomainError::Characters);
    invalid("a＠b.example", DomainError::Characters);
    invalid("\u{2009}b.example", DomainError::Characters);
}

#[test]
fn no_label_begins_or_ends_with_a_hyphen() {
    invalid("-a.example", DomainError::Hyphen);
    invalid("a-.example", DomainError::Hyphen);
    invalid("a.-b.example", DomainError::Hyphen);
    invalid("a.example-", DomainError::Hyphen);
    invalid("é-.example", DomainError::Hyphen);
    invalid("-.example", DomainError::Hyphen);
    valid("a-b.example", "a-b.example");
    valid("a--b.example", "a--b.example");
    valid("ab--cd.example", "ab--cd.example");
}

#[test]
fn a_label_has_at_most_63_octets_in_ascii_form() {
    let with = |label: String| parse(&format!("{label}.example")).map(Cow::into_owned);
    assert!(with("a".repeat(63)).is_ok());
    assert_eq!(with("a".repeat(64)), Err(DomainError::LabelTooLong));
    assert!(parse(&format!("a.{}.example", "a".repeat(63))).is_ok());
    assert!(parse(&format!("a.{}", "a".repeat(64))).is_err());
    // The prefix takes 4 octets of a label, which leaves 59 for Punycode.
    let longest = (1..)
        .map(|n| "ü".repeat(n))
        .find(|label| with(label.clone()).is_err());
    let longest = longest.unwrap();
    assert_eq!(with(longest.clone()), Err(DomainError::LabelTooLong));
    let before = &longest[2..];
    assert!(with(before.into()).unwrap().len() <= 63 + ".example".len());
    // This label is shorter in ASCII form than as sent.
    assert!(with("ｅ".repeat(63)).is_ok());
    assert_eq!(with("ｅ".repeat(64)), Err(DomainError::LabelTooLong));
}

#[test]
fn a_domain_has_at_most_253_octets_in_ascii_form() {
    let label = "a".repeat(61) + ".";
    let with = |rest: usize| parse(&(label.repeat(4) + &"b".repeat(rest))).map(|text| text.len());
    assert_eq!(with(253 - 248), Ok(253));
    assert_eq!(with(254 - 248), Err(DomainError::TooLong));
    assert_eq!(with(255 - 248), Err(DomainError::TooLong));
}

#[test]
fn a_label_that_is_far_too_long_is_refused_without_encoding_it_to_its_end() {
    // tests/hostile shows, by counting instructions, that the work does not grow with the text that follows.
    let label: String = (0..999)
        .filter_map(|i| char::from_u32(0x4e00 + i * 7))
        .collect();
    let text = (label + ".").repeat(1000) + "example";
    assert!(parse(&text).is_err() && parse(&text[2998..]).is_err());
}

#[test]
fn no_label_is_empty_and_no_dot_is_at_the_end() {
    invalid("example.com.", DomainError::EmptyLabel);
    invalid("example.com。", DomainError::EmptyLabel);
    invalid("é.example.com.", DomainError::EmptyLabel);
    invalid(".example.com", DomainError::EmptyLabel);
    invalid("example..com", DomainError::EmptyLabel);
    invalid("\u{ad}.com", DomainError::EmptyLabel);
    invalid(".", DomainError::EmptyLabel);
}

#[test]
fn the_last_label_is_not_all_digits() {
    invalid("example.1", DomainError::NumericEnd);
    invalid("192.0.2.1", DomainError::NumericEnd);
    invalid("example.１２３", DomainError::NumericEnd);
    valid("example.1a", "example.1a");
    valid("example.a1", "example.a1");
    valid("1.2.3.com", "1.2.3.com");
    valid("example.0x1", "example.0x1");
}

#[test]
fn encoded_labels_have_to_decode_to_what_would_be_encoded_so() {
    for text in [
        "xn--.example",
        "xn--a.example",
        "xn--a-.example",
        "xn--example-.com",
        "xn--0.example",
        "xn--99999999.example",
        "xn--a-ecp.ru",
        "a.XN--A.example",
    ] {
        invalid(text, reason(text));
        assert_eq!(parse_in_full(text), parse(text));
    }
    valid("xn--bcher-kva.example", "xn--bcher-kva.example");
    // Upper case and composable characters inside an encoded label are never encoded.
    assert_eq!(to_ascii("xn--bucher-xyd.example"), None);
}

#[test]
fn joiners_are_allowed_only_where_a_script_needs_them() {
    valid(
        "\u{915}\u{94d}\u{200d}\u{937}.example",
        "xn--11b2ezcw70k.example",
    );
    invalid("a\u{200d}b.example", DomainError::Characters);
    invalid("a\u{200c}b.example", DomainError::Characters);
    invalid("xn--ab-m1t.example", DomainError::Characters);
}

#[test]
fn labels_obey_the_bidi_rule_once_one_is_right_to_left() {
    valid("אב.example", "xn--4dbc.example");
    assert!(to_ascii("א1.example").is_some());
    invalid("1א.example", DomainError::Characters);
    invalid("אa.example", DomainError::Characters);
    assert!(to_ascii("a1.אב.example").is_some());
    invalid("1a.אב.example", DomainError::Characters);
    invalid("1a.xn--4dbc.example", DomainError::Characters);
    valid("1a.example", "1a.example");
}

#[test]
fn a_domain_in_ascii_form_is_borrowed() {
    for text in ["example.com", "a--b.example", "xn--bcher-kva.example"] {
        assert!(matches!(parse(text), Ok(Cow::Borrowed(_))), "{text}");
    }
}

#[test]
fn hosts_are_read_as_whatwg_reads_them() {
    for (text, host) in [
        ("example.com", "example.com"),
        ("EXAMPLE.com", "example.com"),
        ("localhost", "localhost"),
        ("a_b.example.com", "a_b.example.com"),
        ("_dmarc.example.com", "_dmarc.example.com"),
        ("-a-.example", "-a-.example"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("b%C3%BCcher.example", "xn--bcher-kva.example"),
        ("%65xample.com", "example.com"),
        ("ｅxample．com", "example.com"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0x7F.0.0.1", "127.0.0.1"),
        ("0177.0.0.01", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("[2001:DB8:0::1]", "[2001:db8::1]"),
        ("[::ffff:1.2.3.4]", "[::ffff:102:304]"),
    ] {
        assert_eq!(host_to_ascii(text).as_deref(), Some(host), "{text}");
        assert!(
            matches!(host_to_ascii(host), Some(Cow::Borrowed(_))),
            "{host}"
        );
    }
    for text in [
        "",
        " ",
        "a b",
        "a/b",
        "a:80",
        "a@b.example",
        "a?b",
        "a#b",
        "<a>",
        "[::1",
        "[1.2.3.4]",
        "::1",
        "1.2.3.4.5",
        "256.256.256.256",
        "a.1",
        "example.0x1",
        "xn--a.example",
        "%zz",
        "a%00b",
    ] {
        assert_eq!(host_to_ascii(text), None, "{text:?}");
    }
}

#[test]
fn a_dot_at_the_end_of_a_host_is_dropped() {
    assert_eq!(
        host_to_ascii("example.com.").as_deref(),
        Some("example.com")
    );
    assert_eq!(host_to_ascii("localhost.").as_deref(), Some("localhost"));
    assert_eq!(host_to_ascii("127.1.").as_deref(), Some("127.0.0.1"));
    assert_eq!(
        host_to_ascii("example.com。").as_deref(),
        Some("example.com")
    );
    assert_eq!(host_to_ascii("."), None);
}

#[track_caller]
fn walks(host: &str, names: &[&str]) {
    assert_eq!(walk(host).collect::<Vec<_>>(), names);
}

#[test]
fn a_walk_goes_up_to_two_labels() {
    walks(
        "a.b.c.example.com",
        &[
            "a.b.c.example.com",
            "b.c.example.com",
            "c.example.com",
            "example.com",
        ],
    );
    walks("example.com", &["example.com"]);
    walks("a.example.com.", &["a.example.com", "example.com"]);
}

#[test]
fn a_single_label_and_a_numeric_host_are_asked_about_as_they_are() {
    walks("localhost", &["localhost"]);
    walks("localhost.", &["localhost"]);
    walks("192.0.2.1", &["192.0.2.1"]);
    walks("[2001:db8::1]", &["[2001:db8::1]"]);
    walks("", &[]);
    walks(".", &[]);
}

#[test]
fn an_ipv4_mapped_ipv6_host_is_asked_about_as_both() {
    walks("[::ffff:102:304]", &["[::ffff:102:304]", "1.2.3.4"]);
    // IPv4-compatible addresses and NAT64 addresses are not mapped addresses.
    walks("[::102:304]", &["[::102:304]"]);
    walks("[64:ff9b::102:304]", &["[64:ff9b::102:304]"]);
}

#[test]
fn a_walk_prints_nothing_of_the_host() {
    assert_eq!(format!("{:?}", walk("secret.example")), "Walk { .. }");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_shortcut_agrees_with_the_full_check(
        text in "[a-zA-Z0-9-]{0,65}(\\.[a-zA-Z0-9_é．-]{0,9}){0,4}",
    ) {
        prop_assert_eq!(parse(&text), parse_in_full(&text));
        if let Some(upper) = scan_ascii(&text) {
            prop_assert_eq!(upper, text.bytes().any(|byte| byte.is_ascii_uppercase()));
        }
    }

    #[test]
    fn a_valid_domain_is_its_own_ascii_form(text in "\\PC{1,12}\\.\\PC{1,8}") {
        if let Ok(ascii) = parse(&text) {
            prop_assert!(ascii.is_ascii() && ascii.len() <= MAX_DOMAIN_LEN);
            let again = parse(&ascii);
            prop_assert_eq!(again.as_deref(), Ok(&*ascii));
        }
    }

    #[test]
    fn the_shortcut_for_hosts_agrees_with_the_parser(
        text in "[a-z0-9_.xn-]{0,12}(\\.[a-zA-Z0-9é-]{0,4}){0,2}",
    ) {
        let parsed = Host::parse(&text).ok().map(|host| String::from(host.to_string().trim_end_matches('.')));
        let parsed = parsed.filter(|host| !host.is_empty());
        let host = host_to_ascii(&text);
        prop_assert_eq!(host.as_deref(), parsed.as_deref());
        if let Some(Cow::Borrowed(host)) = host {
            prop_assert_eq!(host, &text);
        }
    }

    #[test]
    fn a_walk_names_the_suffixes_of_two_and_more_labels(labels in proptest::collection::vec("[a-z]{0,3}", 2..9)) {
        let host = labels.join(".") + "x";
        let names: Vec<_> = walk(&host).collect();
        prop_assert_eq!(names.len(), labels.len() - 1);
        for (skipped, name) in names.iter().enumerate() {
            prop_assert_eq!(name, &(labels[skipped..].join(".") + "x"));
        }
    }
}

#[test]
fn ordinary_domains_and_hosts_take_the_shortcut() {
    for (text, upper) in [
        ("shop.example", false),
        ("a-b.shop-1.example", false),
        ("WWW.Shop.example", true),
    ] {
        assert_eq!(scan_ascii(text), Some(upper));
        assert_eq!(scan_ascii(&format!("{text},")), None);
    }
    for host in ["shop.example", "www.shop-1.example", "1.2.x"] {
        assert!(is_canonical_name(host), "{host}");
    }
    for host in [
        "Shop.example",
        "a--b.example",
        "xn--bcher-kva.example",
        "1.2",
        "b.0x1",
        "a_b.example",
        "localhost",
        &format!("{}.example", "a".repeat(64)),
        "",
    ] {
        assert!(!is_canonical_name(host), "{host}");
    }
}
