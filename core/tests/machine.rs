//! The state machine: every input in every state does what the table at the top of `call.rs` says.

use std::collections::BTreeSet;

use crate::support::{Case, World, request};
use franking::{
    Account, Call, Commit, Conflict, DomainRoles, Facts, Mailer, Mailers, Misuse, Operation,
    Policy, Step, Subscriber, Subscribers,
};
use serde_json::{Value, json};

/// The call that the tests use. Its questions fill as many columns as those of one call can.
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

#[derive(Clone, Debug)]
enum Input {
    Account(Option<Account>),
    /// The right facts, changed by the function of this name.
    Facts(&'static str),
    Commit(Commit),
    /// `begin_commit`.
    Begin,
}

fn inputs() -> Vec<Input> {
    let blocked = Account {
        blocked: true,
        ..Account::default()
    };
    let mut inputs = vec![
        Input::Account(Some(Account::default())),
        Input::Account(Some(blocked)),
        Input::Account(None),
    ];
    inputs.extend(FACTS.iter().copied().map(Input::Facts));
    let ids = [0, 1, 7, (1 << 53) - 1, 1 << 53, 1 << 63, u64::MAX];
    inputs.extend(ids.map(|transaction_id| Input::Commit(Commit::Done { transaction_id })));
    inputs.extend(
        Conflict::ALL
            .iter()
            .map(|conflict| Input::Commit(Commit::Conflict(*conflict))),
    );
    inputs.extend([Input::Commit(Commit::Unknown), Input::Begin]);
    inputs
}

/// The ways to change facts that answer the questions.
const FACTS: &[&str] = &[
    "right",
    "one sender is not active",
    "empty",
    "mailers +1",
    "mailers -1",
    "senders +1",
    "senders -1",
    "subscriber_ids +1",
    "subscriber_ids -1",
    "subscribers +1",
    "subscribers -1",
    "lists +1",
    "lists -1",
    "domains +1",
    "domains -1",
    "subscriber id 0",
    "subscriber id 2^63",
    "subscriber id 2^64-1",
    "subscriber id 2^63-1",
    "mailers say nothing of a blacklist",
    "subscribers say nothing of a blacklist",
    "mailers have an empty address",
    "subscribers have an empty address",
];

fn subscriber(id: u64) -> Option<Subscriber<'static>> {
    Some(Subscriber {
        id,
        email: "someone@customer.example",
        inactive: false,
        blacklisted: Some(false),
    })
}

