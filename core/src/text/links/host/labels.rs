//! The longest end of a name, found label by label, from the last one on. The time that it takes depends on the end that is
//! found and on one label more, and not on the labels before them. Converting the whole name, and then each of its ends, would
//! read a long name several times.
//!
//! Converting each label on its own gives the same as converting the whole name, with two exceptions. If the name has a
//! character that is written from right to left, a rule holds for all of its labels (RFC 5893). If its last label is a number,
//! it is an IPv4 address.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use icu_normalizer::uts46::Uts46MapperBorrowed;
use icu_properties::props::{BidiClass, EnumeratedProperty};

use super::super::work;
use super::name::address;
use crate::bytes::text_part;
use crate::text::domain::{MAX_DOMAIN_LEN, MAX_LABEL_LEN, is_dot};

/// The longest end of a percent-decoded name that the URL standard takes and the DNS can carry: the whole name, or two of its
/// labels or more.
pub(super) fn longest_end(name: &str) -> Option<String> {
    work::count(name.len());
    let name = with_full_stops(name);
    let labels = name.trim_end_matches('.');
    let dots = name.len() - labels.len();
    // The labels at the end that are mapped to nothing. The dots before them are then at the end of the name.
    let mut ignored = 0;
    let mut has_empty_label = false;
    // The labels of the end, the last one first, and the number of their octets with a dot before each.
    let mut end: Vec<Cow<'_, str>> = Vec::new();
    let mut octets = 0;
    let mut is_all = true;
    let mut has_right_to_left = false;
    for label in labels.rsplit('.') {
        let ascii = converted(label).filter(|ascii| octets + ascii.len() <= MAX_DOMAIN_LEN);
        if end.is_empty() && (label.is_empty() || ascii.as_deref() == Some("")) {
            // An end with an empty label before its last dots is not tried, so only the whole name is left.
            has_empty_label |= label.is_empty();
            ignored += 1;
            continue;
        }
        if end.is_empty() && dots + ignored < 2 && is_number(label) {
            // An address has at most four labels, and all of them are numbers.
            let labels_of_end = labels.rsplit('.').skip(ignored).take(4);
            let numbers = labels_of_end.take_while(|label| is_number(label)).count();
            return match labels.rmatch_indices('.').nth(ignored + numbers - 1) {
                None => address(&name),
                Some((dot, _)) if numbers + ignored > 1 => {
                    address(text_part(&name, dot + 1..name.len()))
                }
                Some(_) => None,
            };
        }
        let Some(ascii) = ascii.filter(|ascii| !ascii.is_empty()) else {
            is_all = false;
            break;
        };
        // The rule for names from right to left holds for the labels after this one as well, which were converted without it.
        let is_first = !has_right_to_left && is_right_to_left(&ascii);
        let fits = (!is_first || end.iter().all(|label| fits_right_to_left(label)))
            && (!has_right_to_left || fits_right_to_left(&ascii));
        if !fits {
            is_all = false;
            break;
        }
        has_right_to_left |= is_first;
        octets += ascii.len() + 1;
        end.push(ascii);
    }
    if end.is_empty() || !is_all && (has_empty_label || end.len() + ignored < 2) {
        return None;
    }
    end.reverse();
    Some(end.join(".") + &".".repeat(dots + ignored))
}

/// A name whose labels are separated by `.` alone. A character that looks like a full stop and something else is a part of the
/// label before it, which the URL standard refuses.
fn with_full_stops(name: &str) -> Cow<'_, str> {
    if name.is_ascii() || !name.contains(|character: char| character != '.' && is_dot(character)) {
        return Cow::Borrowed(name);
    }
    let mut separated = String::with_capacity(name.len());
    for character in name.chars() {
        if !matches!(character, '\u{3002}' | '\u{ff0e}' | '\u{ff61}') {
            separated.push(character);
        }
        if character != '.' && is_dot(character) {
            separated.push('.');
        }
    }
    Cow::Owned(separated)
}

/// The ASCII form of a label; `None` if it is empty, if the URL standard refuses it, or if the DNS cannot carry it. The form is
/// empty if all of the label is mapped to nothing.
fn converted(label: &str) -> Option<Cow<'_, str>> {
    work::count(label.len());
    if label.is_empty() || is_too_long(label) {
        return None;
    }
    let converted = to_ascii(label).ok()?;
    (converted.len() <= MAX_LABEL_LEN).then_some(converted)
}

/// Whether a label has more characters than a label of DNS has octets, after everything is mapped. Converting a label takes
/// time quadratic in the number of its characters.
fn is_too_long(label: &str) -> bool {
    // A label in ASCII is as long in its ASCII form.
    if label.is_ascii() {
        return label.len() > MAX_LABEL_LEN;
    }
    if label.chars().nth(MAX_LABEL_LEN).is_none() {
        return false;
    }
    let mapper = Uts46MapperBorrowed::new();
    let mut mapped = mapper.map_normalize(label.chars());
    mapped.nth(MAX_LABEL_LEN).is_some()
}

fn to_ascii(text: &str) -> Result<Cow<'_, str>, idna::Errors> {
    idna::domain_to_ascii_cow(text.as_bytes(), idna::AsciiDenyList::URL)
}

/// Whether the URL standard reads a last label as a number. It need not be one that an address can have, and it may be written
/// with more zeros than a label of DNS has octets.
fn is_number(label: &str) -> bool {
    let mapper = Uts46MapperBorrowed::new();
    let mut mapped = mapper.map_normalize(label.chars()).peekable();
    let is_empty = mapped.peek().is_none();
    let is_hexadecimal = mapped.next_if_eq(&'0').is_some() && mapped.next_if_eq(&'x').is_some();
    let is_digit = |digit: char| match is_hexadecimal {
        true => digit.is_ascii_hexdigit(),
        false => digit.is_ascii_digit(),
    };
    !is_empty && mapped.all(is_digit)
}

/// Whether a label in ASCII form has a character that makes the whole name one from right to left (RFC 5893, section 1.4).
fn is_right_to_left(label: &str) -> bool {
    let decoded = label
        .strip_prefix("xn--")
        .and_then(idna::punycode::decode_to_string);
    let is_strong = |character: char| {
        matches!(
            BidiClass::for_char(character),
            BidiClass::RightToLeft | BidiClass::ArabicLetter | BidiClass::ArabicNumber
        )
    };
    decoded.is_some_and(|label| label.contains(is_strong))
}

/// Whether a label in ASCII form can be in a name from right to left (RFC 5893, section 2).
fn fits_right_to_left(label: &str) -> bool {
    work::count(label.len());
    to_ascii(&format!("\u{5d0}.{label}")).is_ok()
}
