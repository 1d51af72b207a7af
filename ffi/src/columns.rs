//! All questions in one structure, and all answers in one.

use core::mem::MaybeUninit;
use std::collections::TryReserveError;

use franking_core::{Column, Facts, Mailers, Questions, Step, Subscribers};

use crate::arena::Arena;
use crate::blacklists::FrankingBlacklists;
use crate::call::{FrankingCall, State};
use crate::error::FrankingError;
use crate::facts::{FrankingMailer, FrankingSubscriber, push_mailer, push_subscriber};
use crate::handle::{get, run};
use crate::numbers::roles;
use crate::size::{Grows, Rows, borrow_sized, check_sized, put, write_sized_with};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingText, slice};

/// All questions of a call, column by column. Start from FRANKING_QUESTIONS_INIT. Everything lives until the call is
/// answered or freed.
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
    /// The FRANKING_ROLE bits in which each domain appears: for which of these is it on a blacklist?
    pub domain_roles: *const u8,
    /// How many domains.
    pub domain_count: usize,
}

// SAFETY: repr(C), 14 * 8 bytes without padding; it is only written to the caller.
unsafe impl Grows for FrankingQuestions {
    const FIRST: usize = 112;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        mailers: core::ptr::null(),
        mailer_count: 0,
        senders: core::ptr::null(),
        sender_count: 0,
        subscriber_ids: core::ptr::null(),
        subscriber_id_count: 0,
        subscribers: core::ptr::null(),
        subscriber_count: 0,
        lists: core::ptr::null(),
        list_count: 0,
        domains: core::ptr::null(),
        domain_roles: core::ptr::null(),
        domain_count: 0,
    };
}

/// So many domains are kept without an allocation.
const FEW_DOMAINS: usize = 4;

/// The columns, without an allocation for a call of sendMailer.
pub(crate) struct Columns {
    mailer: One<u64>,
    sender: One<FrankingText>,
    subscriber_id: One<u64>,
    subscriber: One<FrankingText>,
    list: One<FrankingText>,
    domain_count: usize,
    domains: [MaybeUninit<FrankingText>; FEW_DOMAINS],
    domain_roles: [u8; FEW_DOMAINS],
    /// The columns that have no room in those.
    many: Option<Box<ManyColumns>>,
}

/// The columns of a call of httpSendMail, which names neither stored emails nor lists, and those of many domains.
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

/// A column that no call has more than one member of: those about a stored email and the one subscriber whom it goes to.
struct One<T>(Option<T>);

impl<T> One<T> {
    fn data(&self) -> *const T {
        self.0.as_slice().as_ptr()
    }

    fn count(&self) -> usize {
        usize::from(self.0.is_some())
    }
}

impl Columns {
    /// Texts that lie nowhere else are kept in `texts`.
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
        // By an index: of four iterators at once each keeps its place in memory.
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

    /// Writes the columns as the caller sees them, for as long as they stay where they are.
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
        view.domains = self.domains.as_ptr();
        view.domain_roles = self.domain_roles.as_ptr();
        view.domain_count = self.domains.len();
    }
}

impl State {
    fn all_questions(&mut self, place: &mut MaybeUninit<FrankingQuestions>) -> Outcome {
        // The columns stay where they are until the call is answered: what was given out before stays valid.
        let columns = match &mut self.columns {
            Some(columns) => columns,
            none => {
                let Step::Facts(questions) = self.machine.call().step() else {
                    return Err(self.wrong_step("facts are not asked for"));
                };
                let columns = none.insert(Columns::default());
                if let Err(fail) = columns.fill(questions, &mut self.texts) {
                    *none = None;
                    self.texts.clear();
                    return Err(fail);
                }
                columns
            }
        };
        columns.show(place);
        Ok(())
    }
}

