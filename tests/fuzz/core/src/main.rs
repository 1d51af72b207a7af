//! Feeds generated and mutated input to the core and checks what must always hold: nothing panics, and the parts agree with
//! each other.
//!
//! ```text
//! franking-fuzz run VECTORS [seconds=N | cases=N] [seed=N] [first=N] [subject=NAME]
//! franking-fuzz names
//! ```
//!
//! `run` makes input from the vectors in that folder, for a number of seconds or of cases for each subject. The same seed
//! and number give the same case again. `subject` limits the run to one subject. `names` prints what the vectors have to
//! cover, as JSON.

mod calls;
mod corpus;
mod host;
mod rng;
mod sent;
mod texts;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
// clock: says how many cases are made, and is printed
use std::time::{Duration, Instant};

use franking::{Conflict, Policy, WarningKind};
use serde_json::{Value, json};

use crate::corpus::Corpus;
use crate::rng::Rng;

/// Ok, or a description of what does not hold.
type Checked = Result<(), String>;

/// Ends a check with a message when something does not hold.
macro_rules! ensure {
    ($holds:expr, $($message:tt)+) => {
        if !$holds {
            return Err(format!($($message)+));
        }
    };
}
pub(crate) use ensure;

type Check = fn(&Corpus, &mut Rng) -> Checked;

const SUBJECTS: [(&str, Check); 8] = [
    ("machine", calls::machine),
    ("preflight", calls::preflight),
    ("compose", calls::compose),
    ("transcript", calls::foreign_transcript),
    ("html", texts::html),
    ("sent html", sent::sent),
    ("addresses", texts::addresses),
    ("small forms", texts::small_forms),
];
/// Failures shown before a subject is given up.
const SHOWN: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.split_first() {
        Some((command, [])) if command == "names" => names(),
        Some((command, [vectors, settings @ ..])) if command == "run" => {
            run(Path::new(vectors), settings)
        }
        _ => Err(
            "usage: franking-fuzz run VECTORS [seconds=N | cases=N] [seed=N] [first=N] [subject=NAME], or names"
                .to_string(),
        ),
    };
    match done {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

/// Prints what the vectors have to cover, from the library's own tables.
fn names() -> Result<u64, String> {
    let policy: Value =
        serde_json::from_str(&Policy::default().to_json()).map_err(|error| error.to_string())?;
    let keys: Vec<&String> = policy
        .as_object()
        .into_iter()
        .flat_map(|keys| keys.keys())
        .collect();
    let conflicts = Conflict::ALL.iter().map(|conflict| {
        let operations: Vec<&str> = franking::Operation::ALL
            .iter()
            .copied()
            .filter(|operation| conflict.is_possible(*operation))
            .map(franking::Operation::name)
            .collect();
        json!({"conflict": conflict.name(), "operations": operations})
    });
    let conflicts: Vec<Value> = conflicts.collect();
    let warnings: Vec<&str> = WarningKind::ALL
        .iter()
        .map(|kind| kind.identifier())
        .collect();
    println!(
        "{}",
        json!({"policy": keys, "conflicts": conflicts, "warnings": warnings})
    );
    Ok(0)
}

#[derive(Clone, Debug)]
struct Settings {
    subject: Option<String>,
    time: Option<Duration>,
    cases: u64,
    seed: u64,
    first: u64,
}

impl Settings {
    fn read(given: &[String]) -> Result<Self, String> {
        let mut settings = Self {
            subject: None,
            time: None,
            cases: 1000,
            seed: 1,
            first: 0,
        };
        for setting in given {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            if name == "subject" {
                if !SUBJECTS.iter().any(|(subject, _)| *subject == value) {
                    return Err(format!("there is no subject {value:?}"));
                }
                settings.subject = Some(value.to_string());
                continue;
            }
            let value: u64 = value
                .parse()
                .map_err(|_| format!("{setting:?} is no NAME=NUMBER"))?;
            match name {
                "seconds" => {
                    (settings.time, settings.cases) = (Some(Duration::from_secs(value)), u64::MAX)
                }
                "cases" => settings.cases = value,
                "seed" => settings.seed = value,
                "first" => settings.first = value,
                _ => return Err(format!("there is no setting {name:?}")),
            }
        }
        Ok(settings)
    }
}

fn run(vectors: &Path, given: &[String]) -> Result<u64, String> {
    let settings = Settings::read(given)?;
    let corpus = Corpus::read(vectors)?;
    let (mut passed, mut failed) = (0, 0);
    for (subject, check) in SUBJECTS {
        if settings
            .subject
            .as_ref()
            .is_some_and(|only| only != subject)
        {
            continue;
        }
        // clock: printed, not judged
        let started = Instant::now();
        let (held, not_held) = run_subject(&corpus, subject, check, &settings);
        println!(
            "{subject:<12}{held:>10} held{not_held:>6} not{:>8.1} s",
            started.elapsed().as_secs_f64() // clock: printed, not judged
        );
        passed += held;
        failed += not_held;
    }
    println!("{passed} passed, {failed} failed");
    Ok(failed)
}

fn run_subject(corpus: &Corpus, subject: &str, check: Check, settings: &Settings) -> (u64, u64) {
    // clock: says how many cases are made, not whether they hold
    let started = Instant::now();
    let (mut held, mut not_held) = (0, 0);
    for number in settings.first..settings.first.saturating_add(settings.cases) {
        // clock: says how many cases are made, not whether they hold
        if settings.time.is_some_and(|time| started.elapsed() >= time) || not_held >= SHOWN as u64 {
            break;
        }
        let mut seeds = Rng::new(settings.seed);
        let mut rng = Rng::new(seeds.next() ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        // The panic has already written its message to standard error.
        let checked = catch_unwind(AssertUnwindSafe(|| check(corpus, &mut rng)));
        let checked = checked.unwrap_or_else(|_| Err("it panics".to_string()));
        match checked {
            Ok(()) => held += 1,
            Err(message) => {
                not_held += 1;
                println!(
                    "{subject}: {message} (again with: seed={} first={number} cases=1)",
                    settings.seed
                );
            }
        }
    }
    (held, not_held)
}
