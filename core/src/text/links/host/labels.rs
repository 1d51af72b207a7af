//! The longest end of a name, found label by label. It exists for speed alone: `shorter_end` in `name.rs` is the plain way, which
//! converts the name once for each end that it tries. For a name of 36 labels beyond ASCII that is seven conversions.
//!
//! A label is converted by itself. That gives what converting the whole name gives, unless the name has a character that is
//! written from right to left, whose rule (RFC 5893) looks at all labels, or a label that is mapped to nothing, or unless its last label
//! is a number.

use alloc::string::String;

use super::super::work;
use super::name::{has_endless_label, is_dot};
use crate::text::domain::{MAX_DOMAIN_LEN, MAX_LABEL_LEN};

/// Whether labels can be converted one by one, and the end that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ByLabels {
    /// The longest end that the URL standard takes and the DNS can carry: the whole name, or two of its labels or more.
    Found(Option<String>),
    /// They cannot.
    Whole,
}

/// The longest end of a name, which is percent-decoded.
pub(super) fn longest_end(name: &str) -> ByLabels {
    if name.contains(|character| is_right_to_left(character) || is_dot_and_more(character)) {
        return ByLabels::Whole;
    }
    let labels = name.trim_end_matches(is_dot);
    let dots = name.chars().rev().take_while(|one| is_dot(*one)).count();
    // The labels that were taken, the last one first.
    let mut taken: arrayvec::ArrayVec<String, { MAX_DOMAIN_LEN.div_ceil(2) }> =
        arrayvec::ArrayVec::new();
    let mut octets = 0;
    let mut is_all = true;
    for label in labels.rsplit(is_dot) {
        let converted = match converted(label) {
            Converted::Carried(converted) => converted,
            Converted::Refused => {
                is_all = false;
                break;
            }
            Converted::Nothing => return ByLabels::Whole,
        };
        if converted
            .strip_prefix("xn--")
            .is_some_and(is_decoded_from_right_to_left)
            || taken.is_empty() && converted.starts_with(|first: char| first.is_ascii_digit())
        {
            return ByLabels::Whole;
        }
        // A dot is before each label but the first.
        let more = converted.len() + usize::from(!taken.is_empty());
        if octets + more > MAX_DOMAIN_LEN || taken.try_push(converted).is_err() {
            is_all = false;
            break;
        }
        octets += more;
    }
    if taken.is_empty() || !is_all && taken.len() < 2 {
        return ByLabels::Found(None);
    }
    let mut host = String::with_capacity(octets + dots);
    for (index, label) in taken.iter().rev().enumerate() {
        if index > 0 {
            host.push('.');
        }
        host.push_str(label);
    }
    host.extend(core::iter::repeat_n('.', dots));
    ByLabels::Found(Some(host))
}

enum Converted {
    /// The ASCII form of a label.
    Carried(String),
    /// The URL standard refuses it, or the DNS cannot carry it, or it is empty.
    Refused,
    /// All of it is mapped to nothing: the dots around it are at the end of the name, or next to each other.
    Nothing,
}

fn converted(label: &str) -> Converted {
    work::count(label.len());
    if label.is_empty() || has_endless_label(label) {
        return Converted::Refused;
    }
    let deny = idna::AsciiDenyList::URL;
    match idna::domain_to_ascii_cow(label.as_bytes(), deny) {
        Ok(converted) if converted.is_empty() => Converted::Nothing,
        Ok(converted) if converted.len() <= MAX_LABEL_LEN => {
            Converted::Carried(converted.into_owned())
        }
        _ => Converted::Refused,
    }
}

fn is_decoded_from_right_to_left(punycode: &str) -> bool {
    let decoded = idna::punycode::decode_to_string(punycode);
    decoded.is_none_or(|label| label.contains(is_right_to_left))
}

/// Whether a character is in a block whose characters are written from right to left, or are numbers of such a script.
const fn is_right_to_left(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{8ff}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    )
}

/// Whether a character is mapped to a full stop and something else (UTS 46), which belongs to a label.
const fn is_dot_and_more(character: char) -> bool {
    is_dot(character) && !matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}
