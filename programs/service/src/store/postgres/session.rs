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

/// The longest wait for an answer about one call: it waits for locks as well.
pub(super) const ROUND_TRIP: Duration = Duration::from_secs(5);

/// The additional time for what an operator asks for: it counts or changes many rows.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);

pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A connection in use. One that is dropped within a transaction is closed, and the server rolls back.
pub(super) struct Session {
    /// Taken when the session ends well.
    connection: Option<Object>,
    /// The longest wait for an answer of the server's.
    time: Duration,
    /// An answer has not come in time: the server is asked nothing more here.
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

    /// As it is, with more time for each answer: for statements about more than one call.
    pub(super) fn patient(mut self, more: Duration) -> Self {
        self.time = self.time.saturating_add(more);
        self
    }

    /// An answer of the server's, in time. Where there is none, the server may be gone: no connection of the pool is kept.
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

    /// Prepares statements, once for each connection. What goes out together afterwards is carried out in its order: a statement
    /// that had to be prepared first would come after those behind it.
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
        let connection = self.connection()?;
        let answer = async {
            let statement = connection.prepare_cached(sql).await?;
            connection.query(&statement, params).await
        };
        self.told(answer)
            .await
            .map_err(StoreError::Failed)?
            .doing(doing)
    }

    /// Ends a transaction.
    ///
    /// # Errors
    /// Also [`StoreError::Unknown`].
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let committed = self.connection()?.batch_execute("COMMIT");
        let committed = self.told(committed).await.map_err(StoreError::Unknown)?;
        committed.map_err(|error| meaning_of_commit(&error))?;
        self.close();
        Ok(())
    }

    /// Ends a transaction that came to nothing.
    pub(super) async fn roll_back(self) {
        if self.run("rolling back", "ROLLBACK").await.is_ok() {
            self.close();
        }
    }
}

/// The value of a query that answers with one.
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
            // Out of the pool, it is closed when it is dropped.
            drop(Object::take(connection));
        }
    }
}
