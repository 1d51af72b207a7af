//! The insertion modes before, after and beside the body (WHATWG HTML, sections 13.2.6.4.1 to 6, 18 to 23).

use super::super::names;
use super::super::tokenizer::Raw;
use super::elements::thorough_implied_end;
use super::{Event, Formatting, Mode, Step, Tree};

impl Tree {
    pub(super) fn initial(&mut self, event: Event) -> Step {
        match event {
            Event::Space | Event::Comment => Step::Done,
            _ => {
                self.quirks = true;
                Step::Again(Mode::BeforeHtml)
            }
        }
    }

    pub(super) fn before_html(&mut self, event: Event) -> Step {
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

    pub(super) fn before_head(&mut self, event: Event) -> Step {
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

    pub(super) fn in_head(&mut self, event: Event) -> Step {
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

    pub(super) fn in_head_noscript(&mut self, event: Event) -> Step {
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

    pub(super) fn after_head(&mut self, event: Event) -> Step {
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

    pub(super) fn after_body(&mut self, mode: Mode, event: Event) -> Step {
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

    pub(super) fn frameset(&mut self, mode: Mode, event: Event) -> Step {
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

    pub(super) fn in_template_mode(&mut self, event: Event) -> Step {
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
}
