//! The numbers that stand for the values of the core's types. They are never changed and never used again.
//!
//! Those that list the rule table, its phases, the codes and the warnings are generated, into `constants`.

use franking_core::Encoding;
use franking_core::Event;
use franking_core::{
    AnswerStatus, AnswerValues, Batch, Conflict, DomainRoles, Failure, HiddenHosts, HtmlEncoding,
    Judgement, Operation, RecipientRole, Retry, Rule, SingleQuestions,
};

use crate::status::{Fail, Outcome};

/// sendMailer: one stored email to one recipient.
pub const FRANKING_OPERATION_SEND_MAILER: i32 = 1;
/// httpSendMail: one or many emails whose content comes with the call. Deprecated.
pub const FRANKING_OPERATION_HTTP_SEND_MAIL: i32 = 2;

/// The path is no operation's.
pub const FRANKING_ROUTE_NONE: i32 = 0;
/// The request calls an operation.
pub const FRANKING_ROUTE_CALL: i32 = 1;
/// The path is an operation's, the method is not POST: answered with code 401.
pub const FRANKING_ROUTE_WRONG_METHOD: i32 = 2;

/// The call asks which account has a key: franking_call_key, franking_call_answer_account.
pub const FRANKING_STEP_ACCOUNT: i32 = 1;
/// The call asks what is known of everything that it names: franking_call_questions, franking_call_answer_facts.
pub const FRANKING_STEP_FACTS: i32 = 2;
/// The call is accepted if its plan can be carried out: franking_call_plan, franking_call_answer_commit.
pub const FRANKING_STEP_COMMIT: i32 = 3;
/// The call is decided: franking_call_decision.
pub const FRANKING_STEP_DONE: i32 = 4;

/// The domain of a sender's address (code 414). One bit of a set.
pub const FRANKING_DOMAIN_ROLE_SENDER: u8 = 1;
/// The domain of a reply address (code 415). One bit of a set.
pub const FRANKING_DOMAIN_ROLE_REPLY_TO: u8 = 2;
/// The domain of a recipient's address (code 416). One bit of a set.
pub const FRANKING_DOMAIN_ROLE_RECIPIENT: u8 = 4;
/// The host of a link or image in the HTML (code 413). One bit of a set.
pub const FRANKING_DOMAIN_ROLE_CONTENT: u8 = 8;
/// All four roles: for a domain that is on every blacklist.
pub const FRANKING_DOMAIN_ROLE_ALL: u8 = 15;

/// All of the plan was carried out: transaction_id identifies the call.
pub const FRANKING_COMMIT_DONE: i32 = 1;
/// Nothing of the plan was carried out, because something has changed since the facts were given: conflict says what.
pub const FRANKING_COMMIT_CONFLICT: i32 = 2;
/// It is not known whether the plan was carried out, because the database did not say. The call has ended.
pub const FRANKING_COMMIT_UNKNOWN: i32 = 3;

/// The body is not copied: it has to stay as it is until the handle is freed. One bit of a set.
pub const FRANKING_NEW_BORROWED: i32 = 1;
/// The call notes what it asks and what it is answered: franking_call_transcript. One bit of a set.
pub const FRANKING_NEW_RECORDED: i32 = 2;

/// A subscriber to be created exists by now (code 442).
pub const FRANKING_CONFLICT_SUBSCRIBER_EXISTS: i32 = 1;
/// A subscriber became INACTIVE (code 443).
pub const FRANKING_CONFLICT_SUBSCRIBER_INACTIVE: i32 = 2;
/// The subscriber credit no longer suffices (code 444).
pub const FRANKING_CONFLICT_SUBSCRIBER_CREDIT: i32 = 3;
/// The email credit no longer suffices (code 445).
pub const FRANKING_CONFLICT_EMAIL_CREDIT: i32 = 4;
/// The subscriber is gone (code 454, on sendMailer only: on httpSendMail it is FRANKING_CONFLICT_OTHER).
pub const FRANKING_CONFLICT_SUBSCRIBER_GONE: i32 = 5;
/// Anything else: the host's own error, without a code.
pub const FRANKING_CONFLICT_OTHER: i32 = 6;

