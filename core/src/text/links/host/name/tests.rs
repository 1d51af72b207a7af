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
        if let ByLabels::Found(host) = labels::longest_end(&name) {
            let plain = standard(&name).or_else(|| shorter_end(&name));
            prop_assert_eq!(host, plain, "{}", name);
        }
    }
}

#[test]
fn names_without_letters_from_right_to_left_are_read_by_labels() {
    let found = |name| match labels::longest_end(name) {
        ByLabels::Found(host) => host,
        ByLabels::Whole => Some(String::from("the whole")),
    };
    assert_eq!(
        found("a b.\u{e9}.example.").as_deref(),
        Some("xn--9ca.example.")
    );
    assert_eq!(found("\u{e9}!").as_deref(), Some("xn--!-9fa"));
    assert_eq!(found("a b.\u{e9}"), None);
    assert_eq!(found("\u{5d0}.example").as_deref(), Some("the whole"));
    assert_eq!(found("\u{e9}.1").as_deref(), Some("the whole"));
}
