//! Names, numbers and escapes of the CSS Syntax standard (level 3).

use alloc::string::String;

use memchr::{memchr, memchr2};

use super::super::span::{Span, skip, tail};

/// Whether the name is this word, in any case, with its escapes resolved.
pub(super) fn is_word(css: &str, name: Span, word: &str) -> bool {
    let name = name.of(css);
    if memchr(b'\\', name.as_bytes()).is_none() {
        return name.eq_ignore_ascii_case(word);
    }
    // No escape is longer than nine bytes: a backslash, six digits and a CRLF.
    if name.len() > word.len() * 9 {
        return false;
    }
    let mut plain = String::new();
    unescape(name, &mut plain);
    plain.eq_ignore_ascii_case(word)
}

/// Appends `text` with escapes resolved, escaped line breaks left out and NUL replaced.
pub(super) fn unescape(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut begin = 0;
    while let Some(found) = memchr2(b'\\', 0, tail(bytes, begin)) {
        let at = begin + found;
        out.push_str(Span::new(begin, at).of(text));
        if bytes.get(at) == Some(&0) {
            out.push('\u{fffd}');
            begin = at + 1;
            continue;
        }
        begin = escape_end(bytes, at);
        let digits = Span::new(at + 1, begin).of(text).trim_ascii_end();
        if let Ok(code) = u32::from_str_radix(digits, 16) {
            let value = char::from_u32(code).filter(|value| *value != '\0');
            out.push(value.unwrap_or('\u{fffd}'));
            continue;
        }
        match Span::new(at + 1, text.len()).of(text).chars().next() {
            None | Some('\n' | '\r' | '\x0c') => {}
            Some('\0') => out.push('\u{fffd}'),
            Some(other) => {
                out.push(other);
                begin = at + 1 + other.len_utf8();
            }
        }
    }
    out.push_str(Span::new(begin, text.len()).of(text));
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | 0 | 0x80..)
}

const fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0 | 0x80..)
}

/// Whether the backslash at `at` begins an escape.
pub(super) fn is_escape(bytes: &[u8], at: usize) -> bool {
    bytes.get(at) == Some(&b'\\') && !matches!(bytes.get(at + 1), Some(b'\n' | b'\r' | b'\x0c'))
}

/// The end of the escape or of the escaped line break that begins at `at`. If the escaped character is not ASCII, its other
/// bytes follow. They are bytes of names, strings and URLs without an escape, too.
pub(super) fn escape_end(bytes: &[u8], at: usize) -> usize {
    let digits = tail(bytes, at + 1)
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let end = at + 1 + digits;
    match (bytes.get(end), bytes.get(end + 1)) {
        (Some(b'\r'), Some(b'\n')) => end + 2,
        (Some(byte), _) if digits == 0 || byte.is_ascii_whitespace() => end + 1,
        _ => end,
    }
}

pub(super) fn starts_name(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| is_name_byte(*byte))
        || is_escape(bytes, at) && at < bytes.len()
}

pub(super) fn starts_identifier(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'-') => {
            let next = at + 1;
            bytes
                .get(next)
                .is_some_and(|byte| *byte == b'-' || is_name_start(*byte))
                || is_escape(bytes, next)
        }
        Some(b'\\') => is_escape(bytes, at),
        Some(byte) => is_name_start(*byte),
        None => false,
    }
}

pub(super) fn name_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(byte) if is_name_byte(*byte) => at += 1,
            Some(b'\\') if is_escape(bytes, at) => at = escape_end(bytes, at),
            _ => return at,
        }
    }
}

pub(super) fn starts_number(bytes: &[u8], at: usize) -> bool {
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let next = at + 1;
    match bytes.get(at) {
        Some(b'+' | b'-') => digit(next) || bytes.get(next) == Some(&b'.') && digit(next + 1),
        Some(b'.') => digit(next),
        Some(byte) => byte.is_ascii_digit(),
        None => false,
    }
}

pub(super) fn number_end(bytes: &[u8], begin: usize) -> usize {
    let digits = |at| skip(bytes, at, |byte| byte.is_ascii_digit());
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let sign = usize::from(matches!(bytes.get(begin), Some(b'+' | b'-')));
    let mut at = digits(begin + sign);
    if bytes.get(at) == Some(&b'.') && is_digit(at + 1) {
        at = digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let exponent = at + 1;
        let sign = usize::from(matches!(bytes.get(exponent), Some(b'+' | b'-')));
        if is_digit(exponent + sign) {
            at = digits(exponent + sign);
        }
    }
    at
}
