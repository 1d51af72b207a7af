//! Finds the ends of text and values sixteen bytes at a time, and tells what else is before them. It exists only for speed.
//!
//! Most ends are near, where calling a search function costs more than the search.

use memchr::memchr;

use super::span::tail;
use super::work;
use crate::bytes::lanes::{LANES, Lanes};

/// The number of blocks that are searched here before `memchr` is called.
const NEAR: usize = 4;

/// The first `byte` of `html` at or after `from`.
#[inline]
pub(super) fn find(html: &[u8], from: usize, byte: u8) -> Option<usize> {
    let mut at = from;
    for _ in 0..NEAR {
        let Some(block) = tail(html, at).first_chunk() else {
            break;
        };
        work::count(LANES);
        let found = Lanes::of(block).positions_of(byte);
        if found != 0 {
            at += found.trailing_zeros() as usize;
            return Some(at);
        }
        at += LANES;
    }
    let rest = html.get(at..)?;
    let length = memchr(byte, rest);
    work::count(length.unwrap_or(rest.len()) + 1);
    length.map(|length| at + length)
}

/// The first `quote` at or after `from`, which ends a value, and whether the value may be CSS with a URL. It may be if it has
/// a parenthesis, an `@`, a backslash or a reference.
#[inline]
pub(super) fn value_end(html: &[u8], from: usize, quote: u8) -> (usize, bool) {
    let mut at = from;
    let mut may_hold_url = false;
    while let Some(block) = tail(html, at).first_chunk() {
        work::count(LANES);
        let lanes = Lanes::of(block);
        let ends = lanes.positions_of(quote);
        let marks = lanes.positions_of_any([b'(', b'@', b'\\', b'&']);
        // All bits below the lowest one of `ends`.
        let before = ends.wrapping_sub(1) & !ends;
        may_hold_url |= marks & before != 0;
        if ends != 0 {
            at += ends.trailing_zeros() as usize;
            return (at, may_hold_url);
        }
        at += LANES;
    }
    (find(html, at, quote).unwrap_or(html.len()), true)
}

/// The next `<` at or after `from`, and whether the text before it may be a link or a part of one. It may be if it has `w.`,
/// `:/` or a reference.
#[inline]
pub(super) fn text_end(html: &[u8], from: usize) -> (Option<usize>, bool) {
    let mut at = from;
    let mut may_hold_link = false;
    while let Some(window) = tail(html, at).first_chunk::<{ LANES + 1 }>()
        && let (Some(block), Some(next)) = (window.first_chunk(), window.last_chunk())
    {
        work::count(LANES);
        let (lanes, next) = (Lanes::of(block), Lanes::of(next));
        let ends = lanes.positions_of(b'<');
        let names = lanes.positions_of_any([b'w', b'W']) & next.positions_of(b'.');
        let schemes = lanes.positions_of(b':') & next.positions_of_any([b'/', b'&']);
        let marks = names | schemes | lanes.positions_of(b'&');
        let before = ends.wrapping_sub(1) & !ends;
        may_hold_link |= marks & before != 0;
        if ends != 0 {
            at += ends.trailing_zeros() as usize;
            return (Some(at), may_hold_link);
        }
        at += LANES;
    }
    (find(html, at, b'<'), true)
}

#[cfg(test)]
mod tests;
