//! `franking explain`: what happened to a recorded call, and the result of each rule.

use franking::{Call, Judgement, Transcript, TranscriptError};

use crate::Status;
use crate::arguments::Explain;
use crate::error::CommandError;
use crate::input::{label, read_text};
use crate::narrate;
use crate::output::Output;

pub(crate) fn run(options: &Explain, output: &mut Output) -> Result<Status, CommandError> {
    let failed = |error: TranscriptError| CommandError::Form {
        path: options.file.clone(),
        what: "transcript that can be replayed",
        reason: error.to_string(),
    };
    let transcript = Transcript::from_json(&read_text(&options.file)?).map_err(failed)?;
    // Replaying checks that the recorded questions are those of the call.
    transcript.replay().map_err(failed)?;
    let operation = transcript.operation();
    let body = transcript.body();
    let mut call = Call::new(transcript.policy(), operation, transcript.method(), body);
    let mut answers = transcript.answers();
    narrate::title(output, &label(&options.file), operation, body.len())?;
    narrate::drive(output, &mut call, |_| {
        answers.next().transpose().map_err(failed)
    })?;
    let Some(decision) = call.decision() else {
        return Ok(Status::Wrong);
    };
    narrate::decision(output, "the body", 1, &decision, body)?;
    output.line("  rules, in the order in which they are judged")?;
    for explained in decision.explanation() {
        let mark = match explained.judgement {
            Judgement::Kept => "✓",
            Judgement::Broken => "✗",
            Judgement::BrokenInPart => "±",
            Judgement::NotReached => "·",
        };
        let came = explained.judgement.name().replace('-', " ");
        output.line(&format!(
            "    {mark} {came:<15}{} {}",
            explained.code,
            explained.rule.identifier()
        ))?;
    }
    Ok(if decision.is_accepted() {
        Status::Fine
    } else {
        Status::Wrong
    })
}
