//! The tree of html5ever, and the tokens that it was made of.

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

use super::{Parsed, Tag};

/// The parts of a document by the tree of html5ever.
pub(super) fn parse(html: &str, scripting_enabled: bool) -> Parsed {
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
