//! Lets contenders decide workloads many times, for `perf` and `valgrind` to watch.
//!
//! ```text
//! repeat CONTENDER W1|W2|W3|W4|W5|W5-small TIMES
//! repeat count                         what the instruction guard counts, one line for each call of `counted`
//! ```
//! The contenders are `franking` and `ordinary`, each also with `-unread` for a host that does not read the HTML of plans,
//! and `lol_html` and `html5gum`.
//!
//! Two runs that differ only in TIMES differ only in the deciding: both spend the same on making the world.

use std::env;
use std::process::ExitCode;

use franking_bench::contender::{Contender, check};
use franking_bench::database::Database;
use franking_bench::ordinary::Ordinary;
use franking_bench::ours::Ours;
use franking_bench::peer::Peer;
use franking_bench::workload::{Operation, Workload};
use franking_bench::world::World;

/// The workloads of the count: how many calls of each, and how often they are decided, so that costs that occur once do not
/// matter.
const COUNTED: [(&str, usize, u32); 3] = [("W1", 1_000, 1), ("W2", 50, 1), ("W5-small", 1, 2)];

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
            eprintln!("usage: repeat count | CONTENDER W1|W2|W3|W4|W5|W5-small TIMES");
            ExitCode::from(2)
        }
    }
}

fn repeat(contender: &str, workload: &str, times: &str) -> Option<()> {
    let world = World::new();
    let database = Database::new(&world);
    let workload = Workload::named(workload, &world)?;
    let mut contender = named(contender, &world, &database)?;
    counted(&mut *contender, &workload, times.parse().ok()?);
    Some(())
}

fn count() -> Option<()> {
    let world = World::new();
    let database = Database::new(&world);
    for (workload, calls, times) in COUNTED {
        let workload = Workload::named(workload, &world)?.first(calls);
        let mut names = vec!["franking", "ordinary", "lol_html"];
        if workload.operation == Operation::HttpSendMail {
            names.push("franking-unread");
        }
        for name in names {
            let mut contender = named(name, &world, &database)?;
            // This also makes what is made only once.
            if let Err(difference) = check(&mut *contender, &workload) {
                eprintln!("repeat: {difference}");
                return None;
            }
            counted(&mut *contender, &workload, times);
            println!("{} {name} {}", workload.name, times * calls as u32);
        }
    }
    Some(())
}

/// This function exists so that a profiler can look at it alone.
#[inline(never)]
fn counted(contender: &mut dyn Contender, workload: &Workload, times: u32) {
    let mut codes = Vec::with_capacity(workload.bodies.len());
    for _ in 0..times {
        contender.run(workload, &mut codes);
    }
}

fn named<'d>(name: &str, world: &World, database: &'d Database) -> Option<Box<dyn Contender + 'd>> {
    Some(match name {
        "franking" => Box::new(Ours::new(database)),
        "ordinary" => Box::new(Ordinary::new(world)),
        "franking-unread" => Box::new(Ours::new(database).without_html()),
        "ordinary-unread" => Box::new(Ordinary::new(world).without_html()),
        "lol_html" => Box::new(Peer::lol_html(database)),
        "html5gum" => Box::new(Peer::html5gum(database)),
        _ => return None,
    })
}
