//! The state machine, and its steps as objects for `match`.

use std::sync::{Arc, Mutex, MutexGuard};

use franking::{
    Commit as Outcome, Decision as Decided, HostAnswer, Misuse, Plan as Planned,
    Questions as Asked, Step,
};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyString, PyTuple};

use crate::answers::{self, Given};
use crate::body::{self, Body};
use crate::classes;
use crate::decision::Decision;
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
        operation: &Bound<'_, PyString>,
        body: &Bound<'_, PyAny>,
        policy: Option<&Bound<'_, Policy>>,
        method: Option<&str>,
        record: bool,
    ) -> PyResult<Arc<Self>> {
        let operation = body::operation(operation)?;
        let body = Body::new(body)?;
        let policy = policy::settings(policy);
        let method = method.unwrap_or("POST");
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

    /// What was asked and answered so far, if that is noted.
    pub(crate) fn transcript(&self, py: Python<'_>) -> PyResult<Transcript> {
        match self {
            Self::Recording(recorder) => {
                run(py, self.len(), || recorder.transcript()).map(Transcript::new)
            }
            Self::Plain(_) => Err(classes::misuse_error(
                py,
                "the call has not been recorded: decide it with record=True",
            )),
        }
    }
}

/// One call of an operation, from its bytes to its decision: look at `step()` and answer it, until it is a `Decision`.
///
/// Asked again, `step()` says the same until it is answered. An answer of the wrong kind or length is a
/// `MisuseError`, and nothing changes; but whatever answers a commit ends the call, or after a conflict judges it again.
/// A call may be used by several threads. It cannot be copied: its plan is carried out once at most.
///
/// Args:
///     operation: The operation that is called, or its name.
///     body: The body as it came. `bytes` and `str` are not copied.
///     policy: The settings; the defaults if left out.
///     method: The HTTP method as it came.
///     record: Whether to note what is asked and answered, for `transcript`.
///
/// Raises:
///     InvalidError: There is no such operation.
///     TypeError: An argument is of the wrong type.
///
/// >>> call = franking.Call("sendMailer", b'{"apiKey": "k", "mailerID": 42, "subID": 7}')
/// >>> call.step()
/// AccountQuestion(...)
/// >>> call.answer_account(None)
/// >>> match call.step():
/// ...     case franking.Decision() as decision:
/// ...         print(decision.code.value, decision.rule)
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
    #[new]
    #[pyo3(
        signature = (operation, body, policy = None, *, method = None, record = false),
        text_signature = "(operation, body, policy=None, *, method=\"POST\", record=False)"
    )]
    pub(crate) fn new(
        py: Python<'_>,
        operation: &Bound<'_, PyString>,
        body: &Bound<'_, PyAny>,
        policy: Option<&Bound<'_, Policy>>,
        #[pyo3(from_py_with = method_of)] method: Option<String>,
        record: bool,
    ) -> PyResult<Self> {
        let machine = Machine::new(py, operation, body, policy, method.as_deref(), record)?;
        Ok(Self {
            machine: Mutex::new(Some(machine)),
        })
    }

    /// What the call waits for.
    ///
    /// Returns:
    ///     An `AccountQuestion`, to be answered by `answer_account`; `Questions`, by `answer_facts`; a `Plan`, by
    ///     `answer_commit` after `begin_commit`; or the `Decision`, which waits for nothing.
    fn step<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let machine = self.now(py)?;
        let step = guard(py, || match machine.call().step() {
            Step::Account(question) => Waits::Account(question.key().into_owned()),
            Step::Facts(_) => Waits::Facts,
            Step::Commit(_) => Waits::Commit,
            Step::Done(_) => Waits::Nothing,
        })?;
        match step {
            Waits::Account(key) => AccountQuestion { key }.into_bound_py_any(py),
            Waits::Facts => Questions::new(machine).into_bound_py_any(py),
            Waits::Commit => Plan::new(machine).into_bound_py_any(py),
            Waits::Nothing => Decision::new(machine).into_bound_py_any(py),
        }
    }

    /// Answers an `AccountQuestion`.
    ///
    /// Args:
    ///     account: What is known of the account; `None` when no account has the key.
    ///
    /// Raises:
    ///     MisuseError: The call waits for something else, or this is no such answer. Nothing changed.
    #[pyo3(signature = (account, /))]
    fn answer_account(&self, py: Python<'_>, account: &Bound<'_, PyAny>) -> PyResult<()> {
        self.answer(py, answers::account(account)?)
    }

    /// Answers `Questions`.
    ///
    /// Args:
    ///     facts: An entry for each member of each column of the questions.
    ///
    /// Raises:
    ///     MisuseError: The call waits for something else, or this is no such answer. Nothing changed.
    #[pyo3(signature = (facts, /))]
    fn answer_facts(&self, py: Python<'_>, facts: &Bound<'_, PyAny>) -> PyResult<()> {
        self.answer(py, answers::facts(facts.clone())?)
    }

    /// Hands a `Plan` out for good, before the host carries it out: it may raise, or be cancelled, and never answer.
    ///
    /// From here on the call has ended with `Failure.UNKNOWN`, unless `answer_commit` says what came of the plan.
    ///
    /// Returns:
    ///     The plan.
    ///
    /// Raises:
    ///     MisuseError: The call waits for something else, or the plan has been handed out. Nothing changed.
    fn begin_commit(&self, py: Python<'_>) -> PyResult<Plan> {
        self.begin(py)
    }

    /// Answers a `Plan`. Whatever is given ends the call, or after a conflict judges it again.
    ///
    /// Args:
    ///     commit: What came of the plan.
    ///
    /// Raises:
    ///     CommitUnknownError: This is no `Commit`; the call has ended with `Failure.UNKNOWN`.
    ///     MisuseError: The call does not wait for a commit. Nothing changed.
    #[pyo3(signature = (commit, /))]
    fn answer_commit(&self, py: Python<'_>, commit: &Bound<'_, PyAny>) -> PyResult<()> {
        match answers::commit(commit) {
            Ok(given) => self.answer(py, given),
            Err(error) => {
                self.answer(py, Given::Commit(Outcome::Unknown))?;
                Err(classes::unknown_because(
                    py,
                    error,
                    Decision::new(self.now(py)?),
                ))
            }
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
    ///
    /// Returns:
    ///     The transcript.
    ///
    /// Raises:
    ///     MisuseError: The call is not recorded.
    fn transcript(&self, py: Python<'_>) -> PyResult<Transcript> {
        self.now(py)?.transcript(py)
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

/// The method of a request. One with a lone surrogate is none of HTTP's, and judged as that.
pub(crate) fn method_of(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let method = value.cast::<PyString>()?;
    Ok(Some(method.to_string_lossy().into_owned()))
}

/// What a call waits for.
enum Waits {
    Account(String),
    Facts,
    Commit,
    Nothing,
}

/// Which account has this key? Answer with `Call.answer_account`.
#[pyclass(frozen, module = "franking", get_all)]
pub(crate) struct AccountQuestion {
    /// The API key as sent, never empty: a secret (interface, section 5).
    key: String,
}

#[pymethods]
impl AccountQuestion {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, ["key"])
    }

    #[expect(clippy::unused_self, reason = "the key is a secret")]
    fn __repr__(&self) -> &'static str {
        "AccountQuestion(...)"
    }
}
