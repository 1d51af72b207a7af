//! What came of carrying out a plan.

use core::mem::MaybeUninit;
use core::sync::atomic::Ordering;

use franking_core::Commit;

use crate::call::FrankingCall;
use crate::error::FrankingError;
use crate::handle::{get, run};
use crate::numbers::{FRANKING_COMMIT_CONFLICT, FRANKING_COMMIT_DONE, conflict};
use crate::size::{Grows, borrow_sized, init_sized};
use crate::status::Fail;

/// What came of carrying out a plan. Start from FRANKING_COMMIT_INIT, which says nothing: that is FRANKING_COMMIT_UNKNOWN.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingCommit {
    /// sizeof(franking_commit).
    pub size: usize,
    /// One of FRANKING_COMMIT. What is none of them says nothing, which is FRANKING_COMMIT_UNKNOWN.
    pub kind: i32,
    /// With FRANKING_COMMIT_CONFLICT: what stood in the way, one of FRANKING_CONFLICT.
    pub conflict: i32,
    /// With FRANKING_COMMIT_DONE: the number that the host has generated to identify the call, 1 to 2^53-1.
    pub transaction_id: u64,
}

// SAFETY: repr(C), 8 + 2 * 4 + 8 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingCommit {
    const FIRST: usize = 24;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        kind: 0,
        conflict: 0,
        transaction_id: 0,
    };
}

impl FrankingCommit {
    /// What says nothing, or nothing that can be, says nothing of what came of the plan.
    pub(crate) fn get(&self) -> Commit {
        match self.kind {
            FRANKING_COMMIT_DONE => Commit::Done {
                transaction_id: self.transaction_id,
            },
            FRANKING_COMMIT_CONFLICT => {
                conflict(self.conflict).map_or(Commit::Unknown, Commit::Conflict)
            }
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

/// Answers FRANKING_STEP_COMMIT. Done: the call is accepted, or has ended without a code when the transaction id cannot be
/// (FRANKING_FAILURE_MISUSE); what the host did stands. A conflict: nothing of the plan was carried out, and the call is judged
/// again from the start, or has ended when there are no more attempts. Unknown, and all that says nothing: the call has ended
/// without a code (FRANKING_FAILURE_UNKNOWN), for a second try could send everything twice.
///
/// Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes. A commit that is NULL or too small
/// fails, too, but ends a call that waits for it as FRANKING_COMMIT_UNKNOWN does: the plan may have been carried out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_answer_commit(
    call: *mut FrankingCall,
    commit: *const FrankingCommit,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        let mut room = MaybeUninit::uninit();
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let commit = match unsafe { borrow_sized(commit, &mut room, "commit") } {
            Ok(commit) => commit.get(),
            Err(fail) => return Err(call.unread(fail)),
        };
        if call.is_driven.load(Ordering::Acquire) {
            return Err(Fail::busy());
        }
        call.give_commit(|machine| machine.commit(commit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{FRANKING_COMMIT_UNKNOWN, FRANKING_CONFLICT_OTHER};

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
