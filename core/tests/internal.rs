//! When the library contradicts itself, the call ends without a code and without a plan. The tests use a body that changes
//! between two reads, so that places found in it are wrong.

use std::cell::Cell;
use std::rc::Rc;

use franking::{
    Account, Call, DomainRoles, Facts, Failure, Judgement, Mailer, Misuse, Operation, Phase,
    Policy, Questions, Step, Subscriber,
};

/// A body that becomes empty when it is told to.
struct Fickle {
    body: Vec<u8>,
    is_gone: Rc<Cell<bool>>,
}

impl AsRef<[u8]> for Fickle {
    fn as_ref(&self) -> &[u8] {
        if self.is_gone.get() { &[] } else { &self.body }
    }
}

fn call(operation: Operation, body: &str) -> (Call<Fickle>, Rc<Cell<bool>>) {
    let is_gone = Rc::new(Cell::new(false));
    let body = Fickle {
        body: body.as_bytes().to_vec(),
        is_gone: Rc::clone(&is_gone),
    };
    (
        Call::new(&Policy::default(), operation, "POST", body),
        is_gone,
    )
}

/// Bodies that would all be accepted. The one of sendMailer is too long for a copy of it to be kept.
fn bodies() -> [(Operation, String); 2] {
    let filling = "x".repeat(8192);
    [
        (
            Operation::SendMailer,
            format!(
                r#"{{"apiKey":"k","mailerID":1,"email":"a@b.example","from":"s@t.example","other":"{filling}"}}"#
            ),
        ),
        (
            Operation::HttpSendMail,
            r#"{"ApiKey":"k","requests":[{"subject":"s","body":"b","from":"s@t.example","to":"a@b.example"}]}"#
                .to_string(),
        ),
    ]
}

/// A host where everything exists, and nothing is blacklisted.
fn answer(questions: &Questions<'_>, facts: &mut Facts) {
    for _ in questions.mailers() {
        facts.mailers.push(Some(Mailer {
            from: "stored@t.example",
            from_name: None,
            blacklisted: Some(false),
        }));
    }
    facts.senders.extend(questions.senders().map(|_| true));
    for _ in questions.subscribers() {
        facts.subscribers.push(Some(Subscriber {
            id: 1,
            email: "a@b.example",
            inactive: false,
            blacklisted: Some(false),
        }));
    }
    facts
        .domains
        .extend(questions.domains().map(|_| DomainRoles::NONE));
}

fn assert_internal(call: &Call<Fickle>) {
    let Step::Done(decision) = call.step() else {
        panic!("something is asked");
    };
    assert_eq!(decision.failure(), Some(Failure::Internal));
    assert_eq!((decision.code(), decision.response()), (None, None));
    assert!(decision.plan().is_none() && decision.violation().is_none());
    assert!(decision.to_json().contains(r#""error":"internal""#));
    let reached = decision.explanation().into_iter();
    let reached = reached.filter(|row| row.judgement != Judgement::NotReached);
    assert!(reached.map(|row| row.rule.phase()).max() <= Some(Phase::Facts));
}

#[test]
fn a_body_that_has_lost_its_key_gives_no_question_for_an_account() {
    for (operation, body) in bodies() {
        let (call, is_gone) = call(operation, &body);
        assert!(matches!(call.step(), Step::Account(_)));
        is_gone.set(true);
        assert_internal(&call);
    }
}

#[test]
fn a_body_that_has_lost_its_content_gives_no_question_for_facts() {
    for (operation, body) in bodies() {
        let (mut call, is_gone) = call(operation, &body);
        call.answer_account(Some(Account::default())).unwrap();
        assert!(matches!(call.step(), Step::Facts(_)));
        is_gone.set(true);
        assert_internal(&call);
        let refused = call.fill_facts(|_, _| -> Result<(), Misuse> { panic!("the host is asked") });
        assert!(refused.is_err());
    }
}

#[test]
fn facts_about_a_body_that_has_lost_its_content_end_the_call() {
    for (operation, body) in bodies() {
        let (mut call, is_gone) = call(operation, &body);
        call.answer_account(Some(Account::default())).unwrap();
        let filled = call.fill_facts(|questions, facts| -> Result<(), Misuse> {
            answer(questions, facts);
            is_gone.set(true);
            Ok(())
        });
        filled.unwrap();
        assert_internal(&call);
        is_gone.set(false);
        assert_internal(&call);
        assert!(call.begin_commit().is_err() && call.plan().is_none());
    }
}

#[test]
fn a_plan_of_a_body_that_has_lost_its_content_is_not_handed_out() {
    for (operation, body) in bodies() {
        let (mut call, is_gone) = call(operation, &body);
        call.answer_account(Some(Account::default())).unwrap();
        let filled = call.fill_facts(|questions, facts| -> Result<(), Misuse> {
            answer(questions, facts);
            Ok(())
        });
        filled.unwrap();
        assert!(matches!(call.step(), Step::Commit(_)));
        is_gone.set(true);
        assert_internal(&call);
        assert!(call.begin_commit().is_err() && call.plan().is_none());
    }
}
