use super::*;
use crate::text::address::parse_in_full;
use alloc::format;
use proptest::prelude::*;

/// A window that begins with `text` and is filled up with `fill`.
fn window(text: &[u8], fill: u8) -> [u8; WINDOW] {
    let mut window = [fill; WINDOW];
    let len = text.len().min(WINDOW);
    window[..len].copy_from_slice(&text[..len]);
    window
}

#[test]
fn ordinary_addresses_are_recognized_up_to_the_last_but_one_byte() {
    let longest = format!("{}@{}.example", "a".repeat(40), "b".repeat(14));
    assert_eq!(longest.len(), WINDOW - 1);
    for text in [
        "name@example.com",
        "First.Last_2+tag@mail.Shop-9.example",
        "!#$%&'*/=?^`{|}~@a.b",
        &longest,
    ] {
        let found = scan(&window(text.as_bytes(), b',')).unwrap();
        assert_eq!(Some(found.at()), text.find('@'), "{text}");
        assert_eq!(found.len(), text.len(), "{text}");
    }
}

#[test]
fn addresses_that_are_not_ordinary_or_do_not_end_in_the_window_are_left_open() {
    let long = format!("{}@{}.example", "a".repeat(40), "b".repeat(15));
    for text in [
        "",
        "@",
        "a@",
        "a@b",
        ".a@b.c",
        "a.@b.c",
        "a..b@c.d",
        "a@.b.c",
        "a@b.c.",
        "a@-b.c",
        "a@b-.c",
        "a@b--c.d",
        "a@b.1",
        "a@b.c-d",
        "a b@c.d",
        "\u{e9}@b.c",
        &long,
    ] {
        assert_eq!(scan(&window(text.as_bytes(), b',')), None, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_recognized_is_an_address_up_to_the_first_byte_that_a_domain_cannot_have(
        text in "([a-cA-C0-9._+@-]{0,12}|[ -~é]{0,9}){1,3}@?[a-cA-C0-9.-]{0,9}(\\.[a-c1-]{1,3})?",
        fill in prop::sample::select(b",a.\" @".as_slice()),
    ) {
        let window = window(text.as_bytes(), fill);
        if let Some(found) = scan(&window) {
            let (address, rest) = window.split_at(found.len());
            let full = parse_in_full(core::str::from_utf8(address).unwrap()).unwrap();
            prop_assert_eq!(found.at(), full.local_part().len());
            prop_assert_eq!(found.is_match_key(), full.is_match_key());
            let is_of_domain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.".contains(byte);
            prop_assert!(!rest.first().is_some_and(is_of_domain));
        }
    }
}
