//! The rules of a phase in the order in which they win, computed from the rule table when the crate is compiled.

use crate::operation::Operation;
use crate::rule::{Phase, Rule};

const fn applies(rule: Rule, operation: Operation, phase: Phase) -> bool {
    rule.phase() as u8 == phase as u8 && rule.code(operation).is_some()
}

const fn rank(rule: Rule, operation: Operation) -> u32 {
    match rule.rank(operation) {
        Some(rank) => rank,
        None => u32::MAX,
    }
}

const fn count(operation: Operation, phase: Phase) -> usize {
    let mut count = 0;
    let mut rules = Rule::ALL;
    while let [rule, rest @ ..] = rules {
        if applies(*rule, operation, phase) {
            count += 1;
        }
        rules = rest;
    }
    count
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn ordered<const N: usize>(operation: Operation, phase: Phase) -> [Rule; N] {
    let mut order = [Rule::MethodNotPost; N];
    let mut length = 0;
    let mut rules = Rule::ALL;
    while let [rule, rest @ ..] = rules {
        if applies(*rule, operation, phase) {
            let mut at = length;
            while at > 0 && rank(order[at - 1], operation) > rank(*rule, operation) {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = *rule;
            length += 1;
        }
        rules = rest;
    }
    order
}

macro_rules! order {
    ($operation:ident, $phase:ident) => {
        const {
            &ordered::<{ count(Operation::$operation, Phase::$phase) }>(
                Operation::$operation,
                Phase::$phase,
            )
        }
    };
}

/// The rules of a phase on an operation, the one that wins first.
pub(crate) const fn rules(operation: Operation, phase: Phase) -> &'static [Rule] {
    match (operation, phase) {
        (Operation::SendMailer, Phase::Transport) => order!(SendMailer, Transport),
        (Operation::SendMailer, Phase::Authentication) => order!(SendMailer, Authentication),
        (Operation::SendMailer, Phase::Account) => order!(SendMailer, Account),
        (Operation::SendMailer, Phase::Content) => order!(SendMailer, Content),
        (Operation::SendMailer, Phase::Facts) => order!(SendMailer, Facts),
        (Operation::SendMailer, Phase::Credit) => order!(SendMailer, Credit),
        (Operation::SendMailer, Phase::Commit) => order!(SendMailer, Commit),
        (Operation::HttpSendMail, Phase::Transport) => order!(HttpSendMail, Transport),
        (Operation::HttpSendMail, Phase::Authentication) => order!(HttpSendMail, Authentication),
        (Operation::HttpSendMail, Phase::Account) => order!(HttpSendMail, Account),
        (Operation::HttpSendMail, Phase::Content) => order!(HttpSendMail, Content),
        (Operation::HttpSendMail, Phase::Facts) => order!(HttpSendMail, Facts),
        (Operation::HttpSendMail, Phase::Credit) => order!(HttpSendMail, Credit),
        (Operation::HttpSendMail, Phase::Commit) => order!(HttpSendMail, Commit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_code_wins_and_442_of_send_mailer_comes_last() {
        for operation in Operation::ALL {
            for phase in Phase::ALL {
                let codes: alloc::vec::Vec<u16> = rules(operation, phase)
                    .iter()
                    .map(
                        |rule| match (operation, rule.code(operation).unwrap().number()) {
                            (Operation::SendMailer, 442) => u16::MAX,
                            (_, code) => code,
                        },
                    )
                    .collect();
                assert!(codes.is_sorted(), "{operation:?} {phase:?} {codes:?}");
            }
        }
    }

    #[test]
    fn every_rule_stands_in_the_order_of_each_operation_that_has_it() {
        for operation in Operation::ALL {
            let ordered = Phase::ALL
                .into_iter()
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
}
