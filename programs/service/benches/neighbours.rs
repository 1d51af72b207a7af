//! Two accounts share the service: one does its worst, and the calls and emails of the other take at most three times as
//! long as when it is alone.
//!
//! Part `neighbours` of `make prove`: it prints the table and each time that is too long. `SECONDS_PER_PART` sets the number
//! of calls, and `CASES` chooses cases by parts of their names, separated by commas.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::expect_used,
    missing_docs,
    dead_code,
    reason = "a measurement that meets the unexpected should stop"
)]

#[path = "../tests/neighbours/mod.rs"]
mod neighbours;
#[path = "../tests/support/mod.rs"]
mod support;

use neighbours::client::Seen;
use neighbours::worst::{Size, Worst};
use neighbours::{HEAD, Measured, measure, prepare, row};
use support::database::Database;

const SIZE: Size = Size {
    body: 29 << 20,
    idle: 2_000,
    recipients: 300_000,
    emails: 20_000,
    due: 1_000_000,
    callers: 255,
};
/// The highest permitted ratio of a time beside another account to the same time alone.
const RATIO: f64 = 3.0;

fn main() {
    // This program's own connections need file descriptors.
    let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum;
    let limit = rustix::process::Rlimit {
        current: most,
        maximum: most,
    };
    rustix::process::setrlimit(rustix::process::Resource::Nofile, limit).unwrap();
    let seconds = std::env::var("SECONDS_PER_PART").ok();
    let seconds = seconds.and_then(|text| text.parse::<usize>().ok());
    let calls = seconds.map_or(200, |seconds| (seconds / 2).clamp(50, 500));
    let world = support::world("world.json");
    let databases = [
        ("SQLite", Some(Database::sqlite(&world))),
        ("PostgreSQL", Database::postgres(&world)),
    ];
    let (mut passed, mut failed) = (0, 0);
    for (name, database) in databases {
        let Some(database) = database else {
            println!("NOT CHECKED: {name}, for want of a server");
            continue;
        };
        prepare(&database);
        let alone = measure(&database, Worst::Nothing, SIZE, calls);
        println!("{name}, {calls} calls in each case\n{HEAD}");
        println!("{}", row(Worst::Nothing, &alone, &alone.seen));
        let named = |worst: &Worst| match std::env::var("CASES") {
            Ok(cases) => cases.split(',').any(|case| worst.name().contains(case)),
            Err(_) => true,
        };
        for worst in Worst::ALL.into_iter().filter(named) {
            let measured = measure(&database, worst, SIZE, calls);
            println!("{}", row(worst, &measured, &alone.seen));
            let mut faults = beyond(&measured, &alone.seen);
            if !faults.is_empty() {
                // Of a hundred calls, the slowest one decides the 99th percentile. So both are measured again, with more calls.
                let more = calls * 3;
                let alone = measure(&database, Worst::Nothing, SIZE, more);
                let measured = measure(&database, worst, SIZE, more);
                println!("again, with {more} calls");
                println!("{}", row(Worst::Nothing, &alone, &alone.seen));
                println!("{}", row(worst, &measured, &alone.seen));
                faults = beyond(&measured, &alone.seen);
            }
            for fault in faults {
                println!("{name}, {}: {fault}", worst.name());
                failed += 1;
            }
            passed += 1;
        }
    }
    println!("{passed} passed, {failed} failed");
    std::process::exit(i32::from(failed > 0));
}

/// Lists the times and refusals that break the promise.
fn beyond(measured: &Measured, alone: &Seen) -> Vec<String> {
    let seen = &measured.seen;
    let mut all = Vec::new();
    if !seen.refused.is_empty() {
        all.push(format!("calls were refused: {:?}", seen.refused));
    }
    for (what, times, alone) in [
        ("calls", &seen.calls, &alone.calls),
        ("emails", &seen.emails, &alone.emails),
    ] {
        for part in [50, 99] {
            let [now, then] = [times, alone].map(|times| Seen::within(times, part).as_secs_f64());
            if now > then * RATIO {
                all.push(format!(
                    "p{part} of {what} is {:.1} times that alone",
                    now / then
                ));
            }
        }
    }
    all
}
