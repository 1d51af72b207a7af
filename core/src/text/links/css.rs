//! URLs in CSS, by the tokens of the CSS Syntax standard (level 3).

mod syntax;
mod tokens;

use alloc::string::String;

use memchr::{memchr, memchr2, memchr3_iter, memmem};

use super::span::{Span, ends_word, has_word, skip_space};
use super::work;
use syntax::{
    is_word, name_end, number_end, starts_identifier, starts_name, starts_number, unescape,
};

/// Whether CSS may hold a URL: it calls something that could be `url()`, `src()`, `image-set()` or `AlphaImageLoader()`, or
/// has what could be `@import`. An escape could spell any of these, and a NUL, which some readers leave out, could split
/// it.
#[inline]
pub(super) fn may_hold_url(css: &[u8]) -> bool {
    work::count(css.len());
    let functions: [&[u8]; 4] = [b"url", b"src", b"image-set", b"alphaimageloader"];
    let is_possible = |at: usize| match css.get(at) {
        Some(b'(') => functions.iter().any(|word| ends_word(css, at, word)),
        Some(b'@') => has_word(css, at + 1, b"i"),
        _ => true,
    };
    memchr3_iter(b'(', b'@', b'\\', css).any(is_possible) || memchr(0, css).is_some()
}

/// The strings of a style sheet that are URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Strings {
    /// The strings in positions where a URL is expected.
    #[default]
    Expected,
    /// The other strings. Nothing else is handed out.
    Others,
}

/// What is expected next, apart from white space and comments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expected {
    /// Anything. A string is text.
    #[default]
    Text,
    /// The `=` after the `src` of an `AlphaImageLoader`.
    Equals,
    /// The value of that `src`, in quotes or not.
    Source,
    /// A string that is a URL. All strings up to the closing bracket are URLs, too.
    Urls,
    /// The URL of an `@import`, in quotes or not.
    Import,
}

/// A walk over the tokens of one style sheet or list of declarations.
#[derive(Clone, Debug, Default)]
pub(super) struct Css {
    position: usize,
    expected: Expected,
    /// The furthest end of a URL without quotes.
    unquoted_to: usize,
    /// A token that the standard calls bad, the end of its first reading, and the number of its next other reading.
    bad: Option<(Span, usize, usize)>,
    /// The URL of an `@import` or of a `url()` without quotes that was handed out with its escapes resolved. It is handed
    /// out again as written, because some readers do not resolve escapes there.
    as_written: Option<Span>,
    /// Whether this is the prelude of `@namespace`, whose URL is a name that nobody loads.
    namespace: bool,
    /// Whether the URL that was handed out is in the buffer, because it is read otherwise than it is written.
    pub(super) is_in_buffer: bool,
    /// Whether the URL that was handed out is another reading of the one before.
    pub(super) is_second: bool,
    /// Whether the URL that was handed out is that of an `@import`.
    pub(super) is_import: bool,
    /// Whether the last URL is that of a `url()` without quotes.
    is_unquoted: bool,
    /// Whether there was an `AlphaImageLoader(src='x')`, after which `src=` has a URL.
    has_loader: bool,
    /// Whether there was an `image-set()`.
    pub(super) has_image_set: bool,
}

impl Css {
    /// The next URL in `css`, as it is written.
    pub(super) fn next(
        &mut self,
        css: &str,
        strings: Strings,
        buffer: &mut String,
    ) -> Option<Span> {
        let bytes = css.as_bytes();
        loop {
            if let Some(span) = self.as_written.take() {
                self.is_second = true;
                let written = span.of(css);
                // In CSS a form feed is a line break, which is not a part of a URL.
                self.is_in_buffer = written.contains('\x0c');
                if self.is_in_buffer {
                    buffer.clear();
                    buffer.extend(written.split('\x0c'));
                }
                return Some(span);
            }
            let begin = self.position;
            let other = self.other_reading(bytes);
            self.is_second = other.is_some();
            let url = match other {
                Some(other) => Some((other, true)),
                None => self.search(css, strings),
            };
            work::count(self.position - begin);
            let (url, is_wanted) = url?;
            if is_wanted {
                let written = url.bytes(bytes);
                self.is_in_buffer = memchr2(b'\\', 0, written).is_some();
                if self.is_in_buffer {
                    buffer.clear();
                    unescape(url.of(css), buffer);
                }
                if (self.is_import || self.is_unquoted) && memchr(b'\\', written).is_some() {
                    self.as_written = Some(url);
                }
                return Some(url);
            }
            self.bad = None;
        }
    }

