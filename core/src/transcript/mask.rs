//! Masks the texts of a call: letters become `x` and digits `0`, so that lengths and places stay as they are.

use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use serde_json::Value;

use crate::commit::Conflict;
use crate::operation::API_LIST;
use crate::plan::{Encoding, RecipientRole};
use crate::roles::DomainRoles;
use crate::wire::field::{Field, FieldKind, HttpSendMailField, RequestField, SendMailerField};
use crate::wire::json::unescape;

/// The parts of a body to mask.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Masked {
    /// The API key.
    Key,
    /// Each value, and each name that the interface does not have.
    All,
}

/// Whether a text is a word of the JSON forms themselves, and not a text of the call.
fn is_word(text: &str) -> bool {
    let tables = [
        DomainRoles::WORDS,
        RecipientRole::WORDS,
        Encoding::WORDS,
        Conflict::WORDS,
    ];
    let mut words = tables.iter().flat_map(|table| table.words);
    text == API_LIST || words.any(|word| word.name == text)
}

/// Masks a body in place. Its tokens stay where they are. The body does not have to be JSON.
///
/// Masking the key does not change how a call is judged: the rules look only at the type and the length of a key.
pub(super) fn body(body: &mut [u8], masked: Masked) {
    let mut rest = body;
    // A body that is not JSON can have more closing brackets than opening ones. Then the depth is negative.
    let mut depth = 0_i64;
    // A body without its key is judged again, so its numbers stay numbers.
    let bare: fn(&mut u8) = match masked {
        Masked::All => letter,
        Masked::Key => number,
    };
    // The depth of the object whose key is being read.
    let mut in_key: Option<i64> = None;
    while let Some(first) = rest.first() {
        let length = match first {
            b'"' => length_of_string(rest),
            first if is_mark(first) => 1,
            _ => rest.iter().take_while(|byte| !is_mark(byte)).count(),
        };
        let Some((token, after)) = mem::take(&mut rest).split_at_mut_checked(length) else {
            return;
        };
        let masks = masked == Masked::All || in_key.is_some();
        match token {
            [b'"', content @ .., b'"'] | [b'"', content @ ..] => {
                let is_name = after.trim_ascii_start().first() == Some(&b':');
                if is_name && in_key.is_none() && is_key(content) {
                    in_key = Some(depth);
                } else if masks && !(is_name && is_known(content)) {
                    string(content);
                }
            }
            [b'{' | b'['] => depth += 1,
            [b'}' | b']'] => {
                depth -= 1;
                in_key = in_key.filter(|of| depth >= *of);
            }
            [b','] => in_key = in_key.filter(|of| depth > *of),
            token if masks && !is_literal(token) => token.iter_mut().for_each(bare),
            _ => {}
        }
        rest = after;
    }
}

/// Masks every text in a JSON form of the library. The words of the form itself, such as `recipient`, stay.
pub(super) fn form(value: &mut Value) {
    // Recursion is safe: the library writes forms of a few levels, and `serde_json` reads no text of more than 127.
    match value {
        Value::String(held) if is_word(held) => {}
        Value::String(held) => *held = text(held),
        Value::Array(items) => items.iter_mut().for_each(form),
        Value::Object(members) => members.values_mut().for_each(form),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Masks the names of a JSON Pointer that the interface does not have.
pub(super) fn pointer(pointer: &str) -> String {
    let names = pointer.split('/').map(|name| {
        let is_index = name.bytes().all(|byte| byte.is_ascii_digit());
        match is_index || is_known(name.as_bytes()) {
            true => String::from(name),
            false => text(name),
        }
    });
    names.collect::<Vec<_>>().join("/")
}

/// The masked text. It has the same number of bytes.
fn text(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes.iter_mut().for_each(letter);
    // Every byte is ASCII now.
    bytes.into_iter().map(char::from).collect()
}

/// Masks the content of a JSON string. An escape becomes an escape of the same length.
fn string(content: &mut [u8]) {
    let mut rest = content;
    loop {
        rest = match rest {
            [] => return,
            [b'\\', b'u', after @ ..] => {
                let (digits, after) = after.split_at_mut(after.len().min(4));
                digits
                    .iter_mut()
                    .zip(b"0078")
                    .for_each(|(to, from)| *to = *from);
                after
            }
            [b'\\', _, after @ ..] => after,
            [byte, after @ ..] => {
                letter(byte);
                after
            }
        };
    }
}

fn letter(byte: &mut u8) {
    match byte {
        b'0'..=b'9' => *byte = b'0',
        b'A'..=b'Z' | b'a'..=b'z' | 0x80.. => *byte = b'x',
        _ => {}
    }
}

/// Masks a byte of a number, which stays a number: one of several digits does not begin with 0.
fn number(byte: &mut u8) {
    match byte {
        b'0'..=b'9' => *byte = b'1',
        b'-' | b'+' | b'.' | b'e' | b'E' => {}
        _ => letter(byte),
    }
}

/// The length of the string that `rest` begins with, including its quotes. A string without a closing quote reaches to the
/// end of the body.
fn length_of_string(rest: &[u8]) -> usize {
    let mut is_escaped = false;
    let ends = |byte: &u8| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    };
    let place = rest.iter().skip(1).position(ends);
    place.map_or(rest.len(), |place| place + 2)
}

/// Whether a byte separates tokens of JSON, or begins a string.
fn is_mark(byte: &u8) -> bool {
    matches!(
        byte,
        b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':' | b' ' | b'\t' | b'\r' | b'\n'
    )
}

fn is_literal(token: &[u8]) -> bool {
    matches!(token, b"true" | b"false" | b"null")
}

/// Whether a name is the key's, in any spelling.
fn is_key(name: &[u8]) -> bool {
    let name = unescape(name);
    let name = name.as_bytes();
    let of_send_mailer = SendMailerField::find(name).map(|(field, _)| field.kind());
    let of_http_send_mail = HttpSendMailField::find(name).map(|(field, _)| field.kind());
    of_send_mailer.or(of_http_send_mail) == Some(FieldKind::Key)
}

fn is_known(name: &[u8]) -> bool {
    SendMailerField::find(name).is_some()
        || HttpSendMailField::find(name).is_some()
        || RequestField::find(name).is_some()
}

#[cfg(test)]
mod tests;
