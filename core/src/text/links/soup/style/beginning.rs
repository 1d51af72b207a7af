//! Whether a part of a style sheet ends in the beginning of a URL.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use alloc::vec::Vec;

use memchr::memmem;

use super::super::texts::{self, has_word, without_space};
use super::part::{Part, unfinished_escapes};

/// What may come before a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    DoubleQuote,
    SingleQuote,
    Parenthesis,
    /// A quote or parenthesis that is percent-escaped.
    Escaped,
    Import,
    /// `>`, once markup has directly followed another opening.
    Tag,
}

impl Opening {
    const ALL: [Self; 6] = [
        Self::DoubleQuote,
        Self::SingleQuote,
        Self::Parenthesis,
        Self::Escaped,
        Self::Import,
        Self::Tag,
    ];

    /// Whether a byte ends what follows the opening.
    fn is_closed_by(self, byte: u8) -> bool {
        if matches!(byte, b'/' | b'\\' | b'?' | b'#') {
            return true;
        }
        match self {
            Self::DoubleQuote => byte == b'"',
            Self::SingleQuote => byte == b'\'',
            Self::Parenthesis => byte == b')',
            Self::Escaped => matches!(byte, b'"' | b'\'' | b'(' | b')'),
            Self::Import => matches!(byte, b';' | b'"' | b'\''),
            Self::Tag => byte == b'<',
        }
    }
}

/// The `data:` URL that a sheet is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DataUrl {
    #[default]
    None,
    /// Before its comma.
    Head,
    /// In its base64.
    Base64,
}

/// What of a sheet counts for what follows it, in one reading.
#[derive(Clone, Copy, Debug, Default)]
struct Live {
    /// The openings after which a host has begun that nothing has ended, as bits.
    hosts: u8,
    data: DataUrl,
}

/// One reading of a part of a sheet.
pub(super) struct Form {
    live: Live,
    /// Markup has directly followed an opening before.
    is_chained: bool,
}

impl Form {
    pub(super) fn new(is_chained: bool) -> Self {
        Self {
            live: Live::default(),
            is_chained,
        }
    }

    /// Reads the part up to the next markup. Whether it ends in the beginning of a URL, perhaps in an unfinished escape, and
    /// whether it ends in an opening.
    pub(super) fn read(&mut self, form: &Part<'_>) -> (bool, bool) {
        let apart = &form.text[..];
        let together = texts::together(apart);
        let part = &together[..];
        let mut cuts = Vec::new();
        for cut in unfinished_escapes(part).into_iter().flatten() {
            cuts.push((cut, None));
            // An escape may stand in another one that was cut.
            let within = unfinished_escapes(&part[..cut]).into_iter().flatten();
            cuts.extend(within.map(|cut| (cut, None)));
        }
        let mut at = 0;
        // Where the part of a `data:` URL before its comma begins.
        let mut head = 0;
        while at < part.len() {
            for (_, live) in cuts.iter_mut().filter(|(cut, _)| *cut <= at) {
                live.get_or_insert(self.live);
            }
            let next = at + 1;
            if part[at] == b':'
                && ends_word(part, at, b"data")
                && self.opening(&part[..at - 4]).is_some()
            {
                self.live.data = DataUrl::Head;
                head = next;
            }
            self.pass(part[at], apart[at] != part[at], &part[head.min(at)..at]);
            at = match start(part, at) {
                Some((begin, end)) => {
                    if end > next {
                        // Slashes end other hosts.
                        self.live.hosts = 0;
                    }
                    if let Some(opening) = self.opening(&part[..begin]) {
                        self.live.hosts |= 1 << opening as u8;
                    }
                    end
                }
                None => next,
            };
        }
        let mut is_open = self.is_open(self.live, part, form.is_cut);
        for (cut, live) in cuts {
            is_open |= self.is_open(live.unwrap_or(self.live), &part[..cut], true);
        }
        let opening = self.opening(part);
        (
            is_open,
            opening.is_some_and(|opening| opening != Opening::Tag),
        )
    }

    /// Passes over a byte. `head` is the `data:` URL so far. `is_apart`: an escape wrote the mark, which ends nothing.
    fn pass(&mut self, byte: u8, is_apart: bool, head: &[u8]) {
        if self.live.hosts != 0 && !is_apart {
            for opening in Opening::ALL {
                if opening.is_closed_by(byte) {
                    self.live.hosts &= !(1 << opening as u8);
                }
            }
        }
        self.live.data = match (self.live.data, byte) {
            (DataUrl::None, _) => DataUrl::None,
            // A comma that is kept apart ends the head, or does not. What base64 may hold a head may hold, too.
            (DataUrl::Head, _) if is_apart => DataUrl::Head,
            (DataUrl::Head, b',') if is_base64(head) => DataUrl::Base64,
            (_, b',' | b'"' | b'\'' | b'(' | b')' | b'<' | b'>') => DataUrl::None,
            (DataUrl::Head, _) => DataUrl::Head,
            (DataUrl::Base64, _) => {
                let is_data = byte.is_ascii_alphanumeric()
                    || byte.is_ascii_whitespace()
                    || matches!(byte, b'+' | b'/' | b'=' | b'%');
                if is_data {
                    DataUrl::Base64
                } else {
                    DataUrl::None
                }
            }
        };
    }

