//! Generates JSON: valid documents, and documents with a change.

use alloc::string::String;
use alloc::vec::Vec;

/// A small generator of numbers that look random and are the same in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn of<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

const SPACES: [&str; 8] = ["", "", "", "", " ", "\n", "\t\r", "  "];
const PARTS: [&str; 24] = [
    "a",
    "b",
    " ",
    "0",
    "\u{e9}",
    "\u{1f600}",
    "\u{3000}",
    "\\n",
    "\\u0041",
    "\\u00e9",
    "\\ud83d\\ude00",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b",
    "\\f",
    "\\t",
    "\\u0000",
    "\\u2028",
    "\\u3000",
    "/",
    ",",
    "{",
    "abcdefghijklmnopqrst",
];
const NAMES: [&str; 12] = [
    "apiKey",
    "ApiKey",
    "subID",
    "subid",
    "email",
    "\\u0065mail",
    "city",
    "extra1",
    "x",
    "y",
    "x\\u0079",
    "",
];
const NUMBERS: [&str; 12] = [
    "0",
    "-0",
    "7",
    "12.5",
    "-1e5",
    "1E+2",
    "0.0",
    "9223372036854775807",
    "9223372036854775808",
    "1e-400",
    "123456789012345678901234567890",
    "2.50",
];

pub(super) fn string(random: &mut Random, out: &mut String) {
    out.push('"');
    for _ in 0..random.below(6) {
        out.push_str(random.of(&PARTS));
    }
    out.push('"');
}

pub(super) fn value(random: &mut Random, depth: usize, out: &mut String) {
    out.push_str(random.of(&SPACES));
    match random.below(if depth == 0 { 6 } else { 9 }) {
        0 => out.push_str("null"),
        1 => out.push_str(random.of(&["true", "false"])),
        2 => out.push_str(random.of(&NUMBERS)),
        3..=5 => string(random, out),
        6 | 7 => object(random, depth - 1, out),
        _ => {
            out.push('[');
            for index in 0..random.below(4) {
                if index > 0 {
                    out.push(',');
                }
                value(random, depth - 1, out);
            }
            out.push_str(random.of(&SPACES));
            out.push(']');
        }
    }
    out.push_str(random.of(&SPACES));
}

pub(super) fn object(random: &mut Random, depth: usize, out: &mut String) {
    out.push('{');
    out.push_str(random.of(&SPACES));
    for index in 0..random.below(6) {
        if index > 0 {
            out.push(',');
        }
        out.push_str(random.of(&SPACES));
        out.push('"');
        out.push_str(random.of(&NAMES));
        out.push('"');
        out.push_str(random.of(&SPACES));
        out.push(':');
        value(random, depth, out);
    }
    out.push('}');
}

pub(super) fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    const BYTES: &[u8] = b"\"\\{}[]:,0123456789eE+-. \n\t\r\0\x1f\x7f\x80\xbf\xc0\xc3\xe2\xed\xf0\xf5\xffunltrfaisd/b";
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() + 1);
        let byte = BYTES[random.below(BYTES.len())];
        match random.below(4) {
            0 => text.insert(at, byte),
            1 if at < text.len() => drop(text.remove(at)),
            2 if at < text.len() => text[at] = byte,
            _ => text.truncate(at),
        }
    }
}
