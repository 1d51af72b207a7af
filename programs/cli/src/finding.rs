//! Shows a violation or a warning as compilers show errors: with the place underlined, and with what to do.

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use franking::{Operation, Rule, Violation, Warning, WarningKind, address};
use std::borrow::Cow;
use std::ops::Range;

use crate::excerpt::excerpt;
use crate::part::{Part, part_of};
use crate::places::Places;
use crate::visible::{columns, cut_start, visible};

/// The most columns that a JSON Pointer gets next to the place that it names.
const POINTER_ROOM: usize = 40;
/// The columns before a line of source, apart from its number: the frame.
const FRAME: usize = 6;

const QUOTE: &[u8] = b"\"";

/// The place of a body that a finding is about.
struct Marked {
    /// The text next to it: the place as a JSON Pointer, or what is wrong there.
    label: String,
    span: Range<usize>,
    part: Part,
}

/// A violation or a warning, ready to be shown.
pub(crate) struct Finding {
    level: Level<'static>,
    /// The identifier of the rule or warning.
    id: &'static str,
    title: String,
    marked: Option<Marked>,
    /// Whether it is about an invalid address. If so, it also says what is wrong with the address.
    is_of_address: bool,
    note: Option<String>,
    help: Option<String>,
}

impl Finding {
    pub(crate) fn of_violation(violation: &Violation<'_>, operation: Operation) -> Self {
        let code = violation.code();
        let meaning = code.meaning(operation).unwrap_or_default();
        let rule = violation.rule();
        // Where and why reading stopped is shown at the place, not in the help.
        let stopped = violation.stopped_at().zip(violation.stopped_because());
        let (marked, help) = match stopped {
            Some((at, reason)) => {
                let marked = marked(Some(reason.to_string()), Some(at..at + 1), Part::Token);
                (marked, rule.remedy_on(operation).to_string())
            }
            None => {
                let marked = marked(violation.pointer(), violation.span(), part(rule));
                (marked, violation.remedy())
            }
        };
        Self {
            level: Level::ERROR,
            id: rule.identifier(),
            title: rule.meaning().to_string(),
            marked,
            is_of_address: matches!(
                rule,
                Rule::RecipientMalformed | Rule::SenderMalformed | Rule::ReplyToMalformed
            ),
            note: Some(format!("{} answers {code}: {meaning}", operation.name())),
            help: Some(help),
        }
    }

    /// A violation in a masked transcript. It has a place only if the transcript says so.
    pub(crate) fn of_rule(
        rule: Rule,
        operation: Operation,
        pointer: Option<String>,
        span: Option<Range<usize>>,
    ) -> Self {
        let note = rule.code(operation).map(|code| {
            let meaning = code.meaning(operation).unwrap_or_default();
            format!("{} answers {code}: {meaning}", operation.name())
        });
        Self {
            level: Level::ERROR,
            id: rule.identifier(),
            title: rule.meaning().to_string(),
            marked: marked(pointer, span, part(rule)),
            // A masked address does not show what is wrong with it.
            is_of_address: false,
            note,
            help: Some(rule.remedy_on(operation).to_string()),
        }
    }

    pub(crate) fn of_warning(warning: &Warning) -> Self {
        // The field that was probably meant is shown in the help, not in the title.
        let meant = match warning.kind() {
            WarningKind::FieldUnknown => warning.detail(),
            _ => None,
        };
        Self {
            level: Level::WARNING,
            id: warning.kind().identifier(),
            title: match meant {
                Some(_) => warning.kind().meaning().to_string(),
                None => visible(warning.message().trim_end_matches('.')),
            },
            marked: marked(
                warning.pointer().map(str::to_string),
                warning.span(),
                match warning.kind() {
                    WarningKind::FieldUnknown | WarningKind::KeyInRequest => Part::Name,
                    _ => Part::Value,
                },
            ),
            is_of_address: false,
            note: None,
            help: meant.map(|name| format!("{} was probably meant", visible(name))),
        }
    }

