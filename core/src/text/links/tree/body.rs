//! The insertion mode "in body" (WHATWG HTML, section 13.2.6.4.7).

use super::super::names::{self, Name};
use super::super::tokenizer::Raw;
use super::elements::{Namespace, cursory_implied_end, heading, special};
use super::{Event, Formatting, Mode, Step, Tag, Tree};

impl Tree {
    pub(super) fn in_body(&mut self, event: Event) -> Step {
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

    pub(super) fn start_in_body(&mut self, tag: Tag) -> Step {
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

    pub(super) fn start_list_item(&mut self, tag: Tag) {
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
}
