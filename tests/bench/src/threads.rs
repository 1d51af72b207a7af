//! Compares the throughput of two threads with that of one.

use std::io::Result;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use crate::database::Database;
use crate::ours::Ours;
use crate::pairs::{quantile, repetitions};
use crate::processors::Processors;
use crate::suite::once;
use crate::workload::Workload;
use crate::world::World;

/// The throughput of two threads on a workload, as a multiple of the throughput of one. Each thread has a processor of its
/// own. It is compared with one thread alone on that processor at about the same time, because processors differ, sometimes
/// for long.
#[derive(Debug)]
pub struct Threads<'a> {
    database: Database,
    workload: &'a Workload,
    /// The processors that the threads run on.
    processors: [Processors; 2],
    /// How often each thread decides the workload in a window.
    share: u32,
    multiples: Vec<f64>,
}

impl<'a> Threads<'a> {
    /// How many windows [`Threads::measure`] takes.
    const WINDOWS: u32 = 25;

    /// Prepares the windows. The threads run on the first and the last of the processors.
    #[must_use]
    pub fn new(world: &World, workload: &'a Workload, processors: Processors) -> Self {
        let database = Database::new(world);
        let share = 10 * repetitions(&mut once(&mut Ours::new(&database), workload));
        let each = processors.each();
        let [first, last] = [each.first(), each.last()].map(|one| *one.unwrap_or(&processors));
        Self {
            database,
            workload,
            processors: [first, last],
            share,
            multiples: Vec::new(),
        }
    }

    /// Measures a number of windows. Call it more than once: a machine that is busy stays busy for a while.
    ///
    /// # Errors
    /// When the threads may not run on the processors.
    pub fn measure(&mut self) -> Result<()> {
        // This runs in a thread of its own, so that the current thread keeps its processor.
        let may_run = || self.processors.iter().try_for_each(Processors::allow);
        thread::scope(|scope| scope.spawn(may_run).join().expect("no panic"))?;
        for _ in 0..Self::WINDOWS {
            let [first, last] = &self.processors;
            let alone = self.throughput(&[first]) + self.throughput(&[last]);
            let together = self.throughput(&[first, last]);
            self.multiples.push(2.0 * together / alone);
        }
        Ok(())
    }

    /// The median of all windows so far.
    #[must_use]
    pub fn multiple(&self) -> f64 {
        quantile(&self.multiples, 0.5)
    }

    /// How many times a second the threads together decide the workload, with one thread on each processor.
    fn throughput(&self, processors: &[&Processors]) -> f64 {
        let ready = Barrier::new(processors.len());
        let run_on = |processor: &Processors| {
            processor.allow().expect("it was allowed before");
            let mut contender = Ours::new(&self.database);
            let mut run = once(&mut contender, self.workload);
            run();
            ready.wait();
            let started = Instant::now();
            (0..self.share).for_each(|_| run());
            f64::from(self.share) / started.elapsed().as_secs_f64()
        };
        thread::scope(|scope| {
            let threads = processors.iter().map(|one| scope.spawn(|| run_on(one)));
            let threads: Vec<_> = threads.collect();
            let results = threads.into_iter().map(thread::ScopedJoinHandle::join);
            results.map(|result| result.expect("no panic")).sum()
        })
    }
}
