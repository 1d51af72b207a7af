//! The shortcut for ASCII agrees with the full check.

use super::super::*;
use alloc::vec::Vec;
use proptest::prelude::*;

/// The rules for ASCII without encoded labels, written as the documentation states them.
fn ascii_is_valid(text: &str) -> bool {
    let Some((local_part, domain)) = text.split_once('@') else {
        return false;
    };
    let is_atext = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c);
    let is_atom = |atom: &str| !atom.is_empty() && atom.chars().all(is_atext);
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let labels: Vec<&str> = domain.split('.').collect();
    local_part.split('.').all(is_atom)
        && local_part.len() <= 64
        && labels.len() >= 2
        && labels.iter().all(|label| is_label(label))
        && !labels[labels.len() - 1].chars().all(|c| c.is_ascii_digit())
        && domain.len() <= 253
        && text.len() <= 254
}

/// Whether the shortcut recognizes an address, if it is valid.
fn is_ordinary(text: &str) -> bool {
    let marks = ['-', '.', '@'];
    text.len() < 64
        && text.split(marks).all(|part| !part.is_empty())
        && text.matches(marks).next_back() == Some(".")
        && !text.ends_with(|last: char| last.is_ascii_digit())
}

/// Checks that the shortcut and the full check agree on a text.
fn check_shortcut(text: &str) {
    let full = parse_in_full(text);
    let scan = scan_ascii(text.as_bytes());
    assert_eq!(parse(text).err(), full.as_ref().err().copied(), "{text:?}");
    if text.is_ascii() && !text.to_ascii_lowercase().contains("xn--") {
        assert_eq!(full.is_ok(), ascii_is_valid(text), "{text:?}");
        assert_eq!(
            scan.is_some(),
            full.is_ok() && is_ordinary(text),
            "{text:?}"
        );
    }
    let Ok(full) = full else {
        assert_eq!(scan, None, "{text:?}");
        return;
    };
    let address = parse(text).unwrap();
    assert_eq!(address.match_key(), full.match_key(), "{text:?}");
    assert_eq!(address.domain(), full.domain(), "{text:?}");
    assert_eq!(address.is_match_key(), full.is_match_key(), "{text:?}");
    assert_eq!(
        address.is_match_key(),
        address.match_key() == text,
        "{text:?}"
    );
    assert_eq!(
        (address.local_part(), address.domain_as_sent()),
        (full.local_part(), full.domain_as_sent())
    );
    // The key of a key is the key itself.
    let key = address.match_key();
    assert_eq!(
        parse(&key).map(|again| again.match_key() == key),
        Ok(true),
        "{text:?}"
    );
    if let Some(scan) = scan {
        let upper = |part: &str| part.bytes().any(|byte| byte.is_ascii_uppercase());
        assert_eq!(scan.at(), full.local_part().len());
        assert_eq!(scan.len(), text.len());
        assert_eq!(scan.upper_domain(), upper(full.domain_as_sent()));
        assert_eq!(scan.is_match_key(), full.is_match_key());
    }
}

#[test]
fn the_shortcut_agrees_with_the_full_check_on_mutated_addresses() {
    const SEEDS: [&str; 8] = [
        "name@example.com",
        "First.Last+tag@Mail.Example.ORG",
        "a@b.c",
        "x_y-z@a-b.example.co1",
        "é@bücher.example",
        "a@xn--bcher-kva.example",
        "1.2@3.4a",
        "!#$%&'*+-/=?^_`{|}~@a--b.example",
    ];
    const PIECES: [&str; 32] = [
        ".",
        ".",
        "-",
        "-",
        "@",
        "a",
        "Z",
        "0",
        "9",
        "_",
        "+",
        " ",
        ",",
        "\"",
        "<",
        "\t",
        "\0",
        "\u{7f}",
        "é",
        "ß",
        "\u{3000}",
        "．",
        "\u{301}",
        "xn--",
        "--",
        "[",
        "1.2.3.4",
        "~",
        "/",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d.d",
        "\u{ad}",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % limit as u64).unwrap()
    };
    for _ in 0..40_000 {
        let mut text: Vec<char> = SEEDS[below(SEEDS.len())].chars().collect();
        for _ in 0..below(5) {
            let at = below(text.len() + 1);
            match below(3) {
                0 if at < text.len() => {
                    text.remove(at);
                }
                1 if at < text.len() => {
                    let to = below(text.len());
                    text.swap(at, to);
                }
                _ => {
                    let piece = PIECES[below(PIECES.len())];
                    text.splice(at..at, piece.chars());
                }
            }
        }
        check_shortcut(&text.into_iter().collect::<String>());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_shortcut_agrees_with_the_full_check_on_generated_addresses(
        text in "[a-zA-Z0-9.!_+-]{1,66}@[a-zA-Z0-9-]{1,65}(\\.[a-zA-Z0-9-]{1,9}){0,3}",
    ) {
        check_shortcut(&text);
    }

    #[test]
    fn the_shortcut_agrees_with_the_full_check_on_any_text(text in "\\PC{0,12}@\\PC{0,12}") {
        check_shortcut(&text);
    }

    #[test]
    fn no_text_makes_parsing_fail_otherwise_than_with_an_error(text: String) {
        check_shortcut(&text);
    }
}
