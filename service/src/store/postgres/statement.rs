//! Statements that are written once for both databases, on PostgreSQL.

use std::error::Error;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use super::Postgres;
use super::failure::Doing as _;
use super::reports::in_transaction;
use super::session::{PATIENCE, Session};
use crate::store::error::StoreError;
use crate::store::operator::Reply;
use crate::store::statement::{Pool, Row, Statement, Statements, Value};

const DOING: &str = "carrying out what the operator asked for";

impl Statements for Postgres {
    fn read_rows(&self, statement: Statement) -> Reply<Vec<Row>> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let rows = run(&session, &statement).await?;
            session.close();
            Ok(rows)
        })
    }

    fn write_rows(&self, statements: Vec<Statement>) -> Reply<Vec<Row>> {
        self.run(move |pool| async move {
            let rows = in_transaction(&pool, statements, |session, statements| {
                Box::pin(async move {
                    let mut rows = Vec::new();
                    for statement in statements {
                        rows = run(session, statement).await?;
                    }
                    Ok(rows)
                })
            });
            Ok(rows.await?)
        })
    }

    fn sizes(&self) -> Statement {
        Statement {
            sql: "SELECT pg_database_size(current_database()), (SELECT count(*) FROM events WHERE number IS NULL)",
            given: Vec::new(),
        }
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

async fn run(session: &Session, statement: &Statement) -> Result<Vec<Row>, StoreError> {
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
            (Self::Integer(seconds), &Type::TIMESTAMPTZ) => {
                let length = Duration::from_secs(seconds.unsigned_abs());
                let time = match *seconds < 0 {
                    true => UNIX_EPOCH.checked_sub(length),
                    false => UNIX_EPOCH.checked_add(length),
                };
                let time = time.ok_or("a time that the system does not have")?;
                time.to_sql(kind, out)
            }
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
