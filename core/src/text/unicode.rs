//! Properties of characters, from Unicode's character database.

use alloc::borrow::Cow;

use icu_properties::props::{EnumeratedProperty, GeneralCategory, GeneralCategoryGroup};

/// Whether `c` has the property White_Space.
///
/// This is what "white space" means everywhere in this crate.
pub const fn is_white_space(c: char) -> bool {
    c.is_whitespace()
}

/// Whether `text` is empty or has only white space.
///
/// ```
/// use franking::unstable::text::unicode::is_blank;
/// assert!(is_blank("") && is_blank(" \t\u{3000}"));
/// assert!(!is_blank(" a "));
/// ```
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_white_space)
}

/// `text` without the white space at its ends.
///
/// ```
/// use franking::unstable::text::unicode::trim;
/// assert_eq!(trim("\u{a0} a b\r\n"), "a b");
/// ```
pub fn trim(text: &str) -> &str {
    // Most texts begin and end with a visible ASCII character, so nothing needs decoding.
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
        _ => text.trim(),
    }
}

/// `text` with its ASCII letters in lower case.
pub(crate) fn lower_ascii(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether `c` is a control character: category Cc, or one of the separators U+2028 and U+2029.
pub fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether `text` has a control character, in the sense of [`is_control`].
///
/// ```
/// use franking::unstable::text::unicode::has_control;
/// assert!(has_control("a\nb") && has_control("a\u{85}b") && has_control("a\u{2028}b"));
/// assert!(!has_control("a b\u{ad}"));
/// ```
pub fn has_control(text: &str) -> bool {
    // In UTF-8 each of them is a byte below 0x20, is 0x7F, or begins with 0xC2 (U+0080 to U+009F) or
    // 0xE2 (U+2028, U+2029). A text without these bytes need not be decoded.
    let suspect = |b: u8| (b < 0x20) | (b == 0x7f) | (b == 0xc2) | (b == 0xe2);
    text.bytes().fold(false, |any, b| any | suspect(b)) && text.chars().any(is_control)
}

/// Whether `c` is a letter: General Category L.
pub fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    GeneralCategoryGroup::Letter.contains(GeneralCategory::for_char(c))
}

/// Whether `c` is a decimal digit: General Category Nd.
pub fn is_decimal_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    GeneralCategory::for_char(c) == GeneralCategory::DecimalNumber
}

/// Whether `c` is invisible to a reader: white space, or a character of General Category control (Cc),
/// format (Cf), private use (Co), surrogate (Cs) or unassigned (Cn).
pub(crate) fn is_invisible(c: char) -> bool {
    is_white_space(c)
        || matches!(
            GeneralCategory::for_char(c),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::PrivateUse
                | GeneralCategory::Surrogate
                | GeneralCategory::Unassigned
        )
}

#[cfg(test)]
mod tests;
