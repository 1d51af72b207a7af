//! Hosts that are plain to see: lower-case ASCII between `https://` and what ends it.

use super::super::work;
use crate::text::domain::{MAX_DOMAIN_LEN, MAX_LABEL_LEN};

/// What the first bytes of a URL decide.
pub(in super::super) enum Quick<T> {
    Host(T),
    NoHost,
    Unsure,
}

/// Visits the host of a URL that needs no decoding, percent-decoding or normalizing to find it. `false`: it may need
/// that. References resolve after the host alone, so the rest of the URL may hold anything.
#[inline]
pub(in super::super) fn visit_plain(raw: &str, visit: &mut impl FnMut(&str)) -> bool {
    match quick(raw) {
        Quick::Host(host) => visit(host),
        Quick::NoHost => {}
        Quick::Unsure => return false,
    }
    true
}

#[inline]
fn quick(raw: &str) -> Quick<&str> {
    let bytes = raw.as_bytes();
    match bytes {
        [] | [b'#', ..] => return Quick::NoHost,
        [b'/', next, ..] if next.is_ascii_alphanumeric() => return Quick::NoHost,
        _ => {}
    }
    match raw
        .strip_prefix("https://")
        .or_else(|| raw.strip_prefix("http://"))
    {
        Some(rest) => match plain_host(rest) {
            Some(host) => Quick::Host(host),
            None => Quick::Unsure,
        },
        None => Quick::Unsure,
    }
}

/// The host that `rest` begins with, where the URL standard leaves it as it is.
#[inline]
pub(super) fn plain_host(rest: &str) -> Option<&str> {
    let host = rest.get(..plain_host_start(rest.as_bytes())?)?;
    matches!(
        rest.as_bytes().get(host.len()),
        None | Some(b'/' | b'?' | b'#')
    )
    .then_some(host)
}

/// How many characters `bytes` begins with that are a host that the URL standard leaves as it is. Whether they are all of
/// the host depends on what follows.
#[inline]
pub(in super::super) fn plain_host_start(bytes: &[u8]) -> Option<usize> {
    work::count(8);
    let length = bytes
        .iter()
        .position(|byte| !PLAIN.get(usize::from(*byte)).is_some_and(|plain| *plain))
        .unwrap_or(bytes.len());
    let host = bytes.get(..length)?;
    let last_label = host
        .iter()
        .rposition(|byte| *byte == b'.')
        .map_or(0, |dot| dot.wrapping_add(1));
    // Two hyphens may be those of "xn--".
    if let Some(hyphen) = host.iter().position(|byte| *byte == b'-')
        && host
            .get(hyphen..)
            .is_some_and(|rest| rest.windows(2).any(|pair| pair == b"--"))
    {
        return None;
    }
    if !fits_as_written(host) {
        return None;
    }
    // A last label that begins with a letter is no number, so the host no IPv4 address.
    bytes
        .get(last_label)
        .filter(|byte| length > last_label && byte.is_ascii_lowercase())?;
    Some(length)
}

/// Whether the DNS can carry it.
#[inline]
fn fits_as_written(host: &[u8]) -> bool {
    host.len() <= MAX_LABEL_LEN
        || host.len() <= MAX_DOMAIN_LEN
            && host
                .split(|byte| *byte == b'.')
                .all(|label| label.len() <= MAX_LABEL_LEN)
}

/// What a plain host is written with: lower-case letters, digits, full stops and hyphens.
const PLAIN: [bool; 256] = plain_table();

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn plain_table() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        byte += 1;
    }
    table
}
