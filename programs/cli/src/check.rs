//! `franking check`: finds everything that is wrong with calls before they are sent.

use std::path::PathBuf;

use franking::{Account, Batch, Call, Policy, Preflight, Step};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use crate::Status;
use crate::arguments::{Check, MOST_SHOWN};
use crate::error::CommandError;
use crate::finding::Finding;
use crate::input::{Body, Source, files, read_policy, total};
use crate::output::Output;
use crate::places::Places;
use crate::sarif;

/// The number of bytes at which a batch of bodies is checked, on all cores.
const BATCH_BYTES: usize = 8 << 20;
/// The number of bodies at which a batch is checked, even if it has fewer bytes.
const BATCH_BODIES: usize = 1 << 14;
/// Progress is shown if there are at least this many bytes to read, or if their number is unknown.
const LONG: u64 = 32 << 20;

/// The format of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Sarif,
}

/// The settings with which bodies are checked and shown.
struct Checker {
    policy: Policy,
    form: Form,
    has_warnings: bool,
    most: usize,
    width: usize,
}

/// The results of checking bodies, in numbers.
#[derive(Clone, Copy, Default)]
struct Counts {
    bodies: u64,
    refused: u64,
    /// Partial batches of which something would be left out, and the rest accepted.
    in_part: u64,
    warnings: u64,
}

/// The result of checking one body.
struct CheckedBody {
    text: String,
    counts: Counts,
}

pub(crate) fn run(options: &Check, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let checker = Checker {
        policy: read_policy(options.policy.as_deref())?,
        form: match (options.json, options.sarif) {
            (true, _) => Form::Json,
            (_, true) => Form::Sarif,
            _ => Form::Text,
        },
        has_warnings: !options.no_warnings,
        most: options.most,
        width: output.width(),
    };
    let source = Source {
        operation: options.operation.map(Into::into),
        lines: options.lines,
    };
    let files = files(&options.files)?;
    let mut run = Run {
        checker: &checker,
        output,
        progress: progress(&files),
        batch: Vec::new(),
        batch_bytes: 0,
        counts: Counts::default(),
        has_result: false,
    };
    if checker.form == Form::Sarif {
        run.output.line(&sarif::head())?;
    }
    for path in &files {
        source.read(path, &mut |body| run.take(body))?;
    }
    run.check_batch()?;
    run.progress.finish_and_clear();
    let counts = run.counts;
    match checker.form {
        Form::Text => output.line(&summary(counts))?,
        Form::Json => {}
        Form::Sarif => output.line(sarif::TAIL)?,
    }
    Ok(if counts.refused == 0 && counts.in_part == 0 {
        Status::Fine
    } else {
        Status::Wrong
    })
}

/// Checks one body, and writes the result for people.
pub(crate) fn one(
    policy: &Policy,
    body: &Body,
    output: &mut Output<'_>,
) -> Result<(), CommandError> {
    let checker = Checker {
        policy: policy.clone(),
        form: Form::Text,
        has_warnings: true,
        most: MOST_SHOWN,
        width: output.width(),
    };
    let checked = checker.check(body);
    if !checked.text.is_empty() {
        output.line(&checked.text)?;
    }
    output.line(&summary(checked.counts))
}

/// Bodies on their way from files to the output, in order.
struct Run<'r, 'w> {
    checker: &'r Checker,
    output: &'r mut Output<'w>,
    progress: ProgressBar,
    batch: Vec<Body>,
    batch_bytes: usize,
    counts: Counts,
    /// Whether the SARIF log has a result already.
    has_result: bool,
}

impl Run<'_, '_> {
    fn take(&mut self, body: Body) -> Result<(), CommandError> {
        self.batch_bytes += body.bytes.len();
        self.batch.push(body);
        if self.batch_bytes >= BATCH_BYTES || self.batch.len() >= BATCH_BODIES {
            self.check_batch()?;
        }
        Ok(())
    }

    fn check_batch(&mut self) -> Result<(), CommandError> {
        let checked: Vec<CheckedBody> = self
            .batch
            .par_iter()
            .map(|body| self.checker.check(body))
            .collect();
        self.batch.clear();
        for CheckedBody { text, counts } in checked {
            self.counts.bodies += counts.bodies;
            self.counts.refused += counts.refused;
            self.counts.in_part += counts.in_part;
            self.counts.warnings += counts.warnings;
            if text.is_empty() {
                continue;
            }
            if self.checker.form == Form::Sarif && std::mem::replace(&mut self.has_result, true) {
                self.output.write(b",")?;
            }
            let output = &mut *self.output;
            self.progress.suspend(|| output.line(&text))?;
        }
        self.progress.inc(self.batch_bytes as u64);
        self.batch_bytes = 0;
        Ok(())
    }
}

