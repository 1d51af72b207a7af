//! The stages of a call, with what is known at each.

use crate::account::key_missing;
use crate::content::{CheckedCall, JudgedCall, Kept, KeptView, ReadCall};
use crate::ending::Ending;
use crate::facts::Account;
use crate::operation::Operation;
use crate::policy::Policy;
use crate::transport::{read, repeated};
use crate::violation::{Common, FoundViolation};
use crate::wire::sent::Sent;

/// What a call waits for, and what is known of it by then.
#[derive(Clone)]
pub(super) enum Stage {
    /// The account. Only phase 1 and, of phase 2, the presence of a key have been judged.
    Account(ReadCall),
    /// The account once more, after a conflict. The content was accepted and is not judged again.
    AccountAgain(CheckedCall),
    /// The facts.
    Facts(CheckedCall, Account),
    /// The result of the plan. A call that has ended waits for nothing.
    Judged(JudgedCall, Progress),
    /// Nothing: the call ended before it had facts.
    Ended(Ending, Kept),
}

/// How far a call with facts has come.
#[derive(Clone, Copy)]
pub(super) enum Progress {
    /// The plan waits to be carried out.
    Planned,
    /// The plan was handed out by `begin_commit` and may have been carried out.
    HandedOut,
    Ended(Ending),
}

impl Stage {
    /// The stage of a call while it moves from one stage to the next. A call that remains in it has met a fault of the
    /// library.
    pub(super) const CHANGING: Self = Self::Ended(Ending::FAULT, Kept::Nothing);

    /// Judges phase 1, and the part of phase 2 that needs only the body.
    pub(super) fn first(
        policy: &Policy,
        operation: Operation,
        method: &str,
        sent: &Sent<'_>,
    ) -> Self {
        match read(policy, operation, method, sent) {
            Ok(read) => {
                let common = read.common();
                let found = repeated(common).next().or_else(|| key_missing(common));
                found.map_or(Self::Account(read), Self::refused)
            }
            Err(refusal) => {
                let kept = refusal.syntax.map_or(Kept::Nothing, Kept::Syntax);
                Self::Ended(Ending::Refused(refusal.found), kept)
            }
        }
    }

    pub(super) fn refused(found: FoundViolation) -> Self {
        Self::Ended(Ending::Refused(found), Kept::Nothing)
    }

    /// The members that the bodies of both operations have; `None` unless the call waits for an account.
    #[inline]
    pub(super) fn common(&self) -> Option<Common<'_>> {
        match self {
            Self::Account(read) => Some(read.common()),
            Self::AccountAgain(checked) => Some(checked.common()),
            Self::Facts(..) | Self::Judged(..) | Self::Ended(..) => None,
        }
    }

    pub(super) fn kept(&self) -> KeptView<'_> {
        match self {
            Self::Account(_) | Self::AccountAgain(_) | Self::Facts(..) => {
                KeptView::WithoutFacts(&Kept::Nothing)
            }
            Self::Judged(judged, _) => KeptView::Judged(judged),
            Self::Ended(_, kept) => KeptView::WithoutFacts(kept),
        }
    }
}
