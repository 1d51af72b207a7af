//! A plan is carried out at most once. A host fails at every point of a commit in turn, and a caller tries again whenever
//! the error allows it.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::support::{Case, World, request};
use franking::{
    Account, Call, Commit, Conflict, DecideError, Facts, Failure, Host, HostAnswer, Misuse,
    Operation, Plan, Policy, Questions, Recorder, Step, Transcript, decide,
};
use serde_json::json;

/// Where and how the host fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FailsAt {
    ErrorBeforeTheEffect,
    ErrorAfterTheEffect,
    PanicBeforeTheEffect,
    PanicAfterTheEffect,
    SaysUnknown,
    TransactionIdZero,
    ConflictThatCannotBe,
}

const FAILURES: [FailsAt; 7] = [
    FailsAt::ErrorBeforeTheEffect,
    FailsAt::ErrorAfterTheEffect,
    FailsAt::PanicBeforeTheEffect,
    FailsAt::PanicAfterTheEffect,
    FailsAt::SaysUnknown,
    FailsAt::TransactionIdZero,
    FailsAt::ConflictThatCannotBe,
];

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the database is away")]
struct Away;

/// A host whose commit fails as set, and which counts the effects of commits.
struct Failing {
    world: World,
    failure: FailsAt,
    effects: usize,
}

impl Failing {
    fn new(failure: FailsAt) -> Self {
        Self {
            world: World::new(crate::support::world()),
            failure,
            effects: 0,
        }
    }

    fn carry_out(&mut self) -> Result<Commit, Away> {
        match self.failure {
            FailsAt::ErrorBeforeTheEffect => return Err(Away),
            FailsAt::PanicBeforeTheEffect => std::panic::panic_any("before"),
            _ => self.effects += 1,
        }
        match self.failure {
            FailsAt::ErrorAfterTheEffect => Err(Away),
            FailsAt::PanicAfterTheEffect => std::panic::panic_any("after"),
            FailsAt::SaysUnknown => Ok(Commit::Unknown),
            FailsAt::TransactionIdZero => Ok(Commit::Done { transaction_id: 0 }),
            FailsAt::ConflictThatCannotBe => Ok(Commit::Conflict(Conflict::SubscriberGone)),
            FailsAt::ErrorBeforeTheEffect | FailsAt::PanicBeforeTheEffect => Err(Away),
        }
    }
}

impl Host for Failing {
    type Error = Away;

    fn account(&mut self, _key: &str) -> Result<Option<Account>, Away> {
        Ok(Some(Account::default()))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Away> {
        *facts = self.world.facts_of(questions);
        Ok(())
    }

    fn commit(&mut self, _plan: &Plan<'_>) -> Result<Commit, Away> {
        self.carry_out()
    }
}

/// A call of httpSendMail, on which the conflict `SubscriberGone` is not possible.
fn case() -> Case {
    Case::requests(&[request(json!({"to": "new@customer.example"}))])
}

fn call() -> Call<'static> {
    case().call()
}

fn expected(failure: FailsAt) -> Failure {
    match failure {
        FailsAt::TransactionIdZero => Failure::Misuse,
        _ => Failure::Unknown,
    }
}

fn assert_ended(call: &Call<'_>, failure: FailsAt) {
    let decision = call
        .decision()
        .unwrap_or_else(|| panic!("{failure:?}: not ended"));
    assert_eq!(decision.failure(), Some(expected(failure)), "{failure:?}");
    assert!(decision.code().is_none() && decision.response().is_none());
    assert!(decision.plan().is_none() && !decision.is_accepted());
    assert_eq!(decision.asked().commits, 1, "{failure:?}");
}

#[test]
fn a_caller_that_decides_the_same_call_again_and_again_has_one_effect_at_most() {
    for failure in FAILURES {
        let mut call = call();
        let mut host = Failing::new(failure);
        for attempt in 0..4 {
            let decided = catch_unwind(AssertUnwindSafe(|| {
                decide(&mut call, &mut host).map(|decision| decision.failure())
            }));
            match decided {
                // The same call is not decided again: it reports how it ended.
                Ok(Ok(error)) => assert_eq!(error, Some(expected(failure)), "{failure:?}"),
                Ok(Err(DecideError::Unknown(Away))) | Err(_) => assert_eq!(attempt, 0),
                Ok(Err(other)) => panic!("{failure:?}: {other}"),
            }
            assert_ended(&call, failure);
        }
        assert!(host.effects <= 1, "{failure:?}: {} effects", host.effects);
    }
}

