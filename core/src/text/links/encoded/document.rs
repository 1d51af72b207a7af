//! The parts of a document: text, markup and comments.

use super::super::css;
use super::super::element::Element;
use super::super::span::{Span, has_word, tail, word_before};
use super::super::work;
use super::{ESCAPE, Found, Markup, ODD, Stop, Tag, Walk, escapes, octet_at};

/// Escapes as the lowest bytes of a word, and which bits they are.
const OPEN: (u64, u64) = (u64::from_le_bytes(*b"%3C\0\0\0\0\0"), 0x00ff_ffff);
const OPEN_SLASH: (u64, u64) = (u64::from_le_bytes(*b"%3C%2F\0\0"), 0xffff_ffff_ffff);
const BREAK: (u64, u64) = (u64::from_le_bytes(*b"%0D%0A\0\0"), 0xffff_ffff_ffff);

impl<F: FnMut(Found<'_>) -> bool> Walk<'_, '_, F> {
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        if self.buffers.digest.is_empty() {
            return Ok(());
        }
        let digest = core::str::from_utf8(&self.buffers.digest).map_err(|_| Stop::Odd)?;
        let is_changed = (self.found)(Found::Digest(digest));
        self.buffers.digest.clear();
        if is_changed { Err(Stop::Odd) } else { Ok(()) }
    }

    /// Decodes a part of the text into the digest.
    pub(super) fn append(&mut self, part: Span) {
        work::count(part.end.saturating_sub(part.start));
        self.buffers
            .digest
            .reserve(part.end.saturating_sub(part.start));
        let text = part.bytes(self.bytes);
        let mut at = 0;
        while let Some((octet, end)) = octet_at(text, at) {
            self.buffers.digest.push(octet);
            at = end;
        }
    }

    /// Whether a part of the text is CSS that may hold a URL when its escapes are decoded.
    pub(super) fn is_css_with_url(&mut self, part: Span) -> bool {
        let begin = self.buffers.digest.len();
        self.append(part);
        let css = tail(&self.buffers.digest, begin);
        let may_hold_url = css::may_hold_url(css);
        self.buffers.digest.truncate(begin);
        may_hold_url
    }

    pub(super) fn append_between(&mut self, before: &[u8], part: Span, after: &[u8]) {
        self.buffers.digest.extend_from_slice(before);
        self.append(part);
        self.buffers.digest.extend_from_slice(after);
    }

    pub(super) fn document(&mut self) -> Result<core::convert::Infallible, Stop> {
        let mut at = 0;
        loop {
            let markup = match self.next_tag(at) {
                Some(markup) => markup,
                None => self.text(at)?,
            };
            at = match markup {
                Markup::Start(name) => self.start_tag(name)?,
                Markup::End(name) => {
                    // Most end tags are a name and no more.
                    match self.plain_name(name) {
                        Some((_, end)) if self.begins(end, b"%3E") => end.wrapping_add(ESCAPE),
                        _ => self.tag(name, None)?,
                    }
                }
                Markup::Declaration(begin) => self.declaration(begin)?,
                Markup::Instruction(begin) => self.close(begin)?.saturating_add(ESCAPE),
            };
        }
    }

    /// The tag that begins at `at`, or behind line breaks.
    #[inline]
    fn next_tag(&self, mut at: usize) -> Option<Markup> {
        loop {
            let word = u64::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?);
            let [_, _, _, name, _, _, end_name, _] = word.to_le_bytes();
            if word & BREAK.1 == BREAK.0 {
                at = at.wrapping_add(2 * ESCAPE);
            } else if word & OPEN_SLASH.1 == OPEN_SLASH.0 && end_name.is_ascii_alphabetic() {
                return Some(Markup::End(at.wrapping_add(2 * ESCAPE)));
            } else if word & OPEN.1 == OPEN.0 && name.is_ascii_alphabetic() {
                return Some(Markup::Start(at.wrapping_add(ESCAPE)));
            } else {
                return None;
            }
        }
    }

    /// Reads a run of text, and what ends it.
    #[inline]
    pub(super) fn text(&mut self, begin: usize) -> Result<Markup, Stop> {
        const WANTED: u32 =
            escapes::OPEN | escapes::AMPERSAND | escapes::COLON | escapes::DOT | ODD;
        let mut may_hold_link = false;
        let mut from = begin;
        let (end, markup) = loop {
            let mark = match self.mark(from, WANTED) {
                Ok(mark) => mark,
                Err(stop) => {
                    if may_hold_link {
                        self.append(Span::new(begin, self.bytes.len()));
                    }
                    return Err(stop);
                }
            };
            let end = mark.at.saturating_add(ESCAPE);
            from = end;
            if mark.is(escapes::OPEN) {
                if let Some(markup) = self.markup(end)? {
                    break (mark.at, markup);
                }
            } else if mark.is(escapes::DOT) {
                from = mark.at.saturating_add(1);
                may_hold_link |= word_before(self.bytes, mark.at, b"www").is_some();
            } else if mark.is(escapes::COLON) {
                may_hold_link |= matches!(octet_at(self.bytes, end), Some((b'/' | b'&', _)));
            } else if mark.is(escapes::AMPERSAND) {
                may_hold_link |= self.may_be_mark(end);
            } else {
                return Err(Stop::Odd);
            }
        };
        if may_hold_link {
            // Any tag ends the run.
            self.append_between(b"", Span::new(begin, end), b"<p>");
        }
        Ok(markup)
    }

    /// What a `<` begins that ends at `at`.
    #[inline]
    pub(super) fn markup(&self, at: usize) -> Result<Option<Markup>, Stop> {
        let Some((octet, end)) = octet_at(self.bytes, at) else {
            return Ok(None);
        };
        Ok(match octet {
            b'/' => match octet_at(self.bytes, end) {
                None => None,
                Some((next, _)) if next.is_ascii_alphabetic() => Some(Markup::End(end)),
                Some(_) => return Err(Stop::Odd),
            },
            b'!' => Some(Markup::Declaration(end)),
            b'?' => Some(Markup::Instruction(end)),
            _ if octet.is_ascii_alphabetic() => Some(Markup::Start(at)),
            _ => None,
        })
    }

    /// Whether the character reference whose `&` ends at `at` could be a part of what makes text a link: a colon, a full
    /// stop, a `w` before one.
    pub(super) fn may_be_mark(&self, at: usize) -> bool {
        let rest = tail(self.bytes, at);
        let ends = |length: usize| matches!(octet_at(rest, length), Some((b';', _)));
        match octet_at(rest, 0) {
            None | Some((b' ', _)) => false,
            Some((b'#', begin)) => {
                let digits = tail(rest, begin);
                let count = digits
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                let number = Span::new(0, count).bytes(digits);
                // Quotes and what is beyond ASCII, without leading zeros.
                let harmless = matches!(
                    number,
                    [b'3', _]
                        | [b'1', b'3'..=b'9', _]
                        | [b'2'..=b'9', _, _]
                        | [b'1'..=b'9', _, _, _]
                );
                !(harmless && ends(begin.saturating_add(count)))
            }
            Some((first, _)) if first.is_ascii_alphabetic() => {
                let count = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric())
                    .count();
                let name = Span::new(0, count).bytes(rest);
                !ends(count) || matches!(name, b"colon" | b"period")
            }
            _ => true,
        }
    }

    pub(super) fn declaration(&mut self, begin: usize) -> Result<usize, Stop> {
        let rest = tail(self.bytes, begin);
        if !rest.starts_with(b"--") {
            // A "-" that is escaped is odd, and will be found to be.
            return Ok(self.close(begin)?.saturating_add(ESCAPE));
        }
        let begin = begin.saturating_add(2);
        let mut from = begin;
        loop {
            let close = match self.close(from) {
                // A conditional comment may end with the document.
                Err(Stop::End) if matches!(octet_at(self.bytes, begin), Some((b'[', _))) => {
                    return Err(Stop::Odd);
                }
                close => close?,
            };
            from = close.saturating_add(ESCAPE);
            let data = Span::new(begin, close).bytes(self.bytes);
            let data = match data {
                b"" | b"-" => return Ok(from),
                _ => data
                    .strip_suffix(b"--")
                    .or_else(|| data.strip_suffix(b"--!"))
                    .or_else(|| data.strip_suffix(b"--%21")),
            };
            let Some(data) = data else {
                self.check_early_end(begin, close)?;
                continue;
            };
            if matches!(octet_at(data, 0), Some((b'[', _))) {
                let data = Span::new(begin, begin.saturating_add(data.len()));
                self.append_between(b"<!--", data, b"-->");
            }
            return Ok(from);
        }
    }

    /// For readers in a terminal, `--` and white space before a `>` end a comment, too.
    fn check_early_end(&self, begin: usize, close: usize) -> Result<(), Stop> {
        let mut data = Span::new(begin, close).bytes(self.bytes);
        let spaces = [
            &b"+"[..],
            b"%20",
            b"%09",
            b"%0A",
            b"%0D",
            b"%0C",
            b"%0a",
            b"%0d",
            b"%0c",
        ];
        while let Some(rest) = spaces.iter().find_map(|space| data.strip_suffix(*space)) {
            data = rest;
        }
        match data.ends_with(b"--") {
            true => Err(Stop::Odd),
            false => Ok(()),
        }
    }

    /// Reads the content of a raw element up to and with its end tag.
    pub(super) fn raw(&mut self, begin: usize, tag: Tag) -> Result<usize, Stop> {
        // In the digest the start tag would begin an element that holds all the rest.
        if tag.in_digest {
            return Err(Stop::Odd);
        }
        let name = tag.name.bytes(self.bytes);
        let mut from = begin;
        let close = loop {
            match self.rare_mark(from, escapes::OPEN | ODD) {
                Err(Stop::End) => break None,
                Err(Stop::Odd) => return Err(Stop::Odd),
                Ok(mark) if mark.is(ODD) => return Err(Stop::Odd),
                Ok(mark) => {
                    from = mark.at.saturating_add(ESCAPE);
                    if let Some((b'/', at)) = octet_at(self.bytes, from)
                        && is_name_at(self.bytes, at, name)
                    {
                        break Some((mark.at, at));
                    }
                }
            }
        };
        let content = Span::new(begin, close.map_or(self.bytes.len(), |(at, _)| at));
        if tag.element == Element::Style && self.is_css_with_url(content) {
            self.append_between(b"<style>", content, b"</style>");
        }
        // An end tag that the document does not finish ends the content all the same.
        let (_, name) = close.ok_or(Stop::End)?;
        self.tag(name, None)
    }
}

/// Whether a tag's name is `word`, at `at`.
fn is_name_at(text: &[u8], at: usize, word: &[u8]) -> bool {
    let end = at.saturating_add(word.len());
    has_word(text, at, word)
        && matches!(
            octet_at(text, end),
            Some((b' ' | b'>' | b'/' | b'\t' | b'\n' | b'\x0c' | b'\r', _))
        )
}
