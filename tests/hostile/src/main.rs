//! Shows what hostile input costs. The library gives a typed result, takes no more memory beside a body than `memory_bound`
//! says, and does work in proportion to the length. No clock is read, so other work on the machine does not change the
//! counts.
//!
//! ```text
//! franking-hostile memory [SETTING...]   counts live bytes and allocations in the process
//! franking-hostile work [SETTING...]     counts instructions with valgrind
//! ```
//!
//! `bytes=N` is the length of the longest input. No subject is begun after `seconds=N`. `only=one long|commas` keeps the
//! subjects that have one of these texts in their names, and `without=: partial|: inactive` leaves out those that do.
//! `share=1/4` takes the first of every four subjects. Each command prints a table and ends with `N passed, N failed`.
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
mod mixture;
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

/// The settings of the command line.
struct Settings {
    bytes: usize,
    only: String,
    without: Option<String>,
    /// The time in seconds after which no further subject is begun.
    seconds: u64,
    /// The share of the subjects that this program takes: its index, and the number of shares. Programs that count side by
    /// side take one share each.
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

    /// The subjects to measure, while there is time. When time is up, the number of those left is printed.
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

    /// The subjects that the settings name.
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
        // `work` starts this command under valgrind.
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

/// Prints the failures and the closing line. Returns whether nothing failed.
fn close(passed: usize, failures: &[String]) -> bool {
    for failure in failures {
        println!("FAILED: {failure}");
    }
    println!("{passed} passed, {} failed", failures.len());
    // A run in which nothing was chosen shows nothing, so it fails.
    failures.is_empty() && passed > 0
}
