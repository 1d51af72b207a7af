//! Threads and memory for large bodies. Deciding a large body takes so long that other calls would wait for it, and takes
//! memory in proportion to its length.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};
// clock: how long a call waits for memory; the answer says that nothing was done.
use std::time::Duration;

use franking::{Call, Policy};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

use crate::store::DOMAINS_AT_ONCE;

/// The unit in which memory is counted, in bytes.
const UNIT: usize = 4096;
/// The most bytes that one recipient takes while a call is looked up and carried out: as facts, as rows, and as rows in the
/// database's format.
const RECIPIENT: usize = 4096;
/// The most bytes that a domain takes while it is looked up: as a question, and in the database's format.
const DOMAIN: usize = 1024;
/// The bytes of the answers about a domain: one for the library, and one that is kept in case the call is judged again.
const ANSWERS: usize = 2;
/// Calls whose facts take at most this number of bytes reserve no memory for them.
const FEW: usize = 256 * RECIPIENT;
/// How long a call waits for memory that others hold.
const PATIENCE: Duration = Duration::from_secs(60);

/// The nice value of these threads: how far they yield to others when processors are scarce. The maximum is 19.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// The threads on which large bodies are decided, and the memory for them. There is one thread fewer than there are
/// processors, and at least one.
#[derive(Clone, Debug)]
pub struct Threads {
    jobs: Sender<Job>,
    large: u64,
    /// The memory for reading and judging large bodies.
    reading: Memory,
    /// The memory for the facts about many recipients and domains. A call reserves it after its memory for reading and never
    /// before, so that two calls cannot wait for each other.
    facts: Memory,
}

/// Work for one of the threads.
type Job = Box<dyn FnOnce() + Send>;

/// Returns the number of threads.
fn count() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    processors.saturating_sub(1).max(1)
}

/// Starts a thread that runs jobs until all senders are gone.
fn start(jobs: Arc<Mutex<Receiver<Job>>>) {
    let work = move || {
        // Other threads come first: on two processors, a body of several megabytes would otherwise occupy one of them for
        // seconds. Only Linux has a nice value for each thread. A failure is ignored, because nothing depends on the value.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICE);
        loop {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = next else {
                return;
            };
            job();
        }
    };
    let started = thread::Builder::new().name("large-bodies".to_owned());
    if let Err(error) = started.spawn(work) {
        tracing::error!(%error, "a thread for large bodies cannot be started");
    }
}

/// Memory that calls reserve, in the order in which they ask for it.
#[derive(Clone, Debug)]
struct Memory {
    units: u32,
    free: Arc<Semaphore>,
}

impl Memory {
    fn new(bytes: u64) -> Self {
        let units = bytes / UNIT as u64;
        let most = u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX);
        let units = u32::try_from(units).unwrap_or(u32::MAX).clamp(1, most);
        let free = usize::try_from(units).unwrap_or(Semaphore::MAX_PERMITS);
        Self {
            units,
            free: Arc::new(Semaphore::new(free)),
        }
    }

    /// Reserves memory. A request for more than there is reserves all of it. Returns `None` if the memory does not become
    /// free in time.
    async fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.free).acquire_many_owned(units.min(self.units));
        // clock: the answer is that nothing was done
        timeout(PATIENCE, free).await.ok()?.ok()
    }
}

impl Threads {
    /// Bodies of `large` bytes or more are decided on these threads. Reading them takes at most `memory` bytes at a time, and
    /// the facts about many recipients and domains take at most as much again. A call that needs more than that runs alone.
    #[must_use]
    pub fn new(large: u64, memory: u64) -> Self {
        let (jobs, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..count() {
            start(Arc::clone(&waiting));
        }
        Self {
            jobs,
            large,
            reading: Memory::new(memory),
            facts: Memory::new(memory),
        }
    }

    /// Chooses where a call with a body of this length is worked on. Returns `None` if others hold the memory that it needs
    /// for too long.
    pub(super) async fn for_body(&self, policy: &Policy, bytes: usize) -> Option<Worker> {
        let is_large = u64::try_from(bytes).is_ok_and(|bytes| bytes >= self.large);
        let (jobs, memory) = match is_large {
            true => {
                let memory = self.reading.take(policy.memory_bound(bytes)).await?;
                (Some(self.jobs.clone()), Some(memory))
            }
            false => (None, None),
        };
        Some(Worker {
            call: None,
            jobs,
            memory,
            facts: self.facts.clone(),
            of_facts: None,
        })
    }
}

/// One call, with the threads that work on it and the memory that is reserved for it.
pub(super) struct Worker {
    /// `None` before the call is read, and while it is being worked on.
    call: Option<Call<'static>>,
    /// The threads for large bodies. `None` if the call is not large and runs in the current task.
    jobs: Option<Sender<Job>>,
    memory: Option<OwnedSemaphorePermit>,
    facts: Memory,
    of_facts: Option<OwnedSemaphorePermit>,
}

impl Worker {
    /// Reserves memory for the facts about this number of recipients and domains, once. Returns `None` if the memory does not
    /// become free in time.
    pub(super) async fn hold_facts(&mut self, recipients: usize, domains: usize) -> Option<()> {
        let parts = [
            recipients.saturating_mul(RECIPIENT),
            domains.min(DOMAINS_AT_ONCE).saturating_mul(DOMAIN),
            domains.saturating_mul(ANSWERS),
        ];
        let bytes = parts.into_iter().fold(0, usize::saturating_add);
        if bytes > FEW && self.of_facts.is_none() {
            self.of_facts = Some(self.facts.take(bytes).await?);
        }
        Some(())
    }

