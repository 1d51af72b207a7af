//! An explanation: each rule in the order in which it is judged, and those that were not reached.

use franking::Operation::HttpSendMail;
use franking::{Account, Commit, Conflict, Failure, Judgement, Phase, Step};
use serde_json::{Value, json};

use crate::support::{Case, World, request};

#[test]
fn an_explanation_lists_every_rule_in_the_order_in_which_it_is_judged_and_those_not_reached() {
    let case = Case::http_send_mail(json!({"to": "nobody"}));
    let (explained, _) = case.decide_with(|decision| decision.explanation());
    let all = franking::Rule::ALL
        .iter()
        .filter(|rule| rule.code(HttpSendMail).is_some())
        .count();
    assert_eq!(explained.len(), all);
    let broken = explained
        .iter()
        .position(|row| row.judgement == Judgement::Broken)
        .unwrap();
    assert_eq!(explained[broken].rule.identifier(), "recipient-malformed");
    assert!(
        explained[..broken]
            .iter()
            .all(|row| row.judgement == Judgement::Kept)
    );
    assert!(
        explained[broken + 1..]
            .iter()
            .all(|row| row.judgement == Judgement::NotReached)
    );
    assert!(explained.is_sorted_by_key(|row| row.rule.phase()));
    let (explained, _) =
        Case::send_mailer(json!({})).decide_with(|decision| decision.explanation());
    assert!(explained.iter().all(|row| row.judgement == Judgement::Kept));
}

#[test]
fn an_explanation_of_a_call_level_violation_reaches_no_rule_of_single_requests() {
    for case in [
        Case::requests(&vec![json!({}); 2]).policy(json!({"max_requests": 1})),
        Case::requests(&[]),
        Case::requests(&[]).partial(),
    ] {
        let (explained, _) = case.decide_with(|decision| decision.explanation());
        for row in explained {
            let expected = match (row.rule.phase(), row.rule.identifier()) {
                (_, "too-many-requests") if row.judgement == Judgement::Broken => continue,
                (_, "requests-missing") if row.judgement != Judgement::Kept => continue,
                (_, "too-many-requests") => Judgement::Kept,
                (phase, _) if phase < Phase::Content => Judgement::Kept,
                _ => Judgement::NotReached,
            };
            assert_eq!(row.judgement, expected, "{}", row.rule);
        }
    }
}

#[test]
fn an_explanation_of_a_partial_batch_of_which_nothing_remains_reaches_all_that_has_judged_it() {
    let unknown = json!({"from": "nobody@shop.example", "to": "nobody,new@customer.example"});
    let blank = json!({"subject": ""});
    let control = json!({"fromName": "A\nB"});
    let nobody = json!({"to": "nobody"});
    let listed = json!({"to": "a@bad.example"});
    // The requests, the rule that gives the code, those that are broken in part, and the last rule that was judged.
    let cases: [(Vec<Value>, &str, &[&str], &str); 6] = [
        (
            vec![blank.clone()],
            "subject-missing",
            &[],
            "subject-missing",
        ),
        (
            vec![control, blank.clone()],
            "from-name-control",
            &["subject-missing"],
            "from-name-control",
        ),
        (
            vec![nobody],
            "recipient-malformed",
            &[],
            "from-name-control",
        ),
        (
            vec![unknown.clone()],
            "recipient-malformed",
            &["sender-unknown"],
            "sender-unknown",
        ),
        (
            vec![unknown, blank.clone()],
            "recipient-malformed",
            &["subject-missing", "sender-unknown"],
            "sender-unknown",
        ),
        (
            vec![listed, blank],
            "subject-missing",
            &["recipient-domain-blacklisted"],
            "subscriber-inactive",
        ),
    ];
    for (requests, broken, in_part, last) in cases {
        let requests: Vec<_> = requests.into_iter().map(request).collect();
        let case = Case::requests(&requests).partial();
        let (explained, _) = case.decide_with(|decision| decision.explanation());
        let last = explained
            .iter()
            .position(|row| row.rule.identifier() == last);
        for (at, row) in explained.iter().enumerate() {
            let expected = match row.rule.identifier() {
                rule if rule == broken => Judgement::Broken,
                rule if in_part.contains(&rule) => Judgement::BrokenInPart,
                _ if Some(at) > last => Judgement::NotReached,
                _ => Judgement::Kept,
            };
            assert_eq!(row.judgement, expected, "{broken}: {}", row.rule);
        }
    }
}

#[test]
fn an_explanation_of_a_call_that_failed_reaches_no_rule_from_where_it_failed_on() {
    for (commit, failure) in [
        (Commit::Unknown, Failure::Unknown),
        (Commit::Done { transaction_id: 0 }, Failure::Misuse),
        (Commit::Conflict(Conflict::Other), Failure::Host),
    ] {
        let case = Case::http_send_mail(json!({})).policy(json!({"max_attempts": 1}));
        let mut call = case.call();
        call.answer_account(Some(Account::default())).unwrap();
        let Step::Facts(questions) = call.step() else {
            unreachable!("facts are asked for");
        };
        let facts = World::new(crate::support::world()).facts_of(&questions);
        call.answer_facts(facts).unwrap();
        call.answer_commit(commit).unwrap();
        let decision = call.decision().unwrap();
        assert_eq!(decision.failure(), Some(failure));
        for row in decision.explanation() {
            let expected = match row.rule.phase() {
                Phase::Commit => Judgement::NotReached,
                _ => Judgement::Kept,
            };
            assert_eq!(row.judgement, expected, "{}", row.rule);
        }
    }
}
