//! The state machine of one call: the only file that changes a call's state.
//!
//! | state | `step()` gives | `answer_account` | `answer_facts` | `begin_commit` | `answer_commit` |
//! |---|---|---|---|---|---|
//! | account | `Step::Account` | facts, or done | misuse | misuse | misuse |
//! | facts | `Step::Facts` | misuse | commit, or done | misuse | misuse |
//! | commit | `Step::Commit` | misuse | misuse | committing, and the plan | done, or account again after a conflict |
//! | committing | `Step::Done`: unknown | misuse | misuse | misuse | done, or account again after a conflict |
//! | done | `Step::Done` | misuse | misuse | misuse | misuse |
//!
//! Law: `step()` changes nothing. An error changes nothing. Nothing is asked twice but after a conflict, and after
//! `max_attempts` commits the conflict is the answer.
//!
//! Commit is the point of no return. Every answer to it ends the call or, after a conflict, judges it again: one that
//! cannot be ends it, too, because the host may have carried out the plan. Once a driver has begun a commit, a call
//! that is never answered has ended as well: whether the plan was carried out is not known. A call is not `Clone`, so
//! that nobody commits a copy of it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::fmt;

use crate::check::facts::{Listed, RequestFacts, SendMailerFacts, credit, is_all_clear};
use crate::check::order::rules;
use crate::check::send_mailer::SendMailerCheck;
use crate::commit::{Commit, Conflict};
use crate::content::{Content, Known, SentView, View};
use crate::decision::{Asked, Decision, Ending, HostError};
use crate::facts::{Account, Facts};
use crate::misuse::Misuse;
use crate::operation::Operation;
use crate::plan::Plan;
use crate::policy::{Batch, Policy};
use crate::questions::Questions;
use crate::reading::{Refusal, key_missing, read_sent};
use crate::rule::{Phase, Rule};
use crate::selection::{Parts, Selection};
use crate::violation::{Found, Place};
use crate::wire::answer::is_transaction_id;
use crate::wire::json::SyntaxError;

/// One call of an operation, from its bytes to its decision.
///
/// `B` is whatever lends the bytes of the body: `&[u8]`, `Vec<u8>`, an `Arc`. The body is read where it lies.
///
/// The contract, as a loop (this example runs):
///
/// ```
/// use franking::{Account, Call, Commit, Facts, Mailer, Operation, Policy, Step, Subscriber};
///
/// let body = br#"{"apiKey":"k","mailerID":42,"subID":7}"#;
/// let mut call = Call::new(&Policy::default(), Operation::SendMailer, "POST", body);
/// let answer = loop {
///     match call.step() {
///         // 1. Look the account up by its key.
///         Step::Account(question) => {
///             let account = (question.key() == "k").then(Account::default);
///             call.answer_account(account)?;
///         }
///         // 2. Answer every member of every column; what does not exist is None or false.
///         Step::Facts(questions) => {
///             let mut facts = Facts::default();
///             for _id in questions.mailers() {
///                 let (from, from_name) = ("sender@example.com", None);
///                 facts.mailers.push(Some(Mailer { from, from_name, blacklisted: Some(false) }));
///             }
///             for id in questions.subscriber_ids() {
///                 let email = "recipient@example.com";
///                 facts.subscriber_ids.push(Some(Subscriber { id, email, inactive: false, blacklisted: Some(false) }));
///             }
///             call.answer_facts(facts)?;
///         }
///         // 3. Carry the plan out in one transaction, or say what stands in its way.
///         Step::Commit(_plan) => call.answer_commit(Commit::Done { transaction_id: 1 })?,
///         // 4. Send the answer back.
///         Step::Done(decision) => break decision.answer(),
///     }
/// };
/// assert_eq!(answer.as_deref(), Some(r#"{"code":"200","status":"Success","transactionId":"1"}"#));
/// # Ok::<(), franking::Misuse>(())
/// ```
pub struct Call<B> {
    body: B,
    known: Known,
    state: State,
    syntax: Option<SyntaxError>,
    /// The first violation of phase 4 in a batch that may be accepted in part.
    first_by_content: Option<Found>,
    has_judged_content: bool,
    account: Account,
    asked: Asked,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Account,
    Facts,
    Commit,
    /// The plan was handed out for good, and nothing was answered yet.
    Committing,
    Done(Ending),
}

