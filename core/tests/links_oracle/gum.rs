//! The tokens of html5gum, for documents whose tokens do not depend on tree construction.

use super::{Parsed, Tag, parse as parse_with_tree};

/// Elements that html5gum reads differently from a browser without scripting: those for which tree construction has more
/// rules, and two that are wrong or misspelled in its table of raw elements.
const UNCERTAIN: [&str; 6] = [
    "<svg",
    "<math",
    "<frameset",
    "<template",
    "<noscript",
    "<noframe",
];

/// Whether html5gum's tokens are those of a browser.
pub(super) fn is_certain(html: &str) -> bool {
    let lower = html.to_ascii_lowercase();
    !UNCERTAIN.iter().any(|tag| lower.contains(tag))
}

/// The parts of a document. html5gum does not read an uncertain document inside another one: its parts are those of the
/// tree.
pub(super) fn parse(html: &str) -> Parsed {
    if !is_certain(html) {
        return parse_with_tree(html, false);
    }
    let mut parsed = Parsed::default();
    let mut run = Run::default();
    let mut emitter = html5gum::DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for token in html5gum::Tokenizer::new_with_emitter(html, emitter).flatten() {
        match token {
            html5gum::Token::String(text) => run.text.push_str(&utf8(&text)),
            html5gum::Token::StartTag(tag) => {
                let name = utf8(&tag.name);
                run.end(&mut parsed, &name);
                let attributes = tag
                    .attributes
                    .iter()
                    .map(|(name, value)| (utf8(name), utf8(value)))
                    .collect();
                parsed.tags.push(Tag { name, attributes });
            }
            html5gum::Token::Comment(data) => {
                run.end(&mut parsed, "");
                parsed.comments.push(utf8(&data));
            }
            html5gum::Token::EndTag(_) | html5gum::Token::Doctype(_) => run.end(&mut parsed, ""),
            html5gum::Token::Error(_) => {}
        }
    }
    run.end(&mut parsed, "");
    parsed
}

/// The text since the last tag or comment.
#[derive(Default)]
struct Run {
    /// The raw element whose content it is, if any.
    element: String,
    text: String,
}

impl Run {
    /// Takes the run of text. The next run follows a tag with this name.
    fn end(&mut self, parsed: &mut Parsed, next: &str) {
        let text = std::mem::take(&mut self.text);
        match self.element.as_str() {
            "style" => {
                parsed.styles.insert(parsed.tags.len(), text);
            }
            "script" | "title" | "textarea" => {}
            "xmp" | "iframe" | "noembed" | "plaintext" => parsed.texts.push(text),
            // Elsewhere in HTML, NUL is left out.
            _ => parsed.texts.push(text.replace('\0', "")),
        }
        self.element = next.to_owned();
    }
}

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
