//! Says what a command is about to do, and asks the operator first if it cannot be undone.

use std::io::{IsTerminal as _, Write as _};

use clap::Args;

use super::Failure;
use super::kept::{self, Extent};
use crate::store::MOST_COUNTED;

#[derive(Args)]
pub(super) struct Confirm {
    /// Do not ask for confirmation
    #[arg(long, conflicts_with = "dry_run")]
    yes: bool,
    /// Only say what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

impl Confirm {
    /// Asks the operator. `what` is a sentence such as "this sends one email again". Without a terminal nobody can be asked,
    /// so `--yes` has to be given.
    pub(super) fn asks(&self, what: &str) -> Result<bool, Failure> {
        if kept::page().is_some() {
            return goes_on(what);
        }
        if self.dry_run {
            say!("{what}. Nothing was done");
            return Ok(false);
        }
        if self.yes {
            return Ok(true);
        }
        let (input, mut output) = (std::io::stdin(), std::io::stderr());
        if !input.is_terminal() || !output.is_terminal() {
            return Err(format!("{what}. Nothing was done: add --yes to do it").into());
        }
        write!(output, "{what}. Do it? [y/N] ")?;
        output.flush()?;
        let mut answer = String::new();
        input.read_line(&mut answer)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }
}

/// Whether a command that can be undone goes on. At a terminal it does. For a page that asks first, this prints what the
/// command would do instead.
pub(super) fn goes_on(what: &str) -> Result<bool, Failure> {
    let asks = kept::page().is_some_and(|page| page.extent == Extent::Question);
    if asks {
        say!("{what}");
    }
    Ok(!asks)
}

/// A number with the name of the thing, such as "12 emails". Counting stops at [`MOST_COUNTED`].
pub(super) fn counted(number: i64, thing: &str) -> String {
    match number {
        1 => format!("1 {thing}"),
        number if number >= MOST_COUNTED.into() => format!("{MOST_COUNTED} {thing}s or more"),
        number => format!("{number} {thing}s"),
    }
}
