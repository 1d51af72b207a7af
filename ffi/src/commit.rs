//! The result of carrying out a plan.

use franking_core::{Commit, Conflict};

use crate::numbers::{FRANKING_COMMIT_CONFLICT, FRANKING_COMMIT_DONE, value};
use crate::size::{Grows, init_sized};

/// The result of carrying out a plan. Start from FRANKING_COMMIT_INIT, which counts as FRANKING_COMMIT_UNKNOWN until it is
/// filled in.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingCommit {
    /// sizeof(franking_commit).
    pub size: usize,
    /// One of FRANKING_COMMIT. Any other number counts as FRANKING_COMMIT_UNKNOWN.
    pub kind: i32,
    /// With FRANKING_COMMIT_CONFLICT: what prevented the commit, one of FRANKING_CONFLICT.
    pub conflict: i32,
    /// With FRANKING_COMMIT_DONE: the number that the host has generated to identify the call, 1 to 2^53-1.
    pub transaction_id: u64,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingCommit {
    const FIRST: usize = 24;
}

impl FrankingCommit {
    /// A commit that is not filled in, or holds a number that is not defined, counts as unknown.
    pub(crate) fn get(&self) -> Commit {
        match self.kind {
            FRANKING_COMMIT_DONE => Commit::Done {
                transaction_id: self.transaction_id,
            },
            FRANKING_COMMIT_CONFLICT => value(self.conflict, Conflict::from_number)
                .map_or(Commit::Unknown, Commit::Conflict),
            _ => Commit::Unknown,
        }
    }
}

/// Writes FRANKING_COMMIT_INIT. size is sizeof(franking_commit).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_commit_init(commit: *mut FrankingCommit, size: usize) {
    // SAFETY: the caller passes NULL or a structure of that size.
    unsafe { init_sized(commit, size) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constants::FRANKING_CONFLICT_OTHER;
    use crate::numbers::FRANKING_COMMIT_UNKNOWN;

    #[test]
    fn a_commit_that_says_nothing_or_nothing_that_can_be_is_unknown() {
        let commit = |kind, conflict| FrankingCommit {
            kind,
            conflict,
            transaction_id: 9,
            ..FrankingCommit::EMPTY
        };
        for kind in [0, FRANKING_COMMIT_UNKNOWN, 4, -1, i32::MAX] {
            let said = commit(kind, FRANKING_CONFLICT_OTHER).get();
            assert!(matches!(said, Commit::Unknown));
        }
        for conflict in [0, 7, -1, i32::MIN] {
            let said = commit(FRANKING_COMMIT_CONFLICT, conflict).get();
            assert!(matches!(said, Commit::Unknown));
        }
        let done = commit(FRANKING_COMMIT_DONE, 0).get();
        assert!(matches!(done, Commit::Done { transaction_id: 9 }));
    }
}
