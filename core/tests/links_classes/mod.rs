//! Classes of documents in which some browser follows a link that is not in a tree of the document.
//!
//! `H` stands for the host. Each class has a name, and its shortest documents.

/// A class, and documents that belong to it.
pub(crate) type Class = (&'static str, &'static [&'static str]);

#[path = "classes.rs"]
mod classes;
pub(crate) use classes::CLASSES;
mod encoders;
pub(crate) use encoders::ENCODERS;

pub(crate) const HOST: &str = "listed.example";

/// Standard base64.
pub(crate) fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in text.as_bytes().chunks(3) {
        let mut bits = 0_u32;
        for index in 0..3 {
            bits = bits << 8 | u32::from(three.get(index).copied().unwrap_or(0));
        }
        for index in 0..4 {
            out.push(match index <= three.len() {
                true => char::from(LETTERS[(bits >> (18 - 6 * index)) as usize & 63]),
                false => '=',
            });
        }
    }
    out
}
