//! Checks that hold for every call: on the machine, its decision, its plan, its transcript, and its preflight.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use franking::domain;
use franking::{
    Batch, Call, Commit, Decision, Failure, HostAnswer, Operation, Policy, Preflight, Questions,
    Recorder, ReplayMisuse, Response, Step, Transcript, compose_json,
};
use serde_json::Value;

use crate::corpus::Corpus;
use crate::host::{Mood, answer, any_answer, of_wrong_length};
use crate::rng::Rng;
use crate::{Checked, ensure};

/// Longer names are not domains (RFC 1035, section 3.1), and are not asked about as parents.
const MAX_DOMAIN: usize = 253;
/// More answers than any call under the policies here takes.
const MANY: usize = 400;

/// A policy of the vectors, or the default one.
fn policy(corpus: &Corpus, rng: &mut Rng) -> Policy {
    if rng.one_in(2) {
        return Policy::default();
    }
    let text = rng.pick(&corpus.policies);
    let policy = text.and_then(|text| Policy::from_json(text).ok());
    // A vector may allow so many attempts that they would take all the time.
    policy
        .filter(|policy| policy.max_attempts() < 100)
        .unwrap_or_default()
}

fn body(corpus: &Corpus, rng: &mut Rng) -> (Operation, Vec<u8>) {
    let Some((operation, body)) = rng.pick(&corpus.bodies) else {
        return (Operation::SendMailer, Vec::new());
    };
    let other = rng.pick(Operation::ALL).copied().unwrap_or(*operation);
    let operation = if rng.one_in(20) { other } else { *operation };
    if rng.one_in(4) {
        // Most domains of the vectors have no parents that are asked about.
        let deeper = String::from_utf8_lossy(body)
            .replace("@shop.example", "@a.b.example")
            .replace("@customer.example", "@a.b.example");
        return (operation, corpus.mutated(rng, deeper.as_bytes()));
    }
    (operation, corpus.mutated(rng, body))
}

/// Decides a call with any facts, and with answers that were not asked for. Those must change nothing, and the transcript
/// must replay.
pub(crate) fn machine(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let policy = policy(corpus, rng);
    let (operation, body) = body(corpus, rng);
    let method = if rng.one_in(50) { "GET" } else { "POST" };
    let mut recorder = Recorder::new(&policy, operation, method, &*body);
    let mut results = Vec::new();
    for _ in 0..MANY {
        let asked = recorder.step().to_json();
        ensure!(
            asked == recorder.step().to_json(),
            "step() says another thing the second time"
        );
        let Some(given) = answer(&recorder.step(), Mood::Any, rng) else {
            break;
        };
        if let Step::Facts(questions) = recorder.step() {
            asked_once(&questions)?;
        }
        if rng.one_in(3) {
            out_of_turn(&mut recorder, &asked, &mut results, &given, rng)?;
        }
        let ends_wrong = matches!(given, HostAnswer::Commit(Commit::Done { transaction_id })
            if !(1..1 << 53).contains(&transaction_id));
        if matches!(given, HostAnswer::Commit(_)) && rng.one_in(2) {
            begin_commit(&mut recorder)?;
        }
        recorder
            .answer(given)
            .map_err(|misuse| format!("a fitting answer is refused: {misuse}"))?;
        results.push(if ends_wrong {
            Err(ReplayMisuse::Ended(Failure::Misuse))
        } else {
            Ok(())
        });
    }
    let call = recorder.call();
    let decision = call.decision().ok_or("the call does not end")?;
    decided(&decision, call, &policy)?;
    transcript(&recorder, &results)
}

/// After `begin_commit` the call has ended, until the commit is answered.
fn begin_commit(recorder: &mut Recorder<'_>) -> Checked {
    let begun = recorder.begin_commit().map(|plan| plan.debit().email);
    ensure!(
        begun.is_ok_and(|emails| emails > 0),
        "a plan is not handed out"
    );
    ensure!(
        recorder.begin_commit().is_err(),
        "a plan is handed out twice"
    );
    let decision = recorder.call().decision();
    let error = decision.and_then(|decision| decision.failure());
    ensure!(
        error == Some(Failure::Unknown),
        "a commit that was begun has not ended the call"
    );
    Ok(())
}

/// Every column has each member once, and a domain's parents are asked about for all roles of the domain.
fn asked_once(questions: &Questions<'_>) -> Checked {
    let mut domains = BTreeMap::new();
    for (domain, roles) in questions.domains() {
        ensure!(
            domains.insert(domain, roles).is_none(),
            "a domain is asked about twice"
        );
        ensure!(!roles.is_empty(), "a domain is asked about for no role");
    }
    for (domain, roles) in &domains {
        for parent in domain::walk(domain) {
            let asked = domains.get(&*parent).copied().unwrap_or_default();
            ensure!(
                parent.len() > MAX_DOMAIN || asked.contains(*roles),
                "a parent is not asked about for a role of its child"
            );
        }
    }
    let mut keys = BTreeSet::new();
    for key in questions.subscribers() {
        ensure!(keys.insert(key), "a subscriber is asked about twice");
    }
    let mut keys = BTreeSet::new();
    for key in questions.senders() {
        ensure!(keys.insert(key), "a sender is asked about twice");
    }
    Ok(())
}

