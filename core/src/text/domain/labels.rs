//! Labels as they are written, before a domain or a host is converted.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

use super::MAX_LABEL_LEN;

/// Whether a character separates labels, or is mapped to a text that has a full stop (UTS 46).
pub(crate) const fn is_dot(character: char) -> bool {
    matches!(
        character,
        '.' | '\u{3002}'
            | '\u{ff0e}'
            | '\u{ff61}'
            | '\u{2024}'..='\u{2026}'
            | '\u{2488}'..='\u{249b}'
            | '\u{33c2}'
            | '\u{33c7}'
            | '\u{33d8}'
            | '\u{fe12}'
            | '\u{fe19}'
            | '\u{fe30}'
            | '\u{fe52}'
            | '\u{1f100}'
    )
}

/// The most characters with which a label of 63 octets, the longest of DNS, can be written: composing makes one character
/// of at most four.
const LONGEST_LABEL: usize = MAX_LABEL_LEN * 4;

/// Whether a host has a label that is too long for DNS, in a form whose conversion takes time quadratic in its length.
pub(crate) fn has_endless_label(host: &str) -> bool {
    if host.len() <= LONGEST_LABEL {
        return false;
    }
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    host.split(is_dot).any(|label| {
        let is_punycode = |start: &str| start.eq_ignore_ascii_case("xn--");
        let is_converted = !label.is_ascii() || label.get(..4).is_some_and(is_punycode);
        is_converted
            && label
                .chars()
                .filter(|character| !ignorable.contains(*character))
                .nth(LONGEST_LABEL)
                .is_some()
    })
}
