//! URLs in CSS, by the tokens of the CSS Syntax standard (level 3).

mod syntax;

use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr3, memmem};

use super::span::Span;
use super::work;
use syntax::{
    escape_end, is_escape, is_word, name_end, number_end, skip_space, starts_identifier,
    starts_name, starts_number, unescape,
};

/// Whether CSS may hold a URL: it calls something that could be `url()`, `src()` or `image-set()`, or has what could be
/// `@import`. An escape could be any of it.
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
                before(b"url") || before(b"src") || before(b"image-set")
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
    false
}

/// Where a URL of CSS is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CssUrl {
    /// In the CSS as written.
    Verbatim(Span),
    /// In the buffer, its escapes resolved; the span is that of what is written.
    Unescaped(Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    /// `url(` and `src(`: strings are URLs.
    Url,
    /// `image-set(`: strings are URLs.
    ImageSet,
    /// Another function, or a parenthesis.
    Other,
    /// A square bracket.
    Square,
    /// A curly bracket.
    Curly,
}

/// A walk over the tokens of one style sheet or list of declarations.
#[derive(Clone, Debug, Default)]
pub(super) struct Css {
    position: usize,
    /// The functions and brackets that are open.
    open: Vec<Open>,
    /// The last token but white space and comments was `@import`.
    import: bool,
    /// In the prelude of `@namespace`, whose URL is a name.
    namespace: bool,
}

impl Css {
    pub(super) fn restart(&mut self) {
        self.position = 0;
        self.open.clear();
        self.import = false;
        self.namespace = false;
    }

    /// The next URL in `css`; `buffer` takes it where it has escapes.
    pub(super) fn next(&mut self, css: &str, buffer: &mut String) -> Option<CssUrl> {
        let begin = self.position;
        let url = self.search(css, buffer);
        work::count(self.position.saturating_sub(begin));
        url
    }

