//! `franking decide`: decides calls with a host that a file describes.

use franking::{Call, Policy, Preflight, Recorder};

use crate::arguments::Decide;
use crate::error::CommandError;
use crate::input::{Body, Source, files, label, read_policy, read_text};
use crate::output::Output;
use crate::{Status, World, narrate};

pub(crate) fn run(options: &Decide, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let form = |reason: String| CommandError::Form {
        path: options.world.clone(),
        what: "world",
        reason,
    };
    let world = read_text(&options.world)?;
    let world: serde_json::Value =
        serde_json::from_str(&world).map_err(|error| form(error.to_string()))?;
    let policy = read_policy(options.policy.as_deref())?;
    let source = Source {
        operation: options.operation.map(Into::into),
        lines: false,
    };
    let mut status = Status::Fine;
    for path in files(&options.files)? {
        source.read(&path, &mut |body| {
            let mut world = World::new(&world, body.operation).map_err(form)?;
            let decided = if options.transcript {
                record(&policy, &body, &mut world, output)?
            } else {
                tell(&policy, &body, &mut world, output)?
            };
            status = status.and(decided);
            Ok(())
        })?;
    }
    Ok(status)
}

/// Decides a call, and shows each step.
fn tell(
    policy: &Policy,
    body: &Body,
    world: &mut World,
    output: &mut Output<'_>,
) -> Result<Status, CommandError> {
    let label = label(&body.path);
    let line = body.line.unwrap_or(1);
    narrate::title(output, &body.label(), body.operation, body.bytes.len())?;
    let mut call = Call::new(policy, body.operation, "POST", &*body.bytes);
    narrate::drive(output, &mut call, |step| Ok(world.answer(step)))?;
    let Some(decision) = call.decision() else {
        return Ok(Status::Wrong);
    };
    narrate::decision(output, &label, line, &decision, &body.bytes)?;
    if decision.is_accepted() {
        return Ok(Status::Fine);
    }
    let preflight = Preflight::new(policy, body.operation, &*body.bytes);
    narrate::others(output, &label, line, &preflight, &decision)?;
    Ok(Status::Wrong)
}

/// Decides a call, and writes its transcript.
fn record(
    policy: &Policy,
    body: &Body,
    world: &mut World,
    output: &mut Output<'_>,
) -> Result<Status, CommandError> {
    let mut recorder = Recorder::new(policy, body.operation, "POST", &*body.bytes);
    while let Some(answer) = world.answer(&recorder.step()) {
        if recorder.answer(answer).is_err() {
            // The answer was not taken. The transcript records it.
            break;
        }
    }
    output.line(&recorder.transcript().to_json())?;
    let is_accepted = recorder
        .call()
        .decision()
        .is_some_and(|decision| decision.is_accepted());
    Ok(if is_accepted {
        Status::Fine
    } else {
        Status::Wrong
    })
}
