//! Turns the arguments of a command into a task.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use franking::{Blacklists, DomainRoles, DomainSet, Operation, Policy};

use crate::arguments::{Command, Input, OfCalls, Redecide, Results};
use crate::error::BulkError;
use crate::judge::{Judge, Listed};
use crate::summary::Done;
use crate::task::Task;
use crate::write::{Folder, Which};

/// The task of a command.
///
/// # Errors
/// A policy or a blacklist cannot be read.
pub(crate) fn task(command: Command) -> Result<Task, BulkError> {
    match command {
        Command::Check(check) => {
            let judge = Judge::Check {
                policy: read_policy(check.policy.as_deref())?,
                operation: check.operation.operation.map(Operation::from),
                all: check.all,
            };
            Ok(Task {
                operations: operations(check.operation),
                done: Done::Checked,
                ..new(
                    check.input,
                    "body",
                    judge,
                    check.refused_only,
                    check.results,
                )
            })
        }
        Command::Compare(compare) => {
            let judge = Judge::Compare {
                before: read_policy(compare.before.as_deref())?,
                policy: read_policy(Some(&compare.policy))?,
                operation: compare.operation.operation.map(Operation::from),
            };
            Ok(Task {
                operations: operations(compare.operation),
                ..new(
                    compare.input,
                    "body",
                    judge,
                    compare.changed_only,
                    compare.results,
                )
            })
        }
        Command::Redecide(redecide) => {
            let policy = redecide.policy.as_deref();
            let judge = Judge::Redecide {
                policy: policy.map(|path| read_policy(Some(path))).transpose()?,
                blacklists: blacklists(&redecide)?,
            };
            Ok(new(
                redecide.input,
                "transcript",
                judge,
                redecide.changed_only,
                redecide.results,
            ))
        }
        Command::Convert(convert) => {
            let results = Results {
                out: Some(convert.out),
                form: convert.form,
                svg: None,
                json: false,
            };
            Ok(Task {
                operations: convert.operation_column,
                done: Done::Converted,
                which: Which {
                    notable_only: false,
                    has_rows: false,
                },
                ..new(convert.input, "body", Judge::Convert, false, results)
            })
        }
    }
}

/// A task that decides calls a second time. `column` is the column of calls if the arguments name none.
fn new(input: Input, column: &str, judge: Judge, notable_only: bool, results: Results) -> Task {
    Task {
        column: input.column.clone().unwrap_or_else(|| column.to_owned()),
        input,
        operations: None,
        judge,
        done: Done::DecidedAgain,
        which: Which {
            notable_only,
            has_rows: true,
        },
        folder: results.out.map(|path| Folder::new(path, results.form)),
        svg: results.svg,
        json: results.json,
    }
}

/// The column of operations, unless all calls have one.
fn operations(of: OfCalls) -> Option<String> {
    match of.operation {
        Some(_) => None,
        None => Some(
            of.operation_column
                .unwrap_or_else(|| "operation".to_owned()),
        ),
    }
}

fn blacklists(redecide: &Redecide) -> Result<Option<Listed>, BulkError> {
    let lists = &redecide.blacklists;
    let paths = [
        &lists.blacklist_sender,
        &lists.blacklist_reply_to,
        &lists.blacklist_recipient,
        &lists.blacklist_content,
    ];
    let mut roles = DomainRoles::NONE;
    for (role, path) in DomainRoles::ALL.iter().zip(paths) {
        if path.is_some() {
            roles |= *role;
        }
    }
    let read = |path: Option<&Path>| path.map_or_else(|| Ok(DomainSet::new()), read_blacklist);
    let [sender, reply_to, recipient, content] = paths.map(|path| read(path.as_deref()));
    let sets = Blacklists {
        sender: sender?,
        reply_to: reply_to?,
        recipient: recipient?,
        content: content?,
    };
    Ok((!roles.is_empty()).then(|| Listed {
        roles,
        sets: Arc::new(sets),
    }))
}

/// The policy in a file; without a file, the default policy.
fn read_policy(path: Option<&Path>) -> Result<Policy, BulkError> {
    let Some(path) = path else {
        return Ok(Policy::default());
    };
    let text = fs::read_to_string(path).map_err(BulkError::read(path))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Policy::from_json(text).map_err(|error| BulkError::form(path, "policy", &error))
}

/// The domains of a file, one on each line. Blank lines and those that begin with `#` are skipped.
fn read_blacklist(path: &Path) -> Result<DomainSet, BulkError> {
    let text = fs::read_to_string(path).map_err(BulkError::read(path))?;
    let lines = text.lines().map(str::trim);
    let entries = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    DomainSet::from_entries(entries)
        .map_err(|error| BulkError::form(path, "list of domains", &error))
}
