//! Phases 2, 3 and 6: the key, the account and its credits. Their rules are the same on both operations.

use crate::check::order::{judged, rules};
use crate::facts::{Account, Debit};
use crate::operation::Operation;
use crate::rule::{Phase, Rule};
use crate::violation::{BodyPlace, Common, FoundViolation};
use crate::wire::value::is_text;

/// The part of phase 2 that needs only the body: returns the violation if there is no key.
pub(crate) fn key_missing(common: Common<'_>) -> Option<FoundViolation> {
    (!is_text(common.key)).then(|| FoundViolation::of_call(Rule::KeyMissing, common.key_place))
}

/// Judges phases 2 and 3. Returns the account if there is one and it may be used, else the violation that refuses the call.
pub(crate) fn usable(
    operation: Operation,
    common: Common<'_>,
    account: Option<Account>,
) -> Result<Account, FoundViolation> {
    let account =
        account.ok_or_else(|| FoundViolation::of_call(Rule::KeyUnknown, common.key_place))?;
    let is_broken = |rule: &Rule| {
        judged! { SendMailer | HttpSendMail Account Call, rule;
            AccountBlocked => account.blocked,
            AccountExpired => account.expired,
            AccountDeactivated => account.deactivated,
        }
    };
    first(operation, Phase::Account, is_broken).map_or(Ok(account), Err)
}

/// Judges phase 6. Returns the first violation about a credit that is too low for the call.
pub(crate) fn credit_low(
    operation: Operation,
    account: Account,
    debit: impl FnOnce() -> Debit,
) -> Option<FoundViolation> {
    if account.subscriber_credit.is_none() && account.email_credit.is_none() {
        // Nothing is limited, so the debit need not be counted.
        return None;
    }
    let debit = debit();
    let lacks = |needed: u64, credit: Option<i64>| {
        needed > 0 && credit.is_some_and(|credit| u64::try_from(credit).unwrap_or(0) < needed)
    };
    let is_broken = |rule: &Rule| {
        judged! { SendMailer | HttpSendMail Credit Call, rule;
            SubscriberCreditLow => lacks(debit.subscriber, account.subscriber_credit),
            EmailCreditLow => lacks(debit.email, account.email_credit),
        }
    };
    first(operation, Phase::Credit, is_broken)
}

fn first(
    operation: Operation,
    phase: Phase,
    is_broken: impl Fn(&Rule) -> bool,
) -> Option<FoundViolation> {
    let rule = rules(operation, phase)
        .iter()
        .find(|rule| is_broken(rule))?;
    Some(FoundViolation::of_call(*rule, BodyPlace::None))
}
