//! What is known of a call, by what it waits for.

use crate::content::{Checked, Judged, Kept, KeptView, Read};
use crate::ending::Ending;
use crate::facts::Account;
use crate::violation::Found;

/// What a call waits for, and what is known of it by then.
#[derive(Clone)]
pub(super) enum Stage {
    /// The account. Nothing but phase 1 was judged, and of phase 2 that there is a key.
    Account(Read),
    /// The account once more, after a conflict. Once found good, content stays good.
    AccountAgain(Checked),
    /// The facts.
    Facts(Checked, Account),
    /// What comes of the plan.
    Commit(Judged),
    /// The same, after the plan was handed out for good.
    Committing(Judged),
    Done(Ending, Kept),
}

impl Stage {
    /// What a call is in that stops while its stage changes: a fault of the library.
    pub(super) const CHANGING: Self = Self::Done(Ending::FAULT, Kept::Nothing);

    pub(super) fn refused(found: Found) -> Self {
        Self::Done(Ending::Refused(found), Kept::Nothing)
    }

    pub(super) fn kept(&self) -> KeptView<'_> {
        match self {
            Self::Account(_) | Self::AccountAgain(_) | Self::Facts(..) => KeptView::Nothing,
            Self::Commit(judged) | Self::Committing(judged) => KeptView::Judged(judged),
            Self::Done(_, kept) => kept.view(),
        }
    }
}
