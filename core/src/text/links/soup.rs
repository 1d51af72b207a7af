//! Texts in which everything that looks like a host counts: documents whose tags depend on a tree, and documents inside
//! others.
//!
//! Nothing opens, closes or hides what stands behind it here, so no tree is needed, and no list of places. A text leads to
//! the next by a round that resolves what a reader may resolve, until nothing is left.

mod ends;
mod look;
mod rounds;
mod settle;
mod walk;

use alloc::borrow::Cow;
use alloc::vec::Vec;

use memchr::memchr;

use look::look;

use super::work;

/// After so many rounds each text is looked at.
const LOOKS: usize = 4;
/// After so many rounds, what is left is resolved from the left to the right, and not round by round.
const ROUNDS: usize = 12;

/// What a document of XML that computes hosts counts as.
const COMPUTED: &str = "computed.invalid";

/// Visits everything in the text that looks like a host. Whether it holds `image-set`.
pub(super) fn visit(text: &str, visit: &mut impl FnMut(&str)) -> bool {
    let mut soup = Soup {
        pending: Vec::new(),
        holds_data: false,
        computes: false,
        has_image_set: false,
    };
    soup.chain(Cow::Borrowed(text.as_bytes()), visit);
    while let Some(text) = soup.pending.pop() {
        soup.chain(Cow::Owned(text), visit);
    }
    if soup.computes && soup.holds_data {
        visit(COMPUTED);
    }
    soup.has_image_set
}

struct Soup {
    /// What was written in base64.
    pending: Vec<Vec<u8>>,
    /// There is a `data:` URL.
    holds_data: bool,
    /// There is what computes hosts in XML.
    computes: bool,
    has_image_set: bool,
}

impl Soup {
    /// Looks at a text and at those that it leads to.
    fn chain(&mut self, text: Cow<'_, [u8]>, visit: &mut impl FnMut(&str)) {
        self.note(&text);
        look(&text, visit);
        if !rounds::is_any(&text) {
            return;
        }
        let mut text = text.into_owned();
        let mut is_settled = false;
        for round in 1..=ROUNDS {
            is_settled = !rounds::round(&mut text, &mut self.pending);
            if is_settled {
                if round <= LOOKS.saturating_add(1) {
                    return;
                }
                break;
            }
            self.note(&text);
            if round <= LOOKS {
                look(&text, visit);
            }
        }
        if !is_settled {
            settle::settle(&mut text, &mut self.pending);
            self.note(&text);
        }
        look(&text, visit);
    }

    fn note(&mut self, text: &[u8]) {
        work::count(text.len());
        let mut cleaned = Vec::new();
        let text = match memchr(0, text).or_else(|| memchr(0x1b, text)) {
            None => text,
            Some(_) => {
                let mut at = 0;
                while let Some(byte) = text.get(at) {
                    match walk::left_out(text, at) {
                        0 => {
                            cleaned.push(*byte);
                            at = at.saturating_add(1);
                        }
                        length => at = at.saturating_add(length),
                    }
                }
                &cleaned
            }
        };
        self.holds_data |= holds(text, b"data:");
        self.has_image_set |= holds(text, b"image-set");
        self.computes |= holds(text, b"<!entity")
            || holds(text, b"<!attlist")
            || holds(text, b"www.w3.org/1999/xsl/transform");
    }
}

/// Whether a text holds a word of lower-case letters, in any case.
fn holds(text: &[u8], word: &[u8]) -> bool {
    // The rarest letters of these words are looked for.
    let (at, rare) = match word {
        b"data:" => (4, b':'),
        b"image-set" => (5, b'-'),
        b"www.w3.org/1999/xsl/transform" => (15, b'/'),
        _ => (1, b'!'),
    };
    memchr::memchr_iter(rare, text).any(|found| {
        found
            .checked_sub(at)
            .and_then(|begin| text.get(begin..begin.saturating_add(word.len())))
            .is_some_and(|found| found.eq_ignore_ascii_case(word))
    })
}

#[cfg(test)]
mod tests;
