//! The hosts of a document as html5ever or html5gum, cssparser and the `url` crate read it. It is slow, and was written
//! independently of the scanner.

mod gum;
mod tree;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use tree::parse;
use values::{css_urls, refresh_url, srcset};

/// The hosts of `html` that are in the tree of html5ever, with or without scripting.
pub(crate) fn hosts(html: &str) -> BTreeSet<String> {
    let mut hosts = hosts_in_tokens_of(html, |html| parse(html, false));
    hosts.append(&mut hosts_in_tokens_of(html, |html| parse(html, true)));
    hosts
}

/// The hosts of `html` by the tokens of html5gum. There are none if the tokens depend on tree construction, which html5gum
/// does not do.
pub(crate) fn hosts_by_html5gum(html: &str) -> Option<BTreeSet<String>> {
    gum::is_certain(html).then(|| hosts_in_tokens_of(html, gum::parse))
}

fn hosts_in_tokens_of(html: &str, parse: fn(&str) -> Parsed) -> BTreeSet<String> {
    let mut hosts = hosts_of_tree(html, parse);
    // The marks of a CDATA section part a text, as a tag does. A tree joins what is beside them.
    let parted = html
        .replace("<![CDATA[", "<![CDATA[ ")
        .replace("]]>", " ]]>");
    if parted != html {
        let of_parted = hosts_of_tree(&parted, parse);
        hosts.retain(|host| of_parted.contains(host));
    }
    // No DNS name has an ampersand or a quote. The oracle may resolve or end a text differently from other readers, and then
    // takes such a text for a host.
    hosts.retain(|host| !host.contains(['&', '"', '\'']));
    let carried = hosts.iter().filter_map(|host| carried(host));
    carried.map(str::to_owned).collect()
}

fn hosts_of_tree(html: &str, parse: fn(&str) -> Parsed) -> BTreeSet<String> {
    let mut oracle = Oracle {
        hosts: BTreeSet::new(),
        guesses: is_ordinary(html),
        parse,
    };
    oracle.document(html, false, false);
    oracle.hosts
}

/// The end of a host that the DNS can carry: the part after its last empty label, if that has two labels or more.
fn carried(host: &str) -> Option<&str> {
    let name = host.trim_end_matches('.');
    let start = match name.rfind("..") {
        Some(dots) => dots + 2,
        None => usize::from(name.starts_with('.')),
    };
    let end = host.get(start..)?;
    let labels = end.trim_end_matches('.');
    (start == 0 && !labels.is_empty() || labels.contains('.')).then_some(end)
}

/// Whether a document is certainly read without soup.
pub(crate) fn is_ordinary(html: &str) -> bool {
    let html = html.to_ascii_lowercase();
    [
        "svg", "math", "template", "select", "frameset", "noscript", "srcdoc", "data:",
    ]
    .iter()
    .all(|word| !html.contains(word))
}

struct Oracle {
    hosts: BTreeSet<String>,
    /// A relative URL that begins with a domain counts as that host. In soup it does not.
    guesses: bool,
    parse: fn(&str) -> Parsed,
}

impl Oracle {
    fn document(&mut self, html: &str, conditional: bool, embedded: bool) {
        let parsed = (self.parse)(html);
        for tag in &parsed.tags {
            self.tag(tag, conditional, embedded);
        }
        for text in &parsed.texts {
            self.text(text);
        }
        for (node, css) in &parsed.styles {
            // Without a tree, nobody can tell which hosts a style sheet with elements in it has.
            if !parsed.composed.contains(node) {
                self.css(css, conditional, embedded);
            }
        }
        for comment in &parsed.comments {
            if conditional || !comment.to_ascii_lowercase().starts_with("[if") {
                continue;
            }
            let Some((_, rest)) = comment.split_once("]>") else {
                continue;
            };
            let Some(end) = rest.to_ascii_lowercase().rfind("<![endif]") else {
                continue;
            };
            self.document(&rest[..end], true, embedded);
        }
    }

    fn tag(&mut self, tag: &Tag, conditional: bool, embedded: bool) {
        for (name, value) in &tag.attributes {
            match name.as_str() {
                "href"
                | "xlink:href"
                | "src"
                | "background"
                | "action"
                | "formaction"
                | "poster"
                | "codebase"
                | "cite"
                | "longdesc"
                | "lowsrc"
                | "dynsrc"
                | "data-saferedirecturl" => {
                    self.url(value, conditional, embedded);
                }
                "data" if tag.name == "object" => self.url(value, conditional, embedded),
                "srcset" | "imagesrcset" => {
                    for url in srcset(value) {
                        self.url(&url, conditional, embedded);
                    }
                }
                "ping" => {
                    for url in value.split_ascii_whitespace() {
                        self.url(url, conditional, embedded);
                    }
                }
                "style" => self.css(value, conditional, embedded),
                "srcdoc" if !embedded => self.document(value, conditional, true),
                "content" if tag.name == "meta" => {
                    let refresh = tag.attributes.iter().any(|(name, value)| {
                        name == "http-equiv" && value.eq_ignore_ascii_case("refresh")
                    });
                    if refresh && let Some(url) = refresh_url(value) {
                        self.url(&url, conditional, embedded);
                    }
                }
                _ => {}
            }
        }
    }

