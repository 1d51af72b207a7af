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
            if rule.phase() as u8 == *phase as u8 && rule.code(operation).is_some() {
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

/// All rules of an operation in the order in which they are judged (interface, section 5).
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
