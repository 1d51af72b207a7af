//! Texts in which everything that looks like a host counts: documents whose tags depend on a tree, and documents inside
//! others.
//!
//! Nothing opens, closes or hides what stands behind it here, so no tree is needed, and no list of places. A text leads to
//! the next by a round that resolves what a reader may resolve, until nothing is left.

mod ends;
mod look;
mod rounds;
mod settle;
mod style;
mod walk;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr2;

use look::look;

use super::span::has_word;
use super::work;

/// The number of rounds after each step of which hosts are looked for.
const LOOKS: usize = 4;
/// The number of rounds that are made. What is nested deeper is resolved in one pass from the left to the right: a round for
/// each level would take quadratic time.
const ROUNDS: usize = 12;

/// What a document that computes hosts counts as: one of XML, or one with a style sheet that tags divide.
const COMPUTED: &str = "computed.invalid";

/// Visits everything in the text that looks like a host. Whether it holds `image-set`.
pub(super) fn visit(text: &str, visit: &mut impl FnMut(&str)) -> bool {
    let mut recent = Recent::default();
    let visit = &mut |host: &str| {
        if recent.add(host) {
            visit(host);
        }
    };
    let mut soup = Soup {
        pending: Vec::new(),
        computes: false,
        has_image_set: false,
    };
    soup.chain(Cow::Borrowed(text.as_bytes()), false, visit);
    while let Some(text) = soup.pending.pop() {
        soup.chain(Cow::Owned(text), true, visit);
    }
    if soup.computes {
        visit(COMPUTED);
    }
    soup.has_image_set
}

/// The hosts that were visited last. Each way to read a text finds most hosts again, and whoever keeps them would need
/// several times the memory of the text.
#[derive(Default)]
struct Recent {
    hosts: [String; 8],
    oldest: usize,
}

impl Recent {
    /// Whether a host is none of the last ones.
    fn add(&mut self, host: &str) -> bool {
        if self.hosts.iter().any(|known| known == host) {
            return false;
        }
        if let Some(oldest) = self.hosts.get_mut(self.oldest) {
            oldest.clear();
            oldest.push_str(host);
        }
        self.oldest = self.oldest.wrapping_add(1) % self.hosts.len();
        true
    }
}

struct Soup {
    /// What was written in base64.
    pending: Vec<Vec<u8>>,
    /// There is what computes hosts.
    computes: bool,
    has_image_set: bool,
}

impl Soup {
    /// Looks at a text and at those that it leads to. `is_data`: it was written in base64, so behind `data:`.
    fn chain(&mut self, text: Cow<'_, [u8]>, is_data: bool, visit: &mut impl FnMut(&str)) {
        self.look(&text, is_data, visit);
        let is_left_out = rounds::is_left_out(&text);
        if !is_left_out && !rounds::is_any(&text) {
            return;
        }
        let mut text = text.into_owned();
        if is_left_out {
            rounds::leave_out(&mut text);
            self.look(&text, is_data, visit);
        }
        for _ in 0..LOOKS {
            let mut is_settled = true;
            // A step can hide what the step before it has shown: each is looked at.
            for step in rounds::STEPS {
                if step(&mut text, &mut self.pending) {
                    is_settled = false;
                    rounds::leave_out(&mut text);
                    self.look(&text, is_data, visit);
                }
            }
            if is_settled {
                return;
            }
        }
        for _ in LOOKS..ROUNDS {
            let mut is_settled = true;
            for step in rounds::STEPS {
                is_settled &= !step(&mut text, &mut self.pending);
            }
            rounds::leave_out(&mut text);
            self.note(&text, is_data);
            if is_settled {
                look(&text, visit);
                return;
            }
        }
        settle::settle(&mut text, &mut self.pending);
        self.look(&text, is_data, visit);
    }

    fn look(&mut self, text: &[u8], is_data: bool, visit: &mut impl FnMut(&str)) {
        self.note(text, is_data);
        look(text, visit);
    }

    fn note(&mut self, text: &[u8], is_data: bool) {
        work::count(text.len());
        // A NUL in a name makes it another one to some readers.
        self.computes |= style::is_composed(text);
        let mut cleaned = Vec::new();
        let text = match memchr2(0, 0x1b, text) {
            None => text,
            Some(_) => {
                cleaned.extend_from_slice(text);
                rounds::leave_out(&mut cleaned);
                &cleaned
            }
        };
        self.has_image_set |= find(text, b"image-set").is_some();
        if !cleaned.is_empty() {
            self.computes |= style::is_composed(text);
        }
        let data = match is_data {
            true => Some(0),
            false => find(text, b"data:"),
        };
        if let Some(behind) = data.and_then(|data| text.get(data..)) {
            let computes: [&[u8]; 3] =
                [b"<!entity", b"<!attlist", b"www.w3.org/1999/xsl/transform"];
            self.computes |= computes.iter().any(|word| find(behind, word).is_some());
        }
    }
}

/// Where a text holds a word of lower-case letters, in any case.
fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    // The rarest letters of these words are looked for.
    let (at, rare) = match word {
        b"data:" => (4, b':'),
        b"image-set" => (5, b'-'),
        b"www.w3.org/1999/xsl/transform" => (15, b'/'),
        _ => (1, b'!'),
    };
    let mut begins = memchr::memchr_iter(rare, text).filter_map(|found| found.checked_sub(at));
    begins.find(|begin| has_word(text, *begin, word))
}

#[cfg(test)]
mod tests;
