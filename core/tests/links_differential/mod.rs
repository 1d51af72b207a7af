//! Compares the scanner of links with html5ever (with and without scripting), html5gum, cssparser and the `url` crate, on
//! generated and mutated documents: it has to find every host that they find. The encoding of a body must not matter.
//!
//! `LINKS_DOCUMENTS` and `LINKS_BODIES` set how many are tried, `LINKS_SEED` which.

mod documents;

use std::collections::BTreeSet;

use franking::html::{decode, hosts, links};
use franking::{HtmlEncoding, Operation, Policy, Preflight, WarningKind};

use crate::links_classes::ENCODERS;
use documents::{Numbers, mutate, piece};

/// Removes parts of the document as long as the difference stays.
fn shrink(html: &str, differs: impl Fn(&str) -> bool) -> String {
    let mut html = html.to_owned();
    let mut size = html.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < html.len() {
            let end = (at + size).min(html.len());
            if html.is_char_boundary(at) && html.is_char_boundary(end) {
                let shorter = format!("{}{}", &html[..at], &html[end..]);
                if differs(&shorter) {
                    html = shorter;
                    continue;
                }
            }
            at += size;
        }
        size /= 2;
    }
    html
}

/// The hosts that the scanner finds, with and without the dot at their ends.
fn ours(html: &str) -> BTreeSet<String> {
    let found = hosts(html);
    let found = found.iter();
    found
        .flat_map(|host| [host.trim_end_matches('.').to_owned(), host.to_owned()])
        .collect()
}

