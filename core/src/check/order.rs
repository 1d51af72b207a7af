//! The rules of each phase in the order in which they win, computed from the rule table at compile time.

use crate::bytes::part;
use crate::code::Code;
use crate::operation::Operation;
use crate::rule::{Phase, Rule, Scope};

/// The position of a rule within its phase. The lowest position wins.
///
/// Rules for the call come before rules for its requests. Then the lowest code wins. On sendMailer 442 comes last, because
/// the interface does not say what it means there. Rules with the same code keep the order of the table.
pub(crate) const fn position(rule: Rule, operation: Operation) -> u64 {
    let is_of_request = !matches!(rule.scope(operation), Scope::Call);
    let code = match (operation, rule.code(operation)) {
        (Operation::SendMailer, Some(Code::UNEXPLAINED)) | (_, None) => u16::MAX,
        (_, Some(code)) => code.number(),
    };
    (is_of_request as u64) << 32 | (code as u64) << 16 | rule as u64
}

/// Whether the rule is of this phase, and has a code on this operation.
const fn applies(rule: Rule, operation: Operation, phase: Phase) -> bool {
    rule.phase() as u8 == phase as u8 && rule.code(operation).is_some()
}

/// The level at which the rule is judged: the call as a whole, or each of its requests with their addresses.
const fn level(rule: Rule, operation: Operation) -> Scope {
    match rule.scope(operation) {
        Scope::Call => Scope::Call,
        Scope::Request | Scope::Address => Scope::Request,
    }
}

/// An operation, a phase and a level of the table, by their numbers.
pub(crate) struct At<const OPERATION: u8, const PHASE: u8, const LEVEL: u8>;

/// The rules that are judged at a place of the table. [`judges!`] and [`judged!`] implement it; the compiler accepts one
/// implementation for each place.
pub(crate) trait Arms {
    const RULES: &'static [Rule];
}

/// The rules that are judged in one place.
struct Judge {
    operation: Operation,
    phase: Phase,
    level: Scope,
    rules: &'static [Rule],
}

/// The type of a place of the table.
macro_rules! at {
    ($operation:ident $phase:ident $level:ident) => {
        crate::check::order::At<
            { crate::operation::Operation::$operation as u8 },
            { crate::rule::Phase::$phase as u8 },
            { crate::rule::Scope::$level as u8 },
        >
    };
}

macro_rules! all_judges {
    ($($operation:ident $phase:ident $level:ident,)*) => {
        &[$(Judge {
            operation: Operation::$operation,
            phase: Phase::$phase,
            level: Scope::$level,
            rules: <at!($operation $phase $level) as Arms>::RULES,
        }),*]
    };
}

/// Every place where rules are judged. A rule of an operation, phase or level that is not here stops the build.
const JUDGES: &[Judge] = all_judges![
    SendMailer Transport Call,
    SendMailer Authentication Call,
    SendMailer Account Call,
    SendMailer Content Call,
    SendMailer Facts Call,
    SendMailer Credit Call,
    SendMailer Commit Call,
    HttpSendMail Transport Call,
    HttpSendMail Authentication Call,
    HttpSendMail Account Call,
    HttpSendMail Content Call,
    HttpSendMail Content Request,
    HttpSendMail Facts Request,
    HttpSendMail Credit Call,
    HttpSendMail Commit Call,
];

/// Whether a rule that the table has on this operation, in this phase and at this level is judged there.
const fn is_judged(rule: Rule, operation: Operation, phase: Phase, level: Scope) -> bool {
    let mut judges = JUDGES;
    while let [judge, rest @ ..] = judges {
        if judge.operation as u8 == operation as u8
            && judge.phase as u8 == phase as u8
            && judge.level as u8 == level as u8
        {
            return contains(judge.rules, rule);
        }
        judges = rest;
    }
    false
}

/// A rule of the table that is judged nowhere stops the build.
const _: () = {
    let mut rules = Rule::ALL;
    while let [rule, rest @ ..] = rules {
        let mut operations = Operation::ALL;
        while let [operation, others @ ..] = operations {
            assert!(
                rule.code(*operation).is_none()
                    || is_judged(*rule, *operation, rule.phase(), level(*rule, *operation)),
                "a rule of the table is judged nowhere"
            );
            operations = others;
        }
        rules = rest;
    }
};

