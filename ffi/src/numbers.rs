//! The constants that only the C interface has. A number is never changed and never reused. The constants of the core's
//! tables are generated, into `constants`.

use franking_core::http::Outcome as Became;
use franking_core::{DomainRoles, Event, Operation, Rule, SingleQuestions};

use crate::constants::{
    FRANKING_HTTP_ACCEPTED, FRANKING_HTTP_FAULT, FRANKING_HTTP_TOO_LARGE, FRANKING_HTTP_UNDONE,
    FRANKING_HTTP_UNKNOWN,
};
use crate::status::{FRANKING_STATUS_POLICY, Fail, Outcome};

/// The call asks which account has a key. Use franking_call_key and franking_call_answer_account.
pub const FRANKING_STEP_ACCOUNT: i32 = 1;
/// The call asks what the host knows of everything that the call names. Use franking_call_questions and
/// franking_call_answer_facts.
pub const FRANKING_STEP_FACTS: i32 = 2;
/// The call is accepted if its plan can be carried out. Use franking_call_begin_commit and franking_call_answer_commit.
pub const FRANKING_STEP_COMMIT: i32 = 3;
/// The call is decided. Use franking_call_decision.
pub const FRANKING_STEP_DONE: i32 = 4;

/// All four roles: for a domain that is on every blacklist.
pub const FRANKING_DOMAIN_ROLE_ALL: u8 = 15;

const _: () = assert!(FRANKING_DOMAIN_ROLE_ALL == DomainRoles::from_bits(u8::MAX).bits());

/// All of the plan was carried out: transaction_id identifies the call.
pub const FRANKING_COMMIT_DONE: i32 = 1;
/// Nothing of the plan was carried out, because something has changed since the facts were given: conflict says what.
pub const FRANKING_COMMIT_CONFLICT: i32 = 2;
/// It is not known whether the plan was carried out, because the database did not say. The call has ended.
pub const FRANKING_COMMIT_UNKNOWN: i32 = 3;

/// The body is not copied: it has to stay as it is until the handle is freed. One bit of a set.
pub const FRANKING_NEW_BORROWED: i32 = 1;
/// The call records its questions and answers, for franking_call_transcript. One bit of a set.
pub const FRANKING_NEW_RECORDED: i32 = 2;

/// The result of franking_preflight_arrow also has the column all: for each call a list of its violations. Each violation has code,
/// rule, pointer, start, end and request. The list ends where that of the JSON form ends. One bit of a set.
pub const FRANKING_COLUMNS_ALL: i32 = 1;

/// The domain of a stored address, or a parent of it, is on the blacklist. 0 means that the host did not say it, so that it
/// cannot forget the check.
pub const FRANKING_BLACKLISTED_YES: u8 = 1;
/// Neither the domain of a stored address nor a parent of it is on the blacklist.
pub const FRANKING_BLACKLISTED_NO: u8 = 2;

/// The number of stored emails that a call of sendMailer asks about.
pub const FRANKING_SEND_MAILER_MAILERS: i32 = 1;
/// The number of subscribers that a call of sendMailer asks about, by id or by match key.
pub const FRANKING_SEND_MAILER_SUBSCRIBERS: i32 = 1;
/// The greatest number of senders that a call of sendMailer asks about.
pub const FRANKING_SEND_MAILER_SENDERS: i32 = 1;
/// The greatest number of lists that a call of sendMailer asks about.
pub const FRANKING_SEND_MAILER_LISTS: i32 = 1;
/// The greatest number of domains that a call of sendMailer asks about: those of two addresses, each with its parents.
pub const FRANKING_SEND_MAILER_DOMAINS: i32 = 250;

/// The greatest number of bytes of a match key. An address as sent is bounded only by the body, because its domain may
/// contain characters that are ignored.
pub const FRANKING_MATCH_KEY_BYTES: i32 = 286;

const _: () = assert!(FRANKING_SEND_MAILER_DOMAINS as usize == SingleQuestions::MAX_DOMAINS);
const _: () =
    assert!(FRANKING_MATCH_KEY_BYTES as usize == franking_core::address::MAX_MATCH_KEY_LEN);

/// Looks up the value of a number in one of the core's tables.
pub(crate) fn value<T>(number: i32, table: impl Fn(u16) -> Option<T>) -> Option<T> {
    u16::try_from(number).ok().and_then(table)
}

