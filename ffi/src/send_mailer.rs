//! One function that decides a call of sendMailer, without a handle.

use core::cell::Cell;
use core::mem::MaybeUninit;

use franking_core::{
    Account, Call, Commit, DecideError, Decision, Facts, Host, Operation, Plan, Policy, Questions,
    decide,
};

use crate::arena::Arena;
use crate::constants::FRANKING_OPERATION_SEND_MAILER;
use crate::driver::{Callbacks, FrankingHost, unknown};
use crate::error::FrankingError;
use crate::facts::{FactsRoom, FrankingFacts};
use crate::guard::catch;
use crate::handle::{check_out, get, put_out, run_alone};
use crate::memory::ask_for_body;
use crate::plan::{MAX_FIELDS, SingleRows, write_fields};
use crate::policy::FrankingPolicy;
use crate::questions::Columns;
use crate::records::FrankingDecision;
use crate::rows::FrankingAccount;
use crate::size::{Grows, borrow_sized, check_sized, write_sized};
use crate::status::{FRANKING_STATUS_UNKNOWN, Fail, Outcome};
use crate::text::{FrankingBytes, FrankingString, FrankingText};

/// Decides a call of sendMailer, from its bytes to its decision, without a handle. It is the fastest way if one thread
/// decides the call at once. The callbacks are called in the order of a call's steps. account, facts and commit are each
/// called at most once, and again after a conflict. Anything wrong with the request becomes a decision, not an error.
/// decision->size has to be set. *response is the body of the response, which the caller owns: free it with
/// franking_string_free. It is NULL if the call ended without a code. The texts of the decision live until *response is freed.
///
/// Fails with FRANKING_STATUS_HOST when account or facts failed, with FRANKING_STATUS_MISUSE when their answers do not fit
/// the questions, and with FRANKING_STATUS_MEMORY when there is not enough memory to read the body. Nothing was carried out
/// then, and the call may be decided again. Fails with FRANKING_STATUS_UNKNOWN when commit failed, or answered that the
/// result is unknown: do not decide the call again. An invalid transaction id is not an error here: the failure of the
/// decision says so, and what the host did remains done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_send_mailer_decide(
    policy: *const FrankingPolicy,
    method: FrankingText,
    body: FrankingBytes,
    host: *const FrankingHost,
    decision: *mut FrankingDecision,
    response: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?.get();
        // SAFETY: the caller passes a text that can be read.
        let method = unsafe { method.read_lossy("method") }?;
        // SAFETY: the caller passes bytes that can be read.
        let body = unsafe { body.read("body") }?;
        let mut room = MaybeUninit::uninit();
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let host = unsafe { borrow_sized(host, &mut room, "host") }?;
        let callbacks = host.callbacks()?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(decision, "decision") }?;
        check_out(response, "response")?;
        // SAFETY: the host's own functions, called as they are declared.
        let (value, text) = unsafe { callbacks.decide(policy, &method, body) }?;
        // SAFETY: checked above.
        unsafe { write_sized(decision, "decision", value) }?;
        // SAFETY: checked above.
        unsafe { put_out(response, text) }
    })
}

impl Callbacks {
    /// # Safety
    /// The callbacks are functions as they are declared.
    #[inline(always)]
    unsafe fn decide(
        &self,
        policy: &Policy,
        method: &str,
        body: &[u8],
    ) -> Outcome<(FrankingDecision, *mut FrankingString)> {
        ask_for_body(policy, Operation::SendMailer, body)?;
        let is_handed_out = Cell::new(false);
        let inside = || {
            let mut call = Call::new(policy, Operation::SendMailer, method, body);
            let mut host = AtOnce {
                callbacks: self,
                is_handed_out: &is_handed_out,
            };
            match decide(&mut call, &mut host) {
                Ok(decision) => decided(&decision),
                Err(DecideError::LookUp(fail) | DecideError::Unknown(fail)) => Err(fail),
                Err(DecideError::Misuse(misuse)) => Err(misuse.into()),
            }
        };
        let decided = catch(inside).and_then(|decided| decided);
        if is_handed_out.get() {
            // No failure after the plan was handed out may tell the host to try again.
            return decided.map_err(|fail| match fail.status {
                FRANKING_STATUS_UNKNOWN => fail,
                _ => unknown(),
            });
        }
        decided
    }
}

/// The callbacks as a host of sendMailer. The code that makes it has to guarantee that they are functions as they are
/// declared.
struct AtOnce<'a> {
    callbacks: &'a Callbacks,
    /// A plan was handed out, and no conflict has said that it was not carried out.
    is_handed_out: &'a Cell<bool>,
}

impl Host for AtOnce<'_> {
    type Error = Fail;

    #[inline(always)]
    fn account(&mut self, key: &str) -> Outcome<Option<Account>> {
        let mut answer = FrankingAccount::EMPTY;
        // SAFETY: as guaranteed by the code that made this.
        unsafe { self.callbacks.account(FrankingText::new(key), &mut answer) }?;
        answer.get()
    }

    #[inline(always)]
    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Outcome {
        let mut texts = Arena::default();
        let mut columns = Columns::default();
        columns.fill(*questions, &mut texts)?;
        let mut place = MaybeUninit::uninit();
        let mut room = FactsRoom::default();
        let mut answer = FrankingFacts::EMPTY;
        let asked = columns.show(&mut place);
        // SAFETY: as guaranteed by the code that made this.
        unsafe { self.callbacks.facts(asked, &mut room, &mut answer) }?;
        // SAFETY: the host passes columns that can be read.
        unsafe { answer.fill(questions, facts) }
    }

    #[inline(always)]
    fn commit(&mut self, plan: &Plan<'_>) -> Outcome<Commit> {
        // Borrowed in place: a copy would wait for the stores of its members.
        let single = plan.single();
        let Some(plan) = &single else {
            return Err(Fail::panic());
        };
        let mut texts = Arena::default();
        let mut room = [const { MaybeUninit::uninit() }; MAX_FIELDS];
        let fields = write_fields(plan, &mut texts, &mut room)?;
        let mut rows = SingleRows::new(plan, &mut texts);
        rows.link(fields);
        let mut place = MaybeUninit::uninit();
        let plan = rows.show(&mut place);
        plan.operation = FRANKING_OPERATION_SEND_MAILER;
        self.is_handed_out.set(true);
        // SAFETY: as guaranteed by the code that made this.
        let committed = unsafe { self.callbacks.commit(plan) };
        let is_rolled_back = matches!(committed.commit, Commit::Conflict(_));
        self.is_handed_out.set(!is_rolled_back);
        committed.outcome()?;
        Ok(committed.commit)
    }
}

/// The decision and the response. The response owns the texts to which the decision points.
#[inline(always)]
fn decided(decision: &Decision<'_>) -> Outcome<(FrankingDecision, *mut FrankingString)> {
    let violation = decision.violation();
    let pointer = violation.and_then(|violation| violation.pointer());
    let response = decision.response();
    let mut value = FrankingDecision::new(decision, None, pointer.as_deref());
    let Some(response) = response else {
        return Ok((value, core::ptr::null_mut()));
    };
    let made = FrankingString::beside(response, pointer)?;
    // SAFETY: it was just made.
    value.response = FrankingText::new(unsafe { &*made }.text());
    Ok((value, made))
}