    fn search(&mut self, css: &str, buffer: &mut String) -> Option<CssUrl> {
        let bytes = css.as_bytes();
        loop {
            let begin = self.position;
            let byte = *bytes.get(begin)?;
            self.position = begin.saturating_add(1);
            let import = self.import;
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
                b'"' | b'\'' => {
                    let found = self.string(css, byte, buffer);
                    let wanted =
                        import || matches!(self.open.last(), Some(Open::Url | Open::ImageSet));
                    self.import = false;
                    if wanted
                        && !self.namespace
                        && let Some(url) = found
                    {
                        return Some(url);
                    }
                    continue;
                }
                b'(' => self.open.push(Open::Other),
                b'[' => self.open.push(Open::Square),
                b'{' => {
                    self.namespace = false;
                    self.open.push(Open::Curly);
                }
                // A bracket that closes nothing is left alone.
                b')' => drop(
                    self.open
                        .pop_if(|open| !matches!(open, Open::Square | Open::Curly)),
                ),
                b']' => drop(self.open.pop_if(|open| *open == Open::Square)),
                b'}' => drop(self.open.pop_if(|open| *open == Open::Curly)),
                b';' => self.namespace = false,
                b'#' if starts_name(bytes, self.position) => {
                    self.position = name_end(bytes, self.position)
                }
                b'@' if starts_identifier(bytes, self.position) => {
                    let name = Span::new(self.position, name_end(bytes, self.position));
                    self.position = name.end;
                    self.namespace = is_word(css, name, "namespace");
                    self.import = is_word(css, name, "import");
                    continue;
                }
                b'<' if bytes.get(begin..begin.saturating_add(4)) == Some(b"<!--") => {
                    self.position = begin.saturating_add(4);
                }
                b'-' if bytes.get(begin..begin.saturating_add(3)) == Some(b"-->") => {
                    self.position = begin.saturating_add(3);
                }
                b'0'..=b'9' | b'+' | b'-' | b'.' if starts_number(bytes, begin) => {
                    self.position = number_end(bytes, begin);
                    if starts_identifier(bytes, self.position) {
                        self.position = name_end(bytes, self.position);
                    }
                }
                _ if starts_identifier(bytes, begin) => {
                    let name = Span::new(begin, name_end(bytes, begin));
                    self.position = name.end;
                    if bytes.get(name.end) == Some(&b'(') {
                        self.position = name.end.saturating_add(1);
                        let url = self.function(css, name, buffer);
                        self.import = false;
                        if let Some(url) = url
                            && !self.namespace
                        {
                            return Some(url);
                        }
                        continue;
                    }
                }
                _ => {}
            }
            self.import = false;
        }
    }

    /// Reads what follows the parenthesis of a function; an unquoted `url()` is one token.
    fn function(&mut self, css: &str, name: Span, buffer: &mut String) -> Option<CssUrl> {
        if !is_word(css, name, "url") {
            self.open.push(if is_word(css, name, "src") {
                Open::Url
            } else if is_word(css, name, "image-set") || is_word(css, name, "-webkit-image-set") {
                Open::ImageSet
            } else {
                Open::Other
            });
            return None;
        }
        let bytes = css.as_bytes();
        let begin = skip_space(bytes, self.position);
        if matches!(bytes.get(begin), Some(b'"' | b'\'')) {
            self.position = begin;
            self.open.push(Open::Url);
            return None;
        }
        let mut at = begin;
        let mut escaped = false;
        loop {
            match bytes.get(at) {
                None | Some(b')') => {
                    self.position = at.saturating_add(1).min(bytes.len());
                    return Some(value(css, Span::new(begin, at), escaped, buffer));
                }
                Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c') => {
                    let end = skip_space(bytes, at);
                    if matches!(bytes.get(end), None | Some(b')')) {
                        self.position = end.saturating_add(1).min(bytes.len());
                        return Some(value(css, Span::new(begin, at), escaped, buffer));
                    }
                    at = end;
                    break;
                }
                Some(b'"' | b'\'' | b'(' | 1..=8 | 0x0b | 0x0e..=0x1f | 0x7f) => break,
                Some(b'\\') => {
                    if !is_escape(bytes, at) {
                        break;
                    }
                    escaped = true;
                    at = escape_end(bytes, at);
                }
                Some(byte) => {
                    escaped |= *byte == 0;
                    at = at.saturating_add(1);
                }
            }
        }
        // The remnants of a bad URL.
        loop {
            match bytes.get(at) {
                None => break,
                Some(b')') => {
                    at = at.saturating_add(1);
                    break;
                }
                Some(b'\\') if is_escape(bytes, at) => at = escape_end(bytes, at),
                Some(_) => at = at.saturating_add(1),
            }
        }
        self.position = at;
        None
    }

    /// Reads a string whose opening quote is read. A line break ends it, and it is no string then.
    fn string(&mut self, css: &str, quote: u8, buffer: &mut String) -> Option<CssUrl> {
        let bytes = css.as_bytes();
        let begin = self.position;
        let mut at = begin;
        let mut escaped = false;
        loop {
            match bytes.get(at) {
                None => break,
                Some(byte) if *byte == quote => break,
                Some(b'\n' | b'\r' | b'\x0c') => {
                    self.position = at;
                    return None;
                }
                Some(b'\\') => {
                    escaped = true;
                    at = match bytes.get(at.saturating_add(1)) {
                        Some(b'\r') if bytes.get(at.saturating_add(2)) == Some(&b'\n') => {
                            at.saturating_add(3)
                        }
                        Some(b'\n' | b'\r' | b'\x0c') => at.saturating_add(2),
                        _ => escape_end(bytes, at),
                    };
                }
                Some(byte) => {
                    escaped |= *byte == 0;
                    at = at.saturating_add(1);
                }
            }
        }
        let end = at.min(bytes.len());
        self.position = at.saturating_add(1).min(bytes.len());
        Some(value(css, Span::new(begin, end), escaped, buffer))
    }
}

fn value(css: &str, span: Span, escaped: bool, buffer: &mut String) -> CssUrl {
    if !escaped {
        return CssUrl::Verbatim(span);
    }
    buffer.clear();
    unescape(span.of(css), buffer);
    CssUrl::Unescaped(span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(css: &str) -> Vec<String> {
        let mut scan = Css::default();
        let mut buffer = String::new();
        let mut urls = Vec::new();
        while let Some(url) = scan.next(css, &mut buffer) {
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
            (
                "a{b:image-set('x' 1x type('image/png'), url(y) 2x)}",
                &["x", "y"],
            ),
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
            ("a{b:image-set({'n'} 'x')}", &["x"]),
            (
                "a{b:url('x\\\r\ny') url('x\\\ry') url('x\\\x0cy')}",
                &["xy", "xy", "xy"],
            ),
            ("a{b:src('n\r'x')}", &["x"]),
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
            ("url(n/\\\n)url(x)", &["x"]),
            ("url(n\\\r)url(x)", &["x"]),
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
            "@namespace 'x';",
            "@namespace svg url(x);",
            "a{b:1url(x)}",
            "#url(x){}",
            "@url(x)",
            "a{b:--url(x)}",
            "a{b:myurl(x)}",
            "a{b:url(x y)}",
            "a{b:url(x'y)}",
            "a{b:url (x)}",
            "/*url(x)",
            "@charset 'x';",
            "@import url/**/;'x'",
            "a{b:type('x')}",
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
