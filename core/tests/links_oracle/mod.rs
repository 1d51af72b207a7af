//! The hosts of a document as html5ever or html5gum, cssparser and the `url` crate read it. It is slow, and was written
//! independently of the scanner.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{
    ElementFlags, NodeOrText, QuirksMode, TreeBuilder, TreeBuilderOpts, TreeSink,
};
use html5ever::{Attribute, ExpandedName, QualName, TokenizerResult};
use url::Url;

mod gum;

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

fn srcset(value: &str) -> Vec<String> {
    let mut urls = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return urls;
        }
        let end = rest
            .find(|c: char| c.is_ascii_whitespace())
            .unwrap_or(rest.len());
        let url = &rest[..end];
        rest = &rest[end..];
        if url.ends_with(',') {
            urls.push(url.trim_end_matches(',').to_owned());
            continue;
        }
        urls.push(url.to_owned());
        let mut inside = false;
        let end = rest.find(|c| {
            match c {
                '(' => inside = true,
                ')' => inside = false,
                _ => {}
            }
            c == ',' && !inside
        });
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
}

fn refresh_url(value: &str) -> Option<String> {
    let space = |c: char| c.is_ascii_whitespace();
    let rest = value.trim_start_matches(space);
    let after = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if after.len() == rest.len() && !rest.starts_with('.') {
        return None;
    }
    let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !rest.starts_with(|c: char| space(c) || c == ';' || c == ',') {
        return None;
    }
    let rest = rest.trim_start_matches(space);
    let rest = rest
        .strip_prefix([';', ','])
        .unwrap_or(rest)
        .trim_start_matches(space);
    let mut url = rest;
    if rest.len() >= 3 && rest.is_char_boundary(3) && rest[..3].eq_ignore_ascii_case("url") {
        match rest[3..].trim_start_matches(space).strip_prefix('=') {
            Some(after) => url = after.trim_start_matches(space),
            None => return Some(rest.to_owned()),
        }
    }
    for quote in ['"', '\''] {
        if let Some(inner) = url.strip_prefix(quote) {
            return Some(inner.split(quote).next().unwrap().to_owned());
        }
    }
    Some(url.to_owned())
}

