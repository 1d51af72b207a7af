//! What a call waits for.

use alloc::borrow::Cow;

use crate::debug::debug_shows;
use crate::decision::Decision;
use crate::plan::Plan;
use crate::questions::Questions;
use crate::violation::Common;
use crate::wire::value::text;

/// What the call waits for.
#[derive(Debug)]
pub enum Step<'c> {
    /// Which account has this key? Answer with [`Call::answer_account`](crate::Call::answer_account).
    Account(AccountQuestion<'c>),
    /// What does the host know of each member of these columns? Answer with
    /// [`Call::answer_facts`](crate::Call::answer_facts).
    Facts(Questions<'c>),
    /// Carry this out. Answer with [`Call::answer_commit`](crate::Call::answer_commit).
    Commit(Plan<'c>),
    /// The call is decided, and nothing more is asked.
    Done(Decision<'c>),
}

/// What a call waits for, without the question itself.
#[derive(Clone, Copy)]
pub(crate) enum Awaited {
    Account,
    Facts,
    /// The plan to be carried out.
    Commit,
    /// The result of a plan that was handed out.
    Outcome,
    Nothing,
}

/// The question for an account. Debug does not show the key.
#[derive(Clone)]
pub struct AccountQuestion<'c> {
    key: Cow<'c, str>,
}

impl<'c> AccountQuestion<'c> {
    /// `None` when the key is not a text, which a rule refuses.
    pub(crate) fn new(common: Common<'_>, sent: &'c str) -> Option<Self> {
        let key = text(common.key, sent)?;
        Some(Self { key })
    }

    /// The API key as sent, never empty: a secret.
    #[must_use]
    pub fn key(&self) -> Cow<'c, str> {
        self.key.clone()
    }
}

debug_shows!(AccountQuestion<'_> {});
