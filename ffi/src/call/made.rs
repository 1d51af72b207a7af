//! The C forms of the parts of a call: columns of questions, rows of facts and of a plan, texts of a decision.

use core::mem::MaybeUninit;

use franking_core::{Decision, Step};

use super::{FrankingCall, State};
use crate::decision::Texts;
use crate::facts::FrankingFacts;
use crate::plan::{FrankingPlan, PlanRows};
use crate::questions::{Columns, FrankingQuestions};
use crate::size::Grows;
use crate::status::{Fail, Outcome};
use crate::text::FrankingText;

impl State {
    pub(crate) fn key(&mut self) -> Outcome<FrankingText> {
        let Step::Account(question) = self.machine.call().step() else {
            return Err(self.wrong_step("the account is not asked for"));
        };
        let texts = &mut self.texts;
        Ok(*self.key.get_or_insert_with(|| texts.keep(question.key())))
    }

    /// The columns of the questions. They are made once and do not move until the call is answered, so earlier pointers stay
    /// valid.
    fn columns(&mut self) -> Outcome<&Columns> {
        if self.columns.is_none() {
            let Step::Facts(questions) = self.machine.call().step() else {
                return Err(self.wrong_step("facts are not asked for"));
            };
            let columns = self.columns.insert(Columns::default());
            if let Err(fail) = columns.fill(questions, &mut self.texts) {
                self.columns = None;
                self.texts.clear();
                return Err(fail);
            }
        }
        match &self.columns {
            Some(columns) => Ok(columns),
            None => Err(Fail::panic()),
        }
    }

    /// The questions as the caller sees them.
    pub(crate) fn show_questions<'a>(
        &mut self,
        place: &'a mut MaybeUninit<FrankingQuestions>,
    ) -> Outcome<&'a FrankingQuestions> {
        Ok(self.columns()?.show(place))
    }

    /// Rows for the facts, made once as the columns are. A row that is not filled in says that nothing of this name exists.
    pub(crate) fn rows(&mut self) -> Outcome<FrankingFacts> {
        let mut place = MaybeUninit::uninit();
        let asked = *self.show_questions(&mut place)?;
        if let Some((_, facts)) = &self.rows {
            return Ok(*facts);
        }
        // The rows have to be at their final address before `facts` points to them.
        let (rows, facts) = self.rows.insert((Box::default(), FrankingFacts::EMPTY));
        let opened = rows.open(&asked, facts);
        let facts = *facts;
        if let Err(fail) = opened {
            self.rows = None;
            return Err(fail);
        }
        Ok(facts)
    }

    /// Makes the rows of the plan if there are none yet. They do not move until the call is answered.
    fn open_plan(&mut self) -> Outcome<&PlanRows> {
        if self.plan.is_none() {
            let Some(plan) = self.machine.plan() else {
                return Err(self.no_plan());
            };
            match PlanRows::new(&plan, &mut self.texts) {
                // From here on the rows point to each other, and are not written any more.
                Ok(rows) => self.plan.insert(Box::new(rows)).link(),
                Err(fail) => {
                    self.texts.clear();
                    return Err(fail);
                }
            }
        }
        match &self.plan {
            Some(rows) => Ok(rows),
            None => Err(Fail::panic()),
        }
    }

    /// Writes the plan as the caller sees it, with the handle of the call in it.
    pub(crate) fn show_plan(
        &mut self,
        call: *mut FrankingCall,
        place: &mut MaybeUninit<FrankingPlan>,
    ) -> Outcome {
        let operation = self.machine.call().operation();
        let plan = self.open_plan()?.show(place);
        plan.call = call.cast();
        plan.operation = i32::from(operation.number());
        Ok(())
    }

    pub(crate) fn html(&mut self, message: usize) -> Outcome<FrankingText> {
        self.open_plan()?;
        match (self.machine.plan(), &mut self.plan) {
            (Some(plan), Some(rows)) => rows.html(&plan, message),
            _ => Err(Fail::panic()),
        }
    }

    /// The decision and its texts. The texts are made once, so earlier pointers stay valid.
    #[inline]
    pub(crate) fn decided(&mut self) -> Outcome<(&mut Texts, Decision<'_>)> {
        let Some(decision) = self.machine.call().decision() else {
            return Err(self.wrong_step("there is no decision yet"));
        };
        let texts = self.decided.get_or_insert_with(|| Texts::new(&decision));
        Ok((texts, decision))
    }
}
