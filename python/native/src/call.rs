//! The state machine, and its steps as objects for `match`.

use std::sync::{Arc, Mutex, MutexGuard};

use franking::{
    Commit as Outcome, Decision as Decided, HostAnswer, Misuse, Plan as Planned,
    Questions as Asked, Step,
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

/// A call at one moment. Questions, plans and decisions share it; an answer makes a successor if somebody does.
pub(crate) enum Machine {
    Plain(franking::Call<Body>),
    Recording(franking::Recorder<Body>),
}

/// For `Arc::make_mut` alone: of a machine and its clone one is answered, and the other one is read.
impl Clone for Machine {
    fn clone(&self) -> Self {
        match self {
            Self::Plain(call) => Self::Plain(call.successor()),
            Self::Recording(recorder) => Self::Recording(recorder.successor()),
        }
    }
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

    fn begin_commit(&mut self) -> Result<(), Misuse> {
        match self {
            Self::Plain(call) => call.begin_commit().map(drop),
            Self::Recording(recorder) => recorder.begin_commit().map(drop),
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

    /// The plan that waits to be carried out, that was handed out, or that was carried out.
    pub(crate) fn plan(&self) -> Option<Planned<'_>> {
        self.call().plan()
    }

    pub(crate) fn decision(&self) -> Option<Decided<'_>> {
        self.call().decision()
    }
}

/// One call of an operation, from its bytes to its decision: look at `step()`, answer it, until it is `Done`.
///
/// Asked again, `step()` says the same until it is answered. An answer of the wrong kind or length is a
/// `MisuseError`, and nothing changes; but whatever answers a commit ends the call, or after a conflict judges it again.
/// A call may be used by several threads. It cannot be copied: its plan is carried out once at most.
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

    pub(crate) fn now(&self, py: Python<'_>) -> PyResult<Arc<Machine>> {
        let machine = self.lock(py)?.as_ref().map(Arc::clone);
        machine.ok_or_else(|| classes::internal_error(py))
    }

    pub(crate) fn answer(&self, py: Python<'_>, given: Given) -> PyResult<()> {
        self.change(py, |machine| Arc::make_mut(machine).take(given))
    }

    /// Hands the plan out for good. From here on the call has ended, unless its commit is answered.
    pub(crate) fn begin(&self, py: Python<'_>) -> PyResult<Plan> {
        let machine = self.change(py, |machine| {
            Arc::make_mut(machine).begin_commit()?;
            Ok(Arc::clone(machine))
        })?;
        Ok(Plan::new(machine))
    }

    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut Arc<Machine>) -> Result<T, Misuse> + Send,
    ) -> PyResult<T> {
        let mut slot = self.lock(py)?;
        let mut machine = slot.take().ok_or_else(|| classes::internal_error(py))?;
        let length = machine.len();
        let shared = &mut machine;
        let changed = run(py, length, move || change(shared))?;
        *slot = Some(machine);
        changed.map_err(|misuse| classes::misuse_error(py, &misuse.to_string()))
    }
}

#[pymethods]
impl Call {
    /// `method` is the HTTP method as it came. With `record`, the call notes what it asks and is answered, for
    /// `transcript()`.
    #[new]
    #[pyo3(signature = (operation, body, policy = None, *, method = "POST", record = false))]
    pub(crate) fn new(
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

    /// Hands the plan of `Commit` out for good: for drivers, whose host may raise, or be cancelled, and never answer.
    ///
    /// From here on the call has ended with `host_error` `unknown`, unless `answer_commit` says what came of the plan.
    fn begin_commit(&self, py: Python<'_>) -> PyResult<Plan> {
        self.begin(py)
    }

    /// Answers `Commit`: the transaction id (1 to 2**53 - 1) under which the plan was carried out, the `Conflict` because
    /// of which nothing of it was, or `unknown` if it is not known whether it was.
    ///
    /// Whatever is given ends the call, or after a conflict judges it again. What is none of these ends it with
    /// `host_error` `unknown`, and is a `CommitUnknownError`.
    #[pyo3(signature = (outcome, /))]
    fn answer_commit(&self, py: Python<'_>, outcome: &Bound<'_, PyAny>) -> PyResult<()> {
        match answers::commit(outcome) {
            Ok(given) => self.answer(py, given),
            Err(error) => {
                self.answer(py, Given::Commit(Outcome::Unknown))?;
                Err(error)
            }
        }
    }

    /// Asks a host until the call is decided.
    ///
    /// What the host raises is passed on; asked again, the call goes on where it was. But once its commit was called, the
    /// call has ended: see `CommitUnknownError`.
    #[pyo3(signature = (host, /))]
    fn drive(&self, py: Python<'_>, host: &Bound<'_, PyAny>) -> PyResult<Decision> {
        drive::drive(py, self, host)
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
