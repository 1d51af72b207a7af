//! `franking completions` and `franking man`: writes completion scripts for shells, and manual pages.

use clap::CommandFactory;

use crate::Status;
use crate::arguments::{Arguments, Completions, Man};
use crate::error::CommandError;
use crate::output::Output;

pub(crate) fn completions(
    options: &Completions,
    output: &mut Output<'_>,
) -> Result<Status, CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(
        options.shell,
        &mut Arguments::command(),
        "franking",
        &mut script,
    );
    output.write(&script)?;
    Ok(Status::Fine)
}

pub(crate) fn man(options: &Man, output: &mut Output<'_>) -> Result<Status, CommandError> {
    match &options.folder {
        Some(folder) => {
            let failed = |source| CommandError::Write {
                path: folder.clone(),
                source,
            };
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(Arguments::command(), folder).map_err(failed)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
            output.write(&page)?;
        }
    }
    Ok(Status::Fine)
}
