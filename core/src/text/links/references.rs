//! Character references (WHATWG HTML, section 13.2.5.72 and those after it).

use alloc::string::String;
use html_escape::NAMED_ENTITIES;

use super::span::{Span, tail};
use super::work;

/// The kind of a text, which decides how its character references are read. In an attribute, some references without a
/// semicolon stay as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// An attribute value.
    Attribute,
    /// Text between tags, from which `</>` is left out.
    Text,
    /// The content of an element without markup, in which `&` and `<` are ordinary characters.
    Raw,
}

/// The characters and the length of the reference that `text` begins with. `text` has to begin with `&`. A character by
/// number is written to `buffer`.
pub(super) fn reference<'b>(
    text: &[u8],
    context: Context,
    buffer: &'b mut [u8; 4],
) -> Option<(&'b str, usize)> {
    let body = text.get(1..)?;
    if let Some(number) = body.strip_prefix(b"#") {
        let (value, length) = numeric(number)?;
        return Some((&*value.encode_utf8(buffer), length.checked_add(2)?));
    }
    let letters = body
        .iter()
        .take(LONGEST_NAME)
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let word = body.get(..letters)?;
    if body.get(letters) == Some(&b';')
        && let Some(value) = named(word)
    {
        return Some((value, letters.checked_add(2)?));
    }
    for length in (2..=letters.min(6)).rev() {
        let prefix = word.get(..length)?;
        if LEGACY.binary_search(&prefix).is_err() {
            continue;
        }
        // "For historical reasons": `&copy=1` in a URL stays as it is.
        if context == Context::Attribute
            && body
                .get(length)
                .is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric())
        {
            return None;
        }
        return named(prefix).map(|value| (value, length + 1));
    }
    None
}

/// The character that the digits of a reference stand for, and the number of bytes from their prefix to the semicolon.
fn numeric(text: &[u8]) -> Option<(char, usize)> {
    let (radix, prefix) = match text.first() {
        Some(b'x' | b'X') => (16, 1),
        _ => (10, 0),
    };
    let digits = text.get(prefix..)?;
    let mut code: u32 = 0;
    let mut count: usize = 0;
    for digit in digits
        .iter()
        .map_while(|byte| char::from(*byte).to_digit(radix))
    {
        // A number that is too large stays too large for a character.
        code = code.saturating_mul(radix).saturating_add(digit);
        count += 1;
    }
    if count == 0 {
        return None;
    }
    let semicolon = usize::from(digits.get(count) == Some(&b';'));
    Some((character(code), prefix + count + semicolon))
}

/// The character for a number: windows-1252 for C1 controls, U+FFFD for a number that is not a character.
fn character(code: u32) -> char {
    const C1: [char; 32] = [
        '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}',
        '\u{2021}', '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}',
        '\u{8f}', '\u{90}', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}',
        '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}', '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}',
        '\u{178}',
    ];
    let of_c1 = code.checked_sub(0x80).map(|index| index as usize);
    let one = match of_c1.and_then(|index| C1.get(index)) {
        Some(one) => Some(*one),
        None => char::from_u32(code).filter(|one| *one != '\0'),
    };
    one.unwrap_or('\u{fffd}')
}

/// The length of `CounterClockwiseContourIntegral`.
const LONGEST_NAME: usize = 31;

/// The characters that a name with its semicolon stands for.
fn named(word: &[u8]) -> Option<&'static str> {
    let index = NAMED_ENTITIES
        .binary_search_by(|(entry, _)| (*entry).cmp(word))
        .ok()?;
    NAMED_ENTITIES.get(index).map(|(_, value)| *value)
}

/// The names that are references even without a semicolon, sorted.
const LEGACY: [&[u8]; 106] = [
    b"AElig", b"AMP", b"Aacute", b"Acirc", b"Agrave", b"Aring", b"Atilde", b"Auml", b"COPY",
    b"Ccedil", b"ETH", b"Eacute", b"Ecirc", b"Egrave", b"Euml", b"GT", b"Iacute", b"Icirc",
    b"Igrave", b"Iuml", b"LT", b"Ntilde", b"Oacute", b"Ocirc", b"Ograve", b"Oslash", b"Otilde",
    b"Ouml", b"QUOT", b"REG", b"THORN", b"Uacute", b"Ucirc", b"Ugrave", b"Uuml", b"Yacute",
    b"aacute", b"acirc", b"acute", b"aelig", b"agrave", b"amp", b"aring", b"atilde", b"auml",
    b"brvbar", b"ccedil", b"cedil", b"cent", b"copy", b"curren", b"deg", b"divide", b"eacute",
    b"ecirc", b"egrave", b"eth", b"euml", b"frac12", b"frac14", b"frac34", b"gt", b"iacute",
    b"icirc", b"iexcl", b"igrave", b"iquest", b"iuml", b"laquo", b"lt", b"macr", b"micro",
    b"middot", b"nbsp", b"not", b"ntilde", b"oacute", b"ocirc", b"ograve", b"ordf", b"ordm",
    b"oslash", b"otilde", b"ouml", b"para", b"plusmn", b"pound", b"quot", b"raquo", b"reg",
    b"sect", b"shy", b"sup1", b"sup2", b"sup3", b"szlig", b"thorn", b"times", b"uacute", b"ucirc",
    b"ugrave", b"uml", b"uuml", b"yacute", b"yen", b"yuml",
];

/// Writes `text` to `out` with references resolved and NUL replaced, as an attribute value is read.
pub(super) fn decode_attribute(text: &str, out: &mut String) {
    decode(text, Context::Attribute, "\u{fffd}", |piece, _| {
        out.push_str(piece)
    });
}

/// Hands out the pieces of a text in order, each with its span in `text`. References are resolved, and NUL is replaced by
/// `null`.
pub(super) fn decode(text: &str, context: Context, null: &str, mut each: impl FnMut(&str, Span)) {
    work::count(text.len());
    let bytes = text.as_bytes();
    let mut character = [0; 4];
    // The text before `begin` was handed out. The text from there to `searched` stays as written.
    let (mut begin, mut searched) = (0_usize, 0_usize);
    while let Some(hit) = memchr::memchr3(b'&', 0, b'<', tail(bytes, searched)) {
        let at = searched + hit;
        let rest = tail(bytes, at);
        let resolved: Option<(&str, usize)> = match rest.first() {
            Some(0) => Some((null, 1)),
            Some(b'&') if context != Context::Raw => reference(rest, context, &mut character),
            _ if context == Context::Text && rest.starts_with(b"</>") => Some(("", 3)),
            _ => None,
        };
        searched = at + resolved.map_or(1, |(_, length)| length);
        if let Some((piece, _)) = resolved {
            let written = Span::new(begin, at);
            for (piece, span) in [
                (written.of(text), written),
                (piece, Span::new(at, searched)),
            ] {
                if !piece.is_empty() {
                    each(piece, span);
                }
            }
            begin = searched;
        }
    }
    let rest = Span::new(begin, text.len());
    if begin < text.len() {
        each(rest.of(text), rest);
    }
}

#[cfg(test)]
mod tests;
