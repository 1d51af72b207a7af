//! The insertion modes of tables (WHATWG HTML, sections 13.2.6.4.9 to 15).

use super::super::names;
use super::elements::{
    Element, cell, holds_table_text, table_body_context, table_context, table_row_context,
};
use super::{Event, Formatting, Mode, Step, Tree};

impl Tree {
    pub(super) fn in_table(&mut self, event: Event) -> Step {
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

    pub(super) fn in_table_text(&mut self, event: Event) -> Step {
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

    pub(super) fn in_caption(&mut self, event: Event) -> Step {
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

    pub(super) fn in_column_group(&mut self, event: Event) -> Step {
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

    pub(super) fn in_table_body(&mut self, event: Event) -> Step {
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

    pub(super) fn in_row(&mut self, event: Event) -> Step {
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

    pub(super) fn close_row(&mut self) -> Step {
        if !self.in_table_scope(names::TR) {
            return Step::Done;
        }
        self.pop_while_not(table_row_context);
        self.pop();
        Step::Again(Mode::InTableBody)
    }

    pub(super) fn in_cell(&mut self, event: Event) -> Step {
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
