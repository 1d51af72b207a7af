//! A call of sendMailer from its bytes to its decision in one function: the quickest way through a call.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use franking_core::{AccountQuestion, Call, Decision, Operation, Plan, Policy, Step};

use crate::arena::Arena;
use crate::columns::{Columns, FrankingAnswers, FrankingQuestions};
use crate::decision::FrankingDecision;
use crate::driver::{FrankingCommit, committed, looked_up, unknown};
use crate::error::FrankingError;
use crate::facts::FrankingAccount;
use crate::handle::{get, run_alone};
use crate::memory::ask_for_body;
use crate::numbers::FRANKING_MAX_FIELDS;
use crate::plan::{FrankingField, FrankingSinglePlan, write_fields};
use crate::policy::FrankingPolicy;
use crate::size::{Grows, borrow_sized};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingBytes, FrankingText};

/// A host of callbacks, for franking_send_mailer_decide. Start from FRANKING_SEND_MAILER_HOST_INIT.
///
/// account and facts return 0 when they have answered, and any other number when the host could not look;
/// franking_send_mailer_decide then fails with FRANKING_STATUS_HOST and that number as franking_error_value. commit returns 0
/// when it has answered, and any other number when it does not know whether the plan was carried out;
/// franking_send_mailer_decide then fails with FRANKING_STATUS_UNKNOWN. A callback must return: no exception and no longjmp may
/// leave it. What it gets lives until it returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingSendMailerHost {
    /// sizeof(franking_send_mailer_host).
    pub size: usize,
    /// Passed to each callback as it is.
    pub context: *mut c_void,
    /// Looks the account up by its key, a secret. *account comes as FRANKING_ACCOUNT_INIT: there is no such account.
    pub account: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            key: FrankingText,
            account: *mut FrankingAccount,
        ) -> i32,
    >,
    /// Answers each member of each column: exactly one mailer and one of subscriber_ids and subscribers, at most one of senders
    /// and of lists, at most FRANKING_MAX_SINGLE_DOMAINS domains. *answers comes as FRANKING_ANSWERS_INIT; the arrays and texts
    /// that it is made to point to have to live until the next callback.
    pub facts: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            questions: *const FrankingQuestions,
            answers: *mut FrankingAnswers,
        ) -> i32,
    >,
    /// Carries the plan out in one transaction, with the fields of personalization to store: those of a subscriber to
    /// create, or those to overwrite, in the interface's order. Or rolls back and says what stood in the way: a host that failed
    /// and knows that nothing was carried out says FRANKING_CONFLICT_OTHER. *commit comes as FRANKING_COMMIT_INIT.
    pub commit: Option<
        unsafe extern "C" fn(
            context: *mut c_void,
            plan: *const FrankingSinglePlan,
            fields: *const FrankingField,
            field_count: usize,
            commit: *mut FrankingCommit,
        ) -> i32,
    >,
    /// Gets what was decided, with the answer to send: also when it is that nothing is known of the commit. It cannot fail,
    /// for by then the plan may have been carried out: keep the answer where there is room for it.
    pub decided:
        Option<unsafe extern "C" fn(context: *mut c_void, decision: *const FrankingDecision)>,
}

// SAFETY: repr(C), 6 * 8 bytes without padding; the caller passes functions or NULL, which is what the members take.
unsafe impl Grows for FrankingSendMailerHost {
    const FIRST: usize = 48;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        context: core::ptr::null_mut(),
        account: None,
        facts: None,
        commit: None,
        decided: None,
    };
}

/// Decides a call of sendMailer from its bytes to its decision, without a handle: the quickest way, where a call is decided
/// at once and by one thread. The callbacks are called in the order of a call's steps: account, facts and commit each once
/// at most, but after a conflict; then decided, once. Whatever is wrong with the call is a decision, not an error.
///
/// Fails with FRANKING_STATUS_HOST when account or facts did, and with FRANKING_STATUS_MISUSE when they answered what was not
/// asked, and with FRANKING_STATUS_MEMORY when there is none for reading the body: nothing was carried out, and the call may be
/// decided again. Fails with FRANKING_STATUS_UNKNOWN when commit did, after
/// decided was called with what is known: do not decide the call again. A transaction id or a conflict that cannot be is no
/// error here: the decision says so (host_error), and what was carried out stands.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_send_mailer_decide(
    policy: *const FrankingPolicy,
    method: FrankingText,
    body: FrankingBytes,
    host: *const FrankingSendMailerHost,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?.lend()?;
        // SAFETY: the caller passes a text that can be read.
        let method = unsafe { method.read_lossy("method") }?;
        // SAFETY: the caller passes bytes that can be read.
        let body = unsafe { body.read("body") }?;
        let mut room = MaybeUninit::uninit();
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let host = unsafe { borrow_sized(host, &mut room, "host") }?;
        let callbacks = host.callbacks()?;
        // SAFETY: the host's own functions, called as they are declared.
        unsafe { callbacks.decide(policy, &method, body) }
    })
}

