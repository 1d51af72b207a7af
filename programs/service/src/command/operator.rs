//! Operators of the desk.

use std::io::{BufRead as _, IsTerminal as _};

use clap::Subcommand;

use super::Failure;
use super::listing::Shown;
use crate::desk::password;
use crate::store::{Rights, Store};

#[derive(Subcommand)]
pub(super) enum Operators {
    /// Add an operator, or change an operator's password and rights. The password is read from standard input
    Add {
        /// The name
        name: String,
        /// Let the operator see personal data unmasked. The audit log notes each such page
        #[arg(long)]
        unmask: bool,
        /// Let the operator change things: pause, cancel, credit, erase. The audit log notes each change
        #[arg(long)]
        act: bool,
    },
    /// Remove an operator. Sessions of the operator end at once
    Remove {
        /// The name
        name: String,
    },
    /// List the operators
    List {
        #[command(flatten)]
        shown: Shown,
    },
}

impl Operators {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Add { name, unmask, act } => {
                let password = read_password()?;
                let hash = tokio::task::spawn_blocking(move || password::hash_of_text(&password))
                    .await??;
                store
                    .put_operator(name, hash, Rights { unmask, act })
                    .await?;
            }
            Self::Remove { name } => store.remove_operator(name).await?,
            Self::List { shown } => {
                let mut list = shown.list(&["operator", "unmask", "act", "created"]);
                for row in store.operators().await? {
                    list.row(vec![
                        row.name.into(),
                        row.rights.unmask.into(),
                        row.rights.act.into(),
                        super::time(row.created).into(),
                    ])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}

/// Reads a password. On a terminal it is asked for, and not shown.
fn read_password() -> Result<String, Failure> {
    let input = std::io::stdin();
    let read = match input.is_terminal() {
        true => rpassword::prompt_password("Password: ")?,
        false => {
            let mut line = String::new();
            input.lock().read_line(&mut line)?;
            line.trim_end_matches(['\r', '\n']).to_owned()
        }
    };
    match read.chars().count() >= password::LEAST {
        true => Ok(read),
        false => Err(format!(
            "the password is too short: it needs at least {} characters",
            password::LEAST
        )
        .into()),
    }
}
