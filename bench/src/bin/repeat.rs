//! Lets contenders decide workloads over and over, for `perf` and `valgrind` to watch.
//!
//! ```text
//! repeat franking|lol_html|html5gum W1|W2|W3|W4|W5|W5-small TIMES
//! repeat count                         what the instruction guard counts, one line for each call of `counted`
//! ```
//! Two runs that differ only in TIMES differ only in the deciding: making the world costs both the same.

use std::env;
use std::process::ExitCode;

use franking_bench::contender::{Contender, check};
use franking_bench::database::Database;
use franking_bench::ours::Ours;
use franking_bench::peer::Peer;
use franking_bench::workload::Workload;
use franking_bench::world::World;

/// What is counted, and how often, so that what happens once is of no account.
const COUNTED: [(&str, u32); 3] = [("W1", 50), ("W2", 5), ("W5-small", 2)];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments.as_slice() {
        ["count"] => count(),
        [contender, workload, times] => repeat(contender, workload, times),
        _ => None,
    };
    match done {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!(
                "usage: repeat count | franking|lol_html|html5gum W1|W2|W3|W4|W5|W5-small TIMES"
            );
            ExitCode::from(2)
        }
    }
}

fn repeat(contender: &str, workload: &str, times: &str) -> Option<()> {
    let world = World::new();
    let database = Database::new(&world);
    let workload = Workload::named(workload, &world)?;
    let mut contender = named(contender, &database)?;
    counted(&mut *contender, &workload, times.parse().ok()?);
    Some(())
}

fn count() -> Option<()> {
    let world = World::new();
    let database = Database::new(&world);
    for (workload, times) in COUNTED {
        let workload = Workload::named(workload, &world)?;
        for name in ["franking", "lol_html"] {
            let mut contender = named(name, &database)?;
            // Also warms up what is made once.
            if let Err(difference) = check(&mut *contender, &workload) {
                eprintln!("repeat: {difference}");
                return None;
            }
            counted(&mut *contender, &workload, times);
            println!("{} {name} {times}", workload.name);
        }
    }
    Some(())
}

/// Has a name of its own, so that a profiler can be told to look at nothing else.
#[inline(never)]
fn counted(contender: &mut dyn Contender, workload: &Workload, times: u32) {
    let mut codes = Vec::with_capacity(workload.bodies.len());
    for _ in 0..times {
        contender.run(workload, &mut codes);
    }
}

fn named<'d>(name: &str, database: &'d Database) -> Option<Box<dyn Contender + 'd>> {
    Some(match name {
        "franking" => Box::new(Ours::new(database)),
        "lol_html" => Box::new(Peer::lol_html(database)),
        "html5gum" => Box::new(Peer::html5gum(database)),
        _ => return None,
    })
}
