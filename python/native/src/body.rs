//! The bytes of a call, where Python keeps them.

use std::sync::Arc;

use franking::Operation;
use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::classes;

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
    /// copied because its owner may change it.
    pub(crate) fn new(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let owner = if let Ok(bytes) = value.cast::<PyBytes>() {
            Owner::Bytes(PyBackedBytes::from(bytes.clone()))
        } else if let Ok(text) = value.cast::<PyString>() {
            match PyBackedStr::try_from(text.clone()) {
                Ok(text) => Owner::Text(text),
                // A lone surrogate: no UTF-8, which is for the rules to say.
                Err(_) => Owner::Bytes(encode_with_surrogates(text)?),
            }
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
    let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
    Ok(PyBackedBytes::from(bytes.cast_into::<PyBytes>()?))
}

fn copy(value: &Bound<'_, PyAny>) -> PyResult<PyBackedBytes> {
    let lends_bytes = value.is_instance_of::<PyByteArray>()
        || value.is_instance_of::<PyMemoryView>()
        || PyUntypedBuffer::get(value).is_ok();
    if !lends_bytes {
        let name = value.get_type().qualname()?;
        return Err(PyTypeError::new_err(format!(
            "body has to be bytes, str, or an object that lends bytes, not {name}"
        )));
    }
    let bytes = value.py().get_type::<PyBytes>().call1((value,))?;
    Ok(PyBackedBytes::from(bytes.cast_into::<PyBytes>()?))
}

/// The operation of a name, which an `Operation` is, too.
pub(crate) fn operation(name: &Bound<'_, PyString>) -> PyResult<Operation> {
    // A name with a lone surrogate is none.
    let operation = name.to_str().ok().and_then(Operation::from_name);
    operation.ok_or_else(|| {
        let message = "the operation has to be \"sendMailer\" or \"httpSendMail\"";
        classes::invalid_error(name.py(), message)
    })
}
