//! Decides past calls again. The host's answers are those in their transcripts.

use core::ops::Range;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use franking::{
    Account, Call, Commit, Decision, DomainRoles, Facts, HostAnswer, Mailer, Policy, Questions,
    Rule, Step, Subscriber, Transcript,
};

use crate::array::{Array, Buffer, Type};
use crate::builder::{Flags, Numbers, Rules, Texts, batch};
use crate::error::ColumnError;
use crate::input::{Names, Rows, Streams};
use crate::interface::{ArrowArrayStream, Owned};
use crate::preflight::metadata;
use crate::stream::{Work, stream};

/// A function that answers from blacklists. It fills the column of domains, and sets `blacklisted` where that is `None`, as
/// [`franking::Blacklists::answer`] does.
pub type Judge = Box<dyn Fn(&Questions<'_>, &mut Facts) + Send + Sync>;

/// Current blacklists for some roles. In the other roles the host's own answers count.
#[expect(missing_debug_implementations, reason = "a function cannot be shown")]
pub struct Lists {
    /// The roles that they answer for.
    pub roles: DomainRoles,
    /// The function that answers from them.
    pub judge: Judge,
}

impl Lists {
    /// Blacklists for all roles.
    #[must_use]
    pub fn of_all_roles(judge: Judge) -> Self {
        let all = DomainRoles::ALL.iter().copied();
        Self {
            roles: all.fold(DomainRoles::NONE, |all, role| all | role),
            judge,
        }
    }
}

/// The parameters for deciding past calls.
pub struct Redecision {
    /// The settings. If they are `None`, each call keeps its own.
    pub policy: Option<Policy>,
    /// The current blacklists. If they are `None`, the host's own answers count.
    pub blacklists: Option<Lists>,
    /// The number of threads that work on a batch.
    pub threads: usize,
}

impl core::fmt::Debug for Redecision {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter
            .debug_struct("Redecision")
            .field("policy", &self.policy)
            .field("has_blacklists", &self.blacklists.is_some())
            .field("threads", &self.threads)
            .finish()
    }
}

/// Makes a stream that decides the calls of transcripts again. It reads a batch when the consumer asks for the next result.
///
/// The host's answers are those in the transcript. In its roles, [`Redecision::blacklists`] replaces the host's answers
/// about blacklists. A result has one row for each transcript, with these columns: `code_then` is the code in the
/// transcript. `code_now` and `rule_now` are those of the new decision. `changed` says whether the codes differ. `needs`
/// names the questions that the call asks now and the transcript does not answer. It is `transcript` if the text is not a
/// transcript that can be replayed.
///
/// If something is needed, `code_now`, `rule_now` and `changed` are null. A call can end without a code. If it did so then,
/// `code_then` and `changed` are null. If it does so now, `code_now` and `changed` are. If the transcript has no answer to a
/// plan, the plan counts as carried out. A row without a transcript is null in every column. The metadata of the schema are
/// those of [`preflight()`](crate::preflight()); without a policy there is no `franking.policy`.
///
/// # Errors
///
/// The first stream has no column `transcript`, has one of another type, or fails at once.
///
/// # Safety
///
/// Each stream follows Arrow's C stream interface. So do the schemas and the arrays that it returns.
pub unsafe fn redecide(
    redecision: Redecision,
    streams: Streams,
) -> Result<Owned<ArrowArrayStream>, ColumnError> {
    let names = Names {
        text: "transcript",
        has_operations: false,
    };
    let threads = redecision.threads;
    // SAFETY: as demanded of the caller.
    unsafe { stream(redecision, threads, streams, names) }
}

/// The columns of a result.
#[derive(Default)]
struct Redecided {
    length: usize,
    code_then: Numbers<i32>,
    code_now: Numbers<i32>,
    rule_now: Rules,
    changed: Flags,
    needs: Texts,
}

/// One row of [`Redecided`].
#[derive(Default)]
struct OneRedecided {
    code_then: Option<i32>,
    code_now: Option<i32>,
    rule_now: Option<Rule>,
    needs: Option<&'static str>,
}

impl Redecided {
    fn push(&mut self, row: &OneRedecided) -> Result<(), ColumnError> {
        self.length = self.length.saturating_add(1);
        self.code_then.push(row.code_then);
        self.code_now.push(row.code_now);
        self.rule_now.push(row.rule_now)?;
        let codes = row.code_then.zip(row.code_now);
        self.changed.push(codes.map(|(then, now)| then != now));
        self.needs.push(row.needs)
    }

    fn into_array(self) -> Result<Array, ColumnError> {
        let children = vec![
            self.code_then.into_array(Buffer::Small, None),
            self.code_now.into_array(Buffer::Small, None),
            self.rule_now.into_array()?,
            self.changed.into_array(),
            self.needs.into_array(),
        ];
        Ok(batch(self.length, children))
    }
}

