//! Elements of SVG and MathML (WHATWG HTML, section 13.2.6.5).

use super::super::names;
use super::elements::{Namespace, leaves_foreign_content};
use super::{Event, Next, Step, Tree};

impl Tree {
    pub(super) fn is_foreign(&self, event: Event) -> bool {
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

    pub(super) fn step_foreign(&mut self, event: Event) -> Next {
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
}