    /// Sets the note, which is shown below the place.
    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.note = Some(note);
        self
    }

    /// The finding as text with colours, without a line break at its end. `label` is the name of the file, and `line` is the
    /// number of the body's first line in it.
    pub(crate) fn render(
        &self,
        label: &str,
        line: usize,
        places: &Places<'_>,
        width: usize,
    ) -> String {
        let title = self.level.clone().primary_title(&self.title).id(self.id);
        let mut group = Group::with_title(title);
        let shown = self.marked.as_ref().map(|marked| {
            let (span, is_lacking) = part_of(places.body(), marked.span.clone(), marked.part);
            let label = visible(&marked.label);
            let label = match marked.part {
                // A reason is shown whole. Of a long pointer, the end is the most useful part.
                Part::Token => label,
                _ => cut_start(&label, POINTER_ROOM).into_owned(),
            };
            let label = if is_lacking && !label.is_empty() {
                format!("lacks {label}")
            } else {
                label
            };
            let available = width.saturating_sub(FRAME + digits(line + places.body().len()));
            (excerpt(places, span, available, columns(&label) + 1), label)
        });
        // The columns of a cut line are not those of the file. The renderer would count in the cut line, so the place
        // is added to its text below.
        let mut place = None;
        group = match shown {
            None => group.element(Origin::path(label)),
            Some((excerpt, label)) => {
                let number = line + excerpt.place.line;
                place = Some((number, excerpt.place.column + 1));
                let annotation = AnnotationKind::Primary.span(excerpt.marked);
                let annotation = if label.is_empty() {
                    annotation
                } else {
                    annotation.label(label)
                };
                group.element(
                    Snippet::source(excerpt.text)
                        .line_start(number)
                        .annotation(annotation),
                )
            }
        };
        let span = self.marked.as_ref().map(|marked| marked.span.clone());
        if let Some(reason) = span
            .filter(|_| self.is_of_address)
            .and_then(|span| fault_of_address(places.body(), span))
        {
            group = group.element(Level::NOTE.message(reason));
        }
        if let Some(note) = &self.note {
            group = group.element(Level::NOTE.message(note));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help));
        }
        let text = Renderer::styled().term_width(width).render(&[group]);
        match (place, text.split_once('\n')) {
            (Some((line, column)), Some((title, rest))) => {
                let indent = " ".repeat(digits(line));
                let style = DEFAULT_LINE_NUM_STYLE;
                format!("{title}\n{indent}{style}-->{style:#} {label}:{line}:{column}\n{rest}")
            }
            _ => text,
        }
    }
}

fn marked(label: Option<String>, span: Option<Range<usize>>, part: Part) -> Option<Marked> {
    Some(Marked {
        label: label?,
        span: span?,
        part,
    })
}

/// The part of its place that a rule is about.
fn part(rule: Rule) -> Part {
    match rule {
        Rule::FieldRepeated => Part::Name,
        Rule::KeyMissing
        | Rule::RequestsMissing
        | Rule::SubjectMissing
        | Rule::HtmlMissing
        | Rule::SenderMissing
        | Rule::MailerMissing => Part::Lacking,
        // Its pointer is that of the object, because any of several members would do.
        Rule::RecipientMissing => Part::Opening,
        _ => Part::Value,
    }
}

/// Why the text in these bytes of a body is not a valid address.
fn fault_of_address(body: &[u8], span: Range<usize>) -> Option<String> {
    let written = body.get(span)?;
    // An entry of a list has no quotes of its own: they are around the list.
    let quoted = if written.starts_with(QUOTE) {
        Cow::Borrowed(written)
    } else {
        Cow::Owned([QUOTE, written, QUOTE].concat())
    };
    let text: String = serde_json::from_slice(&quoted).ok()?;
    let fault = address::parse(text.trim()).err()?;
    Some(fault.to_string())
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
