//! A test whether a run of text may hold a link, without resolving its references. It exists only for speed.

use memchr::{memchr, memchr3};

use super::super::span::{tail, word_before};
use super::super::work;

/// Whether a run of text has what makes text a link, `://` or `www.`, or references that could be a part of it. The text
/// must not have NULs, which some readers leave out.
#[inline]
pub(super) fn may_hold_link(text: &[u8]) -> bool {
    work::count(text.len());
    if memchr(b'<', text).is_some() {
        // It may be `</>`, which is left out and so joins the text before it and the text after it.
        return true;
    }
    let mut rest = text;
    while let Some(at) = memchr3(b'.', b':', b'&', rest) {
        let after = tail(rest, at + 1);
        let may_be_link = match rest.get(at) {
            Some(b'.') => word_before(rest, at, b"www").is_some(),
            Some(b':') => matches!(after, [b'/' | b'&', ..]),
            _ => may_be_mark(after),
        };
        if may_be_link {
            return true;
        }
        rest = after;
    }
    false
}

/// Whether the character reference whose `&` is followed by `text` could be a colon, a full stop, or a `w` before one.
fn may_be_mark(text: &[u8]) -> bool {
    let ends = |text: &[u8], at: usize| text.get(at) == Some(&b';');
    match text {
        [] | [b' ', ..] => false,
        [b'#', digits @ ..] => {
            let count = digits.iter().take_while(|byte| byte.is_ascii_digit());
            let count = count.count();
            // Signs before the full stop, such as quotes, and characters beyond ASCII, without leading zeros.
            let is_harmless = matches!(
                digits.get(..count),
                Some(
                    [b'3', _]
                        | [b'1', b'3'..=b'9', _]
                        | [b'2'..=b'9', _, _]
                        | [b'1'..=b'9', _, _, _]
                )
            );
            !(is_harmless && ends(digits, count))
        }
        [b'a'..=b'z' | b'A'..=b'Z', ..] => {
            let count = text.iter().take_while(|byte| byte.is_ascii_alphanumeric());
            let count = count.count();
            !ends(text, count) || matches!(text.get(..count), Some(b"colon" | b"period"))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests;
