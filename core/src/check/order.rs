//! The rules of each phase in the order in which they win, computed from the rule table at compile time.

use crate::bytes::part;
use crate::operation::Operation;
use crate::rule::{Phase, Rule, Scope};

const fn applies(rule: Rule, operation: Operation, phase: Phase) -> bool {
    rule.phase() as u8 == phase as u8 && rule.code(operation).is_some()
}

/// The position of a rule within its phase: the lower, the sooner it wins. Rules for the call come before rules for its
/// requests.
pub(crate) const fn place(rule: Rule, operation: Operation) -> u64 {
    let rank = match rule.rank(operation) {
        Some(rank) => rank,
        None => u32::MAX,
    };
    (is_of_request(rule, operation) as u64) << 32 | rank as u64
}

/// Whether the rule is about each request and not about the call as a whole.
const fn is_of_request(rule: Rule, operation: Operation) -> bool {
    !matches!(rule.scope(operation), Scope::Call)
}

/// Stops the build unless `judged` has exactly the rules of the phase for the call (`of_call`), or exactly those for its
/// requests.
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

/// Whether the operation judges any rules for the call (`of_call`), or any for its requests, in this phase. Where it does,
/// [`assert_all_judged`] makes sure that none is missing.
const fn is_judged(operation: Operation, phase: Phase, of_call: bool) -> bool {
    match (operation, phase) {
        (_, Phase::Transport | Phase::Authentication | Phase::Account | Phase::Credit)
        | (_, Phase::Commit)
        | (Operation::SendMailer, Phase::Content | Phase::Facts) => of_call,
        (Operation::HttpSendMail, Phase::Content) => true,
        (Operation::HttpSendMail, Phase::Facts) => !of_call,
    }
}

/// A rule of the table that is judged nowhere stops the build.
const _: () = {
    let mut rules = Rule::ALL;
    while let [rule, rest @ ..] = rules {
        let mut operations = Operation::ALL;
        while let [operation, others @ ..] = operations {
            assert!(
                rule.code(*operation).is_none()
                    || is_judged(*operation, rule.phase(), !is_of_request(*rule, *operation)),
                "nobody judges rules of this phase and scope on this operation"
            );
            operations = others;
        }
        rules = rest;
    }
};

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
/// The arms have to be the rules that the table has for the operation and the phase, either for the call or for its
/// requests. A row without an arm does not compile, and neither does an arm without a row.
macro_rules! judged {
    ($($operation:ident)|+ $phase:ident of_call, $rule:expr; $($variant:ident => $judge:expr,)*) => {
        judged!(@ [$($operation)+] $phase true, [$($variant)*], $rule; $($variant => $judge,)*)
    };
    ($($operation:ident)|+ $phase:ident of_request, $rule:expr; $($variant:ident => $judge:expr,)*) => {
        judged!(@ [$($operation)+] $phase false, [$($variant)*], $rule; $($variant => $judge,)*)
    };
    (@ [$($operation:ident)+] $phase:ident $of_call:literal, $variants:tt, $rule:expr;
        $($variant:ident => $judge:expr,)*) => {{
        $(judged!(assert $operation $phase $of_call, $variants);)+
        match $rule {
            $(crate::rule::Rule::$variant => $judge,)*
            // The rules of other phases are never asked for here.
            _ => Default::default(),
        }
    }};
    (assert $operation:ident $phase:ident $of_call:literal, [$($variant:ident)*]) => {
        const _: () = crate::check::order::assert_all_judged(
            crate::operation::Operation::$operation,
            crate::rule::Phase::$phase,
            $of_call,
            &[$(crate::rule::Rule::$variant),*],
        );
    };
}

pub(crate) use judged;

/// The rules of an operation, phase by phase. Within a phase, the rule that wins comes first.
struct Order {
    rules: [Rule; Rule::ALL.len()],
    /// The end of each phase's rules, as an index into `rules`.
    ends: [usize; Phase::ALL.len()],
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn ordered(operation: Operation) -> Order {
    let mut order = [Rule::MethodNotPost; Rule::ALL.len()];
    let mut ends = [0; Phase::ALL.len()];
    let mut length = 0;
    let mut phases = Phase::ALL;
    while let [phase, later @ ..] = phases {
        let start = length;
        let mut rules = Rule::ALL;
        while let [rule, rest @ ..] = rules {
            if applies(*rule, operation, *phase) {
                let mut at = length;
                while at > start && place(order[at - 1], operation) > place(*rule, operation) {
                    order[at] = order[at - 1];
                    at -= 1;
                }
                order[at] = *rule;
                length += 1;
            }
            rules = rest;
        }
        ends[*phase as usize] = length;
        phases = later;
    }
    Order { rules: order, ends }
}

/// The rules of a phase on an operation. The rule that wins comes first.
pub(crate) fn rules(operation: Operation, phase: Phase) -> &'static [Rule] {
    static SEND_MAILER: Order = ordered(Operation::SendMailer);
    static HTTP_SEND_MAIL: Order = ordered(Operation::HttpSendMail);
    let Order { rules, ends } = match operation {
        Operation::SendMailer => &SEND_MAILER,
        Operation::HttpSendMail => &HTTP_SEND_MAIL,
    };
    let [
        transport,
        authentication,
        account,
        content,
        facts,
        credit,
        commit,
    ] = *ends;
    part(
        rules,
        match phase {
            Phase::Transport => 0..transport,
            Phase::Authentication => transport..authentication,
            Phase::Account => authentication..account,
            Phase::Content => account..content,
            Phase::Facts => content..facts,
            Phase::Credit => facts..credit,
            Phase::Commit => credit..commit,
        },
    )
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
}
