//! One connection in use: statements on it, and transactions.

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
// clock: limits of time alone; a result does not depend on them.
use std::time::Duration;

use deadpool_postgres::{Object, Pool};
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{FromSql, ToSql};
use tokio_postgres::{Error, Row};

use super::failure::{Doing as _, meaning_of_commit, no_connection};
use crate::store::error::{Cause, StoreError};

/// The longest wait for an answer about one call, including the wait for locks.
pub(super) const ROUND_TRIP: Duration = Duration::from_secs(5);

/// The additional time for an operator's commands, which count or change many rows.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A connection in use. If it is dropped without being given back, it is closed, and the server rolls back.
pub(super) struct Session {
    /// `None` when the session has ended well.
    connection: Option<Object>,
    /// The longest wait for an answer of the server.
    time: Duration,
    /// Whether an answer did not come in time. Then nothing more is asked on this connection.
    is_lost: AtomicBool,
}

impl Session {
    pub(super) async fn open(pool: &Pool) -> Result<Self, StoreError> {
        let connection = pool.get().await.map_err(|error| no_connection(&error))?;
        Ok(Self {
            connection: Some(connection),
            time: ROUND_TRIP,
            is_lost: AtomicBool::new(false),
        })
    }

    /// Adds time for each answer, for statements about more than one call.
    pub(super) fn patient(mut self, more: Duration) -> Self {
        self.time = self.time.saturating_add(more);
        self
    }

    /// Waits for an answer of the server. If none comes in time, or if the server takes no writes, the server may be gone,
    /// so no idle connection of the pool is kept.
    async fn told<T>(
        &self,
        answer: impl Future<Output = Result<T, Error>>,
    ) -> Result<Result<T, Error>, Cause> {
        let none = || Cause::with_code("waiting for the database", "it did not answer in time");
        if self.is_lost.load(Ordering::Relaxed) {
            return Err(none());
        }
        // clock: after this time the answer is that there is none.
        let told = timeout(self.time, answer).await;
        self.is_lost.fetch_or(told.is_err(), Ordering::Relaxed);
        let is_gone = match &told {
            Err(_) => true,
            Ok(Err(error)) => error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION),
            Ok(Ok(_)) => false,
        };
        if is_gone && let Some(pool) = self.connection.as_ref().and_then(Object::pool) {
            pool.retain(|_, _| false);
        }
        told.map_err(|_| none())
    }

    fn connection(&self) -> Result<&Object, StoreError> {
        let ended = || StoreError::Failed(Cause::new("using a connection that was given back"));
        self.connection.as_ref().ok_or_else(ended)
    }

    /// Gives the connection back to the pool.
    pub(super) fn close(mut self) {
        drop(self.connection.take());
    }

    /// Begins, ends or rolls back a transaction.
    pub(super) async fn run(&self, doing: &'static str, statement: &str) -> Result<(), StoreError> {
        let answer = self.connection()?.batch_execute(statement);
        self.told(answer)
            .await
            .map_err(StoreError::Failed)?
            .doing(doing)
    }

    /// Prepares statements, once for each connection. Statements that go out together afterwards are carried out in their
    /// order. A statement that had to be prepared first would come after those that follow it.
    pub(super) async fn prepare(&self, all: &[&str]) -> Result<(), StoreError> {
        for sql in all {
            let prepared = self.connection()?.prepare_cached(sql);
            let prepared = self.told(prepared).await.map_err(StoreError::Failed)?;
            prepared.doing("preparing statements")?;
        }
        Ok(())
    }

    pub(super) async fn execute(
        &self,
        doing: &'static str,
        sql: &str,
        params: Params<'_>,
    ) -> Result<u64, StoreError> {
        let connection = self.connection()?;
        let answer = async {
            let statement = connection.prepare_cached(sql).await?;
            connection.execute(&statement, params).await
        };
        self.told(answer)
            .await
            .map_err(StoreError::Failed)?
            .doing(doing)
    }

    pub(super) async fn query(
        &self,
        doing: &'static str,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let rows = self.rows(sql, params, StoreError::Failed);
        rows.await?.doing(doing)
    }

    /// As [`Session::query`], for a statement that writes and is a transaction of its own.
    ///
    /// # Errors
    /// Also [`StoreError::Unknown`].
    pub(super) async fn change(
        &self,
        doing: &'static str,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        // If the connection is lost before the statement is sent, nothing was done.
        self.prepare(&[sql]).await?;
        self.write(doing, sql, params).await
    }

    /// As [`Session::query`], for a prepared statement that writes. COMMIT can be sent before the statement is answered.
    ///
    /// # Errors
    /// Also [`StoreError::Unknown`].
    pub(super) async fn write(
        &self,
        doing: &'static str,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let rows = self.rows(sql, params, StoreError::Unknown);
        rows.await?
            .map_err(|error| meaning_of_commit(doing, &error))
    }

    /// Runs a statement. `late` is what it means if the server does not answer in time.
    async fn rows(
        &self,
        sql: &str,
        params: Params<'_>,
        late: fn(Cause) -> StoreError,
    ) -> Result<Result<Vec<Row>, Error>, StoreError> {
        let connection = self.connection()?;
        let answer = async {
            let statement = connection.prepare_cached(sql).await?;
            connection.query(&statement, params).await
        };
        self.told(answer).await.map_err(late)
    }

    /// Commits a transaction.
    ///
    /// # Errors
    /// Also [`StoreError::Unknown`].
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        self.end().await?;
        self.close();
        Ok(())
    }

    /// As [`Session::commit`], and keeps the connection.
    ///
    /// # Errors
    /// Also [`StoreError::Unknown`].
    pub(super) async fn end(&self) -> Result<(), StoreError> {
        let committed = self.connection()?.batch_execute("COMMIT");
        let committed = self.told(committed).await.map_err(StoreError::Unknown)?;
        committed.map_err(|error| meaning_of_commit("committing", &error))
    }

    /// Rolls a transaction back.
    pub(super) async fn roll_back(self) {
        if self.run("rolling back", "ROLLBACK").await.is_ok() {
            self.close();
        }
    }
}

/// Returns the value of a query that returns one value.
pub(super) async fn one<T: for<'a> FromSql<'a>>(
    session: &Session,
    doing: &'static str,
    sql: &str,
    params: Params<'_>,
) -> Result<T, StoreError> {
    let rows = session.query(doing, sql, params).await?;
    let impossible = StoreError::Failed(Cause::new("reading a row that has to be there"));
    rows.first().ok_or(impossible)?.try_get(0).doing(doing)
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            // A connection that is taken out of the pool is closed when it is dropped.
            drop(Object::take(connection));
        }
    }
}
