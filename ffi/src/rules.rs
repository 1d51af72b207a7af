//! Look-ups in the tables of rules, codes, operations and warnings. All texts live forever.

use core::ffi::c_char;

use franking_core::{Code, Operation, Rule, WarningKind};

use crate::closed::CLOSED;
use crate::handle::value;
use crate::numbers::{operation, rule, value as number_of};
use crate::text::FrankingText;

/// A text of the tables as a C string.
pub(crate) fn string(text: Option<&str>) -> *const c_char {
    let found = text.and_then(|text| {
        let place = CLOSED.binary_search_by(|own| open(own).cmp(text)).ok()?;
        CLOSED.get(place)
    });
    found.map_or(core::ptr::null(), |text| text.as_ptr().cast())
}

/// The text without the NUL at its end.
fn open(closed: &str) -> &str {
    closed.strip_suffix('\0').unwrap_or_default()
}

/// The version of the running library, such as 0.1.0. FRANKING_VERSION is the version of the header.
#[unsafe(no_mangle)]
pub extern "C" fn franking_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The version of the running library as one number: major * 1000000 + minor * 1000 + patch. FRANKING_VERSION_NUMBER is the
/// version of the header.
#[unsafe(no_mangle)]
pub extern "C" fn franking_version_number() -> u32 {
    use crate::constants::FRANKING_VERSION_NUMBER;
    FRANKING_VERSION_NUMBER
}

/// The version of the rules. It rises when any call is decided differently than before. It does not depend on the version of
/// the library.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rules_version() -> u32 {
    franking_core::RULES_VERSION
}

/// The identifier of a rule, for programs and people. NULL: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_identifier(rule_number: i32) -> *const c_char {
    value(core::ptr::null(), || {
        string(rule(rule_number).map(Rule::identifier))
    })
}

/// The condition under which the rule is broken, as one clause without a full stop. NULL: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_meaning(rule_number: i32) -> *const c_char {
    value(core::ptr::null(), || {
        string(rule(rule_number).map(Rule::meaning))
    })
}

/// The code that answers a call of this operation which breaks the rule; 0: the rule does not apply there.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_code(rule_number: i32, operation_number: i32) -> i32 {
    value(0, || {
        let operation = operation(operation_number).ok();
        let code = operation.and_then(|operation| rule(rule_number)?.code(operation));
        code.map_or(0, |code| i32::from(code.number()))
    })
}

fn code(number: i32) -> Option<Code> {
    u16::try_from(number).ok().and_then(Code::new)
}

/// The meaning of a code on an operation, in the interface's words. NULL: the interface does not list the code there.
#[unsafe(no_mangle)]
pub extern "C" fn franking_code_meaning(code_number: i32, operation_number: i32) -> *const c_char {
    value(core::ptr::null(), || {
        let operation = operation(operation_number).ok();
        string(operation.and_then(|operation| code(code_number)?.meaning(operation)))
    })
}

/// Whether sending the same call again can help: one of FRANKING_RETRY; 0: the interface does not list the code there.
#[unsafe(no_mangle)]
pub extern "C" fn franking_code_retry(code_number: i32, operation_number: i32) -> i32 {
    value(0, || {
        let operation = operation(operation_number).ok();
        let retry = operation.and_then(|operation| code(code_number)?.retry(operation));
        retry.map_or(0, |retry| i32::from(retry.number()))
    })
}

/// The operation's name in the interface; NULL: there is no such operation.
#[unsafe(no_mangle)]
pub extern "C" fn franking_operation_name(operation_number: i32) -> *const c_char {
    value(core::ptr::null(), || {
        string(operation(operation_number).ok().map(Operation::name))
    })
}

/// The value of an HTTP Sunset header (RFC 8594) for a deprecated operation; NULL: it is not deprecated.
#[unsafe(no_mangle)]
pub extern "C" fn franking_operation_sunset(operation_number: i32) -> *const c_char {
    value(core::ptr::null(), || {
        let operation = operation(operation_number).ok();
        let deprecation = operation.and_then(Operation::deprecation);
        string(deprecation.map(|deprecation| deprecation.sunset))
    })
}

pub(crate) fn warning(number: i32) -> Option<WarningKind> {
    number_of(number, WarningKind::from_number)
}

/// The identifier of a warning, such as field-unknown; NULL: there is no such warning.
#[unsafe(no_mangle)]
pub extern "C" fn franking_warning_identifier(kind: i32) -> *const c_char {
    value(core::ptr::null(), || {
        string(warning(kind).map(WarningKind::identifier))
    })
}

/// The operation with this name, spelled exactly: one of FRANKING_OPERATION. 0: there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_operation_from_name(name: FrankingText) -> i32 {
    value(0, || {
        // SAFETY: the caller passes a text that can be read.
        let name = unsafe { name.read("name") };
        let operation = name.ok().and_then(Operation::from_name);
        operation.map_or(0, |operation| i32::from(operation.number()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_the_tables_is_a_string_of_c() {
        for closed in CLOSED {
            assert!(!open(closed).contains('\0') && closed.ends_with('\0'));
        }
        for rule in 0..=i32::from(u8::MAX) {
            let is_rule = super::rule(rule).is_some();
            assert_eq!(!franking_rule_identifier(rule).is_null(), is_rule);
            assert_eq!(!franking_rule_meaning(rule).is_null(), is_rule);
        }
    }
}
