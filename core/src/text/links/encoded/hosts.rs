//! The hosts of encoded URLs, where they are plain to see.

use super::super::host::plain_host_start;
use super::super::span::{Span, tail};
use super::{ESCAPE, bits};
use crate::text::domain::MAX_LABEL_LEN;

/// What the first bytes of a URL decide.
pub(super) enum Quick {
    Host(Span),
    NoHost,
    Unsure,
}

/// The host of an encoded URL, where it is plain to see.
#[inline]
pub(super) fn host(text: &[u8], url: Span) -> Quick {
    let value = url.bytes(text);
    // Most links.
    if let Some(rest) = value.strip_prefix(b"https%3A%2F%2F") {
        return host_of(text, rest, url.end);
    }
    let slash = |text| strip_octet(text, b'/', b"%2F", b"%2f");
    if value.is_empty() || value.starts_with(b"%23") {
        return Quick::NoHost;
    }
    if let Some(path) = slash(value)
        && path.first().is_some_and(u8::is_ascii_alphanumeric)
    {
        return Quick::NoHost;
    }
    let rest = value
        .strip_prefix(b"https")
        .or_else(|| value.strip_prefix(b"http"))
        .and_then(|rest| strip_octet(rest, b':', b"%3A", b"%3a"))
        .and_then(slash)
        .and_then(slash);
    match rest {
        Some(rest) => host_of(text, rest, url.end),
        None => Quick::Unsure,
    }
}

/// The host that `rest` begins with, of a URL that ends at `end`.
#[inline]
fn host_of(text: &[u8], rest: &[u8], end: usize) -> Quick {
    let begin = end.saturating_sub(rest.len());
    let after = tail(text, begin);
    // What ends the value is no part of a host.
    let length = bits::plain_host_length(after)
        .filter(|length| *length <= MAX_LABEL_LEN)
        .or_else(|| plain_host_start(rest));
    let Some(length) = length else {
        return Quick::Unsure;
    };
    let ends = matches!(
        tail(rest, length),
        [] | [b'/', ..] | [b'%', b'2', b'F' | b'f' | b'3', ..] | [b'%', b'3', b'F' | b'f', ..]
    );
    if !ends {
        return Quick::Unsure;
    }
    Quick::Host(Span::new(begin, begin.saturating_add(length)))
}

#[inline]
fn strip_octet<'t>(
    text: &'t [u8],
    raw: u8,
    upper: &[u8; ESCAPE],
    lower: &[u8; ESCAPE],
) -> Option<&'t [u8]> {
    match text.split_first_chunk() {
        Some((escape, rest)) if escape == upper || escape == lower => Some(rest),
        _ => text
            .split_first()
            .filter(|(first, _)| **first == raw)
            .map(|(_, rest)| rest),
    }
}
