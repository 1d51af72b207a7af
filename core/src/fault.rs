//! What is returned where no value would be true.

/// The library contradicts itself: what was understood does not go together. The call ends with
/// [`Failure::Internal`](crate::Failure::Internal).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault;
