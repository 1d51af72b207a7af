//! The way out.

use std::future::Future;
use std::pin::Pin;

use super::{Email, Outcome};

/// Whether the email may still be finished: the lease is valid. It is asked, once, when all but the end of the email has
/// been handed over; "no" leaves the email unsent, and the outcome is [`Outcome::Deferred`].
pub type MayFinish = Pin<Box<dyn Future<Output = bool> + Send>>;

/// An attempt to send. Dropping it ends the attempt.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// A way out for emails.
pub trait Transport: Send + Sync {
    /// Sends an email, or says why not.
    fn send(&self, email: Email, may_finish: MayFinish) -> Sending<'_>;
}