/// The changed facts; `None` when the change cannot be made.
fn changed(mut facts: Facts, change: &str) -> Option<Facts> {
    let shorter = |column: &Subscribers| {
        let kept = column.len().checked_sub(1)?;
        let mut shorter = Subscribers::default();
        column.iter().take(kept).for_each(|row| shorter.push(row));
        Some(shorter)
    };
    let with_id = |column: &Subscribers, id| {
        let mut changed = Subscribers::default();
        column.iter().for_each(|_| changed.push(subscriber(id)));
        changed
    };
    let mailer = Mailer {
        from: "news@shop.example",
        from_name: None,
        blacklisted: Some(false),
    };
    match change {
        "right" => {}
        "one sender is not active" => {
            *facts.senders.first_mut()? = false;
        }
        "empty" => facts = Facts::default(),
        "mailers +1" => facts.mailers.push(Some(mailer)),
        // It has at most one row.
        "mailers -1" if facts.mailers.is_empty() => return None,
        "mailers -1" => facts.mailers = Mailers::default(),
        "senders +1" => facts.senders.push(true),
        "senders -1" => drop(facts.senders.pop()?),
        "subscriber_ids +1" => facts.subscriber_ids.push(None),
        "subscriber_ids -1" => facts.subscriber_ids = shorter(&facts.subscriber_ids)?,
        "subscribers +1" => facts.subscribers.push(subscriber(9)),
        "subscribers -1" => facts.subscribers = shorter(&facts.subscribers)?,
        "lists +1" => facts.lists.push(true),
        "lists -1" => drop(facts.lists.pop()?),
        "domains +1" => facts.domains.push(DomainRoles::NONE),
        "domains -1" => drop(facts.domains.pop()?),
        "subscriber id 0" => facts.subscribers = with_id(&facts.subscribers, 0),
        "subscriber id 2^63" => facts.subscribers = with_id(&facts.subscribers, 1 << 63),
        "subscriber id 2^64-1" => facts.subscribers = with_id(&facts.subscribers, u64::MAX),
        "subscriber id 2^63-1" => {
            facts.subscribers = with_id(&facts.subscribers, (1 << 63) - 1);
        }
        "mailers say nothing of a blacklist" => {
            let unsaid = Mailer {
                blacklisted: None,
                ..mailer
            };
            facts.mailers = facts.mailers.iter().map(|_| Some(unsaid)).collect();
        }
        "subscribers say nothing of a blacklist" => {
            let unsaid = subscriber(9).map(|subscriber| Subscriber {
                blacklisted: None,
                ..subscriber
            });
            facts.subscribers = facts.subscribers.iter().map(|_| unsaid).collect();
        }
        "mailers have an empty address" => {
            let empty = Mailer { from: "", ..mailer };
            facts.mailers = facts.mailers.iter().map(|_| Some(empty)).collect();
        }
        "subscribers have an empty address" => {
            let empty = subscriber(9).map(|subscriber| Subscriber {
                email: "",
                ..subscriber
            });
            facts.subscribers = facts.subscribers.iter().map(|_| empty).collect();
        }
        other => panic!("there is no change {other}"),
    }
    Some(facts)
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

/// What the table says about an input in a state: the next state, or `None` for a misuse that changes nothing.
fn next(operation: Operation, state: &str, input: &Input) -> Option<&'static str> {
    let is_last_attempt = state.ends_with("after a conflict");
    match (row_of(state), input) {
        ("account", Input::Account(Some(account))) => {
            Some(if account.blocked { "done" } else { "facts" })
        }
        ("account", Input::Account(None)) => Some("done"),
        ("facts", Input::Facts("right" | "subscriber id 2^63-1")) => Some("commit"),
        ("facts", Input::Facts("one sender is not active")) => Some("done"),
        // The call of the tests has a `from`.
        (
            "facts",
            Input::Facts("mailers say nothing of a blacklist" | "mailers have an empty address"),
        ) => Some("commit"),
        // httpSendMail sends to the addresses of the body, and does not use stored ones.
        (
            "facts",
            Input::Facts(
                "subscribers say nothing of a blacklist" | "subscribers have an empty address",
            ),
        ) if operation == Operation::HttpSendMail => Some("commit"),
        // Columns that the operation does not ask about are empty, so an empty answer is wrong only in the others.
        ("facts", Input::Facts(_)) => None,
        ("commit", Input::Begin) => Some("committing"),
        ("commit" | "committing", Input::Commit(Commit::Conflict(conflict)))
            if conflict.is_possible(operation) && !is_last_attempt =>
        {
            Some("account")
        }
        ("commit" | "committing", Input::Commit(_)) => Some("done"),
        _ => None,
    }
}

/// The row of the table that a state belongs to.
fn row_of(state: &str) -> &str {
    state.split([' ', ':']).next().unwrap()
}

/// The name of the failure with which an answer to a commit ends the call, on the last attempt or any other.
fn failure(operation: Operation, commit: &Commit) -> Option<&'static str> {
    match commit {
        Commit::Done { transaction_id } if (1..1 << 53).contains(transaction_id) => None,
        Commit::Done { .. } => Some("misuse"),
        Commit::Conflict(conflict) if conflict.is_possible(operation) => None,
        Commit::Conflict(_) | Commit::Unknown => Some("unknown"),
    }
}

