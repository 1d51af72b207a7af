//! Links in text, as mail readers make them.

use icu_properties::props::{EnumeratedProperty, GeneralCategory, GeneralCategoryGroup};
use memchr::{memchr, memchr2};

use super::span::{Span, skip, slashes_end, word_before};
use super::work;
use crate::text::{domain, unicode};

/// A walk over the links in one run of text.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// Whether domains that nothing marks as links count, too.
    bare_domains: bool,
    /// Whether the marked links are done, and only bare domains are searched for.
    is_second: bool,
    position: usize,
    /// The end of the link, or of the word whose ASCII parts are read. `trimmed` holds up to here.
    end: usize,
    /// The end of the link without the punctuation at its end.
    trimmed: usize,
    /// The end of the last link's authority. A `www.` in it does not begin a link of its own, but may begin a host.
    authority_end: usize,
}

/// Whether a sign ends a link for some readers, and is a part of it for others.
pub(super) const fn is_cut(byte: u8) -> bool {
    matches!(byte, b'!' | b'&' | b'('..=b'*' | b',' | b';' | b'[' | b']' | b'{'..=b'}')
}

impl Run {
    pub(super) fn new(bare_domains: bool) -> Self {
        Self {
            bare_domains,
            ..Self::default()
        }
    }

    /// The next link in `text`, and after the last link the next bare domain.
    pub(super) fn next(&mut self, text: &str) -> Option<Span> {
        if !self.is_second {
            let link = self.next_link(text);
            if link.is_some() || !self.bare_domains {
                return link;
            }
            self.is_second = true;
            self.position = 0;
            self.end = 0;
        }
        self.next_domain(text)
    }

    /// The next word that is a valid domain ([`domain::parse`]) and nothing else.
    fn next_domain(&mut self, text: &str) -> Option<Span> {
        let is_in_name = |character: char| {
            matches!(character, '-' | '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
                || character.is_alphanumeric()
                || is_mark(character)
        };
        loop {
            let rest = Span::new(self.position, text.len()).of(text);
            let begin = self.position + rest.find(is_in_name)?;
            let rest = Span::new(begin, text.len()).of(text);
            // A word that is not all ASCII is read again as its ASCII parts: some languages write without spaces.
            let is_part = begin < self.end;
            let is_end =
                |character: char| !is_in_name(character) || is_part && !character.is_ascii();
            let word = rest.split(is_end).next().unwrap_or(rest);
            self.position = begin + word.len();
            if word.is_empty() {
                self.position += rest.chars().next().map_or(1, char::len_utf8);
            } else if !is_part && !word.is_ascii() {
                self.end = self.position;
                self.position = begin;
            }
            work::count(word.len());
            let dots = ['-', '.', '\u{3002}', '\u{ff0e}', '\u{ff61}'];
            let name = word.trim_matches(dots);
            if name.contains(&dots[1..])
                && !domain::has_endless_label(name)
                && domain::parse(name).is_ok()
            {
                let begin = begin + (word.len() - word.trim_start_matches(dots).len());
                return Some(Span::new(begin, begin + name.len()));
            }
        }
    }

    fn next_link(&mut self, text: &str) -> Option<Span> {
        let bytes = text.as_bytes();
        loop {
            let from = self.position;
            let at = from + memchr2(b'.', b':', bytes.get(from..)?)?;
            self.position = at + 1;
            work::count(self.position - from);
            let Some((begin, prefix)) = prefix(bytes, at) else {
                continue;
            };
            if !is_boundary(text, begin, prefix == 0) {
                continue;
            }
            let host = begin + prefix;
            if begin >= self.end {
                self.end = link_end(text, host);
                let link = Span::new(begin, self.end).of(text);
                self.trimmed = begin + link.trim_end_matches(is_punctuation).len();
                work::count(self.end - begin);
            }
            // The slashes of a scheme end any authority before them, so only "www." can begin within an authority.
            if prefix == 0 && begin < self.authority_end {
                continue;
            }
            let whole = authority(bytes, Span::new(host, self.end));
            work::count(whole.end - begin);
            let mut end = self.trimmed;
            if let Some(close) = last_closing_bracket(whole.bytes(bytes)) {
                end = end.max(whole.start + close + 1);
            }
            self.authority_end = whole.end.min(end);
            let least = if prefix == 0 { host + 4 } else { host };
            if end > least {
                return Some(Span::new(begin, end));
            }
        }
    }
}

/// The start of the link with this dot or colon, and the length of its scheme with the slashes.
fn prefix(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let before = |word| word_before(bytes, at, word);
    if bytes.get(at) == Some(&b'.') {
        return before(b"www").map(|begin| (begin, 0));
    }
    if bytes.get(at + 1..at + 3)? != b"//" {
        return None;
    }
    before(b"https")
        .map(|begin| (begin, 8))
        .or_else(|| before(b"http").map(|begin| (begin, 7)))
        .or_else(|| before(b"ftp").map(|begin| (begin, 6)))
}

/// Whether a link may begin here. A scheme may follow anything but an ASCII letter or digit. `www.` (`is_name`) may follow
/// only what cannot be a part of a name, an address or a path.
pub(super) fn is_boundary(text: &str, begin: usize, is_name: bool) -> bool {
    if !is_name {
        let before = begin.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        return !before.is_some_and(u8::is_ascii_alphanumeric);
    }
    match text
        .get(..begin)
        .and_then(|before| before.chars().next_back())
    {
        None => true,
        Some('_' | '-' | '.' | '/' | '@') => false,
        Some(character) => !unicode::is_letter(character) && !unicode::is_decimal_digit(character),
    }
}

/// Whether a character is a mark, such as the sign of a tone, which is a part of words in many scripts.
fn is_mark(character: char) -> bool {
    !character.is_ascii()
        && GeneralCategoryGroup::Mark.contains(GeneralCategory::for_char(character))
}

/// The end of the link whose host begins at `from`.
fn link_end(text: &str, from: usize) -> usize {
    let rest = Span::new(from, text.len()).of(text);
    let length = rest.find(|character: char| {
        matches!(character, '<' | '>' | '"' | '\'') || character.is_whitespace()
    });
    length.map_or(text.len(), |length| from + length)
}

pub(super) fn is_punctuation(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation()
            && !matches!(
                character,
                '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~'
            );
    }
    GeneralCategoryGroup::Punctuation.contains(GeneralCategory::for_char(character))
}

/// The authority at the start of `rest`, after any slashes.
fn authority(bytes: &[u8], rest: Span) -> Span {
    let bytes = Span::new(0, rest.end).bytes(bytes);
    let start = slashes_end(bytes, rest.start);
    let is_inside = |byte| !matches!(byte, b'/' | b'\\' | b'?' | b'#');
    Span::new(start, skip(bytes, start, is_inside))
}

/// The last bracket that would close an IPv6 host if the authority ended there. It is punctuation, but a part of the link.
fn last_closing_bracket(authority: &[u8]) -> Option<usize> {
    memchr(b'[', authority)?;
    let mut last = None;
    let mut open = false;
    let mut begins = true;
    for (index, byte) in authority.iter().enumerate() {
        match byte {
            b'@' => open = false,
            b'[' if begins => open = true,
            b']' if open => {
                last = Some(index);
                open = false;
            }
            _ => {}
        }
        begins = *byte == b'@';
    }
    last
}

#[cfg(test)]
mod tests;
