//! A call of either operation, with what is known of it at each stage.

use alloc::boxed::Box;

use crate::by_operation::ByOperation;
use crate::ending::Ending;
use crate::facts::Facts;
use crate::http_send_mail;
use crate::operation::Operation;
use crate::policy::Policy;
use crate::send_mailer;
use crate::violation::{Common, FoundViolation};
use crate::wire::json::SyntaxError;
use crate::wire::sent::Sent;

/// A body that was read. For a preflight it has everything that the checks of content find.
pub(crate) type ReadCall = ByOperation<Box<send_mailer::Body>, Box<http_send_mail::Content>>;

/// A call that phase 4 does not refuse.
pub(crate) type CheckedCall =
    ByOperation<Box<send_mailer::CheckedSingle>, Box<http_send_mail::CheckedBatch>>;

/// A call with the host's facts.
pub(crate) type JudgedCall =
    ByOperation<send_mailer::JudgedSingle, Box<http_send_mail::JudgedBatch>>;

/// The part of a call that its decision needs if the call ended before it had facts.
#[derive(Clone)]
pub(crate) enum Kept {
    Nothing,
    /// Why the body could not be read.
    Syntax(SyntaxError),
    /// A batch that phase 4 refused.
    Batch(Box<http_send_mail::Content>),
}

/// What a decision reports besides its code.
#[derive(Clone, Copy)]
pub(crate) enum KeptView<'c> {
    WithoutFacts(&'c Kept),
    Judged(&'c JudgedCall),
}

/// A call as received, and the policy that applies to it.
#[derive(Clone, Copy)]
pub(crate) struct Received<'c> {
    pub(crate) sent: &'c Sent<'c>,
    pub(crate) operation: Operation,
    pub(crate) policy: &'c Policy,
}

impl ReadCall {
    pub(crate) fn common(&self) -> Common<'_> {
        match self {
            Self::SendMailer(body) => body.common(),
            Self::HttpSendMail(content) => content.members.common(),
        }
    }

    /// Runs every check that needs no host, even after a violation that would end a call.
    pub(crate) fn inspect(mut self, sent: &str, policy: &Policy) -> Self {
        if let Self::HttpSendMail(content) = &mut self {
            content.look_at_all(sent, policy);
        }
        self
    }

    /// Judges phase 4. The error is how the call ends, and what its decision keeps.
    pub(crate) fn check(self, sent: &str, policy: &Policy) -> Result<CheckedCall, (Ending, Kept)> {
        match self {
            Self::SendMailer(body) => send_mailer::CheckedSingle::new(body, sent)
                .map(ByOperation::SendMailer)
                .map_err(|ending| (ending, Kept::Nothing)),
            Self::HttpSendMail(content) => http_send_mail::CheckedBatch::new(content, sent, policy)
                .map(|checked| ByOperation::HttpSendMail(Box::new(checked)))
                .map_err(|(ending, content)| (ending, Kept::Batch(content))),
        }
    }
}

impl CheckedCall {
    pub(crate) fn common(&self) -> Common<'_> {
        match self {
            Self::SendMailer(checked) => checked.body.common(),
            Self::HttpSendMail(checked) => checked.content.members.common(),
        }
    }

    pub(crate) fn with_facts(self, facts: Box<Facts>, sent: &str) -> JudgedCall {
        match self {
            Self::SendMailer(checked) => {
                ByOperation::SendMailer(send_mailer::JudgedSingle { checked, facts })
            }
            Self::HttpSendMail(checked) => ByOperation::HttpSendMail(Box::new(
                http_send_mail::JudgedBatch::new(checked, facts, sent),
            )),
        }
    }
}

impl JudgedCall {
    /// Judges phase 5. Returns the violation that refuses the call.
    pub(crate) fn judge(&mut self, sent: &str, policy: &Policy) -> Option<FoundViolation> {
        match self {
            Self::SendMailer(judged) => judged.first(sent),
            Self::HttpSendMail(judged) => judged.judge(sent, policy),
        }
    }

    /// The call without its facts, to be judged again.
    pub(crate) fn without_facts(self) -> CheckedCall {
        match self {
            Self::SendMailer(judged) => ByOperation::SendMailer(judged.checked),
            Self::HttpSendMail(judged) => ByOperation::HttpSendMail(judged.checked),
        }
    }
}
