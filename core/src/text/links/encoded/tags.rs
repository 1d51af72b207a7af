//! Tags, their attributes, and the hosts that are plain to see in them.

use super::super::attribute::Attribute;
use super::super::element::Element;
use super::super::span::Span;
use super::super::words::Word;
use super::hosts::Quick;
use super::{
    ESCAPE, Found, RECENT, Stop, Tag, Walk, Written, bits, escapes, hosts, octet_at, skip_space,
};
use crate::text::form::escaped_octet;

impl<F: FnMut(Found<'_>) -> bool> Walk<'_, '_, F> {
    #[inline]
    pub(super) fn start_tag(&mut self, begin: usize) -> Result<usize, Stop> {
        let mut tag = Tag {
            name: Span::new(begin, begin),
            element: Element::Ordinary,
            content: None,
            in_digest: false,
        };
        let Ok(at) = self.tag(begin, Some(&mut tag)) else {
            // A tag that the document does not finish is left to the scanner, too.
            return Err(Stop::Odd);
        };
        if tag.in_digest {
            if let Some(content) = tag.content {
                self.append_attribute(&mut tag, content);
            }
            self.buffers.digest.push(b'>');
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
        let plain = self.plain_name(begin);
        let mut at = match plain {
            Some((_, end)) => end,
            None => self.name_end(begin)?,
        };
        if let Some(tag) = &mut start {
            tag.name = Span::new(begin, at);
            let name = tag.name.bytes(self.bytes);
            tag.element = match plain {
                Some((word, _)) => Element::of_word(word, name),
                None => Element::named(name),
            };
            // They change how what follows is read, in ways that are left to the scanner.
            if matches!(
                tag.element,
                Element::Tree
                    | Element::Noscript
                    | Element::Script
                    | Element::Iframe
                    | Element::Visible
                    | Element::Plaintext
            ) {
                return Err(Stop::Odd);
            }
        }
        loop {
            if let Some(tag) = &mut start {
                at = self.plain_attributes(at, tag)?;
                if self.begins(at, b"%3E") {
                    return Ok(at.wrapping_add(ESCAPE));
                }
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
                    is_plain: true,
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
                b'%' => match escaped_octet(self.bytes, at) {
                    Some(b'=' | b'>' | b'/' | b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
                        if at > begin =>
                    {
                        return Ok(at);
                    }
                    Some(b':') => at = at.saturating_add(ESCAPE),
                    _ => return Err(Stop::Odd),
                },
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
        let close = self.rare_mark(from, wanted)?.at;
        let (_, end) = octet_at(self.bytes, close).ok_or(Stop::End)?;
        written.value = Span::new(from, close);
        written.whole.end = end;
        Ok(end)
    }

    pub(super) fn unquoted(&mut self, begin: usize, written: &mut Written) -> Result<usize, Stop> {
        let mut at = begin;
        loop {
            let (octet, end) = octet_at(self.bytes, at).ok_or(Stop::End)?;
            match octet {
                b'>' | b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => break,
                b'%' if end == at.saturating_add(1) => return Err(Stop::Odd),
                // To some readers it ends the value.
                0x0b => return Err(Stop::Odd),
                0x80.. => at = self.characters(at)?,
                _ => at = end,
            }
        }
        written.value = Span::new(begin, at);
        written.whole.end = at.max(written.name.end);
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
        let wanted = match attribute {
            Attribute::Style => self.is_style_with_url(written),
            Attribute::HttpEquiv => tag.element == Element::Meta && self.may_refresh(written.value),
            Attribute::Content => {
                // Of no account but in a meta that refreshes, which may be said behind it.
                if tag.element == Element::Meta && tag.content.replace(written.whole).is_some() {
                    return Err(Stop::Odd);
                }
                false
            }
            Attribute::Data => tag.element == Element::Object,
            Attribute::Type => false,
            Attribute::Rel => tag.element == Element::Link,
            Attribute::Charset => tag.element != Element::Meta,
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
                    self.hand_out(host)?;
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
        let may_hold_url = !written.is_plain || bits::may_hold_url(self.bytes, start, end);
        // What a character reference stands for is left to the scanner.
        may_hold_url
            && (memchr::memmem::find(written.value.bytes(self.bytes), b"%26").is_some()
                || self.is_css_with_url(written.value))
    }

    /// Whether the value of `http-equiv` may be "refresh".
    fn may_refresh(&self, value: Span) -> bool {
        let first = value.bytes(self.bytes).first();
        !first.is_some_and(|first| first.is_ascii_alphabetic() && !b"rR".contains(first))
    }

    /// Appends an attribute to the digest, and before the first of a tag what the tag begins with.
    pub(super) fn append_attribute(&mut self, tag: &mut Tag, attribute: Span) {
        if !tag.in_digest {
            tag.in_digest = true;
            self.append_between(b"<", tag.name, b"");
        }
        self.append_between(b" ", attribute, b"");
    }
}
