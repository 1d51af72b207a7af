//! Checking columns of calls.

use core::ops::Range;

use franking::{Operation, Policy, Preflight, RULES_VERSION};
use sha2::{Digest as _, Sha256};

use crate::array::{Array, Type};
use crate::error::ColumnError;
use crate::found::Found;
use crate::input::{Names, Rows, Streams};
use crate::interface::{ArrowArrayStream, Owned};
use crate::stream::{Work, stream};

/// The parameters for checking columns of calls.
#[derive(Clone, Debug)]
pub struct Checks {
    /// The settings.
    pub policy: Policy,
    /// The operation of all calls. If it is `None`, each row has the name of its own in the column `operation`.
    pub operation: Option<Operation>,
    /// Whether the result has the column `all`: for each call, the violations that [`Preflight::listed`] gives.
    pub all: bool,
    /// The number of threads that work on a batch.
    pub threads: usize,
}

/// Makes a stream that checks the calls of the given streams, one stream after the other. It reads a batch when the consumer asks for
/// the next result.
///
/// A result has one row for each call, with these columns: `code`, `rule`, `pointer`, `start`, `end` and `request` of the first violation;
/// the numbers `violations` and `warnings`; and `all`, if [`Checks::all`] is set. A call without violations has the code 200. A row
/// without a body or without an operation is null in every column. The metadata of the schema are `franking.rules`, the version of
/// the rules, and `franking.policy`, the SHA-256 of the policy's JSON form. A later failure is an error of the returned stream.
///
/// # Errors
///
/// The first stream lacks a column, has a column of another type, or fails at once.
///
/// # Safety
///
/// Each stream follows Arrow's C stream interface. So do the schemas and the arrays that it returns.
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

/// The metadata of a result: the version of the rules, and the digest of the policy.
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
                    }
                })?,
            };
            found.push(Some(&Preflight::new(&self.policy, operation, call.text)))?;
        }
        found.into_array()
    }
}

fn operation_of(name: &[u8]) -> Option<Operation> {
    Operation::from_name(core::str::from_utf8(name).ok()?)
}
