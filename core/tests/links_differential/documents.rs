//! Generated documents of HTML: tags, texts, markup and CSS, with a different host in each place.

/// A generator of numbers that are the same in every run (xorshift).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub(super) fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const TAGS: &[&str] = &[
    "a",
    "b",
    "i",
    "p",
    "div",
    "span",
    "table",
    "tr",
    "td",
    "tbody",
    "ul",
    "li",
    "font",
    "nobr",
    "form",
    "h1",
    "pre",
    "select",
    "option",
    "svg",
    "svg",
    "math",
    "math",
    "mi",
    "mtext",
    "annotation-xml",
    "foreignobject",
    "desc",
    "title",
    "style",
    "script",
    "textarea",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "template",
    "template",
    "frameset",
    "frame",
    "head",
    "body",
    "html",
    "button",
    "object",
    "caption",
    "colgroup",
    "col",
    "img",
    "br",
    "input",
    "svg:a",
    "image",
    "base",
    "meta",
    "link",
    "v:fill",
    "mglyph",
    "plaintext",
    "dd",
    "ruby",
    "rt",
    "marquee",
    "em",
    "style",
    "style",
    "unknown",
    "section",
    "th",
    "tfoot",
];

const URLS: &[&str] = &[
    "https://H/x",
    "http://H",
    "//H/a",
    "\\\\H\\a",
    "https:H",
    "http:/H/",
    "HTTPS://U@H:80/",
    "ht\ntp://H",
    " https://H ",
    "https&colon;//H",
    "https:&sol;/H",
    "&#104;ttps://H",
    "https://H&amp;x",
    "mailto:a@H",
    "mailto:?cc=a%40H&amp;x=y",
    "H/x",
    "H",
    "%77ww.H/x",
    "x.html",
    "#x",
    "/x",
    "{{url}}",
    "https://%48/",
    "data:text/html,&lt;a href=//H>",
    "data:text/html;base64,PGEgaHJlZj0vL2Jhc2U2NC5leGFtcGxlPg==",
    "javascript:x",
    "tel:1",
    "http://[::1]/",
    "http://0x7f.1",
    "https://xn--bcher-kva.H",
    "https://b\u{fc}cher.H",
    "https://H..",
    "https://H.",
    "wss://H",
    "ftp:H",
    "https://",
    "www.H",
    "0;url=//H",
    "//H/a 1x, https://I 2x",
    "http://H,http://I",
    "http://H\0x",
    "https://a b",
    "cid:x",
];

const CSS: &[&str] = &[
    "url(//H)",
    "url('//H')",
    "u\\72l( \"//H\" )",
    "@import '//H';",
    "@import url(//H);",
    "image-set('//H' 1x)",
    "src('//H')",
    "/* url(//H) */",
    "/*",
    "'",
    "\"",
    "a{b:",
    "}",
    "color:red;",
    "rgb(1,2,3)",
    "@namespace url(//H);",
    "\\",
    "\n",
    "(",
    ")",
    "-webkit-image-set(url(//H) 1x)",
    "1url(//H)",
    "<!--",
    "-->",
    "url(//H x)",
    "url(",
    ";",
    "image-set(type('//H'))",
    "[",
    "]",
    "u\\000072l(//H)",
    "#a",
    "1e3",
    "--x",
    "@im\\70ort'//H'",
];

const TEXT: &[&str] = &[
    "http://H",
    "https://H/x.",
    "www.H",
    "(www.H)",
    "x",
    " ",
    "\n",
    "&amp;",
    "&nbsp;",
    "http&colon;//H",
    "www&period;H",
    "&#119;ww.H",
    "w\0ww.H",
    "xhttp://H",
    "http://H,www.I",
    "http://[::1]",
    "\0",
    "\u{e9}",
    "http://H?www.I",
    "'",
    "\"",
    "&",
    "&lt",
    ".",
    ":",
    "//H",
    "-",
    "@",
    "www.",
    "www.H&nbsp;",
    "</>",
    "&#46;",
    "&copy",
    "\u{3002}",
    "http://H\u{3002}",
];

const MARKUP: &[&str] = &[
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "<!---",
    "<![CDATA[",
    "]]>",
    "<!doctype html>",
    "<!x>",
    "<?x>",
    "</ x>",
    "</>",
    "<",
    ">",
    "/>",
    "=",
    "\"",
    "'",
    "<!--[if mso]>",
    "<![endif]-->",
    "<!--[if !mso]><!-->",
    "<!--<![endif]-->",
    "<!",
    "</",
    "<script>",
    "</script>",
    "<!--<script>",
    "</style>",
    "</title>",
    "</textarea>",
    "</svg>",
    "</math>",
    "</p>",
    "</br>",
    "</template>",
    "</table>",
    "</select>",
    "<svg/>",
    "<noscript>",
    "<noscript><!--</noscript>-->",
    "<!--[if x]>",
    "<select>",
    "<svg><style>",
    "<math><annotation-xml encoding=text/html>",
    "</iframe>",
    "</xmp>",
    "</noscript>",
    "<font color=x>",
    "<svg><title>",
    "<svg><desc>",
    "\0",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"x.dtd\">",
];