#[test]
fn every_input_in_every_state_does_what_the_table_says() {
    let (mut taken, mut misused) = (0, 0);
    for operation in Operation::ALL.iter().copied() {
        for state in STATES {
            for input in inputs() {
                let mut call = call_in(operation, state);
                let about = format!("{} {state} {input:?}", operation.name());
                let before = call.step().to_json();
                assert_eq!(
                    before,
                    call.step().to_json(),
                    "{about}: step() changed something"
                );
                let result = match input.clone() {
                    Input::Account(account) => call.answer_account(account),
                    Input::Commit(commit) => call.answer_commit(commit),
                    Input::Begin => call.begin_commit().map(drop),
                    Input::Facts(change) => {
                        // In other states, the facts that would be right when facts are asked for.
                        let right = facts_for(&call)
                            .unwrap_or_else(|| facts_for(&call_in(operation, "facts")).unwrap());
                        let Some(given) = changed(right, change) else {
                            continue;
                        };
                        // Facts that `fill_facts` writes are judged in the same way.
                        let mut filled = call_in(operation, state);
                        let asked = of_questions(&call);
                        let of_filled = filled.fill_facts(|questions, place| {
                            assert_eq!(Some(format!("{questions:?}")), asked, "{about}");
                            assert_eq!(*place, Facts::default(), "{about}");
                            place.clone_from(&given);
                            Ok::<_, Misuse>(())
                        });
                        let result = call.answer_facts(given);
                        assert_eq!(of_filled, result, "{about}");
                        assert_eq!(filled.step().to_json(), call.step().to_json(), "{about}");
                        result
                    }
                };
                match next(operation, state, &input) {
                    Some(expected) => {
                        assert_eq!(result, Ok(()), "{about}");
                        // After `begin_commit` the call counts as ended until it is answered.
                        let shown = expected.replace("committing", "done");
                        assert_eq!(awaits(&call), shown, "{about}");
                        taken += 1;
                    }
                    None => {
                        assert!(result.is_err(), "{about}");
                        assert_eq!(
                            call.step().to_json(),
                            before,
                            "{about}: misuse changed something"
                        );
                        misused += 1;
                    }
                }
                let failure = match &input {
                    Input::Begin => Some("unknown"),
                    Input::Commit(commit) => failure(operation, commit),
                    Input::Account(_) | Input::Facts(_) => None,
                };
                if failure.is_some() && result.is_ok() {
                    let decision = call.decision().unwrap();
                    let error = decision.failure().map(|error| error.name());
                    assert_eq!((decision.code(), error), (None, failure), "{about}");
                    assert!(decision.plan().is_none() && decision.response().is_none());
                }
            }
        }
    }
    println!("{taken} inputs taken, {misused} misused");
    assert!(taken > 70 && misused > 800, "{taken} {misused}");
}

/// The table at the top of `core/src/call.rs`: for each state, what `step()` gives, and a cell for each answer.
fn written_table() -> Vec<Vec<&'static str>> {
    let rows = include_str!("../src/call.rs").lines();
    let rows = rows.take_while(|line| line.starts_with("//!"));
    let cells = rows.filter_map(|line| line.strip_prefix("//! | ")?.strip_suffix(" |"));
    cells.map(|row| row.split(" | ").collect()).collect()
}

#[test]
fn the_table_in_the_file_is_the_one_that_the_tests_go_by() {
    let table = written_table();
    let [heads, rows @ ..] = table.as_slice() else {
        panic!("there is no table");
    };
    assert_eq!(
        heads[2..],
        [
            "`answer_account`",
            "`answer_facts`",
            "`begin_commit`",
            "`answer_commit`"
        ]
    );
    assert_eq!(rows.len(), 5);
    for row in rows {
        let state = row[0];
        let step = match state {
            "committing" => "`Step::Done`: unknown".to_string(),
            _ => format!("`Step::{}{}`", state[..1].to_uppercase(), &state[1..]),
        };
        assert_eq!(row[1], step);
        for (column, cell) in row[2..].iter().enumerate() {
            let mut found = BTreeSet::new();
            let operation = Operation::SendMailer;
            let states = STATES.iter().filter(|own| row_of(own) == state);
            for (own, input) in states.flat_map(|own| inputs().into_iter().map(move |i| (own, i))) {
                let is_of_column = match input {
                    Input::Account(_) => column == 0,
                    Input::Facts("right" | "one sender is not active") => column == 1,
                    Input::Facts(_) => false,
                    Input::Begin => column == 2,
                    Input::Commit(_) => column == 3,
                };
                if is_of_column {
                    found.insert(next(operation, own, &input).unwrap_or("misuse"));
                }
            }
            let named = ["account", "facts", "commit", "committing", "done", "misuse"];
            let named = named.into_iter().filter(|name| {
                let mut words = cell.split([' ', ',']);
                words.any(|word| word == *name)
            });
            assert_eq!(found, named.collect(), "{state}: {}", heads[column + 2]);
        }
    }
}

