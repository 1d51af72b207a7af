//! Statements that are written once for both databases: what an operator lists and changes.
//!
//! They are SQL that both databases understand. Four things have a notation of their own, because the databases differ:
//! parameters are `?1`, `?2` and so on, `now()` is the time, `today()` is the number of days since 1970, and `rows(?1)` are
//! the items of a JSON array, in a column `value`. Times are given and read as seconds since 1970.

use std::borrow::Cow;
use std::sync::Arc;

use super::error::{Cause, StoreError};
use super::operator::{OperatorError, Reply};

/// A value of a parameter or a column.
#[derive(Clone, PartialEq)]
pub(super) enum Value {
    /// NULL.
    Null,
    /// A number. On SQLite it can be a Boolean.
    Integer(i64),
    /// A Boolean.
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

/// A statement with its parameters. Its text is in one file, or in several that follow each other.
macro_rules! statement {
    ($($file:literal)+ $(, $value:expr)* $(,)?) => {
        $crate::store::statement::Statement {
            sql: concat!($(include_str!(concat!("sql/", $file))),+),
            given: vec![$($value.into()),*],
        }
    };
}
pub(super) use statement;

impl Statement {
    /// The text for SQLite.
    pub(super) fn for_sqlite(&self) -> String {
        let sql = self.sql.replace("today()", "unixepoch() / 86400");
        sql.replace("now()", "unixepoch()")
            .replace("rows(", "json_each(")
    }

    /// The text for PostgreSQL.
    pub(super) fn for_postgres(&self) -> String {
        let today = "floor(extract(epoch FROM clock_timestamp()) / 86400)::bigint";
        let mut sql = self.sql.to_owned();
        for number in 1..=self.given.len() {
            let rows = format!("jsonb_array_elements(?{number}::text::jsonb)");
            sql = sql.replace(&format!("rows(?{number})"), &rows);
        }
        let sql = sql.replace('?', "$").replace("today()", today);
        sql.replace("now()", "clock_timestamp()")
    }
}

/// The connections of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// How many there are.
    pub open: usize,
    /// How many of them are not in use.
    pub idle: usize,
    /// How many there can be.
    pub most: usize,
}

/// A row that was read. Columns are counted from 0.
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

    pub(super) fn optional_bytes(&self, column: usize) -> Result<Option<Vec<u8>>, OperatorError> {
        match &*self.value(column) {
            Value::Null => Ok(None),
            Value::Bytes(bytes) => Ok(Some(bytes.clone())),
            Value::Flag(_) | Value::Integer(_) | Value::Text(_) => Err(another()),
        }
    }

    pub(super) fn bytes(&self, column: usize) -> Result<Vec<u8>, OperatorError> {
        self.optional_bytes(column)?.ok_or_else(another)
    }

    pub(super) fn text(&self, column: usize) -> Result<String, OperatorError> {
        self.optional_text(column)?.ok_or_else(another)
    }

    /// Makes a JSON object of the row, with these names. `flags` names the Boolean columns, which SQLite stores as numbers.
    pub(super) fn to_json(&self, names: &[&str], flags: &[&str]) -> serde_json::Value {
        let members = names.iter().zip(&self.0).map(|(name, value)| {
            let value = match value {
                Value::Null => serde_json::Value::Null,
                Value::Integer(number) if flags.contains(name) => (*number != 0).into(),
                Value::Integer(number) => (*number).into(),
                Value::Flag(flag) => (*flag).into(),
                Value::Text(text) => text.as_str().into(),
                Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into(),
            };
            ((*name).to_owned(), value)
        });
        serde_json::Value::Object(members.collect())
    }

    pub(super) fn flag(&self, column: usize) -> Result<bool, OperatorError> {
        match &*self.value(column) {
            Value::Flag(flag) => Ok(*flag),
            Value::Integer(number) => Ok(*number != 0),
            Value::Null | Value::Text(_) | Value::Bytes(_) => Err(another()),
        }
    }
}

/// The error for a column whose value has another type than expected.
pub(super) fn another() -> OperatorError {
    StoreError::Failed(Cause::with_code(
        "reading a row",
        "a column has another type",
    ))
    .into()
}

/// The statements that follow from the rows of another one.
pub(super) type Follow = Box<dyn Fn(&[Row]) -> Result<Vec<Statement>, OperatorError> + Send + Sync>;

/// A connection to a database that takes such statements.
pub(super) trait Statements: Send + Sync {
    /// Reads rows.
    fn read_rows(&self, statement: Statement) -> Reply<Vec<Row>>;
    /// As [`Statements::read_rows`], but without a limit of time, for a statement that reads all of a table.
    fn read_at_length(&self, statement: Statement) -> Reply<Vec<Row>>;
    /// Carries out all of the statements in one transaction. Returns the rows of each.
    fn write_each(&self, statements: Vec<Statement>) -> Reply<Vec<Vec<Row>>>;
    /// As [`Statements::write_each`], but returns only the rows of the last statement.
    fn write_rows(&self, statements: Vec<Statement>) -> Reply<Vec<Row>> {
        let all = self.write_each(statements);
        Box::pin(async move { Ok(all.await?.pop().unwrap_or_default()) })
    }
    /// Carries out a statement and, in the same transaction, the statements that follow from its rows. Returns its rows.
    fn write_then(&self, first: Statement, follow: Follow) -> Reply<Vec<Row>>;
    /// Makes the statement that reads the size of the database in bytes, how many events have no number yet, and for how
    /// many seconds the oldest transaction of others has been open, if the database tells.
    fn sizes(&self) -> Statement;
    /// Makes the statements by which the database checks itself. Each row is a text about something that is wrong.
    fn own_checks(&self) -> Vec<Statement>;
    /// Makes the statement that reads the names of tables and indexes. Also returns the SQL of the schema.
    fn schema(&self) -> (Statement, &'static str);
    /// The connections of a pool, if there is one.
    fn pool(&self) -> Option<Pool>;
}

/// A database that takes such statements.
pub(super) trait HasStatements {
    /// Returns a connection for statements.
    fn statements(&self) -> Arc<dyn Statements>;
}
