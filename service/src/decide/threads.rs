//! Threads for large bodies: deciding one takes long enough that other calls would wait for it.

use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::Semaphore;
use tokio::task;

/// The threads on which large bodies are decided: fewer than the processors, and at least one.
///
/// What waits for one is bounded by the bytes of bodies that are held.
#[derive(Clone, Debug)]
pub struct Threads {
    slots: Arc<Semaphore>,
    large: u64,
}

impl Threads {
    /// Bodies from `large` bytes on get threads of their own.
    #[must_use]
    pub fn new(large: u64) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self {
            slots: Arc::new(Semaphore::new(processors.saturating_sub(1).max(1))),
            large,
        }
    }

    /// Where a body of that length is worked on.
    pub(super) fn for_body(&self, bytes: usize) -> Worker {
        let is_large = u64::try_from(bytes).is_ok_and(|bytes| bytes >= self.large);
        Worker(is_large.then(|| Arc::clone(&self.slots)))
    }
}

/// Where one call is worked on: right here, or on a thread for large bodies.
pub(super) struct Worker(Option<Arc<Semaphore>>);

impl Worker {
    /// Does the work. `None` when it panicked.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let Some(slots) = self.0.clone() else {
            return Some(work());
        };
        // The semaphore is never closed.
        let slot = slots.acquire_owned().await.ok()?;
        task::spawn_blocking(move || {
            let _slot = slot;
            work()
        })
        .await
        .ok()
    }
}
