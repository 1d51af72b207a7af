//! Style sheets with tags in them. In SVG and in XML a reader takes the text that stands directly in `style`, without that
//! of the elements in it: `<svg><style>@import '//a<g>b</g>c.example'` loads from `ac.example`. Which text that is depends
//! on a tree, so such a sheet counts as one that computes hosts.

use memchr::{memchr, memchr_iter, memchr2_iter, memmem};

use super::super::span::tail;
use super::super::work;

/// Whether in some `style` something begins that could be an element.
pub(super) fn is_composed(text: &[u8]) -> bool {
    work::count(text.len());
    let mut at: usize = 0;
    while let Some(found) = text.get(at..).and_then(|rest| memchr(b'<', rest)) {
        at = at.saturating_add(found).saturating_add(1);
        // `<style/>` is empty in SVG and in XML, and elsewhere no tag in it is one.
        if behind_name(text, at).is_none_or(|behind| behind.starts_with(b"/>")) {
            continue;
        }
        let Some(tag) = text
            .get(at..)
            .and_then(|rest| rest.split(|byte| *byte == b'>').next())
        else {
            return false;
        };
        // A quote that is open may hide the end of the tag.
        let is_open = |quote| !memchr_iter(quote, tag).count().is_multiple_of(2);
        if is_open(b'"') || is_open(b'\'') {
            return true;
        }
        match plain_sheet_end(text, at.saturating_add(tag.len())) {
            Some(end) => at = end,
            None => return true,
        }
    }
    false
}

/// What stands behind the name of `style`, with a prefix or without, if that stands here.
fn behind_name(text: &[u8], at: usize) -> Option<&[u8]> {
    let rest = text.get(at..)?;
    // With `<` in it, it is another name; where such names follow one another, each is looked at up to the next alone.
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'<');
    let length = rest.iter().position(ends).unwrap_or(rest.len());
    let (name, behind) = rest.split_at_checked(length)?;
    let name = match memchr(b':', name) {
        Some(colon) => name.get(colon.saturating_add(1)..)?,
        None => name,
    };
    (name.eq_ignore_ascii_case(b"style") && behind.first() != Some(&b'<')).then_some(behind)
}

/// The end of the sheet that begins at `at`, if no element can be in it.
fn plain_sheet_end(text: &[u8], mut at: usize) -> Option<usize> {
    while let Some(found) = text.get(at..).and_then(|rest| memchr(b'<', rest)) {
        at = at.saturating_add(found).saturating_add(1);
        let rest = tail(text, at);
        at = match rest {
            [b'/', ..] if is_end(text, at) => return Some(at),
            _ if rest.starts_with(b"!--") => passed(text, at, b"-->")?,
            _ if rest.starts_with(b"![CDATA[") => passed(text, at, b"]]>")?,
            [
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':' | 0x80.. | b'/' | b'!' | b'?',
                ..,
            ] => {
                return None;
            }
            _ => at,
        };
    }
    Some(text.len())
}

/// Whether the slash of the end tag of a sheet is at `at`.
fn is_end(text: &[u8], at: usize) -> bool {
    behind_name(text, at.saturating_add(1)).is_some()
}

/// The end of a comment or the like, if it is there and hides no end of the sheet and no other sheet.
fn passed(text: &[u8], begin: usize, end: &[u8]) -> Option<usize> {
    let inside = text.get(begin..)?;
    let inside = inside.get(..memmem::find(inside, end)?)?;
    // HTML ends a comment here, too.
    let inside = match memmem::find(inside, b"--!>") {
        Some(odd) => inside.get(..odd)?,
        None => inside,
    };
    let hides = memchr2_iter(b'<', b'/', inside)
        .any(|mark| behind_name(inside, mark.saturating_add(1)).is_some());
    (!hides).then_some(begin.saturating_add(inside.len()))
}
