//! Texts as encoders of forms write them, or nearly so. Their decoding is compared with decoding byte by byte.

use franking::unstable::text::form::decode_into;
use franking::{Encoding, HtmlEncoding, html};

use crate::corpus::Corpus;
use crate::rng::Rng;
use crate::{Checked, ensure};

/// Pieces of texts that are not from the vectors.
const PIECES: &[&str] = &[
    "<",
    ">",
    "\"",
    "'",
    "=",
    " ",
    "\n",
    "&",
    "%",
    "+",
    "\\",
    "{",
    "|",
    "}",
    "~",
    "^",
    "`",
    "\0",
    "\u{7f}",
    "\u{e9}",
    "\u{3000}",
    "\u{1f600}",
    "%2F",
    "%26",
    "%00",
    "%0A",
    "%20",
    "%25",
    "%41",
    "%C3%A9",
    "%C3",
    "%A9",
    "%cA",
    "%ED%A0%80",
    "%F0%9F%98%80",
    "%FF",
    "%2",
    "%g0",
    "%0g",
    "%%3C",
    "https://a.example/?a=1+2",
    "x",
    "newsletter",
    "0123456789abcdef",
];

/// A text decodes to the same HTML at once, in a buffer that held another text, and byte by byte.
pub(crate) fn sent(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let html = if rng.one_in(3) {
        corpus.text(rng)
    } else {
        let count = rng.below(24);
        (0..count)
            .filter_map(|_| rng.pick(PIECES).copied())
            .collect()
    };
    let mut text = encoded(&html, rng);
    for _ in 0..rng.below(3) {
        spoil(&mut text, rng);
    }
    let setting = if rng.one_in(8) {
        HtmlEncoding::Always
    } else {
        HtmlEncoding::Detect
    };
    let expected = by_bytes(&text, setting);
    let decoded = html::decode(&text, setting).ok();
    let decoded = decoded.map(|decoded| (decoded.html.into_owned(), decoded.encoding));
    ensure!(
        decoded == expected,
        "{text:?} stands for {expected:?}, and is decoded to {decoded:?}"
    );
    let mut buffer = "x".repeat(rng.below(40));
    let decoded = decode_into(text.as_bytes(), setting, &mut buffer).ok();
    ensure!(
        decoded
            == expected
                .as_ref()
                .map(|(html, encoding)| (&**html, *encoding)),
        "{text:?} stands for {expected:?}, and is decoded to {decoded:?} in a buffer"
    );
    Ok(())
}

/// What a text decodes to by the rules of `docs/interface.md`, byte by byte.
fn by_bytes(text: &str, setting: HtmlEncoding) -> Option<(String, Encoding)> {
    let trimmed = text.trim();
    let is_left = |byte: u8| byte.is_ascii_graphic() && !b"<>\"\\^`{|}".contains(&byte);
    let lower = trimmed.to_ascii_lowercase();
    let is_url = lower.starts_with("http:") || lower.starts_with("https:");
    if setting == HtmlEncoding::Detect && (is_url || !trimmed.bytes().all(is_left)) {
        return Some((text.to_owned(), Encoding::Plain));
    }
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let bytes = trimmed.as_bytes();
    let mut octets = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = digit(bytes.get(at + 1)).zip(digit(bytes.get(at + 2)));
        let (octet, length) = match (byte, digits) {
            (b'%', Some((high, low))) => (u8::try_from(high * 16 + low).ok()?, 3),
            (b'+', _) => (b' ', 1),
            _ => (*byte, 1),
        };
        octets.push(octet);
        at += length;
    }
    Some((String::from_utf8(octets).ok()?, Encoding::Form))
}

/// The HTML as one of many encoders writes it.
fn encoded(html: &str, rng: &mut Rng) -> String {
    let left: &[u8] = match rng.below(8) {
        0 => return html.to_string(),
        1 => b"-_.!~*'()",
        2 => b"-_.~/",
        3 => b"-_.~!$&'()*+,;=:@/?#[]",
        4 => b"",
        _ => b"-_.*",
    };
    let (space, lower) = (rng.one_in(3), rng.one_in(4));
    let mut text = String::new();
    for byte in html.bytes() {
        match byte {
            b' ' if !space => text.push('+'),
            _ if byte.is_ascii_alphanumeric() || left.contains(&byte) => text.push(byte.into()),
            _ if lower => text.push_str(&format!("%{byte:02x}")),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Changes the text at one place.
fn spoil(text: &mut String, rng: &mut Rng) {
    let bounds: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let at = rng.pick(&bounds).copied().unwrap_or_default();
    let end = bounds
        .iter()
        .copied()
        .find(|end| *end >= at + 1 + rng.below(8))
        .unwrap_or(text.len());
    match rng.below(6) {
        0 => text.insert_str(at, &format!("%{:02X}", rng.below(256))),
        1 => text.insert_str(at, &format!("%{:02x}", rng.below(256))),
        2 => text.insert(at, char::from(u8::try_from(rng.below(128)).unwrap_or(b'x'))),
        3 => text.replace_range(at..end, ""),
        4 => text.truncate(at),
        _ => {
            let copy = text.get(at..end).unwrap_or_default().to_string();
            text.insert_str(at, &copy);
        }
    }
}
