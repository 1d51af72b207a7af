//! The plain text of an HTML body.
//!
//! The text is made from tokens and not from a tree. Callers write the HTML, and HTML can be made so deep that a tree takes
//! time in proportion to the square of its depth. From tokens, it takes time and memory in proportion to the HTML.

use html5gum::{DefaultEmitter, StartTag, Token, Tokenizer};

/// The text for HTML without text, such as a single image.
const NO_TEXT: &str = "This message is written in HTML, and has no text.\n";

/// Returns the plain text of an HTML body: words and line breaks, with the address of each link after it.
pub(super) fn of_html(html: &str) -> String {
    let mut emitter = DefaultEmitter::default();
    // Without it the text of a style sheet would be read as HTML.
    emitter.naively_switch_states(true);
    let mut text = Text::default();
    for token in Tokenizer::new_with_emitter(html, emitter).flatten() {
        match token {
            Token::StartTag(tag) => text.start(&tag),
            Token::EndTag(tag) => text.end(&tag.name),
            Token::String(string) => text.words(&String::from_utf8_lossy(&string)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    text.finish()
}

/// The text so far.
#[derive(Default)]
struct Text {
    out: String,
    /// The white space between the text so far and the next word.
    gap: Gap,
    /// The number of open `<pre>` elements, in which white space counts.
    pre: usize,
    /// The open element whose content is skipped.
    skipped: Option<&'static [u8]>,
    /// The address of the open link, and where its text begins.
    link: Option<(String, usize)>,
}

/// Pending white space, from the narrowest to the widest.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    #[default]
    None,
    Space,
    Line,
    Paragraph,
}

/// Elements whose content is not part of the message's text.
const SKIPPED: [&[u8]; 8] = [
    b"script",
    b"style",
    b"title",
    b"template",
    b"textarea",
    b"select",
    b"iframe",
    b"object",
];

impl Text {
    fn start(&mut self, tag: &StartTag<()>) {
        if self.skipped.is_some() {
            return;
        }
        let name: &[u8] = &tag.name;
        if let Some(skipped) = SKIPPED.into_iter().find(|skipped| *skipped == name) {
            self.skipped = Some(skipped);
            return;
        }
        self.widen(gap_of(name));
        match name {
            b"br" => self.break_line(),
            b"li" => {
                self.word("-");
                self.widen(Gap::Space);
            }
            b"hr" => {
                self.word("--");
                self.widen(Gap::Paragraph);
            }
            b"pre" => self.pre = self.pre.saturating_add(1),
            b"img" => {
                if let Some(alt) = attribute(tag, b"alt") {
                    self.words(&alt);
                }
            }
            b"a" => {
                self.end_link();
                self.link = attribute(tag, b"href").map(|href| (href, self.out.len()));
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        if let Some(skipped) = self.skipped {
            if skipped == name {
                self.skipped = None;
            }
            return;
        }
        match name {
            b"pre" => self.pre = self.pre.saturating_sub(1),
            b"a" => self.end_link(),
            _ => {}
        }
        self.widen(gap_of(name));
    }

    /// Writes the address after a link's text, if a reader can use the address and it is not the text itself.
    fn end_link(&mut self) {
        let Some((href, start)) = self.link.take() else {
            return;
        };
        let shown = self.out.get(start..).unwrap_or_default().trim();
        let scheme = href.split(':').next().unwrap_or_default();
        let is_useful = ["http", "https", "mailto", "tel"]
            .iter()
            .any(|useful| scheme.eq_ignore_ascii_case(useful));
        let is_url = !href.chars().any(|c| c.is_whitespace() || c.is_control());
        if is_useful && is_url && shown != href && !shown.is_empty() {
            self.widen(Gap::Space);
            self.word(&format!("<{href}>"));
        }
    }

    fn words(&mut self, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        if self.pre > 0 {
            for (place, line) in text.split('\n').enumerate() {
                if place > 0 {
                    self.break_line();
                }
                if !line.is_empty() {
                    self.word(line.trim_end_matches('\r'));
                }
            }
            return;
        }
        for (place, word) in text.split(is_space).enumerate() {
            if place > 0 {
                self.widen(Gap::Space);
            }
            if !word.is_empty() {
                self.word(word);
            }
        }
    }

    fn word(&mut self, word: &str) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push_str(match self.gap {
                Gap::None => "",
                Gap::Space => " ",
                Gap::Line => "\n",
                Gap::Paragraph => "\n\n",
            });
        } else if self.gap == Gap::Paragraph && !self.out.is_empty() && !self.out.ends_with("\n\n")
        {
            self.out.push('\n');
        }
        self.gap = Gap::None;
        self.out
            .extend(word.chars().filter(|c| !c.is_control() || *c == '\t'));
    }

    fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Writes a line break of the author. Two of them make an empty line.
    fn break_line(&mut self) {
        self.gap = Gap::None;
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
    }

    fn finish(mut self) -> String {
        self.end_link();
        let text = self.out.trim();
        if text.is_empty() {
            return NO_TEXT.to_owned();
        }
        let mut text = text.to_owned();
        text.push('\n');
        text
    }
}

/// Returns the white space before and after an element.
fn gap_of(name: &[u8]) -> Gap {
    match name {
        b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"ul" | b"ol" | b"dl" | b"table"
        | b"blockquote" | b"pre" | b"hr" | b"figure" => Gap::Paragraph,
        b"div" | b"li" | b"tr" | b"dt" | b"dd" | b"section" | b"article" | b"header"
        | b"footer" | b"main" | b"nav" | b"aside" | b"address" | b"center" | b"form"
        | b"fieldset" | b"caption" | b"figcaption" | b"body" | b"head" | b"html" => Gap::Line,
        b"td" | b"th" => Gap::Space,
        _ => Gap::None,
    }
}

/// Whether a character is white space in HTML. A no-break space is not.
const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

fn attribute(tag: &StartTag<()>, name: &[u8]) -> Option<String> {
    let value = tag.attributes.get(name)?;
    Some(String::from_utf8_lossy(value).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{NO_TEXT, of_html};

    #[test]
    fn html_becomes_lines_of_words() {
        for (html, text) in [
            (
                "<p>Hello,\n   <b>Re</b>ader &amp; friend<p>Bye",
                "Hello, Reader & friend\n\nBye\n",
            ),
            ("a<br>b<br><br>c", "a\nb\n\nc\n"),
            ("<ul><li>one<li>two</ul>x", "- one\n- two\n\nx\n"),
            ("<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc\n"),
            (
                "<a href='https://shop.example/x?a=1&amp;b=2'>Shop</a>!",
                "Shop <https://shop.example/x?a=1&b=2>!\n",
            ),
            (
                "<a href='https://shop.example/'>https://shop.example/</a>",
                "https://shop.example/\n",
            ),
            ("<a href='javascript:x()'>x</a><a href='#y'>y</a>", "xy\n"),
            (
                "<title>t</title><style>p{}</style><script>x</script><p>y",
                "y\n",
            ),
            ("<pre>a  b\n c</pre>d", "a  b\n c\n\nd\n"),
            ("<img src=x alt='A logo'>", "A logo\n"),
            ("<img src=x>", NO_TEXT),
            ("", NO_TEXT),
        ] {
            assert_eq!(of_html(html), text, "{html}");
        }
    }

    #[test]
    fn hostile_html_takes_text_in_proportion() {
        let forms = [
            "<div>",
            "<b>",
            "<table><td>x",
            "<ul><li>",
            "<pre>\n",
            "</a>",
            "<a href=https://x.example>",
            "<blockquote><br>",
            "<script>",
            "<!--",
            "<p x=y z",
            "&",
            "\u{202e}x ",
            "<hr>",
            "<a href=mailto:x>y",
        ];
        for form in forms {
            let html = form.repeat(20_000);
            let text = of_html(&html);
            assert!(
                text.len() <= html.len().saturating_mul(2).max(100),
                "{form}"
            );
        }
    }
}
