//! The result of carrying out a plan.

use crate::operation::Operation;
use crate::rule::{Phase, Rule};
use crate::word::words;

/// The result of carrying out a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// All of it was done.
    Done {
        /// The number that the host generated to identify the call, 1 to 2^53-1 (interface, section 2.6).
        transaction_id: u64,
    },
    /// Nothing was done, because something has changed since the facts were given.
    Conflict(Conflict),
    /// Nobody knows whether it was done: the database did not answer, or can no longer be reached. The call ends without a
    /// code ([`Failure::Unknown`](crate::Failure::Unknown)), because a second attempt could send everything twice.
    Unknown,
}

words! {
    #[non_exhaustive]
    enum Conflict "What prevented a plan from being carried out."
    1 SubscriberExists "subscriber_exists" "A subscriber to be created exists by now: code 442."
    2 SubscriberInactive "subscriber_inactive" "A subscriber became INACTIVE: code 443."
    3 SubscriberCredit "subscriber_credit" "The subscriber credit no longer suffices: code 444."
    4 EmailCredit "email_credit" "The email credit no longer suffices: code 445."
    5 SubscriberGone "subscriber_gone" "The subscriber is gone: code 454, on sendMailer only."
    6 Other "other" "Anything else: the host's own error, without a code."
}

/// Each rule of phase 7 has a conflict that breaks it. A rule without one stops the build.
const _: () = {
    let mut rules = Rule::ALL;
    while let [rule, rest @ ..] = rules {
        assert!(
            !matches!(rule.phase(), Phase::Commit) || Conflict::of(*rule).is_some(),
            "no conflict breaks this rule"
        );
        rules = rest;
    }
};

impl Conflict {
    /// The rule that the conflict breaks when there are no more attempts; `None` for [`Conflict::Other`].
    #[must_use]
    pub const fn rule(self) -> Option<Rule> {
        match self {
            Self::SubscriberExists => Some(Rule::SubscriberExists),
            Self::SubscriberInactive => Some(Rule::SubscriberInactive),
            Self::SubscriberCredit => Some(Rule::SubscriberCreditLow),
            Self::EmailCredit => Some(Rule::EmailCreditLow),
            Self::SubscriberGone => Some(Rule::SubscriberUnknown),
            Self::Other => None,
        }
    }

    /// The conflict that breaks the rule.
    const fn of(rule: Rule) -> Option<Self> {
        let mut all = Self::ALL;
        while let [conflict, rest @ ..] = all {
            if let Some(own) = conflict.rule()
                && own as u32 == rule as u32
            {
                return Some(*conflict);
            }
            all = rest;
        }
        None
    }

    /// Whether the conflict is possible on the operation: it is if its rule applies there, and always for
    /// [`Conflict::Other`].
    #[must_use]
    pub fn is_possible(self, operation: Operation) -> bool {
        self.rule()
            .is_none_or(|rule| rule.code(operation).is_some())
    }
}
