//! Times the peers beside each other, and the limits: what there is to beat. `QUICK=1` is quick.

use std::process::ExitCode;

use franking_bench::contender::Contender;
use franking_bench::database::Database;
use franking_bench::pairs::Effort;
use franking_bench::peer::Peer;
use franking_bench::suite;
use franking_bench::workload::Workload;
use franking_bench::world::World;

fn main() -> ExitCode {
    let world = World::new();
    let effort = Effort::from_env();
    if let Err(difference) = suite::ratios(&world, &html5gum, effort) {
        eprintln!("peers: {difference}");
        return ExitCode::FAILURE;
    }
    for name in Workload::NAMES {
        if let Some(workload) = Workload::named(name, &world) {
            let _times = suite::limits_of(&workload, Effort::QUICK);
        }
    }
    let multiple = suite::two_threads(&world, &Workload::w1(&world), &lol_html, effort);
    println!("W1   lol_html on two threads: {multiple:.2} times the throughput of one");
    ExitCode::SUCCESS
}

fn html5gum(database: &Database) -> Box<dyn Contender + '_> {
    Box::new(Peer::html5gum(database))
}

fn lol_html(database: &Database) -> Box<dyn Contender + '_> {
    Box::new(Peer::lol_html(database))
}
