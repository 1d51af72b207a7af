//! A call by hand: the functions for its steps and the host's answers.

use core::mem::MaybeUninit;

use franking_core::{Facts, Questions};

use crate::body;
use crate::call::{FrankingCall, Machine, State};
use crate::commit::FrankingCommit;
use crate::error::FrankingError;
use crate::facts::FrankingFacts;
use crate::handle::{check_out, get, put_out, run, run_alone};
use crate::memory::ask_for_body;
use crate::numbers::{FRANKING_STEP_COMMIT, flags, operation};
use crate::plan::FrankingPlan;
use crate::policy::FrankingPolicy;
use crate::questions::FrankingQuestions;
use crate::rows::FrankingAccount;
use crate::size::{borrow_sized, check_sized, write_sized, write_sized_with};
use crate::status::Outcome;
use crate::text::{FrankingBytes, FrankingText};

/// Writes a text that the call keeps.
///
/// # Safety
/// `call` is NULL or was not freed, and `out` is NULL or a place for a text.
unsafe fn put_text(
    call: *const FrankingCall,
    out: *mut FrankingText,
    what: &'static str,
    read: impl FnOnce(&mut State) -> Outcome<FrankingText>,
) -> Outcome {
    // SAFETY: as demanded of the caller.
    let call = unsafe { get(call, "call") }?;
    check_out(out, what)?;
    let text = call.state.write(read)?;
    // SAFETY: checked above.
    unsafe { put_out(out, text) }
}

/// Makes a call from an HTTP request: one of FRANKING_OPERATION, the HTTP method, and the bytes of the body, as they came.
/// Anything wrong with the request becomes a decision, not an error. how is 0 or bits of FRANKING_NEW. Without
/// FRANKING_NEW_BORROWED the body is copied.
///
/// Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the copy, or to read the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_new(
    policy: *const FrankingPolicy,
    operation: i32,
    method: FrankingText,
    body: FrankingBytes,
    how: i32,
    call: *mut *mut FrankingCall,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let (is_borrowed, is_recorded) = flags(how)?;
        // SAFETY: the caller passes bytes that can be read, and keeps a body that is borrowed until the call is freed.
        let body = unsafe { body::take(body, is_borrowed) }?;
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?.get();
        let operation = self::operation(operation)?;
        // SAFETY: the caller passes a text that can be read.
        let method = unsafe { method.read_lossy("method") }?;
        check_out(call, "call")?;
        ask_for_body(policy, operation, body.as_ref())?;
        let machine = || Machine::new(policy, operation, &method, body, is_recorded);
        let made = FrankingCall::new(machine, false);
        // SAFETY: checked above.
        unsafe { put_out(call, made) }
    })
}

/// Writes what the call waits for: one of FRANKING_STEP. It changes nothing, and gives the same step until the call is
/// answered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_step(
    call: *mut FrankingCall,
    step: *mut i32,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(step, "step")?;
        let number = call.step()?;
        // SAFETY: checked above.
        unsafe { put_out(step, number) }
    })
}

/// At FRANKING_STEP_ACCOUNT: the API key as sent, never empty. A secret. Lives until the call is answered or freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_key(
    call: *mut FrankingCall,
    key: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed, and NULL or a place for a text.
        unsafe { put_text(call, key, "key", State::key) }
    })
}

/// Answers FRANKING_STEP_ACCOUNT with what the host knows of the account. Its exists is 0 when no account has the key.
///
/// Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_answer_account(
    call: *mut FrankingCall,
    account: *const FrankingAccount,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        let mut room = MaybeUninit::uninit();
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let account = unsafe { borrow_sized(account, &mut room, "account") }?;
        let account = account.get()?;
        call.answer(|machine| machine.account(account))
    })
}

/// At FRANKING_STEP_FACTS: writes all questions at once. Unless facts is NULL, it also writes facts with a row for each
/// question: fill them in and pass them to franking_call_answer_facts. A program that has its own rows passes NULL and
/// starts from FRANKING_FACTS_INIT instead. questions->size and facts->size have to be set. A second call gives the same
/// rows, with what was filled in so far.
///
/// Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the columns; the call still waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_questions(
    call: *mut FrankingCall,
    questions: *mut FrankingQuestions,
    facts: *mut FrankingFacts,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(questions, "questions") }?;
        if !facts.is_null() {
            // SAFETY: the caller passes a structure that begins with its size.
            unsafe { check_sized(facts, "facts") }?;
        }
        call.state.write(|state| {
            if !facts.is_null() {
                let rows = state.rows()?;
                // SAFETY: checked above.
                unsafe { write_sized(facts, "facts", rows) }?;
            }
            let show = |place: &mut _| state.show_questions(place).map(|_| ());
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized_with(questions, "questions", show) }
        })
    })
}

