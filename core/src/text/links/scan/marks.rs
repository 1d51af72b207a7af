//! A test whether a run of text may hold a link, without resolving its references. It exists only for speed.

use memchr::{memchr, memchr3};

use super::super::span::{tail, word_before};
use super::super::work;

/// Whether a run of text has what makes text a link, `://` or `www.`, or references that could be a part of it. The text
/// must not have NULs, which some readers leave out.
#[inline]
pub(super) fn may_hold_link(text: &[u8]) -> bool {
    work::count(text.len());
    if memchr(b'<', text).is_some() {
        // It may be `</>`, which is left out and so joins the text before it and the text after it.
        return true;
    }
    let mut rest = text;
    while let Some(at) = memchr3(b'.', b':', b'&', rest) {
        let after = tail(rest, at + 1);
        let may_be_link = match rest.get(at) {
            Some(b'.') => word_before(rest, at, b"www").is_some(),
            Some(b':') => matches!(after, [b'/' | b'&', ..]),
            _ => may_be_mark(after),
        };
        if may_be_link {
            return true;
        }
        rest = after;
    }
    false
}

/// Whether the character reference whose `&` is followed by `text` could be a colon, a full stop, or a `w` before one.
fn may_be_mark(text: &[u8]) -> bool {
    let ends = |text: &[u8], at: usize| text.get(at) == Some(&b';');
    match text {
        [] | [b' ', ..] => false,
        [b'#', digits @ ..] => {
            let count = digits.iter().take_while(|byte| byte.is_ascii_digit());
            let count = count.count();
            // Quotes and characters beyond ASCII, without leading zeros.
            let is_harmless = matches!(
                digits.get(..count),
                Some(
                    [b'3', _]
                        | [b'1', b'3'..=b'9', _]
                        | [b'2'..=b'9', _, _]
                        | [b'1'..=b'9', _, _, _]
                )
            );
            !(is_harmless && ends(digits, count))
        }
        [b'a'..=b'z' | b'A'..=b'Z', ..] => {
            let count = text.iter().take_while(|byte| byte.is_ascii_alphanumeric());
            let count = count.count();
            !ends(text, count) || matches!(text.get(..count), Some(b"colon" | b"period"))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
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
}
