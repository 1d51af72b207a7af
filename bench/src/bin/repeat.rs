//! Lets one contender decide one workload over and over, for `perf` and `valgrind` to watch.
//!
//! ```text
//! repeat franking|lol_html|html5gum W1|W2|W3|W4|W5|W5-small TIMES
//! ```
//! Two runs that differ only in TIMES differ only in the deciding: making the world costs both the same.

use std::env;
use std::process::ExitCode;

use franking_bench::contender::Contender;
use franking_bench::database::Database;
use franking_bench::ours::Ours;
use franking_bench::peer::Peer;
use franking_bench::workload::Workload;
use franking_bench::world::World;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match repeat(&arguments) {
        Some(()) => ExitCode::SUCCESS,
        None => {
            eprintln!("usage: repeat franking|lol_html|html5gum W1|W2|W3|W4|W5|W5-small TIMES");
            ExitCode::from(2)
        }
    }
}

fn repeat(arguments: &[&str]) -> Option<()> {
    let [contender, workload, times] = arguments else {
        return None;
    };
    let world = World::new();
    let database = Database::new(&world);
    let workload = Workload::named(workload, &world)?;
    let mut contender: Box<dyn Contender + '_> = match *contender {
        "franking" => Box::new(Ours::new(&database)),
        "lol_html" => Box::new(Peer::lol_html(&database)),
        "html5gum" => Box::new(Peer::html5gum(&database)),
        _ => return None,
    };
    let mut codes = Vec::with_capacity(workload.bodies.len());
    for _ in 0..times.parse::<u32>().ok()? {
        contender.run(&workload, &mut codes);
    }
    Some(())
}
