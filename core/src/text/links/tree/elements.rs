//! Open elements, and the sets of them that the rules name.

use super::super::names::{self, Name};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Html,
    Svg,
    MathMl,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) namespace: Namespace,
    pub(super) name: Name,
    pub(super) id: u32,
    /// An `annotation-xml` that holds HTML.
    pub(super) annotation: bool,
}

impl Element {
    pub(super) fn is(&self, name: Name) -> bool {
        self.namespace == Namespace::Html && self.name == name
    }

    pub(super) fn one_of(&self, set: fn(Name) -> bool) -> bool {
        self.namespace == Namespace::Html && set(self.name)
    }

    pub(super) fn mathml_text_integration_point(&self) -> bool {
        self.namespace == Namespace::MathMl
            && matches!(
                self.name,
                names::MI | names::MO | names::MN | names::MS | names::MTEXT
            )
    }

    pub(super) fn svg_html_integration_point(&self) -> bool {
        self.namespace == Namespace::Svg
            && matches!(self.name, names::FOREIGNOBJECT | names::DESC | names::TITLE)
    }

    pub(super) fn ends_default_scope(&self) -> bool {
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

    pub(super) fn ends_list_item_scope(&self) -> bool {
        self.ends_default_scope() || self.is(names::OL) || self.is(names::UL)
    }

    pub(super) fn ends_button_scope(&self) -> bool {
        self.ends_default_scope() || self.is(names::BUTTON)
    }

    pub(super) fn ends_table_scope(&self) -> bool {
        self.one_of(|name| matches!(name, names::HTML | names::TABLE | names::TEMPLATE))
    }
}

pub(super) fn special(name: Name) -> bool {
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

pub(super) fn cursory_implied_end(name: Name) -> bool {
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

pub(super) fn thorough_implied_end(name: Name) -> bool {
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

pub(super) fn heading(name: Name) -> bool {
    matches!(
        name,
        names::H1 | names::H2 | names::H3 | names::H4 | names::H5 | names::H6
    )
}

pub(super) fn cell(name: Name) -> bool {
    matches!(name, names::TD | names::TH)
}

pub(super) fn table_body_context(name: Name) -> bool {
    matches!(
        name,
        names::TBODY | names::TFOOT | names::THEAD | names::TEMPLATE | names::HTML
    )
}

pub(super) fn table_row_context(name: Name) -> bool {
    matches!(name, names::TR | names::TEMPLATE | names::HTML)
}

pub(super) fn table_context(name: Name) -> bool {
    matches!(name, names::HTML | names::TABLE | names::TEMPLATE)
}

pub(super) fn holds_table_text(name: Name) -> bool {
    matches!(
        name,
        names::TABLE | names::TBODY | names::TFOOT | names::THEAD | names::TR
    )
}

pub(super) fn leaves_foreign_content(name: Name) -> bool {
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
