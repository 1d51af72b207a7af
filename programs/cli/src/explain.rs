//! `franking explain`: what happened to a recorded call, and the result of each rule.

use franking::{Call, Judgement, Transcript, TranscriptError};

use crate::Status;
use crate::arguments::Explain;
use crate::error::CommandError;
use crate::input::{label, read_text};
use crate::output::Output;
use crate::{masked, narrate};

pub(crate) fn run(options: &Explain, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let text = read_text(&options.file)?;
    let failed = |error: TranscriptError| CommandError::Form {
        path: options.file.clone(),
        what: "transcript",
        reason: error.to_string(),
    };
    explain(&label(&options.file), &text, output, &failed)
}

/// Explains a transcript, masked or not. `failed` turns a fault of the transcript into an error.
pub(crate) fn explain(
    label: &str,
    text: &str,
    output: &mut Output<'_>,
    failed: &dyn Fn(TranscriptError) -> CommandError,
) -> Result<Status, CommandError> {
    let transcript = match Transcript::from_json(text) {
        Err(TranscriptError::Masked) => return masked::explain(label, text, output, failed),
        read => read.map_err(failed)?,
    };
    // Replaying checks that the recorded questions are those of the call.
    transcript.replay().map_err(failed)?;
    let operation = transcript.operation();
    let body = transcript.body();
    let mut call = Call::new(transcript.policy(), operation, transcript.method(), body);
    let mut answers = transcript.answers();
    narrate::title(output, label, operation, body.len())?;
    narrate::drive(output, &mut call, |_| {
        answers.next().transpose().map_err(failed)
    })?;
    let Some(decision) = call.decision() else {
        return Ok(Status::Wrong);
    };
    narrate::decision(output, "the body", 1, &decision, body)?;
    output.line("  rules, in the order in which they are judged")?;
    for explained in decision.explanation() {
        let rule = explained.rule.identifier();
        result(output, explained.judgement, explained.code.number(), rule)?;
    }
    Ok(if decision.is_accepted() {
        Status::Fine
    } else {
        Status::Wrong
    })
}

/// Shows the result of a rule.
pub(crate) fn result(
    output: &mut Output<'_>,
    judgement: Judgement,
    code: u16,
    rule: &str,
) -> Result<(), CommandError> {
    let mark = match judgement {
        Judgement::Kept => "✓",
        Judgement::Broken => "✗",
        Judgement::BrokenInPart => "±",
        Judgement::NotReached => "·",
    };
    let came = judgement.name().replace('-', " ");
    output.line(&format!("    {mark} {came:<15}{code} {rule}"))
}
