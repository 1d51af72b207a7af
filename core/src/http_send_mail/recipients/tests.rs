use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use std::collections::BTreeMap;

use super::*;
use crate::text::address;
use crate::wire::entries::entries_in;
use proptest::prelude::*;

/// A body of these lists, one for each request, and the recipients that a call finds in it.
fn collected(requests: &[Vec<String>]) -> (String, Vec<u32>, Recipients) {
    let mut body = String::new();
    let mut collector = Collector::default();
    let mut ends = Vec::new();
    for request in requests {
        for text in request {
            body.push_str(" ,");
            let address = address::parse(text).unwrap();
            let key = address.match_key();
            match address::scan_ascii(text.as_bytes()) {
                Some(scan) => collector.push_scanned(body.len(), text.as_bytes(), scan),
                None => collector.push(body.len(), None, key.as_bytes()),
            }
            body.push_str(text);
        }
        body.push('"');
        ends.push(collector.len());
    }
    let recipients = collector.finish(&body, &ends);
    (body, ends, recipients)
}

/// What is found in one request: the addresses that get an email, each with its number, and the numbers of the repetitions.
type Found = (Vec<(String, u32)>, Vec<u32>);

/// The expected recipients, found by comparing each address with all before it, and the number of different addresses.
fn expected(requests: &[Vec<String>]) -> (Vec<Found>, u32) {
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut found = Vec::new();
    for request in requests {
        let (mut kept, mut repeated): (Vec<(String, u32)>, Vec<u32>) = (vec![], vec![]);
        for text in request {
            let key = address::parse(text).unwrap().match_key().into_owned();
            let next = u32::try_from(numbers.len()).unwrap();
            let number = *numbers.entry(key).or_insert(next);
            if kept.iter().any(|(_, own)| *own == number) {
                repeated.push(number);
            } else {
                kept.push((text.clone(), number));
            }
        }
        found.push((kept, repeated));
    }
    (found, u32::try_from(numbers.len()).unwrap())
}

