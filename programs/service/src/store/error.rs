//! What can come between the service and its database.

use franking::Conflict;

/// Why a database did not do what it was asked. Neither Debug nor Display shows a key, an address, a subject or a body.
///
/// Each database decides in one place which of these an error of its own is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing was done: what the plan was made for has changed since. Only [`commit`](super::Store::commit) says so.
    #[error("the plan no longer fits: {}", .0.name())]
    Conflict(Conflict),
    /// Nothing was done, and the same can be tried again: another transaction was in the way, or the database is busy.
    #[error("the database is busy: {0}")]
    Busy(Cause),
    /// Nothing was done, and trying again at once would not help: the database cannot be reached, or refuses.
    #[error("the database failed: {0}")]
    Failed(Cause),
    /// It is not known whether it was done. Only [`commit`](super::Store::commit) and [`in_turn`](super::Store::in_turn)
    /// say so.
    #[error("it is not known whether it was carried out: {0}")]
    Unknown(Cause),
}

impl StoreError {
    /// Whether nothing was done for certain.
    #[must_use]
    pub const fn is_undone(&self) -> bool {
        !matches!(self, Self::Unknown(_))
    }
}

/// What the database said, in words that hold nothing of a call: its own texts can quote values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What was being done.
    doing: &'static str,
    /// The database's code for it, such as `SQLITE_FULL` or `57014`, if it has one.
    code: Option<String>,
}

impl Cause {
    /// Of a failure without a code of the database's.
    #[must_use]
    pub const fn new(doing: &'static str) -> Self {
        Self { doing, code: None }
    }

    /// Whether PostgreSQL says that a value that it was given can be none: class 22 of its codes.
    pub(super) fn is_of_a_value(&self) -> bool {
        self.code
            .as_ref()
            .is_some_and(|code| code.starts_with("SQLSTATE 22"))
    }

    /// Of a failure with the database's code for it.
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
