//! Asks before something is done that cannot be undone.

use std::io::{IsTerminal as _, Write as _};

use clap::Args;

use super::Failure;

#[derive(Args)]
pub(super) struct Confirm {
    /// Do not ask
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
}

impl Confirm {
    /// Asks the operator. `what` is a sentence such as "this sends one email again". Without a terminal nobody can be asked, so
    /// `--yes` has to be given.
    pub(super) fn asks(&self, what: &str) -> Result<bool, Failure> {
        if self.dry_run {
            say!("{what}: nothing is done");
            return Ok(false);
        }
        if self.yes {
            return Ok(true);
        }
        let (input, mut output) = (std::io::stdin(), std::io::stderr());
        if !input.is_terminal() || !output.is_terminal() {
            return Err(format!("{what}: say --yes as well, or --dry-run").into());
        }
        write!(output, "{what}. Do it? [y/N] ")?;
        output.flush()?;
        let mut answer = String::new();
        input.read_line(&mut answer)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }
}
