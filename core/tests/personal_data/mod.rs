//! No Debug or Display output has an API key, address, name, subject or body. The tests use all vectors, and calls in which
//! every text is a canary.

mod canaries;
mod corpus;
mod values;

use std::fmt::{Debug, Display};

use franking::{Facts, HostAnswer, Operation, Policy, Preflight, Recorder, Step, Transcript};
use serde_json::Value;

use crate::support::World;

/// A word that must not be shown. Every text in the calls contains it. Every text in the answers of the host contains it, too.
const CANARY: &str = "canary";

/// Everything that was formatted, and the texts that must not be in it.
struct Seen {
    secrets: Vec<String>,
    checked: usize,
}

impl Seen {
    fn new(secrets: Vec<String>) -> Self {
        Self {
            secrets,
            checked: 0,
        }
    }

    fn text(&mut self, text: &str) {
        let lower = text.to_lowercase();
        for secret in &self.secrets {
            assert!(
                !lower.contains(secret.as_str()),
                "{secret:?} is shown in {text}"
            );
        }
        self.checked += 1;
    }

    fn debug(&mut self, value: &impl Debug) {
        self.text(&format!("{value:?}"));
        self.text(&format!("{value:#?}"));
    }

    fn error(&mut self, value: &(impl Debug + Display)) {
        self.debug(value);
        self.text(&value.to_string());
    }
}

/// Decides a call as far as the host can answer, and formats every value on the way.
fn look_at_call(
    seen: &mut Seen,
    policy: &Policy,
    operation: Operation,
    method: &str,
    body: &[u8],
    world: &Value,
) {
    let mut host = World::new(world.clone());
    let mut recorder = Recorder::new(policy, operation, method, body);
    seen.debug(policy);
    loop {
        seen.debug(&recorder);
        seen.debug(recorder.call());
        seen.debug(&recorder.step());
        let answer = match recorder.step() {
            Step::Account(question) => {
                seen.debug(&question);
                HostAnswer::Account(host.account_of(&question.key()))
            }
            Step::Facts(questions) => {
                seen.debug(&questions);
                let facts = host.facts_of(&questions);
                seen.debug(&facts);
                seen.debug(&facts.mailers);
                seen.debug(&facts.subscribers.iter().collect::<Vec<_>>());
                HostAnswer::Facts(facts)
            }
            Step::Commit(plan) => {
                look_at_plan(seen, &plan);
                HostAnswer::Commit(host.commit_of())
            }
            Step::Done(decision) => {
                seen.debug(&decision);
                seen.debug(&decision.explanation());
                for violation in decision.violation().into_iter().chain(decision.refused()) {
                    seen.error(&violation);
                    seen.text(&violation.remedy());
                    seen.debug(&decision.blacklisted_link(&violation));
                }
                if let Some(plan) = decision.plan() {
                    look_at_plan(seen, &plan);
                }
                break;
            }
        };
        seen.debug(&answer);
        if let Err(misuse) = recorder.answer(HostAnswer::Facts(Facts::default())) {
            seen.error(&misuse);
        }
        if let Err(misuse) = recorder.answer(answer) {
            seen.error(&misuse);
        }
    }
    let transcript = recorder.transcript();
    seen.debug(&transcript);
    let read = Transcript::from_json(&transcript.to_json()).unwrap();
    if let Ok(replay) = read.replay() {
        seen.debug(&replay);
    }
    let preflight = Preflight::new(policy, operation, body);
    seen.debug(&preflight);
    for violation in preflight.violations() {
        seen.error(&violation);
    }
    for warning in preflight.warnings() {
        seen.error(&warning);
        seen.error(&warning.kind());
    }
}

fn look_at_plan(seen: &mut Seen, plan: &franking::Plan<'_>) {
    seen.debug(plan);
    plan.create().for_each(|row| seen.debug(&row));
    plan.update().for_each(|row| seen.debug(&row));
    plan.collapsed().for_each(|row| seen.debug(&row));
    for message in plan.messages() {
        seen.debug(&message);
        message.recipients().for_each(|row| seen.debug(&row));
    }
}
