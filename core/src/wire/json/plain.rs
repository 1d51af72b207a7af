//! Finds the end of the plain part of a string, one block at a time.

use crate::bytes::lanes::{no_ascii, no_plain_ascii};
use crate::bytes::rest;

/// The position of the first quote, backslash or control character at or after `at`, and whether all bytes before it are
/// ASCII.
pub(super) fn end_of_plain(bytes: &[u8], at: usize) -> (usize, bool) {
    let (mut at, mut is_ascii) = skip_plain_blocks(bytes, at);
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            break;
        }
        is_ascii &= byte.is_ascii();
        at += 1;
    }
    (at, is_ascii)
}

/// Skips whole blocks without a quote, backslash or control character. Returns where it stopped, and whether all
/// skipped bytes are ASCII.
fn skip_plain_blocks(bytes: &[u8], at: usize) -> (usize, bool) {
    let (blocks, _) = rest(bytes, at).as_chunks();
    let (mut skipped, mut is_ascii) = (0_usize, true);
    for block in blocks {
        let found = no_plain_ascii(block);
        // Most blocks have none of these bytes, and are ASCII.
        if found != 0 {
            let high = no_ascii(block);
            if found != high {
                break;
            }
            is_ascii = false;
        }
        skipped += block.len();
    }
    (at + skipped, is_ascii)
}
