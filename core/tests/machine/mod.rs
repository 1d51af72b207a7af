//! The state machine of a call. Here are its states, each with a call that is in it.

mod conflicts;
mod misuse;
mod table;

use franking::{Account, Call, Commit, Conflict, Facts, Operation, Step, Subscriber};
use serde_json::json;

use crate::support::{Case, World, request};

/// The call that these tests decide. It asks questions of every kind that one call of its operation can ask.
fn case(operation: Operation) -> Case {
    match operation {
        Operation::SendMailer => Case::send_mailer(json!({
            "from": "news@shop.example", "listName": "Customers",
        })),
        Operation::HttpSendMail => Case::requests(&[
            request(json!({"cc": "old@customer.example", "replyTo": "answers@shop.example"})),
            request(json!({"to": "third@customer.example"})),
        ]),
    }
}

/// The states, each with the inputs that lead to it.
const STATES: &[&str] = &[
    "account",
    "facts",
    "commit",
    "committing",
    "account after a conflict",
    "facts after a conflict",
    "commit after a conflict",
    "committing after a conflict",
    "done: accepted",
    "done: refused at once",
    "done: refused by the account",
    "done: refused by its content",
    "done: refused by the facts",
    "done: refused by a conflict",
    "done: failed by a conflict",
    "done: failed by a transaction id",
    "done: failed by a commit of which nothing is known",
];

const DONE: Commit = Commit::Done { transaction_id: 7 };

fn good_account(call: &mut Call<'_>) {
    call.answer_account(Some(Account::default())).unwrap();
}

fn good_facts(call: &mut Call<'_>) {
    let facts = facts_for(call).expect("the call asks for facts");
    call.answer_facts(facts).unwrap();
}

/// Facts that answer the questions; `None` when the call does not ask for facts.
fn facts_for(call: &Call<'_>) -> Option<Facts> {
    match call.step() {
        Step::Facts(questions) => Some(World::new(crate::support::world()).facts_of(&questions)),
        _ => None,
    }
}

fn call_in(operation: Operation, state: &str) -> Call<'static> {
    let mut case = case(operation);
    match state {
        "done: refused at once" => case.method = "GET".to_string(),
        "done: refused by its content" => {
            case.body = match operation {
                Operation::SendMailer => br#"{"apiKey":"key-1"}"#.to_vec(),
                Operation::HttpSendMail => br#"{"ApiKey":"key-1","requests":[7]}"#.to_vec(),
            }
        }
        "done: refused by a conflict" | "done: failed by a conflict" => {
            case = case.policy(json!({"max_attempts": 1}));
        }
        _ => {}
    }
    let mut call = case.call();
    let to_facts = |call: &mut Call<'_>| good_account(call);
    let to_commit = |call: &mut Call<'_>| {
        good_account(call);
        good_facts(call);
    };
    let conflict = |call: &mut Call<'_>, kind| {
        to_commit(call);
        call.answer_commit(Commit::Conflict(kind)).unwrap();
    };
    match state {
        "account" | "done: refused at once" => {}
        "facts" => to_facts(&mut call),
        "commit" => to_commit(&mut call),
        "committing" => {
            to_commit(&mut call);
            call.begin_commit().unwrap();
        }
        "account after a conflict" => conflict(&mut call, Conflict::Other),
        "facts after a conflict" => {
            conflict(&mut call, Conflict::Other);
            to_facts(&mut call);
        }
        "commit after a conflict" => {
            conflict(&mut call, Conflict::Other);
            conflict(&mut call, Conflict::Other);
            to_commit(&mut call);
        }
        "committing after a conflict" => {
            conflict(&mut call, Conflict::Other);
            conflict(&mut call, Conflict::Other);
            to_commit(&mut call);
            call.begin_commit().unwrap();
        }
        "done: accepted" => {
            to_commit(&mut call);
            call.answer_commit(DONE).unwrap();
        }
        "done: refused by the account" => call.answer_account(None).unwrap(),
        "done: refused by its content" => good_account(&mut call),
        "done: refused by the facts" => {
            good_account(&mut call);
            let mut facts = facts_for(&call).unwrap();
            facts.senders[0] = false;
            call.answer_facts(facts).unwrap();
        }
        "done: refused by a conflict" => conflict(&mut call, Conflict::EmailCredit),
        "done: failed by a conflict" => conflict(&mut call, Conflict::Other),
        "done: failed by a transaction id" => {
            to_commit(&mut call);
            call.answer_commit(Commit::Done { transaction_id: 0 })
                .unwrap();
        }
        "done: failed by a commit of which nothing is known" => {
            to_commit(&mut call);
            call.answer_commit(Commit::Unknown).unwrap();
        }
        other => panic!("there is no state {other}"),
    }
    call
}

fn subscriber(id: u64) -> Option<Subscriber<'static>> {
    Some(Subscriber {
        id,
        email: "someone@customer.example",
        inactive: false,
        blacklisted: Some(false),
    })
}

/// What the call waits for.
fn awaits(call: &Call<'_>) -> &'static str {
    match call.step() {
        Step::Account(_) => "account",
        Step::Facts(_) => "facts",
        Step::Commit(_) => "commit",
        Step::Done(_) => "done",
    }
}

/// The row of the table that a state belongs to.
fn row_of(state: &str) -> &str {
    state.split([' ', ':']).next().unwrap()
}
