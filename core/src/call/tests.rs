//! A call that has met a fault of the library.

use super::*;
use crate::{Judgement, Phase};

#[test]
fn a_call_that_met_a_fault_of_the_library_has_neither_a_code_nor_a_plan() {
    let policy = Policy::default();
    let mut call = Call::new(&policy, Operation::SendMailer, "POST", b"{}");
    call.stage = Stage::CHANGING;
    let decision = call.decision().unwrap();
    assert_eq!(decision.failure(), Some(Failure::Internal));
    assert_eq!((decision.code(), decision.response()), (None, None));
    assert!(decision.plan().is_none() && decision.violation().is_none());
    assert!(decision.to_json().contains(r#""error":"internal""#));
    let reached = decision.explanation().into_iter();
    let reached = reached.filter(|row| row.judgement != Judgement::NotReached);
    assert_eq!(
        reached.map(|row| row.rule.phase()).max(),
        Some(Phase::Transport)
    );
    assert!(call.begin_commit().is_err() && call.plan().is_none());
}
