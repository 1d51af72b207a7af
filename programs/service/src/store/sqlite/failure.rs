//! The meaning of SQLite's errors. Only this module knows it.

use franking::Conflict;
use rusqlite::ErrorCode;

use crate::store::error::{Cause, StoreError};

/// Returns what an error before COMMIT means. Nothing was done, whatever the error is. Its text is not shown, because it can
/// quote values.
pub(super) fn meaning(doing: &'static str, error: &rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(failure, _) = error else {
        return StoreError::Failed(Cause::with_code(
            doing,
            "the database gave an impossible answer",
        ));
    };
    match failure.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => {
            StoreError::Busy(cause(doing, error))
        }
        // ON CONFLICT handles the constraints that a plan is expected to meet. What remains is an id that two calls made, or
        // something that was deleted in the meantime.
        ErrorCode::ConstraintViolation => StoreError::Conflict(Conflict::Other),
        ErrorCode::OperationInterrupted => StoreError::Failed(Cause::with_code(
            doing,
            "it took too long: ask for less, such as a shorter time",
        )),
        _ => StoreError::Failed(cause(doing, error)),
    }
}

/// Describes an error by SQLite's number for it.
pub(super) fn cause(doing: &'static str, error: &rusqlite::Error) -> Cause {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => {
            Cause::with_code(doing, format!("SQLite {}", failure.extended_code))
        }
        _ => Cause::new(doing),
    }
}

/// Adds to an error of SQLite what was being done.
pub(super) trait Doing<T> {
    /// As [`meaning`].
    fn doing(self, doing: &'static str) -> Result<T, StoreError>;
}

impl<T> Doing<T> for rusqlite::Result<T> {
    fn doing(self, doing: &'static str) -> Result<T, StoreError> {
        self.map_err(|error| meaning(doing, &error))
    }
}