#[test]
fn a_misuse_says_what_was_awaited_and_what_was_given() {
    let mut call = call_in(Operation::SendMailer, "facts");
    let wrong = |awaited, given| Err(Misuse::WrongAnswer { awaited, given });
    assert_eq!(call.answer_account(None), wrong("facts", "account"));
    assert_eq!(call.answer_commit(DONE), wrong("facts", "commit"));
    assert_eq!(
        call.answer_facts(Facts::default()),
        Err(Misuse::WrongLength {
            column: "mailers",
            asked: 1,
            answered: 0
        })
    );
    let mut call = call_in(Operation::SendMailer, "done: accepted");
    assert_eq!(call.answer_commit(DONE), wrong("nothing", "commit"));
    for operation in Operation::ALL.iter().copied() {
        let mut call = call_in(operation, "committing");
        assert_eq!(call.answer_account(None), wrong("commit", "account"));
        let again = call.begin_commit().map(drop);
        assert_eq!(again, wrong("commit", "begin_commit"));
    }
}

#[test]
fn a_stored_address_that_is_empty_is_misuse_where_an_email_would_go_to_it_or_come_from_it() {
    let own_sender = json!({"apiKey": "key-1", "mailerID": 42, "email": "a@customer.example", "from": "news@shop.example"});
    let by_address = json!({"apiKey": "key-1", "mailerID": 42, "email": "a@customer.example"});
    let by_id = json!({"apiKey": "key-1", "mailerID": 42, "subID": 9});
    let answered = |body: &Value, from: &str, email: &str| {
        let mut call = Case::new(Operation::SendMailer, body).call();
        good_account(&mut call);
        let mut facts = facts_for(&call).expect("the call asks for facts");
        let mailer = Mailer {
            from,
            from_name: None,
            blacklisted: Some(false),
        };
        let found = subscriber(9).map(|found| Subscriber { email, ..found });
        facts.mailers = [Some(mailer)].into_iter().collect();
        let rows = |column: &Subscribers| column.iter().map(|_| found).collect();
        facts.subscriber_ids = rows(&facts.subscriber_ids);
        facts.subscribers = rows(&facts.subscribers);
        call.answer_facts(facts)
    };
    let good = "a@shop.example";
    let empty = |column| Err(Misuse::EmptyAddress { column });
    for body in [&own_sender, &by_address, &by_id] {
        assert_eq!(answered(body, good, good), Ok(()));
    }
    assert_eq!(answered(&own_sender, "", good), Ok(()));
    assert_eq!(answered(&by_address, "", good), empty("mailers"));
    assert_eq!(answered(&by_id, "", good), empty("mailers"));
    assert_eq!(answered(&own_sender, good, ""), empty("subscribers"));
    assert_eq!(answered(&by_address, good, ""), empty("subscribers"));
    assert_eq!(answered(&by_id, good, ""), empty("subscriber_ids"));
}

#[test]
fn a_call_goes_on_after_any_misuse_as_if_it_had_not_been() {
    for operation in Operation::ALL.iter().copied() {
        let mut clean = case(operation).call();
        good_account(&mut clean);
        good_facts(&mut clean);
        clean.answer_commit(DONE).unwrap();

        let mut misused = case(operation).call();
        let misuse_all = |call: &mut Call<'_>| {
            let waits = awaits(call);
            if waits != "account" {
                call.answer_account(None).unwrap_err();
            }
            if waits != "commit" {
                call.answer_commit(DONE).unwrap_err();
            }
            let mut wrong = Facts::default();
            wrong.lists.extend([true; 9]);
            call.answer_facts(wrong).unwrap_err();
        };
        misuse_all(&mut misused);
        good_account(&mut misused);
        misuse_all(&mut misused);
        good_facts(&mut misused);
        misuse_all(&mut misused);
        misused.answer_commit(DONE).unwrap();
        misuse_all(&mut misused);
        assert_eq!(misused.step().to_json(), clean.step().to_json());
    }
}