    /// Whether a part ends in the beginning of a URL. `is_cut`: an unfinished escape follows it.
    fn is_open(&self, live: Live, part: &[u8], is_cut: bool) -> bool {
        let mut hosts = live.hosts;
        if !self.is_chained {
            hosts &= !(1 << Opening::Tag as u8);
        }
        hosts != 0
            || live.data != DataUrl::None
            || is_import_begun(part)
            || is_cut && self.opening(part).is_some()
            || (1..=7).any(|length| {
                part.len().checked_sub(length).is_some_and(|begin| {
                    is_begun(&part[begin..]) && self.opening(&part[..begin]).is_some()
                })
            })
    }

    /// The opening that a text ends with, white space after it or not.
    fn opening(&self, text: &[u8]) -> Option<Opening> {
        let length = without_space(text);
        let gap = without_gap(text);
        // White space may be a line break, which is out.
        if ends_word(text, gap, b"@import") {
            return Some(Opening::Import);
        }
        self.opening_at_end(&text[..length])
            .filter(|opening| *opening != Opening::Tag || self.is_chained)
    }

    fn opening_at_end(&self, text: &[u8]) -> Option<Opening> {
        match text {
            [.., b'"'] => Some(Opening::DoubleQuote),
            [.., b'\''] => Some(Opening::SingleQuote),
            [.., b'('] => Some(Opening::Parenthesis),
            [.., b'%', b'2', b'2' | b'7' | b'8'] => Some(Opening::Escaped),
            [.., b'>'] => Some(Opening::Tag),
            _ => None,
        }
    }
}

/// How long a text is without the white space and the comments at its end.
fn without_gap(text: &[u8]) -> usize {
    let mut end = without_space(text);
    while let Some(comment) = text[..end].strip_suffix(b"*/") {
        // A comment has no end within it.
        let last = memmem::rfind(comment, b"*/").map_or(0, |at| at + 2);
        let Some(begin) = memmem::rfind(&comment[last..], b"/*") else {
            break;
        };
        end = without_space(&text[..last + begin]);
    }
    end
}

/// Whether a word ends at `at`.
fn ends_word(text: &[u8], at: usize, word: &[u8]) -> bool {
    at.checked_sub(word.len())
        .is_some_and(|begin| has_word(text, begin, word))
}

/// Where the start of a host begins whose mark is at `at`, and where it ends with its slashes.
fn start(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let next = at + 1;
    match text[at] {
        b':' => {
            let schemes: [&[u8]; 6] = [b"https", b"http", b"ftp", b"wss", b"ws", b"mailto"];
            let scheme = schemes.iter().find(|scheme| ends_word(text, at, scheme))?;
            Some((at - scheme.len(), slashes_end(text, next)))
        }
        b'.' => ends_word(text, at, b"www").then(|| (at - 3, next)),
        b'/' | b'\\' => {
            let end = slashes_end(text, at);
            (end > next).then_some((at, end))
        }
        _ => None,
    }
}

fn slashes_end(text: &[u8], from: usize) -> usize {
    let slashes = text[from..].iter();
    from + slashes
        .take_while(|byte| matches!(byte, b'/' | b'\\'))
        .count()
}

fn is_base64(head: &[u8]) -> bool {
    let head = &head[..without_space(head)];
    let Some(begin) = head.len().checked_sub(6) else {
        return false;
    };
    let before = &head[..begin];
    has_word(head, begin, b"base64") && before[..without_space(before)].last() == Some(&b';')
}

/// Whether a text is a part of a start or of `data:`, from its beginning on.
fn is_begun(text: &[u8]) -> bool {
    let words: [&[u8]; 7] = [
        b"https:", b"http:", b"ftp:", b"wss:", b"mailto:", b"www.", b"data:",
    ];
    matches!(text, [b'/' | b'\\'])
        || words.iter().any(|word| {
            word.get(..text.len())
                .is_some_and(|part| part.eq_ignore_ascii_case(text))
        })
}

/// Whether a text ends in `@` and a part of `import`, or in `@import` and what begins its URL.
fn is_import_begun(text: &[u8]) -> bool {
    let unquoted = match text {
        [rest @ .., b'"' | b'\''] => rest,
        _ => text,
    };
    let unspaced = &unquoted[..without_space(unquoted)];
    let before_url = [
        (unspaced, &b"url("[..]),
        (unquoted, b"url"),
        (unquoted, b"ur"),
        (unquoted, b"u"),
        (unquoted, b""),
    ];
    (1..=7).any(|length| ends_word(text, text.len(), &b"@import"[..length]))
        || before_url.into_iter().any(|(text, word)| {
            let before = text.len().checked_sub(word.len()).map(|end| &text[..end]);
            ends_word(text, text.len(), word)
                && before.is_some_and(|before| ends_word(before, without_gap(before), b"@import"))
        })
}
