//! More look-ups in the tables, for tools. All texts live forever.

use core::ffi::c_char;

use franking_core::{Rule, WarningKind};

use crate::handle::value;
use crate::numbers::rule;
use crate::rules::{string, warning};
use crate::text::FrankingText;

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

/// The phase in which the rule is judged: one of FRANKING_PHASE. 0: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_phase(rule_number: i32) -> i32 {
    value(0, || {
        rule(rule_number).map_or(0, |rule| i32::from(rule.phase().number()))
    })
}

/// What to do when the rule is broken, on any operation and at any place, as whole sentences. NULL: there is no such rule.
#[unsafe(no_mangle)]
pub extern "C" fn franking_rule_remedy(rule_number: i32) -> *const c_char {
    value(core::ptr::null(), || {
        string(rule(rule_number).map(Rule::remedy))
    })
}

/// What a warning says, as one clause; NULL: there is no such warning.
#[unsafe(no_mangle)]
pub extern "C" fn franking_warning_meaning(kind: i32) -> *const c_char {
    value(core::ptr::null(), || {
        string(warning(kind).map(WarningKind::meaning))
    })
}