fn css_urls(parser: &mut cssparser::Parser<'_>, strings: bool, urls: &mut Vec<String>) {
    let mut import = false;
    let mut namespace = false;
    while let Ok(token) = parser.next().cloned() {
        let mut inner = None;
        let mut first_alone = false;
        let mut next_import = false;
        match &token {
            cssparser::Token::UnquotedUrl(url) if !namespace => urls.push(url.to_string()),
            cssparser::Token::QuotedString(string) if (strings || import) && !namespace => {
                urls.push(string.to_string());
            }
            cssparser::Token::AtKeyword(name) => {
                next_import = name.eq_ignore_ascii_case("import");
                namespace = name.eq_ignore_ascii_case("namespace");
            }
            cssparser::Token::Semicolon => namespace = false,
            cssparser::Token::Function(name) => {
                let is = |names: &[&str]| names.iter().any(|n| name.eq_ignore_ascii_case(n));
                first_alone = is(&["url", "src"]);
                inner = Some(first_alone || is(&["image-set", "-webkit-image-set"]));
            }
            cssparser::Token::ParenthesisBlock | cssparser::Token::SquareBracketBlock => {
                inner = Some(false)
            }
            cssparser::Token::CurlyBracketBlock => {
                namespace = false;
                inner = Some(false);
            }
            _ => {}
        }
        import = next_import;
        if let Some(strings) = inner {
            let _ = parser.parse_nested_block(|parser| -> Result<(), cssparser::ParseError<()>> {
                let mut found = Vec::new();
                if first_alone {
                    let first = parser.next().cloned();
                    if let Ok(cssparser::Token::QuotedString(string)) = first {
                        found.push(string.to_string());
                    }
                } else {
                    css_urls(parser, strings, &mut found);
                }
                if !namespace {
                    urls.append(&mut found);
                }
                Ok(())
            });
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

fn parse(html: &str, scripting_enabled: bool) -> Parsed {
    let sink = Sink::default();
    let options = TreeBuilderOpts {
        scripting_enabled,
        ..TreeBuilderOpts::default()
    };
    let recorder = Recorder {
        builder: TreeBuilder::new(sink, options),
        parsed: RefCell::default(),
        run: RefCell::default(),
        hidden: Cell::new(false),
    };
    let tokenizer = Tokenizer::new(recorder, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from(html));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    let mut parsed = tokenizer.sink.parsed.take();
    parsed.styles = tokenizer.sink.builder.sink.styles.take();
    parsed.composed = tokenizer.sink.builder.sink.composed.take();
    parsed
}

struct Recorder {
    builder: TreeBuilder<usize, Sink>,
    parsed: RefCell<Parsed>,
    run: RefCell<String>,
    hidden: Cell<bool>,
}

impl Recorder {
    fn end_run(&self) {
        let run = self.run.take();
        if !run.is_empty() && !self.hidden.get() {
            self.parsed.borrow_mut().texts.push(run);
        }
        self.hidden.set(false);
    }
}

impl TokenSink for Recorder {
    type Handle = usize;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<usize> {
        self.builder.sink.hidden.set(false);
        let text = match &token {
            Token::CharacterTokens(text) => {
                self.run.borrow_mut().push_str(text);
                true
            }
            Token::NullCharacterToken => {
                self.builder.sink.replaced.set(false);
                true
            }
            Token::ParseError(_) => return self.builder.process_token(token, line),
            _ => false,
        };
        let null = matches!(token, Token::NullCharacterToken);
        if !text {
            self.end_run();
        }
        match &token {
            Token::TagToken(tag) if tag.kind == html5ever::tokenizer::StartTag => {
                let attributes = tag
                    .attrs
                    .iter()
                    .map(|attribute| {
                        (
                            attribute.name.local.to_string(),
                            attribute.value.to_string(),
                        )
                    })
                    .collect();
                self.parsed.borrow_mut().tags.push(Tag {
                    name: tag.name.to_string(),
                    attributes,
                });
            }
            Token::CommentToken(data) => self.parsed.borrow_mut().comments.push(data.to_string()),
            _ => {}
        }
        let result = self.builder.process_token(token, line);
        if null && self.builder.sink.replaced.get() {
            self.run.borrow_mut().push('\u{fffd}');
        }
        if text && self.builder.sink.hidden.get() {
            self.hidden.set(true);
        }
        result
    }

    fn end(&self) {
        self.end_run();
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

#[derive(Default)]
struct Sink {
    names: RefCell<Vec<Option<(&'static QualName, bool)>>>,
    styles: RefCell<BTreeMap<usize, String>>,
    /// The style sheets that have elements in them.
    composed: RefCell<BTreeSet<usize>>,
    hidden: Cell<bool>,
    replaced: Cell<bool>,
}

thread_local! {
    static NAMES: RefCell<BTreeMap<QualName, &'static QualName>> = RefCell::default();
}

impl Sink {
    fn node(&self, name: Option<(&'static QualName, bool)>) -> usize {
        let mut names = self.names.borrow_mut();
        if names.is_empty() {
            names.push(None);
        }
        names.push(name);
        // A template is followed by its contents.
        names.push(None);
        names.len() - 2
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }
    fn get_document(&self) -> usize {
        0
    }
    fn get_template_contents(&self, target: &usize) -> usize {
        target + 1
    }
    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }
    fn elem_name(&self, target: &usize) -> ExpandedName<'_> {
        self.names.borrow()[*target]
            .expect("an element")
            .0
            .expanded()
    }
    fn create_element(&self, name: QualName, _: Vec<Attribute>, flags: ElementFlags) -> usize {
        let name = NAMES.with_borrow_mut(|names| {
            *names
                .entry(name)
                .or_insert_with_key(|name| Box::leak(Box::new(name.clone())))
        });
        self.node(Some((name, flags.mathml_annotation_xml_integration_point)))
    }
    fn create_comment(&self, _: StrTendril) -> usize {
        self.node(None)
    }
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.node(None)
    }
    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        let text = match child {
            NodeOrText::AppendText(text) => text,
            NodeOrText::AppendNode(child) => {
                let names = self.names.borrow();
                let is_style = names[*parent].is_some_and(|(name, _)| &*name.local == "style");
                if is_style && names[child].is_some() {
                    self.composed.borrow_mut().insert(*parent);
                }
                return;
            }
        };
        self.replaced.set(&*text == "\u{fffd}");
        if let Some((name, _)) = self.names.borrow().get(*parent).copied().flatten() {
            self.hidden.set(matches!(
                &*name.local,
                "style" | "script" | "title" | "textarea" | "noscript"
            ));
            if &*name.local == "style" {
                self.styles
                    .borrow_mut()
                    .entry(*parent)
                    .or_default()
                    .push_str(&text);
            }
        }
    }
    fn append_before_sibling(&self, _: &usize, _: NodeOrText<usize>) {}
    fn append_based_on_parent_node(&self, _: &usize, _: &usize, _: NodeOrText<usize>) {}
    fn parse_error(&self, _: Cow<'static, str>) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &usize) {}
    fn reparent_children(&self, _: &usize, _: &usize) {}
    fn is_mathml_annotation_xml_integration_point(&self, target: &usize) -> bool {
        self.names.borrow()[*target].is_some_and(|(_, point)| point)
    }
}
