//! Times the library beside its peers and through other languages, and writes the ratios. `QUICK=1` takes less time.
//!
//! ```text
//! ratios [--only NAMES] [--c WORKER ARGUMENT...] [--python INTERPRETER SCRIPT ARGUMENT...]
//! ```
//! NAMES are workloads separated by commas. Each measured section of `target/bench/ratios.json` is replaced.

use std::env;
use std::error::Error;
use std::process::{Command, ExitCode};

use franking_bench::pairs::Effort;
use franking_bench::processors::stay_on_one;
use franking_bench::ratios::{merge, path, rounded};
use franking_bench::remote::Remote;
use franking_bench::suite::{Sections, Workers, measure};
use franking_bench::threads::Threads;
use franking_bench::workload::Workload;
use franking_bench::world::World;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratios: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    // The workers are started after this, so that they stay on the same processor.
    let processors = stay_on_one()?;
    let mut workers = Workers {
        c: None,
        python: None,
    };
    let mut names = Workload::NAMES.join(",");
    let arguments: Vec<String> = env::args().skip(1).collect();
    for option in options(&arguments) {
        match option {
            [flag, only] if flag == "--only" => names.clone_from(only),
            [flag, program, rest @ ..] if flag == "--c" => {
                workers.c = Some(Remote::start(Command::new(program).args(rest))?);
            }
            [flag, program, rest @ ..] if flag == "--python" => {
                workers.python = Some(Remote::start(Command::new(program).args(rest))?);
            }
            _ => return Err(format!("{option:?} is no option").into()),
        }
    }
    let names: Vec<&str> = names.split(',').collect();
    let world = World::new();
    let short = Workload::w1(&world);
    let mut threads = Threads::new(&world, &short, processors);
    let mut sections = Sections::default();
    for name in names {
        measure(
            name,
            &world,
            &mut workers,
            Effort::from_env(),
            &mut sections,
        )?;
        threads.measure()?;
    }
    let multiple = threads.multiple();
    println!("W1   two threads: {multiple:.2} times the throughput of one");
    sections.insert("two_threads".to_owned(), rounded(multiple));
    for (section, value) in sections {
        merge(&path(), &section, value)?;
    }
    Ok(())
}

/// The arguments, cut before each `--`.
fn options(arguments: &[String]) -> impl Iterator<Item = &[String]> {
    arguments.chunk_by(|_, next| !next.starts_with("--"))
}