/// The host answered the commit with a transaction id or a conflict that cannot be; what it carried out stands. Do not try
/// again.
pub const FRANKING_FAILURE_MISUSE: i32 = 1;
/// The last attempt met a conflict that has no code; nothing was carried out. The call can be made again.
pub const FRANKING_FAILURE_HOST: i32 = 2;
/// The host's commit failed, said that it does not know, or never answered: it is not known whether the plan was carried
/// out. Do not try again.
pub const FRANKING_FAILURE_UNKNOWN: i32 = 3;
/// A fault of the library: nothing was carried out; report it with a transcript.
pub const FRANKING_FAILURE_INTERNAL: i32 = 4;

/// The domain of a stored address, or a parent of it, is on the blacklist. 0 says nothing, so that nobody forgets to look.
pub const FRANKING_BLACKLISTED_YES: u8 = 1;
/// Neither the domain of a stored address nor a parent of it is on the blacklist.
pub const FRANKING_BLACKLISTED_NO: u8 = 2;

/// The address stands in to.
pub const FRANKING_RECIPIENT_ROLE_TO: i32 = 1;
/// The address stands in cc.
pub const FRANKING_RECIPIENT_ROLE_CC: i32 = 2;
/// The address stands in bcc.
pub const FRANKING_RECIPIENT_ROLE_BCC: i32 = 3;

/// The HTML was sent URL-encoded.
pub const FRANKING_ENCODING_FORM: i32 = 1;
/// The HTML was sent as it is.
pub const FRANKING_ENCODING_PLAIN: i32 = 2;

/// One violation refuses the whole call.
pub const FRANKING_BATCH_WHOLE: i32 = 1;
/// A violation of one request, or of one recipient, refuses that one alone.
pub const FRANKING_BATCH_PARTIAL: i32 = 2;

/// HTML that was sent plain is recognised and delivered as sent.
pub const FRANKING_HTML_ENCODING_DETECT: i32 = 1;
/// HTML is always decoded.
pub const FRANKING_HTML_ENCODING_ALWAYS: i32 = 2;

/// Answers write "code":"200".
pub const FRANKING_ANSWER_VALUES_STRINGS: i32 = 1;
/// Answers write "code":200.
pub const FRANKING_ANSWER_VALUES_NUMBERS: i32 = 2;

/// The status of an answer is Success or Error.
pub const FRANKING_ANSWER_STATUS_WORD: i32 = 1;
/// The status of an answer is the meaning of its code.
pub const FRANKING_ANSWER_STATUS_MEANING: i32 = 2;
/// The status of an answer is the meaning of its code, and the place where the body alone shows it.
pub const FRANKING_ANSWER_STATUS_PLACE: i32 = 3;

/// HTML in which any host could be hidden is refused with 413.
pub const FRANKING_HIDDEN_HOSTS_REFUSE: i32 = 0;
/// The host is asked about computed.invalid for HTML in which any host could be hidden.
pub const FRANKING_HIDDEN_HOSTS_ASK: i32 = 1;

/// The rule was judged and kept.
pub const FRANKING_JUDGEMENT_KEPT: i32 = 1;
/// The rule is broken and gives the code.
pub const FRANKING_JUDGEMENT_BROKEN: i32 = 2;
/// The rule is broken by requests or recipients that a partial batch leaves out.
pub const FRANKING_JUDGEMENT_BROKEN_IN_PART: i32 = 3;
/// The call was decided before the rule was reached.
pub const FRANKING_JUDGEMENT_NOT_REACHED: i32 = 4;

