//! Checks without a host, of one call or many.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use franking::Operation;
use pyo3::IntoPyObjectExt;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyList, PyString};
use self_cell::self_cell;

use crate::body::{self, Body};
use crate::classes::{self, CODE};
use crate::guard::{caught, run};
use crate::policy::{self, Policy, loads};
use crate::rows::{Held, Owner, kind, rows};
use crate::violations::{PreflightWarning, Violation};

type Report<'b> = franking::Preflight<'b>;

self_cell! {
    /// A report with the body that it borrows.
    pub(crate) struct Checked {
        owner: Body,
        #[covariant]
        dependent: Report,
    }
}

impl Checked {
    fn of(policy: &franking::Policy, operation: Operation, body: Body) -> Arc<Self> {
        Arc::new(Self::new(body, |body| {
            Report::new(policy, operation, body.as_ref())
        }))
    }

    fn report(&self) -> &Report<'_> {
        self.borrow_dependent()
    }
}

impl Owner for Checked {
    fn len(&self) -> usize {
        self.borrow_owner().len()
    }
}

// The violations that a preflight finds.
kind!(Violations, "violations", Violation, |checked: Checked| {
    checked.report().violations()
});

// The warnings that a preflight gives.
kind!(
    Warnings,
    "warnings",
    PreflightWarning,
    |checked: Checked| checked.report().warnings()
);

/// Checks a call's body as far as that is possible without a host. Finds all errors, and everything that was probably not
/// meant.
///
/// Args:
///     operation: The operation that the body is for, or its name.
///     body: The body. `bytes` and `str` are not copied.
///     policy: The settings; the defaults if left out.
///
/// Returns:
///     The report on the body.
///
/// Raises:
///     InvalidError: There is no such operation.
///     TypeError: An argument is of the wrong type.
///
/// >>> report = franking.preflight("sendMailer", '{"apiKey": "k", "mailerID": 1, "email": "nobody"}')
/// >>> report.is_clean, report.code.value
/// (False, 412)
/// >>> [(violation.rule, violation.pointer) for violation in report.violations]
/// [(<Rule.RECIPIENT_MALFORMED: 'recipient-malformed'>, '/email')]
#[pyfunction]
#[pyo3(signature = (operation, body, policy = None))]
pub(crate) fn preflight(
    py: Python<'_>,
    operation: &Bound<'_, PyString>,
    body: &Bound<'_, PyAny>,
    policy: Option<&Bound<'_, Policy>>,
) -> PyResult<Preflight> {
    let operation = body::operation(operation)?;
    check(py, &policy::settings(policy), operation, body)
}

fn check(
    py: Python<'_>,
    policy: &franking::Policy,
    operation: Operation,
    body: &Bound<'_, PyAny>,
) -> PyResult<Preflight> {
    let body = Body::new(body)?;
    let shared = body.clone();
    let checked = run(py, body.len(), || Checked::of(policy, operation, shared))?;
    Ok(Preflight {
        checked,
        body,
        code: OnceLock::new(),
    })
}

/// An iterator of the reports on bodies, each made on demand. Used by `preflight_many` on one thread.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Reports {
    policy: franking::Policy,
    operation: Operation,
    bodies: Py<PyIterator>,
}

#[pymethods]
impl Reports {
    #[new]
    fn new(
        operation: &Bound<'_, PyString>,
        bodies: &Bound<'_, PyIterator>,
        policy: Option<&Bound<'_, Policy>>,
    ) -> PyResult<Self> {
        Ok(Self {
            policy: policy::settings(policy),
            operation: body::operation(operation)?,
            bodies: bodies.clone().unbind(),
        })
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Preflight>> {
        let Some(body) = self.bodies.bind(py).clone().next().transpose()? else {
            return Ok(None);
        };
        check(py, &self.policy, self.operation, &body).map(Some)
    }

    /// A generator of bodies may refer to this iterator.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.bodies)
    }
}

/// Checks a list of bodies on `threads` threads. Used by `preflight_many`.
///
/// Returns:
///     The reports on the bodies before the first object that is not a body, and the `TypeError` for that object, if there
///     is one.
#[pyfunction]
#[pyo3(signature = (operation, bodies, policy, threads, /))]
pub(crate) fn preflight_batch<'py>(
    py: Python<'py>,
    operation: &Bound<'py, PyString>,
    bodies: &Bound<'py, PyList>,
    policy: Option<&Bound<'py, Policy>>,
    threads: usize,
) -> PyResult<(Bound<'py, PyList>, Option<PyErr>)> {
    let operation = body::operation(operation)?;
    let policy = policy::settings(policy);
    let mut wrong = None;
    let bodies = bodies
        .iter()
        .map_while(|body| Body::new(&body).map_err(|error| wrong = Some(error)).ok());
    let bodies: Vec<Body> = bodies.collect();
    let one = |body: &Body| {
        let checked = Checked::of(&policy, operation, body.clone());
        Preflight {
            code: OnceLock::from(code_of(&checked)),
            checked,
            body: body.clone(),
        }
    };
    let all = py.detach(|| caught(|| on_threads(&bodies, threads, one)).flatten());
    let all = all.ok_or_else(|| classes::internal_error(py))?;
    Ok((PyList::new(py, all)?, wrong))
}

