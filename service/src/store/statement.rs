//! Statements that are written once for both databases: what an operator lists and changes.
//!
//! They are SQL as both understand it. Their parameters are `?1`, `?2` and so on, and `now()` is the time: the two things that the
//! databases write differently. Times are read as seconds since 1970.

use std::borrow::Cow;

use super::error::{Cause, StoreError};
use super::operator::{OperatorError, Reply};

/// A value of a parameter or a column.
#[derive(Clone, PartialEq)]
pub(super) enum Value {
    /// There is none.
    Null,
    /// A number; on SQLite a truth value as well.
    Integer(i64),
    /// A truth value.
    Flag(bool),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Value")
    }
}

/// A statement with its parameters.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sql: &'static str,
    pub(super) given: Vec<Value>,
}

/// A statement with its parameters.
macro_rules! statement {
    ($file:literal $(, $value:expr)* $(,)?) => {
        $crate::store::statement::Statement {
            sql: include_str!(concat!("sql/", $file)),
            given: vec![$($value.into()),*],
        }
    };
}
pub(super) use statement;

impl Statement {
    /// As SQLite has it.
    pub(super) fn for_sqlite(&self) -> String {
        self.sql.replace("now()", "unixepoch()")
    }

    /// As PostgreSQL has it.
    pub(super) fn for_postgres(&self) -> String {
        self.sql
            .replace('?', "$")
            .replace("now()", "clock_timestamp()")
    }
}

/// The connections of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many there are.
    pub open: usize,
    /// How many of them nobody uses.
    pub idle: usize,
    /// How many there can be.
    pub most: usize,
}

/// A row that was read. Its columns are told by their places.
#[derive(Clone, Debug)]
pub(super) struct Row(pub(super) Vec<Value>);

impl Row {
    fn value(&self, column: usize) -> Cow<'_, Value> {
        self.0
            .get(column)
            .map_or(Cow::Owned(Value::Null), Cow::Borrowed)
    }

    pub(super) fn optional_integer(&self, column: usize) -> Result<Option<i64>, OperatorError> {
        match &*self.value(column) {
            Value::Null => Ok(None),
            Value::Integer(number) => Ok(Some(*number)),
            Value::Flag(_) | Value::Text(_) | Value::Bytes(_) => Err(another()),
        }
    }

    pub(super) fn integer(&self, column: usize) -> Result<i64, OperatorError> {
        self.optional_integer(column)?.ok_or_else(another)
    }

    pub(super) fn optional_text(&self, column: usize) -> Result<Option<String>, OperatorError> {
        match &*self.value(column) {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text.clone())),
            Value::Bytes(bytes) => String::from_utf8(bytes.clone())
                .map(Some)
                .map_err(|_| another()),
            Value::Flag(_) | Value::Integer(_) => Err(another()),
        }
    }

    pub(super) fn text(&self, column: usize) -> Result<String, OperatorError> {
        self.optional_text(column)?.ok_or_else(another)
    }

    pub(super) fn flag(&self, column: usize) -> Result<bool, OperatorError> {
        match &*self.value(column) {
            Value::Flag(flag) => Ok(*flag),
            Value::Integer(number) => Ok(*number != 0),
            Value::Null | Value::Text(_) | Value::Bytes(_) => Err(another()),
        }
    }
}

/// A column holds something else than it can.
fn another() -> OperatorError {
    StoreError::Failed(Cause::with_code(
        "reading a row",
        "a column of another type",
    ))
    .into()
}

/// A database that takes such statements.
pub(super) trait Statements {
    /// Reads rows.
    fn read_rows(&self, statement: Statement) -> Reply<Vec<Row>>;
    /// Carries out all of the statements in one transaction. Answers with the rows of the last one.
    fn write_rows(&self, statements: Vec<Statement>) -> Reply<Vec<Row>>;
    /// The size of the database in bytes, and how many events have no number yet.
    fn sizes(&self) -> Statement;
    /// The connections of a pool, if there is one.
    fn pool(&self) -> Option<Pool>;
}