impl Checker {
    fn check(&self, body: &Body) -> CheckedBody {
        let preflight = Preflight::new(&self.policy, body.operation, &*body.bytes);
        let is_clean = preflight.is_clean();
        let is_in_part = !is_clean && self.is_accepted_in_part(body);
        let warnings = if self.has_warnings {
            preflight.warnings().count() as u64
        } else {
            0
        };
        let text = match self.form {
            Form::Json => self.json(body, &preflight),
            _ if is_clean && warnings == 0 => String::new(),
            Form::Text => self.text(body, &preflight, is_in_part),
            Form::Sarif => sarif::results(body, &preflight, self.has_warnings),
        };
        CheckedBody {
            text,
            counts: Counts {
                bodies: 1,
                refused: u64::from(!is_clean && !is_in_part),
                in_part: u64::from(is_in_part),
                warnings,
            },
        }
    }

    /// Whether a body with violations is a partial batch of which the rest would be accepted, if every fact is favourable.
    fn is_accepted_in_part(&self, body: &Body) -> bool {
        if self.policy.batch() == Batch::Whole {
            return false;
        }
        let mut call = Call::new(&self.policy, body.operation, "POST", &*body.bytes);
        let answered = call.answer_account(Some(Account::default()));
        answered.is_ok() && matches!(call.step(), Step::Facts(_))
    }

    fn text(&self, body: &Body, preflight: &Preflight<'_>, is_in_part: bool) -> String {
        let label = crate::input::label(&body.path);
        let places = Places::new(&body.bytes);
        let line = body.line.unwrap_or(1);
        let mut text = String::new();
        let mut show = |finding: &Finding| {
            text.push_str(&finding.render(&label, line, &places, self.width));
            text.push_str("\n\n");
        };
        for violation in preflight.violations().take(self.most) {
            show(&Finding::of_violation(&violation, body.operation));
        }
        if self.has_warnings {
            for warning in preflight.warnings().take(self.most) {
                show(&Finding::of_warning(&warning));
            }
        }
        let first = preflight.violations().next();
        let verdict = match first {
            None => "is in order, with warnings".to_string(),
            Some(_) if is_in_part => "would be accepted in part".to_string(),
            Some(violation) => format!("would be refused with {}", violation.code()),
        };
        let left = preflight.violations().skip(self.most).count();
        text.push_str(&format!(
            "{}: this call of {} {verdict}",
            body.label(),
            body.operation.name()
        ));
        if left > 0 {
            text.push_str(&format!(
                "; {left} more violations are not shown (--most N)"
            ));
        }
        text.push('\n');
        text
    }

    fn json(&self, body: &Body, preflight: &Preflight<'_>) -> String {
        let mut listed = preflight.listed();
        let violations = listed.by_ref().map(|violation| JsonViolation {
            rule: violation.rule().identifier(),
            code: violation.code().number(),
            pointer: violation.pointer(),
            span: violation.span().map(|span| [span.start, span.end]),
            meaning: violation.rule().meaning(),
            remedy: violation.remedy(),
        });
        let warnings = preflight.warnings().map(|warning| JsonWarning {
            warning: warning.kind().identifier(),
            pointer: warning.pointer().map(str::to_string),
            span: warning.span().map(|span| [span.start, span.end]),
            message: warning.message(),
        });
        let document = JsonBody {
            file: body.path.to_string_lossy().into_owned(),
            line: body.line,
            operation: body.operation.name(),
            ok: preflight.is_clean(),
            code: preflight
                .violations()
                .next()
                .map_or(200, |violation| violation.code().number()),
            violations: violations.collect(),
            more: listed.more(),
            warnings: if self.has_warnings {
                warnings.collect()
            } else {
                Vec::new()
            },
        };
        // Texts and numbers can always be written.
        serde_json::to_string(&document).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct JsonBody {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    operation: &'static str,
    ok: bool,
    code: u16,
    violations: Vec<JsonViolation>,
    /// The number of violations that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    more: usize,
    warnings: Vec<JsonWarning>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Serialize)]
struct JsonViolation {
    rule: &'static str,
    code: u16,
    pointer: Option<String>,
    span: Option<[usize; 2]>,
    meaning: &'static str,
    remedy: String,
}

#[derive(Serialize)]
struct JsonWarning {
    warning: &'static str,
    pointer: Option<String>,
    span: Option<[usize; 2]>,
    message: String,
}

fn summary(counts: Counts) -> String {
    let calls = plural(counts.bodies, "call");
    let warnings = plural(counts.warnings, "warning");
    match (counts.refused, counts.in_part) {
        (0, 0) => format!("{calls}: nothing is wrong, {warnings}"),
        (refused, 0) => format!("{calls}: {refused} would be refused, {warnings}"),
        (refused, in_part) => {
            format!("{calls}: {refused} would be refused, {in_part} accepted in part, {warnings}")
        }
    }
}

fn plural(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// A progress bar on standard error. It is hidden if that is not a terminal, or if there is little to read.
fn progress(files: &[PathBuf]) -> ProgressBar {
    let total = total(files);
    if total.is_some_and(|total| total < LONG) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(4));
    let template = match total {
        Some(_) => {
            "{wide_bar} {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left"
        }
        None => "{spinner} {decimal_bytes}, {decimal_bytes_per_sec}",
    };
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
