use super::*;
use crate::text::links::references::{self, Context};
use crate::text::links::run::Run;
use alloc::format;
use alloc::string::String;
use proptest::prelude::*;

fn resolved(text: &str) -> String {
    let mut resolved = String::new();
    references::decode(text, Context::Text, "", |piece, _| resolved.push_str(piece));
    resolved
}

#[test]
fn no_reference_that_is_passed_over_makes_text_a_link() {
    let mark = |value: &str| value.contains(['.', ':', 'w', 'W']);
    for (name, value) in html_escape::NAMED_ENTITIES {
        let name = core::str::from_utf8(name).unwrap();
        assert!(!mark(value) || matches!(name, "colon" | "period"), "{name}");
    }
    for number in 0..70_000_u32 {
        for text in [format!("&#{number};"), format!("&#0{number};")] {
            let is_mark = mark(&resolved(&text));
            assert!(!is_mark || may_hold_link(text.as_bytes()), "{text}");
        }
    }
}

#[test]
fn references_that_make_text_a_link_are_told_and_others_are_not() {
    for text in [
        "http&colon;//a.example",
        "http&#58;//a.example",
        "http&#x3a;//a.example",
        "www&period;a.example",
        "www&#46;a.example",
        "ww&#119;.a.example",
        "http:&sol;/a.example",
        "http:/&#47;a.example",
        "&ampwww.a.example",
        "WwW.a.example",
    ] {
        assert!(may_hold_link(text.as_bytes()), "{text}");
    }
    for text in [
        "&nbsp;&amp; it&#8217;s caf&eacute; & more: 1.5 now. soon",
        "\r\n",
        "a:b",
        "ww.a",
        "&",
    ] {
        assert!(!may_hold_link(text.as_bytes()), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn text_with_a_link_may_hold_one(
        text in "(&|#|;|amp|colon|period|sol|&colon;|&period;|&#46;|&#119;|&#58;|&#8217;|&#x2e;|&nbsp;|www|http|ftp|w|:|/|\\.|a\\.b| ){0,14}",
    ) {
        let has_link = Run::default().next(&resolved(&text)).is_some();
        prop_assert!(!has_link || may_hold_link(text.as_bytes()), "{}", text);
    }
}
