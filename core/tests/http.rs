//! The HTTP response of a host, for every way in which a call can end.

use franking::http::{Answer, Outcome, answer};
use franking::{
    Account, AnswerStatus, Call, Commit, Conflict, DecideError, Facts, Host, Mailer, Operation,
    Plan, Policy, Questions, Subscriber, decide,
};

const SUNSET: [(&str, &str); 2] = [
    ("Sunset", "Tue, 30 Apr 2024 23:59:59 GMT"),
    ("Deprecation", "@1714521599"),
];

/// The status and the headers, without those that every answer of httpSendMail has.
fn shown(operation: Operation, answer: &Answer) -> (u16, Vec<(&'static str, &'static str)>) {
    let mut headers = answer.headers.to_vec();
    if operation == Operation::HttpSendMail {
        let ends = headers.split_off(headers.len() - 2);
        assert_eq!(ends, SUNSET);
    }
    (answer.status, headers)
}

const JSON: (&str, &str) = ("Content-Type", "application/json");
const RETRY: (&str, &str) = ("Retry-After", "5");

struct Fixed {
    account: Result<Option<Account>, ()>,
    subscriber: u64,
    commit: Result<Commit, ()>,
}

const ACCOUNT: Account = Account {
    blocked: false,
    expired: false,
    deactivated: false,
    subscriber_credit: None,
    email_credit: None,
};

const WELL: Fixed = Fixed {
    account: Ok(Some(ACCOUNT)),
    subscriber: 7,
    commit: Ok(Commit::Done { transaction_id: 9 }),
};

impl Host for Fixed {
    type Error = ();

    fn account(&mut self, _: &str) -> Result<Option<Account>, ()> {
        self.account
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), ()> {
        for _ in questions.mailers() {
            facts.mailers.push(Some(Mailer {
                from: "a@example.com",
                from_name: None,
                blacklisted: Some(false),
            }));
        }
        for _ in questions.subscriber_ids() {
            facts.subscriber_ids.push(Some(Subscriber {
                id: self.subscriber,
                email: "b@example.com",
                inactive: false,
                blacklisted: Some(false),
            }));
        }
        Ok(())
    }

    fn commit(&mut self, _: &Plan<'_>) -> Result<Commit, ()> {
        self.commit
    }
}

fn answered(mut host: Fixed) -> (u16, Vec<(&'static str, &'static str)>, String) {
    let operation = Operation::SendMailer;
    let policy = Policy::default();
    let body = br#"{"apiKey":"k","mailerID":42,"subID":7}"#;
    let mut call = Call::new(&policy, operation, "POST", body);
    let answer = match decide(&mut call, &mut host) {
        Ok(decision) => decision.http(),
        Err(error) => answer(&policy, operation, error.outcome()),
    };
    let (status, headers) = shown(operation, &answer);
    (status, headers, answer.body)
}

#[test]
fn a_code_is_answered_by_200_and_the_response() {
    let body = r#"{"code":"200","status":"Success","transactionId":"9"}"#;
    assert_eq!(answered(WELL), (200, vec![JSON], body.into()));
    let unknown = Fixed {
        account: Ok(None),
        ..WELL
    };
    let body = r#"{"code":"403","status":"Error"}"#;
    assert_eq!(answered(unknown), (200, vec![JSON], body.into()));
}

#[test]
fn calls_that_were_not_carried_out_get_a_retry_after() {
    let again = (503, vec![RETRY], String::new());
    assert_eq!(
        answered(Fixed {
            account: Err(()),
            ..WELL
        }),
        again
    );
    let other = Ok(Commit::Conflict(Conflict::Other));
    assert_eq!(
        answered(Fixed {
            commit: other,
            ..WELL
        }),
        again
    );
}

#[test]
fn calls_that_may_have_been_carried_out_get_no_retry_after() {
    let never = (503, vec![], String::new());
    for commit in [
        Err(()),
        Ok(Commit::Unknown),
        Ok(Commit::Done { transaction_id: 0 }),
    ] {
        assert_eq!(answered(Fixed { commit, ..WELL }), never);
    }
}

#[test]
fn a_fault_before_a_plan_was_handed_out_is_answered_by_500() {
    let faulty = Fixed {
        subscriber: 0,
        ..WELL
    };
    assert_eq!(answered(faulty), (500, vec![], String::new()));
}

#[test]
fn a_commit_that_was_begun_and_never_answered_may_not_be_sent_again() {
    let body = br#"{"apiKey":"k","mailerID":42,"subID":7}"#;
    let mut call = Call::new(&Policy::default(), Operation::SendMailer, "POST", body);
    let mut host = Fixed {
        commit: Err(()),
        ..WELL
    };
    let error = decide(&mut call, &mut host).map(|_| ()).unwrap_err();
    assert_eq!(error, DecideError::Unknown(()));
    let answer = call.decision().unwrap().http();
    assert_eq!((answer.status, answer.headers), (503, [].as_slice()));
}

#[test]
fn calls_without_a_decision_are_answered_by_their_outcome() {
    let policy = Policy::builder()
        .answer_status(AnswerStatus::Meaning)
        .build()
        .unwrap();
    let accepted = r#"{"code":"200","status":"Success","transactionId":"5"}"#;
    let too_large = r#"{"code":"454","status":"API call exceeds the allowed size"}"#;
    let rows = [
        (
            Outcome::Accepted { transaction_id: 5 },
            200,
            Some(JSON),
            accepted,
        ),
        (Outcome::Accepted { transaction_id: 0 }, 503, None, ""),
        (Outcome::Undone, 503, Some(RETRY), ""),
        (Outcome::Fault, 500, None, ""),
        (Outcome::Unknown, 503, None, ""),
    ];
    for operation in Operation::ALL.iter().copied() {
        for (outcome, status, header, body) in rows {
            let answer = answer(&policy, operation, outcome);
            let headers = Vec::from_iter(header);
            assert_eq!(shown(operation, &answer), (status, headers), "{outcome:?}");
            assert_eq!(answer.body, body, "{outcome:?}");
        }
    }
    let large = answer(&policy, Operation::HttpSendMail, Outcome::TooLarge);
    assert_eq!(shown(Operation::HttpSendMail, &large), (200, vec![JSON]));
    assert_eq!(large.body, too_large);
    let large = answer(&policy, Operation::SendMailer, Outcome::TooLarge);
    assert_eq!(shown(Operation::SendMailer, &large), (413, vec![]));
}

#[test]
fn a_body_that_is_too_large_is_answered_as_the_same_body_read() {
    for today in ["2024-04-30", "2024-05-01"] {
        let day = franking::date::parse(today).unwrap();
        let policy = Policy::builder()
            .max_bytes(1)
            .today(Some(day))
            .build()
            .unwrap();
        let call = Call::new(&policy, Operation::HttpSendMail, "POST", b"  ");
        let read = call.decision().unwrap().http();
        let unread = answer(&policy, Operation::HttpSendMail, Outcome::TooLarge);
        assert_eq!(read, unread, "{today}");
    }
}

#[test]
fn debug_shows_no_body() {
    let answer = answer(
        &Policy::default(),
        Operation::SendMailer,
        Outcome::Accepted { transaction_id: 5 },
    );
    assert_eq!(format!("{answer:?}"), "Answer { status: 200, .. }");
}
