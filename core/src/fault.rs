//! The error for a contradiction within the library.

/// The library contradicts itself: two facts that it has established do not fit together, and no value that it could
/// return would be true. The call ends with [`Failure::Internal`](crate::Failure::Internal).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault;
