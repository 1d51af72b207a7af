//! Errors of the database.

use franking::Conflict;

/// Why a database did not carry out a request. Neither Debug nor Display shows a key, an address, a subject or a body.
///
/// For each database, one module maps the database's own errors to these.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing was done: the data that the plan was made for has changed since, or a row conflicts with another row.
    #[error("the plan no longer fits: {}", .0.name())]
    Conflict(Conflict),
    /// Nothing was done, and the request can be tried again: another transaction interfered, or the database is busy.
    #[error("the database is busy: {0}")]
    Busy(Cause),
    /// Nothing was done, and trying again at once would not help: the database cannot be reached, or refuses the request.
    #[error("the database failed: {0}")]
    Failed(Cause),
    /// It is not known whether the request was carried out: the answer to COMMIT was lost, or the service is stopping.
    #[error("it is not known whether it was carried out: {0}")]
    Unknown(Cause),
}

impl StoreError {
    /// Whether it is certain that nothing was done.
    #[must_use]
    pub const fn is_undone(&self) -> bool {
        !matches!(self, Self::Unknown(_))
    }
}

/// The cause of a failure, in words that contain nothing of a call. The database's own texts are not used, because they can
/// quote values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The action that failed.
    doing: &'static str,
    /// The database's code for the failure, such as `SQLite 13` or `SQLSTATE 57014`, if it has one.
    code: Option<String>,
}

impl Cause {
    /// Makes the cause of a failure for which the database has no code.
    #[must_use]
    pub const fn new(doing: &'static str) -> Self {
        Self { doing, code: None }
    }

    /// Whether PostgreSQL has rejected a value that it was given: class 22 of its codes.
    pub(super) fn is_of_a_value(&self) -> bool {
        self.code
            .as_ref()
            .is_some_and(|code| code.starts_with("SQLSTATE 22"))
    }

    /// Whether a lock of PostgreSQL was not free in time.
    pub(super) fn is_of_a_lock(&self) -> bool {
        self.code.as_deref() == Some("SQLSTATE 55P03")
    }

    /// Makes the cause of a failure with the database's code for it.
    #[must_use]
    pub fn with_code(doing: &'static str, code: impl Into<String>) -> Self {
        Self {
            doing,
            code: Some(code.into()),
        }
    }
}

impl std::fmt::Display for Cause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.code {
            Some(code) => write!(f, "{} ({code})", self.doing),
            None => f.write_str(self.doing),
        }
    }
}