/// Answers of the wrong kind or length are refused, and change nothing.
fn out_of_turn(
    recorder: &mut Recorder<'_>,
    asked: &str,
    results: &mut Vec<Result<(), ReplayMisuse>>,
    fitting: &HostAnswer,
    rng: &mut Rng,
) -> Checked {
    let wrong = match (fitting, any_answer(rng)) {
        (HostAnswer::Facts(facts), _) if rng.one_in(2) => {
            HostAnswer::Facts(of_wrong_length(facts.clone(), rng))
        }
        (_, HostAnswer::Commit(Commit::Conflict(_))) => return Ok(()),
        (fitting, wrong) if core::mem::discriminant(fitting) == core::mem::discriminant(&wrong) => {
            return Ok(());
        }
        (_, wrong) => wrong,
    };
    let result = recorder.answer(wrong);
    ensure!(result.is_err(), "a wrong answer is taken");
    ensure!(
        asked == recorder.step().to_json(),
        "a wrong answer has changed the call"
    );
    results.push(result.map_err(ReplayMisuse::NotTaken));
    Ok(())
}

fn decided(decision: &Decision<'_>, call: &Call<'_>, policy: &Policy) -> Checked {
    let body = call.body();
    let operation = call.operation();
    if let Some(violation) = decision.violation() {
        let code = violation.rule().code(operation);
        ensure!(decision.code() == code, "the code is not that of the rule");
        is_place(violation.pointer().as_deref(), violation.span(), body)?;
        ensure!(
            !violation.to_string().is_empty(),
            "a violation says nothing"
        );
    }
    let (is_accepted, has_failed) = (decision.is_accepted(), decision.failure().is_some());
    ensure!(
        decision.plan().is_some() == is_accepted,
        "plan and acceptance"
    );
    let endings = [is_accepted, has_failed, decision.violation().is_some()];
    ensure!(
        endings.iter().filter(|ending| **ending).count() == 1,
        "more endings than one, or none"
    );
    match decision.response() {
        None => ensure!(has_failed, "no answer, though the host has not failed"),
        Some(text) => {
            let read = Response::read(&text).map_err(|error| error.to_string())?;
            ensure!(
                Some(read.code) == decision.code(),
                "the answer has another code"
            );
            ensure!(
                read.transaction_id == decision.transaction_id(),
                "the answer has another id"
            );
        }
    }
    for refused in decision.refused() {
        ensure!(
            policy.batch() == Batch::Partial,
            "a whole batch has refused in part"
        );
        ensure!(refused.request().is_some(), "a row of no request");
        is_place(refused.pointer().as_deref(), refused.span(), body)?;
    }
    let asked = decision.asked();
    ensure!(
        asked.commits <= policy.max_attempts(),
        "more commits than attempts"
    );
    ensure!(
        asked.facts <= asked.account && asked.commits <= asked.facts,
        "questions out of order"
    );
    decision.plan().map_or(Ok(()), |plan| planned(&plan, body))
}

fn planned(plan: &franking::Plan<'_>, body: &[u8]) -> Checked {
    let emails: usize = plan
        .messages()
        .map(|message| message.recipients().count())
        .sum();
    let debit = plan.debit();
    ensure!(
        u64::try_from(emails) == Ok(debit.email),
        "emails and their credit"
    );
    ensure!(plan.email_count() == debit.email, "the count of emails");
    ensure!(
        u64::try_from(plan.create().count()) == Ok(debit.subscriber),
        "subscribers and their credit"
    );
    ensure!(emails > 0, "a plan without an email");
    for collapsed in plan.collapsed() {
        is_place(Some(&collapsed.pointer()), Some(collapsed.span()), body)?;
    }
    Ok(())
}

/// A place has both a pointer and a span, or neither, and the span is in the body.
fn is_place(pointer: Option<&str>, span: Option<Range<usize>>, body: &[u8]) -> Checked {
    ensure!(
        pointer.is_some() == span.is_some(),
        "a pointer without a span, or the reverse"
    );
    ensure!(
        pointer.is_none_or(|pointer| pointer.is_empty() || pointer.starts_with('/')),
        "no JSON Pointer"
    );
    ensure!(
        span.is_none_or(|span| body.get(span).is_some()),
        "the span is not in the body"
    );
    Ok(())
}

