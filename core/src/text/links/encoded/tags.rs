//! Tags, their attributes, and the hosts that are plain to see in them.

use super::super::attribute::Attribute;
use super::super::element::Element;
use super::super::span::Span;
use super::super::words::Word;
use super::hosts::Quick;
use super::{
    Direct, ESCAPE, Found, RECENT, SUSPECT, Stop, Tag, Walk, Written, bits, escapes, hosts,
    octet_at, skip_space,
};
use crate::text::form::escaped_octet;

impl<F: FnMut(Found<'_>) -> bool> Walk<'_, '_, F> {
    #[inline]
    pub(super) fn start_tag(&mut self, begin: usize) -> Result<usize, Stop> {
        let mut tag = Tag {
            name: Span::new(begin, begin),
            element: Element::Ordinary,
            seen: 0,
            content: None,
            in_digest: false,
        };
        self.buffers.direct.clear();
        let Ok(at) = self.tag(begin, Some(&mut tag)) else {
            // A tag that the document does not finish is left to the scanner, too.
            return Err(Stop::Odd);
        };
        if tag.in_digest {
            if let Some(content) = tag.content {
                self.append_attribute(&mut tag, content);
            }
            self.buffers.digest.push(b'>');
        } else if !self.buffers.direct.is_empty() {
            for index in 0..self.buffers.direct.len() {
                if let Some(direct) = self.buffers.direct.get(index) {
                    self.hand_out(direct.host)?;
                }
            }
        }
        match tag.element {
            Element::Style | Element::Hidden => self.raw(at, tag),
            _ => Ok(at),
        }
    }

    /// Hands out a host, if that was not done lately.
    #[inline]
    fn hand_out(&mut self, host: Span) -> Result<(), Stop> {
        let name = host.bytes(self.bytes);
        if self.hosts.contains(&name) {
            return Ok(());
        }
        self.newest = self.newest.wrapping_add(1) % RECENT;
        if let Some(newest) = self.hosts.get_mut(self.newest) {
            *newest = name;
        }
        self.flush()?;
        let name = core::str::from_utf8(name).map_err(|_| Stop::Odd)?;
        if (self.found)(Found::Host(name)) {
            return Err(Stop::Odd);
        }
        Ok(())
    }

    /// Reads a tag whose name begins at `begin`, and gives where it ends.
    #[inline]
    pub(super) fn tag(&mut self, begin: usize, mut start: Option<&mut Tag>) -> Result<usize, Stop> {
        let mut at = match self.plain_name(begin) {
            Some((word, end)) => {
                if let Some(tag) = &mut start {
                    tag.name = Span::new(begin, end);
                    tag.element = Element::of_word(word, tag.name.bytes(self.bytes));
                }
                end
            }
            None => {
                let end = self.name_end(begin)?;
                if let Some(tag) = &mut start {
                    tag.name = Span::new(begin, end);
                    tag.element = Element::named(tag.name.bytes(self.bytes));
                }
                end
            }
        };
        if let Some(tag) = &mut start {
            match tag.element {
                // They change how what follows is read, in ways that are left to the scanner.
                Element::Tree
                | Element::Noscript
                | Element::Script
                | Element::Iframe
                | Element::Visible
                | Element::Plaintext => return Err(Stop::Odd),
                _ => {}
            }
        }
        loop {
            if let Some(tag) = &mut start {
                at = self.plain_attributes(at, tag)?;
                if self.begins(at, b"%3E") {
                    return Ok(at.wrapping_add(ESCAPE));
                }
            }
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

    /// The first word of a name of letters and digits, and where the name ends. `None`: something else follows it than a space
    /// or the end of the tag, or it has more than sixteen characters.
    #[inline]
    pub(super) fn plain_name(&self, begin: usize) -> Option<(Word, usize)> {
        let text = self.bytes.get(begin..)?;
        let (length, word) = bits::name(text.first_chunk()?);
        let rest = text.get(length..)?;
        (rest.first() == Some(&b'+') || rest.starts_with(b"%3E"))
            .then_some((word, begin.wrapping_add(length)))
    }

    /// Takes attributes that are written as most are, `+name%3D%22value%22`, and gives where something else begins.
    #[inline]
    fn plain_attributes(&mut self, mut at: usize, tag: &mut Tag) -> Result<usize, Stop> {
        while let Some((word, name, value)) = self.plain_attribute(at) {
            let begin = at.wrapping_add(1);
            let end = begin.wrapping_add(name);
            let value_begin = end.wrapping_add(2 * ESCAPE);
            let close = value_begin.wrapping_add(value);
            at = close.wrapping_add(ESCAPE);
            let name = Span::new(begin, end);
            if let Some(attribute) = Attribute::of_word(word, name.bytes(self.bytes)) {
                let written = Written {
                    name,
                    value: Span::new(value_begin, close),
                    whole: Span::new(begin, at),
                    is_suspect: None,
                };
                self.known_attribute(attribute, tag, &written)?;
            }
        }
        Ok(at)
    }

    /// The first word of an attribute's name, and the lengths of its name and of its value.
    #[inline]
    fn plain_attribute(&self, at: usize) -> Option<(Word, usize, usize)> {
        let (b'+', text) = self.bytes.get(at..)?.split_first()? else {
            return None;
        };
        let (length, word) = bits::name(text.first_chunk()?);
        let value = text.get(length..)?.strip_prefix(b"%3D%22")?;
        let value_length = bits::plain_value_length(value)?;
        // "=" ends no name of no characters, but begins one.
        (length > 0).then_some((word, length, value_length))
    }

    /// Where the name of a tag or an attribute ends that begins at `begin`.
    pub(super) fn name_end(&self, begin: usize) -> Result<usize, Stop> {
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
    pub(super) fn value(&mut self, at: usize, written: &mut Written) -> Result<usize, Stop> {
        let (quote, from) = octet_at(self.bytes, at).ok_or(Stop::End)?;
        if !matches!(quote, b'"' | b'\'') {
            return self.unquoted(at, written);
        }
        let wanted = match quote {
            b'"' => escapes::QUOTE,
            _ => escapes::APOSTROPHE,
        };
        let mut passed = 0;
        let close = self.rare_mark(from, wanted, &mut passed)?.at;
        let (_, end) = octet_at(self.bytes, close).ok_or(Stop::End)?;
        written.value = Span::new(from, close);
        written.whole.end = end;
        written.is_suspect = Some(passed & SUSPECT != 0);
        Ok(end)
    }

    pub(super) fn unquoted(&mut self, begin: usize, written: &mut Written) -> Result<usize, Stop> {
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
        written.is_suspect = Some(true);
        Ok(at)
    }

    /// Takes an attribute of a start tag.
    #[inline]
    pub(super) fn attribute(&mut self, tag: &mut Tag, written: &Written) -> Result<(), Stop> {
        let name = written.name.bytes(self.bytes);
        let Some(attribute) = Attribute::named(name) else {
            // "xlink:href" and "o:href", their colon escaped: the scanner knows.
            let is = |word: &[u8], first: u8| {
                name.len() == word.len() && name.first().is_some_and(|byte| byte | 0x20 == first)
            };
            if is(b"xlink%3Ahref", b'x') || is(b"o%3Ahref", b'o') {
                self.append_attribute(tag, written.whole);
            }
            return Ok(());
        };
        self.known_attribute(attribute, tag, written)
    }

    fn known_attribute(
        &mut self,
        attribute: Attribute,
        tag: &mut Tag,
        written: &Written,
    ) -> Result<(), Stop> {
        if tag.seen & attribute.bit() != 0 {
            return Ok(());
        }
        tag.seen |= attribute.bit();
        let wanted = match attribute {
            Attribute::Style => self.is_style_with_url(written),
            Attribute::HttpEquiv => tag.element == Element::Meta && self.may_refresh(written.value),
            Attribute::Content => {
                // Of no account but in a meta that refreshes, which may be said behind it.
                if tag.element == Element::Meta {
                    tag.content = Some(written.whole);
                }
                false
            }
            Attribute::Data => tag.element == Element::Object,
            Attribute::Type => false,
            // What depends on the element, or is a list, is left to the scanner.
            Attribute::Srcset
            | Attribute::Imagesrcset
            | Attribute::Ping
            | Attribute::Archive
            | Attribute::Profile
            | Attribute::Classid
            | Attribute::Code
            | Attribute::Itemprop
            | Attribute::Srcdoc => true,
            _ if tag.element == Element::Base => return Err(Stop::Odd),
            _ => match hosts::host(self.bytes, written.value) {
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

    fn is_style_with_url(&mut self, written: &Written) -> bool {
        let Span { start, end } = written.value;
        let is_suspect = match written.is_suspect {
            Some(is_suspect) => {
                is_suspect || memchr::memchr(b'(', written.value.bytes(self.bytes)).is_some()
            }
            None => bits::may_hold_url(self.bytes, start, end),
        };
        // What a character reference stands for is left to the scanner.
        is_suspect
            && (memchr::memmem::find(written.value.bytes(self.bytes), b"%26").is_some()
                || self.is_css_with_url(written.value))
    }

    /// Whether the value of `http-equiv` may be "refresh".
    fn may_refresh(&self, value: Span) -> bool {
        let first = value.bytes(self.bytes).first();
        !first.is_some_and(|first| first.is_ascii_alphabetic() && !b"rR".contains(first))
    }

    /// Appends an attribute to the digest, after those that were left out so far although they hold links.
    pub(super) fn append_attribute(&mut self, tag: &mut Tag, attribute: Span) {
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
}