#[test]
fn the_error_of_a_failed_commit_says_that_nothing_is_known_and_holds_the_hosts_own() {
    let mut call = call();
    let error = decide(&mut call, &mut Failing::new(FailsAt::ErrorAfterTheEffect)).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("not known whether the plan was carried out"),
        "{text}"
    );
    assert!(!text.contains("again:"), "{text}");
    let source = std::error::Error::source(&error).expect("the host's own error");
    assert_eq!(source.to_string(), "the database is away");
}

/// A host that cannot look anything up.
struct Blind(&'static str);

impl Host for Blind {
    type Error = Away;

    fn account(&mut self, _key: &str) -> Result<Option<Account>, Away> {
        if self.0 == "account" {
            return Err(Away);
        }
        Ok(Some(Account::default()))
    }

    fn facts(&mut self, _questions: &Questions<'_>, _facts: &mut Facts) -> Result<(), Away> {
        Err(Away)
    }

    fn commit(&mut self, _plan: &Plan<'_>) -> Result<Commit, Away> {
        panic!("nothing is known, so there is no plan");
    }
}

#[test]
fn a_look_up_that_failed_has_carried_nothing_out_and_the_call_can_be_decided_again() {
    for at in ["account", "facts"] {
        let mut call = call();
        let error = decide(&mut call, &mut Blind(at)).unwrap_err();
        assert_eq!(error, DecideError::LookUp(Away));
        assert!(
            std::error::Error::source(&error).is_some_and(|source| source.is::<Away>()),
            "{at}"
        );
        let mut host = Failing::new(FailsAt::SaysUnknown);
        let decision = decide(&mut call, &mut host).unwrap();
        assert_eq!(decision.failure(), Some(Failure::Unknown));
        assert_eq!(host.effects, 1);
    }
}

/// Never answers.
struct Never;

impl Future for Never {
    type Output = ();

    fn poll(self: std::pin::Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

/// Drives a call as an asynchronous host does. Its commit has an effect and then never returns.
async fn drive(call: &mut Call<'_>, effects: &mut usize) -> Result<(), Misuse> {
    let world = World::new(crate::support::world());
    loop {
        match call.step() {
            Step::Account(_) => call.answer_account(Some(Account::default()))?,
            Step::Facts(questions) => {
                let facts = world.facts_of(&questions);
                call.answer_facts(facts)?;
            }
            Step::Commit(_) => {
                call.begin_commit()?;
                *effects += 1;
                Never.await;
                call.answer_commit(Commit::Done { transaction_id: 1 })?;
            }
            Step::Done(_) => return Ok(()),
        }
    }
}

#[test]
fn a_future_that_is_dropped_while_commit_runs_leaves_a_call_that_has_ended() {
    let mut call = call();
    let mut effects = 0;
    for expected in [Poll::Pending, Poll::Ready(Ok(())), Poll::Ready(Ok(()))] {
        let polled = {
            let future = pin!(drive(&mut call, &mut effects));
            future.poll(&mut Context::from_waker(Waker::noop()))
        };
        assert_eq!(polled, expected);
        assert_ended(&call, FailsAt::SaysUnknown);
    }
    assert_eq!(effects, 1);
}

#[test]
fn only_one_of_a_call_and_its_successors_begins_a_commit_and_only_one_answers_it() {
    for is_begun in [false, true] {
        let mut first = recorded();
        if is_begun {
            first.begin_commit().unwrap();
        }
        let plan = first.call().plan().map(|plan| plan.to_json());
        let body = first.call().body().to_vec();
        let second = first.successor(&body);
        let mut copies = vec![
            first.successor(&body),
            second.successor(&body),
            second.successor(&body),
        ];
        copies.push(copies[0].successor(&body));
        copies.push(first);
        copies.push(second);
        // All of them show the same step, whichever takes the answer.
        for copy in &copies {
            assert_eq!(copy.call().plan().map(|plan| plan.to_json()), plan);
            let step = copy.step();
            assert_eq!(matches!(step, Step::Commit(_)), !is_begun, "{step:?}");
        }
        let begun = copies
            .iter_mut()
            .filter_map(|copy| copy.begin_commit().ok());
        assert_eq!(begun.count(), usize::from(!is_begun));
        let done = HostAnswer::Commit(Commit::Done { transaction_id: 7 });
        let answered: Vec<_> = copies
            .iter_mut()
            .map(|copy| copy.answer(done.clone()))
            .filter(Result::is_ok)
            .collect();
        assert_eq!(answered.len(), 1);
    }
}

#[test]
fn a_call_that_has_a_successor_takes_no_answer_of_any_kind() {
    let mut call = case().call();
    let body = call.body().to_vec();
    let mut successor = call.successor(&body);
    let nothing = |given| {
        Err(Misuse::WrongAnswer {
            awaited: "nothing",
            given,
        })
    };
    let account = Some(Account::default());
    assert_eq!(call.answer_account(account), nothing("account"));
    assert_eq!(successor.answer_account(account), Ok(()));
    let mut last = successor.successor(&body);
    let Step::Facts(questions) = successor.step() else {
        panic!("facts are asked for");
    };
    let facts = World::new(crate::support::world()).facts_of(&questions);
    assert_eq!(successor.answer_facts(facts.clone()), nothing("facts"));
    let filled = successor.fill_facts(|_, _| -> Result<(), Misuse> { panic!("it is not asked") });
    assert_eq!(filled, nothing("facts"));
    assert_eq!(last.answer_facts(facts), Ok(()));
}

/// A recorded call that waits for its commit.
fn recorded() -> Recorder<'static> {
    let body = case().body;
    let policy = Policy::default();
    let mut recorder = Recorder::new(&policy, Operation::HttpSendMail, "POST", body);
    recorder
        .answer(HostAnswer::Account(Some(Account::default())))
        .unwrap();
    let Step::Facts(questions) = recorder.step() else {
        panic!("facts are asked for");
    };
    let facts = World::new(crate::support::world()).facts_of(&questions);
    recorder.answer(HostAnswer::Facts(facts)).unwrap();
    recorder
}

/// Checks that replaying the transcript gives the same decision, and that its answers are the recorded ones.
fn assert_replays(recorder: &Recorder<'_>, error: Option<&str>) {
    let json = recorder.transcript().to_json();
    let transcript = Transcript::from_json(&json).unwrap();
    let replay = transcript.replay().unwrap();
    let decision: serde_json::Value = serde_json::from_str(&replay.decision.unwrap()).unwrap();
    let written: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(decision, written["decision"]);
    assert_eq!(decision["error"].as_str(), error);
}

#[test]
fn a_recorded_commit_that_was_begun_and_not_answered_is_noted_as_unknown() {
    let mut recorder = recorded();
    recorder.begin_commit().unwrap();
    recorder.begin_commit().unwrap_err();
    assert_replays(&recorder, Some("unknown"));
    // A misuse in between is recorded as a separate step.
    recorder.answer(HostAnswer::Account(None)).unwrap_err();
    assert_replays(&recorder, Some("unknown"));
    recorder
        .answer(HostAnswer::Commit(Commit::Done { transaction_id: 7 }))
        .unwrap();
    assert_replays(&recorder, None);
    assert_eq!(
        recorder.call().decision().unwrap().transaction_id(),
        Some(7)
    );
}

#[test]
fn a_transcript_without_its_key_is_replayed_however_the_key_is_written() {
    for key in [r#""secret 123""#, "12345", "-12", "1.50e3"] {
        let body = format!(r#"{{"apiKey":{key},"mailerID":42,"subID":7}}"#);
        let mut recorder = Recorder::new(
            &Policy::default(),
            Operation::SendMailer,
            "POST",
            body.as_bytes(),
        );
        recorder.answer(HostAnswer::Account(None)).unwrap();
        let masked = recorder.transcript().with_masked_key().to_json();
        assert!(!masked.contains(key.trim_matches('"')), "{masked}");
        let transcript = Transcript::from_json(&masked).unwrap();
        let decision = transcript.replay().unwrap().decision.unwrap();
        assert!(decision.contains("key-unknown"), "{decision}");
    }
}

#[test]
fn every_answer_to_a_recorded_commit_can_be_replayed() {
    for (commit, error) in [
        (Commit::Unknown, "unknown"),
        (Commit::Conflict(Conflict::SubscriberGone), "unknown"),
        (Commit::Done { transaction_id: 0 }, "misuse"),
    ] {
        for begins in [false, true] {
            let mut recorder = recorded();
            if begins {
                recorder.begin_commit().unwrap();
            }
            recorder.answer(HostAnswer::Commit(commit)).unwrap();
            recorder.answer(HostAnswer::Commit(commit)).unwrap_err();
            assert_replays(&recorder, Some(error));
        }
    }
}
