//! The state machine, and its steps as objects for `match`.

use std::sync::{Arc, Mutex, MutexGuard};

use franking::{
    Decision as Decided, HostAnswer, Misuse, Plan as Planned, Questions as Asked, Step,
};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyString, PyTuple};

use crate::answers::{self, Given};
use crate::body::{self, Body};
use crate::classes;
use crate::decision::Decision;
use crate::drive;
use crate::guard::{guard, run};
use crate::plan::Plan;
use crate::policy::{self, Policy};
use crate::questions::Questions;
use crate::transcript::Transcript;

/// A call at one moment. Questions, plans and decisions share it; an answer makes another one if somebody does.
#[derive(Clone)]
pub(crate) enum Machine {
    Plain(franking::Call<Body>),
    Recording(franking::Recorder<Body>),
}

impl Machine {
    pub(crate) fn new(
        py: Python<'_>,
        operation: &str,
        body: &Bound<'_, PyAny>,
        policy: Option<&Bound<'_, Policy>>,
        method: &str,
        record: bool,
    ) -> PyResult<Arc<Self>> {
        let operation = body::operation(py, operation)?;
        let body = Body::new(body)?;
        let policy = policy::settings(policy);
        run(py, body.len(), || {
            Arc::new(if record {
                let recorder = franking::Recorder::new(&policy, operation, method, body);
                Self::Recording(recorder)
            } else {
                Self::Plain(franking::Call::new(&policy, operation, method, body))
            })
        })
    }

    pub(crate) fn call(&self) -> &franking::Call<Body> {
        match self {
            Self::Plain(call) => call,
            Self::Recording(recorder) => recorder.call(),
        }
    }

    fn take(&mut self, given: Given) -> Result<(), Misuse> {
        match (self, given) {
            (Self::Plain(call), Given::Account(account)) => call.answer_account(account),
            // Cloned if somebody has kept them.
            (Self::Plain(call), Given::Facts(mut facts)) => {
                call.take_facts(Arc::make_mut(&mut facts))
            }
            (Self::Plain(call), Given::Commit(commit)) => call.answer_commit(commit),
            (Self::Recording(recorder), given) => recorder.answer(match given {
                Given::Account(account) => HostAnswer::Account(account),
                Given::Facts(facts) => HostAnswer::Facts(Arc::unwrap_or_clone(facts)),
                Given::Commit(commit) => HostAnswer::Commit(commit),
            }),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.call().body().len()
    }

    pub(crate) fn questions(&self) -> Option<Asked<'_>> {
        match self.call().step() {
            Step::Facts(questions) => Some(questions),
            _ => None,
        }
    }

    /// The plan that waits to be carried out, or was.
    pub(crate) fn plan(&self) -> Option<Planned<'_>> {
        match self.call().step() {
            Step::Commit(plan) => Some(plan),
            Step::Done(decision) => decision.plan(),
            _ => None,
        }
    }

    pub(crate) fn decision(&self) -> Option<Decided<'_>> {
        self.call().decision()
    }
}

/// Answers what a machine asks.
pub(crate) fn answer(
    py: Python<'_>,
    machine: &mut Arc<Machine>,
    given: Given,
) -> PyResult<Result<(), Misuse>> {
    let length = machine.len();
    run(py, length, move || Arc::make_mut(machine).take(given))
}

/// One call of an operation, from its bytes to its decision: look at `step()`, answer it, until it is `Done`.
///
/// Asked again, `step()` says the same until it is answered. An answer of the wrong kind or length is a
/// `MisuseError`, and nothing changes. A call may be used by several threads.
///
/// >>> call = franking.Call("sendMailer", b'{"apiKey": "k", "mailerID": 42, "subID": 7}')
/// >>> call.step()
/// Account(...)
/// >>> call.answer_account(None)
/// >>> match call.step():
/// ...     case franking.Done(decision):
/// ...         print(decision.code, decision.rule)
/// 403 key-unknown
#[pyclass(frozen, module = "franking")]
pub(crate) struct Call {
    /// None after an answer that ended in a fault of the library: the call cannot be relied upon.
    machine: Mutex<Option<Arc<Machine>>>,
}

impl Call {
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Option<Arc<Machine>>>> {
        self.machine
            .lock_py_attached(py)
            .map_err(|_| classes::internal_error(py))
    }

    fn now(&self, py: Python<'_>) -> PyResult<Arc<Machine>> {
        let machine = self.lock(py)?.as_ref().map(Arc::clone);
        machine.ok_or_else(|| classes::internal_error(py))
    }

    fn answer(&self, py: Python<'_>, given: Given) -> PyResult<()> {
        self.take(py, given)?
            .map_err(|misuse| classes::misuse_error(py, &misuse.to_string()))
    }

    fn take(&self, py: Python<'_>, given: Given) -> PyResult<Result<(), Misuse>> {
        let mut slot = self.lock(py)?;
        let mut machine = slot.take().ok_or_else(|| classes::internal_error(py))?;
        let taken = answer(py, &mut machine, given)?;
        *slot = Some(machine);
        Ok(taken)
    }
}

