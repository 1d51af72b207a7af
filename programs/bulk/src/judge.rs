//! Judges batches of calls, by the columns of `franking-columns`.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array as _, ArrayRef, BooleanArray, DictionaryArray, RecordBatch, RecordBatchIterator,
    RecordBatchReader as _,
};
use arrow_cast::cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use franking::{Blacklists, DomainRoles, Operation, Policy, Rule};
use franking_columns::interface::{ArrowArrayStream, Owned};
use franking_columns::{Checks, ColumnError, Lists, Redecision, Streams};

use crate::read::{Calls, Wanted};
use crate::summary::{Outcome, SUCCESS, Summary};

/// The work to do on calls.
pub(crate) enum Judge {
    /// Check them.
    Check {
        policy: Policy,
        operation: Option<Operation>,
        all: bool,
    },
    /// Decide them again.
    Redecide {
        policy: Option<Policy>,
        blacklists: Option<Listed>,
    },
    /// Check them by two policies.
    Compare {
        before: Policy,
        policy: Policy,
        operation: Option<Operation>,
    },
    /// Pass them on as they are.
    Convert,
}

/// The current blacklists.
pub(crate) struct Listed {
    /// The roles that have a current blacklist. For other roles, the transcript's answers count.
    pub(crate) roles: DomainRoles,
    pub(crate) sets: Arc<Blacklists>,
}

impl Listed {
    /// The roles, and the domains of each list.
    fn settings(&self) -> Vec<String> {
        let Blacklists {
            sender,
            reply_to,
            recipient,
            content,
        } = &*self.sets;
        let lists = [sender, reply_to, recipient, content].map(|set| {
            let mut domains: Vec<_> = set.iter().collect();
            domains.sort_unstable();
            domains.join(" ")
        });
        let roles = self.roles.bits().to_string();
        core::iter::once(roles).chain(lists).collect()
    }
}

/// The findings of a batch.
pub(crate) struct Judged {
    /// A row for each call.
    pub(crate) columns: RecordBatch,
    /// Whether each call is refused or changed.
    pub(crate) notable: Option<BooleanArray>,
    pub(crate) summary: Summary,
}

impl Judge {
    /// Everything that the findings depend on, except the calls.
    pub(crate) fn settings(&self) -> Vec<String> {
        match self {
            Self::Check {
                policy,
                operation,
                all,
            } => vec![policy.to_json(), format!("check {operation:?} {all}")],
            Self::Compare {
                before,
                policy,
                operation,
            } => vec![
                before.to_json(),
                policy.to_json(),
                format!("compare {operation:?}"),
            ],
            Self::Redecide { policy, blacklists } => {
                let policy = policy.as_ref().map(Policy::to_json);
                let mut settings = vec![format!("redecide {policy:?}")];
                settings.extend(blacklists.iter().flat_map(Listed::settings));
                settings
            }
            Self::Convert => vec!["convert".to_owned()],
        }
    }