impl Work for Redecision {
    fn result_type(&self) -> Type {
        Type {
            is_nullable: false,
            metadata: metadata(self.policy.as_ref()),
            children: vec![
                Type::new(c"code_then", c"i"),
                Type::new(c"code_now", c"i"),
                Rules::column_type(c"rule_now"),
                Type::new(c"changed", c"b"),
                Type::new(c"needs", c"u"),
            ],
            ..Type::new(c"", c"+s")
        }
    }

    fn done(&self, rows: &Rows<'_>, part: Range<usize>, _: u64) -> Result<Array, ColumnError> {
        let mut redecided = Redecided::default();
        for row in part {
            let row = rows.get(row)?;
            let row = row.map(|row| self.again(row.text));
            redecided.push(&row.unwrap_or_default())?;
        }
        redecided.into_array()
    }
}

impl Redecision {
    fn again(&self, text: &[u8]) -> OneRedecided {
        let unreadable = OneRedecided {
            needs: Some("transcript"),
            ..OneRedecided::default()
        };
        let transcript = core::str::from_utf8(text).ok();
        let transcript = transcript.and_then(|text| Transcript::from_json(text).ok());
        let Some(transcript) = transcript else {
            return unreadable;
        };
        let Some(known) = Known::of(&transcript) else {
            return unreadable;
        };
        let code_then = transcript.code().map(|code| code.number().into());
        match self.decided(&transcript, known) {
            Ok((code_now, rule_now)) => OneRedecided {
                code_then,
                code_now,
                rule_now,
                needs: None,
            },
            Err(needs) => OneRedecided {
                code_then,
                needs: Some(needs),
                ..OneRedecided::default()
            },
        }
    }

    /// The new code and rule, or as an error the value of `needs`.
    fn decided(
        &self,
        transcript: &Transcript,
        mut known: Known,
    ) -> Result<(Option<i32>, Option<Rule>), &'static str> {
        // An answer that was taken then can be refused now only if the rules of the library have changed.
        let unfit = |_| "transcript";
        let policy = self.policy.as_ref().unwrap_or(transcript.policy());
        let (operation, method) = (transcript.operation(), transcript.method());
        let mut call = Call::new(policy, operation, method, transcript.body());
        loop {
            match call.step() {
                Step::Account(_) => {
                    let account = known.account.ok_or("account")?;
                    call.answer_account(account).map_err(unfit)?;
                }
                Step::Facts(questions) => {
                    let judged = self.blacklists.as_ref().map(|lists| lists.roles);
                    let judged = judged.unwrap_or(DomainRoles::NONE);
                    let mut facts = known.facts(&questions, judged)?;
                    if let Some(lists) = &self.blacklists {
                        let kept = facts.domains.clone();
                        (lists.judge)(&questions, &mut facts);
                        let said = core::mem::take(&mut facts.domains);
                        for (kept, said) in kept.into_iter().zip(said) {
                            facts.domains.push(kept | said.intersection(lists.roles));
                        }
                    }
                    call.answer_facts(facts).map_err(unfit)?;
                }
                Step::Commit(_) => {
                    // A call that was refused then has no recorded commit. Its plan counts as carried out.
                    let done = Commit::Done { transaction_id: 1 };
                    let commit = known.commits.pop_front().unwrap_or(done);
                    call.answer_commit(commit).map_err(unfit)?;
                }
                Step::Done(decision) => {
                    let rule = decision.violation().map(|violation| violation.rule());
                    return Ok((code_of(&decision), rule));
                }
            }
        }
    }
}

fn code_of(decision: &Decision<'_>) -> Option<i32> {
    decision.code().map(|code| code.number().into())
}

/// A stored email as the transcript has it.
struct KnownMailer {
    from: String,
    from_name: Option<String>,
    blacklisted: Option<bool>,
}

/// A subscriber as the transcript has it.
struct KnownSubscriber {
    id: u64,
    email: String,
    inactive: bool,
    blacklisted: Option<bool>,
}

/// The host's answers in a transcript, by the item that was asked about.
#[derive(Default)]
struct Known {
    account: Option<Option<Account>>,
    mailers: HashMap<u64, Option<KnownMailer>>,
    senders: HashMap<String, bool>,
    subscriber_ids: HashMap<u64, Option<KnownSubscriber>>,
    subscribers: HashMap<String, Option<KnownSubscriber>>,
    lists: HashMap<String, bool>,
    /// For each domain, the roles in which it was asked about, and those in which it was listed.
    domains: HashMap<String, (DomainRoles, DomainRoles)>,
    commits: VecDeque<Commit>,
}