fn compare(requests: &[Vec<String>]) {
    let (body, ends, recipients) = collected(requests);
    let body = body.as_str();
    let (expected, distinct) = expected(requests);
    assert_eq!(recipients.distinct_count(), distinct as usize);
    let emails: usize = expected.iter().map(|(kept, _)| kept.len()).sum();
    assert_eq!(recipients.email_count(), emails as u64);
    let mut start = 0;
    for (end, (kept, repeated)) in ends.iter().zip(expected) {
        let found: Vec<(String, u32)> = recipients
            .kept(start..*end)
            .map(|kept| {
                (
                    recipients.entry(body, kept.entry).text.to_string(),
                    kept.distinct,
                )
            })
            .collect();
        assert_eq!(found, kept);
        let found: Vec<u32> = recipients.repeated(start..*end).collect();
        let numbers: Vec<u32> = found
            .iter()
            .map(|entry| recipients.number(*entry))
            .collect();
        assert_eq!(numbers, repeated);
        start = *end;
    }
    assert_eq!(recipients.first_entries().count(), distinct as usize);
    for entry in recipients.first_entries() {
        let text = recipients.entry(body, entry).text;
        let key = address::parse(&text).unwrap().match_key();
        assert_eq!(recipients.key(body, entry), key);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn equal_addresses_are_found_within_and_across_requests(
        requests in proptest::collection::vec(
            proptest::collection::vec((0..60_u32, any::<bool>()), 0..90),
            0..5,
        ),
    ) {
        let requests: Vec<Vec<String>> = requests
            .iter()
            .map(|request| {
                let text = |(number, is_upper): &(u32, bool)| match is_upper {
                    true => format!("A{number}@B.example"),
                    false => format!("a{number}@b.example"),
                };
                request.iter().map(text).collect()
            })
            .collect();
        compare(&requests);
    }
}

#[test]
fn one_address_repeated_over_and_over_is_found_in_every_request() {
    let one = vec!["a@b.example".to_string(); 500];
    let mut two = one.clone();
    two.push("c@b.example".to_string());
    compare(&[one.clone(), two, vec![], one]);
}

#[test]
fn addresses_that_share_their_hash_are_told_apart_and_found_again() {
    let texts: Vec<String> = (0..60)
        .map(|number| format!("a{}@b.example", number % 55))
        .collect();
    let mut body = String::new();
    let mut collector = Collector::default();
    for text in &texts {
        let scan = address::scan_ascii(text.as_bytes()).unwrap();
        collector.push_scanned(body.len(), text.as_bytes(), scan);
        body.push_str(text);
        body.push(',');
    }
    let ends = [56, 60];
    for hash in [0, u32::MAX] {
        let mut collector = collector.clone();
        collector.hashes.fill(hash);
        let recipients = collector.finish(&body, &ends);
        assert_eq!(
            (recipients.distinct_count(), recipients.email_count()),
            (55, 59)
        );
        assert!(recipients.repeated(0..56).eq([55]));
        let again: Vec<u32> = recipients.kept(56..60).map(|kept| kept.distinct).collect();
        assert_eq!(again, [1, 2, 3, 4]);
    }
}

#[test]
fn what_is_taken_back_leaves_no_trace() {
    let body = "a@b.example,c@b.example,";
    let mut collector = Collector::default();
    let push = |collector: &mut Collector, offset, text: &[u8]| {
        let scan = address::scan_ascii(text).unwrap();
        collector.push_scanned(offset, text, scan);
    };
    push(&mut collector, 0, b"a@b.example");
    for _ in 0..200 {
        push(&mut collector, 12, b"c@b.example");
    }
    collector.truncate(1);
    push(&mut collector, 12, b"c@b.example");
    let recipients = collector.finish(body, &[2]);
    assert_eq!(
        (recipients.distinct_count(), recipients.email_count()),
        (2, 2)
    );
}

#[test]
fn entries_are_split_trimmed_and_placed_escaped_or_not() {
    let places = |text: &str, is_escaped: bool| {
        let found = entries_in(text, 0..text.len(), is_escaped);
        found
            .map(|entry| {
                (
                    text[entry.span.clone()].to_string(),
                    entry.text.into_owned(),
                )
            })
            .collect::<Vec<_>>()
    };
    let pair = |raw: &str, text: &str| (raw.to_string(), text.to_string());
    assert_eq!(
        places(" a , ,b\u{3000},", false),
        [pair("a", "a"), pair("b", "b")]
    );
    assert_eq!(
        places(r"\u0020\u0061\u002c ,b\u00e9\n,\t", true),
        [pair(r"\u0061", "a"), pair(r"b\u00e9", "b\u{e9}")]
    );
    assert_eq!(places("", false), []);
    assert_eq!(places(r"\n\t", true), []);
}

#[test]
fn entries_can_be_read_on_from_the_end_of_any_entry() {
    for (text, is_escaped) in [("a, b ,c", false), (r"\u0061\u002c b ,c", true)] {
        let all: Vec<_> = entries_in(text, 0..text.len(), is_escaped).collect();
        assert_eq!(all.len(), 3);
        for (index, entry) in all.iter().enumerate() {
            let rest = entries_in(text, 0..text.len(), is_escaped).starting_from(entry.span.end);
            let rest: Vec<_> = rest.map(|entry| entry.span).collect();
            let expected: Vec<_> = all[index + 1..]
                .iter()
                .map(|entry| entry.span.clone())
                .collect();
            assert_eq!(rest, expected);
        }
    }
}

#[test]
fn what_one_pass_has_shown_is_kept_of_every_length() {
    for (local, domain) in [(1, 3), (58, 3), (1, 60), (6, 20)] {
        for (upper_local, upper_domain) in [(false, false), (true, false), (false, true)] {
            let letter = |is_upper| if is_upper { "A" } else { "a" };
            let mut text = letter(upper_local).repeat(local);
            text.push('@');
            while text.len() < local + domain {
                text.push_str(letter(upper_domain));
                text.push('.');
            }
            text.truncate(local + domain);
            text.push('a');
            let Some(scan) = address::scan_ascii(text.as_bytes()) else {
                panic!("{text}");
            };
            let mut collector = Collector::default();
            collector.push_scanned(0, text.as_bytes(), scan);
            let mut domains = Domains::default();
            collector.note_domains(0, &text, &mut domains).unwrap();
            let (domain, _) = domains.get(0, &text).unwrap();
            assert_eq!(domain, text[local + 1..].to_ascii_lowercase());
            let recipients = collector.finish(&text, &[1]);
            assert_eq!(recipients.key(&text, 0), text.to_ascii_lowercase());
            assert_eq!(recipients.entry(&text, 0).text, text);
        }
    }
}

#[test]
fn an_entry_that_is_not_found_in_the_body_again_is_a_contradiction() {
    let one = vec![vec![
        "a@b.example".to_string(),
        "\u{e9}@b.example".to_string(),
    ]];
    let (body, _, recipients) = collected(&one);
    assert!(recipients.is_sound(&body));
    let at = recipients.offset(1);
    let ends_there = format!("{}\"{}", &body[..at], &body[at..]);
    assert!(!recipients.is_sound(&ends_there));
}
