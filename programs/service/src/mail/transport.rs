//! The interface of a transport.

use std::future::Future;
use std::pin::Pin;

use super::{Email, Outcome};

/// Resolves to whether the email may still be finished, which it may while the lease is valid. The transport awaits it once,
/// when it has handed over everything but the end of the email. After `false`, the email stays unsent, and the outcome is
/// [`Outcome::Deferred`].
pub type MayFinish = Pin<Box<dyn Future<Output = bool> + Send>>;

/// An attempt to send. Dropping it ends the attempt.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// A transport for emails.
pub trait Transport: Send + Sync {
    /// Sends an email, and returns the outcome.
    fn send(&self, email: Email, may_finish: MayFinish) -> Sending<'_>;
}
