//! Answers to a commit: a conflict is tried again, on fresh answers, until the attempts are used up.

use franking::{Call, Commit, Conflict, Operation, Policy};
use serde_json::{Value, json};

use super::{call_in, case, good_account, good_facts};
use crate::support::{Case, request};

/// How a call ends when all of its attempts ended in this conflict: with a rule and its code, which is the same for both
/// operations. With `None` the call ends without a code.
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
