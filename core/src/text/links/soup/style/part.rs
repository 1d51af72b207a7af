//! The ways in which a part of a style sheet may be read up to markup.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::memchr;

use super::super::data::decode_percents;
use super::super::texts::{clean, push_piece, resolve_css, resolve_references, together};

/// A step from one form of a part to the next, which is borrowed if the step changes nothing.
type FormStep = fn(&[u8]) -> Cow<'_, [u8]>;

/// The steps in which a part may be read, in order, and whether a reader may leave each of them out. What is percent-decoded
/// may be a sheet inside the sheet, so its own escapes of CSS come last. Marks that an escape of CSS wrote are kept apart until
/// they are put back.
const STEPS: [(FormStep, bool); 8] = [
    (references_resolved, true),
    (css_resolved, true),
    (clean, false),
    (decode_percents, true),
    (clean, false),
    (together, true),
    (css_resolved, true),
    (clean, false),
];

/// Hands out a part of a sheet in each way in which it may be read.
pub(super) fn each_form(part: &[u8], each: &mut dyn FnMut(&[u8])) {
    each_form_after(Cow::Borrowed(part), &STEPS, each);
}

/// Hands out a form after these steps, with and without each step that a reader may leave out. A form is dropped as soon as the
/// next one is made of it, because a part can be as long as the HTML.
fn each_form_after(form: Cow<'_, [u8]>, steps: &[(FormStep, bool)], each: &mut dyn FnMut(&[u8])) {
    let Some(((step, may_be_left_out), rest)) = steps.split_first() else {
        each(&form);
        return;
    };
    if *may_be_left_out {
        each_form_after(Cow::Borrowed(&*form), rest, each);
    }
    let made = match step(&form) {
        Cow::Owned(made) => Some(made),
        Cow::Borrowed(_) => None,
    };
    match made {
        Some(made) => {
            drop(form);
            each_form_after(Cow::Owned(made), rest, each);
        }
        None if !*may_be_left_out => each_form_after(form, rest, each),
        None => {}
    }
}

fn references_resolved(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'&', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut made = Vec::with_capacity(text.len());
    resolve_references(text, &mut |piece, _| made.extend_from_slice(piece));
    Cow::Owned(made)
}

fn css_resolved(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut made = Vec::with_capacity(text.len());
    resolve_css(text, &mut |piece, written| {
        _ = push_piece(text, piece, &written, &mut made);
    });
    Cow::Owned(made)
}

/// Whether a text ends in an escape that could go on: one of CSS, or a numeric reference.
pub(super) fn ends_in_escape(text: &[u8]) -> bool {
    let digits = tail(text, u8::is_ascii_hexdigit);
    let before = &text[..text.len() - digits];
    digits <= 6 && before.ends_with(b"\\")
        || [&b"&#"[..], b"&#x", b"&#X"]
            .iter()
            .any(|mark| before.ends_with(mark))
}

/// Whether a text ends in a percent escape that could go on.
pub(super) fn ends_in_percent_escape(text: &[u8]) -> bool {
    let digits = tail(text, u8::is_ascii_hexdigit);
    digits <= 1 && text[..text.len() - digits].ends_with(b"%")
}

fn tail(text: &[u8], is: fn(&u8) -> bool) -> usize {
    text.iter().rev().take_while(|byte| is(byte)).count()
}
