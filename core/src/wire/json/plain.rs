//! How far a string goes on without a byte that matters, eight bytes at a time.

use crate::bytes::lanes::{no_ascii, no_plain_ascii};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;
const BACKSLASHES: u64 = ONES * b'\\' as u64;

/// The high bit of the first byte that is a quote, a backslash or a control character, with those of bytes behind it
/// that may be none.
#[inline]
const fn stops(word: u64) -> u64 {
    (controls_and_quotes(word) | (word ^ BACKSLASHES).wrapping_sub(ONES)) & !word & HIGHS
}

/// For ASCII: the high bit of the first byte that is a control character or a quote. With one bit turned, a quote comes
/// right behind the control characters, and they stay what they are.
#[inline]
const fn controls_and_quotes(word: u64) -> u64 {
    (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21)
}

/// The first byte from `at` on that is a quote, a backslash or a control character, and whether all before are ASCII.
#[inline]
pub(super) fn end_of_plain(bytes: &[u8], at: usize) -> (usize, bool) {
    /// Most texts are shorter.
    const SHORT_WORDS: usize = 8;
    end_in_words(bytes, at, 0, SHORT_WORDS)
        .unwrap_or_else(|(at, seen)| end_of_long_plain(bytes, at, seen))
}

/// [`end_of_plain`] within the next `words` words. `Err`: it lies further on, and `seen` holds the bits of all bytes before.
#[inline(always)]
fn end_in_words(
    bytes: &[u8],
    at: usize,
    seen: u64,
    words: usize,
) -> Result<(usize, bool), (usize, u64)> {
    let (mut at, mut seen) = (at, seen);
    for _ in 0..words {
        let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            break;
        };
        let word = u64::from_le_bytes(*word);
        let stop = stops(word);
        if stop != 0 {
            // Only what stands before the stop counts.
            seen |= word & (stop & stop.wrapping_neg()).wrapping_sub(1);
            let end = at.wrapping_add(stop.trailing_zeros() as usize / 8);
            return Ok((end, seen & HIGHS == 0));
        }
        seen |= word;
        at = at.wrapping_add(8);
    }
    Err((at, seen))
}

/// [`end_of_plain`] for long texts, looking at more bytes at a time.
#[inline(never)]
fn end_of_long_plain(bytes: &[u8], at: usize, seen: u64) -> (usize, bool) {
    let mut is_ascii = seen & HIGHS == 0;
    let at = skip_plain_blocks(bytes, at, &mut is_ascii);
    let seen = if is_ascii { 0 } else { HIGHS };
    end_in_words(bytes, at, seen, usize::MAX)
        .unwrap_or_else(|(at, seen)| end_of_plain_by_bytes(bytes, at, seen))
}

#[inline(never)]
fn end_of_plain_by_bytes(bytes: &[u8], at: usize, seen: u64) -> (usize, bool) {
    let mut is_ascii = seen & HIGHS == 0;
    let mut at = at;
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..0x20) {
            break;
        }
        is_ascii &= byte.is_ascii();
        at = at.wrapping_add(1);
    }
    (at, is_ascii)
}

/// Skips whole blocks without a quote, backslash or control character.
fn skip_plain_blocks(bytes: &[u8], at: usize, is_ascii: &mut bool) -> usize {
    let (blocks, _) = bytes.get(at..).unwrap_or_default().as_chunks();
    let mut skipped = 0_usize;
    for block in blocks {
        let found = no_plain_ascii(block);
        // Most have none, nor what is not ASCII.
        if found != 0 {
            let high = no_ascii(block);
            if found != high {
                break;
            }
            *is_ascii = false;
        }
        skipped = skipped.saturating_add(block.len());
    }
    at.saturating_add(skipped)
}
