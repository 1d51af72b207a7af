//! Phases 5 and 6: one small function for each rule that the host's facts break, and the credit.

pub(crate) mod http_send_mail;
pub(crate) mod send_mailer;

use crate::check::order::{judged, rules};
use crate::facts::{Account, Debit};
use crate::operation::Operation;
use crate::rule::Phase;
use crate::violation::{Found, Place};

/// The first credit that the call needs more of than the account has.
pub(crate) fn credit(operation: Operation, account: &Account, debit: Debit) -> Option<Found> {
    let lacks = |needed: u64, credit: Option<i64>| {
        needed > 0 && credit.is_some_and(|credit| u64::try_from(credit).unwrap_or(0) < needed)
    };
    let rule = rules(operation, Phase::Credit)
        .iter()
        .copied()
        .find(|rule| {
            // Both operations have the same rules of this phase.
            judged! { SendMailer Credit of_call, rule;
                SubscriberCreditLow => lacks(debit.subscriber, account.subscriber_credit),
                EmailCreditLow => lacks(debit.email, account.email_credit),
            }
        })?;
    Some(Found {
        rule,
        request: None,
        place: Place::None,
    })
}
