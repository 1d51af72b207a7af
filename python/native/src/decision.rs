//! What was decided of a call, and why.

use std::sync::Arc;

use franking::{Code, Decision as Decided};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

use crate::call::Machine;
use crate::classes::{self, ASKED, EXPLAINED, LISTED_LINK};
use crate::guard::{guard, run};
use crate::plan::Plan;
use crate::policy::loads;
use crate::rows::{Kind, Rows, Source, violation_to_py};
use crate::tables::deprecation_of;
use crate::text::str_of;

/// What was decided of a call, and why. It keeps the call's body, and reads from it when it is asked.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Decision {
    machine: Arc<Machine>,
}

impl Decision {
    /// The machine has to be done.
    pub(crate) fn new(machine: Arc<Machine>) -> Self {
        Self { machine }
    }

    fn look<'c, T>(&'c self, py: Python<'_>, look: impl FnOnce(Decided<'c>) -> T) -> PyResult<T> {
        guard(py, || self.machine.decision().map(look))?.ok_or_else(|| classes::internal_error(py))
    }
}

#[pymethods]
impl Decision {
    /// The operation that was called.
    #[getter]
    fn operation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::operation(py, self.machine.call().operation())
    }

    /// The one code that answers the call; `None` when the host failed (`host_error`).
    #[getter]
    fn code(&self, py: Python<'_>) -> PyResult<Option<u16>> {
        self.look(py, |decision| decision.code().map(Code::number))
    }

    /// Whether the call was accepted and its plan carried out.
    #[getter]
    fn accepted(&self, py: Python<'_>) -> PyResult<bool> {
        self.look(py, |decision| decision.is_accepted())
    }

    /// The rule that gives the code; `None` when the call was accepted, or the host failed.
    #[getter]
    fn rule<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let rule = self.look(py, |decision| {
            decision.violation().map(|found| found.rule())
        })?;
        rule.map(|rule| classes::rule(py, rule)).transpose()
    }

    /// The violation that gives the code, with its place; `None` when the call was accepted, or the host failed.
    #[getter]
    fn violation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let violation = self.look(py, |decision| decision.violation())?;
        violation
            .map(|violation| violation_to_py(py, &violation))
            .transpose()
    }

    /// The body of the response, as the policy writes it; `None` when the host failed.
    #[getter]
    fn answer(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.look(py, |decision| decision.response())
    }

    /// The number by which the host identifies the accepted call.
    #[getter]
    fn transaction_id(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.look(py, |decision| decision.transaction_id())
    }

    /// The plan that was carried out.
    #[getter]
    fn plan(&self, py: Python<'_>) -> PyResult<Option<Plan>> {
        let has_plan = self.look(py, |decision| decision.plan().is_some())?;
        Ok(has_plan.then(|| Plan::new(Arc::clone(&self.machine))))
    }

    /// The requests and recipients that a partial batch leaves out, each with its first violation; empty for a whole
    /// batch.
    #[getter]
    fn refused(&self) -> Rows {
        let source = Source::Machine(Arc::clone(&self.machine));
        Rows::new(source, Kind::Violations)
    }

    /// The link that a violation `html-domain-blacklisted` is about: that of the deciding violation, or that of a
    /// refused request. `None` when there is no such violation.
    #[pyo3(signature = (request = None, /))]
    fn listed_link<'py>(
        &self,
        py: Python<'py>,
        request: Option<u32>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let link = run(py, self.machine.len(), || {
            let decision = self.machine.decision()?;
            let violation = match request {
                None => decision.violation()?,
                Some(_) => decision
                    .violation()
                    .into_iter()
                    .chain(decision.refused())
                    .find(|found| {
                        found.request() == request
                            && found.rule() == franking::Rule::HtmlDomainBlacklisted
                    })?,
            };
            decision.blacklisted_link(&violation)
        })?;
        let Some(link) = link else {
            return Ok(None);
        };
        let items = [
            PyInt::new(py, link.request).into_any(),
            str_of(py, &link.place),
            str_of(py, &link.url),
            (link.span.start, link.span.end).into_bound_py_any(py)?,
            str_of(py, &link.domain),
        ];
        Ok(Some(LISTED_LINK.row(py, items)?))
    }

    /// Why the call ended without a code: `misuse` (a transaction id that cannot be; what was carried out stands), `unknown`
    /// (it is not known whether the plan was carried out) or `host` (the last attempt met a conflict that has no code;
    /// nothing was carried out).
    #[getter]
    fn host_error(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.look(py, |decision| {
            decision.failure().map(franking::Failure::name)
        })
    }

    /// The end of the operation, if it is deprecated, for a `Sunset` header (RFC 8594).
    #[getter]
    fn deprecation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        deprecation_of(py, self.machine.call().operation())
    }

    /// How often the host was asked.
    #[getter]
    fn asked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let asked = self.look(py, |decision| decision.asked())?;
        let counts = [asked.account, asked.facts, asked.commits];
        ASKED.row(py, counts.map(|count| PyInt::new(py, count).into_any()))
    }

    /// Every rule of the operation, in the order in which they are judged, and what came of it: `kept`, `broken`,
    /// `broken-in-part` or `not-reached`.
    fn explain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = run(py, self.machine.len(), || {
            self.machine
                .decision()
                .map(|decision| decision.explanation())
        })?;
        let rows = rows.ok_or_else(|| classes::internal_error(py))?;
        let row = |row: franking::Explained| {
            let items = [
                classes::rule(py, row.rule)?,
                PyInt::new(py, row.code.number()).into_any(),
                str_of(py, row.result.name()),
            ];
            EXPLAINED.row(py, items)
        };
        PyTuple::new(py, rows.into_iter().map(row).collect::<PyResult<Vec<_>>>()?)
    }

    /// The JSON form.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        run(py, self.machine.len(), || {
            self.machine.decision().map(|decision| decision.to_json())
        })?
        .ok_or_else(|| classes::internal_error(py))
    }

    /// The JSON form, as Python's objects.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.to_json(py)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.look(py, |decision| {
            let operation = decision.operation().name();
            match (decision.code(), decision.violation(), decision.failure()) {
                (Some(code), Some(violation), _) => {
                    format!("<Decision on {operation}: {code} {}>", violation.rule())
                }
                (Some(code), None, _) => format!("<Decision on {operation}: {code}>"),
                (None, _, Some(error)) => {
                    format!("<Decision on {operation}: host error {}>", error.name())
                }
                (None, _, None) => format!("<Decision on {operation}>"),
            }
        })
    }
}
