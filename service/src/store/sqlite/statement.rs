//! Statements that are written once for both databases, on SQLite.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use super::Sqlite;
use super::failure::Doing as _;
use super::writer::Written;
use crate::store::error::StoreError;
use crate::store::operator::Reply;
use crate::store::statement::{Pool, Row, Statement, Statements, Value};

const DOING: &str = "carrying out what the operator asked for";

impl Statements for Sqlite {
    fn read_rows(&self, statement: Statement) -> Reply<Vec<Row>> {
        self.readers
            .read(move |connection| Ok(run(connection, &statement)?))
    }

    fn write_rows(&self, statements: Vec<Statement>) -> Reply<Vec<Row>> {
        self.writer.run(move |connection| {
            let mut tells = Ok(Vec::new());
            for statement in &statements {
                tells = run(connection, statement);
                if tells.is_err() {
                    break;
                }
            }
            Written {
                keeps: tells.is_ok(),
                rows: statements.len(),
                tells: tells.map_err(Into::into),
            }
        })
    }

    fn sizes(&self) -> Statement {
        Statement {
            // Events have their numbers from the beginning.
            sql: "SELECT page_count * page_size, 0 FROM pragma_page_count(), pragma_page_size()",
            given: Vec::new(),
        }
    }

    fn pool(&self) -> Option<Pool> {
        None
    }
}

fn run(connection: &Connection, statement: &Statement) -> Result<Vec<Row>, StoreError> {
    let run = || {
        let mut prepared = connection.prepare_cached(&statement.for_sqlite())?;
        let columns = prepared.column_count();
        let mut rows = prepared.query(params_from_iter(&statement.given))?;
        let mut read = Vec::new();
        while let Some(row) = rows.next()? {
            let values = (0..columns).map(|column| row.get_ref(column).map(value));
            read.push(Row(values.collect::<rusqlite::Result<_>>()?));
        }
        Ok(read)
    };
    let rows: rusqlite::Result<Vec<Row>> = run();
    rows.doing(DOING)
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null | ValueRef::Real(_) => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Flag(flag) => ValueRef::Integer(i64::from(*flag)),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}