const ATTRIBUTES: &[&str] = &[
    "href",
    "src",
    "HREF",
    "xlink:href",
    "srcset",
    "background",
    "action",
    "formaction",
    "poster",
    "data",
    "codebase",
    "cite",
    "longdesc",
    "ping",
    "lowsrc",
    "dynsrc",
    "data-saferedirecturl",
    "imagesrcset",
    "alt",
    "title",
    "xmlns",
    "value",
    "content",
    "http-equiv=refresh content",
    "http-equiv='Refresh' content",
];

/// Writes one piece of a document. `count` numbers the hosts.
pub(super) fn piece(numbers: &mut Numbers, out: &mut String, count: &mut usize) {
    let begin = out.len();
    match numbers.below(12) {
        0..=3 => {
            out.push('<');
            out.push_str(numbers.one_of(TAGS));
            for _ in 0..numbers.below(3) {
                attribute(numbers, out);
            }
            out.push_str(numbers.one_of(&[">", ">", ">", ">", "/>", " />", "", " "]));
        }
        4..=5 => {
            out.push_str("</");
            out.push_str(numbers.one_of(TAGS));
            out.push_str(numbers.one_of(&[">", ">", ">", " x='>'>", ""]));
        }
        6..=7 => {
            for _ in 0..1 + numbers.below(3) {
                out.push_str(numbers.one_of(TEXT));
            }
        }
        8 => {
            for _ in 0..1 + numbers.below(3) {
                out.push_str(numbers.one_of(MARKUP));
            }
        }
        9 => {
            out.push_str("<style>");
            for _ in 0..1 + numbers.below(5) {
                out.push_str(numbers.one_of(CSS));
            }
            out.push_str("</style>");
        }
        10 => {
            out.push_str("<iframe srcdoc=\"");
            let mut inner = String::new();
            piece(numbers, &mut inner, count);
            out.push_str(&inner.replace('"', "&quot;"));
            out.push_str("\"></iframe>");
        }
        _ => {
            out.push_str("<svg><");
            out.push_str(numbers.one_of(&[
                "style",
                "title",
                "desc",
                "script",
                "a",
                "foreignobject",
            ]));
            out.push('>');
            for _ in 0..1 + numbers.below(3) {
                out.push_str(numbers.one_of(CSS));
                out.push_str(numbers.one_of(MARKUP));
            }
        }
    }
    // Every place has a different host, so that one that is found does not hide one that is missed.
    while let Some(at) = out[begin..].find(['H', 'I']) {
        *count += 1;
        out.replace_range(begin + at..begin + at + 1, &format!("h{count}.example"));
    }
}

fn attribute(numbers: &mut Numbers, out: &mut String) {
    out.push_str(numbers.one_of(&[" ", " ", "\n", "/", ""]));
    let quote = numbers.one_of(&["\"", "'", ""]);
    match numbers.below(5) {
        0 => {
            out.push_str("style=");
            out.push_str(quote);
            for _ in 0..1 + numbers.below(4) {
                out.push_str(numbers.one_of(CSS));
            }
        }
        1 if numbers.below(4) == 0 => {
            out.push_str(numbers.one_of(&[
                "color=",
                "type=hidden",
                "encoding=text/html",
                "x",
                "=",
                "id=1",
            ]));
        }
        _ => {
            out.push_str(numbers.one_of(ATTRIBUTES));
            out.push_str(numbers.one_of(&["=", "=", "=", " = "]));
            out.push_str(quote);
            out.push_str(numbers.one_of(URLS));
        }
    }
    out.push_str(quote);
}

/// Removes, repeats and inserts parts of a document.
pub(super) fn mutate(numbers: &mut Numbers, html: &mut String) {
    for _ in 0..numbers.below(4) {
        let bounds: Vec<usize> = html.char_indices().map(|(at, _)| at).collect();
        if bounds.len() < 4 {
            return;
        }
        let mut pick = || bounds[numbers.below(bounds.len())];
        let (a, b) = (pick(), pick());
        let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 12));
        let b = (b..=html.len())
            .find(|at| html.is_char_boundary(*at))
            .unwrap();
        match numbers.below(4) {
            0 => html.replace_range(a..b, ""),
            1 => {
                let copy = html[a..b].to_owned();
                html.insert_str(a, &copy);
            }
            2 => html.insert_str(a, numbers.one_of(MARKUP)),
            _ if b > html.len() / 2 => html.truncate(b),
            _ => {}
        }
    }
}
