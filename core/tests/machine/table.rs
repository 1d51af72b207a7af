//! Every input in every state does what the table at the top of `call.rs` says.

use std::collections::BTreeSet;

use franking::{
    Account, Call, Commit, Conflict, DomainRoles, Facts, Mailer, Mailers, Misuse, Operation, Step,
    Subscriber, Subscribers,
};

use super::{STATES, awaits, call_in, facts_for, row_of, subscriber};

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
    let rows = include_str!("../../src/call.rs").lines();
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

fn of_questions(call: &Call<'_>) -> Option<String> {
    match call.step() {
        Step::Facts(questions) => Some(format!("{questions:?}")),
        _ => None,
    }
}
