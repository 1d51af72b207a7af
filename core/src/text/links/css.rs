//! URLs in CSS, by the tokens of the CSS Syntax standard (level 3).

mod syntax;

use alloc::string::String;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::span::Span;
use super::work;
use syntax::{
    escape_end, is_escape, is_word, name_end, number_end, skip_space, starts_identifier,
    starts_name, starts_number, unescape,
};

/// Whether CSS may hold a URL: it calls something that could be `url()`, `src()`, `image-set()` or `AlphaImageLoader()`,
/// or has what could be `@import`. An escape could be any of it, and a NUL, which some readers leave out, could part it.
#[inline]
pub(super) fn may_hold_url(css: &[u8]) -> bool {
    work::count(css.len());
    let mut searched: usize = 0;
    while let Some(at) = css
        .get(searched..)
        .and_then(|tail| memchr3(b'(', b'@', b'\\', tail))
    {
        let at = searched.saturating_add(at);
        searched = at.saturating_add(1);
        let possible = match css.get(at) {
            Some(b'(') => {
                let before = |word: &[u8]| {
                    at.checked_sub(word.len())
                        .and_then(|begin| css.get(begin..at))
                        .is_some_and(|found| found.eq_ignore_ascii_case(word))
                };
                before(b"url")
                    || before(b"src")
                    || before(b"image-set")
                    || before(b"alphaimageloader")
            }
            Some(b'@') => css
                .get(searched)
                .is_some_and(|byte| byte.eq_ignore_ascii_case(&b'i')),
            _ => true,
        };
        if possible {
            return true;
        }
    }
    memchr(0, css).is_some()
}

/// Where a URL of CSS is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CssUrl {
    /// In the CSS as written.
    Verbatim(Span),
    /// In the buffer, its escapes resolved; the span is that of what is written.
    Unescaped(Span),
}

/// Which strings of a style sheet are URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strings {
    /// Those that stand where a URL is expected.
    Expected,
    /// All; and nothing else is handed out.
    All,
}

/// What the next string, but for white space and comments, is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Expected {
    #[default]
    Text,
    Url,
    Import,
}

/// A walk over the tokens of one style sheet or list of declarations.
#[derive(Clone, Debug, Default)]
pub(super) struct Css {
    position: usize,
    expected: Expected,
    /// Where the last URL without quotes ended.
    unquoted_to: usize,
    /// A second end of the URL that was handed out, which some readers take.
    second: Option<Span>,
    /// The URL of an `@import` that was handed out with its escapes resolved: what browsers load ahead has them as written.
    as_written: Option<Span>,
    /// In the prelude of `@namespace`, whose URL is a name: nobody loads it.
    namespace: bool,
    /// The URL that was handed out is a second reading of the one before.
    pub(super) is_second: bool,
    /// The URL that was handed out is that of an `@import`.
    pub(super) is_import: bool,
    /// There was an `AlphaImageLoader(src='x')`, behind which `src=` has a URL.
    has_loader: bool,
    /// There was an `image-set()`.
    pub(super) has_image_set: bool,
}

impl Css {
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// The next URL in `css`; `buffer` takes it where it has escapes.
    pub(super) fn next(
        &mut self,
        css: &str,
        strings: Strings,
        buffer: &mut String,
    ) -> Option<CssUrl> {
        loop {
            if let Some(span) = self.as_written.take() {
                self.is_second = true;
                return Some(CssUrl::Verbatim(span));
            }
            let begin = self.position;
            self.is_second = self.second.is_some();
            let url = match self.second.take() {
                Some(second) => Some((second, strings == Strings::Expected)),
                None => self.search(css, strings),
            };
            work::count(self.position.saturating_sub(begin));
            let (url, is_wanted) = url?;
            if is_wanted {
                let url = value(css, url, buffer);
                if let CssUrl::Unescaped(span) = url
                    && self.is_import
                {
                    self.as_written = Some(span);
                }
                return Some(url);
            }
        }
    }