impl Known {
    /// Reads the answers of a transcript. `None` if it cannot be replayed.
    fn of(transcript: &Transcript) -> Option<Self> {
        let mut known = Self::default();
        let (operation, method) = (transcript.operation(), transcript.method());
        let mut call = Call::new(transcript.policy(), operation, method, transcript.body());
        for answer in transcript.answers() {
            let answer = answer.ok()?;
            match (&answer, call.step()) {
                (HostAnswer::Account(account), _) => known.account = Some(*account),
                (HostAnswer::Facts(facts), Step::Facts(questions)) => {
                    known.learn(&questions, facts);
                }
                (HostAnswer::Commit(commit), _) => known.commits.push_back(*commit),
                _ => return None,
            }
            call.answer(answer).ok()?;
        }
        Some(known)
    }

    fn learn(&mut self, questions: &Questions<'_>, facts: &Facts) {
        let owned = |subscriber: Option<Subscriber<'_>>| {
            subscriber.map(|subscriber| KnownSubscriber {
                id: subscriber.id,
                email: subscriber.email.to_owned(),
                inactive: subscriber.inactive,
                blacklisted: subscriber.blacklisted,
            })
        };
        let mailers = facts.mailers.iter().map(|mailer| {
            mailer.map(|mailer| KnownMailer {
                from: mailer.from.to_owned(),
                from_name: mailer.from_name.map(str::to_owned),
                blacklisted: mailer.blacklisted,
            })
        });
        self.mailers.extend(questions.mailers().zip(mailers));
        let ids = facts.subscriber_ids.iter().map(owned);
        self.subscriber_ids
            .extend(questions.subscriber_ids().zip(ids));
        let keys = questions.subscribers().map(|key| key.into_owned());
        self.subscribers
            .extend(keys.zip(facts.subscribers.iter().map(owned)));
        let senders = questions.senders().map(|sender| sender.into_owned());
        self.senders
            .extend(senders.zip(facts.senders.iter().copied()));
        let lists = questions.lists().map(|list| list.into_owned());
        self.lists.extend(lists.zip(facts.lists.iter().copied()));
        let domains = questions.domains().zip(facts.domains.iter().copied());
        let domains =
            domains.map(|((domain, asked), listed)| (domain.into_owned(), (asked, listed)));
        self.domains.extend(domains);
    }

    /// The answers to these questions, or the name of the column that is needed. Answers about blacklists in the roles
    /// `judged` are left open.
    fn facts(&self, questions: &Questions<'_>, judged: DomainRoles) -> Result<Facts, &'static str> {
        let mut facts = Facts::default();
        let is_sender_judged = judged.contains(DomainRoles::SENDER);
        let is_judged = judged.contains(DomainRoles::RECIPIENT);
        for id in questions.mailers() {
            let mailer = find(&self.mailers, &id, "mailers")?;
            facts.mailers.push(mailer.as_ref().map(|mailer| Mailer {
                from: &mailer.from,
                from_name: mailer.from_name.as_deref(),
                blacklisted: mailer.blacklisted.filter(|_| !is_sender_judged),
            }));
        }
        for sender in questions.senders() {
            facts
                .senders
                .push(*find(&self.senders, &*sender, "senders")?);
        }
        for id in questions.subscriber_ids() {
            let subscriber = find(&self.subscriber_ids, &id, "subscriber_ids")?;
            facts.subscriber_ids.push(lend(subscriber, is_judged));
        }
        for key in questions.subscribers() {
            let subscriber = find(&self.subscribers, &*key, "subscribers")?;
            facts.subscribers.push(lend(subscriber, is_judged));
        }
        for list in questions.lists() {
            facts.lists.push(*find(&self.lists, &*list, "lists")?);
        }
        for (domain, roles) in questions.domains() {
            let open = DomainRoles::from_bits(roles.bits() & !judged.bits());
            if open.is_empty() {
                facts.domains.push(open);
                continue;
            }
            let (asked, listed) = find(&self.domains, &*domain, "domains")?;
            if !asked.contains(open) {
                return Err("domains");
            }
            facts.domains.push(listed.intersection(open));
        }
        Ok(facts)
    }
}

fn lend(subscriber: &Option<KnownSubscriber>, is_judged: bool) -> Option<Subscriber<'_>> {
    subscriber.as_ref().map(|subscriber| Subscriber {
        id: subscriber.id,
        email: &subscriber.email,
        inactive: subscriber.inactive,
        blacklisted: subscriber.blacklisted.filter(|_| !is_judged),
    })
}

fn find<'k, K: Eq + Hash + core::borrow::Borrow<Q>, Q: Eq + Hash + ?Sized, V>(
    known: &'k HashMap<K, V>,
    key: &Q,
    column: &'static str,
) -> Result<&'k V, &'static str> {
    known.get(key).ok_or(column)
}
