//! One connection in use: statements on it, and transactions.

use deadpool_postgres::{Object, Pool};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::failure::{Doing as _, meaning_of_commit, no_connection};
use crate::store::error::{Cause, StoreError};

pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A connection in use. One that is dropped within a transaction is closed, and the server rolls back.
pub(super) struct Session {
    /// Taken when the session ends well.
    connection: Option<Object>,
}

impl Session {
    pub(super) async fn open(pool: &Pool) -> Result<Self, StoreError> {
        let connection = pool.get().await.map_err(|error| no_connection(&error))?;
        Ok(Self {
            connection: Some(connection),
        })
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
        self.connection()?
            .batch_execute(statement)
            .await
            .doing(doing)
    }

    pub(super) async fn execute(
        &self,
        doing: &'static str,
        sql: &str,
        params: Params<'_>,
    ) -> Result<u64, StoreError> {
        let connection = self.connection()?;
        let statement = connection.prepare_cached(sql).await.doing(doing)?;
        connection.execute(&statement, params).await.doing(doing)
    }

    pub(super) async fn query(
        &self,
        doing: &'static str,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let connection = self.connection()?;
        let statement = connection.prepare_cached(sql).await.doing(doing)?;
        connection.query(&statement, params).await.doing(doing)
    }

    /// Ends a transaction.
    ///
    /// # Errors
    /// Also [`StoreError::Unknown`].
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        let committed = self.connection()?.batch_execute("COMMIT").await;
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

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            // Out of the pool, it is closed when it is dropped.
            drop(Object::take(connection));
        }
    }
}
