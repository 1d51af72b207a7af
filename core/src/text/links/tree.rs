//! Which element is the current node (WHATWG HTML, section 13.2.6), as far as it changes how the rest is tokenized.
//!
//! Whether `<style>` begins raw text and whether `<![CDATA[` begins a section depends on the open elements. This keeps
//! their stack, the list of active formatting elements and the insertion mode, and no tree. Mail without SVG, MathML,
//! framesets and templates never needs it.
//!
//! The standard's algorithms look through the whole stack, which takes quadratic time on hostile input; every look is
//! counted, and [`Tree::exhausted`] says when they have become too many.

use alloc::vec::Vec;

use super::names::{self, Name};
use super::tokenizer::Raw;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Namespace {
    Html,
    Svg,
    MathMl,
}

#[derive(Clone, Copy, Debug)]
struct Element {
    namespace: Namespace,
    name: Name,
    id: u32,
    /// An `annotation-xml` that holds HTML.
    annotation: bool,
}

impl Element {
    fn is(&self, name: Name) -> bool {
        self.namespace == Namespace::Html && self.name == name
    }

    fn one_of(&self, set: fn(Name) -> bool) -> bool {
        self.namespace == Namespace::Html && set(self.name)
    }

    fn mathml_text_integration_point(&self) -> bool {
        self.namespace == Namespace::MathMl
            && matches!(
                self.name,
                names::MI | names::MO | names::MN | names::MS | names::MTEXT
            )
    }

    fn svg_html_integration_point(&self) -> bool {
        self.namespace == Namespace::Svg
            && matches!(self.name, names::FOREIGNOBJECT | names::DESC | names::TITLE)
    }

    fn ends_default_scope(&self) -> bool {
        self.one_of(|name| {
            matches!(
                name,
                names::APPLET
                    | names::CAPTION
                    | names::HTML
                    | names::TABLE
                    | names::TD
                    | names::TH
                    | names::MARQUEE
                    | names::OBJECT
                    | names::SELECT
                    | names::TEMPLATE
            )
        }) || self.mathml_text_integration_point()
            || self.svg_html_integration_point()
    }

    fn ends_list_item_scope(&self) -> bool {
        self.ends_default_scope() || self.is(names::OL) || self.is(names::UL)
    }

    fn ends_button_scope(&self) -> bool {
        self.ends_default_scope() || self.is(names::BUTTON)
    }

    fn ends_table_scope(&self) -> bool {
        self.one_of(|name| matches!(name, names::HTML | names::TABLE | names::TEMPLATE))
    }
}

fn special(name: Name) -> bool {
    matches!(
        name,
        names::ADDRESS
            | names::APPLET
            | names::AREA
            | names::ARTICLE
            | names::ASIDE
            | names::BASE
            | names::BASEFONT
            | names::BGSOUND
            | names::BLOCKQUOTE
            | names::BODY
            | names::BR
            | names::BUTTON
            | names::CAPTION
            | names::CENTER
            | names::COL
            | names::COLGROUP
            | names::DD
            | names::DETAILS
            | names::DIR
            | names::DIV
            | names::DL
            | names::DT
            | names::EMBED
            | names::FIELDSET
            | names::FIGCAPTION
            | names::FIGURE
            | names::FOOTER
            | names::FORM
            | names::FRAME
            | names::FRAMESET
            | names::H1
            | names::H2
            | names::H3
            | names::H4
            | names::H5
            | names::H6
            | names::HEAD
            | names::HEADER
            | names::HGROUP
            | names::HR
            | names::HTML
            | names::IFRAME
            | names::IMG
            | names::INPUT
            | names::ISINDEX
            | names::LI
            | names::LINK
            | names::LISTING
            | names::MAIN
            | names::MARQUEE
            | names::MENU
            | names::META
            | names::NAV
            | names::NOEMBED
            | names::NOFRAMES
            | names::NOSCRIPT
            | names::OBJECT
            | names::OL
            | names::P
            | names::PARAM
            | names::PLAINTEXT
            | names::PRE
            | names::SCRIPT
            | names::SECTION
            | names::SELECT
            | names::SOURCE
            | names::STYLE
            | names::SUMMARY
            | names::TABLE
            | names::TBODY
            | names::TD
            | names::TEMPLATE
            | names::TEXTAREA
            | names::TFOOT
            | names::TH
            | names::THEAD
            | names::TITLE
            | names::TR
            | names::TRACK
            | names::UL
            | names::WBR
            | names::XMP
    )
}

fn cursory_implied_end(name: Name) -> bool {
    matches!(
        name,
        names::DD
            | names::DT
            | names::LI
            | names::OPTION
            | names::OPTGROUP
            | names::P
            | names::RB
            | names::RP
            | names::RT
            | names::RTC
    )
}

fn thorough_implied_end(name: Name) -> bool {
    cursory_implied_end(name)
        || matches!(
            name,
            names::CAPTION
                | names::COLGROUP
                | names::TBODY
                | names::TD
                | names::TFOOT
                | names::TH
                | names::THEAD
                | names::TR
        )
}

fn heading(name: Name) -> bool {
    matches!(
        name,
        names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6
    )
}

fn cell(name: Name) -> bool {
    matches!(name, names::TD | names::TH)
}

fn table_body_context(name: Name) -> bool {
    matches!(
        name,
        names::TBODY | names::TFOOT | names::THEAD | names::TEMPLATE | names::HTML
    )
}

fn table_row_context(name: Name) -> bool {
    matches!(name, names::TR | names::TEMPLATE | names::HTML)
}

fn table_context(name: Name) -> bool {
    matches!(name, names::HTML | names::TABLE | names::TEMPLATE)
}

