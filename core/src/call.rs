//! The state machine of one call: the only file that changes a call's stage. Each stage owns what is known in it.
//!
//! | stage | `step()` gives | `answer_account` | `answer_facts` | `begin_commit` | `answer_commit` |
//! |---|---|---|---|---|---|
//! | account | `Step::Account` | facts, or done | misuse | misuse | misuse |
//! | facts | `Step::Facts` | misuse | commit, or done | misuse | misuse |
//! | commit | `Step::Commit` | misuse | misuse | committing, and the plan | done, or account again after a conflict |
//! | committing | `Step::Done`: unknown | misuse | misuse | misuse | done, or account again after a conflict |
//! | done | `Step::Done` | misuse | misuse | misuse | misuse |
//!
//! Three laws: `step()` changes nothing; an error changes nothing; a question is repeated only after a conflict. After
//! `max_attempts` commits, the conflict decides the call.
//!
//! The commit is the point of no return. Every answer to it either ends the call or, after a conflict, starts judging
//! again. An invalid answer ends the call too, because the host may have carried out the plan. Once a driver has begun a
//! commit, a call that gets no answer has ended as well: nobody knows whether the plan was carried out. To keep anyone
//! from committing a copy, a call is not `Clone`, and only one of a call and its successors takes answers.

mod stage;
mod step;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::account::{credit_low, usable};
use crate::check::order::judges;
use crate::commit::Commit;
use crate::content::Received;
use crate::debug::debug_shows;
use crate::decision::{Asked, Decision};
use crate::ending::{Ending, Failure};
use crate::facts::{Account, Facts};
use crate::misuse::Misuse;
use crate::operation::Operation;
use crate::plan::Plan;
use crate::policy::Policy;
use crate::questions::Questions;
use crate::transport::most_bytes;
use crate::wire::answer::is_transaction_id;
use crate::wire::sent::Sent;
use stage::{Progress, Stage};
pub(crate) use step::Awaited;
pub use step::{AccountQuestion, Step};

// The rules of phase 7, which [`Call::answer_commit`] judges. `commit.rs` asserts that each has a conflict.
judges!(SendMailer Commit Call [SubscriberExists]);
judges!(HttpSendMail Commit Call [SubscriberExists]);

/// One call of an operation, from its bytes to its decision.
///
/// It borrows the body, or owns it. The body is read in place.
///
/// The [crate's page](crate) shows the contract as a loop.
pub struct Call<'b> {
    sent: Sent<'b>,
    operation: Operation,
    policy: Policy,
    asked: Asked,
    stage: Stage,
    /// Whether a successor has taken over the right to be answered. There is at most one.
    has_successor: AtomicBool,
}

impl<'b> Call<'b> {
    /// Takes a call as received: the HTTP method and the bytes of the body, such as `&[u8]` or `Vec<u8>`. Judges phase 1 and the
    /// presence of a key, which need no account.
    ///
    /// Never fails: if anything is wrong with the call, the decision says so.
    #[must_use]
    // Inlined so that the call is built in the caller's variable: copying a call costs more than making it.
    #[inline(always)]
    pub fn new(
        policy: &Policy,
        operation: Operation,
        method: &str,
        body: impl Into<Cow<'b, [u8]>>,
    ) -> Self {
        let sent = Sent::new(body.into(), most_bytes(policy, operation));
        Self {
            operation,
            policy: policy.clone(),
            asked: Asked::default(),
            has_successor: AtomicBool::new(false),
            stage: Stage::first(policy, operation, method, &sent),
            sent,
        }
    }

