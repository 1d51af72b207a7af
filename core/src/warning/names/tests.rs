use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::wire::field::{HttpSendMailField, RequestField, SendMailerField};

/// Like [`meant`], but compares with every field.
fn plain<F: Field>(name: &str) -> Option<&'static str> {
    let letters = |name: &str| -> Vec<u8> {
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric);
        letters.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let own = letters(name);
    let most = if own.len() < 5 { 1 } else { 2 };
    let distances = F::NAMES
        .iter()
        .map(|field| (levenshtein(&own, &letters(field)), *field));
    let (distance, field) = distances.min()?;
    (distance <= most && !own.is_empty() && name.len() <= LONGEST).then_some(field)
}

/// The Levenshtein distance, as it is defined.
fn levenshtein(left: &[u8], right: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, byte) in left.iter().enumerate() {
        let mut next = alloc::vec![index + 1];
        for (at, other) in right.iter().enumerate() {
            let replaced = row[at] + usize::from(byte != other);
            next.push(replaced.min(row[at + 1] + 1).min(next[at] + 1));
        }
        row = next;
    }
    row[right.len()]
}

fn misspelled() -> impl Strategy<Value = String> {
    let names = [
        SendMailerField::NAMES,
        HttpSendMailField::NAMES,
        RequestField::NAMES,
    ];
    let slips = prop::collection::vec(
        (
            0..20_usize,
            select(&["", "a", "e", "1", "_", "S"][..]),
            any::<bool>(),
        ),
        0..4,
    );
    (select(names.concat()), slips).prop_map(|(name, slips)| {
        let mut name = String::from(name);
        for (at, letter, is_more) in slips {
            let at = at.min(name.len());
            let end = name.len().min(at + usize::from(!is_more));
            name.replace_range(at..end, letter);
        }
        name
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_field_that_was_meant_is_the_nearest_of_all(name in misspelled()) {
        prop_assert_eq!(meant::<SendMailerField>(name.as_bytes()), plain::<SendMailerField>(&name));
        prop_assert_eq!(meant::<HttpSendMailField>(name.as_bytes()), plain::<HttpSendMailField>(&name));
        prop_assert_eq!(meant::<RequestField>(name.as_bytes()), plain::<RequestField>(&name));
    }
}
