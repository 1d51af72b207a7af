//! The state of a call, which questions, plans and decisions share, and the functions that change it.

use std::sync::Arc;

use franking::{
    Commit as Outcome, Decision as Decided, Failure, HostAnswer, Misuse, Plan as Planned,
    Questions as Asked, Step,
};
use pyo3::prelude::*;
use pyo3::types::PyString;
use self_cell::self_cell;

use crate::body::{self, Body};
use crate::classes;
use crate::guard::{guard, run};
use crate::policy::{self, Policy};
use crate::rows::Owner;
use crate::transcript::Transcript;

/// The host's answer to any step.
pub(crate) enum Given {
    Account(Option<franking::Account>),
    /// Facts are large, so they are shared until the call takes them.
    Facts(Arc<franking::Facts>),
    Commit(Outcome),
}

/// The state of a call at one moment. Questions, plans and decisions share it. An answer changes a clone if the state is
/// shared.
pub(crate) enum Machine {
    Plain(OwnedCall),
    Recording(OwnedRecorder),
}

type Call<'b> = franking::Call<'b>;
type Recorder<'b> = franking::Recorder<'b>;

self_cell! {
    /// A call with the body that it borrows.
    pub(crate) struct OwnedCall {
        owner: Body,
        #[covariant]
        dependent: Call,
    }
}

self_cell! {
    /// A recorder with the body that it borrows.
    pub(crate) struct OwnedRecorder {
        owner: Body,
        #[covariant]
        dependent: Recorder,
    }
}

/// Only for `Arc::make_mut`: of a machine and its clone, one is answered, and the other one is only read.
impl Clone for Machine {
    fn clone(&self) -> Self {
        match self {
            Self::Plain(call) => {
                let body = call.borrow_owner().clone();
                Self::Plain(OwnedCall::new(body, |body| {
                    call.borrow_dependent().successor(body.as_ref())
                }))
            }
            Self::Recording(recorder) => {
                let body = recorder.borrow_owner().clone();
                Self::Recording(OwnedRecorder::new(body, |body| {
                    recorder.borrow_dependent().successor(body.as_ref())
                }))
            }
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
                Self::Recording(OwnedRecorder::new(body, |body| {
                    Recorder::new(&policy, operation, method, body.as_ref())
                }))
            } else {
                Self::Plain(OwnedCall::new(body, |body| {
                    Call::new(&policy, operation, method, body.as_ref())
                }))
            })
        })
    }

    pub(crate) fn call(&self) -> &Call<'_> {
        match self {
            Self::Plain(call) => call.borrow_dependent(),
            Self::Recording(recorder) => recorder.borrow_dependent().call(),
        }
    }

    fn take(&mut self, given: Given) -> Result<(), Misuse> {
        let answer = match given {
            Given::Account(account) => HostAnswer::Account(account),
            // This clones the facts if the host has kept them.
            Given::Facts(facts) => HostAnswer::Facts(Arc::unwrap_or_clone(facts)),
            Given::Commit(commit) => HostAnswer::Commit(commit),
        };
        match self {
            Self::Plain(call) => call.with_dependent_mut(|_, call| call.answer(answer)),
            Self::Recording(recorder) => {
                recorder.with_dependent_mut(|_, recorder| recorder.answer(answer))
            }
        }
    }

    fn begin_commit(&mut self) -> Result<(), Misuse> {
        match self {
            Self::Plain(call) => call.with_dependent_mut(|_, call| call.begin_commit().map(drop)),
            Self::Recording(recorder) => {
                recorder.with_dependent_mut(|_, recorder| recorder.begin_commit().map(drop))
            }
        }
    }

    pub(crate) fn questions(&self) -> Option<Asked<'_>> {
        match self.call().step() {
            Step::Facts(questions) => Some(questions),
            _ => None,
        }
    }

    /// The plan, if there is one: it waits to be carried out, was handed out, or was carried out.
    pub(crate) fn plan(&self) -> Option<Planned<'_>> {
        self.call().plan()
    }

    pub(crate) fn decision(&self) -> Option<Decided<'_>> {
        self.call().decision()
    }

    /// Whether a conflict has put the call back to its first question.
    pub(crate) fn waits_again(&self) -> bool {
        matches!(self.call().step(), Step::Account(_))
    }

    /// The questions and answers so far, if they are recorded.
    pub(crate) fn transcript(&self, py: Python<'_>) -> PyResult<Transcript> {
        match self {
            Self::Recording(recorder) => {
                let recorder = recorder.borrow_dependent();
                run(py, self.len(), || recorder.transcript()).map(Transcript::new)
            }
            Self::Plain(_) => Err(classes::misuse_error(
                py,
                "the call has not been recorded: decide it with record=True",
            )),
        }
    }
}

impl Owner for Machine {
    fn len(&self) -> usize {
        self.call().body().len()
    }
}

/// The result of changing a call. A misuse changes nothing. The outer error is a fault of the library, after which the state
/// of the call is unknown.
pub(crate) type Changed<T> = PyResult<Result<T, Misuse>>;

/// Answers a call. Objects that share its state keep the old one.
pub(crate) fn answer(py: Python<'_>, machine: &mut Arc<Machine>, given: Given) -> Changed<()> {
    run(py, machine.len(), || Arc::make_mut(machine).take(given))
}

/// Hands out the plan for good. Afterwards the call counts as ended until its commit is answered.
pub(crate) fn begin_commit(py: Python<'_>, machine: &mut Arc<Machine>) -> Changed<()> {
    run(py, machine.len(), || Arc::make_mut(machine).begin_commit())
}

/// Ends a call in whose answer to a plan the library has failed. Returns whether it has ended as unknown; if it has not, its
/// state cannot be used.
pub(crate) fn end_as_unknown(py: Python<'_>, machine: &mut Arc<Machine>) -> bool {
    let ended = guard(py, || {
        // If the answer was taken before the fault, this one is a misuse, which changes nothing.
        let _misuse = Arc::make_mut(machine).take(Given::Commit(Outcome::Unknown));
        let failure = machine.decision().and_then(|decision| decision.failure());
        failure == Some(Failure::Unknown)
    });
    ended.unwrap_or(false)
}

pub(crate) fn misused(py: Python<'_>, misuse: &Misuse) -> PyErr {
    classes::misuse_error(py, &misuse.to_string())
}
