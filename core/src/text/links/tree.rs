//! Which element is the current node (WHATWG HTML, section 13.2.6), as far as it changes how the rest is tokenized.
//!
//! Whether `<style>` begins raw text and whether `<![CDATA[` begins a section depends on the open elements. This keeps
//! their stack, the list of active formatting elements and the insertion mode, and no tree. Mail without SVG, MathML,
//! framesets and templates never needs it.
//!
//! The standard's algorithms look through the whole stack, which takes quadratic time on hostile input; every look is
//! counted, and [`Tree::exhausted`] says when they have become too many.

mod body;
mod elements;
mod end_in_body;
mod foreign;
mod formatting;
mod outside;
mod stack;
mod table;

use alloc::vec::Vec;

use elements::{Element, Namespace};

use super::names::Name;
use super::tokenizer::Raw;

/// An entry of the list of active formatting elements.
#[derive(Clone, Copy, Debug)]
enum Formatting {
    Marker,
    Element { id: u32, tag: Tag },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Initial,
    BeforeHtml,
    BeforeHead,
    InHead,
    InHeadNoscript,
    AfterHead,
    InBody,
    InTable,
    InTableText,
    InCaption,
    InColumnGroup,
    InTableBody,
    InRow,
    InCell,
    InTemplate,
    AfterBody,
    InFrameset,
    AfterFrameset,
    AfterAfterBody,
    AfterAfterFrameset,
}

/// A tag, as far as the rules look at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) name: Name,
    pub(super) end: bool,
    pub(super) self_closing: bool,
    /// It has a `color`, `face` or `size` attribute.
    pub(super) font: bool,
    /// Its `encoding` says that it holds HTML.
    pub(super) annotation: bool,
    /// Its `type` is `hidden`.
    pub(super) hidden: bool,
    /// The same for two tags with the same attributes.
    pub(super) fingerprint: u64,
}

/// What a token is to the rules.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A start or end tag.
    Tag(Tag),
    /// White space.
    Space,
    /// Text that is not only white space.
    Text,
    /// U+0000 in text.
    Null,
    /// A comment.
    Comment,
}

/// What the tokenizer does after a start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Data,
    Raw(Raw),
}

enum Step {
    Done,
    Raw(Raw),
    Again(Mode),
}

/// The open elements and what else the rules remember.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    mode: Mode,
    original_mode: Mode,
    open: Vec<Element>,
    formatting: Vec<Formatting>,
    templates: Vec<Mode>,
    form: Option<u32>,
    head: Option<Element>,
    frameset_ok: bool,
    quirks: bool,
    table_text: bool,
    ignore_line_feed: bool,
    next_id: u32,
    work: usize,
    limit: usize,
}

impl Tree {
    /// The state before the first token of a document of `length` bytes.
    pub(super) fn new(length: usize) -> Self {
        Self {
            mode: Mode::Initial,
            original_mode: Mode::InBody,
            open: Vec::new(),
            formatting: Vec::new(),
            templates: Vec::new(),
            form: None,
            head: None,
            frameset_ok: true,
            quirks: false,
            table_text: false,
            ignore_line_feed: false,
            next_id: 0,
            work: 0,
            limit: length.saturating_mul(16).saturating_add(1 << 20),
        }
    }

    /// Looking through the open elements has become out of proportion to the document: the state is of no use.
    pub(super) fn exhausted(&self) -> bool {
        self.work > self.limit
    }

    /// A doctype was read; `quirks` as the standard takes it.
    pub(super) fn doctype(&mut self, quirks: bool) {
        if self.mode == Mode::Initial {
            self.quirks = quirks;
            self.mode = Mode::BeforeHtml;
        }
    }

    /// Whether a line feed that begins the next token is no text, asked once a token.
    pub(super) fn take_ignore_line_feed(&mut self) -> bool {
        core::mem::take(&mut self.ignore_line_feed)
    }

    /// Whether the current node is an element of SVG or MathML.
    pub(super) fn foreign(&self) -> bool {
        self.open
            .last()
            .is_some_and(|element| element.namespace != Namespace::Html)
    }

    /// Whether NUL in text here is replaced, rather than left out.
    pub(super) fn replaces_null(&self) -> bool {
        self.is_foreign(Event::Null)
    }

    /// The current node's name, if it is of SVG or MathML.
    pub(super) fn foreign_name(&self) -> Option<(Name, u32)> {
        self.open
            .last()
            .filter(|element| element.namespace != Namespace::Html)
            .map(|element| (element.name, element.id))
    }

    /// Whether the element with this id is still open.
    pub(super) fn is_open(&mut self, id: u32) -> bool {
        self.position(id).is_some()
    }

    /// Takes one token.
    pub(super) fn take(&mut self, event: Event) -> Next {
        if self.is_foreign(event) {
            return self.step_foreign(event);
        }
        self.run(event)
    }

    fn run(&mut self, event: Event) -> Next {
        loop {
            match self.step(self.mode, event) {
                Step::Done => return Next::Data,
                Step::Raw(raw) => return Next::Raw(raw),
                Step::Again(mode) => {
                    self.mode = mode;
                    if self.is_foreign(event) {
                        return self.step_foreign(event);
                    }
                }
            }
        }
    }

    // Insertion modes.

    fn step(&mut self, mode: Mode, event: Event) -> Step {
        match mode {
            Mode::Initial => self.initial(event),
            Mode::BeforeHtml => self.before_html(event),
            Mode::BeforeHead => self.before_head(event),
            Mode::InHead => self.in_head(event),
            Mode::InHeadNoscript => self.in_head_noscript(event),
            Mode::AfterHead => self.after_head(event),
            Mode::InBody => self.in_body(event),
            Mode::InTable => self.in_table(event),
            Mode::InTableText => self.in_table_text(event),
            Mode::InCaption => self.in_caption(event),
            Mode::InColumnGroup => self.in_column_group(event),
            Mode::InTableBody => self.in_table_body(event),
            Mode::InRow => self.in_row(event),
            Mode::InCell => self.in_cell(event),
            Mode::InTemplate => self.in_template_mode(event),
            Mode::AfterBody | Mode::AfterAfterBody => self.after_body(mode, event),
            Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                self.frameset(mode, event)
            }
        }
    }
}

impl Tag {
    /// A start tag without attributes.
    fn bare(name: Name) -> Self {
        Self {
            name,
            end: false,
            self_closing: false,
            font: false,
            annotation: false,
            hidden: false,
            fingerprint: 0,
        }
    }
}