    /// The next URL or string, and whether it is wanted.
    fn search(&mut self, css: &str, strings: Strings) -> Option<(Span, bool)> {
        let bytes = css.as_bytes();
        let is_usual = strings == Strings::Expected;
        loop {
            let begin = self.position;
            let byte = *bytes.get(begin)?;
            self.position = begin + 1;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => continue,
                b'/' if bytes.get(self.position) == Some(&b'*') => {
                    let data = begin + 2;
                    self.position = bytes
                        .get(data..)
                        .and_then(|tail| memmem::find(tail, b"*/"))
                        .map_or(bytes.len(), |length| data + length + 2);
                    continue;
                }
                _ => {}
            }
            let expected = match core::mem::take(&mut self.expected) {
                Expected::Equals if byte == b'=' => {
                    self.expected = Expected::Source;
                    continue;
                }
                Expected::Equals => Expected::Text,
                expected => expected,
            };
            self.is_import = expected == Expected::Import;
            // `url("a" "b")` has two URLs.
            if expected == Expected::Urls && !b"()[{".contains(&byte) {
                self.expected = expected;
            }
            self.is_unquoted = false;
            match byte {
                b'"' | b'\'' => {
                    let string = self.string(bytes, byte);
                    let is_wanted = is_usual == (expected != Expected::Text) && !self.namespace;
                    return Some((string, is_wanted));
                }
                _ if self.is_import && !is_url_function(css, begin) => {
                    self.position = begin;
                    let end = self.unquoted(bytes, begin, b"", b"@(=");
                    return Some((Span::new(begin, end), is_usual && begin < end));
                }
                _ if expected == Expected::Source => {
                    self.position = begin;
                    let end = self.unquoted(bytes, begin, b",)", b",)(=@");
                    return Some((Span::new(begin, end), is_usual && !self.namespace));
                }
                b';' | b'{' | b'}' | b']' => self.namespace = false,
                b'#' if starts_name(bytes, self.position) => {
                    self.position = name_end(bytes, self.position)
                }
                b'@' if starts_identifier(bytes, self.position) => {
                    let name = Span::new(self.position, name_end(bytes, self.position));
                    self.position = name.end;
                    if is_word(css, name, "import") {
                        self.expected = Expected::Import;
                    }
                    self.namespace = is_word(css, name, "namespace");
                }
                b'0'..=b'9' | b'+' | b'-' | b'.' if starts_number(bytes, begin) => {
                    self.position = number_end(bytes, begin);
                    if starts_identifier(bytes, self.position) {
                        self.position = name_end(bytes, self.position);
                    }
                }
                b'<' if bytes.get(begin..begin + 4) == Some(b"<!--") => {
                    self.position = begin + 4;
                }
                b'-' if bytes.get(begin..begin + 3) == Some(b"-->") => {
                    self.position = begin + 3;
                }
                _ if starts_identifier(bytes, begin) => {
                    let name = Span::new(begin, name_end(bytes, begin));
                    self.position = name.end;
                    if let Some(url) = self.named(css, name) {
                        return Some((url, is_usual && !self.namespace));
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads what follows a name. An unquoted `url()` is one token.
    fn named(&mut self, css: &str, name: Span) -> Option<Span> {
        let bytes = css.as_bytes();
        if bytes.get(name.end) != Some(&b'(') {
            if self.has_loader && self.expected == Expected::Text && is_word(css, name, "src") {
                self.expected = Expected::Equals;
            }
            return None;
        }
        self.position = name.end + 1;
        self.expected = Expected::Text;
        if is_word(css, name, "url") {
            return self.url(bytes);
        }
        if is_word(css, name, "src") {
            self.expected = Expected::Urls;
        }
        self.has_loader |= is_word(css, name, "alphaimageloader");
        self.has_image_set |=
            is_word(css, name, "image-set") || is_word(css, name, "-webkit-image-set");
        None
    }
}

/// Whether a function that takes a URL begins here.
fn is_url_function(css: &str, begin: usize) -> bool {
    let bytes = css.as_bytes();
    let name = Span::new(begin, name_end(bytes, begin));
    starts_identifier(bytes, begin)
        && bytes.get(name.end) == Some(&b'(')
        && (is_word(css, name, "url") || is_word(css, name, "src"))
}

#[cfg(test)]
mod tests;
