//! Statements that are written once for both databases, on SQLite.

use std::sync::Arc;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

use super::Sqlite;
use super::failure::Doing as _;
use super::open::SCHEMA;
use super::readers::Readers;
use super::writer::{Writer, Written};
use crate::store::error::StoreError;
use crate::store::operator::{OperatorError, Reply};
use crate::store::statement::{Follow, HasStatements, Pool, Row, Statement, Statements, Value};

const DOING: &str = "carrying out what the operator asked for";

impl HasStatements for Sqlite {
    fn statements(&self) -> Arc<dyn Statements> {
        Arc::new(Way {
            writer: Arc::clone(&self.writer),
            readers: Arc::clone(&self.readers),
        })
    }
}

struct Way {
    writer: Arc<Writer>,
    readers: Arc<Readers>,
}

impl Statements for Way {
    fn read_rows(&self, statement: Statement) -> Reply<Vec<Row>> {
        self.readers
            .operators
            .read(move |connection| Ok(run(connection, &statement)?))
    }

    fn read_at_length(&self, statement: Statement) -> Reply<Vec<Row>> {
        self.readers
            .served
            .read(move |connection| Ok(run(connection, &statement)?))
    }

    fn write_each(&self, statements: Vec<Statement>) -> Reply<Vec<Vec<Row>>> {
        self.writer.run(move |connection| {
            let tells: Result<Vec<Vec<Row>>, StoreError> = statements
                .iter()
                .map(|statement| run(connection, statement))
                .collect();
            Written {
                keeps: tells.is_ok(),
                rows: statements.len(),
                tells: tells.map_err(Into::into),
            }
        })
    }

    fn write_then(&self, first: Statement, follow: Follow) -> Reply<Vec<Row>> {
        self.writer.run(move |connection| {
            let tells = then(connection, &first, &follow);
            Written {
                keeps: tells.is_ok(),
                rows: tells.as_ref().map_or(1, Vec::len),
                tells,
            }
        })
    }

    fn sizes(&self) -> Statement {
        Statement {
            // Every event has a number from the beginning. Whether anybody holds a transaction open is not known.
            sql: "SELECT page_count * page_size, 0, NULL FROM pragma_page_count(), pragma_page_size()",
            given: Vec::new(),
        }
    }

    fn own_checks(&self) -> Vec<Statement> {
        let statements = [
            "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10",
            r#"SELECT 'a row of ' || "table" || ' refers to one that is not there' FROM pragma_foreign_key_check LIMIT 10"#,
        ];
        let given = |sql| Statement {
            sql,
            given: Vec::new(),
        };
        statements.map(given).into()
    }

    fn schema(&self) -> (Statement, &'static str) {
        let names = Statement {
            sql: "SELECT name FROM sqlite_schema",
            given: Vec::new(),
        };
        (names, SCHEMA)
    }

    fn pool(&self) -> Option<Pool> {
        None
    }
}

fn then(
    connection: &Connection,
    first: &Statement,
    follow: &Follow,
) -> Result<Vec<Row>, OperatorError> {
    let rows = run(connection, first)?;
    for statement in follow(&rows)? {
        run(connection, &statement)?;
    }
    Ok(rows)
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
