//! The class `Decision`.

use std::sync::Arc;

use franking::http::{Outcome, answer};
use franking::{Decision as Decided, Failure, Policy, Rule};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};

use crate::classes::{self, ASKED, BLACKLISTED_LINK, EXPLAINED, FAILURE, JUDGEMENT};
use crate::guard::{guard, run};
use crate::http::answer_to_py;
use crate::machine::Machine;
use crate::plan::Plan;
use crate::policy::loads;
use crate::rows::{Held, Owner as _, kind, rows};
use crate::tables::deprecation_of;
use crate::text::str_of;
use crate::transcript::Transcript;
use crate::violations::Violation;

/// The decision on a call, with its reasons.
///
/// It keeps the call's body, and reads its members from it on demand. It cannot be pickled: use `to_dict()`.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Decision {
    machine: Arc<Machine>,
}

impl Decision {
    /// The call of the machine has to be decided.
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

    /// The one code that answers the call (interface, section 7); `None` when the call ended without one (`failure`).
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let code = self.look(py, |decision| decision.code())?;
        code.map(|code| classes::code(py, code)).transpose()
    }

    /// Whether the call was accepted and its plan carried out.
    #[getter]
    fn is_accepted(&self, py: Python<'_>) -> PyResult<bool> {
        self.look(py, |decision| decision.is_accepted())
    }

    /// The rule that gives the code; `None` when the call was accepted, or ended without a code.
    #[getter]
    fn rule<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let rule = self.look(py, |decision| {
            decision.violation().map(|found| found.rule())
        })?;
        rule.map(|rule| classes::rule(py, rule)).transpose()
    }

    /// The violation that gives the code, with its place; `None` when the call was accepted, or ended
    /// without a code.
    #[getter]
    fn violation(&self, py: Python<'_>) -> PyResult<Option<Violation>> {
        let found = guard(py, || {
            Held::find(&self.machine, |machine| machine.decision()?.violation())
        })?;
        Ok(found.map(Violation))
    }

    /// The body of the response (interface, section 2.6), as the policy writes it; `None` when the call ended without a
    /// code.
    #[getter]
    fn response(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.look(py, |decision| decision.response())
    }

    /// The HTTP answer for the call. There is one even if the call ended without a code (`failure`).
    ///
    /// Returns:
    ///     The answer. Its status is 200 with the response if the call has a code. It is 503 with `Retry-After` after
    ///     `Failure.HOST`, when nothing was carried out; 503 without `Retry-After` after `Failure.UNKNOWN` and
    ///     `Failure.MISUSE`, because a second try could send everything twice; and 500 after `Failure.INTERNAL`. If a fault
    ///     of the library keeps the decision from being read, it is 503 without `Retry-After`, because the call may have been
    ///     accepted. On httpSendMail it has the headers `Sunset` and `Deprecation`.
    fn http<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let given = self.look(py, |decision| decision.http());
        let given = given.or_else(|_| {
            let operation = self.machine.call().operation();
            guard(py, || {
                answer(&Policy::default(), operation, Outcome::Unknown)
            })
        })?;
        answer_to_py(py, &given)
    }

    /// The number by which the host identifies the accepted call; `None` if it was not accepted.
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
    fn refused<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, Refused, &self.machine)
    }

    /// The link that a violation `Rule.HTML_DOMAIN_BLACKLISTED` is about.
    ///
    /// Args:
    ///     request: The position in `requests`, from 0, of a request that this violation refuses. Leave it out for the
    ///         violation that gives the code.
    ///
    /// Returns:
    ///     The link; `None` when there is no such violation.
    #[pyo3(signature = (request = None, /))]
    fn blacklisted_link<'py>(
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
                        found.request() == request && found.rule() == Rule::HtmlDomainBlacklisted
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
        Ok(Some(BLACKLISTED_LINK.new_object(py, items)?))
    }

    /// Why the call ended without a code; `None` when it has one.
    #[getter]
    fn failure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let failure = self.look(py, |decision| decision.failure().map(Failure::name))?;
        FAILURE.optional(py, failure)
    }

    /// The end of the operation, if it is deprecated, for a `Sunset` header (RFC 8594).
    #[getter]
    fn deprecation<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        deprecation_of(py, self.machine.call().operation())
    }

    /// The numbers of look-ups and commits of the host.
    #[getter]
    fn asked<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let asked = self.look(py, |decision| decision.asked())?;
        let counts = [asked.account, asked.facts, asked.commits];
        ASKED.new_object(py, counts.map(|count| PyInt::new(py, count).into_any()))
    }

    /// Every rule of the operation, with its judgement.
    ///
    /// Returns:
    ///     The rules in the order in which they are judged.
    fn explanation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rows = run(py, self.machine.len(), || {
            self.machine
                .decision()
                .map(|decision| decision.explanation())
        })?;
        let rows = rows.ok_or_else(|| classes::internal_error(py))?;
        let row = |row: franking::Explained| {
            let items = [
                classes::rule(py, row.rule)?,
                classes::code(py, row.code)?,
                JUDGEMENT.member(py, row.judgement.name())?,
            ];
            EXPLAINED.new_object(py, items)
        };
        PyTuple::new(py, rows.into_iter().map(row).collect::<PyResult<Vec<_>>>()?)
    }

    /// The questions and answers of a call that was decided with `record=True`.
    ///
    /// Returns:
    ///     The transcript.
    ///
    /// Raises:
    ///     MisuseError: The call was not recorded.
    fn transcript(&self, py: Python<'_>) -> PyResult<Transcript> {
        self.machine.transcript(py)
    }

    /// The decision as JSON objects, in the JSON form that all languages share. It has `operation`, `is_accepted`, `code`,
    /// and the meaning of the code on the operation (`message`); `rule` with its `meaning` and `remedy`, and `pointer`,
    /// `span` and `request` of the violation; `response`, `transaction_id`, `plan`, `refused`, `error` (the word of a
    /// `Failure`, only if the call ended without a code), `deprecation` and `asked`.
    ///
    /// Returns:
    ///     A new dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let json = run(py, self.machine.len(), || {
            self.machine.decision().map(|decision| decision.to_json())
        })?
        .ok_or_else(|| classes::internal_error(py))?;
        Ok(loads(py, &json)?.cast_into::<PyDict>()?)
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
                    format!("<Decision on {operation}: failed, {}>", error.name())
                }
                (None, _, None) => format!("<Decision on {operation}>"),
            }
        })
    }
}

// The violations because of which a partial batch leaves out requests and recipients.
kind!(
    Refused,
    "refused requests and recipients",
    Violation,
    |machine: Machine| {
        let decision = machine.decision().into_iter();
        decision.flat_map(|decision| decision.refused())
    }
);
