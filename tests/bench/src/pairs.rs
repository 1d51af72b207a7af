//! Times two programs in turns, so that a disturbance of one disturbs the other as well. Each round gives a ratio, and the
//! median of the ratios counts.
//!
//! The clock is that of the thread: it stops while the machine does something else. A program in another language runs in a
//! process of its own and reads the same clock there ([`crate::remote`]).

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The time for one pair of programs on one workload.
    pub time: Duration,
    /// The least number of rounds, however long they take: with fewer, a median means nothing.
    pub least_rounds: usize,
    /// The greatest number of rounds: with more, a median gets no better.
    pub most_rounds: usize,
}

/// A program that can be timed. It runs a number of times, and says how many nanoseconds of its thread's time that took.
pub trait Program {
    /// Runs `count` times.
    fn time(&mut self, count: u32) -> f64;
}

/// A program that runs in this thread.
impl<F: FnMut()> Program for F {
    fn time(&mut self, count: u32) -> f64 {
        let started = thread_time();
        (0..count).for_each(|_| self());
        thread_time() - started
    }
}

/// The nanoseconds that one turn of a program takes at least. Short calls are repeated to fill them.
const TURN: f64 = 2e6;

impl Effort {
    /// Enough for a median that repeats within about one hundredth.
    pub const FULL: Self = Self {
        time: Duration::from_secs(12),
        least_rounds: 15,
        most_rounds: 501,
    };
    /// Enough to see whether something is badly wrong.
    pub const QUICK: Self = Self {
        time: Duration::from_secs(3),
        least_rounds: 9,
        most_rounds: 101,
    };

    /// For numbers that are printed beside a ratio and not judged.
    pub const SHORT: Self = Self {
        time: Duration::from_millis(300),
        least_rounds: 3,
        most_rounds: 51,
    };

    /// [`Effort::QUICK`] when the environment says `QUICK=1`.
    #[must_use]
    pub fn from_env() -> Self {
        match std::env::var_os("QUICK") {
            Some(value) if value != "0" && !value.is_empty() => Self::QUICK,
            _ => Self::FULL,
        }
    }
}

/// The times of a pair of programs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ratio {
    /// The median of the rounds' ratios, first to second program.
    pub median: f64,
    /// A quarter of the rounds were below this ratio.
    pub low: f64,
    /// A quarter of the rounds were above this ratio.
    pub high: f64,
    /// The number of rounds.
    pub rounds: usize,
    /// The median time of the first program for one repetition, in nanoseconds.
    pub first_ns: f64,
    /// The median time of the second program for one repetition, in nanoseconds.
    pub second_ns: f64,
}

/// Times `first` and `second` in turns.
pub fn pair(effort: Effort, first: &mut dyn Program, second: &mut dyn Program) -> Ratio {
    pair_of(effort, &mut |which, count| match which {
        Which::First => first.time(count),
        Which::Second => second.time(count),
    })
}

/// One program of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The program whose time is the ratio's numerator.
    First,
    /// The other program.
    Second,
}

/// Times a pair of programs. `time` runs one of them a number of times, as [`Program::time`] does.
pub fn pair_of(effort: Effort, time: &mut dyn FnMut(Which, u32) -> f64) -> Ratio {
    let repeat_first = repetitions_of(&mut |count| time(Which::First, count));
    let repeat_second = repetitions_of(&mut |count| time(Which::Second, count));
    let started = Instant::now();
    let mut firsts = Vec::new();
    let mut seconds = Vec::new();
    while firsts.len() < effort.most_rounds
        && (firsts.len() < effort.least_rounds || started.elapsed() < effort.time)
    {
        // The first program of a round finds the caches as the other one left them, so they take turns at being first.
        let order = if firsts.len() % 2 == 0 {
            [Which::First, Which::Second]
        } else {
            [Which::Second, Which::First]
        };
        for which in order {
            match which {
                Which::First => {
                    firsts.push(time(which, repeat_first) / f64::from(repeat_first));
                }
                Which::Second => {
                    seconds.push(time(which, repeat_second) / f64::from(repeat_second));
                }
            }
        }
    }
    let ratios: Vec<f64> = firsts
        .iter()
        .zip(&seconds)
        .map(|(first, second)| first / second)
        .collect();
    Ratio {
        median: quantile(&ratios, 0.5),
        low: quantile(&ratios, 0.25),
        high: quantile(&ratios, 0.75),
        rounds: ratios.len(),
        first_ns: quantile(&firsts, 0.5),
        second_ns: quantile(&seconds, 0.5),
    }
}

/// The median time of one repetition, in nanoseconds.
pub fn alone(effort: Effort, program: &mut dyn Program) -> f64 {
    let repeat = repetitions(program);
    let started = Instant::now();
    let mut times = Vec::new();
    while times.len() < effort.most_rounds
        && (times.len() < effort.least_rounds || started.elapsed() < effort.time)
    {
        times.push(program.time(repeat) / f64::from(repeat));
    }
    quantile(&times, 0.5)
}

/// The number of repetitions for one turn of a program, found by doubling. This also warms the program up.
pub(crate) fn repetitions(program: &mut dyn Program) -> u32 {
    repetitions_of(&mut |count| program.time(count))
}

fn repetitions_of(time: &mut dyn FnMut(u32) -> f64) -> u32 {
    let mut count = 1;
    while time(count) < TURN {
        count *= 2;
    }
    count
}

/// The nanoseconds for which this thread has run so far.
fn thread_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// The value below which this share of `values` lies.
pub(crate) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = share * (sorted.len() - 1) as f64;
    let (below, above) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Effort, pair, quantile};

    #[test]
    fn a_quantile_is_between_its_neighbours() {
        assert!((quantile(&[3.0, 1.0, 2.0], 0.5) - 2.0).abs() < f64::EPSILON);
        assert!((quantile(&[1.0, 2.0], 0.5) - 1.5).abs() < f64::EPSILON);
    }

    #[test]
    fn a_pair_takes_turns_and_at_least_the_least_rounds() {
        let effort = Effort {
            time: Duration::ZERO,
            least_rounds: 3,
            most_rounds: 9,
        };
        let sum =
            |count: u64| std::hint::black_box((0..count).map(std::hint::black_box).sum::<u64>());
        let mut long = || assert!(sum(400_000) > 0);
        let mut short = || assert!(sum(100_000) > 0);
        let ratio = pair(effort, &mut long, &mut short);
        assert_eq!(ratio.rounds, 3);
        assert!((2.0..8.0).contains(&ratio.median), "{ratio:?}");
    }
}
