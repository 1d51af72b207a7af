//! The meaning of PostgreSQL's errors. Only this module knows it.

use deadpool_postgres::PoolError;
use franking::Conflict;
use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::store::error::{Cause, StoreError};

/// Returns what an error before COMMIT means. Nothing was done, whatever the error is. Its text is not shown, because it can
/// quote values.
pub(super) fn meaning(doing: &'static str, error: &Error) -> StoreError {
    let Some(code) = error.code() else {
        return StoreError::Failed(cause(doing, error));
    };
    match *code {
        // A lock that was not free in time is a failure. Waiting for it again would keep the client waiting.
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            StoreError::Busy(cause(doing, error))
        }
        // ON CONFLICT handles the constraints that a plan is expected to meet. What remains is an id that two calls made, or
        // something that was deleted in the meantime.
        SqlState::UNIQUE_VIOLATION | SqlState::FOREIGN_KEY_VIOLATION => {
            StoreError::Conflict(Conflict::Other)
        }
        _ => StoreError::Failed(cause(doing, error)),
    }
}

/// Returns what an error of a statement that commits means: of COMMIT itself, or of a statement that is a transaction of its own.
/// If the server answers with an error, it rolls back. If it ended the session or did not answer, it may have committed.
pub(super) fn meaning_of_commit(doing: &'static str, error: &Error) -> StoreError {
    let severity = error.as_db_error().and_then(DbError::parsed_severity);
    match severity {
        Some(Severity::Error) => meaning(doing, error),
        _ => StoreError::Unknown(cause(doing, error)),
    }
}

/// Returns why no connection can be had.
pub(super) fn no_connection(error: &PoolError) -> StoreError {
    StoreError::Failed(match error {
        PoolError::Backend(error) => cause("connecting to the database", error),
        PoolError::Timeout(_) => Cause::new("waiting for a connection to the database"),
        _ => Cause::new("connecting to the database"),
    })
}

fn cause(doing: &'static str, error: &Error) -> Cause {
    match error.code() {
        Some(code) => Cause::with_code(doing, format!("SQLSTATE {}", code.code())),
        None if error.is_closed() => Cause::with_code(doing, "the connection was lost"),
        None => Cause::new(doing),
    }
}

/// Adds to an error of PostgreSQL what was being done.
pub(super) trait Doing<T> {
    /// As [`meaning`].
    fn doing(self, doing: &'static str) -> Result<T, StoreError>;
}

impl<T> Doing<T> for Result<T, Error> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError> {
        self.map_err(|error| meaning(doing, &error))
    }
}
