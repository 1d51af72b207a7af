use alloc::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// The parts of the names: labels of every kind, signs, everything that separates labels, numbers, letters that are
/// written from right to left.
const PARTS: [&str; 50] = [
    "<",
    "\u{338}",
    "\u{65e5}",
    "\u{30ab}",
    "\u{3099}",
    "\u{ac00}",
    "\u{11a8}",
    "\u{439}",
    "XN--",
    "A",
    ".",
    ".",
    ".",
    ".",
    "a",
    "www",
    "shop",
    "\u{e9}",
    "\u{df}",
    "\u{3042}",
    "\u{4e2d}\u{6587}",
    "xn--",
    "xn--9ca",
    "xn--4dbcagdahymbxekheh6e0a7fei0b",
    "-",
    "--",
    "_",
    "!",
    "%",
    "[",
    "]",
    "@",
    " ",
    "\u{3002}",
    "\u{ff0e}",
    "\u{2024}",
    "\u{2488}",
    "\u{5d0}",
    "\u{660}",
    "\u{200d}",
    "\u{ad}",
    "\u{301}",
    "\u{ff41}",
    "\u{2460}",
    "1",
    "0x1",
    "\u{ff11}",
    "\u{212a}",
    "\u{200f}",
    "\u{1e9e}",
];

fn name() -> impl Strategy<Value = String> {
    let long = prop::collection::vec(select(&PARTS[..]), 1..12);
    (
        long,
        1..40_usize,
        prop::collection::vec(select(&PARTS[..]), 0..6),
    )
        .prop_map(|(part, times, end)| part.concat().repeat(times) + &end.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_end_that_is_found_by_labels_is_the_one_of_the_whole_name(name in name()) {
        // The plain way is right for every name, and not only for addresses.
        prop_assert_eq!(labels::longest_end(&name), address(&name), "{}", name);
    }
}

/// The hosts of a text, each once.
fn visited(host: &str) -> BTreeSet<String> {
    let mut hosts = BTreeSet::new();
    visit_host(host, &mut |host| {
        hosts.insert(String::from(host));
    });
    hosts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_end_that_dns_can_carry_has_the_hosts_of_the_whole(before in name(), between in 0..130_usize, end in name()) {
        let whole = before + &"a!".repeat(between) + &end;
        let left = core::str::from_utf8(without_beginning(whole.as_bytes())).unwrap();
        prop_assert!(whole.ends_with(left));
        prop_assert_eq!(visited(left), visited(&whole), "{}", whole);
    }
}

#[test]
fn a_beginning_is_left_out_only_if_no_name_can_have_it() {
    let left = |host: &str| without_beginning(host.as_bytes()).len();
    // The URL standard reads this as an IPv4 address.
    let zeros = alloc::format!("\u{ff10}{}.", "0".repeat(240));
    let number = zeros.repeat(3) + "1";
    assert!(visited(&number).iter().eq(["0.0.0.1"]));
    for host in [
        "a".repeat(255),
        "%61".repeat(300),
        "a%61".repeat(300),
        "\u{ad}".repeat(300),
        ".".repeat(300),
        number,
    ] {
        assert_eq!(left(&host), host.len(), "{host}");
    }
    assert_eq!(left(&"a".repeat(300)), 256);
    assert_eq!(left(&"www.\u{e9}!".repeat(100)), 64 * 7);
}

#[test]
fn a_plain_host_is_that_of_the_url_standard() {
    for byte in 0..0x80_u8 {
        for name in ["a~b", "~b", "b~", "~", "a.~", "a.b~", "a-~b", "0~.a"] {
            let name = name.replace('~', &String::from(char::from(byte)));
            let standard = standard(&name);
            let is_same = standard.as_ref() == Some(&name);
            assert!(is_same || !is_plain_host(name.as_bytes()), "{name:?}");
            let is_sign = byte.is_ascii_graphic() && !byte.is_ascii_uppercase();
            if name.starts_with("a") && name.ends_with('b') && name.len() == 3 && is_sign {
                assert_eq!(is_plain_host(name.as_bytes()), is_same, "{name:?}");
            }
        }
    }
    for name in ["xn--a", "a..b", ".a", "a.", "a.1", "a.0x1", "", "a.B"] {
        assert!(!is_plain_host(name.as_bytes()), "{name:?}");
    }
    let label = "a".repeat(63);
    assert!(is_plain_host(label.as_bytes()));
    assert!(!is_plain_host((label.clone() + "a").as_bytes()));
    let name = alloc::format!("{label}.{label}.{label}.{}", "a".repeat(61));
    assert!(is_plain_host(name.as_bytes()));
    assert!(!is_plain_host((name + "a").as_bytes()));
}

#[test]
fn the_longest_end_of_a_name_is_found() {
    for (name, end) in [
        ("a b.\u{e9}.example.", Some("xn--9ca.example.")),
        ("\u{e9}!", Some("xn--!-9fa")),
        ("a b.\u{e9}", None),
        // From right to left. A label that begins with a digit cannot be in such a name.
        ("\u{5d0}.example", Some("xn--4db.example")),
        ("1.\u{5d0}.example", Some("xn--4db.example")),
        ("\u{5d0}.1a.example", Some("1a.example")),
        ("\u{5d0}.a.0xg", Some("a.0xg")),
        // Labels that are mapped to nothing.
        ("a.example.\u{ad}", Some("a.example.")),
        ("b.\u{ad}.a.example", Some("a.example")),
        ("\u{ad}.\u{ad}", None),
        // Numbers.
        ("\u{e9}.1", None),
        ("9.1.2.3.4", Some("1.2.3.4")),
        ("9.1.2.3.4.\u{ad}", Some("1.2.3.4")),
        ("9.8.1.2.3.4..", Some("9.8.1.2.3.4..")),
        ("6.5.4.3.2.1.a.0x1", None),
        ("6.5.4.3.2.1.a.0xg", Some("6.5.4.3.2.1.a.0xg")),
        // Characters that are mapped to a full stop, and characters that look like a full stop and something else.
        ("b\u{ff0e}a\u{3002}example", Some("b.a.example")),
        ("x\u{2488}a.example", Some("a.example")),
        ("b\u{2026}a\u{2024}example", None),
    ] {
        assert_eq!(labels::longest_end(name).as_deref(), end, "{name}");
        assert_eq!(address(name).as_deref(), end, "{name}");
    }
}
