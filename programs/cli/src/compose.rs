//! `franking compose`: writes the bodies of calls from their fields.

use franking::compose_json;

use crate::Status;
use crate::arguments::Compose;
use crate::error::CommandError;
use crate::input::{read_policy, read_text};
use crate::output::Output;

pub(crate) fn run(options: &Compose, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let policy = read_policy(options.policy.as_deref())?;
    let fields = read_text(&options.file)?;
    let calls = compose_json(&policy, options.operation.into(), &fields);
    let calls = calls.map_err(|error| CommandError::Form {
        path: options.file.clone(),
        what: "set of fields that a call can be made of",
        reason: error.to_string(),
    })?;
    for call in calls {
        output.line(&call)?;
    }
    Ok(Status::Fine)
}