/// What the call waits for.
#[derive(Debug)]
pub enum Step<'c> {
    /// Which account has this key? Answer with [`Call::answer_account`].
    Account(AccountQuestion<'c>),
    /// What is known of all this? Answer with [`Call::answer_facts`].
    Facts(Questions<'c>),
    /// Carry this out. Answer with [`Call::answer_commit`].
    Commit(Plan<'c>),
    /// It is decided: nothing more is asked.
    Done(Decision<'c>),
}

/// The question for an account. Debug does not show the key.
#[derive(Clone, Copy)]
pub struct AccountQuestion<'c> {
    view: SentView<'c>,
}

impl<'c> AccountQuestion<'c> {
    /// The API key as sent, never empty: a secret.
    #[must_use]
    pub fn key(&self) -> Cow<'c, str> {
        self.view.key().unwrap_or_default()
    }
}

impl fmt::Debug for AccountQuestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountQuestion").finish_non_exhaustive()
    }
}

impl<B: AsRef<[u8]>> Call<B> {
    /// Takes a call as it came: the HTTP method and the bytes of the body. What the body alone refuses before an
    /// account is looked up is decided here.
    ///
    /// Never fails: whatever is wrong with the call is a decision.
    #[must_use]
    // Inlined, so that it is written where the caller has it: copying a call costs more than making it.
    #[inline(always)]
    pub fn new(policy: &Policy, operation: Operation, method: &str, body: B) -> Self {
        let mut refusal = None;
        let content = read_sent(policy, operation, method, body.as_ref(), &mut refusal);
        if refusal.is_none() {
            // Phase 2, before anybody is asked.
            refusal = key_missing(&content);
        }
        // Made at the end, so that it is made where it goes: a call is large.
        let mut call = Self {
            body,
            known: Known::new(operation, policy, content),
            state: State::Account,
            syntax: None,
            first_by_content: None,
            has_judged_content: false,
            account: Account::default(),
            asked: Asked::default(),
        };
        // Rarely: written over, and not chosen between, for a choice of structures is made in memory.
        if let Some(Refusal { found, syntax }) = refusal {
            call.state = State::Done(Ending::Refused(found));
            call.syntax = syntax;
        }
        call
    }

