//! Checks a call before it is sent. It needs only the body of the call.
//!
//! `cargo run --example preflight -- sendMailer examples/calls/03-misspelled-field.sendMailer.json`

use std::error::Error;
use std::process::ExitCode;

use franking::{Operation, Policy, Preflight};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(name), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: preflight sendMailer|httpSendMail FILE".into());
    };
    let operation =
        Operation::from_name(&name).ok_or("the operation is sendMailer or httpSendMail")?;
    let body = std::fs::read(file)?;

    let preflight = Preflight::new(&Policy::default(), operation, &body);
    for violation in preflight.violations() {
        let place = violation.pointer().unwrap_or_default();
        println!(
            "{} {} at {place:?}: {}",
            violation.code().number(),
            violation.rule().identifier(),
            violation.remedy()
        );
    }
    for warning in preflight.warnings() {
        println!("warning: {}", warning.message());
    }
    Ok(match preflight.is_clean() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
