//! Hosts of HTML that is still URL-encoded: most of it holds no link, and need not be decoded to be passed over.
//!
//! A walk over the escapes finds where tags, text and comments begin and end. What may hold a link is decoded, piece by
//! piece, into a digest: HTML with nothing else in it, which the scanner then reads. The commonest links are read where
//! they lie. A text that is anything but ordinary is left to the scanner as a whole: where a byte is escaped that no
//! encoder escapes, where an element or a `base` changes how the rest is read, and wherever a rule is needed that is
//! not needed for ordinary mail.

mod bits;
mod escapes;

use alloc::vec::Vec;

use super::host::{Quick, plain_host_start};
use super::span::Span;
use super::tokenizer::Attribute;
use super::work;
use crate::text::form::escaped_octet;

/// Buffers, kept from one text to the next.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    digest: Vec<u8>,
    characters: Vec<u8>,
    direct: Vec<Direct>,
}

/// A link of the tag that is being read, whose host needs no decoding.
#[derive(Clone, Copy, Debug)]
struct Direct {
    attribute: Span,
    host: Span,
}

/// What was found, in the order of the document.
pub(super) enum Found<'a> {
    Host(&'a str),
    /// HTML that holds links.
    Digest(&'a str),
}

/// The length of an escape.
const ESCAPE: usize = 3;

/// Why a walk goes no further.
enum Stop {
    /// The text has ended.
    End,
    /// The text is not ordinary.
    Odd,
}

/// Whether HTML has anything but white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blank {
    No,
    Unsure,
}

/// Hands out what is found in `text`, URL-encoded and without white space at its ends. `false`: the text is not
/// ordinary, and nothing is known of what was not handed out.
pub(super) fn walk(text: &str, buffers: &mut Buffers, found: &mut impl FnMut(Found<'_>)) -> bool {
    work::count(text.len());
    if !bits::is_ordinary(text.as_bytes()) || blank(text.as_bytes()) == Blank::Unsure {
        return false;
    }
    buffers.digest.clear();
    let mut walk = Walk {
        text,
        bytes: text.as_bytes(),
        block: 0,
        marks: 0,
        buffers,
        found,
    };
    walk.marks = walk.marks_of(0);
    match walk.document() {
        Ok(never) => match never {},
        Err(Stop::End) => walk.flush().is_ok(),
        Err(Stop::Odd) => false,
    }
}

fn blank(text: &[u8]) -> Blank {
    let mut at: usize = 0;
    loop {
        match octet_at(text, at) {
            Some((b' ' | b'\t' | b'\n' | b'\r', end)) => at = end,
            Some((b'!'..=b'~', _)) => return Blank::No,
            _ => return Blank::Unsure,
        }
    }
}

/// The octet at `at`, raw or escaped, and where it ends.
#[inline]
fn octet_at(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match text.get(at)? {
        b'+' => Some((b' ', at.saturating_add(1))),
        b'%' => match escaped_octet(text, at) {
            Some(octet) => Some((octet, at.saturating_add(3))),
            None => Some((b'%', at.saturating_add(1))),
        },
        byte => Some((*byte, at.saturating_add(1))),
    }
}

/// An escape, or one of the other bytes that [`bits::marks`] marks.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    /// What it stands for, of [`escapes`].
    flags: u32,
}

impl Mark {
    const fn is(self, flags: u32) -> bool {
        self.flags & flags != 0
    }
}

/// What the walk stops at wherever it is.
const ALWAYS: u32 = escapes::BEYOND_ASCII | escapes::INCOMPLETE;
/// What is not read outside of attribute values.
const ODD: u32 = escapes::INCOMPLETE | escapes::NEEDLESS;
/// What CSS with a URL has.
const SUSPECT: u32 = escapes::PARENTHESIS | escapes::AT | escapes::BACKSLASH | escapes::AMPERSAND;

/// What a `<` begins.
enum Markup {
    Start(usize),
    End(usize),
    /// `<!`
    Declaration(usize),
    /// `<?`
    Instruction(usize),
}

/// What a start tag's name says about the element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Element {
    Ordinary,
    /// Changes how what follows is read, in ways that are left to the scanner.
    Odd,
    Style,
    /// Holds no markup, and no text that counts.
    Hidden,
    Base,
    Meta,
    Object,
}