/// The callbacks, none of which is NULL.
struct Callbacks {
    context: *mut c_void,
    account: unsafe extern "C" fn(*mut c_void, FrankingText, *mut FrankingAccount) -> i32,
    facts: unsafe extern "C" fn(*mut c_void, *const FrankingQuestions, *mut FrankingAnswers) -> i32,
    commit: unsafe extern "C" fn(
        *mut c_void,
        *const FrankingSinglePlan,
        *const FrankingField,
        usize,
        *mut FrankingCommit,
    ) -> i32,
    decided: unsafe extern "C" fn(*mut c_void, *const FrankingDecision),
}

impl FrankingSendMailerHost {
    fn callbacks(&self) -> Outcome<Callbacks> {
        let callback = |what: &'static str| move || Fail::null(what);
        Ok(Callbacks {
            context: self.context,
            account: self.account.ok_or_else(callback("host->account"))?,
            facts: self.facts.ok_or_else(callback("host->facts"))?,
            commit: self.commit.ok_or_else(callback("host->commit"))?,
            decided: self.decided.ok_or_else(callback("host->decided"))?,
        })
    }
}

impl Callbacks {
    /// # Safety
    /// The callbacks are functions as they are declared.
    #[inline(always)]
    unsafe fn decide(&self, policy: &Policy, method: &str, body: &[u8]) -> Outcome {
        ask_for_body(policy, Operation::SendMailer, body)?;
        let mut call = Call::new(policy, Operation::SendMailer, method, body);
        let mut commit_status = 0;
        loop {
            match call.step() {
                Step::Account(question) => {
                    let mut answer = FrankingAccount::EMPTY;
                    // SAFETY: as demanded of the caller.
                    unsafe { self.account(question, &mut answer) }?;
                    call.answer_account(answer.get())?;
                }
                // SAFETY: as demanded of the caller.
                Step::Facts(_) => unsafe { self.facts(&mut call) }?,
                Step::Commit(plan) => {
                    // The call is this function's own: nobody can carry its plan out again.
                    let mut answer = FrankingCommit::EMPTY;
                    // SAFETY: as demanded of the caller.
                    commit_status = unsafe { self.commit(plan, &mut answer) }?;
                    call.answer_commit(answer.get(commit_status))
                        .map_err(|_| unknown())?;
                }
                Step::Done(decision) => {
                    // SAFETY: as demanded of the caller.
                    unsafe { self.decided(&decision) };
                    return committed(commit_status);
                }
            }
        }
    }

    /// # Safety
    /// As [`Callbacks::decide`].
    #[inline(always)]
    unsafe fn account(
        &self,
        question: AccountQuestion<'_>,
        answer: &mut FrankingAccount,
    ) -> Outcome {
        let key = question.key();
        let text = FrankingText::new(&key);
        // SAFETY: as demanded of the caller.
        looked_up(unsafe { (self.account)(self.context, text, answer) })
    }

    /// # Safety
    /// As [`Callbacks::decide`].
    #[inline(always)]
    unsafe fn facts(&self, call: &mut Call<&[u8]>) -> Outcome {
        call.fill_facts(|questions, facts| {
            let mut texts = Arena::default();
            let mut columns = Columns::default();
            columns.fill(*questions, &mut texts)?;
            let mut place = MaybeUninit::uninit();
            let asked: *const FrankingQuestions = columns.show(&mut place);
            let mut answers = FrankingAnswers::EMPTY;
            // SAFETY: as demanded of the caller.
            looked_up(unsafe { (self.facts)(self.context, asked, &raw mut answers) })?;
            // SAFETY: as demanded of the caller.
            unsafe { answers.fill(questions, facts) }
        })
    }

    /// What the commit returned.
    ///
    /// # Safety
    /// As [`Callbacks::decide`].
    #[inline(always)]
    unsafe fn commit(&self, plan: Plan<'_>, answer: &mut FrankingCommit) -> Outcome<i32> {
        // Looked at where it is made: copied, it waits for its own parts.
        let single = plan.single();
        let Some(plan) = &single else {
            return Err(Fail::panic());
        };
        let mut texts = Arena::default();
        let mut rows = [const { MaybeUninit::uninit() }; FRANKING_MAX_FIELDS as usize];
        let count = write_fields(plan, &mut texts, &mut rows)?;
        let mut place = MaybeUninit::uninit();
        let plan: *const _ = FrankingSinglePlan::write(&mut place, plan, &mut texts);
        let fields = rows.as_ptr().cast();
        // SAFETY: as demanded of the caller.
        Ok(unsafe { (self.commit)(self.context, plan, fields, count, answer) })
    }

    /// # Safety
    /// As [`Callbacks::decide`].
    #[inline(always)]
    unsafe fn decided(&self, decision: &Decision<'_>) {
        let answer = decision.response();
        let violation = decision.violation();
        let pointer = violation.and_then(|violation| violation.pointer());
        let value = FrankingDecision::new(decision, answer.as_deref(), pointer.as_deref());
        // SAFETY: as demanded of the caller.
        unsafe { (self.decided)(self.context, &raw const value) };
    }
}
