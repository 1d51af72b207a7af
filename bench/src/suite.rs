//! Everything that is measured about a Rust contender, in one call each. Programs in `src/bin` choose the contender.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::contender::{Contender, check};
use crate::database::Database;
use crate::pairs::{Effort, Ratio, alone, pair, quantile, repetitions};
use crate::peer::{Peer, limits};
use crate::ratios::rounded;
use crate::workload::Workload;
use crate::world::World;

/// Makes a contender over a database, for each thread its own.
pub type Make<'m> = dyn for<'a> Fn(&'a Database) -> Box<dyn Contender + 'a> + Sync + 'm;

/// The ratios of a contender to the `lol_html` peer, by workload: the section `rust` of the file. Every workload's
/// codes are checked before it is timed, and every line is printed as soon as it is known.
///
/// # Errors
/// The first call that was answered with another code than it should.
pub fn ratios(
    world: &World,
    make: &Make<'_>,
    effort: Effort,
) -> Result<Map<String, Value>, String> {
    let database = Database::new(world);
    let mut section = Map::new();
    for name in Workload::NAMES {
        let workload = Workload::named(name, world).expect("a workload of that name");
        let (mut ours, mut peer) = (make(&database), Peer::lol_html(&database));
        check(&mut *ours, &workload)?;
        check(&mut peer, &workload)?;
        let ratio = pair(
            effort,
            &mut once(&mut *ours, &workload),
            &mut once(&mut peer, &workload),
        );
        report(&workload, ours.name(), peer.name(), &ratio);
        section.insert(name.to_owned(), rounded(ratio.median));
    }
    Ok(section)
}

/// What the parts of the work take alone, printed and returned by name, in nanoseconds for a call.
#[must_use]
pub fn limits_of(workload: &Workload, effort: Effort) -> Vec<(&'static str, f64)> {
    let calls = workload.bodies.len() as f64;
    limits(workload)
        .into_iter()
        .map(|mut limit| {
            let time = alone(effort, &mut *limit.run) / calls;
            println!("{:<4} {:<12} {}", workload.name, limit.name, duration(time));
            (limit.name, time)
        })
        .collect()
}

/// The throughput of two threads on `workload` as a multiple of that of one: the median over rounds in which both
/// are measured.
#[must_use]
pub fn two_threads(world: &World, workload: &Workload, make: &Make<'_>, effort: Effort) -> f64 {
    let database = Database::new(world);
    let share = 20 * repetitions(&mut once(&mut *make(&database), workload));
    let started = Instant::now();
    let mut multiples = Vec::new();
    while multiples.len() < effort.least_rounds
        || (started.elapsed() < effort.time && multiples.len() < effort.most_rounds)
    {
        let one = threads(1, share, &database, workload, make);
        let two = threads(2, share, &database, workload, make);
        multiples.push(2.0 * one.as_secs_f64() / two.as_secs_f64());
    }
    quantile(&multiples, 0.5)
}

/// How long `count` threads take, each running `workload` that often.
fn threads(
    count: usize,
    times: u32,
    database: &Database,
    workload: &Workload,
    make: &Make<'_>,
) -> Duration {
    let ready = Barrier::new(count + 1);
    std::thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                let mut contender = make(database);
                let mut run = once(&mut *contender, workload);
                run();
                ready.wait();
                (0..times).for_each(|_| run());
                ready.wait();
            });
        }
        ready.wait();
        let started = Instant::now();
        ready.wait();
        started.elapsed()
    })
}

fn once<'a>(contender: &'a mut dyn Contender, workload: &'a Workload) -> impl FnMut() + 'a {
    let mut codes = Vec::with_capacity(workload.bodies.len());
    move || {
        contender.run(workload, &mut codes);
        std::hint::black_box(&codes);
    }
}

fn report(workload: &Workload, first: &str, second: &str, ratio: &Ratio) {
    let calls = workload.bodies.len() as f64;
    println!(
        "{:<4} {first} {} / {second} {} = {:.3} ({:.3} to {:.3}, {} rounds)",
        workload.name,
        duration(ratio.first_ns / calls),
        duration(ratio.second_ns / calls),
        ratio.median,
        ratio.low,
        ratio.high,
        ratio.rounds
    );
}

fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.0} ns"),
        ..1e6 => format!("{:.2} us", nanoseconds / 1e3),
        _ => format!("{:.2} ms", nanoseconds / 1e6),
    }
}