/// A rule that is judged where the table does not have it stops the build.
const _: () = {
    let mut judges = JUDGES;
    while let [judge, others @ ..] = judges {
        let mut rules = judge.rules;
        while let [rule, rest @ ..] = rules {
            assert!(
                applies(*rule, judge.operation, judge.phase)
                    && level(*rule, judge.operation) as u8 == judge.level as u8,
                "a rule is judged that the table does not have here"
            );
            rules = rest;
        }
        judges = others;
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

/// Declares the rules that a file judges: `judges!(SendMailer Transport Call [MethodNotPost, ...]);`
macro_rules! judges {
    ($(#[$meta:meta])? $operation:ident $phase:ident $level:ident [$($variant:ident),*]) => {
        $(#[$meta])?
        impl crate::check::order::Arms for crate::check::order::at!($operation $phase $level) {
            const RULES: &'static [crate::rule::Rule] = &[$(crate::rule::Rule::$variant),*];
        }
    };
}

/// Judges a rule by the arm that names it: `judged!(SendMailer Content Call, rule; MailerMissing => ..., )`.
///
/// The arms have to be the rules that the table has for the operation, the phase and the level. A row without an arm does
/// not compile, and neither does an arm without a row.
macro_rules! judged {
    ($($operation:ident)|+ $phase:ident $level:ident, $rule:expr; $($variant:ident => $judge:expr,)*) => {{
        judged!(@ [$($operation)+] $phase $level [$($variant),*]);
        judged!(@ $rule; $($variant => $judge,)*)
    }};
    (@ [$($operation:ident)+] $phase:ident $level:ident $variants:tt) => {
        $(crate::check::order::judges!(
            #[expect(
                non_local_definitions,
                reason = "here, an arm and its rule are written once"
            )]
            $operation $phase $level $variants
        );)+
    };
    (@ $rule:expr; $($variant:ident => $judge:expr,)*) => {
        match $rule {
            $(crate::rule::Rule::$variant => $judge,)*
            // A rule of the phase that is judged at another level: this level does not find it broken.
            _ => Default::default(),
        }
    };
}

pub(crate) use {at, judged, judges};

/// The rules of an operation, phase by phase. Within a phase, the rule that wins comes first.
struct Order {
    rules: [Rule; Rule::ALL.len()],
    /// The start and the end of each phase's rules, as indexes into `rules`.
    places: [(usize, usize); Phase::ALL.len()],
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn ordered(operation: Operation) -> Order {
    let mut order = [Rule::MethodNotPost; Rule::ALL.len()];
    let mut places = [(0, 0); Phase::ALL.len()];
    let mut length = 0;
    let mut phases = Phase::ALL;
    while let [phase, later @ ..] = phases {
        let start = length;
        let mut rules = Rule::ALL;
        while let [rule, rest @ ..] = rules {
            if applies(*rule, operation, *phase) {
                let mut at = length;
                while at > start && position(order[at - 1], operation) > position(*rule, operation)
                {
                    order[at] = order[at - 1];
                    at -= 1;
                }
                order[at] = *rule;
                length += 1;
            }
            rules = rest;
        }
        places[*phase as usize] = (start, length);
        phases = later;
    }
    let rules = order;
    Order { rules, places }
}

/// All rules of an operation in the order in which they are judged: phase by phase, and within a phase the rule that wins
/// comes first.
pub fn rules_in_order(operation: Operation) -> impl Iterator<Item = Rule> {
    let phases = Phase::ALL.iter();
    phases.flat_map(move |phase| rules(operation, *phase).iter().copied())
}

/// The rules of a phase on an operation. The rule that wins comes first.
#[expect(clippy::indexing_slicing, reason = "each phase has a place")]
pub(crate) fn rules(operation: Operation, phase: Phase) -> &'static [Rule] {
    static SEND_MAILER: Order = ordered(Operation::SendMailer);
    static HTTP_SEND_MAIL: Order = ordered(Operation::HttpSendMail);
    let Order { rules, places } = match operation {
        Operation::SendMailer => &SEND_MAILER,
        Operation::HttpSendMail => &HTTP_SEND_MAIL,
    };
    let (start, end) = places[phase as usize];
    part(rules, start..end)
}

#[cfg(test)]
mod tests;
