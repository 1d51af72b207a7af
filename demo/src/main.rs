//! Decides the calls of a folder against a small world, and shows for each what was asked, planned and answered.
//!
//! Usage: `franking-demo [FOLDER]`; a file is named `NAME.OPERATION.json`.

mod show;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use franking::{
    Account, Call, Commit, Facts, Host, Operation, Plan, Policy, Preflight, Questions, decide,
};
use franking_executor::World;

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).into(),
        PathBuf::from,
    );
    match run(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(folder: &Path) -> Result<(), String> {
    let read =
        |path: &Path| std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let world = read(&folder.join("world.json"))?;
    let world = serde_json::from_slice(&world).map_err(|error| format!("world.json: {error}"))?;
    let calls = folder.join("calls");
    let entries =
        std::fs::read_dir(&calls).map_err(|error| format!("{}: {error}", calls.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    for file in files {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let operation = name.rsplit('.').nth(1).and_then(Operation::from_name);
        let operation = operation.ok_or_else(|| {
            format!("{name}: name it NAME.sendMailer.json or NAME.httpSendMail.json")
        })?;
        let body = read(&file)?;
        show::title(&name, operation, &body);
        let mut call = Call::new(&Policy::default(), operation, "POST", &*body);
        let mut host = Narrator {
            world: World::new(&world, operation)?,
        };
        let decision = decide(&mut call, &mut host).map_err(|error| format!("{name}: {error}"))?;
        show::decision(&decision, &body);
        if !decision.is_accepted() {
            show::others(
                &Preflight::new(&Policy::default(), operation, &*body),
                &decision,
                &body,
            );
        }
        show::answer(&decision);
    }
    Ok(())
}

/// A host that tells what it is asked.
struct Narrator {
    world: World,
}

impl Host for Narrator {
    type Error = String;

    fn account(&mut self, key: &str) -> Result<Option<Account>, String> {
        let account = self.world.account(key)?;
        show::account(account.as_ref());
        Ok(account)
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), String> {
        self.world.facts(questions, facts)?;
        show::facts(questions, facts);
        Ok(())
    }

    fn commit(&mut self, plan: &Plan<'_>) -> Result<Commit, String> {
        show::plan(plan);
        self.world.commit(plan)
    }
}