impl Element {
    #[inline]
    fn named(name: &[u8]) -> Self {
        let is = |word: &[u8]| name.eq_ignore_ascii_case(word);
        let Some(first) = name.first() else {
            return Self::Odd;
        };
        match (name.len(), first | 0x20) {
            (3, b's') if is(b"svg") => Self::Odd,
            (3, b'x') if is(b"xmp") => Self::Odd,
            (4, b'm') if is(b"math") => Self::Odd,
            (6, b's') if is(b"script") => Self::Odd,
            (6, b'i') if is(b"iframe") => Self::Odd,
            (7, b'n') if is(b"noembed") => Self::Odd,
            (8, b'n') if is(b"noframes") => Self::Odd,
            (8, b'f') if is(b"frameset") => Self::Odd,
            (8, b't') if is(b"template") => Self::Odd,
            (9, b'p') if is(b"plaintext") => Self::Odd,
            (5, b's') if is(b"style") => Self::Style,
            (5, b't') if is(b"title") => Self::Hidden,
            (8, b't') if is(b"textarea") => Self::Hidden,
            (4, b'b') if is(b"base") => Self::Base,
            (4, b'm') if is(b"meta") => Self::Meta,
            (6, b'o') if is(b"object") => Self::Object,
            _ => Self::Ordinary,
        }
    }
}

/// A start tag, as far as it is read.
struct Tag {
    name: Span,
    element: Element,
    /// The attributes that were there already.
    seen: u32,
    /// It is in the digest.
    in_digest: bool,
}

/// An attribute: its name, its value, and all of it.
struct Written {
    name: Span,
    value: Span,
    whole: Span,
    /// The value may be CSS with a URL.
    is_suspect: bool,
}

impl Written {
    const fn without_value(name: Span) -> Self {
        Self {
            name,
            value: Span::new(name.end, name.end),
            whole: name,
            is_suspect: false,
        }
    }
}

struct Walk<'t, 'b, F> {
    text: &'t str,
    bytes: &'t [u8],
    /// Where the block begins whose marks are held.
    block: usize,
    /// Those of its marks that are still ahead.
    marks: u64,
    buffers: &'b mut Buffers,
    found: &'b mut F,
}