    /// The operation that was called.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The policy that applies to the call.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The body as given.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.sent.bytes()
    }

    /// What the call waits for. Changes nothing: it returns the same step until that step is answered.
    #[must_use]
    #[inline]
    pub fn step(&self) -> Step<'_> {
        let asked = match self.awaited() {
            Awaited::Account => self.account_question().map(Step::Account),
            Awaited::Facts => self.questions().map(Step::Facts),
            Awaited::Commit => self.plan().map(Step::Commit),
            Awaited::Outcome | Awaited::Nothing => None,
        };
        asked.unwrap_or_else(|| Step::Done(self.ended()))
    }

    /// What the call waits for, without the question itself.
    #[inline]
    pub(crate) fn awaited(&self) -> Awaited {
        match self.stage {
            Stage::Account(_) | Stage::AccountAgain(_) => Awaited::Account,
            Stage::Facts(..) => Awaited::Facts,
            Stage::Judged(_, Progress::Planned) => Awaited::Commit,
            Stage::Judged(_, Progress::HandedOut) => Awaited::Outcome,
            Stage::Judged(_, Progress::Ended(_)) | Stage::Ended(..) => Awaited::Nothing,
        }
    }

    /// `None` when the call waits for something else.
    #[inline]
    pub(crate) fn account_question(&self) -> Option<AccountQuestion<'_>> {
        AccountQuestion::new(self.stage.common()?, self.sent.text())
    }

    /// `None` when the call waits for something else.
    #[inline]
    fn questions(&self) -> Option<Questions<'_>> {
        match &self.stage {
            Stage::Facts(checked, _) => Some(Questions::new(checked, self.sent.text())),
            _ => None,
        }
    }

    /// The decision of a call that has ended. A call that waits for an answer but has no question to show is a fault.
    #[inline]
    pub(crate) fn ended(&self) -> Decision<'_> {
        Decision {
            received: Received {
                sent: &self.sent,
                operation: self.operation,
                policy: &self.policy,
            },
            ending: match self.stage {
                Stage::Judged(_, Progress::Ended(ending)) | Stage::Ended(ending, _) => ending,
                Stage::Judged(_, Progress::HandedOut) => Ending::Failed(Failure::Unknown),
                _ => Ending::FAULT,
            },
            kept: self.stage.kept(),
            asked: self.asked,
        }
    }

    /// The decision; `None` while the call waits for an answer.
    #[must_use]
    pub fn decision(&self) -> Option<Decision<'_>> {
        match self.step() {
            Step::Done(decision) => Some(decision),
            _ => None,
        }
    }

    /// The plan of a judged call: waiting to be carried out, handed out, or carried out.
    #[must_use]
    pub fn plan(&self) -> Option<Plan<'_>> {
        match &self.stage {
            Stage::Judged(
                judged,
                Progress::Planned | Progress::HandedOut | Progress::Ended(Ending::Accepted { .. }),
            ) => Plan::new(judged, self.sent.text(), &self.policy),
            _ => None,
        }
    }

    /// Answers [`Step::Account`] with the account that has the key, or `None` when no account has it.
    ///
    /// # Errors
    /// [`Misuse::WrongAnswer`] when the call waits for something else; nothing changes.
    pub fn answer_account(&mut self, account: Option<Account>) -> Result<(), Misuse> {
        self.takes("account")?;
        let Some(common) = self.stage.common() else {
            return Err(self.misuse("account"));
        };
        self.asked.account += 1;
        let account = match usable(self.operation, common, account) {
            Ok(account) => account,
            Err(found) => {
                self.stage = Stage::refused(found);
                return Ok(());
            }
        };
        let checked = match mem::replace(&mut self.stage, Stage::CHANGING) {
            Stage::Account(read) => read.check(self.sent.text(), &self.policy),
            Stage::AccountAgain(checked) => Ok(checked),
            _ => return Ok(()),
        };
        self.stage = match checked {
            Ok(checked) => Stage::Facts(checked, account),
            Err((ending, kept)) => Stage::Ended(ending, kept),
        };
        Ok(())
    }

    /// Answers [`Step::Facts`] with what the host knows of each member of each column.
    ///
    /// # Errors
    /// The call does not change, and the error is
    /// - [`Misuse::WrongAnswer`] when the call waits for something else;
    /// - [`Misuse::WrongLength`] when a column is not as long as the question's;
    /// - [`Misuse::SubscriberId`] when an id is not 1 to 2^63-1;
    /// - [`Misuse::EmptyAddress`] or [`Misuse::BlacklistedNotSaid`] when a stored address that the email would use is empty,
    ///   or comes without `blacklisted`.
    pub fn answer_facts(&mut self, facts: Facts) -> Result<(), Misuse> {
        self.fill_facts(|_, place| {
            *place = facts;
            Ok(())
        })
    }

    /// Like [`Call::answer_facts`], with facts that `fill` writes. `fill` gets the questions and empty facts.
    ///
    /// # Errors
    /// Those of [`Call::answer_facts`], and those of `fill`; the call does not change.
    #[inline]
    pub fn fill_facts<E: From<Misuse>>(
        &mut self,
        fill: impl FnOnce(&Questions<'_>, &mut Facts) -> Result<(), E>,
    ) -> Result<(), E> {
        self.takes("facts")?;
        let mut facts = Box::<Facts>::default();
        let questions = self.questions().ok_or_else(|| self.misuse("facts"))?;
        fill(&questions, &mut facts)?;
        questions.check(&facts)?;
        self.judge(facts);
        Ok(())
    }

    #[cold]
    fn misuse(&self, given: &'static str) -> Misuse {
        let awaited = match self.awaited() {
            Awaited::Account => "account",
            Awaited::Facts => "facts",
            Awaited::Commit | Awaited::Outcome => "commit",
            Awaited::Nothing => "nothing",
        };
        Misuse::WrongAnswer { awaited, given }
    }

    /// Judges phases 5 and 6. The caller has checked that the facts answer the questions.
    fn judge(&mut self, facts: Box<Facts>) {
        self.asked.facts += 1;
        let Stage::Facts(checked, account) = mem::replace(&mut self.stage, Stage::CHANGING) else {
            return;
        };
        let sent = self.sent.text();
        let mut judged = checked.with_facts(facts, sent);
        let refused = judged.judge(sent, &self.policy).map(Ending::Refused);
        let ending = refused.or_else(|| match Plan::new(&judged, sent, &self.policy) {
            Some(plan) if plan.is_sound() => {
                credit_low(self.operation, account, || plan.debit()).map(Ending::Refused)
            }
            _ => Some(Ending::FAULT),
        });
        let progress = ending.map_or(Progress::Planned, Progress::Ended);
        self.stage = Stage::Judged(judged, progress);
    }

    /// Hands out the plan of [`Step::Commit`], once. This method is for drivers: they call a host and may never get its
    /// answer, because the host fails or panics, or because its task is cancelled.
    ///
    /// From here on the call counts as ended with [`Failure::Unknown`], unless [`Call::answer_commit`] reports the result.
    /// A program that always answers can take the plan from [`Step::Commit`] instead.
    ///
    /// # Errors
    /// [`Misuse::WrongAnswer`] when the call waits for something else, or when its plan was already handed out; the call
    /// does not change.
    pub fn begin_commit(&mut self) -> Result<Plan<'_>, Misuse> {
        self.takes("begin_commit")?;
        let Stage::Judged(_, progress @ Progress::Planned) = &mut self.stage else {
            return Err(self.misuse("begin_commit"));
        };
        *progress = Progress::HandedOut;
        self.asked.commits += 1;
        self.plan().ok_or(Misuse::WrongAnswer {
            awaited: "nothing",
            given: "begin_commit",
        })
    }

    /// Answers [`Step::Commit`] or [`Call::begin_commit`] with the result of carrying out the plan.
    ///
    /// Every answer ends the call or, after a conflict, starts judging again. A transaction id that is not 1 to 2^53-1 is a
    /// misuse by the host: the call ends without a code ([`Failure::Misuse`]), and what the host did is not undone. A
    /// conflict that is not possible on the operation ([`Conflict::is_possible`](crate::Conflict::is_possible)) is treated
    /// as [`Commit::Unknown`].
    ///
    /// # Errors
    /// [`Misuse::WrongAnswer`] when the call waits for something else; the call does not change.
    pub fn answer_commit(&mut self, commit: Commit) -> Result<(), Misuse> {
        self.takes("commit")?;
        let Stage::Judged(_, progress @ (Progress::Planned | Progress::HandedOut)) =
            &mut self.stage
        else {
            return Err(self.misuse("commit"));
        };
        if matches!(progress, Progress::Planned) {
            self.asked.commits += 1;
        }
        *progress = Progress::Ended(match commit {
            Commit::Done { transaction_id } if is_transaction_id(transaction_id) => {
                Ending::Accepted { transaction_id }
            }
            Commit::Conflict(conflict) if conflict.is_possible(self.operation) => {
                if self.asked.commits < self.policy.max_attempts() {
                    self.judge_again();
                    return Ok(());
                }
                Ending::after(conflict)
            }
            Commit::Done { .. } => Ending::Failed(Failure::Misuse),
            Commit::Conflict(_) | Commit::Unknown => Ending::Failed(Failure::Unknown),
        });
        Ok(())
    }

    /// After a conflict, asks the host for the account and the facts again. Phases 2, 3, 5 and 6 are then judged again.
    fn judge_again(&mut self) {
        if let Stage::Judged(judged, _) = mem::replace(&mut self.stage, Stage::CHANGING) {
            self.stage = Stage::AccountAgain(judged.without_facts());
        }
    }

    /// A copy of the call, over a copy of its body, that takes over the right to be answered. It is for bindings: their
    /// programs may still hold questions and plans that read the original, which takes no more answers.
    ///
    /// This is not `Clone`, because two calls that both take answers could both be committed. The first successor takes
    /// the right over. The original and all further successors still show their step, and every answer to them is a misuse.
    #[doc(hidden)]
    #[must_use]
    pub fn successor<'n>(&self, body: &'n [u8]) -> Call<'n> {
        let has_successor = self.has_successor.swap(true, Ordering::AcqRel);
        let most = most_bytes(&self.policy, self.operation);
        Call {
            sent: Sent::new(body.into(), most),
            operation: self.operation,
            policy: self.policy.clone(),
            asked: self.asked,
            stage: self.stage.clone(),
            has_successor: AtomicBool::new(has_successor),
        }
    }

    /// Checks that this call, and not a successor of it, takes answers. If not, it is [`Misuse::WrongAnswer`].
    pub(crate) fn takes(&self, given: &'static str) -> Result<(), Misuse> {
        if self.has_successor.load(Ordering::Acquire) {
            let awaited = "nothing";
            return Err(Misuse::WrongAnswer { awaited, given });
        }
        Ok(())
    }

    /// Whether the call waits for the result of its plan: at [`Step::Commit`], and after [`Call::begin_commit`].
    #[must_use]
    pub fn awaits_commit(&self) -> bool {
        matches!(self.awaited(), Awaited::Commit | Awaited::Outcome)
    }
}

debug_shows!(Call<'_> { operation, asked });

#[cfg(test)]
mod tests;
