//! What is behind a call's lock: the machine, and the texts that were made for the caller.

use std::collections::HashMap;

use franking_core::{
    Account, Call, Commit, Decision, Facts, HostAnswer, JsonAnswerError, Misuse, Plan, Questions,
    Recorder, Step,
};

use crate::arena::Arena;
use crate::numbers::{
    FRANKING_STEP_ACCOUNT, FRANKING_STEP_COMMIT, FRANKING_STEP_DONE, FRANKING_STEP_FACTS,
};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingBytes, FrankingText};

/// The bytes of a body, the caller's or the library's own.
pub(crate) enum Body {
    Borrowed { data: *const u8, len: usize },
    Owned(Vec<u8>),
}

// SAFETY: the caller of the constructor promises that the bytes stay as they are until the handle is freed.
unsafe impl Send for Body {}
// SAFETY: as above.
unsafe impl Sync for Body {}

impl Body {
    /// # Safety
    /// The bytes stay readable and unchanged until the handle that borrows them is freed.
    pub(crate) unsafe fn borrow(bytes: FrankingBytes) -> Outcome<Self> {
        // SAFETY: as demanded of the caller.
        let bytes = unsafe { bytes.read("body") }?;
        Ok(Self::Borrowed {
            data: bytes.as_ptr(),
            len: bytes.len(),
        })
    }

    /// # Safety
    /// The bytes can be read.
    pub(crate) unsafe fn copy(bytes: FrankingBytes) -> Outcome<Self> {
        // SAFETY: as demanded of the caller.
        let bytes = unsafe { bytes.read("body") }?;
        let mut copy = Vec::new();
        let room = copy.try_reserve_exact(bytes.len());
        room.map_err(|_| Fail::memory("a copy of the body"))?;
        copy.extend_from_slice(bytes);
        Ok(Self::Owned(copy))
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        match self {
            // SAFETY: the bytes stay readable until the handle is freed, and nothing looks at them afterwards.
            Self::Borrowed { data, len } => unsafe { core::slice::from_raw_parts(*data, *len) },
            Self::Owned(bytes) => bytes,
        }
    }
}

/// The machine, with or without its notes.
#[expect(
    clippy::large_enum_variant,
    reason = "almost every call is plain, and a box would be one more allocation for each"
)]
pub(crate) enum Machine {
    Plain(Call<Body>),
    Recorded(Box<Recorder<Body>>),
}

/// Texts that had to be made for questions, by column and place.
type Made = HashMap<(i32, usize), Box<str>>;

/// What is behind a call's lock.
pub(crate) struct State {
    pub(crate) machine: Machine,
    /// Goes up with each answer: what was borrowed before is stale.
    pub(crate) generation: u64,
    /// What had to be made for the questions, until the call is answered.
    pub(crate) made: Option<Box<Made>>,
    /// The columns of the questions, once they were asked for as a whole.
    pub(crate) columns: Option<crate::columns::Columns>,
    /// Texts of these columns that lie nowhere else, later those of a plan that was read as one structure.
    pub(crate) texts: Arena,
    /// The decision's own texts.
    pub(crate) decided: Option<crate::decision::Texts>,
}

impl State {
    pub(crate) fn call(&self) -> &Call<Body> {
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

    /// The questions, while the call asks them.
    pub(crate) fn questions(&self) -> Outcome<Questions<'_>> {
        match self.call().step() {
            Step::Facts(questions) => Ok(questions),
            _ => Err(self.wrong_step("facts are not asked for")),
        }
    }

    /// As [`Machine::plan`].
    pub(crate) fn plan(&self) -> Outcome<Plan<'_>> {
        self.machine.plan().ok_or_else(|| self.no_plan())
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

    /// Drops what was made for the questions or the plan. Mostly only some of it is there.
    #[inline]
    pub(crate) fn let_go(&mut self) {
        if self.made.is_some() {
            self.made = None;
        }
        if self.columns.is_some() {
            self.columns = None;
        }
        self.texts.clear();
    }

    /// A text that was made before, which stays where it is.
    pub(crate) fn made(&self, column: i32, index: usize) -> Option<FrankingText> {
        let made = self.made.as_ref()?.get(&(column, index))?;
        Some(FrankingText::new(made))
    }

    /// Keeps a text that had to be made.
    pub(crate) fn keep_made(&mut self, column: i32, index: usize, text: String) -> FrankingText {
        let made = self.made.get_or_insert_with(Box::default);
        FrankingText::new(made.entry((column, index)).or_insert_with(|| text.into()))
    }
}

impl Machine {
    pub(crate) fn call(&self) -> &Call<Body> {
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

    /// Takes the facts, which may be empty afterwards. They are large: passed by value through several functions, they would
    /// be copied in each.
    pub(crate) fn facts(&mut self, facts: &mut Facts) -> Result<(), Misuse> {
        match self {
            Self::Plain(call) => call.take_facts(facts),
            Self::Recorded(recorder) => recorder.answer(HostAnswer::Facts(core::mem::take(facts))),
        }
    }

    /// Takes the facts that `fill` writes, where they stay.
    pub(crate) fn fill(
        &mut self,
        fill: impl FnOnce(&Questions<'_>, &mut Facts) -> Outcome,
    ) -> Outcome {
        match self {
            Self::Plain(call) => call.fill_facts(fill),
            Self::Recorded(recorder) => {
                let mut facts = Facts::default();
                // Out of turn there are no questions to answer by: what is noted is that facts were given.
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

impl State {
    pub(crate) fn key(&mut self) -> Outcome<FrankingText> {
        let key = match self.call().step() {
            Step::Account(question) => question.key(),
            _ => return Err(self.wrong_step("the account is not asked for")),
        };
        Ok(match key {
            std::borrow::Cow::Borrowed(key) => FrankingText::new(key),
            std::borrow::Cow::Owned(key) => match self.made(0, 0) {
                Some(made) => made,
                None => self.keep_made(0, 0, key),
            },
        })
    }
}