/// Works on the items with `threads` threads. The results are in the order of the items. `None` if a thread panicked.
fn on_threads<I: Sync, O: Send>(
    items: &[I],
    threads: usize,
    work: impl Fn(&I) -> O + Sync,
) -> Option<Vec<O>> {
    // Each thread takes a few items at a time, so that one thread does not get all big ones.
    const SHARE: usize = 16;
    let shares: Vec<&[I]> = items.chunks(SHARE).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(share) = shares.get(index) else {
                return Some(done);
            };
            let results = caught(|| share.iter().map(&work).collect::<Vec<O>>())?;
            done.push((index, results));
        }
    };
    let helpers = threads.clamp(1, shares.len().max(1)).saturating_sub(1);
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (0..helpers)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, take).ok())
            .collect();
        let mut done = take()?;
        for helper in helpers {
            done.extend(helper.join().ok().flatten()?);
        }
        Some(done)
    })?;
    done.sort_unstable_by_key(|(index, _)| *index);
    Some(done.into_iter().flat_map(|(_, results)| results).collect())
}

/// The report of `preflight` on a call's body.
///
/// It keeps the body, and reads its members from it on demand. It cannot be pickled: use `to_dict()`.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Preflight {
    checked: Arc<Checked>,
    body: Body,
    /// The code of the first violation; 200 when there is none.
    code: OnceLock<u16>,
}

fn code_of(checked: &Checked) -> u16 {
    let first = checked.report().violations().next();
    first
        .map_or(franking::Code::SUCCESS, |found| found.code())
        .number()
}

impl Preflight {
    fn code_once(&self, py: Python<'_>) -> PyResult<u16> {
        if let Some(code) = self.code.get() {
            return Ok(*code);
        }
        let code = run(py, self.checked.len(), || code_of(&self.checked))?;
        Ok(*self.code.get_or_init(|| code))
    }
}

#[pymethods]
impl Preflight {
    /// Whether it has found no violation. It may have found warnings.
    #[getter]
    fn is_clean(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.code_once(py)? == franking::Code::SUCCESS.number())
    }

    /// The code of the first violation, or 200. For a batch that is accepted or refused as a whole, the service would answer
    /// this code if every fact were favourable.
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        CODE.member(py, self.code_once(py)?)
    }

    /// The violation that gives the code, the first of `violations`; `None` if there are none.
    #[getter]
    fn violation(&self, py: Python<'_>) -> PyResult<Option<Violation>> {
        let found = run(py, self.checked.len(), || {
            Held::find(&self.checked, |checked| {
                checked.report().violations().next()
            })
        })?;
        Ok(found.map(Violation))
    }

    /// Every violation, in order of precedence: the first one gives the code.
    #[getter]
    fn violations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, Violations, &self.checked)
    }

    /// Every warning. Warnings do not change the code.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        rows(py, Warnings, &self.checked)
    }

    /// The operation that the body is for.
    #[getter]
    fn operation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::operation(py, self.checked.report().operation())
    }

    /// The body. Spans are positions in it.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.body.to_py(py)
    }

    /// The report as JSON objects: `operation`, `is_clean`, `code`, and the meaning of the code on the operation
    /// (`message`); `violations`, each with its `rule`, `code`, `request`, `pointer`, `span`, `meaning` and `remedy`; and
    /// `warnings`, each with `warning`, `pointer`, `span`, `detail`, `meaning` and `message`. It lists at most 10,000
    /// violations. `more` is the number of the others.
    ///
    /// Returns:
    ///     A new dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let json = run(py, self.checked.len(), || self.checked.report().to_json())?;
        Ok(loads(py, &json)?.cast_into::<PyDict>()?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let operation = self.checked.report().operation().name();
        Ok(match self.code_once(py)? {
            200 => format!("<Preflight of {operation}: clean>"),
            code => {
                let rule = run(py, self.checked.len(), || {
                    self.checked
                        .report()
                        .violations()
                        .next()
                        .map(|found| found.rule())
                })?;
                let rule = rule.map_or("", franking::Rule::identifier);
                format!("<Preflight of {operation}: {code} {rule}>")
            }
        })
    }
}