    fn css(&mut self, css: &str, conditional: bool, embedded: bool) {
        let mut parser = cssparser::Parser::new(css);
        let mut urls = Vec::new();
        css_urls(&mut parser, false, &mut urls);
        for url in urls {
            self.url(&url, conditional, embedded);
        }
    }

    fn url(&mut self, written: &str, conditional: bool, embedded: bool) {
        let base = Url::parse("https://the-base.invalid/").unwrap();
        let cleaned: String = written
            .trim_matches(|c: char| c <= ' ')
            .chars()
            .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
            .collect();
        if let Ok(url) = Url::options().base_url(Some(&base)).parse(written) {
            match url.scheme() {
                "http" | "https" | "ftp" | "ws" | "wss" => {
                    let host = url.host_str().unwrap();
                    if host != "the-base.invalid" {
                        self.hosts.insert(host.to_owned());
                    }
                }
                "mailto" => self.mailto(&url),
                "data" if !embedded => {
                    if let Ok(data) = data_url::DataUrl::process(&cleaned)
                        && data.mime_type().matches("text", "html")
                        && let Ok((body, _)) = data.decode_to_vec()
                    {
                        self.document(&String::from_utf8_lossy(&body), conditional, true);
                    }
                }
                _ => {}
            }
        }
        // Repeat it with a base of each other special scheme, for URLs that are relative with that scheme.
        for scheme in ["http", "https", "ftp", "ws", "wss"] {
            let other = if scheme == "http" {
                "wss://the-base.invalid/"
            } else {
                "http://the-base.invalid/"
            };
            let lower = cleaned.to_ascii_lowercase();
            if lower.starts_with(&format!("{scheme}:"))
                && let Ok(url) = Url::options()
                    .base_url(Some(&Url::parse(other).unwrap()))
                    .parse(written)
                && let Some(host) = url.host_str()
            {
                self.hosts.insert(host.to_owned());
            }
        }
        if self.guesses && Url::parse(written) == Err(url::ParseError::RelativeUrlWithoutBase) {
            let segment = cleaned.split(['/', '\\', '?', '#']).next().unwrap();
            let decoded = percent_encoding::percent_decode_str(segment)
                .decode_utf8()
                .unwrap_or_default();
            let domain = match decoded.rsplit_once(':') {
                Some((domain, port)) if port.chars().all(|c| c.is_ascii_digit()) => domain,
                _ => &decoded,
            };
            self.domain(domain);
        }
    }

    fn domain(&mut self, domain: &str) {
        if let Ok(ascii) = idna::domain_to_ascii_strict(domain)
            && !ascii.ends_with('.')
            && let Some((_, last)) = ascii.rsplit_once('.')
            && !last.chars().all(|c| c.is_ascii_digit())
        {
            self.hosts.insert(ascii);
        }
    }

    fn mailto(&mut self, url: &Url) {
        let decode = |text: &str| {
            percent_encoding::percent_decode_str(text)
                .decode_utf8_lossy()
                .into_owned()
        };
        let mut lists = vec![decode(url.path())];
        for field in url.query().unwrap_or_default().split('&') {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            if matches!(
                decode(name).to_ascii_lowercase().as_str(),
                "to" | "cc" | "bcc"
            ) {
                lists.push(decode(value));
            }
        }
        for address in lists.iter().flat_map(|list| list.split(',')) {
            if let Some((local, domain)) = address.trim().split_once('@')
                && !local.is_empty()
                && local.len() <= 64
                && !local.starts_with('.')
                && !local.ends_with('.')
                && !local.contains("..")
                && local
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c))
            {
                self.domain(domain);
            }
        }
    }

    fn text(&mut self, text: &str) {
        let lower = text.to_ascii_lowercase();
        for prefix in ["http://", "https://", "www."] {
            for (begin, _) in lower.match_indices(prefix) {
                let before = text[..begin].chars().next_back();
                if before.is_some_and(|c| c.is_alphanumeric() || "_-./@".contains(c)) {
                    continue;
                }
                let rest = &text[begin..];
                let end = rest
                    .find(|c: char| c.is_whitespace() || "<>\"'".contains(c))
                    .unwrap_or(rest.len());
                let mut link = &rest[..end];
                while let Some(last) = link.chars().next_back() {
                    let closes_host = last == ']'
                        && link.find("://[").is_some_and(|open| {
                            !link[open + 4..link.len() - 1].contains([']', '/'])
                        });
                    let punctuation = if last.is_ascii() {
                        "!\"#%&'()*,-./:;?@[\\]_{}".contains(last)
                    } else {
                        "。、«»“”‘’…·".contains(last)
                    };
                    if !punctuation || closes_host {
                        break;
                    }
                    link = &link[..link.len() - last.len_utf8()];
                }
                if link.len() <= prefix.len() {
                    continue;
                }
                let url = if prefix == "www." {
                    format!("http://{link}")
                } else {
                    link.to_owned()
                };
                if let Ok(url) = Url::parse(&url)
                    && let Some(host) = url.host_str()
                {
                    self.hosts.insert(host.to_owned());
                }
            }
        }
    }
}

struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

#[derive(Default)]
struct Parsed {
    tags: Vec<Tag>,
    texts: Vec<String>,
    comments: Vec<String>,
    styles: BTreeMap<usize, String>,
    composed: BTreeSet<usize>,
}
