//! End tags in the insertion mode "in body" (WHATWG HTML, section 13.2.6.4.7).

use super::super::names::{self, Name};
use super::elements::{Element, cursory_implied_end, heading, special};
use super::{Event, Mode, Step, Tag, Tree};

impl Tree {
    pub(super) fn end_in_body(&mut self, tag: Tag) -> Step {
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

    pub(super) fn end_form(&mut self) {
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

    /// "Any other end tag" in body.
    pub(super) fn close_in_body(&mut self, name: Name) {
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
}
