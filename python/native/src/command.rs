//! The command `franking`: runs the program of `programs/cli/` with the arguments that Python got.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command `franking` on the standard streams of the process.
///
/// Args:
///     arguments: The arguments, the first of which is the command's own name.
///
/// Returns:
///     The exit status: 0 if nothing is wrong, 1 if something is wrong, 2 if the command could not be carried out.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| franking_cli::run(arguments))
}
