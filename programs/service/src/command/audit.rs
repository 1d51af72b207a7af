//! The log of what operators did by commands. An entry is made when a command begins, and completed when it has ended.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Subcommand, value_parser};

use super::kept;
use super::listing::Shown;
use super::{Failure, time};
use crate::store::Store;

/// The commands that only read. All other commands are noted.
pub(super) const LOOKS: &[&str] = &[
    "list", "show", "count", "explain", "attempts", "left-out", "why", "try",
];
/// The flag with which a command shows personal data. Such a command is noted as well.
pub(super) const UNMASKED: &str = "unmasked";
/// The arguments whose values are not personal data, and are noted as they were typed.
const PUBLIC: &[&str] = &["domain", "rule"];
/// The longest name of an operator.
const LONGEST: usize = 64;

#[derive(Subcommand)]
pub(super) enum Audit {
    /// List what operators did, the latest first. Values that can be personal data are replaced by dots
    List {
        /// Only entries before this number
        #[arg(long, value_name = "NUMBER")]
        before: Option<i64>,
        /// The maximum number of entries
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
}

impl Audit {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        let Self::List {
            before,
            limit,
            shown,
        } = self;
        let mut list = shown.list(&["number", "begun", "operator", "command", "outcome"]);
        for row in store.audit(before, limit).await? {
            list.row(vec![
                row.id.into(),
                time(row.begun).into(),
                row.operator.into(),
                row.action.into(),
                row.outcome.into(),
            ])?;
        }
        Ok(list.end()?)
    }
}

/// A command as it was typed.
pub(super) struct Typed {
    /// Its name and arguments. Values that can be personal data are replaced by dots.
    pub(super) text: String,
    /// Whether it changes something, or shows personal data.
    pub(super) is_noted: bool,
}

impl Typed {
    /// Finds the command that was typed in the commands of the program.
    pub(super) fn of(program: &clap::Command, matches: &ArgMatches) -> Self {
        let (mut command, mut matches) = (program, matches);
        let mut words = Vec::new();
        while let Some((name, inner)) = matches.subcommand() {
            let Some(found) = command.find_subcommand(name) else {
                break;
            };
            words.push(name.to_owned());
            (command, matches) = (found, inner);
        }
        let looks = words
            .last()
            .is_some_and(|word| LOOKS.contains(&word.as_str()));
        let mut shows = false;
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            // clap panics when it is asked for an argument that the command does not have.
            let is_known = matches.try_contains_id(id).is_ok();
            let is_setting = argument.get_help_heading() == Some("Settings") || id == "settings";
            let is_typed = is_known && matches.value_source(id) == Some(ValueSource::CommandLine);
            if is_setting || !is_typed {
                continue;
            }
            shows |= id == UNMASKED;
            words.extend(shown(argument, matches));
        }
        Self {
            text: words.join(" "),
            is_noted: !looks || shows,
        }
    }
}

/// An argument as it is noted. A value that can be personal data is replaced by dots.
fn shown(argument: &Arg, matches: &ArgMatches) -> Vec<String> {
    let id = argument.get_id().as_str();
    let values = matches.get_raw(id).into_iter().flatten();
    let values = values.map(|value| {
        let value = value.to_string_lossy().into_owned();
        let possible = argument.get_possible_values();
        let is_word = possible
            .iter()
            .any(|possible| possible.matches(&value, false));
        match is_word || PUBLIC.contains(&id) || value.parse::<i64>().is_ok() {
            true => value,
            false => "…".to_owned(),
        }
    });
    let values: Vec<String> = match argument.get_action().takes_values() {
        true => values.collect(),
        false => Vec::new(),
    };
    match argument.get_long() {
        Some(long) => [vec![format!("--{long}")], values].concat(),
        None => values,
    }
}

/// The name of the desk's operator. At a terminal, the name of the user who used sudo or is logged in, with the number of the
/// user that the command runs as.
pub(super) fn operator() -> String {
    if let Some(page) = kept::page() {
        return page.operator;
    }
    let names = ["SUDO_USER", "USER", "LOGNAME"];
    let name = names.iter().find_map(|name| std::env::var(name).ok());
    let name: String = name.unwrap_or_default().chars().take(LONGEST).collect();
    let user = rustix::process::getuid().as_raw();
    match name.is_empty() {
        true => format!("user {user}"),
        false => format!("{name} (user {user})"),
    }
}