    /// The next URL or string, and whether it is wanted.
    fn search(&mut self, css: &str, strings: Strings) -> Option<(Span, bool)> {
        let bytes = css.as_bytes();
        let is_usual = strings == Strings::Expected;
        loop {
            let begin = self.position;
            let byte = *bytes.get(begin)?;
            self.position = begin.saturating_add(1);
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' => continue,
                b'/' if bytes.get(self.position) == Some(&b'*') => {
                    let data = begin.saturating_add(2);
                    self.position = bytes
                        .get(data..)
                        .and_then(|tail| memmem::find(tail, b"*/"))
                        .map_or(bytes.len(), |length| {
                            data.saturating_add(length).saturating_add(2)
                        });
                    continue;
                }
                _ => {}
            }
            let expected = core::mem::take(&mut self.expected);
            self.is_import = expected == Expected::Import;
            match byte {
                b'"' | b'\'' => {
                    let string = self.string(bytes, byte);
                    // `url("a" "b")` has two.
                    if expected == Expected::Url {
                        self.expected = Expected::Url;
                    }
                    let is_wanted = (!is_usual || expected != Expected::Text) && !self.namespace;
                    if !is_wanted {
                        self.second = None;
                    }
                    return Some((string, is_wanted));
                }
                _ if self.is_import && !is_url_function(css, begin) => {
                    self.position = begin;
                    let end = self.unquoted(bytes, begin, b"", b"@(=");
                    return Some((Span::new(begin, end), is_usual && begin < end));
                }
                b';' | b'{' => self.namespace = false,
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
                b'<' if bytes.get(begin..begin.saturating_add(4)) == Some(b"<!--") => {
                    self.position = begin.saturating_add(4);
                }
                b'-' if bytes.get(begin..begin.saturating_add(3)) == Some(b"-->") => {
                    self.position = begin.saturating_add(3);
                }
                _ if starts_identifier(bytes, begin) => {
                    let name = Span::new(begin, name_end(bytes, begin));
                    self.position = name.end;
                    if let Some(url) = self.named(css, name) {
                        if self.namespace {
                            self.second = None;
                        }
                        return Some((url, is_usual && !self.namespace));
                    }
                }
                _ => {}
            }
        }
    }

    /// Reads on behind a name. An unquoted `url()` is one token, and so is what follows `src=`.
    fn named(&mut self, css: &str, name: Span) -> Option<Span> {
        let bytes = css.as_bytes();
        if bytes.get(name.end) != Some(&b'(') {
            let equals = skip_space(bytes, name.end);
            if !self.has_loader || bytes.get(equals) != Some(&b'=') || !is_word(css, name, "src") {
                return None;
            }
            let begin = skip_space(bytes, equals.saturating_add(1));
            self.position = begin;
            if matches!(bytes.get(begin), Some(b'"' | b'\'')) {
                self.expected = Expected::Url;
                return None;
            }
            let end = self.unquoted(bytes, begin, b",)", b",)(=@");
            return Some(Span::new(begin, end));
        }
        self.position = name.end.saturating_add(1);
        if is_word(css, name, "url") {
            return self.url(bytes);
        }
        if is_word(css, name, "src") {
            self.expected = Expected::Url;
        }
        self.has_loader |= is_word(css, name, "alphaimageloader");
        self.has_image_set |=
            is_word(css, name, "image-set") || is_word(css, name, "-webkit-image-set");
        None
    }

    /// Where a URL without quotes ends, also at one of `others`. What it holds is read as CSS, too: inside another such URL
    /// it ends where a third could begin.
    fn unquoted(&mut self, bytes: &[u8], begin: usize, others: &[u8], nested: &[u8]) -> usize {
        let is_nested = begin < self.unquoted_to;
        let end = unquoted_end(bytes, begin, if is_nested { nested } else { others });
        self.unquoted_to = self.unquoted_to.max(end);
        end
    }

    /// Reads what follows `url(`.
    fn url(&mut self, bytes: &[u8]) -> Option<Span> {
        let begin = skip_space(bytes, self.position);
        if matches!(bytes.get(begin), Some(b'"' | b'\'')) {
            self.position = begin;
            self.expected = match self.is_import {
                true => Expected::Import,
                false => Expected::Url,
            };
            return None;
        }
        // Where the URL is good up to.
        let mut good = None;
        let mut at = begin;
        loop {
            match bytes.get(at) {
                None | Some(b')') => break,
                Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c') => {
                    let end = skip_space(bytes, at);
                    if matches!(bytes.get(end), None | Some(b')')) {
                        good = good.or(Some(at));
                        at = end;
                        break;
                    }
                    good = good.or(Some(at));
                    self.second = Some(Span::default());
                    at = end;
                }
                Some(b'\\') if is_escape(bytes, at) => at = escape_end(bytes, at),
                Some(b'"' | b'\'' | b'(' | b'\\' | 1..=8 | 0x0b | 0x0e..=0x1f | 0x7f) => {
                    good = good.or(Some(at));
                    self.second = Some(Span::default());
                    at = at.saturating_add(1);
                }
                Some(_) => at = at.saturating_add(1),
            }
        }
        let at = at.min(bytes.len());
        self.position = at.saturating_add(1).min(bytes.len());
        if self.second.is_some() {
            self.second = Some(Span::new(begin, at));
        }
        Some(Span::new(begin, good.unwrap_or(at)))
    }

    /// Reads a string whose opening quote is read. A line break ends it, and it is bad then.
    fn string(&mut self, bytes: &[u8], quote: u8) -> Span {
        let begin = self.position;
        let mut at = begin;
        loop {
            match bytes.get(at) {
                None => {
                    self.position = at;
                    break;
                }
                Some(b'\n' | b'\r' | b'\x0c') => {
                    self.position = at;
                    return self.bad_string(bytes, Span::new(begin, at));
                }
                Some(byte) if *byte == quote => {
                    self.position = at.saturating_add(1);
                    break;
                }
                Some(b'\\') => {
                    at = match bytes.get(at.saturating_add(1)) {
                        Some(b'\r') if bytes.get(at.saturating_add(2)) == Some(&b'\n') => {
                            at.saturating_add(3)
                        }
                        Some(b'\n' | b'\r' | b'\x0c') => at.saturating_add(2),
                        _ => escape_end(bytes, at),
                    };
                }
                Some(_) => at = at.saturating_add(1),
            }
        }
        let end = at.min(bytes.len());
        self.position = self.position.min(bytes.len());
        Span::new(begin, end)
    }
}

