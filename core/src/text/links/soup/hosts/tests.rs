use alloc::collections::BTreeSet;
use alloc::string::String;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::super::host::KnownHosts;
use super::super::texts::{Cleaned, Escapes, Resolved, Text, resolve};
use super::super::{Findings, HostBudget, Soup, SoupKind, SoupLocation};
use super::read;
use crate::bytes::bits::Bits;

/// The hosts of the four texts, and whether a clause is open. `with_changes`: parts that are the same in two texts are read
/// only once.
fn found(text: &str, with_changes: bool) -> (BTreeSet<String>, bool) {
    let mut hosts = BTreeSet::new();
    let mut visit = |host: &str| {
        hosts.insert(String::from(host));
    };
    let mut budget = HostBudget::of(include_str!("tests.rs"));
    let mut known = KnownHosts::default();
    let mut hidden = None;
    let mut findings = Findings::new(&mut visit, &mut budget, &mut known, &mut hidden);
    let soup = Soup {
        text: text.as_bytes(),
        location: SoupLocation::Html(0),
        is_inner: true,
        is_utf8: false,
        kind: SoupKind::Markup,
    };
    let mut read_text = |escapes, bytes: &[u8], changes: Option<Bits>| {
        let is_made = changes.is_some();
        let cleaned = Cleaned::new(bytes, changes.unwrap_or_default());
        let text = Text {
            bytes: &cleaned.bytes,
            gaps: &cleaned.gaps,
            changes: (is_made && with_changes).then_some(&cleaned.changes),
            escapes,
            is_apart: false,
        };
        read(&soup, &text, &mut findings);
    };
    read_text(Escapes::NONE, soup.text, None);
    let mut source = None;
    if let Some(Resolved { bytes, changes }) = resolve(Escapes::REFERENCES, soup.text) {
        read_text(Escapes::REFERENCES, &bytes, Some(changes));
        source = Some(bytes);
    }
    if let Some(made) = resolve(Escapes::CSS, source.as_deref().unwrap_or(soup.text)) {
        read_text(Escapes::BOTH, &made.bytes, Some(made.changes));
    }
    if let Some(made) = resolve(Escapes::CSS, soup.text) {
        read_text(Escapes::CSS, &made.bytes, Some(made.changes));
    }
    (hosts, hidden.is_some())
}

/// Texts that begin, divide and end hosts, and texts that are changed when references and escapes are resolved.
const PARTS: &[&str] = &[
    "//",
    "/",
    "\\",
    "http:",
    "https://",
    "ftp:",
    "mailto:",
    "www.",
    "@",
    ":",
    ".",
    ",",
    ";",
    "(",
    ")",
    "\"",
    "'",
    "<",
    ">",
    " ",
    "\t",
    "\n",
    "?",
    "#",
    "!",
    "a",
    "b.c",
    "d.example",
    "\u{e9}",
    "\u{3000}",
    "[::1]",
    "80",
    "%2e",
    "&amp;",
    "&amp",
    "&#47;",
    "&#64",
    "&lt",
    "&quot",
    "&nbsp;",
    "&Tab;",
    "&comma;",
    "&sol;",
    "&period;",
    "\\2f ",
    "\\40 ",
    "\\61",
    "\\,",
    "\\\n",
    "\\9 ",
    "&bsol;",
    "5c ",
    "2f",
    "aaaaaaaaaaaa",
    "\0",
];

#[test]
fn a_start_that_only_the_other_text_has_hides_no_host() {
    for text in [
        r"\61ftp:b.c[::1]www.www.?",
        r"\61ftp:b.c[::1]www.www.a.example/?x",
        "&#97;ftp:b.c[::1]www.www.a.example#",
    ] {
        assert_eq!(found(text, true), found(text, false), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_alike_in_two_texts_is_looked_at_once_and_nothing_is_missed(parts in vec(select(PARTS), 1..40)) {
        let text = parts.concat();
        prop_assert_eq!(found(&text, true), found(&text, false));
    }
}
