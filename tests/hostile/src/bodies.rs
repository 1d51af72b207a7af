//! Bodies that are expensive to check. Each is generated with about the length that is asked for. The kinds of one subject are
//! in one file.

mod addresses;
mod html;
mod json;
mod requests;
mod soup;

use franking::Operation::HttpSendMail;
use franking::{Operation, Policy, PolicyBuilder};

use crate::mixture::mixture;

/// A kind of body, and the code that answers a call with it in a friendly world.
pub(crate) struct Body {
    pub(crate) name: &'static str,
    pub(crate) operation: Operation,
    pub(crate) code: Option<u16>,
    pub(crate) make: fn(usize) -> Vec<u8>,
    /// Changes the policy of the body, in addition to the largest length. `None` keeps the other defaults.
    settings: Option<fn(PolicyBuilder) -> PolicyBuilder>,
}

impl Body {
    const fn under(mut self, settings: fn(PolicyBuilder) -> PolicyBuilder) -> Self {
        self.settings = Some(settings);
        self
    }

    /// A policy that allows bodies of this size.
    pub(crate) fn policy(&self, size: usize) -> Policy {
        let builder = Policy::builder().max_bytes(size as u64);
        let changed = match self.settings {
            Some(settings) => settings(builder),
            None => builder,
        };
        changed.build().unwrap()
    }
}

const fn body(
    name: &'static str,
    operation: Operation,
    code: u16,
    make: fn(usize) -> Vec<u8>,
) -> Body {
    Body {
        name,
        operation,
        code: Some(code),
        make,
        settings: None,
    }
}

/// A mixture of kinds. Its code is not checked.
const fn mixed(name: &'static str, make: fn(usize) -> Vec<u8>) -> Body {
    let mut body = body(name, HttpSendMail, 0, make);
    body.code = None;
    body
}

/// Bodies in which kinds are mixed.
const MIXTURES: &[Body] = &[
    mixed("a mixture of everything", |size| mixture(size, 0, false)),
    mixed("a mixture, 1", |size| mixture(size, 1, false)),
    mixed("a mixture, 2", |size| mixture(size, 2, false)),
    mixed("a mixture, 3", |size| mixture(size, 3, false)),
    mixed("a mixture, 4", |size| mixture(size, 4, false)),
    mixed("a mixture with soup of everything", |size| {
        mixture(size, 0, true)
    }),
    mixed("a mixture with soup, 1", |size| mixture(size, 1, true)),
    mixed("a mixture with soup, 2", |size| mixture(size, 2, true)),
];

/// Every kind of body.
pub(crate) fn all() -> impl Iterator<Item = &'static Body> {
    let kinds = [
        json::BODIES,
        addresses::BODIES,
        requests::BODIES,
        html::BODIES,
        soup::BODIES,
        MIXTURES,
    ];
    kinds.into_iter().flatten()
}

const SEND: &str = r#"{"apiKey":"k","mailerID":1,"email":"a@b.example""#;
const HTTP: &str = r#"{"ApiKey":"k","requests":["#;
const TO: &str =
    r#"{"ApiKey":"k","requests":[{"subject":"s","body":"b","from":"a@b.example","to":""#;
const END: &str = r#""}]}"#;

/// `before`, then items up to `size` bytes in all, then `after`.
fn filled(
    before: &str,
    after: &str,
    size: usize,
    mut item: impl FnMut(usize, &mut Vec<u8>),
) -> Vec<u8> {
    let mut text = Vec::with_capacity(size + 1024);
    text.extend_from_slice(before.as_bytes());
    let mut longest = 0;
    for number in 0.. {
        let start = text.len();
        item(number, &mut text);
        longest = longest.max(text.len() - start);
        if text.len() + longest + after.len() > size {
            break;
        }
    }
    text.extend_from_slice(after.as_bytes());
    text
}

pub(crate) fn push(text: &mut Vec<u8>, part: &str) {
    text.extend_from_slice(part.as_bytes());
}

pub(crate) fn separated(text: &mut Vec<u8>, number: usize, part: &str) {
    if number > 0 {
        text.push(b',');
    }
    push(text, part);
}

/// A number as a short text in upper case. No field of the interface is written in upper case alone.
pub(crate) fn name(number: usize) -> String {
    letters(number).to_uppercase()
}

/// A number as a short text of letters.
pub(crate) fn letters(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
        if number == 0 {
            return text;
        }
    }
}