fn holds_table_text(name: Name) -> bool {
    matches!(
        name,
        names::TABLE | names::TBODY | names::TFOOT | names::THEAD | names::TR
    )
}

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

    // Foreign content.

    fn is_foreign(&self, event: Event) -> bool {
        let Some(current) = self.open.last() else {
            return false;
        };
        if current.namespace == Namespace::Html {
            return false;
        }
        let start = match event {
            Event::Tag(tag) if !tag.end => Some(tag.name),
            Event::Tag(_) | Event::Comment => return true,
            Event::Space | Event::Text | Event::Null => None,
        };
        if current.mathml_text_integration_point()
            && !matches!(start, Some(names::MGLYPH | names::MALIGNMARK))
        {
            return false;
        }
        if current.svg_html_integration_point() {
            return false;
        }
        if current.namespace == Namespace::MathMl && current.name == names::ANNOTATION_XML {
            return start != Some(names::SVG) && !current.annotation;
        }
        true
    }

    fn step_foreign(&mut self, event: Event) -> Next {
        let tag = match event {
            Event::Tag(tag) => tag,
            Event::Text => {
                self.frameset_ok = false;
                return Next::Data;
            }
            Event::Space | Event::Null | Event::Comment => return Next::Data,
        };
        let leaves = match tag.name {
            names::BR | names::P => true,
            _ if tag.end => false,
            names::FONT => tag.font,
            name => leaves_foreign_content(name),
        };
        if leaves {
            while self.open.last().is_some_and(|element| {
                element.namespace != Namespace::Html
                    && !element.mathml_text_integration_point()
                    && !element.svg_html_integration_point()
            }) {
                self.open.pop();
            }
            return match self.step(self.mode, event) {
                Step::Done => Next::Data,
                Step::Raw(raw) => Next::Raw(raw),
                Step::Again(mode) => {
                    self.mode = mode;
                    self.take(event)
                }
            };
        }
        if !tag.end {
            let namespace = self
                .open
                .last()
                .map_or(Namespace::Html, |element| element.namespace);
            if !tag.self_closing {
                self.push(namespace, tag);
            }
            return Next::Data;
        }
        let mut index = self.open.len().saturating_sub(1);
        let mut first = true;
        while index > 0 {
            self.work = self.work.saturating_add(1);
            let Some(element) = self.open.get(index) else {
                break;
            };
            if !first && element.namespace == Namespace::Html {
                return match self.step(self.mode, event) {
                    Step::Done => Next::Data,
                    Step::Raw(raw) => Next::Raw(raw),
                    Step::Again(mode) => {
                        self.mode = mode;
                        self.take(event)
                    }
                };
            }
            if element.name == tag.name {
                self.open.truncate(index);
                break;
            }
            first = false;
            index = index.saturating_sub(1);
        }
        Next::Data
    }

    // The stack of open elements.

    fn push(&mut self, namespace: Namespace, tag: Tag) -> Element {
        self.next_id = self.next_id.wrapping_add(1);
        let annotation =
            namespace == Namespace::MathMl && tag.name == names::ANNOTATION_XML && tag.annotation;
        let element = Element {
            namespace,
            name: tag.name,
            id: self.next_id,
            annotation,
        };
        self.open.push(element);
        element
    }

    fn insert(&mut self, tag: Tag) -> Element {
        self.push(Namespace::Html, tag)
    }

    fn insert_phantom(&mut self, name: Name) -> Element {
        self.push(Namespace::Html, Tag::bare(name))
    }

    fn pop(&mut self) {
        self.open.pop();
    }

    fn current_is(&self, name: Name) -> bool {
        self.open.last().is_some_and(|element| element.is(name))
    }

    fn current_one_of(&self, set: fn(Name) -> bool) -> bool {
        self.open.last().is_some_and(|element| element.one_of(set))
    }

    /// Whether an element that `wanted` accepts is open above every element that `ends` accepts.
    fn in_scope(&mut self, ends: fn(&Element) -> bool, wanted: impl Fn(&Element) -> bool) -> bool {
        for element in self.open.iter().rev() {
            self.work = self.work.saturating_add(1);
            if wanted(element) {
                return true;
            }
            if ends(element) {
                return false;
            }
        }
        false
    }

    fn in_default_scope(&mut self, name: Name) -> bool {
        self.in_scope(Element::ends_default_scope, |element| element.is(name))
    }

    fn in_table_scope(&mut self, name: Name) -> bool {
        self.in_scope(Element::ends_table_scope, |element| element.is(name))
    }

    fn any_open(&mut self, name: Name) -> bool {
        self.work = self.work.saturating_add(self.open.len());
        self.open.iter().any(|element| element.is(name))
    }

    /// Whether a template is open: each one has an insertion mode of its own.
    fn in_template(&mut self) -> bool {
        !self.templates.is_empty() && self.any_open(names::TEMPLATE)
    }

    fn position(&mut self, id: u32) -> Option<usize> {
        let found = self.open.iter().rposition(|element| element.id == id);
        self.work = self
            .work
            .saturating_add(self.open.len().saturating_sub(found.unwrap_or(0)));
        found
    }

    fn remove(&mut self, index: usize) {
        if index < self.open.len() {
            self.work = self
                .work
                .saturating_add(self.open.len().saturating_sub(index) / 8);
            self.open.remove(index);
        }
    }

    fn pop_implied_but(&mut self, set: fn(Name) -> bool, except: Option<Name>) {
        while self
            .open
            .last()
            .is_some_and(|element| element.one_of(set) && Some(element.name) != except)
        {
            self.open.pop();
        }
    }

    fn pop_implied(&mut self) {
        self.pop_implied_but(cursory_implied_end, None);
    }

    fn pop_while_not(&mut self, set: fn(Name) -> bool) {
        while self.open.last().is_some_and(|element| !element.one_of(set)) {
            self.open.pop();
        }
    }

    /// Pops up to and with the first element that `wanted` accepts.
    fn pop_until(&mut self, wanted: impl Fn(&Element) -> bool) {
        while let Some(element) = self.open.pop() {
            if wanted(&element) {
                return;
            }
        }
    }

    fn pop_until_named(&mut self, name: Name) {
        self.pop_until(|element| element.is(name));
    }

    fn close_p(&mut self) {
        self.pop_implied_but(cursory_implied_end, Some(names::P));
        self.pop_until_named(names::P);
    }

    fn close_p_in_button_scope(&mut self) {
        if self.in_scope(Element::ends_button_scope, |element| element.is(names::P)) {
            self.close_p();
        }
    }

    fn close_cell(&mut self) {
        self.pop_implied();
        self.pop_until(|element| element.one_of(cell));
        self.clear_formatting_to_marker();
    }

    fn has_body(&self) -> bool {
        self.open
            .get(1)
            .is_some_and(|element| element.is(names::BODY))
    }

    fn reset_mode(&mut self) -> Mode {
        for (index, element) in self.open.iter().enumerate().rev() {
            self.work = self.work.saturating_add(1);
            if element.namespace != Namespace::Html {
                continue;
            }
            return match element.name {
                names::TD | names::TH if index > 0 => Mode::InCell,
                names::TR => Mode::InRow,
                names::TBODY | names::THEAD | names::TFOOT => Mode::InTableBody,
                names::CAPTION => Mode::InCaption,
                names::COLGROUP => Mode::InColumnGroup,
                names::TABLE => Mode::InTable,
                names::TEMPLATE => self.templates.last().copied().unwrap_or(Mode::InBody),
                names::HEAD if index > 0 => Mode::InHead,
                names::BODY => Mode::InBody,
                names::FRAMESET => Mode::InFrameset,
                names::HTML if self.head.is_none() => Mode::BeforeHead,
                names::HTML => Mode::AfterHead,
                _ => continue,
            };
        }
        Mode::InBody
    }

    // The list of active formatting elements.

    fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if matches!(entry, Formatting::Marker) {
                return;
            }
        }
    }

    fn formatting_position(&mut self, id: u32) -> Option<usize> {
        self.work = self.work.saturating_add(self.formatting.len());
        self.formatting.iter().position(
            |entry| matches!(entry, Formatting::Element { id: other, .. } if *other == id),
        )
    }

    /// The last formatting element of this name after the last marker.
    fn last_formatting(&mut self, name: Name) -> Option<(usize, u32, Tag)> {
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            self.work = self.work.saturating_add(1);
            match entry {
                Formatting::Marker => return None,
                Formatting::Element { id, tag } if tag.name == name => {
                    return Some((index, *id, *tag));
                }
                Formatting::Element { .. } => {}
            }
        }
        None
    }

    fn is_marker_or_open(&mut self, entry: Formatting) -> bool {
        match entry {
            Formatting::Marker => true,
            Formatting::Element { id, .. } => self.is_open(id),
        }
    }

    fn reconstruct(&mut self) {
        let Some(last) = self.formatting.last().copied() else {
            return;
        };
        if self.is_marker_or_open(last) {
            return;
        }
        let mut index = self.formatting.len().saturating_sub(1);
        while let Some(before) = index.checked_sub(1) {
            let Some(entry) = self.formatting.get(before).copied() else {
                break;
            };
            if self.is_marker_or_open(entry) {
                break;
            }
            index = before;
        }
        while let Some(Formatting::Element { tag, .. }) = self.formatting.get(index).copied() {
            self.work = self.work.saturating_add(1);
            let id = self.insert(tag).id;
            if let Some(entry) = self.formatting.get_mut(index) {
                *entry = Formatting::Element { id, tag };
            }
            index = index.saturating_add(1);
            if self.exhausted() {
                return;
            }
        }
    }

    fn insert_formatting(&mut self, tag: Tag) {
        let mut same: usize = 0;
        let mut earliest = None;
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            self.work = self.work.saturating_add(1);
            match entry {
                Formatting::Marker => break,
                Formatting::Element { tag: other, .. }
                    if other.name == tag.name && other.fingerprint == tag.fingerprint =>
                {
                    earliest = Some(index);
                    same = same.saturating_add(1);
                }
                Formatting::Element { .. } => {}
            }
        }
        if same >= 3
            && let Some(index) = earliest
        {
            self.formatting.remove(index);
        }
        let id = self.insert(tag).id;
        self.formatting.push(Formatting::Element { id, tag });
    }

    fn adoption_agency(&mut self, name: Name) {
        if let Some(current) = self.open.last().copied()
            && current.is(name)
            && self.formatting_position(current.id).is_none()
        {
            self.pop();
            return;
        }
        for _ in 0..8 {
            let Some((entry, id, tag)) = self.last_formatting(name) else {
                self.close_in_body(name);
                return;
            };
            let Some(index) = self.position(id) else {
                self.formatting.remove(entry);
                return;
            };
            if !self.in_scope(Element::ends_default_scope, |element| element.id == id) {
                return;
            }
            let furthest = self
                .open
                .iter()
                .enumerate()
                .skip(index)
                .find(|(_, element)| element.one_of(special));
            self.work = self
                .work
                .saturating_add(self.open.len().saturating_sub(index));
            let Some((furthest_index, furthest)) =
                furthest.map(|(index, element)| (index, *element))
            else {
                self.open.truncate(index);
                self.formatting.remove(entry);
                return;
            };
            self.adopt(id, tag, furthest_index, furthest.id);
        }
    }

    fn adopt(&mut self, id: u32, tag: Tag, furthest_index: usize, furthest: u32) {
        let mut bookmark = None;
        let mut index = furthest_index;
        let mut count: usize = 0;
        let mut last = furthest;
        while let Some(before) = index.checked_sub(1) {
            index = before;
            count = count.saturating_add(1);
            let Some(node) = self.open.get(index).copied() else {
                break;
            };
            if node.id == id {
                break;
            }
            let entry = self.formatting_position(node.id);
            if count > 3 {
                if let Some(entry) = entry {
                    self.formatting.remove(entry);
                }
                self.remove(index);
                continue;
            }
            let Some(entry) = entry else {
                self.remove(index);
                continue;
            };
            self.next_id = self.next_id.wrapping_add(1);
            let new = self.next_id;
            if let Some(Formatting::Element { id, .. }) = self.formatting.get_mut(entry) {
                *id = new;
            }
            if let Some(element) = self.open.get_mut(index) {
                element.id = new;
                element.namespace = Namespace::Html;
            }
            if last == furthest {
                bookmark = Some(new);
            }
            last = new;
        }
        self.next_id = self.next_id.wrapping_add(1);
        let new = Element {
            namespace: Namespace::Html,
            name: tag.name,
            id: self.next_id,
            annotation: false,
        };
        let entry = Formatting::Element { id: new.id, tag };
        let old = self.formatting_position(id);
        match bookmark.and_then(|after| self.formatting_position(after)) {
            None => {
                if let Some(slot) = old.and_then(|old| self.formatting.get_mut(old)) {
                    *slot = entry;
                }
            }
            Some(after) => {
                self.formatting.insert(after.saturating_add(1), entry);
                if let Some(old) = self.formatting_position(id) {
                    self.formatting.remove(old);
                }
            }
        }
        if let Some(index) = self.position(id) {
            self.remove(index);
        }
        if let Some(index) = self.position(furthest) {
            self.work = self
                .work
                .saturating_add(self.open.len().saturating_sub(index) / 8);
            self.open.insert(index.saturating_add(1), new);
        }
    }

    /// "Any other end tag" in body.
    fn close_in_body(&mut self, name: Name) {
        let mut found = None;
        for (index, element) in self.open.iter().enumerate().rev() {
            self.work = self.work.saturating_add(1);
            if element.is(name) {
                found = Some(index);
                break;
            }
            if element.one_of(special) {
                return;
            }
        }
        if let Some(index) = found {
            self.open.truncate(index);
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

    fn initial(&mut self, event: Event) -> Step {
        match event {
            Event::Space | Event::Comment => Step::Done,
            _ => {
                self.quirks = true;
                Step::Again(Mode::BeforeHtml)
            }
        }
    }

    fn before_html(&mut self, event: Event) -> Step {
        match event {
            Event::Space | Event::Comment => return Step::Done,
            Event::Tag(tag)
                if tag.end
                    && !matches!(
                        tag.name,
                        names::HEAD | names::BODY | names::HTML | names::BR
                    ) =>
            {
                return Step::Done;
            }
            Event::Tag(tag) if !tag.end && tag.name == names::HTML => {
                self.insert(tag);
                self.mode = Mode::BeforeHead;
                return Step::Done;
            }
            _ => {}
        }
        self.insert_phantom(names::HTML);
        Step::Again(Mode::BeforeHead)
    }

    fn before_head(&mut self, event: Event) -> Step {
        match event {
            Event::Space | Event::Comment => return Step::Done,
            Event::Tag(tag)
                if tag.end
                    && !matches!(
                        tag.name,
                        names::HEAD | names::BODY | names::HTML | names::BR
                    ) =>
            {
                return Step::Done;
            }
            Event::Tag(tag) if !tag.end && tag.name == names::HTML => return self.in_body(event),
            Event::Tag(tag) if !tag.end && tag.name == names::HEAD => {
                self.head = Some(self.insert(tag));
                self.mode = Mode::InHead;
                return Step::Done;
            }
            _ => {}
        }
        self.head = Some(self.insert_phantom(names::HEAD));
        Step::Again(Mode::InHead)
    }

    fn in_head(&mut self, event: Event) -> Step {
        let tag = match event {
            Event::Space | Event::Comment => return Step::Done,
            Event::Text | Event::Null => {
                self.pop();
                return Step::Again(Mode::AfterHead);
            }
            Event::Tag(tag) => tag,
        };
        if tag.end {
            match tag.name {
                names::HEAD => {
                    self.pop();
                    self.mode = Mode::AfterHead;
                }
                names::BODY | names::HTML | names::BR => {
                    self.pop();
                    return Step::Again(Mode::AfterHead);
                }
                names::TEMPLATE if self.any_open(names::TEMPLATE) => {
                    self.pop_implied_but(thorough_implied_end, None);
                    self.pop_until_named(names::TEMPLATE);
                    self.clear_formatting_to_marker();
                    self.templates.pop();
                    self.mode = self.reset_mode();
                }
                _ => {}
            }
            return Step::Done;
        }
        match tag.name {
            names::HTML => self.in_body(event),
            names::BASE
            | names::BASEFONT
            | names::BGSOUND
            | names::LINK
            | names::META
            | names::HEAD => Step::Done,
            names::TITLE => Step::Raw(Raw::Hidden),
            names::NOFRAMES => Step::Raw(Raw::Visible),
            names::STYLE => Step::Raw(Raw::Style),
            names::SCRIPT => Step::Raw(Raw::Script),
            names::NOSCRIPT => {
                self.insert(tag);
                self.mode = Mode::InHeadNoscript;
                Step::Done
            }
            names::TEMPLATE => {
                self.formatting.push(Formatting::Marker);
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.templates.push(Mode::InTemplate);
                self.insert(tag);
                Step::Done
            }
            _ => {
                self.pop();
                Step::Again(Mode::AfterHead)
            }
        }
    }

    fn in_head_noscript(&mut self, event: Event) -> Step {
        match event {
            Event::Space | Event::Comment => return Step::Done,
            Event::Tag(tag) if tag.end => match tag.name {
                names::NOSCRIPT => {
                    self.pop();
                    self.mode = Mode::InHead;
                    return Step::Done;
                }
                names::BR => {}
                _ => return Step::Done,
            },
            Event::Tag(tag) => match tag.name {
                names::HTML => return self.in_body(event),
                names::BASEFONT
                | names::BGSOUND
                | names::LINK
                | names::META
                | names::NOFRAMES
                | names::STYLE => {
                    return self.in_head(event);
                }
                names::HEAD | names::NOSCRIPT => return Step::Done,
                _ => {}
            },
            Event::Text | Event::Null => {}
        }
        self.pop();
        Step::Again(Mode::InHead)
    }

    fn after_head(&mut self, event: Event) -> Step {
        match event {
            Event::Space | Event::Comment => return Step::Done,
            Event::Tag(tag) if tag.end => match tag.name {
                names::TEMPLATE => return self.in_head(event),
                names::BODY | names::HTML | names::BR => {}
                _ => return Step::Done,
            },
            Event::Tag(tag) => match tag.name {
                names::HTML => return self.in_body(event),
                names::BODY => {
                    self.insert(tag);
                    self.frameset_ok = false;
                    self.mode = Mode::InBody;
                    return Step::Done;
                }
                names::FRAMESET => {
                    self.insert(tag);
                    self.mode = Mode::InFrameset;
                    return Step::Done;
                }
                names::BASE
                | names::BASEFONT
                | names::BGSOUND
                | names::LINK
                | names::META
                | names::NOFRAMES
                | names::SCRIPT
                | names::STYLE
                | names::TEMPLATE
                | names::TITLE => {
                    let Some(head) = self.head else {
                        return Step::Done;
                    };
                    self.open.push(head);
                    let step = self.in_head(event);
                    if let Some(index) = self.position(head.id) {
                        self.remove(index);
                    }
                    return step;
                }
                names::HEAD => return Step::Done,
                _ => {}
            },
            Event::Text | Event::Null => {}
        }
        self.insert_phantom(names::BODY);
        Step::Again(Mode::InBody)
    }

    fn after_body(&mut self, mode: Mode, event: Event) -> Step {
        match event {
            Event::Comment => Step::Done,
            Event::Space => self.in_body(event),
            Event::Tag(tag) if !tag.end && tag.name == names::HTML => self.in_body(event),
            Event::Tag(tag) if mode == Mode::AfterBody && tag.end && tag.name == names::HTML => {
                self.mode = Mode::AfterAfterBody;
                Step::Done
            }
            _ => Step::Again(Mode::InBody),
        }
    }

    fn frameset(&mut self, mode: Mode, event: Event) -> Step {
        let Event::Tag(tag) = event else {
            return match event {
                Event::Space if mode == Mode::AfterAfterFrameset => self.in_body(event),
                _ => Step::Done,
            };
        };
        match (tag.name, tag.end, mode) {
            (names::HTML, false, _) => return self.in_body(event),
            (names::NOFRAMES, false, _) => return self.in_head(event),
            (names::FRAMESET, false, Mode::InFrameset) => {
                self.insert(tag);
            }
            (names::FRAMESET, true, Mode::InFrameset) if self.open.len() > 1 => {
                self.pop();
                if !self.current_is(names::FRAMESET) {
                    self.mode = Mode::AfterFrameset;
                }
            }
            (names::HTML, true, Mode::AfterFrameset) => self.mode = Mode::AfterAfterFrameset,
            _ => {}
        }
        Step::Done
    }

    fn in_template_mode(&mut self, event: Event) -> Step {
        let Event::Tag(tag) = event else {
            return self.in_body(event);
        };
        if tag.end {
            return if tag.name == names::TEMPLATE {
                self.in_head(event)
            } else {
                Step::Done
            };
        }
        let mode = match tag.name {
            names::BASE
            | names::BASEFONT
            | names::BGSOUND
            | names::LINK
            | names::META
            | names::NOFRAMES
            | names::SCRIPT
            | names::STYLE
            | names::TEMPLATE
            | names::TITLE => return self.in_head(event),
            names::CAPTION | names::COLGROUP | names::TBODY | names::TFOOT | names::THEAD => {
                Mode::InTable
            }
            names::COL => Mode::InColumnGroup,
            names::TR => Mode::InTableBody,
            names::TD | names::TH => Mode::InRow,
            _ => Mode::InBody,
        };
        self.templates.pop();
        self.templates.push(mode);
        Step::Again(mode)
    }

    fn in_body(&mut self, event: Event) -> Step {
        match event {
            Event::Null | Event::Comment => Step::Done,
            Event::Space => {
                self.reconstruct();
                Step::Done
            }
            Event::Text => {
                self.reconstruct();
                self.frameset_ok = false;
                Step::Done
            }
            Event::Tag(tag) if tag.end => self.end_in_body(tag),
            Event::Tag(tag) => self.start_in_body(tag),
        }
    }

    fn start_in_body(&mut self, tag: Tag) -> Step {
        match tag.name {
            names::HTML => {}
            names::BASE
            | names::BASEFONT
            | names::BGSOUND
            | names::LINK
            | names::META
            | names::NOFRAMES
            | names::SCRIPT
            | names::STYLE
            | names::TEMPLATE
            | names::TITLE => return self.in_head(Event::Tag(tag)),
            names::BODY => {
                if self.has_body() && !self.in_template() {
                    self.frameset_ok = false;
                }
            }
            names::FRAMESET => {
                if self.frameset_ok && self.has_body() {
                    self.open.truncate(1);
                    self.insert(tag);
                    self.mode = Mode::InFrameset;
                }
            }
            names::ADDRESS
            | names::ARTICLE
            | names::ASIDE
            | names::BLOCKQUOTE
            | names::CENTER
            | names::DETAILS
            | names::DIALOG
            | names::DIR
            | names::DIV
            | names::DL
            | names::FIELDSET
            | names::FIGCAPTION
            | names::FIGURE
            | names::FOOTER
            | names::HEADER
            | names::HGROUP
            | names::MAIN
            | names::MENU
            | names::NAV
            | names::OL
            | names::P
            | names::SEARCH
            | names::SECTION
            | names::SUMMARY
            | names::UL => {
                self.close_p_in_button_scope();
                self.insert(tag);
            }
            name if heading(name) => {
                self.close_p_in_button_scope();
                if self.current_one_of(heading) {
                    self.pop();
                }
                self.insert(tag);
            }
            names::PRE | names::LISTING => {
                self.close_p_in_button_scope();
                self.insert(tag);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
            }
            names::FORM => {
                if self.form.is_none() || self.in_template() {
                    self.close_p_in_button_scope();
                    let id = self.insert(tag).id;
                    if !self.in_template() {
                        self.form = Some(id);
                    }
                }
            }
            names::LI | names::DD | names::DT => self.start_list_item(tag),
            names::PLAINTEXT => {
                self.close_p_in_button_scope();
                return Step::Raw(Raw::Plaintext);
            }
            names::BUTTON => {
                if self.in_default_scope(names::BUTTON) {
                    self.pop_implied();
                    self.pop_until_named(names::BUTTON);
                }
                self.reconstruct();
                self.insert(tag);
                self.frameset_ok = false;
            }
            names::A => {
                if let Some((_, id, _)) = self.last_formatting(names::A) {
                    self.adoption_agency(names::A);
                    if let Some(entry) = self.formatting_position(id) {
                        self.formatting.remove(entry);
                    }
                    if let Some(index) = self.position(id) {
                        self.remove(index);
                    }
                }
                self.reconstruct();
                self.insert_formatting(tag);
            }
            names::B
            | names::BIG
            | names::CODE
            | names::EM
            | names::FONT
            | names::I
            | names::S
            | names::SMALL
            | names::STRIKE
            | names::STRONG
            | names::TT
            | names::U => {
                self.reconstruct();
                self.insert_formatting(tag);
            }
            names::NOBR => {
                self.reconstruct();
                if self.in_default_scope(names::NOBR) {
                    self.adoption_agency(names::NOBR);
                    self.reconstruct();
                }
                self.insert_formatting(tag);
            }
            names::APPLET | names::MARQUEE | names::OBJECT => {
                self.reconstruct();
                self.insert(tag);
                self.formatting.push(Formatting::Marker);
                self.frameset_ok = false;
            }
            names::TABLE => {
                if !self.quirks {
                    self.close_p_in_button_scope();
                }
                self.insert(tag);
                self.frameset_ok = false;
                self.mode = Mode::InTable;
            }
            names::AREA
            | names::BR
            | names::EMBED
            | names::IMG
            | names::IMAGE
            | names::KEYGEN
            | names::WBR => {
                self.reconstruct();
                self.frameset_ok = false;
            }
            names::INPUT => {
                if self.in_default_scope(names::SELECT) {
                    self.pop_until_named(names::SELECT);
                }
                self.reconstruct();
                if !tag.hidden {
                    self.frameset_ok = false;
                }
            }
            names::PARAM | names::SOURCE | names::TRACK => {}
            names::HR => {
                self.close_p_in_button_scope();
                if self.in_default_scope(names::SELECT) {
                    self.pop_implied();
                }
                self.frameset_ok = false;
            }
            names::TEXTAREA => {
                self.frameset_ok = false;
                return Step::Raw(Raw::Hidden);
            }
            names::XMP => {
                self.close_p_in_button_scope();
                self.reconstruct();
                self.frameset_ok = false;
                return Step::Raw(Raw::Visible);
            }
            names::IFRAME => {
                self.frameset_ok = false;
                return Step::Raw(Raw::Visible);
            }
            names::NOEMBED => return Step::Raw(Raw::Visible),
            names::SELECT => {
                if self.in_default_scope(names::SELECT) {
                    self.pop_until_named(names::SELECT);
                } else {
                    self.reconstruct();
                    self.insert(tag);
                    self.frameset_ok = false;
                }
            }
            names::OPTION | names::OPTGROUP => {
                if self.in_default_scope(names::SELECT) {
                    let except = (tag.name == names::OPTION).then_some(names::OPTGROUP);
                    self.pop_implied_but(cursory_implied_end, except);
                } else if self.current_is(names::OPTION) {
                    self.pop();
                }
                self.reconstruct();
                self.insert(tag);
            }
            names::RB | names::RTC | names::RP | names::RT => {
                if self.in_default_scope(names::RUBY) {
                    let except = matches!(tag.name, names::RP | names::RT).then_some(names::RTC);
                    self.pop_implied_but(cursory_implied_end, except);
                }
                self.insert(tag);
            }
            names::MATH | names::SVG => {
                self.reconstruct();
                if !tag.self_closing {
                    self.push(
                        if tag.name == names::SVG {
                            Namespace::Svg
                        } else {
                            Namespace::MathMl
                        },
                        tag,
                    );
                }
            }
            names::CAPTION
            | names::COL
            | names::COLGROUP
            | names::FRAME
            | names::HEAD
            | names::TBODY
            | names::TD
            | names::TFOOT
            | names::TH
            | names::THEAD
            | names::TR => {}
            _ => {
                self.reconstruct();
                self.insert(tag);
            }
        }
        Step::Done
    }

    fn start_list_item(&mut self, tag: Tag) {
        let closes: fn(Name) -> bool = if tag.name == names::LI {
            |name| name == names::LI
        } else {
            |name| matches!(name, names::DD | names::DT)
        };
        self.frameset_ok = false;
        let mut close = None;
        for element in self.open.iter().rev() {
            self.work = self.work.saturating_add(1);
            if element.one_of(closes) {
                close = Some(element.name);
                break;
            }
            if element.one_of(|name| {
                special(name) && !matches!(name, names::ADDRESS | names::DIV | names::P)
            }) {
                break;
            }
        }
        if let Some(name) = close {
            self.pop_implied_but(cursory_implied_end, Some(name));
            self.pop_until_named(name);
        }
        self.close_p_in_button_scope();
        self.insert(tag);
    }

    fn end_in_body(&mut self, tag: Tag) -> Step {
        match tag.name {
            names::TEMPLATE => return self.in_head(Event::Tag(tag)),
            names::BODY => {
                if self.in_default_scope(names::BODY) {
                    self.mode = Mode::AfterBody;
                }
            }
            names::HTML => {
                if self.in_default_scope(names::BODY) {
                    return Step::Again(Mode::AfterBody);
                }
            }
            names::ADDRESS
            | names::ARTICLE
            | names::ASIDE
            | names::BLOCKQUOTE
            | names::BUTTON
            | names::CENTER
            | names::DETAILS
            | names::DIALOG
            | names::DIR
            | names::DIV
            | names::DL
            | names::FIELDSET
            | names::FIGCAPTION
            | names::FIGURE
            | names::FOOTER
            | names::HEADER
            | names::HGROUP
            | names::LISTING
            | names::MAIN
            | names::MENU
            | names::NAV
            | names::OL
            | names::PRE
            | names::SEARCH
            | names::SECTION
            | names::SELECT
            | names::SUMMARY
            | names::UL => {
                if self.in_default_scope(tag.name) {
                    self.pop_implied();
                    self.pop_until_named(tag.name);
                }
            }
            names::FORM => self.end_form(),
            names::P => {
                if !self.in_scope(Element::ends_button_scope, |element| element.is(names::P)) {
                    self.insert_phantom(names::P);
                }
                self.close_p();
            }
            names::LI | names::DD | names::DT => {
                let in_scope = if tag.name == names::LI {
                    self.in_scope(Element::ends_list_item_scope, |element| {
                        element.is(names::LI)
                    })
                } else {
                    self.in_default_scope(tag.name)
                };
                if in_scope {
                    self.pop_implied_but(cursory_implied_end, Some(tag.name));
                    self.pop_until_named(tag.name);
                }
            }
            name if heading(name) => {
                if self.in_scope(Element::ends_default_scope, |element| {
                    element.one_of(heading)
                }) {
                    self.pop_implied();
                    self.pop_until(|element| element.one_of(heading));
                }
            }
            names::A
            | names::B
            | names::BIG
            | names::CODE
            | names::EM
            | names::FONT
            | names::I
            | names::NOBR
            | names::S
            | names::SMALL
            | names::STRIKE
            | names::STRONG
            | names::TT
            | names::U => self.adoption_agency(tag.name),
            names::APPLET | names::MARQUEE | names::OBJECT => {
                if self.in_default_scope(tag.name) {
                    self.pop_implied();
                    self.pop_until_named(tag.name);
                    self.clear_formatting_to_marker();
                }
            }
            names::BR => return self.start_in_body(Tag::bare(names::BR)),
            name => self.close_in_body(name),
        }
        Step::Done
    }

    fn end_form(&mut self) {
        if self.in_template() {
            if self.in_default_scope(names::FORM) {
                self.pop_implied();
                self.pop_until_named(names::FORM);
            }
            return;
        }
        let Some(id) = self.form.take() else { return };
        if !self.in_scope(Element::ends_default_scope, |element| element.id == id) {
            return;
        }
        self.pop_implied();
        if let Some(index) = self.position(id) {
            self.remove(index);
        }
    }

    fn in_table(&mut self, event: Event) -> Step {
        let tag = match event {
            Event::Space | Event::Text | Event::Null => {
                if self.current_one_of(holds_table_text) {
                    self.original_mode = self.mode;
                    self.table_text = false;
                    return Step::Again(Mode::InTableText);
                }
                return self.in_body(event);
            }
            Event::Comment => return Step::Done,
            Event::Tag(tag) => tag,
        };
        if tag.end {
            match tag.name {
                names::TABLE => {
                    if self.in_table_scope(names::TABLE) {
                        self.pop_until_named(names::TABLE);
                        self.mode = self.reset_mode();
                    }
                    return Step::Done;
                }
                names::BODY
                | names::CAPTION
                | names::COL
                | names::COLGROUP
                | names::HTML
                | names::TBODY
                | names::TD
                | names::TFOOT
                | names::TH
                | names::THEAD
                | names::TR => return Step::Done,
                names::TEMPLATE => return self.in_head(event),
                _ => return self.in_body(event),
            }
        }
        match tag.name {
            names::CAPTION => {
                self.pop_while_not(table_context);
                self.formatting.push(Formatting::Marker);
                self.insert(tag);
                self.mode = Mode::InCaption;
            }
            names::COLGROUP => {
                self.pop_while_not(table_context);
                self.insert(tag);
                self.mode = Mode::InColumnGroup;
            }
            names::COL => {
                self.pop_while_not(table_context);
                self.insert_phantom(names::COLGROUP);
                return Step::Again(Mode::InColumnGroup);
            }
            names::TBODY | names::TFOOT | names::THEAD => {
                self.pop_while_not(table_context);
                self.insert(tag);
                self.mode = Mode::InTableBody;
            }
            names::TD | names::TH | names::TR => {
                self.pop_while_not(table_context);
                self.insert_phantom(names::TBODY);
                return Step::Again(Mode::InTableBody);
            }
            names::TABLE => {
                if self.in_table_scope(names::TABLE) {
                    self.pop_until_named(names::TABLE);
                    return Step::Again(self.reset_mode());
                }
            }
            names::STYLE | names::SCRIPT | names::TEMPLATE => return self.in_head(event),
            names::INPUT if tag.hidden => {}
            names::FORM => {
                if !self.in_template() && self.form.is_none() {
                    self.next_id = self.next_id.wrapping_add(1);
                    self.form = Some(self.next_id);
                }
            }
            _ => return self.in_body(event),
        }
        Step::Done
    }

    fn in_table_text(&mut self, event: Event) -> Step {
        match event {
            Event::Null | Event::Space => return Step::Done,
            Event::Text => {
                self.table_text = true;
                return Step::Done;
            }
            Event::Comment | Event::Tag(_) => {}
        }
        if self.table_text {
            self.in_body(Event::Text);
        }
        Step::Again(self.original_mode)
    }

    fn in_caption(&mut self, event: Event) -> Step {
        let Event::Tag(tag) = event else {
            return self.in_body(event);
        };
        match (tag.name, tag.end) {
            (names::TABLE | names::CAPTION, true)
            | (
                names::CAPTION
                | names::COL
                | names::COLGROUP
                | names::TBODY
                | names::TD
                | names::TFOOT
                | names::TH
                | names::THEAD
                | names::TR,
                false,
            ) => {
                if !self.in_table_scope(names::CAPTION) {
                    return Step::Done;
                }
                self.pop_implied();
                self.pop_until_named(names::CAPTION);
                self.clear_formatting_to_marker();
                if tag.end && tag.name == names::CAPTION {
                    self.mode = Mode::InTable;
                    return Step::Done;
                }
                Step::Again(Mode::InTable)
            }
            (
                names::BODY
                | names::COL
                | names::COLGROUP
                | names::HTML
                | names::TBODY
                | names::TD
                | names::TFOOT
                | names::TH
                | names::THEAD
                | names::TR,
                true,
            ) => Step::Done,
            _ => self.in_body(event),
        }
    }

    fn in_column_group(&mut self, event: Event) -> Step {
        match event {
            Event::Space | Event::Comment => return Step::Done,
            Event::Tag(tag) => match (tag.name, tag.end) {
                (names::HTML, false) => return self.in_body(event),
                (names::COL, _) => return Step::Done,
                (names::COLGROUP, true) => {
                    if self.current_is(names::COLGROUP) {
                        self.pop();
                        self.mode = Mode::InTable;
                    }
                    return Step::Done;
                }
                (names::TEMPLATE, _) => return self.in_head(event),
                _ => {}
            },
            Event::Text | Event::Null => {}
        }
        if self.current_is(names::COLGROUP) {
            self.pop();
            return Step::Again(Mode::InTable);
        }
        Step::Done
    }

    fn in_table_body(&mut self, event: Event) -> Step {
        let Event::Tag(tag) = event else {
            return self.in_table(event);
        };
        match (tag.name, tag.end) {
            (names::TR, false) => {
                self.pop_while_not(table_body_context);
                self.insert(tag);
                self.mode = Mode::InRow;
            }
            (names::TH | names::TD, false) => {
                self.pop_while_not(table_body_context);
                self.insert_phantom(names::TR);
                return Step::Again(Mode::InRow);
            }
            (names::TBODY | names::TFOOT | names::THEAD, true) => {
                if self.in_table_scope(tag.name) {
                    self.pop_while_not(table_body_context);
                    self.pop();
                    self.mode = Mode::InTable;
                }
            }
            (
                names::CAPTION
                | names::COL
                | names::COLGROUP
                | names::TBODY
                | names::TFOOT
                | names::THEAD,
                false,
            )
            | (names::TABLE, true) => {
                // As the oracle has it: `thead` is missing from its set.
                let outer = |name| matches!(name, names::TABLE | names::TBODY | names::TFOOT);
                if self.in_scope(Element::ends_table_scope, |element| element.one_of(outer)) {
                    self.pop_while_not(table_body_context);
                    self.pop();
                    return Step::Again(Mode::InTable);
                }
            }
            (
                names::BODY
                | names::CAPTION
                | names::COL
                | names::COLGROUP
                | names::HTML
                | names::TD
                | names::TH
                | names::TR,
                true,
            ) => {}
            _ => return self.in_table(event),
        }
        Step::Done
    }

    fn in_row(&mut self, event: Event) -> Step {
        let Event::Tag(tag) = event else {
            return self.in_table(event);
        };
        match (tag.name, tag.end) {
            (names::TH | names::TD, false) => {
                self.pop_while_not(table_row_context);
                self.insert(tag);
                self.mode = Mode::InCell;
                self.formatting.push(Formatting::Marker);
            }
            (names::TR, true) => {
                if self.in_table_scope(names::TR) {
                    self.pop_while_not(table_row_context);
                    self.pop();
                    self.mode = Mode::InTableBody;
                }
            }
            (
                names::CAPTION
                | names::COL
                | names::COLGROUP
                | names::TBODY
                | names::TFOOT
                | names::THEAD
                | names::TR,
                false,
            )
            | (names::TABLE, true) => return self.close_row(),
            (names::TBODY | names::TFOOT | names::THEAD, true) => {
                if self.in_table_scope(tag.name) {
                    return self.close_row();
                }
            }
            (
                names::BODY
                | names::CAPTION
                | names::COL
                | names::COLGROUP
                | names::HTML
                | names::TD
                | names::TH,
                true,
            ) => {}
            _ => return self.in_table(event),
        }
        Step::Done
    }

    fn close_row(&mut self) -> Step {
        if !self.in_table_scope(names::TR) {
            return Step::Done;
        }
        self.pop_while_not(table_row_context);
        self.pop();
        Step::Again(Mode::InTableBody)
    }

    fn in_cell(&mut self, event: Event) -> Step {
        let Event::Tag(tag) = event else {
            return self.in_body(event);
        };
        match (tag.name, tag.end) {
            (names::TD | names::TH, true) => {
                if self.in_table_scope(tag.name) {
                    self.pop_implied();
                    self.pop_until_named(tag.name);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            (
                names::CAPTION
                | names::COL
                | names::COLGROUP
                | names::TBODY
                | names::TD
                | names::TFOOT
                | names::TH
                | names::THEAD
                | names::TR,
                false,
            ) => {
                if self.in_scope(Element::ends_table_scope, |element| element.one_of(cell)) {
                    self.close_cell();
                    return Step::Again(Mode::InRow);
                }
                Step::Done
            }
            (names::BODY | names::CAPTION | names::COL | names::COLGROUP | names::HTML, true) => {
                Step::Done
            }
            (names::TABLE | names::TBODY | names::TFOOT | names::THEAD | names::TR, true) => {
                if self.in_table_scope(tag.name) {
                    self.close_cell();
                    return Step::Again(Mode::InRow);
                }
                Step::Done
            }
            _ => self.in_body(event),
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

fn leaves_foreign_content(name: Name) -> bool {
    matches!(
        name,
        names::B
            | names::BIG
            | names::BLOCKQUOTE
            | names::BODY
            | names::BR
            | names::CENTER
            | names::CODE
            | names::DD
            | names::DIV
            | names::DL
            | names::DT
            | names::EM
            | names::EMBED
            | names::H1
            | names::H2
            | names::H3
            | names::H4
            | names::H5
            | names::H6
            | names::HEAD
            | names::HR
            | names::I
            | names::IMG
            | names::LI
            | names::LISTING
            | names::MENU
            | names::META
            | names::NOBR
            | names::OL
            | names::P
            | names::PRE
            | names::RUBY
            | names::S
            | names::SMALL
            | names::SPAN
            | names::STRONG
            | names::STRIKE
            | names::SUB
            | names::SUP
            | names::TABLE
            | names::TT
            | names::U
            | names::UL
            | names::VAR
    )
}