    /// Judges the calls of a batch.
    ///
    /// # Errors
    /// A column has a type that cannot be read, or no operation has a given name. The error's text is for people.
    pub(crate) fn judge(&self, calls: &Calls, wanted: &Wanted) -> Result<Judged, ArrowError> {
        match self {
            Self::Check {
                policy,
                operation,
                all,
            } => {
                let columns = checked(policy, *operation, *all, calls)?;
                let code = column::<Int32Type>(&columns, "code")?;
                let rule = rules(&columns, "rule")?;
                let is_refused = code.iter().map(|code| code.map(|code| code != SUCCESS));
                let mut summary = Summary::default();
                for row in 0..columns.num_rows() {
                    summary.count(code.is_valid(row).then(|| Outcome::Checked {
                        code: code.value(row),
                        rule: rule.at(row),
                    }));
                }
                summary.violations = sum(&columns, "violations")?;
                summary.warnings = sum(&columns, "warnings")?;
                Ok(Judged {
                    notable: Some(is_refused.collect()),
                    summary,
                    columns,
                })
            }
            Self::Redecide { policy, blacklists } => {
                let columns = redecided(policy.as_ref(), blacklists.as_ref(), calls)?;
                let code_then = column::<Int32Type>(&columns, "code_then")?;
                let code_now = column::<Int32Type>(&columns, "code_now")?;
                let rule_now = rules(&columns, "rule_now")?;
                let changed = columns.column_by_name("changed");
                let changed = changed.and_then(|own| own.as_boolean_opt());
                let changed = changed.cloned().ok_or_else(lacking)?;
                let needs = columns.column_by_name("needs");
                let needs = needs.and_then(|own| own.as_string_opt::<i32>());
                let needs = needs.cloned().ok_or_else(lacking)?;
                let nulls = calls.calls.logical_nulls();
                let is_call = |row| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
                let mut summary = Summary::default();
                for row in 0..columns.num_rows() {
                    if needs.is_valid(row) {
                        summary.count_need(needs.value(row));
                    } else {
                        // A transcript that lacks nothing was decided.
                        summary.count(is_call(row).then(|| Outcome::Twice {
                            then: code_then.is_valid(row).then(|| code_then.value(row)),
                            now: code_now.is_valid(row).then(|| code_now.value(row)),
                            rule: rule_now.at(row),
                        }));
                    }
                }
                Ok(Judged {
                    notable: Some(changed),
                    summary,
                    columns,
                })
            }
            Self::Compare {
                before,
                policy,
                operation,
            } => compared(before, policy, *operation, calls),
            Self::Convert => {
                let mut columns = vec![(wanted.calls.as_str(), text(&calls.calls)?, true)];
                if let (Some(name), Some(own)) = (&wanted.operations, &calls.operations) {
                    columns.push((name.as_str(), text(own)?, true));
                }
                Ok(Judged {
                    notable: None,
                    summary: Summary::of_calls(&calls.calls),
                    columns: RecordBatch::try_from_iter_with_nullable(columns)?,
                })
            }
        }
    }
}

/// Casts a column of calls, in any layout, to text.
fn text(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    cast_with_options(column, &DataType::LargeUtf8, &options).map_err(|_| {
        ArrowError::CastError("a call is not UTF-8, and cannot be written as text".to_owned())
    })
}

/// The findings of two policies, and whether their codes differ.
fn compared(
    before: &Policy,
    policy: &Policy,
    operation: Option<Operation>,
    calls: &Calls,
) -> Result<Judged, ArrowError> {
    let then = checked(before, operation, false, calls)?;
    let now = checked(policy, operation, false, calls)?;
    let code_then = column::<Int32Type>(&then, "code")?;
    let code_now = column::<Int32Type>(&now, "code")?;
    let rule_now = rules(&now, "rule")?;
    let mut summary = Summary::default();
    let mut changed = Vec::with_capacity(now.num_rows());
    for row in 0..now.num_rows() {
        let both = code_then.is_valid(row) && code_now.is_valid(row);
        let codes = both.then(|| (code_then.value(row), code_now.value(row)));
        changed.push(codes.map(|(then, now)| then != now));
        summary.count(codes.map(|(then, now)| Outcome::Twice {
            then: Some(then),
            now: Some(now),
            rule: rule_now.at(row),
        }));
    }
    let changed = BooleanArray::from(changed);
    let part =
        |columns: &RecordBatch, name| columns.column_by_name(name).cloned().ok_or_else(lacking);
    let columns = RecordBatch::try_from_iter_with_nullable([
        ("code_then", part(&then, "code")?, true),
        ("rule_then", part(&then, "rule")?, true),
        ("code_now", part(&now, "code")?, true),
        ("rule_now", part(&now, "rule")?, true),
        ("changed", Arc::new(changed.clone()) as ArrayRef, true),
    ])?;
    Ok(Judged {
        columns,
        notable: Some(changed),
        summary,
    })
}

fn checked(
    policy: &Policy,
    operation: Option<Operation>,
    all: bool,
    calls: &Calls,
) -> Result<RecordBatch, ArrowError> {
    let checks = Checks {
        policy: policy.clone(),
        operation,
        all,
        threads: 1,
    };
    let mut columns = vec![("body", Arc::clone(&calls.calls), true)];
    if let Some(operations) = &calls.operations {
        columns.push(("operation", Arc::clone(operations), true));
    }
    through(columns, |streams| {
        // SAFETY: the stream is one of Arrow's Rust library, which follows the interface.
        unsafe { franking_columns::preflight(checks, streams) }
    })
}

