//! Shows what hostile input costs: a typed result, no more memory beside a body than `memory_bound` says, and work
//! in proportion to the length. No clock is read: other work on the machine changes nothing of what is counted.
//!
//! ```text
//! franking-hostile memory [SETTING...]   counts live bytes and allocations in the process
//! franking-hostile work [SETTING...]     counts instructions with valgrind
//! ```
//!
//! `bytes=N` is the length of the longest input, and no subject is begun after `seconds=N`. `only=one long|commas` keeps what has
//! one of these texts in its name, and `without=: partial|: inactive` leaves out what has. `share=1/4` takes the first of each
//! four subjects. Each prints a table and closes with `N passed, N failed`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a program for tests that meets the unexpected should stop"
)]

mod bodies;
mod known;
mod memory;
mod meter;
mod planted;
mod subject;
mod texts;
mod uses;
mod work;

use std::process::ExitCode;

use crate::subject::Subject;

#[global_allocator]
static ALLOCATOR: meter::Counting = meter::Counting;

const USAGE: &str = "usage: franking-hostile memory|work [bytes=N] [only=WORDS] [without=WORDS] [share=N/N] [seconds=N]";

/// What is asked for on the command line.
struct Settings {
    bytes: usize,
    only: String,
    without: Option<String>,
    /// The time in seconds after which no further subject is begun.
    seconds: u64,
    /// Which of how many equal parts of the subjects: programs that count side by side share them.
    share: (usize, usize),
}

impl Settings {
    fn read(given: &[String], bytes: usize) -> Result<Self, String> {
        let mut settings = Self {
            bytes,
            only: String::new(),
            without: None,
            seconds: u64::MAX,
            share: (0, 1),
        };
        for setting in given {
            let number = |text: &str| {
                let number = text.parse().ok().filter(|number| *number > 0);
                number.ok_or_else(|| format!("{setting:?} is no NAME=NUMBER\n{USAGE}"))
            };
            match setting.split_once('=') {
                Some(("bytes", value)) => settings.bytes = number(value)?,
                Some(("seconds", value)) => settings.seconds = number(value)? as u64,
                Some(("only", value)) => settings.only = value.to_string(),
                Some(("without", value)) => settings.without = Some(value.to_string()),
                Some(("share", value)) => {
                    let (which, of) = value.split_once('/').unwrap_or((value, ""));
                    settings.share = (number(which)? - 1, number(of)?);
                }
                _ => return Err(format!("there is no setting {setting:?}\n{USAGE}")),
            }
        }
        Ok(settings)
    }

    /// The subjects that are asked for, while there is time. It says how many there was none for.
    fn chosen(&self, all: Vec<Subject>) -> impl Iterator<Item = Subject> {
        // clock: says how many are tried, not what is found
        let started = std::time::Instant::now();
        let mut chosen = self.named(all).into_iter();
        std::iter::from_fn(move || {
            // clock: the same
            if started.elapsed().as_secs() < self.seconds {
                return chosen.next();
            }
            let left = chosen.by_ref().count();
            if left > 0 {
                eprintln!("NOT TRIED, for want of time: {left} subjects");
            }
            None
        })
    }

    /// The subjects of these names.
    fn named(&self, all: Vec<Subject>) -> Vec<Subject> {
        let (which, of) = self.share;
        let has_one = |subject: &Subject, all: &str| {
            let mut each = all.split('|');
            each.any(|words| subject.name.contains(words))
        };
        let is_meant = |subject: &Subject| {
            let without = self.without.as_deref();
            has_one(subject, &self.only) && !without.is_some_and(|all| has_one(subject, all))
        };
        let chosen = all.into_iter().filter(is_meant);
        chosen.skip(which).step_by(of).collect()
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((command, given)) if command == "memory" => {
            Settings::read(given, memory::FULL).map(|settings| memory::run(&settings))
        }
        Some((command, given)) if command == "work" => {
            Settings::read(given, work::BYTES).and_then(|settings| work::run(&settings))
        }
        // What `work` starts under valgrind.
        Some((command, given)) if command == work::COUNT => {
            Settings::read(given, work::BYTES).and_then(|settings| work::count(&settings))
        }
        _ => Err(USAGE.to_string()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Prints what failed and the closing line; whether nothing failed.
fn close(passed: usize, failures: &[String]) -> bool {
    for failure in failures {
        println!("FAILED: {failure}");
    }
    println!("{passed} passed, {} failed", failures.len());
    // Nothing chosen is nothing shown.
    failures.is_empty() && passed > 0
}
