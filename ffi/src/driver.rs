//! The loop over a call that serves a host of callbacks.

use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};

use franking_core::{Commit, Failure};

use crate::call::{FrankingCall, Kept, Machine, State};
use crate::error::FrankingError;
use crate::facts::{FrankingAccount, FrankingFacts};
use crate::handle::run;
use crate::numbers::{
    FRANKING_STEP_ACCOUNT, FRANKING_STEP_COMMIT, FRANKING_STEP_DONE, FRANKING_STEP_FACTS,
    commit_of_conflict,
};
use crate::size::{Grows, read_sized};
use crate::status::{FRANKING_STATUS_HOST, FRANKING_STATUS_UNKNOWN, Fail, Outcome};
use crate::text::FrankingText;

/// What came of carrying out a plan. Start from FRANKING_COMMIT_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingCommit {
    /// sizeof(franking_commit).
    pub size: usize,
    /// All of it was done: the number that the host has generated to identify the call, 1 to 2^53-1.
    pub transaction_id: u64,
    /// Nothing of it was done, because something has changed: one of FRANKING_CONFLICT; 0: it was done.
    pub conflict: i32,
    /// Leave 0.
    pub reserved: i32,
}

// SAFETY: repr(C), 2 * 8 + 2 * 4 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingCommit {
    const FIRST: usize = 24;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        transaction_id: 0,
        conflict: 0,
        reserved: 0,
    };
}

impl FrankingCommit {
    /// What a commit that returned this status has answered.
    pub(crate) fn get(&self, status: i32) -> Commit {
        match (status, self.conflict) {
            (0, 0) => Commit::Done {
                transaction_id: self.transaction_id,
            },
            (0, number) => commit_of_conflict(number),
            _ => Commit::Unknown,
        }
    }
}

/// A host of callbacks, for franking_call_decide. Start from FRANKING_HOST_INIT.
///
/// account and facts return 0 when they have answered, and any other number when the host could not look;
/// franking_call_decide then fails with FRANKING_STATUS_HOST and that number as franking_error_value. commit returns 0 when it
/// has answered, and any other number when it does not know whether the plan was carried out; franking_call_decide then fails
/// with FRANKING_STATUS_UNKNOWN, and the call has ended. A callback must return: no exception and no longjmp may leave it. It
/// may read the call, but not answer or free it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingHost {
    /// sizeof(franking_host).
    pub size: usize,
    /// Passed to each callback as it is.
    pub context: *mut c_void,
    /// Looks the account up by its key, a secret that lives until the callback returns. *account comes as
    /// FRANKING_ACCOUNT_INIT: there is no such account.
    pub account: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            key: FrankingText,
            account: *mut FrankingAccount,
        ) -> i32,
    >,
    /// Answers each member of each column of the call's questions, by pushing onto facts, which comes empty.
    pub facts: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            call: *mut FrankingCall,
            facts: *mut FrankingFacts,
        ) -> i32,
    >,
    /// Carries the call's plan out in one transaction, or rolls back and says what stood in the way: a host that failed and
    /// knows that nothing was carried out says FRANKING_CONFLICT_OTHER. From the moment when it is called, the call is one
    /// that has ended and of which nothing is known (FRANKING_HOST_ERROR_UNKNOWN), until it returns.
    pub commit: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            call: *mut FrankingCall,
            commit: *mut FrankingCommit,
        ) -> i32,
    >,
}

// SAFETY: repr(C), 5 * 8 bytes without padding; the caller passes functions or NULL, which is what the members take.
unsafe impl Grows for FrankingHost {
    const FIRST: usize = 40;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        context: core::ptr::null_mut(),
        account: None,
        facts: None,
        commit: None,
    };
}

/// What a look-up has returned.
pub(crate) fn looked_up(status: i32) -> Outcome {
    if status == 0 {
        return Ok(());
    }
    let message = "the host could not look something up, and nothing was carried out: the call can be decided again";
    Err(Fail::new(FRANKING_STATUS_HOST, message).with_value(i64::from(status)))
}

/// What a commit has returned, once the call has its answer.
pub(crate) fn committed(status: i32) -> Outcome {
    if status == 0 {
        return Ok(());
    }
    Err(unknown().with_value(i64::from(status)))
}

pub(crate) fn unknown() -> Fail {
    Fail::new(FRANKING_STATUS_UNKNOWN, Failure::Unknown.to_string())
}

/// Says that the driver is at work, until it is dropped.
struct Driven<'a>(&'a AtomicBool);

impl Drop for Driven<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Decides a call with a host of callbacks: a short loop over franking_call_step. Afterwards look at
/// franking_call_decision.
///
/// Fails with FRANKING_STATUS_HOST when the account or facts could not be looked up, and with FRANKING_STATUS_MISUSE when they
/// are not what was asked: nothing was carried out, and the call may be decided again. Fails with FRANKING_STATUS_UNKNOWN when
/// commit did: the call has ended, and deciding it again gives the decision that says so (host_error). However often a call is
/// decided again, its plan is carried out once at most. A transaction id or a conflict that cannot be is no error here: the
/// call has ended, and its decision says so (host_error).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_decide(
    call: *mut FrankingCall,
    host: *const FrankingHost,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // A callback that frees the call must not pull it away from here.
        // SAFETY: the caller passes NULL or a call that was not freed.
        let kept = unsafe { Kept::new(call) }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let host = unsafe { read_sized(host, "host") }?;
        let callback = |what: &'static str| move || Fail::null(what);
        let account = host.account.ok_or_else(callback("host->account"))?;
        let facts = host.facts.ok_or_else(callback("host->facts"))?;
        let commit = host.commit.ok_or_else(callback("host->commit"))?;
        if kept.is_driven.swap(true, Ordering::AcqRel) {
            return Err(Fail::busy());
        }
        let _driven = Driven(&kept.is_driven);
        loop {
            match kept.step()? {
                FRANKING_STEP_ACCOUNT => {
                    let key = kept.state.write(State::key)?;
                    let mut answer = FrankingAccount::EMPTY;
                    // SAFETY: the host's own function, called as it is declared.
                    looked_up(unsafe { account(host.context, key, &raw mut answer) })?;
                    check_freed(&kept)?;
                    kept.give(|machine| machine.account(answer.get()))?;
                }
                FRANKING_STEP_FACTS => {
                    let mut answer = FrankingFacts::new();
                    // SAFETY: the host's own function, called as it is declared.
                    looked_up(unsafe { facts(host.context, call, &raw mut answer) })?;
                    check_freed(&kept)?;
                    let mut answer = answer.take()?;
                    kept.give(|machine| machine.facts(&mut answer))?;
                }
                FRANKING_STEP_COMMIT => {
                    kept.give(Machine::begin_commit)?;
                    let mut answer = FrankingCommit::EMPTY;
                    // SAFETY: the host's own function, called as it is declared.
                    let status = unsafe { commit(host.context, call, &raw mut answer) };
                    let given = kept.give(|machine| machine.commit(answer.get(status)));
                    committed(status)?;
                    if given.is_err() || kept.is_freed() {
                        // The plan was handed out: whatever else went wrong, nobody may be told to try again.
                        return Err(unknown());
                    }
                }
                FRANKING_STEP_DONE => return Ok(()),
                _ => return Err(Fail::panic()),
            }
        }
    })
}

fn check_freed(call: &FrankingCall) -> Outcome {
    if call.is_freed() {
        return Err(Fail::misuse(
            "a callback freed the call that is being decided: free it after franking_call_decide",
        ));
    }
    Ok(())
}