impl<F: FnMut(Found<'_>)> Walk<'_, '_, F> {
    // Marks.

    #[inline]
    fn marks_of(&self, block: usize) -> u64 {
        let rest = self.bytes.get(block..).unwrap_or_default();
        match rest.first_chunk() {
            Some(block) => bits::marks(block),
            None => {
                let mut last = [0; bits::BLOCK];
                last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                bits::marks(&last)
            }
        }
    }

    /// Passes over the marks before `at`, which is not behind.
    #[inline]
    fn seek(&mut self, at: usize) {
        let block = at & !(bits::BLOCK - 1);
        if block != self.block {
            self.block = block;
            self.marks = self.marks_of(block);
        }
        self.marks &= u64::MAX << (at & (bits::BLOCK - 1));
    }

    /// The next mark at or after `from` that has one of these flags; `passed` takes those of the marks before it.
    /// Characters beyond ASCII are passed over, but must be UTF-8.
    #[inline(always)]
    fn mark(&mut self, from: usize, wanted: u32, passed: &mut u32) -> Result<Mark, Stop> {
        self.seek(from);
        loop {
            while self.marks == 0 {
                self.block = self.block.wrapping_add(bits::BLOCK);
                if self.block >= self.bytes.len() {
                    return Err(Stop::End);
                }
                self.marks = self.marks_of(self.block);
            }
            let at = self.block | self.marks.trailing_zeros() as usize;
            self.marks &= self.marks.wrapping_sub(1);
            let flags = escapes::flags(self.bytes.get(at..).unwrap_or_default());
            if flags & (wanted | ALWAYS) == 0 {
                *passed |= flags;
                continue;
            }
            if flags & ALWAYS == 0 {
                return Ok(Mark { at, flags });
            }
            if flags & escapes::INCOMPLETE != 0 {
                return Err(Stop::Odd);
            }
            let end = self.characters(at)?;
            self.seek(end);
        }
    }

    /// Where the characters beyond ASCII end that begin at `at`.
    #[cold]
    fn characters(&mut self, at: usize) -> Result<usize, Stop> {
        let characters = &mut self.buffers.characters;
        characters.clear();
        let mut end = at;
        while self.bytes.get(end) == Some(&b'%')
            && let Some(octet) = escaped_octet(self.bytes, end)
            && !octet.is_ascii()
        {
            characters.push(octet);
            end = end.saturating_add(3);
        }
        match core::str::from_utf8(characters) {
            Ok(_) if end > at => Ok(end),
            _ => Err(Stop::Odd),
        }
    }

    /// Where the next `"` is at or after `from`; `passed` takes the flags of some of the escapes before it, those of CSS
    /// with a URL among them.
    #[inline]
    fn closing_quote(&mut self, from: usize, passed: &mut u32) -> Result<usize, Stop> {
        let mut at = from;
        loop {
            at = bits::value_mark(self.bytes, at);
            let rest = self.bytes.get(at..).unwrap_or_default();
            if rest.is_empty() {
                return Err(Stop::End);
            }
            let flags = escapes::flags(rest);
            if flags & (escapes::QUOTE | ALWAYS) == 0 {
                *passed |= flags;
                at = at.wrapping_add(ESCAPE);
                continue;
            }
            if flags & ALWAYS == 0 {
                return Ok(at);
            }
            if flags & escapes::INCOMPLETE != 0 {
                return Err(Stop::Odd);
            }
            at = self.characters(at)?;
        }
    }

    /// [`Self::mark`], where it is not worth a copy.
    #[inline(never)]
    fn rare_mark(&mut self, from: usize, wanted: u32, passed: &mut u32) -> Result<Mark, Stop> {
        self.mark(from, wanted, passed)
    }

    /// Where the next `>` is, in what is no tag.
    fn close(&mut self, from: usize) -> Result<usize, Stop> {
        let mark = self.rare_mark(from, escapes::CLOSE | ODD, &mut 0)?;
        if mark.is(ODD) {
            return Err(Stop::Odd);
        }
        Ok(mark.at)
    }

    #[inline]
    fn begins(&self, at: usize, with: &[u8]) -> bool {
        self.bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(with))
    }

    // What is found.

    fn flush(&mut self) -> Result<(), Stop> {
        if self.buffers.digest.is_empty() {
            return Ok(());
        }
        let digest = core::str::from_utf8(&self.buffers.digest).map_err(|_| Stop::Odd)?;
        (self.found)(Found::Digest(digest));
        self.buffers.digest.clear();
        Ok(())
    }

    /// Decodes a part of the text into the digest.
    fn append(&mut self, part: Span) {
        work::count(part.end.saturating_sub(part.start));
        let text = part.bytes(self.bytes);
        let mut at = 0;
        while let Some((octet, end)) = octet_at(text, at) {
            self.buffers.digest.push(octet);
            at = end;
        }
    }

    fn append_between(&mut self, before: &[u8], part: Span, after: &[u8]) {
        self.buffers.digest.extend_from_slice(before);
        self.append(part);
        self.buffers.digest.extend_from_slice(after);
    }

    // The document.

    fn document(&mut self) -> Result<core::convert::Infallible, Stop> {
        let mut at = 0;
        loop {
            at = match self.text(at)? {
                Markup::Start(name) => self.start_tag(name)?,
                Markup::End(name) => {
                    // Most end tags are a name and no more.
                    let end = bits::punctuation(self.bytes, name);
                    if self.begins(end, b"%3E") {
                        end.wrapping_add(ESCAPE)
                    } else {
                        self.tag(name, None)?
                    }
                }
                Markup::Declaration(begin) => self.declaration(begin)?,
                Markup::Instruction(begin) => self.close(begin)?.saturating_add(ESCAPE),
            };
        }
    }

    /// Reads a run of text, and what ends it.
    #[inline]
    fn text(&mut self, begin: usize) -> Result<Markup, Stop> {
        const WANTED: u32 =
            escapes::OPEN | escapes::AMPERSAND | escapes::COLON | escapes::DOT | ODD;
        let mut may_hold_link = false;
        let mut from = begin;
        // The line breaks between tags.
        while self.begins(from, b"%0D%0A") {
            from = from.wrapping_add(2 * ESCAPE);
        }
        let (end, markup) = loop {
            let mark = match self.mark(from, WANTED, &mut 0) {
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
                may_hold_link |= mark
                    .at
                    .checked_sub(3)
                    .and_then(|begin| self.bytes.get(begin..mark.at))
                    .is_some_and(|word| word.eq_ignore_ascii_case(b"www"));
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
    fn markup(&self, at: usize) -> Result<Option<Markup>, Stop> {
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
    fn may_be_mark(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let ends = |length: usize| matches!(octet_at(rest, length), Some((b';', _)));
        match octet_at(rest, 0) {
            None | Some((b' ', _)) => false,
            Some((b'#', begin)) => {
                let digits = rest.get(begin..).unwrap_or_default();
                let count = digits
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit())
                    .count();
                let number = digits.get(..count).unwrap_or_default();
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
                let name = rest.get(..count).unwrap_or_default();
                !ends(count) || matches!(name, b"colon" | b"period")
            }
            _ => true,
        }
    }

    fn declaration(&mut self, begin: usize) -> Result<usize, Stop> {
        let rest = self.bytes.get(begin..).unwrap_or_default();
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
            let data = self.bytes.get(begin..close).unwrap_or_default();
            let data = match data {
                b"" | b"-" => return Ok(from),
                _ => data
                    .strip_suffix(b"--")
                    .or_else(|| data.strip_suffix(b"--!"))
                    .or_else(|| data.strip_suffix(b"--%21")),
            };
            let Some(data) = data else { continue };
            if matches!(octet_at(data, 0), Some((b'[', _))) {
                let data = Span::new(begin, begin.saturating_add(data.len()));
                self.append_between(b"<!--", data, b"-->");
            }
            return Ok(from);
        }
    }

    // Tags.

    #[inline]
    fn start_tag(&mut self, begin: usize) -> Result<usize, Stop> {
        let mark = self.buffers.digest.len();
        let mut tag = Tag {
            name: Span::new(begin, begin),
            element: Element::Ordinary,
            seen: 0,
            in_digest: false,
        };
        self.buffers.direct.clear();
        let at = match self.tag(begin, Some(&mut tag)) {
            Ok(at) => at,
            Err(stop) => {
                // A tag that the document does not finish is none.
                self.buffers.digest.truncate(mark);
                return Err(stop);
            }
        };
        if tag.in_digest {
            self.buffers.digest.push(b'>');
        } else if !self.buffers.direct.is_empty() {
            self.flush()?;
            for direct in &self.buffers.direct {
                (self.found)(Found::Host(direct.host.of(self.text)));
            }
        }
        match tag.element {
            Element::Style | Element::Hidden => self.raw(at, tag),
            _ => Ok(at),
        }
    }

    /// Reads a tag whose name begins at `begin`, and gives where it ends.
    #[inline]
    fn tag(&mut self, begin: usize, mut start: Option<&mut Tag>) -> Result<usize, Stop> {
        let mut at = bits::punctuation(self.bytes, begin);
        if self.bytes.get(at) != Some(&b'+') && !self.begins(at, b"%3E") {
            at = self.name_end(begin)?;
        }
        if let Some(tag) = &mut start {
            tag.name = Span::new(begin, at);
            tag.element = Element::named(tag.name.bytes(self.bytes));
            if tag.element == Element::Odd {
                return Err(Stop::Odd);
            }
        }
        loop {
            if self.bytes.get(at) == Some(&b'+') {
                at = at.saturating_add(1);
            }
            let (octet, end) = octet_at(self.bytes, at).ok_or(Stop::End)?;
            match octet {
                b'>' => return Ok(end),
                b'/' | b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => {
                    at = end;
                    continue;
                }
                _ => {}
            }
            // Most attributes are written like this.
            let name = bits::punctuation(self.bytes, at);
            if name > at && self.begins(name, b"%3D%22") {
                let begin = name.wrapping_add(2 * ESCAPE);
                let mut passed = 0;
                // Most values are a word or a number. Every mark is punctuation.
                let end = bits::punctuation(self.bytes, begin);
                let close = if self.begins(end, b"%22") {
                    end
                } else {
                    self.closing_quote(end, &mut passed)?
                };
                let mut written = Written::without_value(Span::new(at, name));
                at = self.quoted(begin, close, passed, &mut written);
                if let Some(tag) = &mut start {
                    self.attribute(tag, &written)?;
                }
                continue;
            }
            let name = Span::new(at, self.name_end(at)?);
            let mut written = Written::without_value(name);
            at = name.end;
            at = skip_space(self.bytes, at);
            if let Some((b'=', end)) = octet_at(self.bytes, at) {
                at = self.value(skip_space(self.bytes, end), &mut written)?;
            }
            if let Some(tag) = &mut start {
                self.attribute(tag, &written)?;
            }
        }
    }

    /// Where the name of a tag or an attribute ends that begins at `begin`.
    fn name_end(&self, begin: usize) -> Result<usize, Stop> {
        let mut at = begin;
        loop {
            at = bits::punctuation(self.bytes, at);
            match self.bytes.get(at).ok_or(Stop::End)? {
                b'%' => {
                    let escape = self.bytes.get(at..).and_then(|rest| rest.first_chunk());
                    match escape {
                        Some(b"%3D" | b"%3E") if at > begin => return Ok(at),
                        _ => {}
                    }
                    match escaped_octet(self.bytes, at) {
                        Some(b'=' | b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
                            if at > begin =>
                        {
                            return Ok(at);
                        }
                        Some(b':') => at = at.saturating_add(ESCAPE),
                        _ => return Err(Stop::Odd),
                    }
                }
                b'+' | b'/' if at > begin => return Ok(at),
                b'+' | b'/' | b'\'' => return Err(Stop::Odd),
                _ => at = at.saturating_add(1),
            }
        }
    }

    /// Reads an attribute's value that begins at `at`, and gives where it ends with its quote.
    #[inline]
    fn value(&mut self, at: usize, written: &mut Written) -> Result<usize, Stop> {
        let (quote, from) = octet_at(self.bytes, at).ok_or(Stop::End)?;
        if !matches!(quote, b'"' | b'\'') {
            return self.unquoted(at, written);
        }
        let wanted = if quote == b'"' {
            escapes::QUOTE
        } else {
            escapes::APOSTROPHE
        };
        let mut passed = 0;
        let close = self.rare_mark(from, wanted, &mut passed)?;
        Ok(self.quoted(from, close.at, passed, written))
    }

    /// Takes a value between quotes, and gives where it ends with its quote.
    #[inline]
    fn quoted(&self, begin: usize, close: usize, passed: u32, written: &mut Written) -> usize {
        let length = match self.bytes.get(close) {
            Some(b'%') => ESCAPE,
            _ => 1,
        };
        let end = close.wrapping_add(length);
        written.value = Span::new(begin, close);
        written.whole.end = end;
        written.is_suspect = passed & SUSPECT != 0;
        end
    }

    fn unquoted(&mut self, begin: usize, written: &mut Written) -> Result<usize, Stop> {
        let mut at = begin;
        loop {
            let (octet, end) = octet_at(self.bytes, at).ok_or(Stop::End)?;
            match octet {
                b'>' | b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => break,
                b'%' if end == at.saturating_add(1) => return Err(Stop::Odd),
                0x80.. => at = self.characters(at)?,
                _ => at = end,
            }
        }
        written.value = Span::new(begin, at);
        written.whole.end = at.max(written.name.end);
        written.is_suspect = true;
        Ok(at)
    }

    /// Takes an attribute of a start tag.
    #[inline]
    fn attribute(&mut self, tag: &mut Tag, written: &Written) -> Result<(), Stop> {
        let name = written.name.bytes(self.bytes);
        let Some(attribute) = Attribute::named(name) else {
            // "xlink:href", its colon escaped: the scanner knows.
            if name.len() == b"xlink%3Ahref".len() && matches!(name.first(), Some(b'x' | b'X')) {
                self.append_attribute(tag, written.whole);
            }
            return Ok(());
        };
        if tag.seen & attribute.bit() != 0 {
            return Ok(());
        }
        tag.seen |= attribute.bit();
        let wanted = match attribute {
            Attribute::Style => {
                written.is_suspect
                    || memchr::memchr(b'(', written.value.bytes(self.bytes)).is_some()
            }
            Attribute::HttpEquiv | Attribute::Content => tag.element == Element::Meta,
            Attribute::Data => tag.element == Element::Object,
            Attribute::Srcset | Attribute::Imagesrcset | Attribute::Ping | Attribute::Srcdoc => {
                true
            }
            _ if tag.element == Element::Base => return Err(Stop::Odd),
            _ => match host(self.text, written.value) {
                Quick::NoHost => false,
                Quick::Host(host) if !tag.in_digest => {
                    self.buffers.direct.push(Direct {
                        attribute: written.whole,
                        host,
                    });
                    false
                }
                Quick::Host(_) | Quick::Unsure => true,
            },
        };
        if wanted {
            self.append_attribute(tag, written.whole);
        }
        Ok(())
    }

    /// Appends an attribute to the digest, after those that were left out so far although they hold links.
    fn append_attribute(&mut self, tag: &mut Tag, attribute: Span) {
        if !tag.in_digest {
            tag.in_digest = true;
            self.append_between(b"<", tag.name, b"");
            let direct = core::mem::take(&mut self.buffers.direct);
            for direct in &direct {
                self.append_between(b" ", direct.attribute, b"");
            }
            self.buffers.direct = direct;
            self.buffers.direct.clear();
        }
        self.append_between(b" ", attribute, b"");
    }

    /// Reads the content of a raw element up to and with its end tag.
    fn raw(&mut self, begin: usize, tag: Tag) -> Result<usize, Stop> {
        let name = tag.name.bytes(self.bytes);
        let mut from = begin;
        let mut passed = 0;
        let close = loop {
            match self.rare_mark(from, escapes::OPEN | ODD, &mut passed) {
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
        if tag.element == Element::Style
            && (passed & SUSPECT != 0 || memchr::memchr(b'(', content.bytes(self.bytes)).is_some())
        {
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
    text.get(at..end)
        .is_some_and(|found| found.eq_ignore_ascii_case(word))
        && matches!(
            octet_at(text, end),
            Some((b' ' | b'>' | b'/' | b'\t' | b'\n' | b'\x0c' | b'\r', _))
        )
}

#[inline]
fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some((b' ' | b'\t' | b'\n' | b'\x0c' | b'\r', end)) = octet_at(text, at) {
        at = end;
    }
    at
}

/// The host of an encoded URL, where it is plain to see.
#[inline]
fn host(text: &str, url: Span) -> Quick<Span> {
    let value = url.of(text);
    let slash = |text| strip_octet(text, "/", "%2F", "%2f");
    if value.is_empty() || value.starts_with("%23") {
        return Quick::NoHost;
    }
    if let Some(path) = slash(value)
        && path
            .as_bytes()
            .first()
            .is_some_and(u8::is_ascii_alphanumeric)
    {
        return Quick::NoHost;
    }
    let rest = value
        .strip_prefix("https")
        .or_else(|| value.strip_prefix("http"))
        .and_then(|rest| strip_octet(rest, ":", "%3A", "%3a"))
        .and_then(slash)
        .and_then(slash);
    let Some(rest) = rest else {
        return Quick::Unsure;
    };
    let begin = url.end.saturating_sub(rest.len());
    let after = text.as_bytes().get(begin..).unwrap_or_default();
    // What ends the value is no part of a host.
    let length = bits::plain_host_length(after).or_else(|| plain_host_start(rest).map(str::len));
    let Some(length) = length else {
        return Quick::Unsure;
    };
    let ends = matches!(
        rest.as_bytes().get(length..).unwrap_or_default(),
        [] | [b'/', ..] | [b'%', b'2', b'F' | b'f' | b'3', ..] | [b'%', b'3', b'F' | b'f', ..]
    );
    if !ends {
        return Quick::Unsure;
    }
    Quick::Host(Span::new(begin, begin.saturating_add(length)))
}

#[inline]
fn strip_octet<'t>(text: &'t str, raw: &str, upper: &str, lower: &str) -> Option<&'t str> {
    text.strip_prefix(upper)
        .or_else(|| text.strip_prefix(raw))
        .or_else(|| text.strip_prefix(lower))
}

#[cfg(test)]
mod tests;
