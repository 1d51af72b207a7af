//! The names of fields as Python's texts, each made once. This is only for speed: a dict of four fields takes a third of the
//! time that it takes with new texts. That is a twentieth of a decision whose plan is read.

use std::ptr;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyString;

use crate::classes;

/// The names that were asked for so far. They are those of the interface, which are few.
static NAMES: Mutex<Vec<(&'static str, Py<PyString>)>> = Mutex::new(Vec::new());

/// The text of a name, which equals `PyString::new(py, name)`.
pub(crate) fn text_of_name<'py>(
    py: Python<'py>,
    name: &'static str,
) -> PyResult<Bound<'py, PyString>> {
    let mut names = NAMES
        .lock_py_attached(py)
        .map_err(|_| classes::internal_error(py))?;
    let known = names.iter().find(|(known, _)| ptr::eq(*known, name));
    if let Some((_, text)) = known {
        return Ok(text.bind(py).clone());
    }
    let text = PyString::new(py, name);
    names.push((name, text.clone().unbind()));
    Ok(text)
}
