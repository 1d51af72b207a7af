//! A mistake of the host's program. It never refuses the caller's call.

/// The host used a call in a way that its stage does not allow. The call has not changed.
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
        /// What was given: `account`, `facts`, `commit`, or `begin_commit`.
        given: &'static str,
    },
    /// A column of the facts is not as long as that of the question.
    #[error(
        "{asked} {column} were asked about, but {answered} were answered: answer each, with none for what does not exist"
    )]
    WrongLength {
        /// The name of the column.
        column: &'static str,
        /// How many members the question has.
        asked: usize,
        /// How many members the answer has.
        answered: usize,
    },
    /// A subscriber's id is not 1 to 2^63-1.
    #[error(
        "a subscriber's id has to be 1 to 9223372036854775807; answer none for a subscriber that does not exist"
    )]
    SubscriberId,
    /// A stored address that the email goes to or comes from is empty.
    #[error(
        "a stored address in {column} is empty, and the call's email goes to it or comes from it: answer with the address, \
         or with none for what does not exist"
    )]
    EmptyAddress {
        /// The name of the column.
        column: &'static str,
    },
    /// The host has not said whether the domain of a stored address is on a blacklist, and the call is judged by that.
    #[error(
        "whether a stored address's domain is on a blacklist was not said in {column}: say yes or no for each; \
         Blacklists::answer does"
    )]
    BlacklistedNotSaid {
        /// The name of the column.
        column: &'static str,
    },
}
