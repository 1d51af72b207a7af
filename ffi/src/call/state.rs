//! The state that a call's lock guards: the machine, and the texts that were made for the caller.

use std::borrow::Cow;

use franking_core::{
    Account, Call, Commit, Decision, Facts, HostAnswer, JsonAnswerError, Misuse, Operation, Plan,
    Policy, Questions, Recorder, Step,
};

use crate::arena::Arena;
use crate::decision::Texts;
use crate::facts::{FactsRoom, FrankingFacts};
use crate::numbers::{
    FRANKING_STEP_ACCOUNT, FRANKING_STEP_COMMIT, FRANKING_STEP_DONE, FRANKING_STEP_FACTS,
};
use crate::plan::PlanRows;
use crate::questions::Columns;
use crate::status::{Fail, Outcome};
use crate::text::FrankingText;

/// The state machine of the core, with or without a recording.
pub(crate) enum Machine {
    Plain(Call<'static>),
    Recorded(Box<Recorder<'static>>),
}

/// The state that a call's lock guards.
pub(crate) struct State {
    pub(crate) machine: Machine,
    /// Incremented by each answer, which makes older cursors stale.
    pub(crate) generation: u64,
    /// The columns of the questions, once they were asked for.
    pub(crate) columns: Option<Columns>,
    /// The rows for the answers, once they were asked for, and the structure that points to them. The caller writes into the
    /// rows through these pointers, so no reference to the rows may be made after the structure was handed out.
    pub(crate) rows: Option<(Box<FactsRoom>, FrankingFacts)>,
    /// The rows of the plan, once it was asked for.
    pub(crate) plan: Option<Box<PlanRows>>,
    /// The texts of the current step that had to be built.
    pub(crate) texts: Arena,
    /// The account's key, once it was asked for.
    pub(crate) key: Option<FrankingText>,
    /// The decision's own texts.
    pub(crate) decided: Option<Texts>,
}

impl State {
    pub(crate) fn call(&self) -> &Call<'static> {
        self.machine.call()
    }

    pub(crate) fn step_number(&self) -> i32 {
        match self.call().step() {
            Step::Account(_) => FRANKING_STEP_ACCOUNT,
            Step::Facts(_) => FRANKING_STEP_FACTS,
            Step::Commit(_) => FRANKING_STEP_COMMIT,
            Step::Done(_) => FRANKING_STEP_DONE,
        }
    }

    pub(crate) fn no_plan(&self) -> Fail {
        self.wrong_step("there is no plan")
    }

    pub(crate) fn decision(&self) -> Outcome<Decision<'_>> {
        let decision = self.call().decision();
        decision.ok_or_else(|| self.wrong_step("there is no decision yet"))
    }

    #[cold]
    pub(crate) fn wrong_step(&self, what: &'static str) -> Fail {
        let waits = match self.step_number() {
            FRANKING_STEP_ACCOUNT => "the call waits for the account",
            FRANKING_STEP_FACTS => "the call waits for facts",
            FRANKING_STEP_COMMIT => "the call waits for the commit",
            _ => "the call is decided",
        };
        Fail::misuse(format!("{what}: {waits}; look at franking_call_step first"))
    }

    /// Drops everything that was made for the questions or the plan. Mostly only a part of it exists, so each member is
    /// tested first.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        self.key = None;
        if self.columns.is_some() {
            self.columns = None;
        }
        if self.rows.is_some() {
            self.rows = None;
        }
        if self.plan.is_some() {
            self.plan = None;
        }
        // There is a decision already if it was read between the hand-out of the plan and the answer to it.
        if self.decided.is_some() {
            self.decided = None;
        }
        self.texts.clear();
    }
}

impl Machine {
    /// Inlined, because it is built in the memory of its handle.
    #[inline(always)]
    pub(crate) fn new(
        policy: &Policy,
        operation: Operation,
        method: &str,
        body: Cow<'static, [u8]>,
        is_recorded: bool,
    ) -> Self {
        if is_recorded {
            let recorder = Recorder::new(policy, operation, method, body);
            return Self::Recorded(Box::new(recorder));
        }
        Self::Plain(Call::new(policy, operation, method, body))
    }

    pub(crate) fn call(&self) -> &Call<'static> {
        match self {
            Self::Plain(call) => call,
            Self::Recorded(recorder) => recorder.call(),
        }
    }

    /// The plan, while it is to be carried out, and once it has been.
    #[inline]
    pub(crate) fn plan(&self) -> Option<Plan<'_>> {
        self.call().plan()
    }

    /// Hands the plan out for good, before the host's commit is called.
    pub(crate) fn begin_commit(&mut self) -> Result<(), Misuse> {
        match self {
            Self::Plain(call) => call.begin_commit().map(|_| ()),
            Self::Recorded(recorder) => recorder.begin_commit().map(|_| ()),
        }
    }

    pub(crate) fn account(&mut self, account: Option<Account>) -> Result<(), Misuse> {
        match self {
            Self::Plain(call) => call.answer_account(account),
            Self::Recorded(recorder) => recorder.answer(HostAnswer::Account(account)),
        }
    }

    /// Takes the facts, which `fill` writes in place.
    pub(crate) fn fill(
        &mut self,
        fill: impl FnOnce(&Questions<'_>, &mut Facts) -> Outcome,
    ) -> Outcome {
        match self {
            Self::Plain(call) => call.fill_facts(fill),
            Self::Recorded(recorder) => {
                let mut facts = Facts::default();
                // A call that does not ask for facts has no questions. Empty facts are recorded for it.
                if let Step::Facts(questions) = recorder.step() {
                    fill(&questions, &mut facts)?;
                }
                Ok(recorder.answer(HostAnswer::Facts(facts))?)
            }
        }
    }

    pub(crate) fn commit(&mut self, commit: Commit) -> Result<(), Misuse> {
        match self {
            Self::Plain(call) => call.answer_commit(commit),
            Self::Recorded(recorder) => recorder.answer(HostAnswer::Commit(commit)),
        }
    }

    pub(crate) fn json(&mut self, text: &str) -> Result<(), JsonAnswerError> {
        match self {
            Self::Plain(call) => call.answer_json(text),
            Self::Recorded(recorder) => recorder.answer_json(text),
        }
    }
}
