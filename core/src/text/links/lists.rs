//! Attribute values that hold several URLs, or a URL after something else.

use super::span::{Span, has_word, skip};

/// The next URL of a `srcset` at or after `position`, which moves past its candidate (WHATWG HTML, 4.8.4.3.10).
pub(super) fn next_candidate(value: &str, position: &mut usize) -> Option<Span> {
    let bytes = value.as_bytes();
    let begin = skip(bytes, *position, |byte| {
        byte.is_ascii_whitespace() || byte == b','
    });
    if begin >= bytes.len() {
        *position = bytes.len();
        return None;
    }
    let end = skip(bytes, begin, |byte| !byte.is_ascii_whitespace());
    let url = Span::new(begin, end).of(value);
    let trimmed = url.trim_end_matches(',');
    if trimmed.len() < url.len() {
        *position = end;
        return Some(Span::new(begin, begin + trimmed.len()));
    }
    // Descriptors, up to a comma outside of parentheses.
    let mut at = end;
    let mut open = false;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'(' => open = true,
            b')' => open = false,
            b',' if !open => break,
            _ => {}
        }
    }
    *position = at;
    Some(Span::new(begin, end))
}

/// The next of several URLs that are separated by white space and, if `commas` is set as for `archive`, by commas.
pub(super) fn next_word(value: &str, position: &mut usize, commas: bool) -> Option<Span> {
    let bytes = value.as_bytes();
    let parts = |byte: u8| byte.is_ascii_whitespace() || commas && byte == b',';
    let begin = skip(bytes, *position, parts);
    let end = skip(bytes, begin, |byte| !parts(byte));
    *position = end;
    (begin < end).then(|| Span::new(begin, end))
}

/// The URL of a meta refresh (WHATWG HTML, shared declarative refresh steps). A quoted URL ends at its first quote, but for
/// some readers at its last one. The second result is the end for these readers.
pub(super) fn refresh(value: &str) -> Option<(Span, usize)> {
    let bytes = value.as_bytes();
    // A vertical tab is white space to some readers.
    let space = |byte: u8| byte.is_ascii_whitespace() || byte == 0x0b;
    let begin = skip(bytes, 0, space);
    let digits = skip(bytes, begin, |byte| byte.is_ascii_digit());
    if digits == begin && bytes.get(begin) != Some(&b'.') {
        return None;
    }
    let time = skip(bytes, digits, |byte| byte.is_ascii_digit() || byte == b'.');
    let mut at = time;
    match bytes.get(at) {
        Some(b';' | b',') => {}
        Some(byte) if space(*byte) => {}
        _ => return None,
    }
    at = skip(bytes, at, space);
    if matches!(bytes.get(at), Some(b';' | b',')) {
        at += 1;
    }
    at = skip(bytes, at, space);
    let whole = at;
    if has_word(bytes, at, b"url") {
        let equals = skip(bytes, at + 3, space);
        if bytes.get(equals) != Some(&b'=') {
            return (whole < bytes.len()).then(|| (Span::new(whole, bytes.len()), bytes.len()));
        }
        at = skip(bytes, equals + 1, space);
    }
    let mut end = bytes.len();
    let mut last = end;
    if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
        at += 1;
        end = skip(bytes, at, |byte| byte != *quote);
        last = memchr::memrchr(*quote, bytes)
            .filter(|last| *last > end)
            .unwrap_or(end);
    }
    (at < last).then(|| (Span::new(at, end), last))
}

/// Whether the `type` of a script says that it holds linked data.
pub(super) fn is_linked_data(kind: &[u8]) -> bool {
    let kind = kind.split(|byte| *byte == b';').next().unwrap_or(kind);
    kind.trim_ascii()
        .eq_ignore_ascii_case(b"application/ld+json")
}

#[cfg(test)]
mod tests;
