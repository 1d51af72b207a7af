//! How a call ends.

use crate::commit::Conflict;
use crate::fault::Fault;
use crate::violation::{Found, Place};

/// Why a call ended without a code: a failure of the host's or of the library's, never the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The commit was answered with a transaction id that is not 1 to 2^53-1; what the host carried out is not undone.
    #[error(
        "the commit was answered by a transaction id that cannot be, and what was carried out stands: an id is 1 to \
         9007199254740991"
    )]
    Misuse,
    /// The last attempt met a conflict that has no code; nothing was carried out.
    #[error("the last attempt met a conflict that has no code, and nothing was carried out")]
    Host,
    /// The commit's result is not known, or it is a conflict that is not possible on the operation.
    #[error(
        "it is not known whether the plan was carried out: look into the host's database before anything is sent again"
    )]
    Unknown,
    /// The library contradicts itself; no plan was handed out. A body whose [`AsRef`] lends different bytes each time has
    /// the same result.
    #[error(
        "a fault of the library, and nothing was carried out: report it with a transcript of the call"
    )]
    Internal,
}

impl Failure {
    /// The name in the JSON forms: `misuse`, `host`, `unknown` or `internal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Misuse => "misuse",
            Self::Host => "host",
            Self::Unknown => "unknown",
            Self::Internal => "internal",
        }
    }
}

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Accepted {
        transaction_id: u64,
    },
    Refused(Found),
    /// The last attempt met a conflict that has a code.
    Conflict(Found),
    Failed(Failure),
}

impl From<Fault> for Ending {
    fn from(_: Fault) -> Self {
        Self::FAULT
    }
}

impl Ending {
    /// A fault of the library: a fact that was checked before no longer holds.
    pub(crate) const FAULT: Self = Self::Failed(Failure::Internal);

    /// Phase 7: after the last attempt, the conflict decides the call.
    pub(crate) fn after(conflict: Conflict) -> Self {
        match conflict.rule() {
            Some(rule) => Self::Conflict(Found::of_call(rule, Place::None)),
            None => Self::Failed(Failure::Host),
        }
    }
}
