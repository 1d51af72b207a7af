//! The stack of open elements (WHATWG HTML, section 13.2.4.2).

use super::super::names::{self, Name};
use super::elements::{Element, Namespace, cell, cursory_implied_end};
use super::{Mode, Tag, Tree};

impl Tree {
    pub(super) fn push(&mut self, namespace: Namespace, tag: Tag) -> Element {
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

    pub(super) fn insert(&mut self, tag: Tag) -> Element {
        self.push(Namespace::Html, tag)
    }

    pub(super) fn insert_phantom(&mut self, name: Name) -> Element {
        self.push(Namespace::Html, Tag::bare(name))
    }

    pub(super) fn pop(&mut self) {
        self.open.pop();
    }

    pub(super) fn current_is(&self, name: Name) -> bool {
        self.open.last().is_some_and(|element| element.is(name))
    }

    pub(super) fn current_one_of(&self, set: fn(Name) -> bool) -> bool {
        self.open.last().is_some_and(|element| element.one_of(set))
    }

    /// Whether an element that `wanted` accepts is open above every element that `ends` accepts.
    pub(super) fn in_scope(
        &mut self,
        ends: fn(&Element) -> bool,
        wanted: impl Fn(&Element) -> bool,
    ) -> bool {
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

    pub(super) fn in_default_scope(&mut self, name: Name) -> bool {
        self.in_scope(Element::ends_default_scope, |element| element.is(name))
    }

    pub(super) fn in_table_scope(&mut self, name: Name) -> bool {
        self.in_scope(Element::ends_table_scope, |element| element.is(name))
    }

    pub(super) fn any_open(&mut self, name: Name) -> bool {
        self.work = self.work.saturating_add(self.open.len());
        self.open.iter().any(|element| element.is(name))
    }

    /// Whether a template is open: each one has an insertion mode of its own.
    pub(super) fn in_template(&mut self) -> bool {
        !self.templates.is_empty() && self.any_open(names::TEMPLATE)
    }

    pub(super) fn position(&mut self, id: u32) -> Option<usize> {
        let found = self.open.iter().rposition(|element| element.id == id);
        self.work = self
            .work
            .saturating_add(self.open.len().saturating_sub(found.unwrap_or(0)));
        found
    }

    pub(super) fn remove(&mut self, index: usize) {
        if index < self.open.len() {
            self.work = self
                .work
                .saturating_add(self.open.len().saturating_sub(index) / 8);
            self.open.remove(index);
        }
    }

    pub(super) fn pop_implied_but(&mut self, set: fn(Name) -> bool, except: Option<Name>) {
        while self
            .open
            .last()
            .is_some_and(|element| element.one_of(set) && Some(element.name) != except)
        {
            self.open.pop();
        }
    }

    pub(super) fn pop_implied(&mut self) {
        self.pop_implied_but(cursory_implied_end, None);
    }

    pub(super) fn pop_while_not(&mut self, set: fn(Name) -> bool) {
        while self.open.last().is_some_and(|element| !element.one_of(set)) {
            self.open.pop();
        }
    }

    /// Pops up to and with the first element that `wanted` accepts.
    pub(super) fn pop_until(&mut self, wanted: impl Fn(&Element) -> bool) {
        while let Some(element) = self.open.pop() {
            if wanted(&element) {
                return;
            }
        }
    }

    pub(super) fn pop_until_named(&mut self, name: Name) {
        self.pop_until(|element| element.is(name));
    }

    pub(super) fn close_p(&mut self) {
        self.pop_implied_but(cursory_implied_end, Some(names::P));
        self.pop_until_named(names::P);
    }

    pub(super) fn close_p_in_button_scope(&mut self) {
        if self.in_scope(Element::ends_button_scope, |element| element.is(names::P)) {
            self.close_p();
        }
    }

    pub(super) fn close_cell(&mut self) {
        self.pop_implied();
        self.pop_until(|element| element.one_of(cell));
        self.clear_formatting_to_marker();
    }

    pub(super) fn has_body(&self) -> bool {
        self.open
            .get(1)
            .is_some_and(|element| element.is(names::BODY))
    }

    pub(super) fn reset_mode(&mut self) -> Mode {
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
}
