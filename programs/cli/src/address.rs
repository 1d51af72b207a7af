//! `franking address`: whether addresses are valid, and how they are compared.

use franking::address::parse;

use crate::Status;
use crate::arguments::Address;
use crate::error::CommandError;
use crate::output::Output;
use crate::visible::visible;

pub(crate) fn run(options: &Address, output: &mut Output<'_>) -> Result<Status, CommandError> {
    let mut status = Status::Fine;
    for text in &options.addresses {
        let shown = visible(text);
        match parse(text) {
            Ok(address) => output.line(&format!(
                "{shown}: valid, compared as {}",
                visible(&address.match_key())
            ))?,
            Err(error) => {
                status = Status::Wrong;
                output.line(&format!("{shown}: {}", visible(&error.to_string())))?;
            }
        }
    }
    Ok(status)
}
