//! All questions of a call in one structure.

use core::mem::MaybeUninit;
use std::collections::TryReserveError;

use franking_core::Questions;

use crate::arena::Arena;
use crate::size::{Grows, LaidOut, put};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingText, first};

/// All questions of a call, column by column. Start from FRANKING_QUESTIONS_INIT. Everything lives until the call is
/// answered or freed. A call of sendMailer asks about exactly FRANKING_SEND_MAILER_MAILERS stored email and
/// FRANKING_SEND_MAILER_SUBSCRIBERS subscriber, by id or by match key, about at most FRANKING_SEND_MAILER_SENDERS sender,
/// FRANKING_SEND_MAILER_LISTS list and FRANKING_SEND_MAILER_DOMAINS domains.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingQuestions {
    /// sizeof(franking_questions).
    pub size: usize,
    /// Ids of stored emails.
    pub mailers: *const u64,
    /// How many.
    pub mailer_count: usize,
    /// Match keys of addresses given as from: is each an active sender of the account?
    pub senders: *const FrankingText,
    /// How many.
    pub sender_count: usize,
    /// Ids of subscribers.
    pub subscriber_ids: *const u64,
    /// How many.
    pub subscriber_id_count: usize,
    /// Match keys of recipients' addresses: which subscriber has each?
    pub subscribers: *const FrankingText,
    /// How many.
    pub subscriber_count: usize,
    /// Names of lists, compared exactly: does each exist?
    pub lists: *const FrankingText,
    /// How many.
    pub list_count: usize,
    /// Domains in lower-case ASCII form: compare by plain equality.
    pub domains: *const FrankingText,
    /// The FRANKING_DOMAIN_ROLE bits in which each domain appears: for which of these is it on a blacklist?
    pub domain_roles: *const u8,
    /// The number of domains.
    pub domain_count: usize,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingQuestions {
    const FIRST: usize = 112;
}

/// The number of domains that are kept without an allocation.
pub(crate) const FEW_DOMAINS: usize = 4;

/// The columns. A call of sendMailer with few domains needs no allocation for them.
pub(crate) struct Columns {
    mailer: One<u64>,
    sender: One<FrankingText>,
    subscriber_id: One<u64>,
    subscriber: One<FrankingText>,
    list: One<FrankingText>,
    domain_count: usize,
    domains: [MaybeUninit<FrankingText>; FEW_DOMAINS],
    domain_roles: [u8; FEW_DOMAINS],
    /// The columns that do not fit into the members above.
    many: Option<Box<ManyColumns>>,
}

/// The columns of a call of httpSendMail, which never names stored emails or lists, and of a call of sendMailer with many
/// domains.
#[derive(Default)]
struct ManyColumns {
    senders: Vec<FrankingText>,
    subscribers: Vec<FrankingText>,
    domains: Vec<FrankingText>,
    domain_roles: Vec<u8>,
}

impl Default for Columns {
    #[inline]
    fn default() -> Self {
        Self {
            mailer: One(None),
            sender: One(None),
            subscriber_id: One(None),
            subscriber: One(None),
            list: One(None),
            domain_count: 0,
            domains: [const { MaybeUninit::uninit() }; FEW_DOMAINS],
            domain_roles: [0; FEW_DOMAINS],
            many: None,
        }
    }
}

/// A column with at most one member: a call of sendMailer names one stored email and one subscriber.
struct One<T>(Option<T>);

impl<T: LaidOut> One<T> {
    fn data(&self) -> *const T {
        first(self.0.as_slice())
    }

    fn count(&self) -> usize {
        usize::from(self.0.is_some())
    }
}

impl Columns {
    /// Fills the columns. `texts` keeps the texts that had to be built.
    #[inline(always)]
    pub(crate) fn fill(&mut self, questions: Questions<'_>, texts: &mut Arena) -> Outcome {
        let Some(single) = questions.single() else {
            return self.fill_many(questions, texts);
        };
        self.mailer.0 = Some(single.mailer());
        self.sender.0 = single.sender().map(|key| texts.keep(key));
        self.subscriber_id.0 = single.subscriber_id();
        self.subscriber.0 = single.subscriber().map(|key| texts.keep(key));
        self.list.0 = single.list().map(|name| texts.keep(name));
        let mut domains = single.domains();
        self.domain_count = domains.len();
        if self.domain_count > FEW_DOMAINS {
            let many = self.many.get_or_insert_default();
            return many.fill_domains(questions, texts);
        }
        // By index: four iterators at once would not fit into registers.
        for index in 0..self.domain_count {
            let Some((domain, roles)) = domains.next() else {
                break;
            };
            put(&mut self.domains, index, texts.keep(domain));
            if let Some(bits) = self.domain_roles.get_mut(index) {
                *bits = roles.bits();
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn fill_many(&mut self, questions: Questions<'_>, texts: &mut Arena) -> Outcome {
        let many = self.many.get_or_insert_default();
        make_room(&mut many.senders, questions.sender_count())?;
        for key in questions.senders() {
            many.senders.push(texts.try_keep(key).map_err(no_memory)?);
        }
        make_room(&mut many.subscribers, questions.subscriber_count())?;
        for key in questions.subscribers() {
            many.subscribers
                .push(texts.try_keep(key).map_err(no_memory)?);
        }
        many.fill_domains(questions, texts)
    }

    /// Writes the columns as the caller sees them. The result points into `self`, which must not move while it is used.
    #[inline]
    pub(crate) fn show<'a>(
        &self,
        place: &'a mut MaybeUninit<FrankingQuestions>,
    ) -> &'a FrankingQuestions {
        let view = place.write(FrankingQuestions {
            size: size_of::<FrankingQuestions>(),
            mailers: self.mailer.data(),
            mailer_count: self.mailer.count(),
            senders: self.sender.data(),
            sender_count: self.sender.count(),
            subscriber_ids: self.subscriber_id.data(),
            subscriber_id_count: self.subscriber_id.count(),
            subscribers: self.subscriber.data(),
            subscriber_count: self.subscriber.count(),
            lists: self.list.data(),
            list_count: self.list.count(),
            domains: self.domains.as_ptr().cast(),
            domain_roles: self.domain_roles.as_ptr(),
            domain_count: self.domain_count,
        });
        if let Some(many) = &self.many {
            many.show(view);
        }
        view
    }
}

fn make_room<T>(column: &mut Vec<T>, count: usize) -> Outcome {
    let room = column.try_reserve_exact(count);
    room.map_err(no_memory)
}

#[cold]
fn no_memory(_: TryReserveError) -> Fail {
    Fail::memory("the questions")
}

impl ManyColumns {
    #[inline(never)]
    fn fill_domains(&mut self, questions: Questions<'_>, texts: &mut Arena) -> Outcome {
        make_room(&mut self.domains, questions.domain_count())?;
        make_room(&mut self.domain_roles, questions.domain_count())?;
        for (domain, roles) in questions.domains() {
            self.domains
                .push(texts.try_keep(domain).map_err(no_memory)?);
            self.domain_roles.push(roles.bits());
        }
        Ok(())
    }

    #[inline(never)]
    fn show(&self, view: &mut FrankingQuestions) {
        if !self.senders.is_empty() {
            view.senders = self.senders.as_ptr();
            view.sender_count = self.senders.len();
        }
        if !self.subscribers.is_empty() {
            view.subscribers = self.subscribers.as_ptr();
            view.subscriber_count = self.subscribers.len();
        }
        view.domains = first(&self.domains);
        view.domain_roles = first(&self.domain_roles);
        view.domain_count = self.domains.len();
    }
}
