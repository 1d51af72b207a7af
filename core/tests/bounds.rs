//! The most that one call of sendMailer can ask, and what happens when a column does not fit into memory.

use franking::{
    Account, Call, Facts, Operation, OutOfMemory, Policy, SingleQuestions, Step, Subscriber,
};

/// An address below this top-level domain. It has as many one-letter labels as an address has room for.
fn longest(top: &str) -> String {
    let room = 254 - "l@".len() - top.len();
    format!("l@{}{top}", "a.".repeat(room / 2))
}

#[test]
fn a_call_of_send_mailer_asks_of_as_many_domains_as_the_bound_says_and_of_no_more() {
    let addresses = ["bc", "de", "bcd", "efg", "xn--p1ai", "com"].map(longest);
    let mut most = 0;
    for email in &addresses {
        for from in &addresses {
            let body =
                format!(r#"{{"apiKey":"k","mailerID":1,"email":"{email}","from":"{from}"}}"#);
            let mut call = Call::new(
                &Policy::default(),
                Operation::SendMailer,
                "POST",
                body.into_bytes(),
            );
            call.answer_account(Some(Account::default())).unwrap();
            let Step::Facts(questions) = call.step() else {
                panic!("the call was refused");
            };
            most = most.max(questions.domain_count());
            assert_eq!(questions.mailers().len(), 1);
            assert!(questions.sender_count() <= 1 && questions.lists().len() <= 1);
            assert_eq!(
                questions.subscriber_ids().len() + questions.subscriber_count(),
                1
            );
        }
    }
    assert_eq!(most, SingleQuestions::MAX_DOMAINS);
}

#[test]
fn a_longer_address_is_refused_before_domains_are_asked_about() {
    let email = format!("l{}", longest("bc"));
    let body = format!(r#"{{"apiKey":"k","mailerID":1,"email":"{email}"}}"#);
    let mut call = Call::new(
        &Policy::default(),
        Operation::SendMailer,
        "POST",
        body.into_bytes(),
    );
    call.answer_account(Some(Account::default())).unwrap();
    assert!(call.decision().is_some());
}

#[test]
fn columns_that_are_larger_than_memory_say_so_and_stay_as_they_are() {
    let mut facts = Facts::default();
    assert_eq!(facts.mailers.try_reserve(usize::MAX, 0), Err(OutOfMemory));
    assert_eq!(facts.mailers.try_reserve(1, usize::MAX), Err(OutOfMemory));
    assert_eq!(
        facts.subscribers.try_reserve(usize::MAX, 0),
        Err(OutOfMemory)
    );
    assert_eq!(
        facts.subscribers.try_reserve(1, usize::MAX),
        Err(OutOfMemory)
    );
    assert_eq!(facts, Facts::default());
}

#[test]
fn a_column_with_room_holds_the_answers_that_it_holds_without() {
    let answer = |id: u64| {
        let email = if id.is_multiple_of(3) {
            ""
        } else {
            "recipient@example.com"
        };
        let said = [None, Some(false), Some(true)];
        let blacklisted = said.get(id as usize % 3).copied().flatten();
        (!id.is_multiple_of(5)).then_some(Subscriber {
            id,
            email,
            inactive: id.is_multiple_of(7),
            blacklisted,
        })
    };
    for count in [0, 1, 2, 3, 40] {
        let mut with = Facts::default();
        with.subscribers
            .try_reserve(count as usize, 21 * count as usize)
            .unwrap();
        let mut without = Facts::default();
        for id in 0..count {
            with.subscribers.push(answer(id));
            without.subscribers.push(answer(id));
        }
        assert_eq!(with, without);
        assert!(with.subscribers.iter().eq(without.subscribers.iter()));
    }
}
