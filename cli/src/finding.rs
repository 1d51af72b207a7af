//! A violation or a warning as compilers show them: the place underlined, with what to do.

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use franking::{Operation, Violation, Warning};
use std::ops::Range;

use crate::excerpt::excerpt;
use crate::places::Places;
use crate::visible::{columns, cut_start, visible};

/// The columns that a JSON Pointer gets beside the place that it names.
const POINTER_ROOM: usize = 40;
/// The columns in front of a line of source: its number, and what draws the frame.
const FRAME: usize = 6;

/// A place of a body that something is said about.
struct Marked {
    pointer: String,
    span: Range<usize>,
}

/// Something that is said about a call.
pub(crate) struct Finding {
    level: Level<'static>,
    /// The identifier of the rule or warning.
    id: &'static str,
    title: String,
    marked: Option<Marked>,
    note: Option<String>,
    help: Option<String>,
}

impl Finding {
    pub(crate) fn of_violation(violation: &Violation<'_>, operation: Operation) -> Self {
        let code = violation.code();
        let meaning = code.meaning(operation).unwrap_or_default();
        let span = violation
            .stopped_at()
            .map(|at| at..at + 1)
            .or_else(|| violation.span());
        Self {
            level: Level::ERROR,
            id: violation.rule().identifier(),
            title: violation.rule().meaning().to_string(),
            marked: marked(violation.pointer(), span),
            note: Some(format!("{} answers {code}: {meaning}", operation.name())),
            help: Some(violation.remedy()),
        }
    }

    pub(crate) fn of_warning(warning: &Warning) -> Self {
        Self {
            level: Level::WARNING,
            id: warning.kind().identifier(),
            title: visible(warning.message().trim_end_matches('.')),
            marked: marked(warning.pointer().map(str::to_string), warning.span()),
            note: None,
            help: None,
        }
    }

    /// Adds a note, shown below the place.
    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.note = Some(note);
        self
    }

    /// The finding as text with colours, without a line break at its end. `line` is the number of the body's first line
    /// in the file `label`.
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
            let pointer = visible(&marked.pointer);
            let pointer = cut_start(&pointer, POINTER_ROOM).into_owned();
            let room = width.saturating_sub(FRAME + digits(line + places.body().len()));
            (
                excerpt(places, marked.span.clone(), room, columns(&pointer) + 1),
                pointer,
            )
        });
        // A line that is cut has other columns than the file: the place is written above it, and not by the renderer,
        // which would count in what it is given.
        let mut place = None;
        group = match shown {
            None => group.element(Origin::path(label)),
            Some((excerpt, pointer)) => {
                let number = line + excerpt.place.line;
                place = Some((number, excerpt.place.column + 1));
                let annotation = AnnotationKind::Primary.span(excerpt.marked);
                let annotation = if pointer.is_empty() {
                    annotation
                } else {
                    annotation.label(pointer)
                };
                group.element(
                    Snippet::source(excerpt.text)
                        .line_start(number)
                        .annotation(annotation),
                )
            }
        };
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

fn marked(pointer: Option<String>, span: Option<Range<usize>>) -> Option<Marked> {
    Some(Marked {
        pointer: pointer?,
        span: span?,
    })
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}
