#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]

use core::ptr::{null, null_mut};
use std::borrow::Cow;
use std::sync::mpsc::channel;
use std::thread;

use franking_core::{Account, Call, Conflict, DomainRoles, Mailer, Misuse, Policy};

use super::*;
use crate::by_hand::franking_call_answer_commit;
use crate::commit::FrankingCommit;
use crate::http::answer_of_call;
use crate::json::franking_call_answer_json;
use crate::numbers::FRANKING_COMMIT_DONE;
use crate::size::Grows;
use crate::status::{
    FRANKING_STATUS_BUSY, FRANKING_STATUS_HOST, FRANKING_STATUS_MISUSE, FRANKING_STATUS_POISONED,
};

#[test]
fn the_result_of_a_plan_waits_for_a_thread_that_reads_the_call() {
    let body = Cow::Borrowed(b"{}".as_slice());
    let policy = Policy::default();
    let machine = || Machine::Plain(Call::new(&policy, Operation::SendMailer, "POST", body));
    let made = FrankingCall::new(machine, false);
    // SAFETY: it is freed at the end of the test.
    let call = unsafe { &*made };
    thread::scope(|scope| {
        let (begun, has_begun) = channel();
        scope.spawn(move || {
            let read = call.state.read(|_| {
                let is_told = begun.send(()).is_ok();
                // An answer that does not wait would be given up meanwhile.
                (0..1000).for_each(|_| thread::yield_now());
                Ok(is_told)
            });
            assert_eq!(read.ok(), Some(true));
        });
        assert!(has_begun.recv().is_ok());
        // The call was refused and has no plan. What matters is that the answer reached it.
        let given = call.settle(Commit::Unknown);
        assert_eq!(
            given.map_err(|fail| fail.status),
            Err(FRANKING_STATUS_MISUSE)
        );
    });
    // SAFETY: just made, and no other thread uses it any more.
    unsafe { franking_call_free(made) };
}

/// A call that waits for its commit.
fn at_commit() -> *mut FrankingCall {
    const BODY: &[u8] = br#"{"apiKey":"k","mailerID":42,"email":"new@example.org"}"#;
    let machine = || {
        let policy = Policy::default();
        let mut call = Call::new(&policy, Operation::SendMailer, "POST", Cow::Borrowed(BODY));
        call.answer_account(Some(Account::default())).unwrap();
        let filled = call.fill_facts(|questions, facts| {
            let mailer = Mailer {
                from: "shop@example.com",
                from_name: None,
                blacklisted: Some(false),
            };
            facts.mailers.push(Some(mailer));
            facts.subscribers.push(None);
            facts.domains = vec![DomainRoles::NONE; questions.domain_count()];
            Ok::<(), Misuse>(())
        });
        filled.unwrap();
        Machine::Plain(call)
    };
    let made = FrankingCall::new(machine, false);
    // SAFETY: just made.
    let step = unsafe { &*made }.step();
    assert_eq!(step.ok(), Some(FRANKING_STEP_COMMIT));
    made
}

fn in_json(call: *mut FrankingCall, text: &str) -> i32 {
    // SAFETY: the tests pass calls that were not freed, and the text can be read.
    unsafe { franking_call_answer_json(call, text.as_ptr().cast(), text.len(), null_mut()) }
}

fn done(call: *mut FrankingCall) -> i32 {
    let commit = FrankingCommit {
        kind: FRANKING_COMMIT_DONE,
        transaction_id: 9,
        ..FrankingCommit::EMPTY
    };
    // SAFETY: as above, and the structure begins with its size.
    unsafe { franking_call_answer_commit(call, &commit, null_mut()) }
}

fn nothing(call: *mut FrankingCall) -> i32 {
    // SAFETY: as above.
    unsafe { franking_call_answer_commit(call, null(), null_mut()) }
}

