//! Violations and warnings.

use pyo3::prelude::*;

use crate::classes::{self, WARNING_KIND};
use crate::rows::{Held, Lent, by_value};
use crate::text::optional_str;

/// A rule that a call breaks, at one place of its body. It is a mistake of the caller. A mistake of the host is a
/// `MisuseError`.
#[pyclass(frozen, eq, hash, module = "franking")]
pub(crate) struct Violation(pub(crate) Held<Self>);

impl Lent for Violation {
    type Row<'a> = franking::Violation<'a>;
}

by_value!(Violation, |row| (
    row.rule(),
    row.code(),
    row.request(),
    row.pointer(),
    row.span(),
    row.remedy()
));

#[pymethods]
impl Violation {
    /// The rule that is broken.
    #[getter]
    fn rule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::rule(py, self.0.read(|row| row.rule()))
    }

    /// The code that the rule has on the call's operation.
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::code(py, self.0.guarded(py, |row| row.code())?)
    }

    /// The position in `requests`, from 0; `None` for a violation of the whole call, and on sendMailer.
    #[getter]
    fn request(&self) -> Option<u32> {
        self.0.read(|row| row.request())
    }

    /// The place in the body, as a JSON Pointer (RFC 6901); `None` if the violation is not about a place in the body.
    #[getter]
    fn pointer(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.0.guarded(py, |row| row.pointer())
    }

    /// The start and the end of the offending bytes in the body, including quotes; `None` if the violation is not about a
    /// place in the body.
    #[getter]
    fn span(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        self.0
            .guarded(py, |row| row.span().map(|span| (span.start, span.end)))
    }

    /// What to do about it.
    #[getter]
    fn remedy(&self, py: Python<'_>) -> PyResult<String> {
        self.0.guarded(py, |row| row.remedy())
    }

    fn __repr__(&self) -> String {
        self.0.read(|row| {
            let request = row.request();
            let request =
                request.map_or_else(String::new, |request| format!(" of request {request}"));
            format!("<Violation {} ({}){request}>", row.rule(), row.code())
        })
    }
}

/// A warning about something that was probably not meant, at one place of the body. It does not change the code.
#[pyclass(frozen, eq, hash, module = "franking")]
pub(crate) struct PreflightWarning(pub(crate) Held<Self>);

impl Lent for PreflightWarning {
    type Row<'a> = franking::Warning;
}

by_value!(PreflightWarning, |row| (
    row.kind().number(),
    row.pointer().map(str::to_owned),
    row.span(),
    row.detail().map(str::to_owned),
));

#[pymethods]
impl PreflightWarning {
    /// The kind of the warning.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        WARNING_KIND.member(py, self.0.read(|row| row.kind().identifier()))
    }

    /// The place in the body, as a JSON Pointer (RFC 6901); `None` if the warning is not about a place.
    #[getter]
    fn pointer<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.0.read(|row| optional_str(py, row.pointer()))
    }

    /// The start and the end of the bytes in the body; `None` if the warning is not about a place.
    #[getter]
    fn span(&self) -> Option<(usize, usize)> {
        self.0
            .read(|row| row.span().map(|span| (span.start, span.end)))
    }

    /// A detail of the warning, if there is one: the field that was probably meant, or the URL that cannot be read, as sent.
    #[getter]
    fn detail<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.0.read(|row| optional_str(py, row.detail()))
    }

    /// One sentence for people, with the detail.
    #[getter]
    fn message(&self, py: Python<'_>) -> PyResult<String> {
        self.0.guarded(py, franking::Warning::message)
    }

    fn __repr__(&self) -> String {
        self.0
            .read(|row| format!("<PreflightWarning {}>", row.kind().identifier()))
    }
}
