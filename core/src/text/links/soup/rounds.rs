//! One round: character references, then percent escapes, then base64.

use alloc::string::String;
use alloc::vec::Vec;

use arrayvec::ArrayVec;
use memchr::{memchr, memchr2};

use super::super::references::{Context, Value, reference};
use super::super::span::tail;
use super::super::work;
use super::walk::left_out;
use crate::text::form::escaped_octet;

/// Whether a text has anything that a round could resolve.
pub(super) fn is_any(text: &[u8]) -> bool {
    work::count(text.len());
    memchr2(b'&', b'%', text).is_some() || marker(text, 0).is_some()
}

/// A step of a round: resolves what the text has, in place. `false`: nothing was left to resolve.
type Step = fn(&mut Vec<u8>, &mut Vec<Vec<u8>>) -> bool;

/// The steps of a round, in their order. What is in base64 is taken out of the text.
pub(super) const STEPS: [Step; 3] = [references, percents, take_base64];

fn references(text: &mut Vec<u8>, _: &mut Vec<Vec<u8>>) -> bool {
    replace(text, b'&')
}

fn percents(text: &mut Vec<u8>, _: &mut Vec<Vec<u8>>) -> bool {
    replace(text, b'%')
}

/// More bytes than any reference stands for.
const LONGEST: usize = 8;

/// What the reference or percent escape stands for that a text begins with, and its length.
pub(super) fn resolved(text: &[u8]) -> Option<(ArrayVec<u8, LONGEST>, usize)> {
    let mut buffer = [0; 4];
    let octet;
    let (value, length): (&[u8], usize) = match text.first()? {
        b'&' => match reference(text, Context::Text)? {
            (Value::Named(value), length) => (value.as_bytes(), length),
            (Value::Number(character), length) => {
                (character.encode_utf8(&mut buffer).as_bytes(), length)
            }
        },
        b'%' => {
            octet = [escaped_octet(text, 0)?];
            (&octet, 3)
        }
        _ => return None,
    };
    // What `&nGt;` and `&nLt;` stand for takes a byte more than they do.
    let value = value.iter().copied().take(length.min(LONGEST)).collect();
    Some((value, length))
}

/// Whether a text may have something that [`leave_out`] leaves out.
pub(super) fn is_left_out(text: &[u8]) -> bool {
    memchr2(0, 0x1b, text).is_some()
}

/// Leaves NULs and the escapes of ISO-2022-JP out of a text: they may stand in a reference or an escape.
pub(super) fn leave_out(text: &mut Vec<u8>) {
    let Some(first) = memchr2(0, 0x1b, text) else {
        return;
    };
    work::count(text.len());
    let (mut read, mut written) = (first, first);
    while let Some(byte) = text.get(read).copied() {
        let length = match byte {
            0 | 0x1b => left_out(text, read),
            _ => 0,
        };
        if length > 0 {
            read = read.saturating_add(length);
            continue;
        }
        if let Some(place) = text.get_mut(written) {
            *place = byte;
        }
        (read, written) = (read.saturating_add(1), written.saturating_add(1));
    }
    text.truncate(written);
}

/// Replaces what begins with this byte by what it stands for.
fn replace(text: &mut Vec<u8>, byte: u8) -> bool {
    work::count(text.len());
    let Some(first) = memchr(byte, text) else {
        return false;
    };
    let (mut read, mut written) = (first, first);
    let mut is_changed = false;
    while read < text.len() {
        let found = resolved(tail(text, read));
        is_changed |= found.is_some();
        let (out, length) = found.unwrap_or_else(|| (core::iter::once(byte).collect(), 1));
        if let Some(place) = text.get_mut(written..written.saturating_add(out.len())) {
            place.copy_from_slice(&out);
        }
        written = written.saturating_add(out.len());
        read = read.saturating_add(length).min(text.len());
        let tail = tail(text, read);
        let next = memchr(byte, tail).map_or(text.len(), |at| read.saturating_add(at));
        text.copy_within(read..next, written);
        written = written.saturating_add(next.saturating_sub(read));
        read = next;
    }
    text.truncate(written);
    is_changed
}

/// Takes what stands in base64 behind `;base64,` out of the text.
pub(super) fn take_base64(text: &mut Vec<u8>, pending: &mut Vec<Vec<u8>>) -> bool {
    let Some((first, mut begin)) = marker(text, 0) else {
        return false;
    };
    let (mut written, mut kept) = (first, first);
    loop {
        // What is kept ends where the marker began.
        let (data, end) = base64(text, begin);
        add(data, pending);
        kept = kept.max(end);
        let next = marker(text, end);
        let until = next.map_or(text.len(), |(at, _)| at);
        text.copy_within(kept..until, written);
        written = written.saturating_add(until.saturating_sub(kept));
        let Some((at, behind)) = next else {
            break;
        };
        kept = at;
        begin = behind;
    }
    text.truncate(written);
    true
}

/// The next `;base64,`, spaces and what is left out allowed in it: where it begins and ends.
fn marker(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut searched = from;
    loop {
        let at = searched.saturating_add(memchr(b';', text.get(searched..)?)?);
        searched = at.saturating_add(1);
        let mut position = searched;
        let mut word = b"base64,".iter();
        let mut wanted = word.next();
        while let (Some(byte), Some(letter)) = (text.get(position), wanted) {
            if byte.to_ascii_lowercase() == *letter {
                wanted = word.next();
            } else if !(byte.is_ascii_whitespace() || *byte == 0) {
                break;
            }
            position = position.saturating_add(1);
        }
        if wanted.is_none() {
            return Some((at, position));
        }
        searched = searched.max(position.saturating_sub(1));
    }
}

/// What stands in base64 from `begin` on, decoded as far as it goes, and where it ends.
fn base64(text: &[u8], begin: usize) -> (Vec<u8>, usize) {
    // A buffer that grew as it went would be up to twice as large.
    let rest = tail(text, begin);
    let letters = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte));
    let mut decoded = Vec::with_capacity(letters.count().div_ceil(4).saturating_mul(3));
    let mut bits: u32 = 0;
    let mut count: u32 = 0;
    let mut at = begin;
    while let Some(byte) = text.get(at) {
        let value = match byte {
            b'A'..=b'Z' => byte.wrapping_sub(b'A'),
            b'a'..=b'z' => byte.wrapping_sub(b'a').wrapping_add(26),
            b'0'..=b'9' => byte.wrapping_sub(b'0').wrapping_add(52),
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'\t' | b'\n' | b'\r' | b'\x0c' | b' ' | 0 => {
                at = at.saturating_add(1);
                continue;
            }
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count = count.saturating_add(6);
        if count >= 8 {
            count = count.saturating_sub(8);
            decoded.push((bits >> count) as u8);
        }
        at = at.saturating_add(1);
    }
    work::count(at.saturating_sub(begin));
    (decoded, at)
}

/// Adds the text that was in base64, and what it is in UTF-16.
fn add(data: Vec<u8>, pending: &mut Vec<Vec<u8>>) {
    // Letters of ASCII have a zero beside them in UTF-16.
    if memchr(0, &data).is_some() {
        for read in [u16::from_le_bytes, u16::from_be_bytes] {
            let (pairs, _) = data.as_chunks();
            let units = pairs.iter().map(|pair| read(*pair));
            let text: String = char::decode_utf16(units)
                .map(|character| character.unwrap_or('\u{fffd}'))
                .collect();
            pending.push(text.into_bytes());
        }
    }
    if !data.is_empty() {
        pending.push(data);
    }
}
