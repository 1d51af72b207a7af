//! The bytes of a call, where Python keeps them.

use std::sync::Arc;

use franking::Operation;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyMapping, PyMemoryView, PyString};

use crate::classes::{self, type_name};

/// A body that is shared and never copied once it is here. `bytes` and `str` are not copied at all.
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
    /// Takes `bytes`, `str`, or anything that lends bytes (`bytearray`, `memoryview`, `mmap`, an array), which is
    /// copied because its owner may change it. An instance of a subclass is copied because it may refer to whatever
    /// keeps the body, and the garbage collector does not see what a body holds.
    pub(crate) fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let owner = if let Ok(bytes) = value.cast_exact::<PyBytes>() {
            Owner::Bytes(PyBackedBytes::from(bytes.clone()))
        } else if let Ok(text) = value.cast_exact::<PyString>() {
            match PyBackedStr::try_from(text.clone()) {
                Ok(text) => Owner::Text(text),
                // A lone surrogate: no UTF-8, which is for the rules to say.
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

    /// The body as Python's `bytes`, copied only if it was not given so.
    pub(crate) fn to_py<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        match &*self.0 {
            Owner::Bytes(bytes) => Ok(bytes.into_pyobject(py)?.cast_into::<PyBytes>()?),
            Owner::Text(text) => Ok(PyBytes::new(py, text.as_bytes())),
        }
    }
}

fn encode_with_surrogates(text: &Bound<'_, PyString>) -> PyResult<PyBackedBytes> {
    // The method of `str` itself: a subclass may have another one.
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

/// The operation of a name, which an `Operation` is, too.
pub(crate) fn operation(name: &Bound<'_, PyString>) -> PyResult<Operation> {
    // A name with a lone surrogate is not an operation.
    let operation = name.to_str().ok().and_then(Operation::from_name);
    operation.ok_or_else(|| {
        let message = "the operation has to be \"sendMailer\" or \"httpSendMail\"";
        classes::invalid_error(name.py(), message)
    })
}

/// The method of a request. One with a lone surrogate is not a method of HTTP, and is judged as such.
pub(crate) fn method_of(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let method = value.cast::<PyString>()?;
    Ok(Some(method.to_string_lossy().into_owned()))
}