pub(crate) fn operation(number: i32) -> Outcome<Operation> {
    value(number, Operation::from_number).ok_or_else(|| {
        Fail::argument(format!(
            "{number} is not an operation: give one of the FRANKING_OPERATION constants"
        ))
    })
}

pub(crate) fn rule(number: i32) -> Option<Rule> {
    value(number, Rule::from_number)
}

pub(crate) fn event(code: i32) -> Outcome<Event> {
    value(code, Event::from_number).ok_or_else(|| {
        Fail::argument(format!(
            "{code} is not the code of an event: events are 417, 418, 451 and 452"
        ))
    })
}

/// Looks up the value of a setting of a policy. Another number is an error about `key`.
pub(crate) fn setting<T>(
    number: i32,
    key: &'static str,
    table: impl Fn(u16) -> Option<T>,
) -> Outcome<T> {
    value(number, table).ok_or_else(|| {
        let message = format!("the policy's {key} cannot be {number}: give one of its constants");
        Fail::new(FRANKING_STATUS_POLICY, message).with_key(key)
    })
}

/// Reads the bits of FRANKING_NEW: whether the body is borrowed, and whether the call is recorded. Other bits are an error.
#[inline]
pub(crate) fn flags(how: i32) -> Outcome<(bool, bool)> {
    if how & !(FRANKING_NEW_BORROWED | FRANKING_NEW_RECORDED) != 0 {
        return Err(Fail::argument(format!(
            "{how} is not a set of FRANKING_NEW: combine its constants, or give 0"
        )));
    }
    Ok((
        how & FRANKING_NEW_BORROWED != 0,
        how & FRANKING_NEW_RECORDED != 0,
    ))
}

/// Reads one of FRANKING_BLACKLISTED. `None` if the host did not say it.
#[inline]
pub(crate) fn blacklisted(number: u8) -> Outcome<Option<bool>> {
    match number {
        0 => Ok(None),
        FRANKING_BLACKLISTED_YES => Ok(Some(true)),
        FRANKING_BLACKLISTED_NO => Ok(Some(false)),
        _ => Err(no_blacklisted(number)),
    }
}

#[cold]
#[inline(never)]
fn no_blacklisted(number: u8) -> Fail {
    Fail::argument(format!(
        "blacklisted cannot be {number}: give FRANKING_BLACKLISTED_YES, FRANKING_BLACKLISTED_NO, or 0 when blacklists are to \
         say it"
    ))
}

/// Reads the bits of FRANKING_DOMAIN_ROLE. Other bits are an error.
pub(crate) fn domain_roles(bits: u8) -> Outcome<DomainRoles> {
    let roles = DomainRoles::from_bits(bits);
    if roles.bits() != bits {
        return Err(Fail::argument(format!(
            "{bits} is not a set of roles: combine FRANKING_DOMAIN_ROLE constants"
        )));
    }
    Ok(roles)
}

/// Reads one of FRANKING_HTTP.
pub(crate) fn became(number: i32, transaction_id: u64) -> Outcome<Became> {
    let became = match number {
        FRANKING_HTTP_ACCEPTED => return Ok(Became::Accepted { transaction_id }),
        FRANKING_HTTP_TOO_LARGE => Became::TooLarge,
        FRANKING_HTTP_UNDONE => Became::Undone,
        FRANKING_HTTP_FAULT => Became::Fault,
        FRANKING_HTTP_UNKNOWN => Became::Unknown,
        _ => {
            return Err(Fail::argument(format!(
                "{number} is not an outcome: give one of the FRANKING_HTTP constants"
            )));
        }
    };
    if transaction_id != 0 {
        let message = "a transaction id is given with FRANKING_HTTP_ACCEPTED only: give 0";
        return Err(Fail::argument(message));
    }
    Ok(became)
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_of_a_stored_address_is_said_or_not_said_but_never_guessed() {
        let own = [0, FRANKING_BLACKLISTED_YES, FRANKING_BLACKLISTED_NO];
        let read = own.map(|number| blacklisted(number).unwrap());
        assert_eq!(read, [None, Some(true), Some(false)]);
        assert!(blacklisted(3).is_err() && blacklisted(255).is_err());
    }

    #[test]
    fn a_number_that_no_table_has_is_refused() {
        for number in [i32::MIN, -1, 0, 7, i32::MAX] {
            assert!(operation(number).is_err() && event(number).is_err());
            assert!(setting(number, "batch", franking_core::Batch::from_number).is_err());
        }
        assert!(domain_roles(16).is_err() && domain_roles(255).is_err());
    }
}
