//! A worker, its start and its end.

use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::flight::Means;
use super::limits::Limits;
use super::run::Run;
use super::state::SendingState;
use crate::mail::{Composer, Transport};
use crate::store::Outbox;

/// Sends the emails of a database.
pub struct Worker {
    pub(super) outbox: Arc<dyn Outbox>,
    pub(super) means: Arc<Means>,
    pub(super) limits: Limits,
    pub(super) state: SendingState,
}

/// A running worker.
#[derive(Debug)]
pub struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Worker {
    /// Makes a worker of an outbox, a composer and a transport.
    #[must_use]
    pub fn new(
        outbox: Arc<dyn Outbox>,
        composer: Arc<Composer>,
        transport: Arc<dyn Transport>,
        limits: Limits,
        state: SendingState,
    ) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        let means = Means {
            composer,
            transport,
            threads: Arc::new(Semaphore::new(processors.saturating_sub(1).max(1))),
            limits: limits.clone(),
        };
        Self {
            outbox,
            means: Arc::new(means),
            limits,
            state,
        }
    }

    /// Starts the worker. Call this within a Tokio runtime.
    #[must_use]
    pub fn start(self, shutdown: Duration) -> Running {
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            let worker = Arc::new(self);
            loop {
                let run = Run::new(Arc::clone(&worker)).run(stopped.clone(), shutdown);
                if tokio::spawn(run).await.is_ok() {
                    break;
                }
                tracing::error!("the outbox failed, and starts again");
                sleep(Duration::from_secs(1)).await;
            }
        });
        Running { stop, task }
    }
}

impl Running {
    /// Tells the worker to claim nothing more.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Stops the worker, and waits until everything in flight has ended or was given back.
    pub async fn end(self) {
        self.stop();
        drop(self.task.await);
    }
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