/// A transcript is read as it was written, and replays to the same results and decision.
fn transcript(recorder: &Recorder<'_>, results: &[Result<(), ReplayMisuse>]) -> Checked {
    let written = recorder.transcript();
    let text = written.to_json();
    let read = Transcript::from_json(&text).map_err(|error| error.to_string())?;
    ensure!(
        read.to_json() == text,
        "a transcript changes when it is read and written"
    );
    let replay = read.replay().map_err(|error| error.to_string())?;
    ensure!(replay.steps == results, "a replay takes other answers");
    let whole: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let decision = replay
        .decision
        .as_deref()
        .map(serde_json::from_str::<Value>);
    let decision = decision.transpose().map_err(|error| error.to_string())?;
    ensure!(
        whole.get("decision") == decision.as_ref(),
        "a replay decides otherwise"
    );
    let masked = Transcript::from_json(&written.to_masked_json());
    ensure!(masked.is_err(), "a masked transcript can be replayed");
    Ok(())
}

/// The first violation of a preflight is what the service answers if every fact is favourable.
pub(crate) fn preflight(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let policy = policy(corpus, rng);
    let (operation, body) = body(corpus, rng);
    let preflight = Preflight::new(&policy, operation, &*body);
    let mut phase = 1;
    for violation in preflight.violations() {
        is_place(violation.pointer().as_deref(), violation.span(), &body)?;
        ensure!(
            violation.rule().phase().number() >= phase,
            "phases out of order"
        );
        phase = violation.rule().phase().number();
    }
    let mut last = None;
    for warning in preflight.warnings() {
        is_place(warning.pointer(), warning.span(), &body)?;
        let start = warning.span().map(|span| span.start);
        ensure!(start >= last, "warnings out of order");
        last = start;
        ensure!(!warning.message().is_empty(), "a warning says nothing");
    }
    ensure!(
        preflight.to_json() == preflight.to_json(),
        "a preflight says another thing the second time"
    );
    if policy.batch() == Batch::Partial {
        return Ok(());
    }
    let mut call = Call::new(&policy, operation, "POST", &*body);
    while let Some(given) = answer(&call.step(), Mood::Favourable, rng) {
        call.answer(given).map_err(|misuse| misuse.to_string())?;
    }
    let Step::Done(decision) = call.step() else {
        return Err("the call does not end".to_string());
    };
    let found = decision.violation();
    let first = preflight.violations().next();
    let of = |violation: &franking::Violation<'_>| {
        (violation.rule(), violation.pointer(), violation.span())
    };
    ensure!(
        first.as_ref().map(of) == found.as_ref().map(of),
        "preflight {first:?}, decision {found:?}"
    );
    ensure!(
        preflight.is_clean() == decision.is_accepted(),
        "clean and refused, or the reverse"
    );
    Ok(())
}

/// Composed calls are legal in size and number, and have as many requests as were given.
pub(crate) fn compose(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let Some((operation, fields)) = rng.pick(&corpus.fields) else {
        return Ok(());
    };
    let fields = String::from_utf8_lossy(&corpus.mutated(rng, fields.as_bytes())).into_owned();
    let policy = policy(corpus, rng);
    let Ok(calls) = compose_json(&policy, *operation, &fields) else {
        return Ok(());
    };
    let mut count = 0;
    for call in &calls {
        let read: Value = serde_json::from_str(call).map_err(|error| error.to_string())?;
        let requests = read.get("requests").and_then(Value::as_array);
        let Some(requests) = requests else {
            ensure!(
                *operation == Operation::SendMailer,
                "a call without requests"
            );
            continue;
        };
        ensure!(
            u64::try_from(call.len()).is_ok_and(|size| size <= policy.max_bytes()),
            "a call that is too large"
        );
        let length = u64::try_from(requests.len()).unwrap_or(u64::MAX);
        ensure!(
            (1..=policy.max_requests()).contains(&length),
            "too many requests, or none"
        );
        count += requests.len();
    }
    if *operation == Operation::SendMailer {
        ensure!(calls.len() == 1, "not one call");
        return Ok(());
    }
    let given: Value = serde_json::from_str(&fields).map_err(|error| error.to_string())?;
    let given = given
        .get("requests")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    ensure!(count == given, "{count} of {given} requests are composed");
    Ok(())
}

/// A transcript from elsewhere is read or refused. One that is read can be written, and replays in the same way afterwards.
pub(crate) fn foreign_transcript(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let Some(text) = rng.pick(&corpus.transcripts) else {
        return Ok(());
    };
    let text = String::from_utf8_lossy(&corpus.mutated(rng, text.as_bytes())).into_owned();
    let Ok(transcript) = Transcript::from_json(&text) else {
        return Ok(());
    };
    let written = transcript.to_json();
    let again = Transcript::from_json(&written).map_err(|error| error.to_string())?;
    // A number that no answer can hold may change when it is written. A transcript with such a number is not replayed.
    ensure!(
        transcript.replay().is_err() || again.to_json() == written,
        "a transcript changes when it is read and written"
    );
    ensure!(
        transcript.replay().ok() == again.replay().ok(),
        "a transcript that was written replays otherwise"
    );
    Ok(())
}
