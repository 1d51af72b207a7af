//! When the library contradicts itself, the call ends without a code and without a plan. The tests use a body that changes
//! between two reads, so that places found in it are wrong.

use std::cell::Cell;
use std::rc::Rc;

use franking::{
    Account, Call, DomainRoles, Facts, Failure, Judgement, Mailer, Misuse, Operation, Phase,
    Policy, Questions, Step, Subscriber,
};

/// A body that becomes another one when it is told to.
struct Fickle {
    body: Vec<u8>,
    other: Vec<u8>,
    is_gone: Rc<Cell<bool>>,
}

impl AsRef<[u8]> for Fickle {
    fn as_ref(&self) -> &[u8] {
        match self.is_gone.get() {
            true => &self.other,
            false => &self.body,
        }
    }
}

/// A call whose body becomes empty.
fn call(operation: Operation, body: &str) -> (Call<Fickle>, Rc<Cell<bool>>) {
    call_that_becomes(operation, body, Vec::new())
}

fn call_that_becomes(
    operation: Operation,
    body: &str,
    other: Vec<u8>,
) -> (Call<Fickle>, Rc<Cell<bool>>) {
    let is_gone = Rc::new(Cell::new(false));
    let body = Fickle {
        body: body.as_bytes().to_vec(),
        other,
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

/// Bodies of the same length, each with one byte changed.
fn with_one_byte_changed(body: &str) -> impl Iterator<Item = Vec<u8>> {
    // Bytes within the filling of x are not changed.
    let places = (0..body.len()).filter(|place| body.get(*place..place + 9) != Some("xxxxxxxxx"));
    places.flat_map(|place| {
        [b'"', b'\\', b'}', b'0', b'@', b',', b'<', 0xff].map(|changed| {
            let mut other = body.as_bytes().to_vec();
            other[place] = changed;
            other
        })
    })
}

/// Reads all that a host can read of a call.
fn read_all(call: &Call<Fickle>) {
    match call.step() {
        Step::Account(question) => drop(question.key().to_string()),
        Step::Facts(questions) => drop(questions.to_json()),
        Step::Commit(plan) => drop(plan.to_json()),
        Step::Done(decision) => {
            drop(decision.to_json());
            drop(decision.explanation());
        }
    }
    drop(format!("{call:?}"));
}

#[test]
fn a_body_of_which_a_byte_changes_between_two_reads_panics_nowhere() {
    for (operation, body) in bodies() {
        for other in with_one_byte_changed(&body) {
            for changes_after in 0..=2 {
                let (mut call, is_gone) = call_that_becomes(operation, &body, other.clone());
                for answered in 0..=2 {
                    is_gone.set(answered >= changes_after);
                    read_all(&call);
                    let _misuse = match answered {
                        0 => call.answer_account(Some(Account::default())),
                        1 => call.fill_facts(|questions, facts| -> Result<(), Misuse> {
                            answer(questions, facts);
                            Ok(())
                        }),
                        _ => call.begin_commit().map(drop),
                    };
                }
                read_all(&call);
            }
        }
    }
}
