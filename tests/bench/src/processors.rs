//! The processors that a thread may run on. The processors of one machine differ, because other work runs on them, sometimes
//! for long. Programs that take turns should therefore run on the same processor.

use std::io::Result;

/// Some processors of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Processors(system::Set);

/// Keeps this thread on the processor that it runs on, with the threads and processes that it starts from now on. Returns
/// the processors that it was allowed to use before.
///
/// # Errors
/// When the system does not allow that.
pub fn stay_on_one() -> Result<Processors> {
    let before = system::allowed()?;
    system::allow(&system::current())?;
    Ok(Processors(before))
}

impl Processors {
    /// Lets this thread run on all of these processors.
    ///
    /// # Errors
    /// When the system does not allow that.
    pub fn allow(&self) -> Result<()> {
        system::allow(&self.0)
    }

    /// Each of these processors alone.
    #[must_use]
    pub fn each(&self) -> Vec<Self> {
        system::each(&self.0).into_iter().map(Self).collect()
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::io::Result;

    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

    pub(super) type Set = CpuSet;

    pub(super) fn allowed() -> Result<Set> {
        Ok(sched_getaffinity(None)?)
    }

    pub(super) fn allow(processors: &Set) -> Result<()> {
        Ok(sched_setaffinity(None, processors)?)
    }

    pub(super) fn current() -> Set {
        only(sched_getcpu())
    }

    pub(super) fn each(processors: &Set) -> Vec<Set> {
        let numbers = 0..Set::MAX_CPU;
        let numbers = numbers.filter(|number| processors.is_set(*number));
        numbers.map(only).collect()
    }

    fn only(number: usize) -> Set {
        let mut set = Set::new();
        set.set(number);
        set
    }
}

/// On other systems a program cannot choose its processors.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::io::Result;

    pub(super) type Set = ();

    pub(super) fn allowed() -> Result<Set> {
        Ok(())
    }

    pub(super) fn allow((): &Set) -> Result<()> {
        Ok(())
    }

    pub(super) fn current() -> Set {}

    pub(super) fn each((): &Set) -> Vec<Set> {
        vec![()]
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{stay_on_one, system};

    #[test]
    fn a_thread_and_what_it_starts_stay_on_one_processor_until_they_are_allowed_more() {
        let count = || system::allowed().expect("a set").count();
        let all = count();
        let before = std::thread::spawn(move || {
            let before = stay_on_one().expect("to be allowed");
            assert_eq!(count(), 1);
            assert_eq!(before.each().len() as u32, all);
            for one in before.each() {
                one.allow().expect("to be allowed");
                assert_eq!(count(), 1);
            }
            let started = std::thread::spawn(move || {
                let inherited = count();
                before.allow().expect("to be allowed");
                (inherited, count())
            });
            assert_eq!(started.join().expect("no panic"), (1, all));
            assert_eq!(count(), 1);
        });
        before.join().expect("no panic");
        assert_eq!(count(), all);
    }
}
