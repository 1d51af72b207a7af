//! Measures the memory that deciding W3 adds besides the body and the host's answers, and the memory that the peer adds.
//! Writes `memory_w3_mb` of `target/bench/ratios.json`.

use std::error::Error;
use std::process::ExitCode;

use franking_bench::contender::{Contender, check};
use franking_bench::counting::{self, Counting};
use franking_bench::database::Database;
use franking_bench::ours::Ours;
use franking_bench::peer::Peer;
use franking_bench::ratios::{merge, path, rounded};
use franking_bench::workload::Workload;
use franking_bench::world::World;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("memory: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let world = World::new();
    let database = Database::new(&world);
    let workload = Workload::w3(&world);
    let ours = added(
        &mut Ours::new(&database).with_answers_by(|answer| counting::aside(answer)),
        &workload,
    )?;
    added(&mut Peer::lol_html(&database), &workload)?;
    Ok(merge(&path(), "memory_w3_mb", rounded(ours))?)
}

/// The most megabytes that deciding adds at one time.
fn added(contender: &mut dyn Contender, workload: &Workload) -> Result<f64, String> {
    let (checked, bytes) = counting::peak(|| check(contender, workload));
    let megabytes = bytes as f64 / 1e6;
    println!(
        "{}   {} adds {megabytes:.2} MB",
        workload.name,
        contender.name()
    );
    checked.map(|()| megabytes)
}
