//! The class `Call`: the state machine of a call, with its steps as objects for `match`.

use std::sync::{Arc, Mutex, MutexGuard};

use franking::http::{Outcome as Became, answer};
use franking::{Commit as Outcome, Operation, Policy as Settings, Step};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyString, PyTuple};

use crate::answers;
use crate::body::method_of;
use crate::classes;
use crate::decision::Decision;
use crate::guard::guard;
use crate::http::{answer_to_py, became};
use crate::machine::{self, Changed, Given, Machine};
use crate::plan::Plan;
use crate::policy::Policy;
use crate::questions::Questions;
use crate::transcript::Transcript;

/// One call of an operation, from its bytes to its decision: look at `step()` and answer it, until it is a `Decision`.
///
/// `step()` returns the same step until you answer it. An answer of the wrong kind or length raises `MisuseError` and
/// changes nothing. An answer to a commit is different: it always ends the call or, after a conflict, has it judged again.
/// Several threads may use a call. A call cannot be copied, because its plan is carried out at most once.
///
/// Args:
///     operation: The operation that is called, or its name.
///     body: The body as it came. `bytes` and `str` are not copied.
///     policy: The settings; the defaults if left out.
///     method: The HTTP method as it came.
///     record: Whether to record questions and answers, for `transcript`.
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
    operation: Operation,
    state: Mutex<State>,
}

struct State {
    /// `None` after an answer during which the library failed: the state of the call is unknown.
    machine: Option<Arc<Machine>>,
    /// Whether a plan was handed out, and no conflict has said since that it was not carried out. This is kept after a fault.
    is_handed_out: bool,
}

impl State {
    fn now(&self, py: Python<'_>) -> PyResult<Arc<Machine>> {
        let machine = self.machine.as_ref().map(Arc::clone);
        machine.ok_or_else(|| classes::internal_error(py))
    }

    /// Takes the machine out, so that a fault during a change leaves the call without one.
    fn take(&mut self, py: Python<'_>) -> PyResult<Arc<Machine>> {
        let machine = self.machine.take();
        machine.ok_or_else(|| classes::internal_error(py))
    }

    /// Changes the call.
    fn change<T>(
        &mut self,
        py: Python<'_>,
        change: impl FnOnce(&mut Arc<Machine>) -> Changed<T>,
    ) -> PyResult<T> {
        let mut machine = self.take(py)?;
        let changed = change(&mut machine)?;
        self.machine = Some(machine);
        changed.map_err(|misuse| machine::misused(py, &misuse))
    }

    /// Gives the result of a plan. If the library fails here, the result is unknown, because the host may have carried out
    /// the plan: the error says so, and so does the call from then on.
    fn give_commit(&mut self, py: Python<'_>, given: Given) -> PyResult<()> {
        let Some(mut machine) = self.machine.take() else {
            // An earlier fault hides what the call waits for. The host may have carried out a plan that it has read.
            self.is_handed_out = true;
            let fault = classes::internal_error(py);
            return Err(answers::unknown_because(py, fault, None));
        };
        let is_awaited = machine.call().awaits_commit();
        // A host that answers had the plan, even if it did not call `begin_commit`.
        self.is_handed_out |= is_awaited;
        let fault = match machine::answer(py, &mut machine, given) {
            Ok(answered) => {
                self.is_handed_out &= !machine.waits_again();
                self.machine = Some(machine);
                return answered.map_err(|misuse| machine::misused(py, &misuse));
            }
            Err(fault) if is_awaited => fault,
            Err(fault) => return Err(fault),
        };
        self.machine = machine::end_as_unknown(py, &mut machine).then_some(machine);
        let decision = self.machine.clone().map(Decision::new);
        Err(answers::unknown_because(py, fault, decision))
    }
}

impl Call {
    fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, State>> {
        self.state
            .lock_py_attached(py)
            .map_err(|_| classes::internal_error(py))
    }

    fn now(&self, py: Python<'_>) -> PyResult<Arc<Machine>> {
        self.lock(py)?.now(py)
    }

