//! What an error of SQLite's means: the one place that tells.

use franking::Conflict;
use rusqlite::ErrorCode;

use crate::store::error::{Cause, StoreError};

/// What an error before COMMIT means: nothing was done, whatever it is. Its text is not shown, because it can quote values.
pub(super) fn meaning(doing: &'static str, error: &rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(failure, _) = error else {
        return StoreError::Failed(Cause::with_code(doing, "an answer that cannot be"));
    };
    match failure.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            StoreError::Busy(cause(doing, error))
        }
        // The constraints that a plan is expected to meet are asked for by ON CONFLICT; there remains an id that two calls
        // made, or something that was deleted meanwhile.
        ErrorCode::ConstraintViolation => StoreError::Conflict(Conflict::Other),
        _ => StoreError::Failed(cause(doing, error)),
    }
}

/// The error by SQLite's number for it.
pub(super) fn cause(doing: &'static str, error: &rusqlite::Error) -> Cause {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => {
            Cause::with_code(doing, format!("SQLite {}", failure.extended_code))
        }
        _ => Cause::new(doing),
    }
}

/// Puts what was being done to an error of SQLite's.
pub(super) trait Doing<T> {
    /// As [`meaning`].
    fn doing(self, doing: &'static str) -> Result<T, StoreError>;
}

impl<T> Doing<T> for rusqlite::Result<T> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError> {
        self.map_err(|error| meaning(doing, &error))
    }
}
