//! HTML that is sent URL-encoded, as HTML forms are, or as it is.
//!
//! The interface asks for URL-encoded HTML; real clients also send plain HTML. Decoding plain text
//! would turn its `+` into spaces, so [`detect`] tells the two apart first.

mod octets;

use alloc::borrow::Cow;
use alloc::collections::TryReserveError;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::unicode;
use crate::debug::debug_shows;
use crate::word::words;

words! {
    enum Encoding "How the HTML of a request was sent."
    1 Form "form" "URL-encoded, as HTML forms are: + is a space, %XX an octet."
    2 Plain "plain" "As it is."
}

words! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum HtmlEncoding "Whether HTML that looks plain is taken as plain."
    #[default]
    1 Detect "detect" "HTML that was sent plain is recognized, and delivered as sent."
    2 Always "always" "HTML is always decoded."
}

/// The octets that a text stands for are not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("the decoded text is not UTF-8: encode the HTML as UTF-8 before URL-encoding it")]
pub struct NotUtf8;

/// The HTML that a text stands for. Debug prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The HTML, borrowed if nothing had to be decoded.
    pub html: Cow<'a, str>,
    /// How it was sent.
    pub encoding: Encoding,
}

impl Decoded<'_> {
    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        unicode::is_blank(&self.html)
    }
}

debug_shows!(Decoded<'_> { encoding });

/// Tells how `text` was sent.
///
/// White space at its ends is ignored. What remains is plain if it has a character that every URL
/// encoder escapes (a space, a control character, a non-ASCII character, one of
/// ``< > " \ ^ ` { | }``) or if it begins with `http:` or `https:` in any case.
/// [`HtmlEncoding::Always`] takes every text as encoded.
///
/// ```
/// use franking::html::{detect};
/// use franking::{Encoding, HtmlEncoding};
/// assert_eq!(detect("%3Cp%3EHi+there", HtmlEncoding::Detect), Encoding::Form);
/// assert_eq!(detect("<p>1+1", HtmlEncoding::Detect), Encoding::Plain);
/// assert_eq!(detect("<p>1+1", HtmlEncoding::Always), Encoding::Form);
/// ```
pub fn detect(text: &str, setting: HtmlEncoding) -> Encoding {
    if setting == HtmlEncoding::Detect && is_plain(unicode::trim(text).as_bytes()) {
        Encoding::Plain
    } else {
        Encoding::Form
    }
}

fn is_plain(trimmed: &[u8]) -> bool {
    octets::has_unencoded(trimmed) || begins_with_http(trimmed)
}

fn begins_with_http(bytes: &[u8]) -> bool {
    [&b"http:"[..], b"https:"].iter().any(|prefix| {
        let start = bytes.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    })
}

/// Returns the HTML that `text` stands for, decoded at most once.
///
/// Plain text is returned as it is, its ends included. From encoded text, white space at the ends
/// is cut; then it is decoded as the WHATWG URL standard decodes application/x-www-form-urlencoded
/// values: `+` is a space, `%XX` an octet, a `%` without two hexadecimal digits stays.
///
/// ```
/// use franking::html::{decode};
/// use franking::{HtmlEncoding};
/// let decoded = decode("%3Cp%3E100%+sure", HtmlEncoding::Detect)?;
/// assert_eq!(decoded.html, "<p>100% sure");
/// # Ok::<(), franking::html::NotUtf8>(())
/// ```
///
/// # Errors
///
/// [`NotUtf8`] if the decoded octets are not UTF-8.
pub fn decode(text: &str, setting: HtmlEncoding) -> Result<Decoded<'_>, NotUtf8> {
    let encoding = detect(text, setting);
    let trimmed = unicode::trim(text);
    let html = match encoding {
        Encoding::Plain => Cow::Borrowed(text),
        Encoding::Form if memchr::memchr2(b'%', b'+', trimmed.as_bytes()).is_none() => {
            Cow::Borrowed(trimmed)
        }
        Encoding::Form => {
            let mut octets = Vec::new();
            octets::decode(trimmed.as_bytes(), &mut octets);
            Cow::Owned(String::from_utf8(octets).map_err(|_| NotUtf8)?)
        }
    };
    Ok(Decoded { html, encoding })
}

/// [`decode`] into a buffer that can be reused.
///
/// The buffer's contents are overwritten. The returned HTML borrows from the buffer or from `text`, which is UTF-8.
///
/// ```
/// use franking::unstable::text::form::{decode_into};
/// use franking::{Encoding, HtmlEncoding};
/// let mut buffer = String::new();
/// for (text, html) in [("%3Cp%3E", "<p>"), ("%3Cb%3E", "<b>")] {
///     let decoded = decode_into(text.as_bytes(), HtmlEncoding::Detect, &mut buffer);
///     assert_eq!(decoded, Ok((html, Encoding::Form)));
/// }
/// ```
///
/// # Errors
///
/// [`NotUtf8`] if the decoded octets are not UTF-8.
pub fn decode_into<'a>(
    text: &'a [u8],
    setting: HtmlEncoding,
    buffer: &'a mut String,
) -> Result<(&'a str, Encoding), NotUtf8> {
    let checked = |text| core::str::from_utf8(text).map_err(|_| NotUtf8);
    let trimmed = match text {
        // The decoded octets are checked below, so most texts need no check here.
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => unicode::trim(checked(text)?).as_bytes(),
    };
    if setting == HtmlEncoding::Detect && is_plain(trimmed) {
        return Ok((checked(text)?, Encoding::Plain));
    }
    let mut octets = core::mem::take(buffer).into_bytes();
    octets::decode(trimmed, &mut octets);
    *buffer = String::from_utf8(octets).map_err(|_| NotUtf8)?;
    Ok((buffer, Encoding::Form))
}

/// The capacity that [`decode_into`] needs in its buffer for a text.
#[must_use]
#[cfg(feature = "unstable")]
pub fn decode_capacity(text: &str) -> usize {
    text.len() + octets::EXTRA_CAPACITY
}

/// Encodes HTML as [`decode`] reads it: as the WHATWG URL standard serializes
/// application/x-www-form-urlencoded values.
///
/// ```
/// assert_eq!(franking::html::encode("<p>é +"), "%3Cp%3E%C3%A9+%2B");
/// ```
pub fn encode(html: &str) -> String {
    let mut text = String::with_capacity(html.len() / 2 * 3);
    text.extend(url::form_urlencoded::byte_serialize(html.as_bytes()));
    text
}

/// [`encode`] for a text that may not fit into memory.
///
/// # Errors
/// The allocator's error, if there is no memory for the encoded text.
pub fn try_encode(html: &str) -> Result<String, TryReserveError> {
    let pieces = || url::form_urlencoded::byte_serialize(html.as_bytes());
    let mut text = String::new();
    // One byte more, so that a caller can end the text with a NUL.
    text.try_reserve_exact(pieces().map(str::len).sum::<usize>().saturating_add(1))?;
    text.extend(pieces());
    Ok(text)
}

#[cfg(test)]
mod tests;
