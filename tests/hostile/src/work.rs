//! Work in proportion to the length, shown by counted instructions.
//!
//! Valgrind's callgrind runs this program a second time and counts every instruction, those of the standard library
//! and of libc among them. The counts are the same in every run, however busy the machine is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::planted::{is_quadratic, planted};
use crate::subject::{Prepared, Subject, subjects};
use crate::{Settings, close};

/// Long enough for what is quadratic to weigh more than all else, short enough for two minutes.
pub(crate) const BYTES: usize = 256 << 10;
/// The command with which this program counts in itself.
pub(crate) const COUNT: &str = "count";
/// How much longer the second input is.
const TIMES: usize = 4;
/// Linear work is four times as much for four times the length, and what needs sorting a little more; quadratic work
/// is sixteen times as much.
const MOST: f64 = 5.5;

/// The subjects, and what is planted among them.
fn all() -> Vec<Subject> {
    subjects().into_iter().chain(planted()).collect()
}

/// Counts each subject at this size and at a quarter of it, for the program that started this one.
pub(crate) fn count(settings: &Settings) -> bool {
    for subject in settings.chosen(all()) {
        for size in [settings.bytes / TIMES, settings.bytes] {
            counted((subject.prepare)(size));
        }
        println!("{}", subject.name);
    }
    true
}

/// Has a name of its own: callgrind is told to count in here alone, and to write down each count by itself.
#[inline(never)]
fn counted(prepared: Prepared) {
    prepared();
}

/// The instructions for one subject: for a quarter of the input, and for all of it.
struct Growth {
    name: String,
    quarter: u64,
    whole: u64,
}

impl Growth {
    fn ratio(&self) -> f64 {
        self.whole as f64 / self.quarter as f64
    }

    /// Below an instruction for each byte it is of no account how the work grows.
    fn is_linear(&self, size: usize) -> bool {
        self.ratio() <= MOST || self.whole < size as u64
    }
}

/// Counts all subjects, on every processor at hand, and judges how their work grows. Whether all is well.
pub(crate) fn run(settings: &Settings) -> Result<bool, String> {
    if !is_installed() {
        println!("NOT CHECKED, for want of valgrind (apt-get install valgrind): how work grows");
        return Ok(true);
    }
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let all = thread::scope(|scope| {
        let started: Vec<_> = (1..=workers)
            .map(|which| scope.spawn(move || counts(settings, which, workers)))
            .collect();
        let ended = started.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|_| Err("a counter panicked".to_string()))
        });
        ended.collect::<Result<Vec<_>, String>>()
    })?;
    println!(
        "instructions for {} bytes of input, and how many times those of a quarter of it",
        settings.bytes
    );
    let mut failures = Vec::new();
    let mut passed = 0;
    for growth in all.iter().flatten() {
        println!(
            "{:60} {:>14} {:6.2}",
            growth.name,
            growth.whole,
            growth.ratio()
        );
        let is_linear = growth.is_linear(settings.bytes);
        if is_linear != is_quadratic(&growth.name) {
            passed += 1;
        } else if is_linear {
            failures.push(format!("not noticed: {}", growth.name));
        } else {
            let (whole, quarter) = (growth.whole, growth.quarter);
            failures.push(format!(
                "{}: {whole} instructions, {quarter} for a quarter of it",
                growth.name
            ));
        }
    }
    Ok(close(passed, &failures))
}

fn is_installed() -> bool {
    let mut valgrind = Command::new("valgrind");
    let run = valgrind.arg("--version").stdout(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// What one counting program finds: its share of the subjects.
fn counts(settings: &Settings, which: usize, of: usize) -> Result<Vec<Growth>, String> {
    let read = || -> io::Result<_> {
        let program = std::env::current_exe()?;
        // Beside the program, among all that was built: what an end by force leaves behind goes with the next run.
        let folder = program.with_extension(format!("counts-{which}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder)?;
        let run = start(&program, &folder, settings, which, of)?;
        let found = match run.status.success() {
            true => growths(&folder, &String::from_utf8_lossy(&run.stdout)),
            false => Err(io::Error::other(format!("valgrind: {}", run.status))),
        };
        fs::remove_dir_all(&folder)?;
        found
    };
    read().map_err(|error| format!("counting instructions: {error}"))
}

fn start(
    program: &Path,
    folder: &Path,
    settings: &Settings,
    which: usize,
    of: usize,
) -> io::Result<std::process::Output> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--quiet", "--tool=callgrind"])
        .arg(format!(
            "--callgrind-out-file={}",
            folder.join("out").display()
        ))
        .arg("--toggle-collect=franking_hostile::work::counted")
        .arg("--dump-after=franking_hostile::work::counted")
        .arg(program)
        .arg(COUNT)
        .arg(format!("bytes={}", settings.bytes))
        .arg(format!("only={}", settings.only))
        .arg(format!("seconds={}", settings.seconds))
        .arg(format!("share={which}/{of}"))
        .stderr(Stdio::inherit())
        .output()
}

/// Reads the counts, two for each name, in the order in which they were written.
fn growths(folder: &Path, names: &str) -> io::Result<Vec<Growth>> {
    let mut number = 0;
    let mut next = || {
        number += 1;
        total(&folder.join(format!("out.{number}")))
    };
    let names = names.lines().map(|name| {
        Ok(Growth {
            name: name.to_string(),
            quarter: next()?,
            whole: next()?,
        })
    });
    names.collect()
}

/// The instructions that callgrind has written down.
fn total(path: &PathBuf) -> io::Result<u64> {
    let text = fs::read_to_string(path)?;
    let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let number = line.and_then(|number| number.trim().parse().ok());
    number.ok_or_else(|| io::Error::other("callgrind counted nothing"))
}
