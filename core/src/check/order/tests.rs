use super::*;
use alloc::vec::Vec;

#[test]
fn the_call_comes_before_its_requests_then_the_lowest_code_wins_and_442_of_send_mailer_is_last() {
    for operation in Operation::ALL.iter().copied() {
        for phase in Phase::ALL.iter().copied() {
            let codes: Vec<(bool, u16)> = rules(operation, phase)
                .iter()
                .map(|rule| {
                    let code = match (operation, rule.code(operation).unwrap().number()) {
                        (Operation::SendMailer, 442) => u16::MAX,
                        (_, code) => code,
                    };
                    (rule.scope(operation) != Scope::Call, code)
                })
                .collect();
            assert!(codes.is_sorted(), "{operation:?} {phase:?} {codes:?}");
        }
    }
}

#[test]
fn in_the_content_of_http_send_mail_the_rules_of_the_call_come_first() {
    let [first, second, third, ..] = rules(Operation::HttpSendMail, Phase::Content) else {
        panic!("there are many");
    };
    assert_eq!(
        [*first, *second, *third],
        [
            Rule::TooManyRequests,
            Rule::RequestsMissing,
            Rule::SubjectMissing
        ]
    );
}

/// The rules that have no judge at this place of the table, as if the table had them there.
fn without_judge(operation: Operation, phase: Phase, level: Scope) -> Vec<Rule> {
    let is_unjudged = |rule: &Rule| !is_judged(*rule, operation, phase, level);
    Rule::ALL.iter().copied().filter(is_unjudged).collect()
}

#[test]
fn a_row_of_the_table_without_a_judge_is_found_in_every_phase_and_at_every_level() {
    for operation in Operation::ALL.iter().copied() {
        for phase in Phase::ALL.iter().copied() {
            for scope in [Scope::Call, Scope::Request] {
                let listed: Vec<Rule> = Rule::ALL
                    .iter()
                    .copied()
                    .filter(|rule| {
                        !applies(*rule, operation, phase) || level(*rule, operation) != scope
                    })
                    .collect();
                assert_eq!(
                    without_judge(operation, phase, scope),
                    listed,
                    "{operation:?} {phase:?} {scope:?}"
                );
            }
        }
    }
}

#[test]
fn where_no_rule_is_judged_every_row_of_the_table_would_lack_a_judge() {
    for (operation, phase, level) in [
        (Operation::HttpSendMail, Phase::Account, Scope::Request),
        (Operation::HttpSendMail, Phase::Credit, Scope::Request),
        (Operation::HttpSendMail, Phase::Facts, Scope::Call),
        (Operation::HttpSendMail, Phase::Commit, Scope::Request),
        (Operation::SendMailer, Phase::Content, Scope::Request),
    ] {
        assert_eq!(without_judge(operation, phase, level), Rule::ALL);
    }
}

#[test]
fn the_order_of_each_operation_has_all_of_its_rules() {
    for operation in Operation::ALL.iter().copied() {
        let ordered = Phase::ALL
            .iter()
            .copied()
            .flat_map(|phase| rules(operation, phase))
            .count();
        assert_eq!(
            ordered,
            Rule::ALL
                .iter()
                .filter(|rule| rule.code(operation).is_some())
                .count()
        );
    }
}
