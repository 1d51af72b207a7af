//! The rules of a phase in the order in which they win, computed from the rule table when the crate is compiled.

use crate::operation::Operation;
use crate::rule::{Phase, Rule, Scope};

const fn applies(rule: Rule, operation: Operation, phase: Phase) -> bool {
    rule.phase() as u8 == phase as u8 && rule.code(operation).is_some()
}

/// Where a rule stands within its phase: the lower, the sooner it wins. The rules of the call come before those of its
/// requests.
pub(crate) const fn place(rule: Rule, operation: Operation) -> u64 {
    let rank = match rule.rank(operation) {
        Some(rank) => rank,
        None => u32::MAX,
    };
    (is_of_request(rule, operation) as u64) << 32 | rank as u64
}

/// Whether each request is judged by the rule, not the call as a whole.
const fn is_of_request(rule: Rule, operation: Operation) -> bool {
    !matches!(rule.scope(operation), Scope::Call)
}

/// Stops the build unless `judged` are the rules of the phase whose scope is the call (`of_call`), or those whose scope is
/// not.
pub(crate) const fn assert_all_judged(
    operation: Operation,
    phase: Phase,
    of_call: bool,
    judged: &[Rule],
) {
    let mut count = 0;
    let mut rules = Rule::ALL;
    while let [rule, rest @ ..] = rules {
        if applies(*rule, operation, phase) && is_of_request(*rule, operation) != of_call {
            assert!(
                contains(judged, *rule),
                "a rule of the table is judged nowhere"
            );
            count += 1;
        }
        rules = rest;
    }
    assert!(
        judged.len() == count,
        "a rule is judged that the table does not have here"
    );
}

const fn contains(rules: &[Rule], wanted: Rule) -> bool {
    let mut rules = rules;
    while let [rule, rest @ ..] = rules {
        if *rule as u32 == wanted as u32 {
            return true;
        }
        rules = rest;
    }
    false
}

/// Judges a rule by the arm that names it: `judged!(SendMailer Content of_call, rule; MailerMissing => ..., )`.
///
/// The arms are the rules that the table has for the operation and the phase, of the call or of its requests. A row
/// without an arm, and an arm without a row, do not compile.
macro_rules! judged {
    ($operation:ident $phase:ident of_call, $rule:expr; $($variant:ident => $judge:expr,)*) => {
        judged!(@ $operation $phase true, $rule; $($variant => $judge,)*)
    };
    ($operation:ident $phase:ident of_request, $rule:expr; $($variant:ident => $judge:expr,)*) => {
        judged!(@ $operation $phase false, $rule; $($variant => $judge,)*)
    };
    (@ $operation:ident $phase:ident $of_call:literal, $rule:expr; $($variant:ident => $judge:expr,)*) => {{
        const _: () = crate::check::order::assert_all_judged(
            crate::operation::Operation::$operation,
            crate::rule::Phase::$phase,
            $of_call,
            &[$(crate::rule::Rule::$variant),*],
        );
        match $rule {
            $(crate::rule::Rule::$variant => $judge,)*
            // The rules of other phases are never asked for here.
            _ => Default::default(),
        }
    }};
}

pub(crate) use judged;

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
            while at > 0 && place(order[at - 1], operation) > place(*rule, operation) {
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
    fn the_call_comes_before_its_requests_then_the_lowest_code_wins_and_442_of_send_mailer_is_last()
    {
        for operation in Operation::ALL.iter().copied() {
            for phase in Phase::ALL.iter().copied() {
                let codes: alloc::vec::Vec<(bool, u16)> = rules(operation, phase)
                    .iter()
                    .map(|rule| {
                        let code = match (operation, rule.code(operation).unwrap().number()) {
                            (Operation::SendMailer, 442) => u16::MAX,
                            (_, code) => code,
                        };
                        (is_of_request(*rule, operation), code)
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

    #[test]
    fn every_rule_stands_in_the_order_of_each_operation_that_has_it() {
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
}
