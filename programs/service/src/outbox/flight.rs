//! One email on its way: composed, handed to the transport, and what came of it.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::gate::Gate;
use super::limits::Limits;
use crate::mail::{Composer, Delivery, Outcome, Reason, Transport};

/// What came of it.
#[derive(Debug)]
pub(super) enum Landing {
    /// What the transport said.
    Sent(Outcome),
    /// The delivery has no email.
    Unsendable(Reason),
    /// It is our own fault that there is no email.
    Failed,
}

/// What sending needs beside a delivery.
pub(super) struct Means {
    pub(super) composer: Arc<Composer>,
    pub(super) transport: Arc<dyn Transport>,
    /// Threads that compose at once: fewer than the processors.
    pub(super) threads: Arc<Semaphore>,
    pub(super) limits: Limits,
}

impl Means {
    /// Sends an email. Its gate is asked before it is finished.
    pub(super) async fn send(&self, delivery: Delivery, gate: &Arc<Gate>) -> Landing {
        let email = {
            let Ok(_thread) = self.threads.acquire().await else {
                return Landing::Failed;
            };
            let composer = Arc::clone(&self.composer);
            match spawn_blocking(move || composer.compose(&delivery)).await {
                Ok(Ok(email)) => email,
                Ok(Err(error)) => return Landing::Unsendable(Reason::new(&error.to_string())),
                // It panicked.
                Err(_) => return Landing::Failed,
            }
        };
        let sending = self.transport.send(email, gate.ask());
        let outcome = timeout(self.limits.send, sending).await;
        Landing::Sent(outcome.unwrap_or_else(|_| broken_off(gate, "it took too long")))
    }
}

/// What came of an email that is not sent any further.
pub(super) fn broken_off(gate: &Gate, why: &str) -> Outcome {
    let reason = Reason::new(&format!("sending was broken off: {why}"));
    match gate.close() {
        true => Outcome::Deferred { reason },
        false => Outcome::Unanswered { reason },
    }
}
