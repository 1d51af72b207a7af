//! The loop that decides a call with a host of callbacks.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, Ordering};

use franking_core::{Commit, Failure};

use crate::call::{FrankingCall, Kept, State};
use crate::commit::FrankingCommit;
use crate::error::FrankingError;
use crate::facts::{FactsRoom, FrankingFacts};
use crate::handle::run;
use crate::numbers::{
    FRANKING_STEP_ACCOUNT, FRANKING_STEP_COMMIT, FRANKING_STEP_DONE, FRANKING_STEP_FACTS,
};
use crate::plan::FrankingPlan;
use crate::questions::FrankingQuestions;
use crate::rows::FrankingAccount;
use crate::size::{Grows, init_sized, read_sized};
use crate::status::{FRANKING_STATUS_HOST, FRANKING_STATUS_UNKNOWN, Fail, Outcome};
use crate::text::FrankingText;

/// A host of callbacks, for franking_call_decide and franking_send_mailer_decide. Start from FRANKING_HOST_INIT.
///
/// account and facts return 0 when they have answered, and any other number when the look-up failed. The deciding function
/// then fails with FRANKING_STATUS_HOST, and franking_error_value is that number. commit returns 0 when it has answered, and
/// any other number when it does not know whether the plan was carried out. The deciding function then fails with
/// FRANKING_STATUS_UNKNOWN, and the call has ended. A callback must return: no longjmp may leave it, and an exception that
/// leaves it ends the process with a message. The arguments of a callback live until it returns. Whatever its answer points
/// to has to live until the next callback, or until the deciding function returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingHost {
    /// sizeof(franking_host).
    pub size: usize,
    /// Passed to each callback as it is.
    pub context: *mut c_void,
    /// Looks up the account by its key, which is a secret. *account starts as FRANKING_ACCOUNT_INIT, which means that there
    /// is no such account.
    pub account: Option<
        unsafe extern "C-unwind" fn(
            context: *mut c_void,
            key: FrankingText,
            account: *mut FrankingAccount,
        ) -> i32,
    >,
    /// Looks up everything that is asked for, and fills in *facts, which starts with a row for each question.
    pub facts: Option<
        unsafe extern "C-unwind" fn(
            context: *mut c_void,
            questions: *const FrankingQuestions,
            facts: *mut FrankingFacts,
        ) -> i32,
    >,
    /// Carries out the plan in one transaction, or rolls back and says what prevented it. A host that failed, and knows that
    /// nothing was carried out, answers FRANKING_CONFLICT_OTHER. *commit starts as FRANKING_COMMIT_INIT. From the moment
    /// when this callback is called until it returns, the call counts as ended with an unknown result
    /// (FRANKING_FAILURE_UNKNOWN).
    pub commit: Option<
        unsafe extern "C-unwind" fn(
            context: *mut c_void,
            plan: *const FrankingPlan,
            commit: *mut FrankingCommit,
        ) -> i32,
    >,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingHost {
    const FIRST: usize = 40;
}

/// Writes FRANKING_HOST_INIT. size is sizeof(franking_host).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_host_init(host: *mut FrankingHost, size: usize) {
    // SAFETY: the caller passes NULL or a structure of that size.
    unsafe { init_sized(host, size) };
}

/// The callbacks, none of which is NULL.
pub(crate) struct Callbacks {
    context: *mut c_void,
    account: unsafe extern "C-unwind" fn(*mut c_void, FrankingText, *mut FrankingAccount) -> i32,
    facts: unsafe extern "C-unwind" fn(
        *mut c_void,
        *const FrankingQuestions,
        *mut FrankingFacts,
    ) -> i32,
    commit:
        unsafe extern "C-unwind" fn(*mut c_void, *const FrankingPlan, *mut FrankingCommit) -> i32,
}

impl FrankingHost {
    pub(crate) fn callbacks(&self) -> Outcome<Callbacks> {
        let callback = |what: &'static str| move || Fail::null(what);
        Ok(Callbacks {
            context: self.context,
            account: self.account.ok_or_else(callback("host->account"))?,
            facts: self.facts.ok_or_else(callback("host->facts"))?,
            commit: self.commit.ok_or_else(callback("host->commit"))?,
        })
    }
}

/// The result of a commit and, if that is unknown, the number that the callback returned.
pub(crate) struct Committed {
    pub(crate) commit: Commit,
    unknown: Option<i32>,
}

impl Committed {
    /// The result of the deciding function, once the call has its answer.
    pub(crate) fn outcome(&self) -> Outcome {
        match self.unknown {
            None => Ok(()),
            Some(0) => Err(unknown()),
            Some(status) => Err(unknown().with_value(i64::from(status))),
        }
    }
}

impl Callbacks {
    /// # Safety
    /// The callbacks are functions as they are declared.
    #[inline(always)]
    pub(crate) unsafe fn account(
        &self,
        key: FrankingText,
        answer: &mut FrankingAccount,
    ) -> Outcome {
        // SAFETY: as demanded of the caller.
        looked_up(unsafe { (self.account)(self.context, key, answer) })
    }