    /// Reads the call. Returns `None` if that panicked.
    pub(super) async fn read<T: Send + 'static>(
        &mut self,
        read: impl FnOnce() -> (Call<'static>, T) + Send + 'static,
    ) -> Option<T> {
        let (call, read) = self.run(read).await?;
        self.call = Some(call);
        Some(read)
    }

    /// Works on the call. Returns `None` if that panicked.
    pub(super) async fn work<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Call<'_>) -> T + Send + 'static,
    ) -> Option<T> {
        let mut call = self.call.take()?;
        let (call, done) = self
            .run(move || {
                let done = work(&mut call);
                (call, done)
            })
            .await?;
        self.call = Some(call);
        Some(done)
    }

    /// The call. It is `None` after a panic.
    pub(super) const fn call(&self) -> Option<&Call<'_>> {
        self.call.as_ref()
    }

    /// Takes the call out of the worker.
    pub(super) const fn take(&mut self) -> Option<Call<'static>> {
        self.call.take()
    }

    /// Puts the call back into the worker.
    pub(super) fn put(&mut self, call: Call<'static>) {
        self.call = Some(call);
    }

    /// Runs work in the current task, or, for a large call, on a thread for large bodies. Returns `None` if it panicked.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let Some(jobs) = &self.jobs else {
            return catch_unwind(AssertUnwindSafe(work)).ok();
        };
        let (told, done) = oneshot::channel();
        let job: Job = Box::new(move || {
            // The receiver may be gone.
            drop(told.send(catch_unwind(AssertUnwindSafe(work))));
        });
        jobs.send(job).ok()?;
        done.await.ok()?.ok()
    }
}

impl Drop for Worker {
    /// Hands a large call to the threads for large bodies, which drop it. Giving back its memory takes milliseconds.
    fn drop(&mut self) {
        if let (Some(jobs), Some(call)) = (&self.jobs, self.call.take()) {
            let memory = (self.memory.take(), self.of_facts.take());
            let job: Job = Box::new(move || {
                drop(call);
                drop(memory);
            });
            // If the threads are gone, it is dropped here.
            drop(jobs.send(job));
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;
    use franking::Operation;

    #[tokio::test]
    async fn a_body_waits_for_the_memory_of_another_and_one_that_needs_all_of_it_is_alone() {
        let policy = Policy::default();
        let threads = Threads::new(1, 4 << 20);
        let huge = threads.for_body(&policy, 32 << 20).await.unwrap();
        let mut waits = std::pin::pin!(threads.for_body(&policy, 1));
        let is_waiting = std::future::poll_fn(|context| {
            let polled = waits.as_mut().poll(context);
            std::task::Poll::Ready(polled.is_pending())
        });
        assert!(is_waiting.await);
        drop(huge);
        drop(waits.await.unwrap());
        // Short bodies do not wait.
        let short = Threads::new(2, 1);
        assert!(short.for_body(&policy, 1).await.is_some());
        for (recipients, domains, free) in [(1_000_000, 0, 0), (0, 1_000_000, 0), (256, 0, 1024)] {
            let mut worker = threads.for_body(&policy, 1).await.unwrap();
            worker.hold_facts(recipients, domains).await.unwrap();
            assert_eq!(threads.facts.free.available_permits(), free);
        }
        assert_eq!(threads.facts.free.available_permits(), 1024);
        assert_eq!(threads.reading.free.available_permits(), 1024);
    }
    #[tokio::test]
    async fn a_large_call_is_dropped_by_a_thread_for_large_bodies_and_holds_its_memory_until_then()
    {
        let policy = Arc::new(Policy::default());
        let threads = Threads::new(1, 64 << 20);
        let all = threads.reading.free.available_permits();
        let mut worker = threads.for_body(&policy, 2).await.unwrap();
        let read = worker.read(move || {
            let body = b"{}".to_vec();
            (Call::new(&policy, Operation::SendMailer, "POST", body), ())
        });
        read.await.unwrap();
        assert!(worker.call().is_some());
        let mut busy = Vec::new();
        for _ in 0..count() {
            let (goes_on, waits) = channel::<()>();
            let (told, begun) = oneshot::channel();
            let job: Job = Box::new(move || {
                told.send(()).unwrap();
                // Blocks until the sender is dropped.
                waits.recv().unwrap_err();
            });
            threads.jobs.send(job).unwrap();
            begun.await.unwrap();
            busy.push(goes_on);
        }
        drop(worker);
        assert!(threads.reading.free.available_permits() < all);
        drop(busy);
        let free = Arc::clone(&threads.reading.free);
        let count = u32::try_from(all).unwrap();
        // Waits until all of it is given back.
        drop(free.acquire_many_owned(count).await.unwrap());
    }
}
