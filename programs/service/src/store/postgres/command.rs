//! How an operator's command is carried out: a statement with its parameters, on a connection of its own, with the account
//! locked if calls are judged by what changes.

use deadpool_postgres::Pool;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use super::Postgres;
use super::failure::Doing as _;
use super::session::{PATIENCE, Session};
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;
use crate::store::operator::{OperatorError, Reply};

/// The name of an operator's command in errors.
pub(super) const DOING: &str = "carrying out what the operator asked for";

/// The parameters of a statement.
pub(super) type Given = Vec<Box<dyn ToSql + Sync + Send>>;

macro_rules! given {
    ($($value:expr),* $(,)?) => {
        vec![$(Box::new($value) as Box<dyn tokio_postgres::types::ToSql + Sync + Send>),*]
    };
}
pub(super) use given;

impl Postgres {
    /// Sets a flag of an account.
    pub(super) fn set_of_account(
        &self,
        sql: &'static str,
        account: AccountId,
        to: bool,
    ) -> Reply<()> {
        self.change(sql, given![account.0, to], found("account"))
    }

    /// Runs a statement that only reads, and reads its rows.
    pub(super) fn ask<T: Send + 'static>(
        &self,
        sql: &'static str,
        given: Given,
        read: impl FnOnce(&[Row]) -> Result<T, OperatorError> + Send + 'static,
    ) -> Reply<T> {
        self.look(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let rows = query(&session, sql, &given).await?;
            session.close();
            read(&rows)
        })
    }

    /// As [`Postgres::ask`], for a statement that writes.
    pub(super) fn change<T: Send + 'static>(
        &self,
        sql: &'static str,
        given: Given,
        read: impl FnOnce(&[Row]) -> Result<T, OperatorError> + Send + 'static,
    ) -> Reply<T> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let rows = session.change(DOING, sql, &params(&given)).await?;
            session.close();
            read(&rows)
        })
    }

    /// As [`Postgres::change`], with the account locked.
    pub(super) fn change_of<T: Send + 'static>(
        &self,
        account: AccountId,
        sql: &'static str,
        given: Given,
        read: impl FnOnce(&[Row]) -> Result<T, OperatorError> + Send + 'static,
    ) -> Reply<T> {
        self.run(move |pool| async move { change_of(&pool, account, sql, given, read).await })
    }

    /// As [`Postgres::ask`], with each row read on its own.
    pub(super) fn list<T: Send + 'static>(
        &self,
        sql: &'static str,
        given: Given,
        read: fn(&Row) -> Result<T, Error>,
    ) -> Reply<Vec<T>> {
        self.ask(sql, given, move |rows| {
            let read: Result<Vec<T>, Error> = rows.iter().map(read).collect();
            Ok(read.doing(DOING)?)
        })
    }
}

async fn change_of<T>(
    pool: &Pool,
    account: AccountId,
    sql: &str,
    given: Given,
    read: impl FnOnce(&[Row]) -> Result<T, OperatorError>,
) -> Result<T, OperatorError> {
    let session = Session::open(pool).await?.patient(PATIENCE);
    session.run(DOING, "BEGIN").await?;
    let answer = match lock(&session, DOING, account).await {
        Ok(()) => query(&session, sql, &given)
            .await
            .map_err(Into::into)
            .and_then(|rows| read(&rows)),
        Err(failure) => Err(failure),
    };
    match answer {
        Ok(answer) => {
            session.commit().await?;
            Ok(answer)
        }
        Err(failure) => {
            session.roll_back().await;
            Err(failure)
        }
    }
}

/// Locks an account until the end of the transaction.
pub(super) async fn lock(
    session: &Session,
    doing: &'static str,
    account: AccountId,
) -> Result<(), OperatorError> {
    let sql = include_str!("sql/lock_account.sql");
    let rows = session.query(doing, sql, &[&account.0]).await?;
    found("account")(&rows)
}

/// Runs a statement on a connection. Returns its rows.
pub(super) async fn query(
    session: &Session,
    sql: &str,
    given: &Given,
) -> Result<Vec<Row>, StoreError> {
    session.query(DOING, sql, &params(given)).await
}

fn params(given: &[Box<dyn ToSql + Sync + Send>]) -> Vec<&(dyn ToSql + Sync)> {
    let given = given.iter();
    given.map(|value| &**value as &(dyn ToSql + Sync)).collect()
}

/// Checks that a statement has found a row.
pub(super) fn found(what: &'static str) -> impl FnOnce(&[Row]) -> Result<(), OperatorError> {
    move |rows| match rows {
        [] => Err(OperatorError::NotFound(what)),
        _ => Ok(()),
    }
}

/// Reads the first row of an answer. Fails with `error` if the answer has no row.
pub(super) fn first<T>(
    rows: &[Row],
    error: OperatorError,
    read: impl FnOnce(&Row) -> Result<T, Error>,
) -> Result<T, OperatorError> {
    Ok(read(rows.first().ok_or(error)?).doing(DOING)?)
}

/// The error for an answer of the database that is impossible.
pub(super) fn impossible() -> OperatorError {
    OperatorError::Store(StoreError::Failed(Cause::with_code(
        DOING,
        "the database gave an impossible answer",
    )))
}
