//! Carries out a command.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use franking::{Blacklists, DomainRoles, DomainSet, Operation, Policy, RULES_VERSION};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::arguments::{Command, Input, OfCalls, Results as ResultArguments};
use crate::chart;
use crate::error::BulkError;
use crate::files::{self, CallFile, Format};
use crate::judge::{Judge, Listed};
use crate::progress::Progress;
use crate::read::Wanted;
use crate::summary::{Done, Summary, SummaryForm};
use crate::work::{Event, Work};
use crate::write::{Folder, Results, Which, with_ending};

/// How a command ended. The number is the exit status of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// No call is refused or changed.
    Fine = 0,
    /// A call is.
    Notable = 1,
}

/// What is done with the calls of some files.
struct Task {
    input: Input,
    default_column: &'static str,
    operations: Option<String>,
    judge: Judge,
    done: Done,
    which: Which,
    folder: Option<Folder>,
    svg: Option<PathBuf>,
    json: bool,
    /// All that findings depend on, beside the calls: those that were made with the same are not made again.
    settings: Settings,
}

/// The settings of findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Settings {
    version: String,
    rules: u32,
    /// SHA-256 of the arguments and of the files that they name, but for those of calls.
    arguments: String,
}

impl Settings {
    fn new(arguments: &[String]) -> Self {
        let mut digest = Sha256::new();
        for argument in arguments {
            digest.update(argument);
            // No argument has this byte.
            digest.update([0]);
        }
        let digest = digest.finalize();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: RULES_VERSION,
            arguments: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

/// What is written when all findings of a file are.
#[derive(Debug, Serialize, Deserialize)]
struct Finished {
    settings: Settings,
    /// The length of the file of calls, and when it was written.
    length: u64,
    modified: u64,
    summary: SummaryForm,
}

/// Carries out a command.
///
/// # Errors
/// It cannot be carried out.
pub(crate) fn run(command: Command) -> Result<Status, BulkError> {
    task(command)?.run()
}

fn task(command: Command) -> Result<Task, BulkError> {
    match command {
        Command::Check(check) => {
            let policy = read_policy(check.policy.as_deref())?;
            let operation = check.operation.operation.map(Operation::from);
            let settings = Settings::new(&[
                "check".to_owned(),
                policy.to_json(),
                format!("{operation:?} {} {}", check.all, check.refused_only),
                described(&check.input, &check.results),
            ]);
            Ok(Task {
                operations: operations(&check.operation),
                judge: Judge::Check {
                    policy,
                    operation,
                    all: check.all,
                },
                done: Done::Checked,
                ..Task::new(
                    check.input,
                    "body",
                    check.refused_only,
                    check.results,
                    settings,
                )
            })
        }
        Command::Compare(compare) => {
            let before = read_policy(compare.before.as_deref())?;
            let policy = read_policy(Some(&compare.policy))?;
            let operation = compare.operation.operation.map(Operation::from);
            let settings = Settings::new(&[
                "compare".to_owned(),
                before.to_json(),
                policy.to_json(),
                format!("{operation:?} {}", compare.changed_only),
                described(&compare.input, &compare.results),
            ]);
            Ok(Task {
                operations: operations(&compare.operation),
                judge: Judge::Compare {
                    before,
                    policy,
                    operation,
                },
                ..Task::new(
                    compare.input,
                    "body",
                    compare.changed_only,
                    compare.results,
                    settings,
                )
            })
        }
        Command::Redecide(redecide) => {
            let given = redecide.policy.as_deref();
            let policy = given.map(|path| read_policy(Some(path))).transpose()?;
            let lists = &redecide.blacklists;
            let paths = [
                &lists.blacklist_sender,
                &lists.blacklist_reply_to,
                &lists.blacklist_recipient,
                &lists.blacklist_content,
            ];
            let [sender, reply_to, recipient, content] =
                paths.map(|path| path.as_deref().map(read_blacklist).transpose());
            let sets = [sender?, reply_to?, recipient?, content?];
            let entries = |set: &Option<DomainSet>| match set {
                Some(set) => set.iter().collect::<Vec<_>>().join(" "),
                None => "-".to_owned(),
            };
            let mut arguments = vec![
                "redecide".to_owned(),
                policy.as_ref().map(Policy::to_json).unwrap_or_default(),
                redecide.changed_only.to_string(),
                described(&redecide.input, &redecide.results),
            ];
            arguments.extend(sets.iter().map(entries));
            let given = DomainRoles::ALL.iter().zip(&sets);
            let given = given.filter_map(|(role, set)| set.is_some().then_some(*role));
            let roles = given.fold(DomainRoles::NONE, |all, role| all | role);
            let [sender, reply_to, recipient, content] = sets.map(Option::unwrap_or_default);
            let blacklists = (!roles.is_empty()).then(|| Listed {
                roles,
                sets: Arc::new(Blacklists {
                    sender,
                    reply_to,
                    recipient,
                    content,
                }),
            });
            Ok(Task {
                judge: Judge::Redecide { policy, blacklists },
                ..Task::new(
                    redecide.input,
                    "transcript",
                    redecide.changed_only,
                    redecide.results,
                    Settings::new(&arguments),
                )
            })
        }
        Command::Convert(convert) => {
            let results = ResultArguments {
                out: Some(convert.out),
                form: convert.form,
                svg: None,
                json: false,
            };
            let operations = convert.operation_column;
            let settings = Settings::new(&[
                "convert".to_owned(),
                format!("{operations:?}"),
                described(&convert.input, &results),
            ]);
            let task = Task::new(convert.input, "body", false, results, settings);
            Ok(Task {
                judge: Judge::Convert {
                    calls: task.column().to_owned(),
                    operations: operations.clone(),
                },
                operations,
                done: Done::Converted,
                which: Which {
                    notable_only: false,
                    has_rows: false,
                },
                ..task
            })
        }
    }
}

/// The column of operations, unless all calls have one.
fn operations(of: &OfCalls) -> Option<String> {
    let name = of.operation_column.clone();
    of.operation
        .is_none()
        .then(|| name.unwrap_or_else(|| "operation".to_owned()))
}

/// What findings depend on of these arguments.
fn described(input: &Input, results: &ResultArguments) -> String {
    let Input {
        column,
        lines,
        carry,
        ..
    } = input;
    format!("{column:?} {lines} {carry:?} {:?}", results.form)
}

impl Task {
    /// A task that decides calls again. What else there is has to be set.
    fn new(
        input: Input,
        default_column: &'static str,
        notable_only: bool,
        results: ResultArguments,
        settings: Settings,
    ) -> Self {
        Self {
            input,
            default_column,
            operations: None,
            judge: Judge::Redecide {
                policy: None,
                blacklists: None,
            },
            done: Done::DecidedAgain,
            which: Which {
                notable_only,
                has_rows: true,
            },
            folder: results.out.map(|path| Folder::new(path, results.form)),
            svg: results.svg,
            json: results.json,
            settings,
        }
    }

    fn column(&self) -> &str {
        self.input.column.as_deref().unwrap_or(self.default_column)
    }

    fn run(self) -> Result<Status, BulkError> {
        let files = files::find(&self.input.files)?;
        let (mut summary, left) = match &self.folder {
            Some(folder) => {
                folder.check(&files)?;
                self.finished_before(folder, files)
            }
            None => (Summary::default(), files),
        };
        self.work(&left, &mut summary)?;
        if let Some(path) = &self.svg {
            fs::write(path, chart::svg(&summary)).map_err(BulkError::write(path))?;
        }
        let mut out = anstream::stdout().lock();
        let written = if self.json {
            serde_json::to_writer(&mut out, &summary.to_form())
                .map_err(Into::into)
                .and_then(|()| writeln!(out))
        } else {
            summary.write(&mut out, self.done)
        };
        written
            .and_then(|()| out.flush())
            .map_err(BulkError::Output)?;
        Ok(match summary.notable() {
            0 => Status::Fine,
            _ => Status::Notable,
        })
    }

    /// What was found before in files that have their findings, and the other files.
    fn finished_before(&self, folder: &Folder, files: Vec<CallFile>) -> (Summary, Vec<CallFile>) {
        let mut summary = Summary::default();
        let mut left = Vec::new();
        for file in files {
            match self.finished(folder, &file) {
                Some(finished) => summary.add(&finished),
                None => left.push(file),
            }
        }
        (summary, left)
    }

    fn finished(&self, folder: &Folder, file: &CallFile) -> Option<Summary> {
        let text = fs::read(finished_place(folder, file)).ok()?;
        let finished: Finished = serde_json::from_slice(&text).ok()?;
        let is_same = finished.settings == self.settings
            && finished.length == file.length
            && finished.modified == file.modified;
        is_same.then(|| finished.summary.into_summary()).flatten()
    }

    fn work(&self, files: &[CallFile], summary: &mut Summary) -> Result<(), BulkError> {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let threads = self.input.threads.map_or_else(processors, usize::from);
        let memory = usize::try_from(self.input.memory).unwrap_or(usize::MAX);
        let memory = memory.saturating_mul(1 << 20);
        let wanted = Wanted {
            calls: self.column().to_owned(),
            operations: self.operations.clone(),
            carried: self.input.carry.clone(),
            whole_lines: self.input.lines,
            // Each thread has a piece, what it makes of it, and one that waits.
            batch_bytes: (memory / threads / 4).clamp(1 << 16, 16 << 20),
        };
        let work = Work {
            files,
            judge: &self.judge,
            wanted: Arc::new(wanted),
            threads,
            waiting_bytes: memory / 8,
        };
        let mut progress = Progress::new(files.iter().map(|file| file.length).sum());
        let mut of_file = Summary::default();
        let mut results = None;
        let done = work.run(|event| {
            match event {
                Event::Begin { file, carried } => {
                    of_file = Summary::default();
                    if let (Some(folder), Some(file)) = (&self.folder, files.get(file)) {
                        results = Some(Results::begin(folder, file, carried, self.which)?);
                    }
                }
                Event::Found(found) => {
                    progress.calls(found.judged.summary.calls);
                    of_file.add(&found.judged.summary);
                    if let Some(results) = &mut results {
                        results.write(&found)?;
                    }
                }
                Event::Worked { bytes } => progress.bytes(bytes),
                Event::End { file } => {
                    self.check_end(files.get(file), &of_file)?;
                    summary.add(&of_file);
                    if let (Some(folder), Some(file)) = (&self.folder, files.get(file)) {
                        results.take().map_or(Ok(()), Results::end)?;
                        self.finish(folder, file, &of_file)?;
                    }
                }
            }
            Ok(())
        });
        progress.end();
        done
    }

    /// JSON lines have no columns that could be looked at before: where no line has the member, another one was meant.
    fn check_end(&self, file: Option<&CallFile>, summary: &Summary) -> Result<(), BulkError> {
        match file {
            Some(file)
                if file.format == Format::JsonLines && summary.calls == 0 && summary.empty > 0 =>
            {
                Err(BulkError::NoMember {
                    path: file.path.clone(),
                    column: self.column().to_owned(),
                })
            }
            _ => Ok(()),
        }
    }

    /// Notes that all findings of a file are written.
    fn finish(&self, folder: &Folder, file: &CallFile, summary: &Summary) -> Result<(), BulkError> {
        let finished = Finished {
            settings: self.settings.clone(),
            length: file.length,
            modified: file.modified,
            summary: summary.to_form(),
        };
        let place = finished_place(folder, file);
        let part = with_ending(&place, "part");
        let text = serde_json::to_vec(&finished).map_err(|_| BulkError::Internal)?;
        fs::write(&part, text).map_err(BulkError::write(&part))?;
        fs::rename(&part, &place).map_err(BulkError::write(&place))
    }
}

/// Where it is noted that a file has its findings. The name begins with a dot: readers of a folder pass over it.
fn finished_place(folder: &Folder, file: &CallFile) -> PathBuf {
    let place = folder.place(file);
    let name = place.file_name().unwrap_or_default();
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(".finished.json");
    place.with_file_name(hidden)
}

/// The policy in a file; without a file, the default policy.
fn read_policy(path: Option<&Path>) -> Result<Policy, BulkError> {
    let Some(path) = path else {
        return Ok(Policy::default());
    };
    let text = fs::read_to_string(path).map_err(BulkError::read(path))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Policy::from_json(text).map_err(|error| BulkError::form(path, "policy", &error))
}

/// The domains of a file, one on each line. Blank lines and those that begin with `#` are passed over.
fn read_blacklist(path: &Path) -> Result<DomainSet, BulkError> {
    let text = fs::read_to_string(path).map_err(BulkError::read(path))?;
    let lines = text.lines().map(str::trim);
    let entries = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    DomainSet::from_entries(entries)
        .map_err(|error| BulkError::form(path, "list of domains", &error))
}
