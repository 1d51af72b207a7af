//! Recognizes an ordinary address within 64 bytes, with vector instructions if the processor has them.

use wide::{CmpLt, i8x16};

use super::scanned::{ATEXT, Scan};

/// The number of bytes that are looked at together: a `u64` has one bit for each.
const WINDOW: usize = u64::BITS as usize;

/// Recognizes an ordinary ASCII address in one pass, without allocating. `Some` means that the address is valid.
///
/// `None` means that [`parse`](super::parse) has to decide. That is the case for every invalid address, and for every address
/// - of 64 octets or more;
/// - with a character above U+007F;
/// - with a digit at its end;
/// - with a hyphen at its beginning, in its last label, or next to a dot, an `@` or another hyphen.
#[inline]
pub(crate) fn scan_ascii(text: &[u8]) -> Option<Scan> {
    scan_first(text, text.len())
}

/// [`scan_ascii`] of the first `len` octets of a text. The text may be longer: a whole window is scanned faster than a part
/// of one.
#[inline]
pub(crate) fn scan_first(text: &[u8], len: usize) -> Option<Scan> {
    scan_start(text).filter(|scan| scan.len() == len)
}

/// Recognizes the address that `text` begins with. It ends at the first octet that a domain cannot have.
#[inline]
pub(super) fn scan_start(text: &[u8]) -> Option<Scan> {
    match text.first_chunk() {
        Some(window) => scan(window),
        None => scan_short(text),
    }
}

/// One bit for each byte with a property. The lowest bit is that of the first byte.
#[derive(Clone, Copy, Default)]
struct Masks {
    /// Bytes that are not letters, digits, hyphens or dots.
    other: u64,
    hyphen_or_dot: u64,
    upper: u64,
}

impl Masks {
    #[inline]
    fn of(window: &[u8; WINDOW]) -> Self {
        let (parts, _) = window.as_chunks::<16>();
        parts.iter().rev().fold(Self::default(), |masks, part| {
            let bytes = i8x16::new(part.map(u8::cast_signed));
            let hyphen_or_dot = range(bytes, b'-', 2);
            let letter = range(bytes | i8x16::splat(0x20), b'a', 26);
            let plain = letter | range(bytes, b'0', 10) | hyphen_or_dot;
            let shifted = |bits: u64, found: i8x16| {
                bits << 16 | u64::from(found.move_mask().cast_unsigned() & 0xFFFF)
            };
            Self {
                other: shifted(masks.other, !plain),
                hyphen_or_dot: shifted(masks.hyphen_or_dot, hyphen_or_dot),
                upper: shifted(masks.upper, range(bytes, b'A', 26)),
            }
        })
    }
}

/// The bytes that are one of the `count` values from `first` on. Bytes are shifted so that `first` becomes the smallest
/// signed number: then one comparison is enough.
#[inline]
fn range(bytes: i8x16, first: u8, count: i8) -> i8x16 {
    let shift = i8::MIN.wrapping_sub(first.cast_signed());
    let end = i8::MIN.wrapping_add(count);
    (bytes + i8x16::splat(shift)).cmp_lt(i8x16::splat(end))
}

/// [`scan_start`] of a text that begins with these bytes.
#[inline]
fn scan(window: &[u8; WINDOW]) -> Option<Scan> {
    let Masks {
        mut other,
        hyphen_or_dot,
        upper,
    } = Masks::of(window);
    let at = loop {
        let place = other.trailing_zeros() as usize;
        let byte = *window.get(place)?;
        if byte == b'@' {
            break place;
        }
        if !ATEXT.of(byte) {
            return None;
        }
        other &= other.wrapping_sub(1);
    };
    let after_at = other & other.wrapping_sub(1);
    let end = after_at & after_at.wrapping_neg();
    let len = end.trailing_zeros() as usize;
    // The domain continues after the window.
    if end == 0 {
        return None;
    }
    let at_bit = other ^ after_at;
    let before_end = end.wrapping_sub(1);
    let before_at = at_bit.wrapping_sub(1);
    // Two hyphens or dots must not be next to each other, nor at an end of either part. (A local part may have hyphens
    // there, but that is rare.)
    let edges = hyphen_or_dot & before_end | at_bit | end;
    if edges & (edges << 1 | 1) != 0 {
        return None;
    }
    // The last label must be ordinary, and there must be another one before it.
    let marks = hyphen_or_dot & before_end & !before_at;
    let last_mark = marks.checked_ilog2()? as usize;
    if *window.get(last_mark)? != b'.' || window.get(len.wrapping_sub(1))?.is_ascii_digit() {
        return None;
    }
    let upper_domain = upper & before_end & !before_at != 0;
    Scan::new(at, len, upper & before_at != 0, upper_domain)
}

/// [`scan`] of a text that is shorter than a window.
#[inline(never)]
fn scan_short(text: &[u8]) -> Option<Scan> {
    let mut window = [0; WINDOW];
    window.get_mut(..text.len())?.copy_from_slice(text);
    scan(&window)
}

#[cfg(test)]
mod tests;