/// At FRANKING_STEP_FACTS: all questions at once. questions->size has to be set. For calls with very many recipients,
/// franking_call_question_texts gives them in blocks and keeps less. Of sendMailer there are exactly one mailer and one of
/// subscriber_ids and subscribers, at most one of senders and of lists, and at most FRANKING_MAX_SINGLE_DOMAINS domains.
///
/// Fails with FRANKING_STATUS_MEMORY when there is none for the arrays; the call still waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_questions(
    call: *mut FrankingCall,
    questions: *mut FrankingQuestions,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(questions, "questions") }?;
        call.state.write(|state| {
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized_with(questions, "questions", |place| state.all_questions(place)) }
        })
    })
}

/// All answers to a batch of questions, column by column, one row for each member. Start from FRANKING_ANSWERS_INIT.
/// Everything is copied when it is given.
///
/// With blacklists, the column of domains is left empty: they answer it, and say of each mailer and subscriber whose
/// blacklisted is 0 whether its address is listed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingAnswers {
    /// sizeof(franking_answers).
    pub size: usize,
    /// The stored emails.
    pub mailers: *const FrankingMailer,
    /// How many.
    pub mailer_count: usize,
    /// sizeof(franking_mailer).
    pub mailer_size: usize,
    /// Not 0: an active sender of the account.
    pub senders: *const u8,
    /// How many.
    pub sender_count: usize,
    /// The subscribers with the ids.
    pub subscriber_ids: *const FrankingSubscriber,
    /// How many.
    pub subscriber_id_count: usize,
    /// The subscribers with the match keys.
    pub subscribers: *const FrankingSubscriber,
    /// How many.
    pub subscriber_count: usize,
    /// sizeof(franking_subscriber).
    pub subscriber_size: usize,
    /// Not 0: the list exists.
    pub lists: *const u8,
    /// How many.
    pub list_count: usize,
    /// The FRANKING_ROLE bits for which each domain is on a blacklist.
    pub domain_roles: *const u8,
    /// How many.
    pub domain_count: usize,
    /// NULL, or what answers for domains.
    pub blacklists: *const FrankingBlacklists,
}

// SAFETY: repr(C), 16 * 8 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingAnswers {
    const FIRST: usize = 128;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        mailers: core::ptr::null(),
        mailer_count: 0,
        mailer_size: size_of::<FrankingMailer>(),
        senders: core::ptr::null(),
        sender_count: 0,
        subscriber_ids: core::ptr::null(),
        subscriber_id_count: 0,
        subscribers: core::ptr::null(),
        subscriber_count: 0,
        subscriber_size: size_of::<FrankingSubscriber>(),
        lists: core::ptr::null(),
        list_count: 0,
        domain_roles: core::ptr::null(),
        domain_count: 0,
        blacklists: core::ptr::null(),
    };
}

impl FrankingAnswers {
    /// Writes the columns into empty facts.
    ///
    /// # Safety
    /// The columns can be read, and their texts; the blacklists are NULL or were not freed.
    #[inline(always)]
    pub(crate) unsafe fn fill(&self, questions: &Questions<'_>, facts: &mut Facts) -> Outcome {
        let mailers = Rows::new(self.mailers, self.mailer_count, self.mailer_size, "mailers")?;
        let column = &mut facts.mailers;
        // One has room.
        if self.mailer_count > 1 {
            // SAFETY: as demanded of the caller.
            unsafe { make_room_for_mailers(column, &mailers, self.mailer_count) }?;
        }
        // SAFETY: as demanded of the caller.
        let push = |row: &FrankingMailer| unsafe { push_mailer(column, row) };
        // SAFETY: as demanded of the caller.
        unsafe { mailers.each(push) }?;
        // SAFETY: as demanded of the caller.
        unsafe {
            self.fill_subscribers(
                &mut facts.subscriber_ids,
                self.subscriber_ids,
                self.subscriber_id_count,
            )
        }?;
        // SAFETY: as demanded of the caller.
        unsafe {
            self.fill_subscribers(
                &mut facts.subscribers,
                self.subscribers,
                self.subscriber_count,
            )
        }?;
        // SAFETY: as demanded of the caller.
        let flags = unsafe { slice(self.senders, self.sender_count, "senders") }?;
        push_flags(&mut facts.senders, flags)?;
        // SAFETY: as demanded of the caller.
        let flags = unsafe { slice(self.lists, self.list_count, "lists") }?;
        push_flags(&mut facts.lists, flags)?;
        // SAFETY: as demanded of the caller.
        let bits = unsafe { slice(self.domain_roles, self.domain_count, "domain_roles") }?;
        // Few have room.
        if bits.len() > FEW_DOMAINS {
            facts.domains.try_reserve(bits.len())?;
        }
        for bits in bits {
            facts.domains.push(roles(*bits)?);
        }
        if self.blacklists.is_null() {
            return Ok(());
        }
        // SAFETY: as demanded of the caller.
        unsafe { self.answer_by_blacklists(questions, facts) }
    }