#[pymethods]
impl Call {
    /// `method` is the HTTP method as it came. With `record`, the call notes what it asks and is answered, for
    /// `transcript()`.
    #[new]
    #[pyo3(signature = (operation, body, policy = None, *, method = "POST", record = false))]
    fn new(
        py: Python<'_>,
        operation: &str,
        body: &Bound<'_, PyAny>,
        policy: Option<&Bound<'_, Policy>>,
        method: &str,
        record: bool,
    ) -> PyResult<Self> {
        let machine = Machine::new(py, operation, body, policy, method, record)?;
        Ok(Self {
            machine: Mutex::new(Some(machine)),
        })
    }

    /// What the call waits for: `Account(key)`, `Facts(questions)`, `Commit(plan)` or `Done(decision)`.
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let machine = self.now(py)?;
        let step = guard(py, || match machine.call().step() {
            Step::Account(question) => Some(question.key().into_owned()),
            _ => None,
        })?;
        if let Some(key) = step {
            let key = PyString::new(py, &key).unbind();
            return Ok(Bound::new(py, Account { key })?.into_any());
        }
        let step = guard(py, || {
            (machine.questions().is_some(), machine.decision().is_some())
        })?;
        Ok(match step {
            (true, _) => {
                let questions = Py::new(py, Questions::new(machine))?;
                Bound::new(py, Facts { questions })?.into_any()
            }
            (_, true) => {
                let decision = Py::new(py, Decision::new(machine))?;
                Bound::new(py, Done { decision })?.into_any()
            }
            _ => {
                let plan = Py::new(py, Plan::new(machine))?;
                Bound::new(py, Commit { plan })?.into_any()
            }
        })
    }

    /// Answers `Account`: an `AccountRecord`, or `None` when no account has the key.
    #[pyo3(signature = (account, /))]
    fn answer_account(&self, py: Python<'_>, account: &Bound<'_, PyAny>) -> PyResult<()> {
        self.answer(py, answers::account(account)?)
    }

    /// Answers `Facts`: `Findings`, with an entry for each member of each column of the questions, or what
    /// `Questions.look_up` has found.
    #[pyo3(signature = (findings, /))]
    fn answer_facts(&self, py: Python<'_>, findings: &Bound<'_, PyAny>) -> PyResult<()> {
        self.answer(py, answers::facts(findings.clone())?)
    }

    /// Answers `Commit`: the transaction id (1 to 2**53 - 1) under which the plan was carried out, or the `Conflict`
    /// because of which nothing of it was.
    #[pyo3(signature = (outcome, /))]
    fn answer_commit(&self, py: Python<'_>, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        self.answer(py, answers::commit(outcome)?)
    }

    /// Asks a host until the call is decided.
    #[pyo3(signature = (host, /))]
    fn drive(&self, py: Python<'_>, host: &Bound<'_, PyAny>) -> PyResult<Decision> {
        loop {
            let machine = self.now(py)?;
            let Some(given) = drive::ask(py, &machine, host)? else {
                return Ok(Decision::new(machine));
            };
            // Shared by nobody, it need not be copied.
            drop(machine);
            drive::accept(py, self.take(py, given)?)?;
        }
    }

    /// The decision, once there is one.
    #[getter]
    fn decision(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        let machine = self.now(py)?;
        let is_done = guard(py, || machine.decision().is_some())?;
        Ok(is_done.then(|| Decision::new(machine)))
    }

    /// What was asked and answered so far, for a call that was made with `record=True`.
    fn transcript(&self, py: Python<'_>) -> PyResult<Transcript> {
        let machine = self.now(py)?;
        match &*machine {
            Machine::Recording(recorder) => Ok(Transcript::new(run(py, machine.len(), || {
                recorder.transcript()
            })?)),
            Machine::Plain(_) => Err(classes::misuse_error(
                py,
                "the call has not been recorded: make it with record=True",
            )),
        }
    }

    /// The operation that was called.
    #[getter]
    fn operation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        classes::operation(py, self.now(py)?.call().operation())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let machine = self.now(py)?;
        let waits_for = guard(py, || match machine.call().step() {
            Step::Account(_) => "account",
            Step::Facts(_) => "facts",
            Step::Commit(_) => "commit",
            Step::Done(_) => "nothing",
        })?;
        let operation = machine.call().operation().name();
        Ok(format!("<Call of {operation}, waits for {waits_for}>"))
    }
}

/// Which account has this key? Answer with `Call.answer_account`.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Account {
    /// The API key as sent, never empty: a secret.
    #[pyo3(get)]
    key: Py<PyString>,
}

/// What is known of all this? Answer with `Call.answer_facts`.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Facts {
    /// The questions, in columns.
    #[pyo3(get)]
    questions: Py<Questions>,
}

/// Carry this out. Answer with `Call.answer_commit`.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Commit {
    /// What to do.
    #[pyo3(get)]
    plan: Py<Plan>,
}

/// It is decided: nothing more is asked.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Done {
    /// What was decided.
    #[pyo3(get)]
    decision: Py<Decision>,
}

#[pymethods]
impl Account {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["key"])
    }

    #[expect(clippy::unused_self, reason = "the key is a secret")]
    fn __repr__(&self) -> &'static str {
        "Account(...)"
    }
}

#[pymethods]
impl Facts {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["questions"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "Facts({})",
            self.questions.bind(py).repr()?.to_str()?
        ))
    }
}

#[pymethods]
impl Commit {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["plan"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Commit({})", self.plan.bind(py).repr()?.to_str()?))
    }
}

#[pymethods]
impl Done {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["decision"])
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "Done({})",
            self.decision.bind(py).repr()?.to_str()?
        ))
    }
}
