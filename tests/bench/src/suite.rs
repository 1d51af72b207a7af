//! Everything that `make bench` measures about a workload, printed as soon as it is known, and the sections of the file that
//! get the medians.

use std::error::Error;

use serde_json::{Map, Value};

use crate::contender::{Contender, check};
use crate::database::Database;
use crate::ordinary::Ordinary;
use crate::ours::Ours;
use crate::pairs::{Effort, Ratio, alone, pair};
use crate::peer::{Peer, limits};
use crate::ratios::rounded;
use crate::remote::Remote;
use crate::workload::{Operation, Workload};
use crate::world::World;

/// The contenders in other languages, if they are there.
#[derive(Debug)]
pub struct Workers {
    /// The C program, with the contenders `franking` and `ordinary`.
    pub c: Option<Remote>,
    /// The Python program, with the contenders `franking`, `ordinary`, `unread`, `check`, `today` and `tuned`.
    pub python: Option<Remote>,
}

/// The medians as the file of ratios has them: for each section, those of the workloads.
pub type Sections = Map<String, Value>;

/// Measures all contenders on the workload of that name. Codes are checked before anything is timed.
///
/// # Errors
/// The first call that got a code other than the expected one, or a worker that has ended.
pub fn measure(
    name: &str,
    world: &World,
    workers: &mut Workers,
    effort: Effort,
    sections: &mut Sections,
) -> Result<(), Box<dyn Error>> {
    let database = Database::new(world);
    let workload = Workload::named(name, world).ok_or("no such workload")?;
    let mut ours = Ours::new(&database);
    let mut ordinary = Ordinary::new(world);
    let mut peer = Peer::lol_html(&database);
    check(&mut peer, &workload)?;
    let mut to_peer = |ours: &mut dyn Contender, section| {
        let section = (Some(section), &mut *sections);
        beside_peer(ours, &mut peer, &workload, effort, section)
    };
    to_peer(&mut ours, "rust")?;
    to_peer(&mut ordinary, "rust_ordinary")?;
    if workload.operation == Operation::HttpSendMail {
        let mut unread = Ours::new(&database).without_html();
        to_peer(&mut unread, "rust_unread")?;
        let mut unread = Ordinary::new(world).without_html();
        to_peer(&mut unread, "rust_ordinary_unread")?;
    }
    let mut peer = Peer::html5gum(&database);
    check(&mut peer, &workload)?;
    beside_peer(&mut ours, &mut peer, &workload, effort, (None, sections))?;
    if let Some(worker) = &mut workers.c {
        beside(
            worker,
            "franking",
            &mut ours,
            &workload,
            effort,
            ("c", sections),
        )?;
        beside(
            worker,
            "ordinary",
            &mut ordinary,
            &workload,
            effort,
            ("c_ordinary", sections),
        )?;
    }
    if let Some(worker) = &mut workers.python {
        python(worker, &mut ours, &workload, effort, sections)?;
        let section = ("python_ordinary", sections);
        beside(
            worker,
            "ordinary",
            &mut ordinary,
            &workload,
            effort,
            section,
        )?;
    }
    limits_of(&workload);
    Ok(())
}

/// Times a contender of a worker beside one of this program, and puts the ratio into a section.
fn beside(
    worker: &mut Remote,
    there: &str,
    here: &mut dyn Contender,
    workload: &Workload,
    effort: Effort,
    (section, sections): (&str, &mut Sections),
) -> Result<(), Box<dyn Error>> {
    worker.check(there, workload)?;
    let mut program = worker.program(there, workload);
    let name = here.name();
    let ratio = pair(effort, &mut program, &mut once(here, workload));
    report(workload, [section, name], &ratio);
    put(sections, section, workload.name, ratio.median);
    Ok(())
}

/// Times a contender beside a peer, both of this program, and puts the ratio into a section if there is one.
fn beside_peer(
    ours: &mut dyn Contender,
    peer: &mut dyn Contender,
    workload: &Workload,
    effort: Effort,
    (section, sections): (Option<&str>, &mut Sections),
) -> Result<(), String> {
    check(ours, workload)?;
    let names = [ours.name(), peer.name()];
    let ratio = pair(effort, &mut once(ours, workload), &mut once(peer, workload));
    report(workload, names, &ratio);
    if let Some(section) = section {
        put(sections, section, workload.name, ratio.median);
    }
    Ok(())
}

fn python(
    worker: &mut Remote,
    ours: &mut Ours<'_>,
    workload: &Workload,
    effort: Effort,
    sections: &mut Sections,
) -> Result<(), Box<dyn Error>> {
    for contender in ["franking", "unread", "check", "today", "tuned"] {
        worker.check(contender, workload)?;
    }
    beside(
        worker,
        "franking",
        ours,
        workload,
        effort,
        ("python", sections),
    )?;
    for (peer, section) in [("today", Some("python_peer")), ("tuned", None)] {
        let ratio = worker.pair(effort, ["franking", peer], workload);
        report(workload, ["Python", &format!("Python peer {peer}")], &ratio);
        if let Some(section) = section {
            put(sections, section, workload.name, ratio.median);
        }
    }
    for (contender, key) in [("check", "check_W1"), ("unread", "decide_W1")] {
        let time = alone(effort, &mut worker.program(contender, workload));
        let calls = workload.bodies.len() as f64;
        println!(
            "{:<4} Python {contender} alone {}",
            workload.name,
            duration(time / calls)
        );
        if workload.name == "W1" {
            put(sections, "python_us", key, time / calls / 1e3);
        }
    }
    Ok(())
}

/// Prints the time of each part of the work alone.
fn limits_of(workload: &Workload) {
    let calls = workload.bodies.len() as f64;
    for mut limit in limits(workload) {
        let time = alone(Effort::SHORT, &mut limit.run) / calls;
        println!(
            "{:<4} {} alone {}",
            workload.name,
            limit.name,
            duration(time)
        );
    }
}

/// A contender that decides a workload once.
pub(crate) fn once<'a>(
    contender: &'a mut dyn Contender,
    workload: &'a Workload,
) -> impl FnMut() + 'a {
    let mut codes = Vec::with_capacity(workload.bodies.len());
    move || {
        contender.run(workload, &mut codes);
        std::hint::black_box(&codes);
    }
}

fn put(sections: &mut Sections, section: &str, name: &str, number: f64) {
    let section = sections
        .entry(section)
        .or_insert_with(|| Map::new().into())
        .as_object_mut();
    if let Some(section) = section {
        section.insert(name.to_owned(), rounded(number));
    }
}

fn report(workload: &Workload, [first, second]: [&str; 2], ratio: &Ratio) {
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
