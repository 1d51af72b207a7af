//! The hosts of the links in HTML, by two well-known crates.

use std::borrow::Cow;
use std::cell::RefCell;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, Selector, Settings};
use url::Url;

const ATTRIBUTES: [&str; 3] = ["href", "src", "background"];

/// A way to find links.
pub trait Links {
    /// The name of the peer that uses it.
    const NAME: &'static str;

    /// The hosts of all URLs in `href`, `src` and `background`, in their order, repetitions included.
    fn hosts(&self, html: &str) -> Vec<String>;
}

/// Links by `lol_html`, with selectors parsed once.
#[derive(Debug)]
pub struct LolHtml {
    selectors: [Selector; 3],
}

impl Default for LolHtml {
    fn default() -> Self {
        let selectors = ATTRIBUTES.map(|name| {
            format!("[{name}]")
                .parse()
                .expect("an attribute selector is a selector")
        });
        Self { selectors }
    }
}

impl Links for LolHtml {
    const NAME: &'static str = "lol_html";

    fn hosts(&self, html: &str) -> Vec<String> {
        let hosts = RefCell::new(Vec::new());
        let mut settings = Settings::new();
        for (selector, name) in self.selectors.iter().zip(ATTRIBUTES) {
            let hosts = &hosts;
            let handler = move |element: &mut Element<'_, '_>| {
                hosts
                    .borrow_mut()
                    .extend(element.get_attribute(name).as_deref().and_then(host));
                Ok(())
            };
            settings = settings.append_element_content_handler((
                Cow::Borrowed(selector),
                ElementContentHandlers::default().element(handler),
            ));
        }
        let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
        let parsed = rewriter
            .write(html.as_bytes())
            .and_then(|()| rewriter.end());
        parsed.expect("the newsletters are unambiguous");
        hosts.into_inner()
    }
}

/// Links by `html5gum`, with its emitter that borrows.
#[derive(Clone, Copy, Debug)]
pub struct Html5gum;

impl Links for Html5gum {
    const NAME: &'static str = "html5gum";

    fn hosts(&self, html: &str) -> Vec<String> {
        let mut wanted = false;
        let emitter =
            CallbackEmitter::new(move |event: CallbackEvent<'_>, _: Span<()>| match event {
                CallbackEvent::AttributeName { name } => {
                    wanted = matches!(name, b"href" | b"src" | b"background");
                    None
                }
                CallbackEvent::AttributeValue { value } if wanted => {
                    std::str::from_utf8(value).ok().and_then(host)
                }
                _ => None,
            });
        let Ok(hosts) = Tokenizer::new_with_emitter(html, emitter).collect();
        hosts
    }
}

fn host(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    url.host_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Html5gum, Links, LolHtml};

    #[test]
    fn both_find_the_hosts_of_the_three_attributes() {
        let html = "<body BACKGROUND=http://a.example/1><a title=x href='HTTPS://B.example/?a=1&amp;b=2'>\
                    <!-- <a href=https://no.example> --><img src=\"//c\"><img src=https://d.example>";
        let hosts = ["a.example", "b.example", "d.example"];
        assert_eq!(LolHtml::default().hosts(html), hosts);
        assert_eq!(Html5gum.hosts(html), hosts);
    }
}
