//! Checks calls.

use core::ops::Range;

use franking::{Operation, Policy, Preflight, RULES_VERSION};
use sha2::{Digest as _, Sha256};

use crate::array::{Array, Type};
use crate::error::ColumnError;
use crate::found::Found;
use crate::input::{Names, Rows, Streams};
use crate::interface::{ArrowArrayStream, Owned};
use crate::stream::{Work, stream};

/// The names of all operations, for an error.
const NAMES: &str = "sendMailer, httpSendMail";

/// How columns of calls are checked.
#[derive(Clone, Debug)]
pub struct Checks {
    /// The settings.
    pub policy: Policy,
    /// The operation of all calls. None: each row has its own, by its name, in the column `operation`.
    pub operation: Option<Operation>,
    /// Whether there is a column of all violations of each call, as many as the JSON form lists.
    pub all: bool,
    /// How many threads work on a batch.
    pub threads: usize,
}

/// A stream that checks the calls of other ones, one after the other, batch by batch, as they are asked for.
///
/// A batch of it has, for each row: `code`, `rule`, `pointer`, `start`, `end` and `request` of the first violation, and the numbers
/// `violations` and `warnings`; and `all`, if that is asked for. A call without violations has the code 200. A row without body or
/// without operation is null in each column. The metadata of its schema are `franking.rules`, the version of the rules, and
/// `franking.policy`, the SHA-256 of the policy's JSON form. Whatever fails is the error of the stream.
///
/// # Errors
///
/// The first stream has no such columns, or fails at once.
///
/// # Safety
///
/// Each stream is as Arrow's C stream interface has it, and so is whatever it gives.
pub unsafe fn preflight(
    checks: Checks,
    streams: Streams,
) -> Result<Owned<ArrowArrayStream>, ColumnError> {
    let names = Names {
        text: "body",
        has_operations: checks.operation.is_none(),
    };
    let threads = checks.threads;
    // SAFETY: as demanded of the caller.
    unsafe { stream(checks, threads, streams, names) }
}

/// By which rules and which policy something was found.
pub(crate) fn metadata(policy: Option<&Policy>) -> Vec<(String, String)> {
    let rules = ("franking.rules".to_owned(), RULES_VERSION.to_string());
    let policy = policy.map(|policy| {
        let digest = Sha256::digest(policy.to_json());
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        ("franking.policy".to_owned(), digest)
    });
    [rules].into_iter().chain(policy).collect()
}

impl Work for Checks {
    fn result_type(&self) -> Type {
        Found::batch_type(self.all, metadata(Some(&self.policy)))
    }

    fn done(&self, rows: &Rows<'_>, part: Range<usize>, before: u64) -> Result<Array, ColumnError> {
        let mut found = Found::new(self.all);
        for row in part {
            let Some(call) = rows.get(row)? else {
                found.push(None)?;
                continue;
            };
            let operation = match (self.operation, call.operation) {
                (Some(operation), _) => operation,
                (None, name) => name.and_then(operation_of).ok_or_else(|| {
                    let row = u64::try_from(row).unwrap_or(u64::MAX);
                    ColumnError::Operation {
                        row: before.saturating_add(row),
                        names: NAMES,
                    }
                })?,
            };
            found.push(Some(&Preflight::new(&self.policy, operation, call.text)))?;
        }
        found.into_array()
    }
}

fn operation_of(name: &[u8]) -> Option<Operation> {
    let mut all = Operation::ALL.iter().copied();
    all.find(|operation| operation.name().as_bytes() == name)
}