fn done_in_json(call: *mut FrankingCall) -> i32 {
    in_json(call, r#"{"commit":{"transaction_id":9}}"#)
}

fn nothing_in_json(call: *mut FrankingCall) -> i32 {
    // SAFETY: as above.
    unsafe { franking_call_answer_json(call, null(), 0, null_mut()) }
}

/// Answers to a commit, two of which say nothing.
const ANSWERS: [fn(*mut FrankingCall) -> i32; 4] = [done, nothing, done_in_json, nothing_in_json];

/// An answer to a question that a call at its commit does not ask.
const OF_ANOTHER_KIND: &str = r#"{"account":{}}"#;

/// The HTTP status of the answer for a call after a function has returned `status`, and whether the answer suggests a retry.
fn http(call: &FrankingCall, status: i32) -> (u16, bool) {
    let answer = answer_of_call(call, status).unwrap();
    let is_retry = |(name, _): &(&str, &str)| *name == "Retry-After";
    (answer.status, answer.headers.iter().any(is_retry))
}

const TRY_AGAIN: (u16, bool) = (503, true);
const FAULT: (u16, bool) = (500, false);
const UNKNOWN: (u16, bool) = (503, false);

#[test]
fn a_host_whose_answer_to_a_commit_meets_another_user_of_the_call_is_never_told_to_send_again() {
    for answer in ANSWERS {
        for is_writer in [false, true] {
            let made = at_commit();
            // SAFETY: it is freed at the end of this turn.
            let call = unsafe { &*made };
            assert_eq!(http(call, FRANKING_STATUS_HOST), TRY_AGAIN);
            let met = match is_writer {
                false => call.state.read(|_| Ok(answer(made))),
                true => call.state.write(|_| Ok(answer(made))),
            };
            assert_eq!(met.ok(), Some(FRANKING_STATUS_BUSY));
            assert_eq!(http(call, FRANKING_STATUS_BUSY), UNKNOWN);
            assert_eq!(http(call, FRANKING_STATUS_HOST), UNKNOWN);
            // Neither another user nor an answer to another question changes that.
            assert_eq!(in_json(made, OF_ANOTHER_KIND), FRANKING_STATUS_MISUSE);
            assert_eq!(http(call, FRANKING_STATUS_HOST), UNKNOWN);
            // A conflict says that nothing was carried out.
            let given =
                call.answer_commit(|machine| machine.commit(Commit::Conflict(Conflict::Other)));
            assert!(given.is_ok());
            assert_eq!(http(call, FRANKING_STATUS_HOST), TRY_AGAIN);
            // SAFETY: no other code uses it any more.
            unsafe { franking_call_free(made) };
        }
    }
}

#[test]
fn a_host_whose_answer_to_a_commit_meets_a_driver_is_never_told_to_send_again() {
    for answer in ANSWERS {
        let made = at_commit();
        // SAFETY: it is freed at the end of this turn.
        let call = unsafe { &*made };
        call.is_driven.store(true, Ordering::Release);
        assert_eq!(in_json(made, r#"{"begin": true}"#), FRANKING_STATUS_BUSY);
        assert_eq!(http(call, FRANKING_STATUS_BUSY), FAULT);
        assert_eq!(answer(made), FRANKING_STATUS_BUSY);
        call.is_driven.store(false, Ordering::Release);
        assert_eq!(http(call, FRANKING_STATUS_BUSY), UNKNOWN);
        // SAFETY: no other code uses it any more.
        unsafe { franking_call_free(made) };
    }
}

#[test]
fn a_host_whose_answer_to_a_commit_meets_a_call_with_a_fault_is_never_told_to_send_again() {
    for answer in ANSWERS {
        let made = at_commit();
        // SAFETY: it is freed at the end of this turn.
        let call = unsafe { &*made };
        let fault = call
            .state
            .write(|_| -> Outcome { std::panic::resume_unwind(Box::new(())) });
        assert!(fault.is_err());
        assert_eq!(http(call, FRANKING_STATUS_HOST), TRY_AGAIN);
        assert_eq!(answer(made), FRANKING_STATUS_POISONED);
        assert_eq!(http(call, FRANKING_STATUS_POISONED), UNKNOWN);
        // SAFETY: no other code uses it any more.
        unsafe { franking_call_free(made) };
    }
}

#[test]
fn an_answer_of_another_kind_does_not_count_as_one_to_the_commit() {
    let made = at_commit();
    // SAFETY: it is freed at the end of the test.
    let call = unsafe { &*made };
    assert_eq!(in_json(made, OF_ANOTHER_KIND), FRANKING_STATUS_MISUSE);
    assert_eq!(http(call, FRANKING_STATUS_MISUSE), FAULT);
    assert_eq!(http(call, FRANKING_STATUS_HOST), TRY_AGAIN);
    // SAFETY: no other code uses it any more.
    unsafe { franking_call_free(made) };
}
