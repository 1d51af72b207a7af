//! The longest end of a name, found label by label. It exists only for speed: `shorter_end` in `name.rs` is the plain way,
//! which converts the name once for each end that it tries. For a name of 36 labels beyond ASCII that is seven conversions.
//!
//! Each label is converted on its own. That gives the same as converting the whole name, with three exceptions: the name
//! has a character that is written from right to left, whose rule (RFC 5893) looks at all labels; a label is mapped to
//! nothing; the last label is a number.

use alloc::borrow::Cow;
use alloc::string::String;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

use super::super::span::has_word;
use super::super::work;
use crate::bytes::class::{ByteTable, byte_table};
use crate::bytes::rest;
use crate::text::domain::{MAX_DOMAIN_LEN, MAX_LABEL_LEN};

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
    let mut ascii = AsciiLabels::default();
    let mut count = 0;
    let mut is_all = true;
    for label in labels.rsplit('.') {
        let converted = match converted(label) {
            Converted::Carried(converted) => converted,
            Converted::Refused => {
                is_all = false;
                break;
            }
            Converted::NotAlone => return ByLabels::Whole,
        };
        if count == 0 && may_be_number(&converted) {
            return ByLabels::Whole;
        }
        if ascii.add(&converted).is_none() {
            is_all = false;
            break;
        }
        count += 1;
    }
    if count == 0 || !is_all && count < 2 {
        return ByLabels::Found(None);
    }
    let dots = name.len() - labels.len();
    ByLabels::Found(ascii.with_dots(dots))
}

/// Labels of ASCII, each added before the others.
struct AsciiLabels {
    octets: [u8; MAX_DOMAIN_LEN],
    start: usize,
}

impl Default for AsciiLabels {
    fn default() -> Self {
        Self {
            octets: [b'.'; MAX_DOMAIN_LEN],
            start: MAX_DOMAIN_LEN,
        }
    }
}

impl AsciiLabels {
    /// Adds a label, in lower case; `None` if the name is then too long for DNS.
    fn add(&mut self, label: &str) -> Option<()> {
        let is_last = self.start == MAX_DOMAIN_LEN;
        let start = self
            .start
            .checked_sub(label.len() + usize::from(!is_last))?;
        let slot = self.octets.get_mut(start..start + label.len())?;
        slot.copy_from_slice(label.as_bytes());
        slot.make_ascii_lowercase();
        self.start = start;
        Some(())
    }

    /// The labels, followed by `dots` dots.
    fn with_dots(&self, dots: usize) -> Option<String> {
        let labels = core::str::from_utf8(rest(&self.octets, self.start)).ok()?;
        let mut name = String::with_capacity(labels.len() + dots);
        name.push_str(labels);
        name.extend(core::iter::repeat_n('.', dots));
        Some(name)
    }
}

enum Converted<'l> {
    /// The ASCII form of a label, in any case.
    Carried(Cow<'l, str>),
    /// The URL standard refuses it, or the DNS cannot carry it, or it is empty.
    Refused,
    /// It is written from right to left, or all of it is mapped to nothing. In the second case, the dots around it end the
    /// name, or are next to each other.
    NotAlone,
}

fn converted(label: &str) -> Converted<'_> {
    if label.is_empty() || has_denied(label.as_bytes()) {
        return Converted::Refused;
    }
    let is_punycode = has_word(label.as_bytes(), 0, b"xn--");
    if label.is_ascii() && !is_punycode {
        return match label.len() <= MAX_LABEL_LEN {
            true => Converted::Carried(Cow::Borrowed(label)),
            false => Converted::Refused,
        };
    }
    work::count(label.len() * 8);
    if has_endless_label(label) {
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

/// Whether a label has an octet that the URL standard refuses. An octet before a character beyond ASCII does not count: if
/// that is a combining mark, both may make another character.
fn has_denied(label: &[u8]) -> bool {
    let mut octets = label.iter().zip(label.iter().skip(1).chain(Some(&0)));
    octets.any(|(octet, next)| DENIED.of(*octet) && next.is_ascii())
}

/// The forbidden domain code points of the URL standard.
static DENIED: ByteTable<bool> = byte_table!(|byte| matches!(
    byte,
    0..=b' ' | b'#' | b'%' | b'/' | b':' | b'<'..=b'@' | b'['..=b'^' | b'|' | 0x7f
) && byte != b'=');

/// Whether an IPv4 address may end in a label.
fn may_be_number(label: &str) -> bool {
    let digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let hexadecimal = label
        .strip_prefix("0x")
        .or_else(|| label.strip_prefix("0X"));
    digits(label)
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
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

/// Whether a character separates labels, or is mapped to a text that has a full stop (UTS 46).
pub(super) const fn is_dot(character: char) -> bool {
    matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}') || is_dot_and_more(character)
}

/// Whether a character is mapped to a full stop and something else (UTS 46), which belongs to a label.
const fn is_dot_and_more(character: char) -> bool {
    matches!(
        character,
        '\u{2024}'..='\u{2026}'
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
pub(in super::super) fn has_endless_label(host: &str) -> bool {
    if host.len() <= LONGEST_LABEL {
        return false;
    }
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    host.split(is_dot).any(|label| {
        let is_converted = !label.is_ascii() || has_word(label.as_bytes(), 0, b"xn--");
        is_converted
            && label
                .chars()
                .filter(|character| !ignorable.contains(*character))
                .nth(LONGEST_LABEL)
                .is_some()
    })
}

#[cfg(test)]
mod tests;
