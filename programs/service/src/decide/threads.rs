//! Threads and memory for large bodies: deciding one takes long enough that other calls would wait for it, and memory in
//! proportion to its length.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, available_parallelism};
// clock: how long a call waits for memory; the answer says that nothing was done.
use std::time::Duration;

use franking::{Call, Policy};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

/// What memory is counted in.
const UNIT: usize = 4096;
/// What one recipient takes at most while a call is looked up and carried out: facts, rows, and rows as the database takes them.
const RECIPIENT: usize = 4096;
/// Calls with no more recipients than that are not counted.
const FEW: usize = 256;
/// How long a call waits for memory that others hold.
const PATIENCE: Duration = Duration::from_secs(60);

/// How far such threads give way to others when processors are scarce. A process may ask for 19 at most.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// The threads on which large bodies are decided, fewer than the processors and at least one, and the memory for it.
#[derive(Clone, Debug)]
pub struct Threads {
    jobs: Sender<Job>,
    large: u64,
    /// For reading and judging large bodies.
    reading: Memory,
    /// For what many recipients take. Whoever waits for it holds no more of the other than whoever has it.
    recipients: Memory,
}

/// Work for one of the threads.
type Job = Box<dyn FnOnce() + Send>;

/// How many threads there are.
fn count() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    processors.saturating_sub(1).max(1)
}

/// Starts a thread that works until nobody has any more work.
fn start(jobs: Arc<Mutex<Receiver<Job>>>) {
    let work = move || {
        // Others are served first: of two processors, a body of megabytes would have one for seconds. Only Linux knows this of a
        // thread. Where it is not allowed, it is not needed for anything else.
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

/// Memory that is set aside, in the order in which it was asked for.
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

    /// Sets memory aside: all of it for what would take more. `None` when there is none for a long time.
    async fn take(&self, bytes: usize) -> Option<OwnedSemaphorePermit> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX);
        let free = Arc::clone(&self.free).acquire_many_owned(units.min(self.units));
        // clock: the answer is that nothing was done
        timeout(PATIENCE, free).await.ok()?.ok()
    }
}

impl Threads {
    /// Bodies from `large` bytes on get threads of their own. What reading them takes is at most `memory` bytes at once, and what
    /// many recipients take is as much again. A call that needs more is alone.
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
            recipients: Memory::new(memory),
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
            recipients: self.recipients.clone(),
            of_recipients: None,
        })
    }
}

/// One call, with the place where it is worked on and the memory that is set aside for it.
pub(super) struct Worker {
    /// It is `None` before it is read, and while it is worked on.
    call: Option<Call<Vec<u8>>>,
    /// The threads for large bodies. A call that is not large is worked on right here.
    jobs: Option<Sender<Job>>,
    memory: Option<OwnedSemaphorePermit>,
    recipients: Memory,
    of_recipients: Option<OwnedSemaphorePermit>,
}

impl Worker {
    /// Reserves memory for this number of recipients, once. `None` when there is not enough.
    pub(super) async fn hold_recipients(&mut self, count: usize) -> Option<()> {
        if count > FEW && self.of_recipients.is_none() {
            let bytes = count.saturating_mul(RECIPIENT);
            self.of_recipients = Some(self.recipients.take(bytes).await?);
        }
        Some(())
    }

    /// Reads the call. Returns `None` if that panicked.
    pub(super) async fn read<T: Send + 'static>(
        &mut self,
        read: impl FnOnce() -> (Call<Vec<u8>>, T) + Send + 'static,
    ) -> Option<T> {
        let (call, read) = self.run(read).await?;
        self.call = Some(call);
        Some(read)
    }

    /// Works on the call. Returns `None` if that panicked.
    pub(super) async fn work<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Call<Vec<u8>>) -> T + Send + 'static,
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
    pub(super) const fn call(&self) -> Option<&Call<Vec<u8>>> {
        self.call.as_ref()
    }

    /// Gives the call to somebody else.
    pub(super) const fn take(&mut self) -> Option<Call<Vec<u8>>> {
        self.call.take()
    }

    /// Takes the call back.
    pub(super) fn put(&mut self, call: Call<Vec<u8>>) {
        self.call = Some(call);
    }

    /// Runs work right here, or on a thread for large bodies. Returns `None` if it panicked there.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let Some(jobs) = &self.jobs else {
            return Some(work());
        };
        let (told, done) = oneshot::channel();
        let job: Job = Box::new(move || {
            // What comes of it may be waited for no more.
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
            let memory = (self.memory.take(), self.of_recipients.take());
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
        let mut worker = waits.await.unwrap();
        // Short bodies wait for nobody.
        let short = Threads::new(2, 1);
        assert!(short.for_body(&policy, 1).await.is_some());
        worker.hold_recipients(1_000_000).await.unwrap();
        assert_eq!(threads.recipients.free.available_permits(), 0);
        drop(worker);
        assert_eq!(threads.recipients.free.available_permits(), 1024);
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
                // Until nobody holds the other end.
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
