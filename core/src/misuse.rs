//! A mistake of the host's program. It never becomes a refusal of the caller's call.

/// The host used a call in a way that the machine does not allow. Nothing changed, but for
/// [`Misuse::TransactionId`], which ends the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misuse {
    /// The call waits for something else.
    #[error(
        "the call waits for {awaited}, but {given} was given: look at step() first and answer what it asks"
    )]
    WrongAnswer {
        /// What the call waits for: `account`, `facts`, `commit`, or `nothing` when it is done.
        awaited: &'static str,
        /// What was given: `account`, `facts` or `commit`.
        given: &'static str,
    },
    /// A column of the facts has another length than that of the question.
    #[error(
        "{asked} {column} were asked about, but {answered} were answered: answer each, with none for what does not exist"
    )]
    WrongLength {
        /// The name of the column.
        column: &'static str,
        /// How many members the question has.
        asked: usize,
        /// How many the answer has.
        answered: usize,
    },
    /// A subscriber's id is not 1 to 2^63-1.
    #[error(
        "a subscriber's id has to be 1 to 9223372036854775807; answer none for a subscriber that does not exist"
    )]
    SubscriberId,
    /// The transaction id is not 1 to 2^53-1. The call has ended without a code; what the host did stands.
    #[error(
        "a transaction id has to be 1 to 9007199254740991; the call has ended without a code, and what was carried out stands"
    )]
    TransactionId,
    /// The conflict cannot happen on this operation: httpSendMail names no subscriber that could be gone.
    #[error("httpSendMail updates no subscriber that could be gone: report the conflict as other")]
    SubscriberGone,
}
