//! Statements that are written once for both databases, on PostgreSQL.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::Semaphore;
use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::failure::Doing as _;
use super::open::SCHEMA;
use super::reports::in_transaction;
use super::session::{PATIENCE, Session};
use super::{Postgres, look_on, run_on};
use crate::store::error::{Cause, StoreError};
use crate::store::operator::{OperatorError, Reply};
use crate::store::statement::{Follow, HasStatements, Pool, Row, Statement, Statements, Value};

const DOING: &str = "carrying out what the operator asked for";

impl HasStatements for Postgres {
    fn statements(&self) -> Arc<dyn Statements> {
        Arc::new(Way {
            pool: self.pool.clone(),
            operators: Arc::clone(&self.operators),
        })
    }
}

struct Way {
    pool: deadpool_postgres::Pool,
    operators: Arc<Semaphore>,
}

impl Statements for Way {
    fn read_rows(&self, statement: Statement) -> Reply<Vec<Row>> {
        look_on(&self.pool, &self.operators, move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let rows = run(&session, &statement).await?;
            session.close();
            Ok(rows)
        })
    }

    fn read_at_length(&self, statement: Statement) -> Reply<Vec<Row>> {
        look_on(&self.pool, &self.operators, move |pool| async move {
            let session = Session::open(&pool).await?.patient(Duration::MAX);
            let settings = "SET statement_timeout = 0; SET enable_seqscan = on";
            session.run(DOING, settings).await?;
            // The connection has other settings than those of the pool, so it is closed and not given back.
            Ok(run(&session, &statement).await?)
        })
    }

    fn write_each(&self, statements: Vec<Statement>) -> Reply<Vec<Vec<Row>>> {
        run_on(&self.pool, move |pool| async move {
            if let [only] = statements.as_slice() {
                // A single statement is a transaction of its own.
                let session = Session::open(&pool).await?.patient(PATIENCE);
                let rows = run(&session, only).await?;
                session.close();
                return Ok(vec![rows]);
            }
            let rows = in_transaction(&pool, statements, |session, statements| {
                Box::pin(async move {
                    let mut rows = Vec::new();
                    for statement in statements {
                        rows.push(run(session, statement).await?);
                    }
                    Ok(rows)
                })
            });
            Ok(rows.await?)
        })
    }

    fn write_then(&self, first: Statement, follow: Follow) -> Reply<Vec<Row>> {
        run_on(&self.pool, move |pool| async move {
            let rows = in_transaction(&pool, (first, follow), |session, (first, follow)| {
                Box::pin(async move {
                    let rows = run(session, first).await?;
                    match follow(&rows) {
                        Ok(statements) => {
                            for statement in statements {
                                run(session, &statement).await?;
                            }
                            Ok(rows)
                        }
                        Err(OperatorError::Store(failure)) => Err(failure),
                        Err(_) => Err(StoreError::Failed(Cause::new(DOING))),
                    }
                })
            });
            Ok(rows.await?)
        })
    }

    fn sizes(&self) -> Statement {
        Statement {
            sql: "SELECT
                    pg_database_size(current_database()),
                    (SELECT count(*) FROM events WHERE number IS NULL),
                    (
                        SELECT floor(extract(epoch FROM clock_timestamp() - min(xact_start)))::bigint
                        FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                    )",
            given: Vec::new(),
        }
    }

    fn own_checks(&self) -> Vec<Statement> {
        Vec::new()
    }

    fn schema(&self) -> (Statement, &'static str) {
        let names = Statement {
            sql: "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace",
            given: Vec::new(),
        };
        (names, SCHEMA)
    }

    fn pool(&self) -> Option<Pool> {
        let status = self.pool.status();
        Some(Pool {
            open: status.size,
            idle: status.available,
            most: status.max_size,
        })
    }
}

pub(super) async fn run(session: &Session, statement: &Statement) -> Result<Vec<Row>, StoreError> {
    let given: Vec<&(dyn ToSql + Sync)> = statement
        .given
        .iter()
        .map(|value| value as &(dyn ToSql + Sync))
        .collect();
    let rows = session
        .query(DOING, &statement.for_postgres(), &given)
        .await?;
    let read = |row: &tokio_postgres::Row| {
        let values = (0..row.len()).map(|column| {
            let value: Option<Value> = row.try_get(column)?;
            Ok(value.unwrap_or(Value::Null))
        });
        Ok(Row(values.collect::<Result<_, tokio_postgres::Error>>()?))
    };
    let rows: Result<Vec<Row>, tokio_postgres::Error> = rows.iter().map(read).collect();
    rows.doing(DOING)
}

/// The time of a number of seconds since 1970.
pub(super) fn moment(seconds: i64) -> Result<SystemTime, StoreError> {
    let length = Duration::from_secs(seconds.unsigned_abs());
    let time = match seconds < 0 {
        true => UNIX_EPOCH.checked_sub(length),
        false => UNIX_EPOCH.checked_add(length),
    };
    let cause = Cause::with_code(DOING, "a time that the system cannot represent");
    time.ok_or(StoreError::Failed(cause))
}

type Failure = Box<dyn Error + Sync + Send>;

/// The types of columns and parameters.
const TYPES: &[Type] = &[
    Type::INT2,
    Type::INT4,
    Type::INT8,
    Type::BOOL,
    Type::TEXT,
    Type::BYTEA,
    Type::TIMESTAMPTZ,
];

impl ToSql for Value {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, Failure> {
        match (self, kind) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Integer(number), &Type::INT2) => i16::try_from(*number)?.to_sql(kind, out),
            (Self::Integer(number), &Type::INT4) => i32::try_from(*number)?.to_sql(kind, out),
            (Self::Integer(seconds), &Type::TIMESTAMPTZ) => moment(*seconds)?.to_sql(kind, out),
            (Self::Integer(number), _) => number.to_sql(kind, out),
            (Self::Flag(flag), _) => flag.to_sql(kind, out),
            (Self::Text(text), &Type::BYTEA) => text.as_bytes().to_sql(kind, out),
            (Self::Text(text), _) => text.to_sql(kind, out),
            (Self::Bytes(bytes), _) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        TYPES.contains(kind)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Failure> {
        Ok(match *kind {
            Type::INT2 => Self::Integer(i16::from_sql(kind, raw)?.into()),
            Type::INT4 => Self::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT8 => Self::Integer(i64::from_sql(kind, raw)?),
            Type::BOOL => Self::Flag(bool::from_sql(kind, raw)?),
            Type::BYTEA => Self::Bytes(Vec::from_sql(kind, raw)?),
            Type::TIMESTAMPTZ => {
                let time = SystemTime::from_sql(kind, raw)?.duration_since(UNIX_EPOCH)?;
                Self::Integer(time.as_secs().try_into()?)
            }
            _ => Self::Text(String::from_sql(kind, raw)?),
        })
    }

    fn accepts(kind: &Type) -> bool {
        TYPES.contains(kind)
    }
}