    /// `room` must not move until the facts are taken.
    ///
    /// # Safety
    /// As [`Callbacks::account`].
    #[inline(always)]
    pub(crate) unsafe fn facts(
        &self,
        asked: &FrankingQuestions,
        room: &mut FactsRoom,
        answer: &mut FrankingFacts,
    ) -> Outcome {
        room.open(asked, answer)?;
        // SAFETY: as demanded of the caller.
        looked_up(unsafe { (self.facts)(self.context, asked, answer) })
    }

    /// # Safety
    /// As [`Callbacks::account`].
    #[inline(always)]
    pub(crate) unsafe fn commit(&self, plan: *const FrankingPlan) -> Committed {
        let mut answer = FrankingCommit::EMPTY;
        // SAFETY: as demanded of the caller.
        let status = unsafe { (self.commit)(self.context, plan, &raw mut answer) };
        let commit = if status == 0 {
            answer.get()
        } else {
            Commit::Unknown
        };
        let unknown = matches!(commit, Commit::Unknown).then_some(status);
        Committed { commit, unknown }
    }
}

/// Turns the number that a look-up returned into a result.
fn looked_up(status: i32) -> Outcome {
    if status == 0 {
        return Ok(());
    }
    let message = "the host could not look something up, and nothing was carried out: the call can be decided again";
    Err(Fail::new(FRANKING_STATUS_HOST, message).with_value(i64::from(status)))
}

pub(crate) fn unknown() -> Fail {
    Fail::new(FRANKING_STATUS_UNKNOWN, Failure::Unknown.to_string())
}

/// Clears the mark that a driver is at work, when it is dropped.
struct Driven<'a>(&'a AtomicBool);

impl Drop for Driven<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Decides a call with a host of callbacks, in a loop over franking_call_step. Afterwards read franking_call_decision.
///
/// Fails with FRANKING_STATUS_HOST when the account or facts could not be looked up, and with FRANKING_STATUS_MISUSE when
/// they do not fit the questions. Nothing was carried out then, and the call may be decided again. Fails with
/// FRANKING_STATUS_UNKNOWN when commit failed, or answered that the result is unknown. The call has then ended: deciding it
/// again gives the decision that says so (failure). However often a call is decided, its plan is carried out at most once.
/// An invalid transaction id is not an error here: the call has ended, and its decision says so. If another thread uses the
/// call when commit returns, the function waits for that thread, because only the answer of commit says what happened to the
/// plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_decide(
    call: *mut FrankingCall,
    host: *const FrankingHost,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // Keeps the memory of the call, even if a callback frees the call.
        // SAFETY: the caller passes NULL or a call that was not freed.
        let kept = unsafe { Kept::new(call) }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let callbacks = unsafe { read_sized(host, "host") }?.callbacks()?;
        if kept.is_driven.swap(true, Ordering::AcqRel) {
            return Err(Fail::busy());
        }
        let _driven = Driven(&kept.is_driven);
        loop {
            match kept.step()? {
                FRANKING_STEP_ACCOUNT => {
                    let key = kept.state.write(State::key)?;
                    let mut answer = FrankingAccount::EMPTY;
                    // SAFETY: the host's own functions, called as they are declared.
                    unsafe { callbacks.account(key, &mut answer) }?;
                    check_freed(&kept)?;
                    let account = answer.get()?;
                    kept.give(|machine| machine.account(account))?;
                }
                FRANKING_STEP_FACTS => {
                    let mut place = MaybeUninit::uninit();
                    let asked = kept.state.write(|state| state.show_questions(&mut place))?;
                    let mut room = FactsRoom::default();
                    let mut answer = FrankingFacts::EMPTY;
                    // SAFETY: the host's own functions, called as they are declared.
                    unsafe { callbacks.facts(asked, &mut room, &mut answer) }?;
                    check_freed(&kept)?;
                    kept.give(|machine| {
                        machine.fill(|questions, facts| {
                            // SAFETY: the host passes columns that can be read.
                            unsafe { answer.fill(questions, facts) }
                        })
                    })?;
                }
                FRANKING_STEP_COMMIT => {
                    // All allocations that may fail come before the plan is handed out.
                    let mut place = MaybeUninit::uninit();
                    kept.state
                        .write(|state| state.show_plan(call, &mut place))?;
                    kept.state.write(|state| kept.begin_commit(state))?;
                    // SAFETY: the host's own functions, called as they are declared.
                    let committed = unsafe { callbacks.commit(place.as_ptr()) };
                    // After a conflict the call would be judged again, and its body may be gone.
                    if kept.is_freed() {
                        return Err(unknown());
                    }
                    let given = kept.settle(committed.commit);
                    committed.outcome()?;
                    // The plan was handed out. No failure after that may tell the host to try again.
                    given.map_err(|_| unknown())?;
                    // Looking at the step would fail while another thread uses the call.
                    if kept.is_decided() {
                        return Ok(());
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
