//! The longest end of a name, found label by label. It exists only for speed: `shorter_end` in `name.rs` is the plain way,
//! which converts the name once for each end that it tries. For a name of 36 labels beyond ASCII that is seven conversions.
//!
//! Each label is converted on its own. That gives the same as converting the whole name, with three exceptions: the name
//! has a character that is written from right to left, whose rule (RFC 5893) looks at all labels; a label is mapped to
//! nothing; the last label may be a number.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::work;
use crate::text::domain::{
    MAX_DOMAIN_LEN, MAX_LABEL_LEN, has_endless_label, is_dot, is_dot_and_more,
};

/// Whether labels can be converted one by one, and the end that was found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ByLabels {
    /// The longest end that the URL standard takes and the DNS can carry: the whole name, or two of its labels or more.
    Found(Option<String>),
    /// The labels cannot be converted one by one.
    Whole,
}

/// The longest end of a percent-decoded name.
pub(super) fn longest_end(name: &str) -> ByLabels {
    work::count(name.len());
    let others = || name.chars().filter(|character| !character.is_ascii());
    if others().any(|one| is_right_to_left(one) || is_dot_and_more(one)) {
        return ByLabels::Whole;
    }
    let name = match others().any(is_dot) {
        true => Cow::Owned(name.replace(is_dot, ".")),
        false => Cow::Borrowed(name),
    };
    let labels = name.trim_end_matches('.');
    // The labels of the end, the last one first, and the number of their octets with a dot before each.
    let mut end: Vec<Cow<'_, str>> = Vec::new();
    let mut octets = 0;
    let mut is_all = true;
    for label in labels.rsplit('.') {
        let converted = match converted(label) {
            Converted::Carried(label) if octets + label.len() <= MAX_DOMAIN_LEN => label,
            Converted::Carried(_) | Converted::Refused => {
                is_all = false;
                break;
            }
            Converted::NotAlone => return ByLabels::Whole,
        };
        // The name may be an IPv4 address: every spelling of a number begins with a digit.
        if end.is_empty() && converted.starts_with(|first: char| first.is_ascii_digit()) {
            return ByLabels::Whole;
        }
        octets += converted.len() + 1;
        end.push(converted);
    }
    if end.is_empty() || !is_all && end.len() < 2 {
        return ByLabels::Found(None);
    }
    end.reverse();
    let dots = name.len() - labels.len();
    ByLabels::Found(Some(end.join(".") + &".".repeat(dots)))
}

enum Converted<'l> {
    /// The ASCII form of a label.
    Carried(Cow<'l, str>),
    /// The URL standard refuses it, or the DNS cannot carry it, or it is empty.
    Refused,
    /// It is written from right to left, or all of it is mapped to nothing. In the second case, the dots around it end the
    /// name, or are next to each other.
    NotAlone,
}

fn converted(label: &str) -> Converted<'_> {
    work::count(label.len());
    if label.is_empty() || has_endless_label(label) {
        return Converted::Refused;
    }
    match idna::domain_to_ascii_cow(label.as_bytes(), idna::AsciiDenyList::URL) {
        Ok(converted) if converted.is_empty() => Converted::NotAlone,
        Ok(converted) if converted.len() <= MAX_LABEL_LEN => {
            let punycode = converted.strip_prefix("xn--");
            match punycode.is_some_and(is_decoded_from_right_to_left) {
                true => Converted::NotAlone,
                false => Converted::Carried(converted),
            }
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
