//! One email in flight: it is composed and handed to the transport.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::gate::Gate;
use super::limits::Limits;
use crate::mail::{Composer, Delivery, Outcome, Reason, Transport};

/// The end of a flight.
#[derive(Debug)]
pub(super) enum Landing {
    /// The outcome that the transport returned.
    Sent(Outcome),
    /// No email can be made of the delivery.
    Unsendable(Reason),
    /// The service failed to make the email.
    Failed,
}

/// The resources that sending needs in addition to a delivery.
pub(super) struct Means {
    pub(super) composer: Arc<Composer>,
    pub(super) transport: Arc<dyn Transport>,
    /// Limits the threads that compose at once: fewer than there are processors.
    pub(super) threads: Arc<Semaphore>,
    pub(super) limits: Limits,
}

impl Means {
    /// Sends an email. The gate is asked before the email is finished.
    pub(super) async fn send(&self, delivery: Delivery, gate: &Arc<Gate>) -> Landing {
        let email = {
            let Ok(_thread) = self.threads.acquire().await else {
                return Landing::Failed;
            };
            let composer = Arc::clone(&self.composer);
            match spawn_blocking(move || composer.compose(&delivery)).await {
                Ok(Ok(email)) => email,
                Ok(Err(error)) => return Landing::Unsendable(Reason::new(&error.to_string())),
                // Composing panicked.
                Err(_) => return Landing::Failed,
            }
        };
        let sending = self.transport.send(email, gate.ask());
        let outcome = timeout(self.limits.send, sending).await;
        Landing::Sent(outcome.unwrap_or_else(|_| broken_off(gate, "it took too long")))
    }
}

/// Returns the outcome of an email whose sending is broken off.
pub(super) fn broken_off(gate: &Gate, why: &str) -> Outcome {
    let reason = Reason::new(&format!("sending was broken off: {why}"));
    match gate.close() {
        true => Outcome::Deferred { reason },
        false => Outcome::Unanswered { reason },
    }
}