/// Answers FRANKING_STEP_FACTS with what the host knows of each member of each column. The facts are copied.
///
/// Fails with FRANKING_STATUS_MISUSE when the call waits for something else, when a column is not as long as the question's,
/// when the id of a subscriber is invalid, or when the call is judged by a stored address that is empty, or whose domain is
/// not said to be blacklisted or not. Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the columns. In
/// both cases nothing changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_answer_facts(
    call: *mut FrankingCall,
    facts: *const FrankingFacts,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        let mut room = MaybeUninit::uninit();
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let given = unsafe { borrow_sized(facts, &mut room, "facts") }?;
        // SAFETY: the caller passes columns that can be read.
        let fill =
            |questions: &Questions<'_>, facts: &mut Facts| unsafe { given.fill(questions, facts) };
        call.answer(|machine| machine.fill(fill))
    })
}

/// At FRANKING_STEP_COMMIT: hands out the plan, once, for the host to carry out. plan->size has to be set. Afterwards the
/// call counts as ended, and the result of its plan as unknown (FRANKING_FAILURE_UNKNOWN), until franking_call_answer_commit
/// gives the result. So a program that gives up waiting, or is cancelled, never carries out the same plan twice.
///
/// Fails with FRANKING_STATUS_MISUSE when the call waits for something else, or its plan was handed out before. Fails with
/// FRANKING_STATUS_MEMORY when there is not enough memory for its rows; the call then still waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_begin_commit(
    call: *mut FrankingCall,
    plan: *mut FrankingPlan,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let own = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(plan, "plan") }?;
        own.state.write(|state| {
            own.check_undriven()?;
            if state.step_number() != FRANKING_STEP_COMMIT {
                return Err(state.wrong_step("there is no plan to hand out"));
            }
            // All allocations that may fail come before the plan is handed out.
            let show = |place: &mut _| state.show_plan(call, place);
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized_with(plan, "plan", show) }?;
            own.begin_commit(state)
        })
    })
}

/// Writes the plan of the call, for reading. The plan exists while the call waits for the commit, after
/// franking_call_begin_commit, and once the call is accepted. plan->size has to be set. To carry the plan out, take it from
/// franking_call_begin_commit.
///
/// Fails with FRANKING_STATUS_MISUSE when there is no plan, and with FRANKING_STATUS_MEMORY when there is not enough memory for its rows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_plan(
    call: *mut FrankingCall,
    plan: *mut FrankingPlan,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let own = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(plan, "plan") }?;
        own.state.write(|state| {
            let show = |place: &mut _| state.show_plan(call, place);
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized_with(plan, "plan", show) }
        })
    })
}

/// Writes the decoded HTML of a message of the plan, counted from 0. It is exactly what was checked and is to be delivered.
/// data is NULL on sendMailer. The HTML is decoded by this function, and lives until the next call of it, or until the call
/// is answered or freed.
///
/// Fails with FRANKING_STATUS_MISUSE when there is no plan, with FRANKING_STATUS_ARGUMENT when the plan of httpSendMail has
/// no such message, and with FRANKING_STATUS_MEMORY when there is not enough memory for the rows of the plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_html(
    call: *mut FrankingCall,
    message: usize,
    html: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed, and NULL or a place for a text.
        unsafe { put_text(call, html, "html", |state| state.html(message)) }
    })
}

/// Answers FRANKING_STEP_COMMIT. After FRANKING_COMMIT_DONE the call is accepted. If the transaction id is invalid, the call
/// has ended without a code instead (FRANKING_FAILURE_MISUSE); what the host did remains done. After
/// FRANKING_COMMIT_CONFLICT, when nothing of the plan was carried out, the call is judged again from the start, or has ended
/// when there are no more attempts. After FRANKING_COMMIT_UNKNOWN, or any number that is not defined, the call has ended
/// without a code (FRANKING_FAILURE_UNKNOWN), because a second try could send everything twice.
///
/// Fails with FRANKING_STATUS_MISUSE when the call waits for something else; nothing changes. If commit is NULL or too
/// small, the function fails with FRANKING_STATUS_NULL or FRANKING_STATUS_SIZE. A call that waits for the commit then ends
/// as after FRANKING_COMMIT_UNKNOWN, because the plan may have been carried out.
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
        call.answer_commit(|machine| machine.commit(commit))
    })
}