fn redecided(
    policy: Option<&Policy>,
    blacklists: Option<&Listed>,
    calls: &Calls,
) -> Result<RecordBatch, ArrowError> {
    let redecision = Redecision {
        policy: policy.cloned(),
        blacklists: blacklists.map(|listed| {
            let sets = Arc::clone(&listed.sets);
            Lists {
                roles: listed.roles,
                judge: Box::new(move |questions, facts| sets.answer(questions, facts)),
            }
        }),
        threads: 1,
    };
    let columns = vec![("transcript", Arc::clone(&calls.calls), true)];
    through(columns, |streams| {
        // SAFETY: as in `checked`.
        unsafe { franking_columns::redecide(redecision, streams) }
    })
}

/// Passes a batch to a function over Arrow's C interface, and returns the one batch that the function makes of it.
fn through(
    columns: Vec<(&str, ArrayRef, bool)>,
    judge: impl FnOnce(Streams) -> Result<Owned<ArrowArrayStream>, ColumnError>,
) -> Result<RecordBatch, ArrowError> {
    let batch = RecordBatch::try_from_iter_with_nullable(columns)?;
    let (schema, rows) = (batch.schema(), batch.num_rows());
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    let mut given = FFI_ArrowArrayStream::new(Box::new(reader));
    // SAFETY: both crates define the structure as the interface does, and nothing else owns this one.
    let given = unsafe { Owned::<ArrowArrayStream>::take((&raw mut given).cast()) };
    let made = judge(franking_columns::streams_of(given));
    let mut made = made
        .map_err(|error| ArrowError::CDataInterface(error.to_string()))?
        .give();
    // SAFETY: as above. The stream was made here, and is moved out of its place.
    let mut found = unsafe { RecordBatchStreamReader::from_raw((&raw mut made).cast()) }?;
    // A batch lacks the metadata that the schema of the stream has.
    let schema = found.schema();
    let found = found.next().transpose()?;
    let found =
        found.map(|found| RecordBatch::try_new(Arc::clone(&schema), found.columns().to_vec()));
    let found = found.unwrap_or_else(|| Ok(RecordBatch::new_empty(schema)))?;
    if found.num_rows() == rows {
        Ok(found)
    } else {
        Err(lacking())
    }
}

/// The error for a fault of the library or of this program.
fn lacking() -> ArrowError {
    ArrowError::CDataInterface("a fault of the program, please report it".to_owned())
}

/// A column of numbers.
fn column<T: arrow_array::ArrowPrimitiveType>(
    columns: &RecordBatch,
    name: &str,
) -> Result<arrow_array::PrimitiveArray<T>, ArrowError> {
    let found = columns.column_by_name(name);
    let found = found.and_then(|own| own.as_primitive_opt::<T>());
    found.cloned().ok_or_else(lacking)
}

/// A column of rules.
struct RuleColumn {
    rows: DictionaryArray<Int32Type>,
    /// The rules that the rows refer to.
    rules: Vec<Rule>,
}

impl RuleColumn {
    /// The rule of a row, if it has one.
    fn at(&self, row: usize) -> Option<Rule> {
        self.rules.get(self.rows.key(row)?).copied()
    }
}

fn rules(columns: &RecordBatch, name: &str) -> Result<RuleColumn, ArrowError> {
    let found = columns.column_by_name(name);
    let found = found.and_then(|own| own.as_dictionary_opt::<Int32Type>());
    let rows = found.cloned().ok_or_else(lacking)?;
    let names = rows.values().as_string_opt::<i32>().ok_or_else(lacking)?;
    let rules = names.iter().map(|name| Rule::from_identifier(name?));
    let rules = rules.collect::<Option<_>>().ok_or_else(lacking)?;
    Ok(RuleColumn { rows, rules })
}

/// The sum of a column of numbers.
fn sum(columns: &RecordBatch, name: &str) -> Result<u64, ArrowError> {
    let numbers = column::<Int64Type>(columns, name)?;
    let sum: i64 = numbers.iter().flatten().sum();
    u64::try_from(sum).map_err(|_| lacking())
}