/// The call was accepted: sending it again sends the mail again.
pub const FRANKING_RETRY_ACCEPTED: i32 = 1;
/// The same call will be refused again: change the call first.
pub const FRANKING_RETRY_CHANGE_THE_CALL: i32 = 2;
/// The same call may pass once the account, a subscriber or a list in the service has been changed.
pub const FRANKING_RETRY_CHANGE_THE_ACCOUNT: i32 = 3;
/// Something changed while the call was judged: the same call may pass at once.
pub const FRANKING_RETRY_MAY_HELP: i32 = 4;

/// The number of stored emails that a call of sendMailer asks about.
pub const FRANKING_SEND_MAILER_MAILERS: i32 = 1;
/// The number of subscribers that a call of sendMailer asks about, by id or by match key.
pub const FRANKING_SEND_MAILER_SUBSCRIBERS: i32 = 1;
/// The greatest number of senders that a call of sendMailer asks about.
pub const FRANKING_SEND_MAILER_SENDERS: i32 = 1;
/// The greatest number of lists that a call of sendMailer asks about.
pub const FRANKING_SEND_MAILER_LISTS: i32 = 1;
/// A call of sendMailer asks about no more domains: those of two addresses, each with its parents.
pub const FRANKING_SEND_MAILER_DOMAINS: i32 = 250;

/// A match key has no more bytes. An address as sent has no such bound but that of the body: its domain may hold characters that
/// count for nothing.
pub const FRANKING_MATCH_KEY_BYTES: i32 = 286;

const _: () = assert!(FRANKING_SEND_MAILER_DOMAINS as usize == SingleQuestions::MAX_DOMAINS);
const _: () =
    assert!(FRANKING_MATCH_KEY_BYTES as usize == franking_core::address::MAX_MATCH_KEY_LEN);

/// A subscriber's email could not be delivered.
pub const FRANKING_EVENT_BOUNCED: i32 = 417;
/// A subscriber's email reached the recipient's mail server.
pub const FRANKING_EVENT_DELIVERED: i32 = 418;
/// The recipient opened the email.
pub const FRANKING_EVENT_OPENED: i32 = 451;
/// The recipient followed a link in the email.
pub const FRANKING_EVENT_CLICKED: i32 = 452;

pub(crate) fn operation(number: i32) -> Outcome<Operation> {
    match number {
        FRANKING_OPERATION_SEND_MAILER => Ok(Operation::SendMailer),
        FRANKING_OPERATION_HTTP_SEND_MAIL => Ok(Operation::HttpSendMail),
        _ => Err(Fail::argument(format!(
            "{number} is no operation: give one of the FRANKING_OPERATION constants"
        ))),
    }
}

pub(crate) fn of_operation(operation: Operation) -> i32 {
    match operation {
        Operation::SendMailer => FRANKING_OPERATION_SEND_MAILER,
        Operation::HttpSendMail => FRANKING_OPERATION_HTTP_SEND_MAIL,
    }
}

pub(crate) fn rule(number: i32) -> Option<Rule> {
    u16::try_from(number).ok().and_then(Rule::from_number)
}

pub(crate) fn conflict(number: i32) -> Option<Conflict> {
    Some(match number {
        FRANKING_CONFLICT_SUBSCRIBER_EXISTS => Conflict::SubscriberExists,
        FRANKING_CONFLICT_SUBSCRIBER_INACTIVE => Conflict::SubscriberInactive,
        FRANKING_CONFLICT_SUBSCRIBER_CREDIT => Conflict::SubscriberCredit,
        FRANKING_CONFLICT_EMAIL_CREDIT => Conflict::EmailCredit,
        FRANKING_CONFLICT_SUBSCRIBER_GONE => Conflict::SubscriberGone,
        FRANKING_CONFLICT_OTHER => Conflict::Other,
        _ => return None,
    })
}

