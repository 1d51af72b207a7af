//! What an error of PostgreSQL's means: the one place that tells.

use deadpool_postgres::PoolError;
use franking::Conflict;
use tokio_postgres::Error;
use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::store::error::{Cause, StoreError};

/// What an error before COMMIT means: nothing was done, whatever it is. Its text is not shown, because it can quote values.
pub(super) fn meaning(doing: &'static str, error: &Error) -> StoreError {
    let Some(code) = error.code() else {
        return StoreError::Failed(cause(doing, error));
    };
    match *code {
        // A lock that did not come in its time is a failure: to wait for it again would keep the client waiting.
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            StoreError::Busy(cause(doing, error))
        }
        // The constraints that a plan is expected to meet are asked for by ON CONFLICT; there remains an id that two calls
        // made, or something that was deleted meanwhile.
        SqlState::UNIQUE_VIOLATION | SqlState::FOREIGN_KEY_VIOLATION => {
            StoreError::Conflict(Conflict::Other)
        }
        _ => StoreError::Failed(cause(doing, error)),
    }
}

/// What an error of COMMIT itself means. The server rolls back when it answers with an error; where it ended the session, or
/// where there was no answer, it may have committed.
pub(super) fn meaning_of_commit(error: &Error) -> StoreError {
    let severity = error.as_db_error().and_then(DbError::parsed_severity);
    match severity {
        Some(Severity::Error) => meaning("committing", error),
        _ => StoreError::Unknown(cause("committing", error)),
    }
}

/// Why there is no connection to be had.
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

/// Puts what was being done to an error of PostgreSQL's.
pub(super) trait Doing<T> {
    /// As [`meaning`].
    fn doing(self, doing: &'static str) -> Result<T, StoreError>;
}

impl<T> Doing<T> for Result<T, Error> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError> {
        self.map_err(|error| meaning(doing, &error))
    }
}