#[test]
fn facts_are_empty_again_after_a_host_panicked_while_filling_them() {
    for operation in Operation::ALL.iter().copied() {
        let mut call = call_in(operation, "facts");
        let right = facts_for(&call).unwrap();
        let fill = |call: &mut Call<'_>| {
            call.fill_facts(|_, facts| -> Result<(), Misuse> {
                assert_eq!(*facts, Facts::default());
                facts.clone_from(&right);
                std::panic::panic_any("the database is away");
            })
        };
        for _ in 0..2 {
            let panicked = std::panic::AssertUnwindSafe(|| fill(&mut call));
            let panicked = std::panic::catch_unwind(panicked).unwrap_err();
            assert!(panicked.is::<&str>());
            assert_eq!(awaits(&call), "facts");
        }
        call.answer_facts(right.clone()).unwrap();
        assert_eq!(awaits(&call), "commit");
    }
}

fn of_questions(call: &Call<'_>) -> Option<String> {
    match call.step() {
        Step::Facts(questions) => Some(format!("{questions:?}")),
        _ => None,
    }
}

#[test]
fn facts_that_could_not_be_filled_in_are_asked_for_again() {
    for operation in Operation::ALL.iter().copied() {
        for state in ["facts", "facts after a conflict"] {
            let mut call = call_in(operation, state);
            let right = facts_for(&call).unwrap();
            for _ in 0..2 {
                let failed = call.fill_facts(|_, facts| {
                    assert_eq!(*facts, Facts::default());
                    facts.clone_from(&right);
                    Err(Misuse::SubscriberId)
                });
                assert_eq!(failed, Err(Misuse::SubscriberId));
                assert_eq!(awaits(&call), "facts");
            }
            good_facts(&mut call);
            assert_eq!(awaits(&call), "commit");
        }
    }
}

#[test]
fn a_wrong_answer_in_json_changes_nothing_and_says_which_kind_of_wrong_it_is() {
    for state in STATES {
        let mut call = call_in(Operation::SendMailer, state);
        let before = call.step().to_json();
        for text in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"other":1}"#,
            r#"{"account":7}"#,
            r#"{"account":7,"commit":{}}"#,
            r#"{"facts":{"mailers":[{}]}}"#,
        ] {
            // While a commit is awaited, a text that is not an answer at all ends the call.
            let names_another = text.contains("account") || text.contains("facts");
            if row_of(state).starts_with("commit") && !names_another {
                continue;
            }
            call.answer_json(text).unwrap_err();
            assert_eq!(call.step().to_json(), before, "{state} {text}");
        }
    }
}

#[test]
fn an_invalid_commit_in_json_ends_the_call_as_unknown() {
    for operation in Operation::ALL.iter().copied() {
        for text in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"other":1}"#,
            r#"{"commit":null}"#,
            r#"{"commit":{}}"#,
            r#"{"commit":7}"#,
            r#"{"commit":{"conflict":"none"}}"#,
            r#"{"commit":{"transaction_id":"7"}}"#,
            r#"{"commit":{"transaction_id":7,"conflict":"other"}}"#,
            r#"{"commit":{"unknown":true}}"#,
        ] {
            for state in STATES {
                let mut call = call_in(operation, state);
                let before = call.step().to_json();
                let answered = call.answer_json(text);
                if row_of(state).starts_with("commit") {
                    answered.unwrap();
                    let decision = call.decision().unwrap();
                    let error = decision.failure().map(|error| error.name());
                    assert_eq!(error, Some("unknown"), "{state} {text}");
                } else {
                    answered.unwrap_err();
                    assert_eq!(call.step().to_json(), before, "{state} {text}");
                }
            }
        }
    }
}

/// What a conflict gives when there is no attempt left: the rule, and the code on either operation.
const CONFLICTS: &[(Conflict, Option<(&str, u16)>)] = &[
    (Conflict::SubscriberExists, Some(("subscriber-exists", 442))),
    (
        Conflict::SubscriberInactive,
        Some(("subscriber-inactive", 443)),
    ),
    (
        Conflict::SubscriberCredit,
        Some(("subscriber-credit-low", 444)),
    ),
    (Conflict::EmailCredit, Some(("email-credit-low", 445))),
    (Conflict::SubscriberGone, Some(("subscriber-unknown", 454))),
    (Conflict::Other, None),
];

