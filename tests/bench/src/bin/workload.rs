//! Writes workloads and the world, for benchmarks in other languages.
//!
//! ```text
//! workload W3 > file          the bytes of W3, W5, W5-small; W1, W2 and W4 have one call to a line
//! workload codes W4 > file    the code of each call, one to a line
//! workload world > file       what the host knows, as JSON
//! workload all DIRECTORY      W1 to W5, W5-small, each with NAME.codes, world.json and world.tsv
//! ```

use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use franking_bench::workload::Workload;
use franking_bench::world::World;

const USAGE: &str = "usage: workload W1|W2|W3|W4|W5|W5-small | codes NAME | world | all DIRECTORY";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("workload: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let world = World::new();
    let output = match arguments {
        ["world"] => serde_json::to_vec(&world)?,
        ["codes", name] => codes(&named(name, &world)?),
        ["all", directory] => return all(Path::new(directory), &world),
        [name] => named(name, &world)?.to_file(),
        _ => return Err(USAGE.into()),
    };
    Ok(stdout().write_all(&output)?)
}

fn all(directory: &Path, world: &World) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    fs::write(directory.join("world.json"), serde_json::to_vec(world)?)?;
    fs::write(directory.join("world.tsv"), world.to_table())?;
    for name in Workload::NAMES.iter().chain(&["W5-small"]) {
        let workload = named(name, world)?;
        fs::write(directory.join(name), workload.to_file())?;
        fs::write(directory.join(format!("{name}.codes")), codes(&workload))?;
    }
    Ok(())
}

fn named(name: &str, world: &World) -> Result<Workload, Box<dyn Error>> {
    Workload::named(name, world)
        .ok_or_else(|| format!("there is no workload {name:?}; {USAGE}").into())
}

fn codes(workload: &Workload) -> Vec<u8> {
    let lines = workload.codes.iter().map(|code| format!("{code}\n"));
    lines.collect::<String>().into_bytes()
}