    /// The operation that was called.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.known.sent.operation
    }

    /// The policy by which the call is judged.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.known.sent.policy
    }

    /// The body as given.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.body.as_ref()
    }

    /// What the call waits for. Changes nothing: asked again, it says the same until it is answered.
    #[must_use]
    pub fn step(&self) -> Step<'_> {
        let view = self.view();
        match self.state {
            State::Account => Step::Account(AccountQuestion { view: view.sent() }),
            State::Facts => Step::Facts(Questions { view: view.sent() }),
            State::Commit => Step::Commit(Plan { view }),
            State::Committing => Step::Done(self.ended(Ending::Failed(HostError::Unknown))),
            State::Done(ending) => Step::Done(self.ended(ending)),
        }
    }

    fn ended(&self, ending: Ending) -> Decision<'_> {
        Decision {
            view: self.view(),
            ending,
            syntax: self.syntax,
            asked: self.asked,
        }
    }

    /// The decision, once there is one.
    #[must_use]
    pub fn decision(&self) -> Option<Decision<'_>> {
        match self.step() {
            Step::Done(decision) => Some(decision),
            _ => None,
        }
    }

    /// Answers [`Step::Account`]: what is known of the account, `None` when no account has the key.
    ///
    /// # Errors
    /// [`Misuse::WrongAnswer`] when the call waits for something else; nothing changes.
    pub fn answer_account(&mut self, account: Option<Account>) -> Result<(), Misuse> {
        self.expect(matches!(self.state, State::Account), "account")?;
        self.asked.account = self.asked.account.saturating_add(1);
        self.account = account.unwrap_or_default();
        self.state = State::Facts;
        if let Some(found) = self.judge_account(account).or_else(|| self.judge_content()) {
            self.state = State::Done(Ending::Refused(found));
        }
        Ok(())
    }

    /// Answers [`Step::Facts`]: what is known of each member of each column.
    ///
    /// # Errors
    /// [`Misuse::WrongAnswer`] when the call waits for something else, [`Misuse::WrongLength`] when a column is not as
    /// long as the question's, [`Misuse::SubscriberId`] when an id cannot be; nothing changes.
    pub fn answer_facts(&mut self, mut facts: Facts) -> Result<(), Misuse> {
        self.take_facts(&mut facts)
    }

    /// As [`Call::answer_facts`], of facts that stay where they are: what they held is the call's now, and they may be
    /// filled again. The quickest way, for facts are large.
    ///
    /// # Errors
    /// Those of [`Call::answer_facts`]; nothing changes, the facts neither.
    pub fn take_facts(&mut self, facts: &mut Facts) -> Result<(), Misuse> {
        self.expect(matches!(self.state, State::Facts), "facts")?;
        let view = self.view().sent();
        Questions { view }.check(facts)?;
        self.forget_facts();
        core::mem::swap(&mut self.known.facts, facts);
        self.judge_all_facts();
        Ok(())
    }

    /// As [`Call::answer_facts`], of facts that `fill` writes where they stay. It gets the questions, and facts that are
    /// empty.
    ///
    /// # Errors
    /// Those of [`Call::answer_facts`], and those of `fill`; nothing changes.
    pub fn fill_facts<E: From<Misuse>>(
        &mut self,
        fill: impl FnOnce(&Questions<'_>, &mut Facts) -> Result<(), E>,
    ) -> Result<(), E> {
        self.expect(matches!(self.state, State::Facts), "facts")?;
        self.forget_facts();
        let Known { sent, facts, .. } = &mut self.known;
        let bytes = self.body.as_ref();
        let view = SentView { bytes, sent };
        let questions = Questions { view };
        let filled = fill(&questions, facts).and_then(|()| questions.check(facts).map_err(E::from));
        if filled.is_err() {
            self.known.facts = Facts::default();
            return filled;
        }
        self.judge_all_facts();
        Ok(())
    }

    /// Lets go of the facts from before a conflict, which nobody reads once they are asked for again, and of those that a
    /// host had begun to fill in when it panicked.
    fn forget_facts(&mut self) {
        if !self.known.facts.is_empty() {
            self.known.facts = Facts::default();
        }
        if self.asked.facts > 0 {
            self.known.selection = Selection::default();
        }
    }

    /// Phases 5 and 6, of facts that are as long as the questions.
    fn judge_all_facts(&mut self) {
        self.asked.facts = self.asked.facts.saturating_add(1);
        let listed = self.listed();
        if !listed.is_empty() {
            self.known.selection.listed = listed;
        }
        self.state = State::Commit;
        if let Some(found) = self.judge_facts().or_else(|| self.judge_credit()) {
            self.state = State::Done(Ending::Refused(found));
        }
    }

    /// Hands the plan of [`Step::Commit`] out for good: for drivers, which call a host and may never hear of it again,
    /// because it fails, panics, or is a task that is cancelled.
    ///
    /// From here on the call has ended with [`HostError::Unknown`], unless [`Call::answer_commit`] says what came of the
    /// plan. Whoever drives by hand and answers for certain can take the plan from [`Step::Commit`] instead.
    ///
    /// # Errors
    /// [`Misuse::WrongAnswer`] when the call waits for something else, or when its plan was handed out before; nothing
    /// changes.
    pub fn begin_commit(&mut self) -> Result<Plan<'_>, Misuse> {
        self.expect(matches!(self.state, State::Commit), "begin_commit")?;
        self.asked.commits = self.asked.commits.saturating_add(1);
        self.state = State::Committing;
        Ok(Plan { view: self.view() })
    }

    /// Answers [`Step::Commit`], or the plan of [`Call::begin_commit`]: what came of carrying out the plan.
    ///
    /// Whatever is given ends the call, or after a conflict judges it again. A transaction id that is not 1 to 2^53-1, and
    /// a conflict that cannot happen on the operation, are the host's misuse: the call ends without a code
    /// ([`HostError::Misuse`]), and what the host did stands.
    ///
    /// # Errors
    /// [`Misuse::WrongAnswer`] when the call waits for something else; nothing changes.
    pub fn answer_commit(&mut self, commit: Commit) -> Result<(), Misuse> {
        let is_awaited = matches!(self.state, State::Commit | State::Committing);
        self.expect(is_awaited, "commit")?;
        if matches!(self.state, State::Commit) {
            self.asked.commits = self.asked.commits.saturating_add(1);
        }
        self.state = match commit {
            Commit::Done { transaction_id } if is_transaction_id(transaction_id) => {
                State::Done(Ending::Accepted { transaction_id })
            }
            Commit::Conflict(conflict) if conflict.is_possible(self.known.sent.operation) => {
                self.after_conflict(conflict)
            }
            Commit::Done { .. } | Commit::Conflict(_) => {
                State::Done(Ending::Failed(HostError::Misuse))
            }
            Commit::Unknown => State::Done(Ending::Failed(HostError::Unknown)),
        };
        Ok(())
    }

    /// The plan: while it is to be carried out, while a driver that has begun it carries it out, and once it was carried
    /// out.
    #[must_use]
    pub fn plan(&self) -> Option<Plan<'_>> {
        let is_there = matches!(
            self.state,
            State::Commit | State::Committing | State::Done(Ending::Accepted { .. })
        );
        is_there.then(|| Plan { view: self.view() })
    }

    /// Whether an answer of a commit is awaited.
    pub(crate) fn awaits_commit(&self) -> bool {
        matches!(self.state, State::Commit | State::Committing)
    }

    fn expect(&self, is_awaited: bool, given: &'static str) -> Result<(), Misuse> {
        if is_awaited {
            return Ok(());
        }
        let awaited = match self.state {
            State::Account => "account",
            State::Facts => "facts",
            State::Commit | State::Committing => "commit",
            State::Done(_) => "nothing",
        };
        Err(Misuse::WrongAnswer { awaited, given })
    }

    pub(crate) fn view(&self) -> View<'_> {
        View {
            bytes: self.body.as_ref(),
            known: &self.known,
        }
    }

    /// Phases 2 and 3.
    fn judge_account(&self, account: Option<Account>) -> Option<Found> {
        let Some(account) = account else {
            return Some(Found {
                rule: Rule::KeyUnknown,
                request: None,
                place: self.known.sent.content.key_place(),
            });
        };
        let rule = rules(self.known.sent.operation, Phase::Account)
            .iter()
            .copied()
            .find(|rule| match rule {
                Rule::AccountBlocked => account.blocked,
                Rule::AccountExpired => account.expired,
                Rule::AccountDeactivated => account.deactivated,
                _ => false,
            })?;
        Some(Found {
            rule,
            request: None,
            place: Place::None,
        })
    }

    /// Phase 4. Once found good, content stays good.
    fn judge_content(&mut self) -> Option<Found> {
        if self.has_judged_content {
            return None;
        }
        self.has_judged_content = true;
        let bytes = self.body.as_ref();
        match &mut self.known.sent.content {
            Content::Unread => None,
            Content::SendMailer(content) => {
                let found = SendMailerCheck {
                    bytes,
                    body: &content.body,
                }
                .first();
                if found.is_none() {
                    content.collect_domains(bytes);
                }
                found
            }
            Content::HttpSendMail(content) => {
                if let Some(found) = content.call_violations(&self.known.sent.policy) {
                    return Some(found);
                }
                let first = content.look(bytes, &self.known.sent.policy);
                self.first_by_content = first;
                first.filter(|_| {
                    self.known.sent.policy.batch() == Batch::Whole || !content.any_stands()
                })
            }
        }
    }

    fn listed(&self) -> Listed {
        Listed::new(
            self.known.sent.content.domains(),
            &self.known.facts.domains,
            self.body.as_ref(),
        )
    }

    /// Phase 5.
    fn judge_facts(&mut self) -> Option<Found> {
        let view = self.view();
        let content = match &view.known.sent.content {
            Content::Unread => return None,
            Content::SendMailer(_) => return SendMailerFacts::new(view)?.first(),
            Content::HttpSendMail(content) => content,
        };
        if is_all_clear(view) {
            return None;
        }
        if view.known.sent.policy.batch() == Batch::Whole {
            let mut checks = content.checks(view.bytes, &view.known.sent.policy);
            return checks.find_map(|check| RequestFacts { view, check }.first());
        }
        let (parts, first) = Parts::new(view, content)?;
        let is_refused = !parts.any_stands();
        self.known.selection.parts = Some(Box::new(parts));
        is_refused.then_some(self.first_by_content.unwrap_or(first))
    }

    /// Phase 6.
    fn judge_credit(&self) -> Option<Found> {
        if self.account.subscriber_credit.is_none() && self.account.email_credit.is_none() {
            // Nothing to count for.
            return None;
        }
        credit(
            self.known.sent.operation,
            &self.account,
            Plan { view: self.view() }.debit(),
        )
    }

    /// Phase 7.
    fn after_conflict(&self, conflict: Conflict) -> State {
        if self.asked.commits < self.known.sent.policy.max_attempts() {
            return State::Account;
        }
        State::Done(match conflict.rule() {
            Some(rule) => Ending::Conflict(Found {
                rule,
                request: None,
                place: Place::None,
            }),
            None => Ending::Failed(HostError::Conflict),
        })
    }
}

impl<B> fmt::Debug for Call<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &self.known.sent.operation)
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}
