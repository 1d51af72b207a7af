//! What two threads get done beside one.

use std::io::Result;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use crate::database::Database;
use crate::ours::Ours;
use crate::pairs::repetitions;
use crate::processors::Processors;
use crate::suite::once;
use crate::workload::Workload;
use crate::world::World;

/// How long one and two threads take for a workload, in short windows. The best of each counts: what else the machine does
/// meanwhile takes from two threads what it does not take from one.
#[derive(Debug)]
pub struct Threads<'a> {
    database: Database,
    workload: &'a Workload,
    /// Where they may run.
    processors: Processors,
    /// How often each thread does it in a window.
    share: u32,
    best: [Duration; 2],
}

impl<'a> Threads<'a> {
    /// How many windows of each [`Threads::measure`] takes.
    const WINDOWS: u32 = 25;

    /// Before the first window. The threads are to run on `processors`.
    #[must_use]
    pub fn new(world: &World, workload: &'a Workload, processors: Processors) -> Self {
        let database = Database::new(world);
        let share = 10 * repetitions(&mut once(&mut Ours::new(&database), workload));
        Self {
            database,
            workload,
            processors,
            share,
            best: [Duration::MAX; 2],
        }
    }

    /// Takes some windows, to be called more than once: a machine that is busy is so for a while.
    ///
    /// # Errors
    /// When the threads may not run on the processors.
    pub fn measure(&mut self) -> Result<()> {
        let run = || {
            self.processors.allow()?;
            for _ in 0..Self::WINDOWS {
                for count in 1..=self.best.len() {
                    let time = self.window(count);
                    self.best[count - 1] = self.best[count - 1].min(time);
                }
            }
            Ok(())
        };
        // In a thread of its own: this one stays where it is.
        thread::scope(|scope| scope.spawn(run).join().expect("no panic"))
    }

    /// The throughput of two threads as a multiple of that of one, in the best windows so far.
    #[must_use]
    pub fn multiple(&self) -> f64 {
        let [one, two] = self.best;
        2.0 * one.as_secs_f64() / two.as_secs_f64()
    }

    /// How long `count` threads take.
    fn window(&self, count: usize) -> Duration {
        let ready = Barrier::new(count + 1);
        thread::scope(|scope| {
            for _ in 0..count {
                scope.spawn(|| {
                    let mut contender = Ours::new(&self.database);
                    let mut run = once(&mut contender, self.workload);
                    run();
                    ready.wait();
                    (0..self.share).for_each(|_| run());
                    ready.wait();
                });
            }
            ready.wait();
            let started = Instant::now();
            ready.wait();
            started.elapsed()
        })
    }
}