/// Whether a body is borrowed, and whether a call is recorded.
#[inline]
pub(crate) fn flags(how: i32) -> Outcome<(bool, bool)> {
    if how & !(FRANKING_NEW_BORROWED | FRANKING_NEW_RECORDED) != 0 {
        return Err(Fail::argument(format!(
            "{how} is no set of FRANKING_NEW: combine its constants, or give 0"
        )));
    }
    Ok((
        how & FRANKING_NEW_BORROWED != 0,
        how & FRANKING_NEW_RECORDED != 0,
    ))
}

/// Whether a stored address's domain is listed; `None`: it was not said.
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

/// The roles in a set of bits; other bits are an error.
pub(crate) fn domain_roles(bits: u8) -> Outcome<DomainRoles> {
    let roles = DomainRoles::from_bits(bits);
    if roles.bits() != bits {
        return Err(Fail::argument(format!(
            "{bits} is no set of roles: combine FRANKING_DOMAIN_ROLE constants"
        )));
    }
    Ok(roles)
}

pub(crate) fn of_failure(error: Failure) -> i32 {
    match error {
        Failure::Misuse => FRANKING_FAILURE_MISUSE,
        Failure::Host => FRANKING_FAILURE_HOST,
        Failure::Internal => FRANKING_FAILURE_INTERNAL,
        // Of a failure that this library cannot name nothing is known, either.
        _ => FRANKING_FAILURE_UNKNOWN,
    }
}

pub(crate) fn of_recipient_role(role: RecipientRole) -> i32 {
    match role {
        RecipientRole::To => FRANKING_RECIPIENT_ROLE_TO,
        RecipientRole::Cc => FRANKING_RECIPIENT_ROLE_CC,
        RecipientRole::Bcc => FRANKING_RECIPIENT_ROLE_BCC,
    }
}

pub(crate) fn of_encoding(encoding: Encoding) -> i32 {
    match encoding {
        Encoding::Form => FRANKING_ENCODING_FORM,
        Encoding::Plain => FRANKING_ENCODING_PLAIN,
    }
}

pub(crate) fn of_judgement(judgement: Judgement) -> i32 {
    match judgement {
        Judgement::Kept => FRANKING_JUDGEMENT_KEPT,
        Judgement::Broken => FRANKING_JUDGEMENT_BROKEN,
        Judgement::BrokenInPart => FRANKING_JUDGEMENT_BROKEN_IN_PART,
        Judgement::NotReached => FRANKING_JUDGEMENT_NOT_REACHED,
    }
}

pub(crate) fn of_retry(retry: Retry) -> i32 {
    match retry {
        Retry::Accepted => FRANKING_RETRY_ACCEPTED,
        Retry::ChangeTheCall => FRANKING_RETRY_CHANGE_THE_CALL,
        Retry::ChangeTheAccount => FRANKING_RETRY_CHANGE_THE_ACCOUNT,
        Retry::MayHelp => FRANKING_RETRY_MAY_HELP,
    }
}

pub(crate) fn event(code: i32) -> Outcome<Event> {
    let number = u16::try_from(code).ok();
    number
        .and_then(|number| Event::from_code(number).ok())
        .ok_or_else(|| {
            Fail::argument(format!(
                "{code} is the code of no event: events are 417, 418, 451 and 452"
            ))
        })
}

/// A setting whose numbers are those of a policy's JSON form, in order from 1.
pub(crate) trait Setting: Sized + Copy + PartialEq + 'static {
    /// The values, by number.
    const VALUES: &'static [(i32, Self)];

    fn read(number: i32, key: &'static str) -> Outcome<Self> {
        let found = Self::VALUES.iter().find(|(own, _)| *own == number);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let message =
                format!("the policy's {key} cannot be {number}: give one of its constants");
            Fail::new(crate::status::FRANKING_STATUS_POLICY, message).with_key(key)
        })
    }

    fn number(self) -> i32 {
        let found = Self::VALUES.iter().find(|(_, value)| *value == self);
        found.map_or(0, |(number, _)| *number)
    }
}

