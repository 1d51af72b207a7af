//! The body of a call, in the memory of Python where possible.

use std::sync::Arc;

use franking::Operation;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyMapping, PyMemoryView, PyString};

use crate::classes::{self, type_name};

/// A shared body. Clones share its bytes. `bytes` and `str` are not copied at all.
#[derive(Clone)]
pub(crate) struct Body(Arc<Owner>);

enum Owner {
    Bytes(PyBackedBytes),
    Text(PyBackedStr),
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        match &*self.0 {
            Owner::Bytes(bytes) => bytes,
            Owner::Text(text) => text.as_bytes(),
        }
    }
}

impl Body {
    /// Takes `bytes`, `str`, or any object with the buffer protocol (`bytearray`, `memoryview`, `mmap`, an array), which is
    /// copied because its owner may change it. An instance of a subclass is copied, too: it may refer to the object that
    /// holds the body, and the garbage collector does not see what a body refers to.
    pub(crate) fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let owner = if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            Owner::Bytes(PyBackedBytes::from(bytes.clone()))
        } else if let Ok(text) = value.cast_exact::<PyString>() {
            match PyBackedStr::try_from(text.clone()) {
                Ok(text) => Owner::Text(text),
                // A lone surrogate has no UTF-8 form. The rules refuse it later.
                Err(_) => Owner::Bytes(encode_with_surrogates(text)?),
            }
        } else if let Ok(text) = value.cast::<PyString>() {
            Owner::Bytes(encode_with_surrogates(text)?)
        } else {
            Owner::Bytes(copy(value)?)
        };
        Ok(Self(Arc::new(owner)))
    }

    pub(crate) fn len(&self) -> usize {
        self.as_ref().len()
    }

    /// The body as Python's `bytes`. It is copied unless it was given as `bytes`.
    pub(crate) fn to_py<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match &*self.0 {
            Owner::Bytes(bytes) => Ok(bytes.into_pyobject(py)?.cast_into::<PyBytes>()?),
            Owner::Text(text) => Ok(PyBytes::new(py, text.as_bytes())),
        }
    }
}

fn encode_with_surrogates(text: &Bound<'_, PyString>) -> PyResult<PyBackedBytes> {
    // This is the method of `str` itself, because a subclass may override it.
    let class = text.py().get_type::<PyString>();
    let bytes = class.call_method1("encode", (text, "utf-8", "surrogatepass"))?;
    Ok(PyBackedBytes::from(bytes.cast_into::<PyBytes>()?))
}

fn copy(value: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    let py = value.py();
    let view = PyMemoryView::from(value).map_err(|error| {
        if error.is_instance_of::<PyTypeError>(py) {
            wrong_type(value)
        } else {
            error
        }
    })?;
    let bytes = view.call_method0("tobytes")?;
    Ok(PyBackedBytes::from(bytes.cast_into::<PyBytes>()?))
}

fn wrong_type(value: &Bound<'_, PyAny>) -> PyErr {
    let hint = if value.cast::<PyMapping>().is_ok() {
        ": write it as JSON, as json.dumps does"
    } else {
        ""
    };
    let name = type_name(value);
    PyTypeError::new_err(format!(
        "body has to be bytes, str, or an object that lends bytes, not {name}{hint}"
    ))
}

/// Looks up an operation by its name. An `Operation` is a name, too.
pub(crate) fn operation(name: &Bound<'_, PyString>) -> PyResult<Operation> {
    // A name with a lone surrogate is not an operation.
    let operation = name.to_str().ok().and_then(Operation::from_name);
    operation.ok_or_else(|| {
        let message = "the operation has to be \"sendMailer\" or \"httpSendMail\"";
        classes::invalid_error(name.py(), message)
    })
}

/// The HTTP method of a request. A method with a lone surrogate is not an HTTP method, and is judged as a wrong one.
pub(crate) fn method_of(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let method = value.cast::<PyString>()?;
    Ok(Some(method.to_string_lossy().into_owned()))
}
