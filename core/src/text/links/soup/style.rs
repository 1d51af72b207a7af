//! Style sheets with tags in them. In SVG and in XML a reader takes the text that stands directly in `style`, without that
//! of the elements in it: `<svg><style>@import '//a<g>b</g>c.example'` loads from `ac.example`. Which text that is depends
//! on a tree, so such a sheet counts as one that computes hosts.

use memchr::{memchr, memchr_iter, memmem};

use super::super::work;

/// Whether in some `style` something begins that could be an element.
pub(super) fn is_composed(text: &[u8]) -> bool {
    work::count(text.len());
    let mut at: usize = 0;
    while let Some(found) = text.get(at..).and_then(|rest| memchr(b'<', rest)) {
        at = at.saturating_add(found).saturating_add(1);
        if !begins_style(text, at) {
            continue;
        }
        match plain_sheet_end(text, at) {
            Some(end) => at = end,
            None => return true,
        }
    }
    false
}

/// Whether the name of `style` stands here, with a prefix or without.
fn begins_style(text: &[u8], at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<');
    let name = rest.split(ends).next().unwrap_or_default();
    let name = match memchr(b':', name) {
        Some(colon) => name.get(colon.saturating_add(1)..).unwrap_or_default(),
        None => name,
    };
    name.eq_ignore_ascii_case(b"style")
}

/// The end of the sheet whose start tag has its name at `at`, if no element can be in it.
fn plain_sheet_end(text: &[u8], mut at: usize) -> Option<usize> {
    while let Some(found) = text.get(at..).and_then(|rest| memchr(b'<', rest)) {
        at = at.saturating_add(found).saturating_add(1);
        let rest = text.get(at..).unwrap_or_default();
        at = match rest {
            [b'/', ..] if begins_style(text, at.saturating_add(1)) => return Some(at),
            _ if rest.starts_with(b"!--") => passed(text, at, b"-->")?,
            _ if rest.starts_with(b"![CDATA[") => passed(text, at, b"]]>")?,
            [
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':' | 0x80.. | b'/' | b'!' | b'?',
                ..,
            ] => return None,
            _ => at,
        };
    }
    Some(text.len())
}

/// The end of a comment or the like, if it is there and hides no end of the sheet.
fn passed(text: &[u8], begin: usize, end: &[u8]) -> Option<usize> {
    let inside = text.get(begin..)?;
    let inside = inside.get(..memmem::find(inside, end)?)?;
    let hides =
        memchr_iter(b'/', inside).any(|slash| begins_style(inside, slash.saturating_add(1)));
    (!hides).then_some(begin.saturating_add(inside.len()))
}