    /// # Safety
    /// The blacklists are NULL or were not freed.
    #[inline(never)]
    unsafe fn answer_by_blacklists(&self, questions: &Questions<'_>, facts: &mut Facts) -> Outcome {
        if self.domain_count > 0 {
            return Err(Fail::argument(
                "blacklists are given, and answers of domains too: leave domain_count 0",
            ));
        }
        // SAFETY: as demanded of the caller.
        unsafe { get(self.blacklists, "blacklists") }?.answer(questions, facts)
    }

    /// # Safety
    /// The rows can be read, and their texts.
    #[inline(always)]
    unsafe fn fill_subscribers(
        &self,
        column: &mut Subscribers,
        rows: *const FrankingSubscriber,
        count: usize,
    ) -> Outcome {
        let rows = Rows::new(rows, count, self.subscriber_size, "subscribers")?;
        if count == 0 {
            return Ok(());
        }
        // One has room.
        if count > 1 {
            // SAFETY: as demanded of the caller.
            unsafe { make_room_for_subscribers(column, &rows, count) }?;
        }
        // SAFETY: as demanded of the caller.
        let push = |row: &FrankingSubscriber| unsafe { push_subscriber(column, row) };
        // SAFETY: as demanded of the caller.
        unsafe { rows.each(push) }
    }
}

/// # Safety
/// The rows can be read.
#[cold]
#[inline(never)]
unsafe fn make_room_for_mailers(
    column: &mut Mailers,
    rows: &Rows<FrankingMailer>,
    count: usize,
) -> Outcome {
    let mut text_bytes = 0_usize;
    let add = |row: &FrankingMailer| {
        text_bytes = text_bytes.saturating_add(row.text_bytes());
        Ok(())
    };
    // SAFETY: as demanded of the caller.
    unsafe { rows.each(add) }?;
    Ok(column.try_reserve(count, text_bytes)?)
}

/// # Safety
/// The rows can be read.
#[cold]
#[inline(never)]
unsafe fn make_room_for_subscribers(
    column: &mut Subscribers,
    rows: &Rows<FrankingSubscriber>,
    count: usize,
) -> Outcome {
    let mut email_bytes = 0_usize;
    let add = |row: &FrankingSubscriber| {
        email_bytes = email_bytes.saturating_add(row.email_bytes());
        Ok(())
    };
    // SAFETY: as demanded of the caller.
    unsafe { rows.each(add) }?;
    Ok(column.try_reserve(count, email_bytes)?)
}

#[inline]
fn push_flags(column: &mut Column<bool>, flags: &[u8]) -> Outcome {
    // One has room.
    if flags.len() > 1 {
        column.try_reserve(flags.len())?;
    }
    for flag in flags {
        column.push(*flag != 0);
    }
    Ok(())
}

/// Answers FRANKING_STEP_FACTS with all columns at once, as franking_call_answer_facts does.
///
/// Fails with FRANKING_STATUS_MISUSE as franking_call_answer_facts does, and with FRANKING_STATUS_MEMORY when there is none for
/// the columns; nothing changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_answer_columns(
    call: *mut FrankingCall,
    answers: *const FrankingAnswers,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        let mut room = MaybeUninit::uninit();
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        let answers = unsafe { borrow_sized(answers, &mut room, "answers") }?;
        // SAFETY: the caller passes columns that can be read.
        let fill = |questions: &Questions<'_>, facts: &mut Facts| unsafe {
            answers.fill(questions, facts)
        };
        call.answer(|machine| machine.fill(fill))
    })
}
