//! Hosts that are plain to see: lower-case ASCII between `https://` and the end of the host.

use super::super::work;
use crate::bytes::class::{ByteTable, byte_table};
use crate::text::domain::{MAX_LABEL_LEN, fits_dns};

/// Visits the host of a URL, if it can be found without resolving references, percent-decoding or normalizing. Returns
/// `false` if these may be needed. The rest of the URL may hold anything, as references there do not change the host.
#[inline]
pub(in super::super) fn visit_plain(raw: &str, visit: &mut impl FnMut(&str)) -> bool {
    match raw.as_bytes() {
        [] | [b'#', ..] => return true,
        [b'/', next, ..] if next.is_ascii_alphanumeric() => return true,
        _ => {}
    }
    let rest = raw
        .strip_prefix("https://")
        .or_else(|| raw.strip_prefix("http://"));
    let host = rest.and_then(plain_host);
    if let Some(host) = host {
        visit(host);
    }
    host.is_some()
}

/// The host that `rest` begins with, if the URL standard leaves it as it is.
#[inline]
pub(super) fn plain_host(rest: &str) -> Option<&str> {
    let host = rest.get(..plain_host_start(rest.as_bytes())?)?;
    matches!(
        rest.as_bytes().get(host.len()),
        None | Some(b'/' | b'?' | b'#')
    )
    .then_some(host)
}

/// The length of the text that `bytes` begins with and that the URL standard leaves as it is in a host. Whether it is the
/// whole host depends on what follows.
#[inline]
fn plain_host_start(bytes: &[u8]) -> Option<usize> {
    work::count(8);
    let length = bytes
        .iter()
        .position(|byte| !PLAIN.of(*byte))
        .unwrap_or(bytes.len());
    let host = bytes.get(..length)?;
    let last_label = host
        .iter()
        .rposition(|byte| *byte == b'.')
        .map_or(0, |dot| dot + 1);
    // Two hyphens may be those of "xn--". A dot at the beginning, or two dots in a row, make an empty label.
    let is_odd = |pair: &[u8]| matches!(pair, b"--" | b"..");
    if host.first() == Some(&b'.') || host.windows(2).any(is_odd) {
        return None;
    }
    if length > MAX_LABEL_LEN && !fits_dns(host) {
        return None;
    }
    // A last label that begins with a letter is not a number, so the host is not an IPv4 address.
    bytes
        .get(last_label)
        .filter(|byte| length > last_label && byte.is_ascii_lowercase())?;
    Some(length)
}

/// The bytes of a plain host: lower-case letters, digits, full stops and hyphens.
static PLAIN: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'));
