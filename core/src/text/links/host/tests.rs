use super::super::run::is_punctuation;
use super::*;
use crate::text::domain::is_dot;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use proptest::prelude::*;

fn hosts(url: &str) -> Vec<String> {
    let mut hosts = Vec::new();
    visit_url(url, &mut |host| hosts.push(host.into()));
    hosts
}

#[test]
fn hosts_are_those_that_a_browser_contacts() {
    for (url, host) in [
        ("https://a.example", "a.example"),
        ("HTTPS://A.Example:8443/x", "a.example"),
        ("  h\tt\ntp\r://a.ex\nample\u{1f}", "a.example"),
        ("//a.example/x", "a.example"),
        ("\\\\a.example\\x", "a.example"),
        ("/\\a.example", "a.example"),
        ("////a.example", "a.example"),
        ("http:/a.example/x", "a.example"),
        ("https:a.example/x", "a.example"),
        ("https:\\a.example\\x", "a.example"),
        ("https://user:p@ss@a.example:443?x@b.example", "a.example"),
        ("https://good.example\\@a.example", "good.example"),
        ("https://%61.exampl%65", "a.example"),
        ("https://ａ．ｅｘａｍｐｌｅ/", "a.example"),
        ("https://a。example/", "a.example"),
        ("https://bücher.example", "xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("http://3221225985", "192.0.2.1"),
        ("http://0300.0.0x2.1", "192.0.2.1"),
        ("http://0xC0000201/", "192.0.2.1"),
        ("http://192.0.513", "192.0.2.1"),
        ("http://[::ffff:192.0.2.1]/", "[::ffff:c000:201]"),
        ("ftp://a.example/", "a.example"),
        ("wss://a.example/", "a.example"),
        ("ws:a.example", "a.example"),
        ("https://a.example:80:/x", "a.example"),
        ("//a.example::8080", "a.example"),
        ("file://a.example/x", "a.example"),
        ("file:/\\a.example\\x", "a.example"),
        ("file:\\\\a.example/x", "a.example"),
        ("file:\\/a.example?x", "a.example"),
        ("https://a.example./", "a.example."),
        ("https://localhost/", "localhost"),
        ("https://a_b.example/", "a_b.example"),
        ("www.shop.example/x", "www.shop.example"),
        ("www%2Eshop.example:80/x", "www.shop.example"),
        ("1shop.example:80", "1shop.example"),
        ("shop.example:8080/x", "shop.example"),
        ("mailto:a@a.example", "a.example"),
        ("MAILTO:?Subject=x&CC=a%40a.example", "a.example"),
    ] {
        assert_eq!(hosts(url), [host], "{url}");
    }
    assert_eq!(
        hosts(
            "mailto:a@a.example,b@b.example?to=c@c.example%2Cd@d.example&bcc=e@e.example&body=f@f.example#g@g.example"
        ),
        [
            "a.example",
            "b.example",
            "c.example",
            "d.example",
            "e.example"
        ]
    );
}

#[test]
fn each_special_scheme_has_its_host_after_any_slashes() {
    // The special schemes of the WHATWG's URL Standard (4.2), except `file`.
    for scheme in ["http", "https", "ftp", "ws", "wss", "WSS", "Ftp"] {
        for slashes in ["", "/", "//", "///", "\\", "\\\\", "/\\"] {
            let url = format!("{scheme}:{slashes}a.example/x");
            assert_eq!(hosts(&url), ["a.example"], "{url}");
            let with_backslash = format!("{scheme}:{slashes}a.example\\@b.example/");
            assert_eq!(hosts(&with_backslash), ["a.example"], "{with_backslash}");
        }
    }
}

#[test]
fn what_names_no_host_has_none() {
    for url in [
        "",
        "#x",
        "/x",
        "x",
        "?x",
        "./a.example",
        "/a.example/x",
        "user@a.example/x",
        "shop.example:x",
        "{{host}}",
        "{{host.example}}",
        "tel:+1",
        "javascript:void(0)",
        "cid:a@a.example",
        "data:text/plain,x",
        "https://",
        "https:///",
        "http://a b.example/",
        "http:a.example /",
        "http://[::1",
        "mailto:a",
        "http://xn--a/",
        "1.2.3/x",
        "urn:a.example",
    ] {
        assert_eq!(hosts(url), Vec::<String>::new(), "{url}");
    }
}

#[test]
fn a_label_too_long_for_the_dns_is_never_converted() {
    let long: String = (0..999_u32)
        .map(|index| char::from_u32(0x4e00 + index).unwrap())
        .collect();
    for host in [
        long.clone(),
        alloc::format!("xn--{}", "a1".repeat(500)),
        alloc::format!("%C3%A9{}", "a".repeat(300)),
        "a".repeat(999),
        "\u{1100}\u{1161}\u{11a8}".repeat(99),
        "é".repeat(200),
    ] {
        for url in [
            alloc::format!("https://{host}.a.example/"),
            alloc::format!("//x@b.{host}.a.example:80"),
        ] {
            assert_eq!(hosts(&url), ["a.example"]);
        }
        for url in [
            alloc::format!("//x@a.{host}:80"),
            alloc::format!("{host}.a.example"),
            alloc::format!("mailto:x@{host}.a.example"),
        ] {
            assert_eq!(hosts(&url), Vec::<String>::new());
        }
    }
    // These labels are as long as those above, but are mapped to nothing or to something shorter.
    for label in [
        alloc::format!("a{}", "\u{ad}".repeat(99_999)),
        alloc::format!("a{}", "%C2%AD".repeat(99_999)),
        "\u{3b1}\u{313}\u{300}\u{345}".repeat(9),
    ] {
        let found = hosts(&alloc::format!("https://{label}.a.example/"));
        let [host] = &*found else { panic!("{label}") };
        assert!(host.ends_with(".a.example"), "{host}");
    }
}

#[test]
fn a_host_with_an_empty_label_counts_by_its_longest_end() {
    let dots = ".".repeat(127);
    for (url, host) in [
        (&*alloc::format!("https://a{dots}shop.test/"), "shop.test"),
        (&*alloc::format!("//{dots}shop.test"), "shop.test"),
        (
            &*alloc::format!("//a{dots}{dots}{dots}shop.test"),
            "shop.test",
        ),
        ("//.shop.test", "shop.test"),
        ("//a..b.shop.test/", "b.shop.test"),
        ("//A..B.Shop.Test/", "b.shop.test"),
        ("//a.%2eb.shop.test", "b.shop.test"),
        ("//a\u{3002}.b.shop.test", "b.shop.test"),
        ("//a\u{2025}b.shop.test", "b.shop.test"),
        ("//a b.c.\u{2488}shop.test", "shop.test"),
        // Dots at the end are kept here. The code that asks about the host drops them.
        ("//shop.test../", "shop.test.."),
        ("//a..shop.test..", "shop.test.."),
    ] {
        assert_eq!(hosts(url), [host], "{url}");
    }
    for url in [
        "https://shop..test/",
        "//shop..test.",
        "//...",
        "//.test",
        "//a..b",
    ] {
        assert_eq!(hosts(url), Vec::<String>::new(), "{url}");
    }
}

#[test]
fn dots_at_the_end_of_a_host_are_not_counted() {
    for count in [2, 253, 4000] {
        let host = alloc::format!("shop.test{}", ".".repeat(count));
        assert_eq!(hosts(&alloc::format!("//{host}/")), [&*host]);
        let longest_end = hosts(&alloc::format!("//a b.{host}/"));
        assert_eq!(longest_end, [&*host]);
    }
    let endless = alloc::format!("//shop.test{}/", ".".repeat(99_999));
    assert_eq!(hosts(&endless), ["shop.test"]);
}

#[test]
fn a_label_that_would_be_a_number_too_large_for_an_address_is_one_where_it_is_not_the_last() {
    let found = hosts("//a b.99999999999.shop.test");
    assert_eq!(found, ["99999999999.shop.test"]);
}

#[test]
fn a_host_that_the_standard_refuses_counts_by_its_longest_end() {
    for (url, host) in [
        ("//xn--a.shop.example", "shop.example"),
        ("//xn--.shop.example", "shop.example"),
        ("//{{a b}}.shop.example/x", "shop.example"),
        ("//a b.shop.example", "shop.example"),
        ("//%20.shop.example", "shop.example"),
        ("//a\u{3000}b.www.shop.example", "www.shop.example"),
        ("//a b\u{3002}shop%2Eexample", "shop.example"),
        ("//a%25.shop.example:80/", "shop.example"),
        ("https:x.xn--a.ru.shop.example", "ru.shop.example"),
        ("//a b.192.0.2.1", "192.0.2.1"),
        ("//shop.example:00080/", "shop.example"),
        ("x-app://shop.example/x", "shop.example"),
        ("file://shop.example", "shop.example"),
    ] {
        assert_eq!(hosts(url), [host], "{url}");
    }
    let long = alloc::format!("//{}shop.example", "www.".repeat(100));
    let [host] = &*hosts(&long) else { panic!() };
    assert!(host.len() <= 253 && host.ends_with("www.shop.example") && host.len() > 249);
}

#[test]
fn a_host_with_a_deviation_character_counts_in_both_forms() {
    for (url, both) in [
        ("//fa\u{df}.example", ["xn--fa-hia.example", "fass.example"]),
        ("//fa%C3%9F.example", ["xn--fa-hia.example", "fass.example"]),
        (
            "//fa\u{1e9e}.example",
            ["xn--fa-hia.example", "fass.example"],
        ),
        ("fa\u{df}.example/x", ["xn--fa-hia.example", "fass.example"]),
        (
            "mailto:x@fa\u{df}.example",
            ["xn--fa-hia.example", "fass.example"],
        ),
        (
            "//\u{3b2}\u{3cc}\u{3bb}\u{3bf}\u{3c2}.example",
            ["xn--nxasmm1c.example", "xn--nxasmq6b.example"],
        ),
    ] {
        assert_eq!(hosts(url), both, "{url}");
    }
}

#[test]
fn no_other_character_is_mapped_to_a_full_stop() {
    for character in '\u{80}'..=char::MAX {
        let mapped = icu_normalizer::ComposingNormalizerBorrowed::new_nfkc();
        let mut buffer = [0; 4];
        let text = mapped.normalize(character.encode_utf8(&mut buffer));
        assert!(
            !text.contains(['.', '\u{3002}']) || is_dot(character),
            "{character:?}"
        );
    }
}

#[test]
fn a_url_that_no_browser_can_read_is_told_from_one_without_host() {
    for url in [
        "",
        "#x",
        "x",
        "{{url}}",
        "tel:1",
        "https:a.example",
        "https:",
        "HTTPS:/?x",
        "https:a b",
        "//a.example",
        "data:,",
    ] {
        assert!(readable(url), "{url}");
    }
    for url in [
        "https://",
        "http:",
        "http:/?x",
        "http://a b/",
        "//[",
        "http://a:99999",
        "https://a%00b/",
        "//",
        "foo://[/",
    ] {
        assert!(!readable(url), "{url}");
    }
}

proptest! {
    #[test]
    fn the_quick_way_gives_what_the_url_standard_gives(
        url in "(https?|ftp)?:?/{0,3}[a-c0-9x.:@%_-]{0,6}(xn--)?[a-z0-9.-]{0,8}[:/?#\\\\ ]?[a-z0-9./ ]{0,4}"
    ) {
        let mut quick = Vec::new();
        if visit_plain(&url, &mut |host| quick.push(String::from(host))) {
            let base = Url::parse("https://base.invalid/").unwrap();
            let parsed = Url::options().base_url(Some(&base)).parse(&url).unwrap();
            let expected: Vec<_> = parsed.host_str().filter(|host| *host != "base.invalid").map(String::from).into_iter().collect();
            prop_assert_eq!(quick, expected);
        }
    }

    #[test]
    fn the_host_of_a_special_url_is_that_of_the_url_crate(
        url in "[hH]ttps?://[a-zA-Z0-9.:@%_ß。\\[\\]-]{0,12}[/?#\\\\]?[a-z:@.]{0,6}"
    ) {
        let expected: Vec<_> = Url::parse(&url).ok().and_then(|url| url.host_str().map(String::from)).into_iter().collect();
        let hosts = hosts(&url);
        // The `url` crate accepts empty labels, which the DNS cannot carry.
        let is_carried = |host: &&String| !host.trim_end_matches('.').split('.').any(str::is_empty);
        prop_assert!(expected.iter().filter(is_carried).all(|host| hosts.contains(host)), "{:?}", hosts);
    }
}

#[test]
fn a_url_with_an_impossible_port_has_no_host() {
    for url in [
        "//shop.example:99999/",
        "//shop.example:x/",
        "http://shop.example:-1",
    ] {
        assert!(hosts(url).is_empty(), "{url}");
    }
    assert_eq!(hosts("//shop.example:/"), ["shop.example"]);
}

/// The text without the punctuation at its end, character by character.
fn plainly_without_punctuation(text: &[u8]) -> usize {
    let read = String::from_utf8_lossy(text);
    let mut rest = &*read;
    while let Some(shorter) = rest.strip_suffix(is_punctuation) {
        let open = shorter.rfind(['[', ']']);
        let is_open = |at: usize| {
            let before = &shorter[..at];
            shorter[at..].starts_with('[') && (before.is_empty() || before.ends_with('@'))
        };
        if rest.ends_with(']') && open.is_some_and(is_open) {
            break;
        }
        rest = shorter;
    }
    // What is not UTF-8 is not punctuation.
    text.len() - (read.len() - rest.len())
}

/// Ends of texts: punctuation, brackets, and what is not UTF-8.
const ENDS: [&[u8]; 10] = [
    b"a",
    b"!",
    b"[",
    b"]",
    b"@",
    b"~",
    b"\xe3\x80\x82",
    b"\xc3\xa9",
    b"\xe3\x80",
    b"\x80",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn punctuation_at_the_end_is_found_whatever_the_bytes_are(
        parts in prop::collection::vec(prop::sample::select(&ENDS[..]), 0..8),
    ) {
        let text = parts.concat();
        prop_assert_eq!(length_without_punctuation(&text), plainly_without_punctuation(&text));
    }
}
