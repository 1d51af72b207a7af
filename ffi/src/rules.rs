//! The rule table, the codes, the operations and the warnings, to be looked up. All texts live forever.

use franking_core::{Code, Operation, Rule, WarningKind};

use crate::handle::value;
use crate::numbers::{of_retry, operation, rule};
use crate::text::FrankingText;

/// How many rules there are.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_count() -> usize {
    Rule::ALL.len()
}

/// The rule at a place of the table, counted from 0: one of FRANKING_RULE; 0 behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_at(index: usize) -> i32 {
    Rule::ALL
        .get(index)
        .map_or(0, |rule| i32::from(rule.number()))
}

/// The rule with an identifier such as recipient-malformed; 0: there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_rule_from_identifier(identifier: FrankingText) -> i32 {
    value(0, || {
        // SAFETY: the caller passes a text that can be read.
        let identifier = unsafe { identifier.read("identifier") };
        let rule = identifier.ok().and_then(Rule::from_identifier);
        rule.map_or(0, |rule| i32::from(rule.number()))
    })
}

/// The identifier that programs and people see beside the code; data NULL: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_identifier(rule_number: i32) -> FrankingText {
    FrankingText::from_option(rule(rule_number).map(Rule::identifier))
}

/// When the rule is judged: one of FRANKING_PHASE; 0: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_phase(rule_number: i32) -> i32 {
    rule(rule_number).map_or(0, |rule| i32::from(rule.phase().number()))
}

/// The code that answers a call of this operation which breaks the rule; 0: the rule does not apply there.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_code(rule_number: i32, operation_number: i32) -> i32 {
    let operation = operation(operation_number).ok();
    let code = operation.and_then(|operation| rule(rule_number)?.code(operation));
    code.map_or(0, |code| i32::from(code.number()))
}

/// When the rule is broken, as one clause without a full stop; data NULL: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_meaning(rule_number: i32) -> FrankingText {
    FrankingText::from_option(rule(rule_number).map(Rule::meaning))
}

/// What to do about it, as whole sentences; data NULL: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_remedy(rule_number: i32) -> FrankingText {
    FrankingText::from_option(rule(rule_number).map(Rule::remedy))
}

/// How many fields the rule judges; 0: no particular one, or there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_field_count(rule_number: i32) -> usize {
    rule(rule_number).map_or(0, |rule| rule.fields().len())
}

/// One of the fields that the rule judges, in the interface's spelling, counted from 0; data NULL behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_field(rule_number: i32, index: usize) -> FrankingText {
    let field = rule(rule_number).and_then(|rule| rule.fields().get(index));
    FrankingText::from_option(field.copied())
}

fn code(number: i32) -> Option<Code> {
    u16::try_from(number).ok().and_then(Code::new)
}

/// What a code means on an operation, in the interface's words; data NULL: the interface does not list it there.
#[unsafe(no_mangle)]
pub extern "C" fn franking_code_meaning(code_number: i32, operation_number: i32) -> FrankingText {
    let operation = operation(operation_number).ok();
    let meaning = operation.and_then(|operation| code(code_number)?.meaning(operation));
    FrankingText::from_option(meaning)
}

/// Whether sending the same call again can help: one of FRANKING_RETRY; 0: the interface does not list the code there.
#[unsafe(no_mangle)]
pub extern "C" fn franking_code_retry(code_number: i32, operation_number: i32) -> i32 {
    let operation = operation(operation_number).ok();
    let retry = operation.and_then(|operation| code(code_number)?.retry(operation));
    retry.map_or(0, of_retry)
}

/// The operation's name in the interface; data NULL: there is no such operation.
#[unsafe(no_mangle)]
pub extern "C" fn franking_operation_name(operation_number: i32) -> FrankingText {
    FrankingText::from_option(operation(operation_number).ok().map(Operation::name))
}

/// The operation of a name, spelled exactly: one of FRANKING_OPERATION; 0: there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_operation_from_name(name: FrankingText) -> i32 {
    value(0, || {
        // SAFETY: the caller passes a text that can be read.
        let name = unsafe { name.read("name") };
        let operation = name.ok().and_then(Operation::from_name);
        operation.map_or(0, crate::numbers::of_operation)
    })
}

/// The path below the base address to which a client posts; data NULL: there is no such operation.
#[unsafe(no_mangle)]
pub extern "C" fn franking_operation_path(operation_number: i32) -> FrankingText {
    FrankingText::from_option(operation(operation_number).ok().map(Operation::path))
}

/// The last day on which an operation is available, yyyy-mm-dd; data NULL: it is not deprecated.
#[unsafe(no_mangle)]
pub extern "C" fn franking_operation_last_day(operation_number: i32) -> FrankingText {
    let deprecation = operation(operation_number)
        .ok()
        .and_then(Operation::deprecation);
    FrankingText::from_option(deprecation.map(|deprecation| deprecation.last_day))
}

/// The operation that takes the place of a deprecated one; data NULL: it is not deprecated.
#[unsafe(no_mangle)]
pub extern "C" fn franking_operation_successor(operation_number: i32) -> FrankingText {
    let deprecation = operation(operation_number)
        .ok()
        .and_then(Operation::deprecation);
    FrankingText::from_option(deprecation.map(|deprecation| deprecation.successor))
}

/// The value of an HTTP Sunset header (RFC 8594) for a deprecated operation; data NULL: it is not deprecated.
#[unsafe(no_mangle)]
pub extern "C" fn franking_operation_sunset(operation_number: i32) -> FrankingText {
    let deprecation = operation(operation_number)
        .ok()
        .and_then(Operation::deprecation);
    FrankingText::from_option(deprecation.map(|deprecation| deprecation.sunset))
}

fn warning(number: i32) -> Option<WarningKind> {
    let kinds = WarningKind::ALL.iter().copied();
    kinds
        .into_iter()
        .find(|kind| i32::from(kind.number()) == number)
}

/// The identifier of a warning, such as field-unknown; data NULL: there is no such warning.
#[unsafe(no_mangle)]
pub extern "C" fn franking_warning_identifier(kind: i32) -> FrankingText {
    FrankingText::from_option(warning(kind).map(WarningKind::identifier))
}

/// What a warning says, as one clause; data NULL: there is no such warning.
#[unsafe(no_mangle)]
pub extern "C" fn franking_warning_meaning(kind: i32) -> FrankingText {
    FrankingText::from_option(warning(kind).map(WarningKind::meaning))
}
