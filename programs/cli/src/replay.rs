//! `franking replay`: replays a transcript, and shows the decision.

use franking::Transcript;

use crate::Status;
use crate::arguments::Replay;
use crate::error::CommandError;
use crate::input::read_text;
use crate::output::Output;
use crate::visible::visible;

pub(crate) fn run(options: &Replay, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let failed = |error: franking::TranscriptError| CommandError::Form {
        path: options.file.clone(),
        what: "transcript that can be replayed",
        reason: error.to_string(),
    };
    let transcript = Transcript::from_json(&read_text(&options.file)?).map_err(failed)?;
    if options.masked {
        output.line(&transcript.to_masked_json())?;
        return Ok(Status::Fine);
    }
    if options.masked_key {
        output.line(&transcript.with_masked_key().to_json())?;
        return Ok(Status::Fine);
    }
    let replay = transcript.replay().map_err(failed)?;
    for (number, step) in replay.steps.iter().enumerate() {
        let came = match step {
            Ok(()) => "taken".to_string(),
            Err(misuse) => visible(&misuse.to_string()),
        };
        output.line(&format!("step {number}: {came}"))?;
    }
    let Some(decision) = replay.decision else {
        output.line("not decided yet")?;
        return Ok(Status::Wrong);
    };
    output.line(&decision)?;
    let decision: serde_json::Value = serde_json::from_str(&decision).unwrap_or_default();
    Ok(
        if decision.get("code").and_then(serde_json::Value::as_u64) == Some(200) {
            Status::Fine
        } else {
            Status::Wrong
        },
    )
}
