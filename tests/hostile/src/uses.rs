//! The uses of a body: deciding it, checking it before it is sent, composing it, replaying it.

use std::hint::black_box;

use franking::{
    Account, Batch, Call, Commit, Decision, DomainRoles, Facts, HostAnswer, Listed, Mailer,
    Operation, Policy, Preflight, Recorder, Step, Subscriber, Transcript, compose_json,
};

use crate::meter;
use crate::subject::Listing;

/// A use of a body. Returns the code of the answer, if there is one.
pub(crate) type Use = fn(&Policy, Operation, &[u8]) -> Option<u16>;

/// How the host answers.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum World {
    /// Everything is fine.
    Kind,
    /// Nothing is known, and everything is listed.
    Hostile,
    /// All subscribers are inactive.
    Inactive,
}

pub(crate) fn decide_kind(policy: &Policy, operation: Operation, bytes: &[u8]) -> Option<u16> {
    decide(policy, operation, bytes, World::Kind)
}

/// Decides under a policy that refuses requests and addresses one by one.
pub(crate) fn decide_partly(
    policy: &Policy,
    operation: Operation,
    bytes: &[u8],
    world: World,
) -> Option<u16> {
    let partial = policy.to_builder().batch(Batch::Partial).build().unwrap();
    decide(&partial, operation, bytes, world)
}

/// Finds every violation and every warning, and the place of each. [`list_findings`] lists them.
pub(crate) fn preflight(policy: &Policy, operation: Operation, bytes: &[u8]) -> Option<u16> {
    let preflight = Preflight::new(policy, operation, bytes);
    let mut first = None;
    let mut count = 0;
    for violation in preflight.violations() {
        first = first.or(Some(violation.code().number()));
        count += violation.span().map_or(0, |span| span.len());
    }
    for warning in preflight.warnings() {
        count += warning.span().map_or(0, |span| span.len());
    }
    black_box(count);
    first
}

/// Lists the findings of a preflight: the violations that a listing has, and at most [`Listed::MOST`] warnings.
pub(crate) fn list_findings(preflight: &Preflight<'_>) -> Listing {
    let mut listing = Listing::default();
    for violation in preflight.listed() {
        let pointer = violation.pointer();
        listing.add(pointer.as_deref());
        black_box((pointer, violation.span(), violation.remedy()));
    }
    for warning in preflight.warnings().take(Listed::MOST) {
        listing.add(warning.pointer());
        black_box(warning.span());
    }
    listing
}

/// A call of which the host's facts refuse all that can be refused one by one.
pub(crate) fn refused(policy: &Policy, operation: Operation, bytes: Vec<u8>) -> Call<'static> {
    let partial = policy.to_builder().batch(Batch::Partial).build().unwrap();
    let mut call = Call::new(&partial, operation, "POST", bytes);
    while let Some(answer) = answer(&call, World::Hostile) {
        call.answer(answer).unwrap();
    }
    call
}

/// Lists what a decision leaves out, row by row.
pub(crate) fn list_refused(call: &Call<'_>) -> Listing {
    let decision = call.decision().unwrap();
    let mut listing = Listing::default();
    for row in decision.refused().take(Listed::MOST) {
        let pointer = row.pointer();
        listing.add(pointer.as_deref());
        black_box((pointer, row.span(), row.remedy()));
    }
    listing
}

/// Composes a call from the body, as a program without types would send it.
pub(crate) fn compose(policy: &Policy, operation: Operation, bytes: &[u8]) -> Option<u16> {
    let composed = compose_json(policy, operation, str::from_utf8(bytes).ok()?);
    black_box(composed.map_or(0, |calls| calls.len()));
    None
}

/// Records a call as a transcript, reads the transcript again, and replays it.
pub(crate) fn replay(policy: &Policy, operation: Operation, bytes: &[u8]) -> Option<u16> {
    let mut recorder = Recorder::new(policy, operation, "POST", bytes);
    while let Some(answer) = answer(recorder.call(), World::Kind) {
        recorder.answer(answer).unwrap();
    }
    let transcript = Transcript::from_json(&recorder.transcript().to_json()).unwrap();
    let replay = transcript.replay().unwrap();
    black_box(replay);
    code(recorder.call())
}

/// Decides a call, and reads everything that its plan says. [`list_refused`] lists what a decision leaves out.
fn decide(policy: &Policy, operation: Operation, bytes: &[u8], world: World) -> Option<u16> {
    let mut call = Call::new(policy, operation, "POST", bytes);
    while let Some(answer) = answer(&call, world) {
        call.answer(answer).unwrap();
    }
    black_box(read(&call.decision().unwrap()));
    code(&call)
}

fn code(call: &Call<'_>) -> Option<u16> {
    let decision = call.decision()?;
    decision.code().map(|code| code.number())
}

/// The host's answer to the question of a call; `None` when the call is done.
fn answer(call: &Call<'_>, world: World) -> Option<HostAnswer> {
    Some(match call.step() {
        Step::Account(question) => {
            assert!(!question.key().is_empty());
            HostAnswer::Account(Some(Account::default()))
        }
        Step::Facts(_) => HostAnswer::Facts(meter::host(|| facts(call, world))),
        Step::Commit(_) => HostAnswer::Commit(Commit::Done { transaction_id: 1 }),
        Step::Done(_) => return None,
    })
}

fn facts(call: &Call<'_>, world: World) -> Facts {
    let Step::Facts(questions) = call.step() else {
        panic!("no facts are asked for");
    };
    let mut facts = Facts::default();
    let is_kind = world != World::Hostile;
    let mailer = Mailer {
        from: "a@b.example",
        from_name: None,
        blacklisted: Some(false),
    };
    let mailers = questions.mailers().map(|_| is_kind.then_some(mailer));
    facts.mailers = mailers.collect();
    facts.senders = vec![is_kind; questions.sender_count()];
    for _ in questions.subscriber_ids() {
        facts.subscriber_ids.push(None);
    }
    facts.subscribers.reserve(questions.subscriber_count());
    let inactive = Subscriber {
        id: 1,
        email: "a@b.example",
        inactive: true,
        blacklisted: Some(false),
    };
    for _ in 0..questions.subscriber_count() {
        facts
            .subscribers
            .push((world == World::Inactive).then_some(inactive));
    }
    facts.lists.extend(questions.lists().map(|_| is_kind));
    let roles = |roles| if is_kind { DomainRoles::NONE } else { roles };
    facts.domains = questions.domains().map(|(_, asked)| roles(asked)).collect();
    facts
}

/// Reads all that a plan says. Returns its length.
fn read(decision: &Decision<'_>) -> usize {
    let mut count = 0;
    if let Some(plan) = decision.plan() {
        for message in plan.messages() {
            count += message.html().map_or(0, |html| html.len());
            count += message
                .recipients()
                .map(|recipient| recipient.to().len())
                .sum::<usize>();
        }
        count += plan
            .create()
            .map(|subscriber| subscriber.email().len())
            .sum::<usize>();
        count += plan
            .collapsed()
            .map(|collapsed| collapsed.to().len())
            .sum::<usize>();
        count += plan.enlist().count();
    }
    let violation = decision.violation();
    count + violation.map_or(0, |violation| violation.span().map_or(0, |span| span.len()))
}