/// Whether every host of the oracle was found.
///
/// Soup takes these texts as hosts: the text up to the first dividing sign, each piece after such a sign, and the whole text
/// up to the next slash. An oracle may end the host at the second such sign: for `//a,b.shop.example"x` it has
/// `a,b.shop.example`. That is not a domain, so no blacklist can have it. Its parents are those of `b.shop.example`, which
/// was found. A piece without a dot has no parents.
fn covers(html: &str, actual: &BTreeSet<String>, expected: &BTreeSet<String>) -> bool {
    expected.iter().all(|host| {
        let labels: Vec<&str> = host.split('.').collect();
        let divided = labels.iter().rposition(|label| label.contains(DIVIDERS));
        let behind = divided.map(|at| labels[at + 1..].join(".").trim_matches('.').to_owned());
        let after_www = host.strip_prefix("www.");
        let is_behind = |found: &String, behind: &str| {
            let rest = found.strip_suffix(behind);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        actual.contains(host)
            // Each of its parents, and itself, is a parent of the host that was found.
            || actual.iter().any(|found| is_behind(found, host))
            // Of the hosts that begin with a `www.` and share an end, the first and the last count.
            || after_www.is_some_and(|rest| {
                rest.contains("www") && actual.iter().any(|found| is_behind(found, rest))
            })
            || !is_listable(host)
            // No reader makes a link of only dots, or of only `www.`.
            || matches!(host.trim_matches('.'), "" | "www")
            // A full stop at the end of a link in text is punctuation.
            || actual.contains(host.trim_end_matches('.'))
            || behind.is_some_and(|behind| {
                !behind.contains('.') || actual.iter().any(|found| is_behind(found, &behind))
            })
            // After a dividing sign, a single word does not count as a host. Neither does it after an `@`, where there are
            // words such as `@media`.
            || labels.len() == 1 && html.contains('@')
    })
}

/// Whether the host or a parent of it could be on a blacklist. That is not so if the last label cannot be a top-level domain
/// (RFC 1123, section 2.1).
fn is_listable(host: &str) -> bool {
    let (name, _) = idna::domain_to_unicode(host.trim_end_matches('.'));
    let last = name.rsplit('.').next().unwrap_or(&name);
    let is_of_label = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '-';
    host.starts_with('[') || last.trim_matches('-') == last && last.chars().all(is_of_label)
}

const DIVIDERS: [char; 7] = ['"', '\'', '`', '(', ')', ',', ';'];

#[test]
fn no_host_that_a_browser_sees_is_missed_in_mutated_documents() {
    let documents: usize = std::env::var("LINKS_DOCUMENTS")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(6_000);
    let seed = std::env::var("LINKS_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0x5eed_1234_5678_9abc);
    let mut numbers = Numbers(seed);
    // Readers differ on the text of a style sheet with tags in it. The library reports only that it may have hosts.
    let is_told = |html: &str, expected: &BTreeSet<String>| {
        let actual = ours(html);
        covers(html, &actual, expected) || actual.contains("computed.invalid")
    };
    let (mut found, mut certain, mut more, mut missed, mut computed) = (0, 0, 0, 0, 0);
    for index in 0..documents {
        let mut html = String::new();
        let mut count = 0;
        for _ in 0..1 + numbers.below(10) {
            piece(&mut numbers, &mut html, &mut count);
        }
        mutate(&mut numbers, &mut html);
        let expected = crate::links_oracle::hosts(&html);
        let actual = ours(&html);
        found += expected.len();
        if let Some(expected) = crate::links_oracle::hosts_by_html5gum(&html) {
            certain += 1;
            if !covers(&html, &actual, &expected) {
                let misses = |html: &str| {
                    crate::links_oracle::hosts_by_html5gum(html)
                        .is_some_and(|expected| !covers(html, &ours(html), &expected))
                };
                let html = shrink(&html, misses);
                println!("document {index}: html5gum has more in {html:?}");
                missed += 1;
                assert!(missed < 10, "hosts missed");
            }
        }
        computed += usize::from(!covers(&html, &actual, &expected));
        if !is_told(&html, &expected) {
            let html = shrink(&html, |html| {
                !is_told(html, &crate::links_oracle::hosts(html))
            });
            println!(
                "document {index}: missed {:?} in {html:?}",
                crate::links_oracle::hosts(&html)
                    .difference(&ours(&html))
                    .collect::<Vec<_>>()
            );
            missed += 1;
            assert!(missed < 10, "hosts missed");
        }
        more +=
            usize::from(crate::links_oracle::is_ordinary(&html) && actual.len() > expected.len());
        let listed: BTreeSet<String> = links(&html).flat_map(|link| link.hosts).collect();
        assert!(listed.is_subset(&actual), "{html:?}");
    }
    println!(
        "{documents} documents, {certain} of them for html5gum too, {found} hosts, {more} ordinary documents with more, {computed} that compute hosts, {missed} documents with fewer"
    );
    println!("\ncases tried {documents}, findings {missed}");
    assert_eq!(missed, 0);
    assert!(
        computed * 1000 < documents,
        "{computed} documents of which no host is found"
    );
    assert!(found > documents, "the documents have links");
    assert!(certain * 4 > documents, "{certain} documents for html5gum");
    assert!(
        more * 10 < documents,
        "{more} ordinary documents in which the scanner sees more than the oracle"
    );
}

#[test]
fn a_body_is_read_alike_however_it_is_sent() {
    let number = |name: &str, usual: u64| {
        let set = std::env::var(name).ok();
        set.and_then(|set| set.parse().ok()).unwrap_or(usual)
    };
    let mut numbers = Numbers(number("LINKS_SEED", 0x5eed_8765_4321_0def));
    let bodies = number("LINKS_BODIES", 3_000);
    let (mut found, mut differing) = (0, 0);
    for index in 0..bodies {
        let mut html = String::new();
        let mut count = 0;
        for _ in 0..1 + numbers.below(10) {
            piece(&mut numbers, &mut html, &mut count);
        }
        mutate(&mut numbers, &mut html);
        let html = html.trim();
        let plain = ours(html);
        found += plain.len();
        for encode in ENCODERS {
            let text = encode(html);
            let decoded = decode(&text, HtmlEncoding::Always).unwrap();
            if ours(&decoded.html) != plain {
                println!("body {index}: {html:?} as {text:?}");
                differing += 1;
            }
        }
    }
    println!("{bodies} bodies by seven encoders, {found} hosts, {differing} decisions that differ");
    println!("\ncases tried {bodies}, findings {differing}");
    assert_eq!(differing, 0);
}

#[test]
fn a_preflight_warns_of_each_link_that_no_browser_can_read() {
    let mut numbers = Numbers(0x5eed_4444_8888_1234);
    let (mut found, mut without) = (0, 0);
    for index in 0..3_000 {
        let mut html = String::new();
        let mut count = 0;
        for _ in 0..1 + numbers.below(6) {
            piece(&mut numbers, &mut html, &mut count);
        }
        mutate(&mut numbers, &mut html);
        let broken = ["https://a b/", "//[1/", "https://[/", "http://%zz/", "www."];
        html = html.replace("https://", numbers.one_of(&broken));
        // A document that is read as soup as well has the same links.
        if index % 2 == 0 {
            html.insert_str(0, "<svg>");
        }
        let body = serde_json::json!({"requests": [{"body": html}]}).to_string();
        let preflight =
            Preflight::new(&Policy::default(), Operation::HttpSendMail, body.as_bytes());
        let details = preflight
            .warnings()
            .filter(|warning| warning.kind() == WarningKind::LinkUnreadable)
            .map(|warning| warning.detail().map(String::from));
        let html = decode(&html, Policy::default().html_encoding())
            .unwrap()
            .html;
        let unreadable: Vec<_> = match html.trim().is_empty() {
            true => Vec::new(),
            false => links(&html)
                .filter(|link| !link.readable)
                .map(|link| Some(link.url.to_string()))
                .collect(),
        };
        assert_eq!(details.collect::<Vec<_>>(), unreadable, "{html:?}");
        found += unreadable.len();
        without += usize::from(unreadable.is_empty());
    }
    assert!(found > 150, "{found} links that cannot be read");
    assert!(without > 300, "{without} documents without one");
}
