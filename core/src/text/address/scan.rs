//! Ordinary ASCII addresses, recognized in one pass.

use super::scanned::{DOT, Scan, UPPER, class};
use super::window;
use super::{MAX_ADDRESS_LEN, MAX_LOCAL_PART_LEN};
use crate::text::domain;

/// Recognizes an ordinary ASCII address in one pass, without allocating. `Some` means that the address is valid.
///
/// `None` means that [`parse`](super::parse) has to decide. That is the case for every invalid address, for every address
/// with a character above U+007F, and for domains with `--`, as in `xn--`.
#[inline]
pub(crate) fn scan_ascii(text: &[u8]) -> Option<Scan> {
    scan_first(text, text.len())
}

/// [`scan_ascii`] of the first `len` octets of a text. The text may be longer: a whole block is scanned faster than a part
/// of one.
#[inline]
pub(crate) fn scan_first(text: &[u8], len: usize) -> Option<Scan> {
    scan_start(text).filter(|scan| scan.len() == len)
}

/// Recognizes the address that `text` begins with. It ends at the first octet that a domain cannot have.
#[inline]
pub(super) fn scan_start(text: &[u8]) -> Option<Scan> {
    let found = match text.first_chunk() {
        Some(window) => window::scan(window),
        None => window::scan_short(text),
    };
    found.or_else(|| scan_bytes(text))
}

/// [`scan_start`] byte by byte.
pub(super) fn scan_bytes(text: &[u8]) -> Option<Scan> {
    let mut any = 0;
    let mut neighbours = 0;
    // Both ends count as dots, so an empty local part has two dots in a row.
    let mut before = DOT;
    let mut bytes = text.iter();
    let stop = loop {
        let byte = *bytes.next()?;
        let class = class(byte);
        if class == 0 {
            break byte;
        }
        any |= class;
        neighbours |= class & before;
        before = class;
    };
    let domain = bytes.as_slice();
    let at = text.len() - domain.len() - 1;
    if stop != b'@' {
        return None;
    }
    if (neighbours | before) & DOT != 0 || at > MAX_LOCAL_PART_LEN {
        return None;
    }
    let domain = domain::scan_ascii(domain)?;
    let len = at + 1 + domain.len;
    if len > MAX_ADDRESS_LEN {
        return None;
    }
    Scan::new(at, len, any & UPPER != 0, domain.upper)
}
