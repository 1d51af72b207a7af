//! The names by which a host is judged: the name in the form of the URL standard, or the end of it that can be resolved.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use percent_encoding::percent_decode_str;
use url::Host;

use super::super::span::Span;
use super::super::work;
use super::labels;
use super::plain::is_plain_host;
use crate::bytes::rest;
use crate::text::domain::{MAX_DOMAIN_LEN, fits_dns, has_endless_label, is_dot};

/// Visits the names by which a host is judged. The host may be written in any way that the URL standard allows. A host that
/// the standard refuses, or that the DNS cannot carry, is judged by its longest end that both take.
pub(in super::super) fn visit_host(host: &str, visit: &mut impl FnMut(&str)) {
    if host.is_empty() {
        return;
    }
    work::count(host.len());
    if host.starts_with('[') && host.ends_with(']') {
        if let Ok(Host::Ipv6(address)) = Host::parse(host) {
            visit(&Host::<String>::Ipv6(address).to_string());
        }
        return;
    }
    let decoded = match host.contains('%') {
        true => percent_decode_str(host).decode_utf8_lossy(),
        false => Cow::Borrowed(host),
    };
    let name = shortened(&decoded);
    visit_name(&name, visit);
    // The form that older processing gives a name with a deviation character (UTS 46).
    if let Some(mapped) = without_deviations(&name) {
        visit_name(&mapped, visit);
    }
}

/// The name without its deviation characters, which are mapped as in the processing that is called transitional.
pub(super) fn without_deviations(name: &str) -> Option<String> {
    const DEVIATIONS: [char; 5] = ['\u{df}', '\u{1e9e}', '\u{3c2}', '\u{200c}', '\u{200d}'];
    if name.is_ascii() || !name.contains(DEVIATIONS) {
        return None;
    }
    let mut mapped = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            '\u{df}' | '\u{1e9e}' => mapped.push_str("ss"),
            '\u{3c2}' => mapped.push('\u{3c3}'),
            '\u{200c}' | '\u{200d}' => {}
            other => mapped.push(other),
        }
    }
    Some(mapped)
}

fn visit_name(name: &str, visit: &mut impl FnMut(&str)) {
    if is_plain_host(name.as_bytes()) {
        visit(name);
    } else if let Some(host) = labels::longest_end(name) {
        visit(&host);
    }
}

/// The IPv4 address of a name of at most four labels whose last label may be a number: that of the whole name, or of the longest
/// end that the URL standard takes. It is found in the plain way, which gives the same as [`labels::longest_end`] for any name.
pub(super) fn address(name: &str) -> Option<String> {
    standard(name).or_else(|| shorter_end(name))
}

/// The longest end of a refused name, of two labels or more, that the URL standard and the DNS take.
fn shorter_end(name: &str) -> Option<String> {
    let starts = ends_of_labels(name);
    // If an end is refused, every longer end is refused, too.
    let end = |begin: &usize| name.get(*begin..).and_then(standard);
    let taken = starts.partition_point(|begin| end(begin).is_some());
    starts.get(..taken).and_then(<[_]>::last).and_then(end)
}

/// The starts of the ends of a name that have two labels or more, the shortest end first. There are at most [`MAX_LABELS`].
/// No end has an empty label before its last dots.
fn ends_of_labels(name: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut left = Some(name.trim_end_matches(is_dot));
    let mut is_last = true;
    while let Some(labels) = left {
        let (before, label) = match labels.rsplit_once(is_dot) {
            Some((before, label)) => (Some(before), label),
            None => (None, labels),
        };
        let start = labels.len() - label.len();
        if label.is_empty() || starts.len() == MAX_LABELS {
            break;
        }
        if !is_last {
            starts.push(start);
        }
        is_last = false;
        left = before;
    }
    starts
}

/// The most labels that a name of 253 octets can have.
const MAX_LABELS: usize = MAX_DOMAIN_LEN.div_ceil(2);

/// The percent-decoded name in the form of the URL standard; `None` if the standard or the DNS refuses it.
fn standard(name: &str) -> Option<String> {
    work::count(name.len());
    // An IPv6 address is read as it is written, before anything is decoded.
    if name.is_empty()
        || name.starts_with('[')
        || name.contains('%')
        || is_too_long(name)
        || has_endless_label(name)
    {
        return None;
    }
    let host = Host::parse(name).ok()?.to_string();
    // Dots at the end are not counted.
    fits_dns(host.trim_end_matches('.').as_bytes()).then_some(host)
}

/// Whether the name is too long for DNS.
fn is_too_long(name: &str) -> bool {
    // Dots at the end are not counted.
    let name = name.trim_end_matches(is_dot);
    if name.len() <= MAX_DOMAIN_LEN {
        return false;
    }
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    // Composing makes one character of at most four.
    let longest = if name.is_ascii() {
        MAX_DOMAIN_LEN
    } else {
        MAX_DOMAIN_LEN * 4
    };
    name.chars()
        .filter(|character| character.is_ascii() || !ignorable.contains(*character))
        .nth(longest)
        .is_some()
}

/// The end of a host, without the labels before it that no name in DNS can have together with the end. A name keeps each ASCII
/// letter and sign with which it is written, unless the letter or sign is a part of an escape.
pub(super) fn without_beginning(host: &[u8]) -> &[u8] {
    // The first two characters of the end may be a part of an escape before it.
    let mut left = MAX_DOMAIN_LEN + 3;
    for (at, byte) in host.iter().enumerate().rev() {
        match byte {
            b'%' => break,
            // A name has fewer octets than this if it has dots at the end, if it is a number that is written with many zeros,
            // and if it has characters that are mapped to nothing.
            b'.' | b'0'..=b'9' | 0x80.. => {}
            _ => left -= 1,
        }
        if left == 0 {
            return rest(host, at);
        }
    }
    host
}

/// More bytes than any name that fits into DNS takes, apart from characters that are mapped to nothing.
const LONGEST_NAME: usize = 8192;

/// The end of a name that is too long to fit, without characters that are mapped to nothing.
fn shortened(name: &str) -> Cow<'_, str> {
    if name.len() <= LONGEST_NAME {
        return Cow::Borrowed(name);
    }
    // Dots at the end are not counted.
    let name = name.trim_end_matches(is_dot);
    let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>();
    let mut kept = String::new();
    for character in name.chars() {
        if character.is_ascii() || !ignorable.contains(character) {
            kept.push(character);
        }
        if kept.len() > LONGEST_NAME * 2 {
            cut(&mut kept);
        }
    }
    if kept.len() > LONGEST_NAME {
        cut(&mut kept);
    }
    Cow::Owned(kept)
}

/// Removes the beginning of a longer name, so that its last [`LONGEST_NAME`] bytes remain.
fn cut(name: &mut String) {
    let from = name.len() - LONGEST_NAME;
    let from = (from..name.len())
        .find(|at| name.is_char_boundary(*at))
        .unwrap_or(name.len());
    let rest = Span::new(from, name.len()).of(name);
    // The label that is cut gets a `%`, which makes it invalid.
    *name = alloc::format!("%{rest}");
}

#[cfg(test)]
mod tests;
