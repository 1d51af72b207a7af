//! Answers that are not awaited or not valid, and facts that were not filled in: a call goes on as if they had not been.

use franking::{Call, Facts, Mailer, Misuse, Operation, Subscriber, Subscribers};
use serde_json::{Value, json};

use super::{
    DONE, STATES, awaits, call_in, case, facts_for, good_account, good_facts, row_of, subscriber,
};
use crate::support::Case;

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
