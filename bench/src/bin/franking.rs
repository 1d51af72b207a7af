//! Times the library beside the `lol_html` peer and writes the section `rust` of the ratios. `QUICK=1` is quick.

use std::process::ExitCode;

use franking_bench::contender::Contender;
use franking_bench::database::Database;
use franking_bench::ours::Ours;
use franking_bench::pairs::Effort;
use franking_bench::ratios;
use franking_bench::suite;
use franking_bench::workload::Workload;
use franking_bench::world::World;

fn main() -> ExitCode {
    let world = World::new();
    let effort = Effort::from_env();
    let section = match suite::ratios(&world, &ours, effort) {
        Ok(section) => section,
        Err(difference) => {
            eprintln!("{difference}");
            return ExitCode::FAILURE;
        }
    };
    if let Err(error) = ratios::merge(&ratios::path(), "rust", section.into()) {
        eprintln!("{}: {error}", ratios::path().display());
        return ExitCode::FAILURE;
    }
    let multiple = suite::two_threads(&world, &Workload::w1(&world), &ours, effort);
    println!("W1   two threads: {multiple:.2} times the throughput of one");
    ExitCode::SUCCESS
}

fn ours(database: &Database) -> Box<dyn Contender + '_> {
    Box::new(Ours::new(database))
}
