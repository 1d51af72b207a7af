//! The endings of a call.

use crate::commit::Conflict;
use crate::violation::{BodyPlace, FoundViolation};
use crate::word::words;

words! {
    #[derive(thiserror::Error)]
    #[non_exhaustive]
    enum Failure "Why a call ended without a code: a failure of the host or of the library, never of the caller."
    #[error(
        "the commit was answered by a transaction id that cannot be, and what was carried out stands: an id is 1 to \
         9007199254740991"
    )]
    1 Misuse "misuse" "The commit was answered with a transaction id that is not 1 to 9007199254740991. What the host carried out is not undone: do not try again."
    #[error("the last attempt met a conflict that has no code, and nothing was carried out")]
    2 Host "host" "The last attempt met a conflict that has no code, and nothing was carried out. The call can be made again."
    #[error(
        "it is not known whether the plan was carried out: look into the host's database before anything is sent again"
    )]
    3 Unknown "unknown" "It is not known whether the plan was carried out: the commit failed, named a conflict that is not possible on the operation, or did not say. Look into the host's database before you try again."
    #[error(
        "a fault of the library, and nothing was carried out: report it with a transcript of the call"
    )]
    4 Internal "internal" "A fault of the library. Nothing was carried out. Report it, with a transcript of the call."
}

/// The ending of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Accepted {
        transaction_id: u64,
    },
    Refused(FoundViolation),
    /// The last attempt met a conflict that has a code.
    Conflict(FoundViolation),
    Failed(Failure),
}

impl Ending {
    /// A fault of the library: a fact that was checked before no longer holds.
    pub(crate) const FAULT: Self = Self::Failed(Failure::Internal);

    /// Phase 7: after the last attempt, the conflict decides the call.
    pub(crate) fn after(conflict: Conflict) -> Self {
        match conflict.rule() {
            Some(rule) => Self::Conflict(FoundViolation::of_call(rule, BodyPlace::None)),
            None => Self::Failed(Failure::Host),
        }
    }
}