#[test]
fn every_conflict_is_tried_again_until_the_attempts_are_used_up_and_then_gives_the_code() {
    for operation in Operation::ALL.iter().copied() {
        for attempts in 1..=4_u64 {
            for (conflict, outcome) in CONFLICTS {
                if *conflict == Conflict::SubscriberGone && operation == Operation::HttpSendMail {
                    continue;
                }
                let about = format!("{} {attempts} {conflict:?}", operation.name());
                let policy = Policy::builder().max_attempts(attempts).build().unwrap();
                let body = case(operation).body;
                let mut call = Call::new(&policy, operation, "POST", body);
                for _ in 0..attempts {
                    assert!(call.decision().is_none(), "{about}");
                    good_account(&mut call);
                    good_facts(&mut call);
                    call.answer_commit(Commit::Conflict(*conflict)).unwrap();
                }
                let decision: Value =
                    serde_json::from_str(&call.decision().expect(&about).to_json()).unwrap();
                let asked = json!({"account": attempts, "facts": attempts, "commits": attempts});
                assert_eq!(decision["asked"], asked, "{about}");
                match outcome {
                    Some((rule, code)) => {
                        assert_eq!(
                            (&decision["rule"], &decision["code"]),
                            (&json!(rule), &json!(code)),
                            "{about}"
                        );
                        assert_eq!(
                            (&decision["pointer"], &decision["span"]),
                            (&Value::Null, &Value::Null)
                        );
                        assert_eq!(decision.get("error"), None);
                        assert_eq!(decision["refused"], json!([]));
                    }
                    None => {
                        let deprecation = match operation {
                            Operation::SendMailer => Value::Null,
                            Operation::HttpSendMail => {
                                json!({"last_day": "2024-04-30", "successor": "sendEmail"})
                            }
                        };
                        let expected = json!({
                            "code": null, "rule": null, "pointer": null, "span": null, "request": null,
                            "response": null, "plan": null, "refused": null, "error": "host",
                            "deprecation": deprecation, "asked": asked, "operation": operation.name(),
                            "is_accepted": false, "message": null, "meaning": null, "remedy": null,
                            "transaction_id": null,
                        });
                        assert_eq!(decision, expected, "{about}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_attempt_before_the_last_may_still_succeed() {
    for operation in Operation::ALL.iter().copied() {
        for failures in 0..3 {
            let commits: Vec<Value> = vec![json!({"conflict": "other"}); failures];
            let decision = case(operation).world(json!({"commits": commits})).decide();
            let asked = failures + 1;
            assert_eq!(decision["code"], 200);
            assert_eq!(
                decision["asked"],
                json!({"account": asked, "facts": asked, "commits": asked})
            );
        }
    }
}

/// The result after a conflict with this change of the world: the code, how often the host was asked, and the plan if there
/// is one.
fn after(case: Case, conflict: &str, change: Value) -> (Value, [u64; 3], Value) {
    let commits = json!([{"conflict": conflict, "change": change}]);
    let decision = case.world(json!({"commits": commits})).decide();
    let asked = ["account", "facts", "commits"].map(|key| decision["asked"][key].as_u64().unwrap());
    (decision["code"].clone(), asked, decision["plan"].clone())
}

#[test]
fn after_a_conflict_the_call_is_judged_again_from_the_key_on_fresh_answers() {
    let account = |account: Value| json!({"accounts": {"key-1": account}});
    let send = || case(Operation::SendMailer);
    let changed = |change| {
        let (code, asked, _) = after(send(), "other", change);
        (code.as_u64().unwrap(), asked)
    };
    assert_eq!(changed(json!({"accounts": {}})), (403, [2, 1, 1]));
    assert_eq!(changed(account(json!({"blocked": true}))), (404, [2, 1, 1]));
    assert_eq!(changed(account(json!({"expired": true}))), (405, [2, 1, 1]));
    assert_eq!(
        changed(account(json!({"deactivated": true}))),
        (448, [2, 1, 1])
    );
    assert_eq!(changed(json!({"senders": []})), (442, [2, 2, 1]));
    assert_eq!(changed(json!({"lists": []})), (442, [2, 2, 1]));
    assert_eq!(changed(json!({"mailers": {}})), (442, [2, 2, 1]));
    assert_eq!(
        changed(account(json!({"subscriber_credit": 0}))),
        (444, [2, 2, 1])
    );
    assert_eq!(
        changed(account(json!({"email_credit": 0}))),
        (445, [2, 2, 1])
    );
    assert_eq!(changed(json!({})), (200, [2, 2, 2]));
}

#[test]
fn a_subscriber_that_exists_by_the_second_attempt_is_updated_and_not_created() {
    let send = case(Operation::SendMailer);
    let mut with_city = Case::send_mailer(json!({"city": "Pune"}));
    with_city.policy = send.policy;
    let change = json!({"subscribers": [{"id": 9, "email": "NEW@customer.example"}]});
    let (code, _, plan) = after(with_city, "subscriber_exists", change.clone());
    assert_eq!(code, 200);
    assert_eq!(plan["create"], json!([]));
    assert_eq!(
        plan["update"],
        json!([{"id": 9, "fields": {"city": "Pune"}}])
    );
    assert_eq!(plan["debit"], json!({"email": 1, "subscriber": 0}));

    let (code, _, plan) = after(Case::http_send_mail(json!({})), "subscriber_exists", change);
    assert_eq!(code, 200);
    assert_eq!(plan["create"], json!([]));
    assert_eq!(plan["enlist"], json!([{"id": 9, "list": "API_EMAILS"}]));
}

#[test]
fn a_subscriber_that_is_gone_by_the_second_attempt_is_unknown() {
    let by_id = Case::send_mailer(json!({"email": null, "subID": 5}));
    let (code, asked, _) = after(by_id, "subscriber_gone", json!({"subscribers": []}));
    assert_eq!((code, asked), (json!(454), [2, 2, 1]));
}

#[test]
fn what_a_partial_batch_leaves_out_is_judged_anew_after_a_conflict() {
    let batch = || {
        Case::requests(&[
            request(json!({"to": "one@customer.example"})),
            request(json!({"to": "two@customer.example"})),
        ])
        .partial()
    };
    let inactive =
        json!({"subscribers": [{"id": 1, "email": "one@customer.example", "inactive": true}]});
    let (code, _, plan) = after(batch(), "subscriber_inactive", inactive.clone());
    assert_eq!(code, 200);
    assert_eq!(plan["messages"].as_array().unwrap().len(), 1);
    assert_eq!(plan["messages"][0]["request"], 1);

    // And the other way round: a recipient that was left out at first gets the email when it is active again.
    let case = batch().world(inactive);
    let (code, _, plan) = after(case, "other", json!({"subscribers": []}));
    assert_eq!(code, 200);
    assert_eq!(plan["messages"].as_array().unwrap().len(), 2);
}

#[test]
fn answers_are_counted_where_they_were_taken_and_misuse_is_not() {
    let mut call = call_in(Operation::SendMailer, "commit");
    call.answer_account(None).unwrap_err();
    call.answer_facts(Facts::default()).unwrap_err();
    call.answer_commit(DONE).unwrap();
    call.answer_commit(DONE).unwrap_err();
    let asked = call.decision().unwrap().asked();
    assert_eq!((asked.account, asked.facts, asked.commits), (1, 1, 1));
}

#[test]
fn a_transaction_id_that_cannot_be_ends_the_call_without_a_code_on_any_attempt() {
    for state in ["commit", "commit after a conflict"] {
        let mut call = call_in(Operation::HttpSendMail, state);
        call.answer_commit(Commit::Done {
            transaction_id: 1 << 53,
        })
        .unwrap();
        let decision = call.decision().unwrap();
        assert!(
            decision.code().is_none() && decision.plan().is_none() && decision.response().is_none()
        );
        let json: Value = serde_json::from_str(&decision.to_json()).unwrap();
        assert_eq!(
            (&json["error"], &json["refused"]),
            (&json!("misuse"), &Value::Null)
        );
    }
}