    fn answer(&self, py: Python<'_>, given: Given) -> PyResult<()> {
        self.lock(py)?
            .change(py, |machine| machine::answer(py, machine, given))
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
            operation: machine.call().operation(),
            state: Mutex::new(State {
                machine: Some(machine),
                is_handed_out: false,
            }),
        })
    }

    /// What the call waits for.
    ///
    /// Returns:
    ///     An `AccountQuestion`, which `answer_account` answers; `Questions`, which `answer_facts` answers; a `Plan`, which
    ///     `answer_commit` answers after `begin_commit`; or the `Decision`, when the call is decided.
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
    ///     account: The account, or `None` if no account has the key.
    ///
    /// Raises:
    ///     MisuseError: The call waits for something else, or the answer is not of this kind. Nothing changed.
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
    ///     MisuseError: The call waits for something else, or the answer is not of this kind. Nothing changed.
    #[pyo3(signature = (facts, /))]
    fn answer_facts(&self, py: Python<'_>, facts: &Bound<'_, PyAny>) -> PyResult<()> {
        self.answer(py, answers::facts(facts.clone())?)
    }

    /// Hands out the `Plan`, once. Call it before you carry out the plan, because you may then raise, or be cancelled, and
    /// never answer.
    ///
    /// Afterwards the call counts as ended with `Failure.UNKNOWN`, until `answer_commit` gives the result of the plan.
    ///
    /// Returns:
    ///     The plan.
    ///
    /// Raises:
    ///     MisuseError: The call waits for something else, or the plan has been handed out. Nothing changed.
    fn begin_commit(&self, py: Python<'_>) -> PyResult<Plan> {
        let mut state = self.lock(py)?;
        state.change(py, |machine| machine::begin_commit(py, machine))?;
        state.is_handed_out = true;
        state.now(py).map(Plan::new)
    }

    /// Answers a `Plan`. Any argument ends the call; after a conflict the call is judged again.
    ///
    /// Args:
    ///     commit: The result of the plan.
    ///
    /// Raises:
    ///     CommitUnknownError: The argument is not a `Commit`, or the library failed. The call has ended with
    ///         `Failure.UNKNOWN`.
    ///     MisuseError: The call does not wait for a commit. Nothing changed.
    #[pyo3(signature = (commit, /))]
    fn answer_commit(&self, py: Python<'_>, commit: &Bound<'_, PyAny>) -> PyResult<()> {
        match answers::commit(commit) {
            Ok(given) => self.lock(py)?.give_commit(py, given),
            Err(error) => {
                let mut state = self.lock(py)?;
                state.give_commit(py, Given::Commit(Outcome::Unknown))?;
                let decision = state.machine.clone().map(Decision::new);
                Err(answers::unknown_because(py, error, decision))
            }
        }
    }

    /// The HTTP answer for the call, whether it is decided or not.
    ///
    /// A decided call is answered by its decision. Once the plan was handed out, and no conflict says that it was not
    /// carried out, the answer has no `Retry-After`, whatever was raised. For any other undecided call it is the answer of
    /// `http_answer`.
    ///
    /// Args:
    ///     error: The exception that has ended the work on the call. Without one, an undecided call is answered with the
    ///         status 500.
    ///
    /// Returns:
    ///     The answer.
    ///
    /// Raises:
    ///     TypeError: The argument is not an `Exception`.
    #[pyo3(signature = (error = None, /))]
    fn http<'py>(
        &self,
        py: Python<'py>,
        error: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let undecided = error.map_or(Ok(Became::Fault), became)?;
        let state = self.lock(py)?;
        let decided = state.machine.as_ref().and_then(|machine| {
            let decided = guard(py, || machine.decision().map(|decision| decision.http()));
            // After a fault, the call is answered as an undecided one.
            decided.ok().flatten()
        });
        let given = match decided {
            Some(given) => given,
            None => {
                let outcome = if state.is_handed_out {
                    Became::Unknown
                } else {
                    undecided
                };
                guard(py, || answer(&Settings::default(), self.operation, outcome))?
            }
        };
        answer_to_py(py, &given)
    }

    /// The decision; `None` until there is one.
    #[getter]
    fn decision(&self, py: Python<'_>) -> PyResult<Option<Decision>> {
        let machine = self.now(py)?;
        let is_done = guard(py, || machine.decision().is_some())?;
        Ok(is_done.then(|| Decision::new(machine)))
    }

    /// The questions and answers so far, of a call that was made with `record=True`.
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
        classes::operation(py, self.operation)
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

/// The next step of a call.
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
