//! Checks where the package is loaded.

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

/// Raises if the package is loaded where its classes could be mixed with those of another copy. The classes are looked up
/// once in a process, by the name of the package.
///
/// Raises:
///     ImportError: The package has another name than `franking`, or this is not the main interpreter of the process.
#[pyfunction]
#[pyo3(signature = (package, /))]
pub(crate) fn require_home(_py: Python<'_>, package: &str) -> PyResult<()> {
    if package != "franking" {
        let message = format!(
            "the package can be imported only as franking, not as {package}: put its folder where Python finds it by its name"
        );
        return Err(PyImportError::new_err(message));
    }
    // SAFETY: `_py` shows that the thread is attached, so it has an interpreter, whose state lives until the call returns.
    let interpreter = unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) };
    // The main interpreter's id is 0.
    if interpreter != 0 {
        return Err(PyImportError::new_err(
            "franking can be imported in the main interpreter of a process alone; for mod_wsgi set \
             WSGIApplicationGroup %{GLOBAL}",
        ));
    }
    Ok(())
}
