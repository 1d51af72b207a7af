//! The loop over a call that serves a host of callbacks.

use core::ffi::c_void;
use core::sync::atomic::{AtomicBool, Ordering};

use franking_core::{Commit, Misuse};

use crate::call::{FrankingCall, Kept, State};
use crate::error::FrankingError;
use crate::facts::{FrankingAccount, FrankingFacts};
use crate::handle::run;
use crate::numbers::{
    FRANKING_STEP_ACCOUNT, FRANKING_STEP_COMMIT, FRANKING_STEP_DONE, FRANKING_STEP_FACTS, conflict,
};
use crate::size::{Grows, read_sized};
use crate::status::{FRANKING_STATUS_HOST, Fail, Outcome};
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
    pub(crate) fn get(&self) -> Outcome<Commit> {
        Ok(match self.conflict {
            0 => Commit::Done {
                transaction_id: self.transaction_id,
            },
            number => Commit::Conflict(conflict(number)?),
        })
    }
}

/// A host of callbacks, for franking_call_decide. Start from FRANKING_HOST_INIT.
///
/// A callback returns 0 when it has answered, and any other number when the host could not look or could not carry out;
/// franking_call_decide then fails with FRANKING_STATUS_HOST and that number as franking_error_value. A callback must
/// return: no exception and no longjmp may leave it. It may read the call, but not answer or free it.
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
    /// Carries the call's plan out in one transaction, or rolls back and says what stood in the way.
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

pub(crate) fn answered(status: i32) -> Outcome {
    if status == 0 {
        return Ok(());
    }
    let message = "a callback of the host's failed: the call is undecided and can be decided again";
    Err(Fail::new(FRANKING_STATUS_HOST, message).with_value(i64::from(status)))
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
/// Fails with FRANKING_STATUS_HOST when a callback did, and with FRANKING_STATUS_MISUSE when it answered what was not
/// asked; the call is undecided and may be decided again. A transaction id that cannot be is no error here: the call has
/// ended, and its decision says so (host_error).
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
                    answered(unsafe { account(host.context, key, &raw mut answer) })?;
                    check_freed(&kept)?;
                    kept.answer(|machine| machine.account(answer.get()))?;
                }
                FRANKING_STEP_FACTS => {
                    let mut answer = FrankingFacts::new();
                    // SAFETY: the host's own function, called as it is declared.
                    answered(unsafe { facts(host.context, call, &raw mut answer) })?;
                    check_freed(&kept)?;
                    let mut answer = answer.take()?;
                    kept.answer(|machine| machine.facts(&mut answer))?;
                }
                FRANKING_STEP_COMMIT => {
                    let mut answer = FrankingCommit::EMPTY;
                    // SAFETY: the host's own function, called as it is declared.
                    answered(unsafe { commit(host.context, call, &raw mut answer) })?;
                    check_freed(&kept)?;
                    let commit = answer.get()?;
                    kept.answer(|machine| match machine.commit(commit) {
                        // The call has ended: its decision says why.
                        Err(Misuse::TransactionId) => Ok(()),
                        result => result,
                    })?;
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