impl Css {
    /// A string that a line break ends. Readers may take it to end at the first sign that could end a URL.
    fn bad_string(&mut self, bytes: &[u8], whole: Span) -> Span {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'();".contains(byte);
        match whole.bytes(bytes).iter().position(ends) {
            Some(length) => {
                self.second = Some(whole);
                Span::new(whole.start, whole.start.saturating_add(length))
            }
            None => whole,
        }
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

/// The end of a URL without quotes: white space, a semicolon, a quote, or one of `others`.
fn unquoted_end(bytes: &[u8], begin: usize, others: &[u8]) -> usize {
    let mut at = begin;
    loop {
        match bytes.get(at) {
            None | Some(b';' | b'"' | b'\'') => return at.min(bytes.len()),
            Some(byte) if byte.is_ascii_whitespace() || others.contains(byte) => return at,
            Some(b'\\') if is_escape(bytes, at) => at = escape_end(bytes, at),
            Some(_) => at = at.saturating_add(1),
        }
    }
}

fn value(css: &str, span: Span, buffer: &mut String) -> CssUrl {
    if memchr2(b'\\', 0, span.bytes(css.as_bytes())).is_none() {
        return CssUrl::Verbatim(span);
    }
    buffer.clear();
    unescape(span.of(css), buffer);
    CssUrl::Unescaped(span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn urls(css: &str) -> Vec<String> {
        let mut scan = Css::default();
        let mut buffer = String::new();
        let mut urls = Vec::new();
        while let Some(url) = scan.next(css, Strings::Expected, &mut buffer) {
            urls.push(match url {
                CssUrl::Verbatim(span) => span.of(css).into(),
                CssUrl::Unescaped(_) => buffer.clone(),
            });
        }
        assert!(urls.is_empty() || may_hold_url(css.as_bytes()), "{css}");
        urls
    }

    #[test]
    fn urls_are_found_in_every_spelling() {
        for (css, expected) in [
            ("a{b:url(x)}", &["x"][..]),
            ("a{b:URL( 'x' )}", &["x"]),
            ("a{b:u\\72 l(x)}", &["x"]),
            ("a{b:\\75\\72\\6c(\\2f/a\\.b)}", &["//a.b"]),
            ("a{b:url(\"x\\\ny\")}", &["xy"]),
            ("a{b:url(x", &["x"]),
            ("a{b:url('x", &["x"]),
            ("a{b:url( x ) url(y)}", &["x", "y"]),
            ("a{b:src('x')}", &["x"]),
            ("a{b:image-set('x' 1x, url(y) 2x)}", &["y"]),
            ("@import x;@import a\\62 c'd'", &["x", "abc", "a\\62 c"]),
            ("a{filter:AlphaImageLoader(src='x',sizingMethod=y)}", &["x"]),
            ("a{filter:AlphaImageLoader( SRC = x ,y)}", &["x"]),
            ("@import '//x\n;", &["//x"]),
            ("a{b:url(x y)}", &["x", "x y"]),
            ("a{b:url(x'y)}", &["x", "x'y"]),
            ("@import url(x\"y);", &["x", "x\"y"]),
            ("@namespace svg url(x);url(y)", &["y"]),
            ("@namespace 'x';@import 'y'", &["y"]),
            ("a{b:url('x' 'y')}", &["x", "y"]),
            ("a{b:url('//x y\nz)}", &["//x", "//x y"]),
            ("@import url/**/;'x'", &["url/**/"]),
            ("a{b:-webkit-image-set(url(x) 1x)}", &["x"]),
            ("@import 'x';", &["x"]),
            ("@IMPORT/**/url(x) screen;", &["x"]),
            ("@im\\70ort\"x\";", &["x"]),
            ("<!--@import 'x';-->", &["x"]),
            ("<!--url(x)-->url(y)", &["x", "y"]),
            ("/*url(x)*/url(y)/*", &["y"]),
            ("a{b:url(//a/*b*/)}", &["//a/*b*/"]),
            ("a{b:1px url(x)}", &["x"]),
            ("a{b:'c\nurl(x)}", &["x"]),
            ("@namespace n{}a{b:url(x)}", &["x"]),
            (
                "a{b:url('x\\\r\ny') url('x\\\ry') url('x\\\x0cy')}",
                &["xy", "xy", "xy"],
            ),
            ("a{b:src('n\r'x')}", &["n", "x"]),
            (
                "a{b:url(\\6a\r\nx) url(\\6a\x0cx) url(\\6a\tx)}",
                &["jx", "jx", "jx"],
            ),
            ("a{b:url(\\00006ax)}", &["jx"]),
            ("a{b:url(\\1f600x)}", &["\u{1f600}x"]),
            (
                "a{b:url(\\0 x) url(\\d800 x) url(\\110000 x)}",
                &["\u{fffd}x"; 3],
            ),
            (
                "a{b:url(x\0y) url('\0') url(\\\0)}",
                &["x\u{fffd}y", "\u{fffd}", "\u{fffd}"],
            ),
            ("a{b:url(\\\u{e9}x) \\u\\rl(y)}", &["\u{e9}x", "y"]),
            ("\\000075\r\n\\000072\r\n\\00006c\r\n(x)", &["x"]),
            ("url(n/\\\n)url(x)", &["n/", "n/", "x"]),
            ("#\\\rurl(x) \\\rurl(y)", &["x", "y"]),
        ] {
            assert_eq!(urls(css), expected, "{css}");
        }
    }

    #[test]
    fn what_is_no_url_is_left_alone() {
        for css in [
            "a{b:'x'}",
            "a{b:rgb(1,2,3)}",
            "a{b:1url(x)}",
            "#url(x){}",
            "@url(x)",
            "a{b:--url(x)}",
            "a{b:myurl(x)}",
            "a{b:url (x)}",
            "/*url(x)",
            "@charset 'x';",
            "a{b:type('x')}",
            "[src='x']{}[src=x]{}",
            "a{b:'x\n}",
        ] {
            assert_eq!(urls(css), Vec::<String>::new(), "{css}");
        }
    }

    #[test]
    fn most_css_is_seen_at_once_to_hold_no_url() {
        for css in [
            "",
            "a{color:#333;margin:0 auto}",
            "@media print{a{b:rgb(1,2,3)}}",
            "a{b:calc(1px + (2px))}",
            "@",
            "(",
            "curl",
        ] {
            assert!(!may_hold_url(css.as_bytes()), "{css}");
        }
    }
}
