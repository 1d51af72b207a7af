//! Hosts that are plain to see: lower-case ASCII between `https://` and the end of the host.

use super::super::work;
use crate::bytes::class::{ByteTable, byte_table};
use crate::text::domain::{MAX_DOMAIN_LEN, MAX_LABEL_LEN, fits_dns};

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
    let host = rest.get(..plain_length(rest.as_bytes(), PLAIN)?)?;
    matches!(
        rest.as_bytes().get(host.len()),
        None | Some(b'/' | b'?' | b'#')
    )
    .then_some(host)
}

/// Whether the URL standard leaves a host as it is. In the host there is nothing left to decode but percent escapes, so it
/// may have other signs than [`plain_host`] allows.
#[inline]
pub(super) fn is_plain_host(host: &[u8]) -> bool {
    host.len() <= MAX_DOMAIN_LEN && plain_length(host, PLAIN | SIGN) == Some(host.len())
}

/// The length of the text of these classes that `bytes` begins with, if the URL standard leaves it as it is in a host.
/// Whether it is the whole host depends on what follows.
#[inline]
fn plain_length(bytes: &[u8], classes: u8) -> Option<usize> {
    work::count(8);
    let (mut length, mut last_label) = (0, 0);
    // A dot at the beginning makes an empty label, and so do two dots in a row. Two hyphens may be those of "xn--".
    let mut before = DOT;
    let mut is_odd = false;
    for byte in bytes {
        let class = CLASSES.of(*byte);
        if class & classes == 0 {
            break;
        }
        is_odd |= class & before & (DOT | HYPHEN) != 0;
        before = class;
        length += 1;
        if class & DOT != 0 {
            last_label = length;
        }
    }
    let host = bytes.get(..length)?;
    if is_odd || length > MAX_LABEL_LEN && !fits_dns(host) {
        return None;
    }
    // A last label that begins with a letter is not a number, so the host is not an IPv4 address.
    host.get(last_label)
        .filter(|byte| byte.is_ascii_lowercase())?;
    Some(length)
}

/// A byte of a host that is the same in HTML, in CSS and after everything is decoded.
const PLAIN: u8 = 1;
/// Any other sign that a host can have.
const SIGN: u8 = 2;
const DOT: u8 = 4;
const HYPHEN: u8 = 8;

static CLASSES: ByteTable<u8> = byte_table!(|byte| match byte {
    b'a'..=b'z' | b'0'..=b'9' => PLAIN,
    b'.' => PLAIN | DOT,
    b'-' => PLAIN | HYPHEN,
    b'!' | b'"' | b'$' | b'&'..=b',' | b';' | b'=' | b'_' | b'`' | b'{' | b'}' | b'~' => SIGN,
    _ => 0,
});