impl Setting for Batch {
    const VALUES: &'static [(i32, Self)] = &[
        (FRANKING_BATCH_WHOLE, Self::Whole),
        (FRANKING_BATCH_PARTIAL, Self::Partial),
    ];
}

impl Setting for HtmlEncoding {
    const VALUES: &'static [(i32, Self)] = &[
        (FRANKING_HTML_ENCODING_DETECT, Self::Detect),
        (FRANKING_HTML_ENCODING_ALWAYS, Self::Always),
    ];
}

impl Setting for AnswerValues {
    const VALUES: &'static [(i32, Self)] = &[
        (FRANKING_ANSWER_VALUES_STRINGS, Self::Strings),
        (FRANKING_ANSWER_VALUES_NUMBERS, Self::Numbers),
    ];
}

impl Setting for AnswerStatus {
    const VALUES: &'static [(i32, Self)] = &[
        (FRANKING_ANSWER_STATUS_WORD, Self::Word),
        (FRANKING_ANSWER_STATUS_MEANING, Self::Meaning),
        (FRANKING_ANSWER_STATUS_PLACE, Self::Place),
    ];
}

impl Setting for HiddenHosts {
    const VALUES: &'static [(i32, Self)] = &[
        (FRANKING_HIDDEN_HOSTS_REFUSE, Self::Refuse),
        (FRANKING_HIDDEN_HOSTS_ASK, Self::Ask),
    ];
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_and_conflict_has_a_number_that_leads_back_to_it() {
        for value in Operation::ALL.iter().copied() {
            assert_eq!(operation(of_operation(value)).unwrap(), value);
        }
        let read: Vec<Conflict> = (1..=6).map(|number| conflict(number).unwrap()).collect();
        assert_eq!(read, Conflict::ALL);
        for number in [i32::MIN, -1, 0, 7, i32::MAX] {
            assert!(conflict(number).is_none() && operation(number).is_err());
        }
    }

    #[test]
    fn every_failure_of_a_host_has_a_number_of_its_own() {
        let own = [
            Failure::Misuse,
            Failure::Host,
            Failure::Unknown,
            Failure::Internal,
        ];
        assert_eq!(own.map(of_failure), [1, 2, 3, 4]);
    }

    #[test]
    fn a_flag_of_a_stored_address_is_said_or_not_said_but_never_guessed() {
        let own = [0, FRANKING_BLACKLISTED_YES, FRANKING_BLACKLISTED_NO];
        let read = own.map(|number| blacklisted(number).unwrap());
        assert_eq!(read, [None, Some(true), Some(false)]);
        assert!(blacklisted(3).is_err() && blacklisted(255).is_err());
    }

    #[test]
    fn the_bits_of_roles_are_those_of_the_core() {
        let own = [
            FRANKING_DOMAIN_ROLE_SENDER,
            FRANKING_DOMAIN_ROLE_REPLY_TO,
            FRANKING_DOMAIN_ROLE_RECIPIENT,
            FRANKING_DOMAIN_ROLE_CONTENT,
        ];
        assert_eq!(
            own.map(|bits| domain_roles(bits).unwrap()),
            DomainRoles::ALL
        );
        assert_eq!(
            domain_roles(FRANKING_DOMAIN_ROLE_ALL).unwrap(),
            own.into_iter()
                .map(|bits| domain_roles(bits).unwrap())
                .fold(DomainRoles::NONE, |all, role| all | role)
        );
        assert!(domain_roles(16).is_err() && domain_roles(255).is_err());
    }

    #[test]
    fn the_numbers_of_events_are_their_codes() {
        let own = [
            FRANKING_EVENT_BOUNCED,
            FRANKING_EVENT_DELIVERED,
            FRANKING_EVENT_OPENED,
            FRANKING_EVENT_CLICKED,
        ];
        assert_eq!(own.map(|code| event(code).unwrap()), Event::ALL);
    }
}
