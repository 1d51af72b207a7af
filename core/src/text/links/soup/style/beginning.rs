//! A test whether a part of a style sheet ends in the beginning of a URL.

use memchr::memmem;

use super::super::super::span::{ends_word, slashes_end};
use super::super::data::ends_in_base64;
use super::super::find::without_space;
use super::super::texts;
use super::part::{ends_in_escape, ends_in_percent_escape};

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

/// The part of a `data:` URL that a sheet is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DataUrl {
    #[default]
    None,
    /// Before its comma.
    Head(Opening),
    /// In its base64.
    Base64,
}

/// A set of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Openings(u8);

impl Openings {
    fn insert(&mut self, opening: Opening) {
        self.0 |= 1 << opening as u8;
    }

    fn remove(&mut self, opening: Opening) {
        self.0 &= !(1 << opening as u8);
    }

    pub(super) fn extend(&mut self, others: Self) {
        self.0 |= others.0;
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Removes the openings that a byte closes.
    fn pass(&mut self, byte: u8) {
        for opening in Opening::ALL {
            if !self.is_empty() && opening.is_closed_by(byte) {
                self.remove(opening);
            }
        }
    }
}

/// One reading of a part of a sheet.
#[derive(Default)]
pub(super) struct SheetReading {
    /// The openings after which a host has begun and has not ended.
    hosts: Openings,
    data: DataUrl,
    /// The openings after which the text of a `data:` URL has begun and has not ended.
    data_texts: Openings,
    /// Whether markup has directly followed an opening before.
    is_chained: bool,
}

/// The end of a part of a sheet, in one reading.
pub(super) struct Ended {
    /// Whether it is in the beginning of a URL, or in an escape that could go on.
    pub(super) is_open: bool,
    /// Whether it is an opening, after which a URL may begin.
    pub(super) is_opening: bool,
    /// The openings before the `data:` URLs in whose texts it is.
    pub(super) data_texts: Openings,
}

impl SheetReading {
    /// `data_texts` are the openings with which the part before it has ended.
    pub(super) fn new(is_chained: bool, data_texts: Openings) -> Self {
        Self {
            data_texts,
            is_chained,
            ..Self::default()
        }
    }

    /// Reads the part up to the next markup.
    pub(super) fn read(mut self, apart: &[u8]) -> Ended {
        let together = texts::together(apart);
        let part = &together[..];
        let mut at = 0;
        // The start of the part of a `data:` URL before its comma.
        let mut head = 0;
        while at < part.len() {
            let next = at + 1;
            if part[at] == b':'
                && ends_word(part, at, b"data")
                && let Some(opening) = self.opening(&part[..at - 4])
            {
                self.data = DataUrl::Head(opening);
                head = next;
            }
            self.pass(part[at], apart[at] != part[at], &part[head.min(at)..at]);
            at = match start(part, at) {
                Some((begin, end)) => {
                    if end > next {
                        // Slashes end other hosts.
                        self.hosts = Openings::default();
                    }
                    if let Some(opening) = self.opening(&part[..begin]) {
                        self.hosts.insert(opening);
                    }
                    end
                }
                None => next,
            };
        }
        let is_cut =
            ends_in_escape(part) || !self.data_texts.is_empty() && ends_in_percent_escape(part);
        let opening = self.opening(part);
        // The markup that follows closes this opening.
        self.data_texts.remove(Opening::Tag);
        Ended {
            is_open: is_cut || self.is_open(part),
            is_opening: opening.is_some_and(|opening| opening != Opening::Tag),
            data_texts: self.data_texts,
        }
    }

    /// Passes over a byte. `head` is the `data:` URL so far. `is_apart` says that an escape wrote the mark, which then ends
    /// nothing.
    fn pass(&mut self, byte: u8, is_apart: bool, head: &[u8]) {
        if !is_apart {
            self.data_texts.pass(byte);
            match byte {
                b'/' | b'\\' | b'?' | b'#' => self.hosts = Openings::default(),
                _ => self.hosts.pass(byte),
            }
        }
        self.data = match (self.data, byte) {
            (DataUrl::None, _) => DataUrl::None,
            // A comma that is kept apart may or may not end the head. Here it does not, because a head may hold whatever
            // base64 may hold.
            (DataUrl::Head(opening), _) if is_apart => DataUrl::Head(opening),
            (DataUrl::Head(opening), b',') => {
                self.data_texts.insert(opening);
                match ends_in_base64(head) {
                    true => DataUrl::Base64,
                    false => DataUrl::None,
                }
            }
            (_, b',' | b'"' | b'\'' | b'(' | b')' | b'<' | b'>') => DataUrl::None,
            (DataUrl::Head(opening), _) => DataUrl::Head(opening),
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

    /// Whether a part ends in the beginning of a URL.
    fn is_open(&self, part: &[u8]) -> bool {
        let mut hosts = self.hosts;
        if !self.is_chained {
            hosts.remove(Opening::Tag);
        }
        !hosts.is_empty()
            || self.data != DataUrl::None
            || is_import_begun(part)
            || (1..=7).any(|length| {
                part.len().checked_sub(length).is_some_and(|begin| {
                    is_begun(&part[begin..]) && self.opening(&part[..begin]).is_some()
                })
            })
    }

    /// The opening that a text ends with, with or without white space after it.
    fn opening(&self, text: &[u8]) -> Option<Opening> {
        // White space may have been a line break, which is left out.
        if ends_word(text, without_gap(text), b"@import") {
            return Some(Opening::Import);
        }
        match &text[..without_space(text)] {
            [.., b'"'] => Some(Opening::DoubleQuote),
            [.., b'\''] => Some(Opening::SingleQuote),
            [.., b'('] => Some(Opening::Parenthesis),
            [.., b'%', b'2', b'2' | b'7' | b'8'] => Some(Opening::Escaped),
            [.., b'>'] if self.is_chained => Some(Opening::Tag),
            _ => None,
        }
    }
}

/// The length of a text without the white space and the comments at its end.
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

/// The range of the start of a host whose mark is at `at`, with its slashes.
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

/// Whether a text is the beginning of a start or of `data:`.
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
