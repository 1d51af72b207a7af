//! All questions in one structure, and all answers in one.

use core::mem::MaybeUninit;

use franking_core::{Facts, Questions, SingleQuestions, Step, Subscribers};
use smallvec::SmallVec;

use crate::call::{FrankingCall, State};
use crate::error::FrankingError;
use crate::facts::{FrankingMailer, FrankingSubscriber, push_mailer, push_subscriber};
use crate::handle::{get, run};
use crate::numbers::roles;
use crate::size::{Grows, Rows, borrow_sized, check_sized, write_sized_with};
use crate::status::Outcome;
use crate::text::{Arena, FrankingText, slice};

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

/// The columns, without an allocation for a call of sendMailer.
#[derive(Default)]
pub(crate) struct Columns {
    mailer: One<u64>,
    senders: SmallVec<[FrankingText; 1]>,
    subscriber_id: One<u64>,
    subscribers: SmallVec<[FrankingText; 1]>,
    list: One<FrankingText>,
    domains: DomainColumns,
}

/// So many domains are kept without an allocation.
const FEW_DOMAINS: usize = 4;

/// The column of domains and that of their roles. Few, as those of sendMailer are, are written without looking for room.
struct DomainColumns {
    count: usize,
    few: [MaybeUninit<FrankingText>; FEW_DOMAINS],
    few_roles: [u8; FEW_DOMAINS],
    /// All of them, when they are more than a few.
    many: Vec<FrankingText>,
    many_roles: Vec<u8>,
}

impl Default for DomainColumns {
    fn default() -> Self {
        Self {
            count: 0,
            few: [const { MaybeUninit::uninit() }; FEW_DOMAINS],
            few_roles: [0; FEW_DOMAINS],
            many: Vec::new(),
            many_roles: Vec::new(),
        }
    }
}

impl DomainColumns {
    #[inline]
    fn fill(&mut self, questions: Questions<'_>, texts: &mut Arena) {
        self.count = questions.domain_count();
        if self.count > FEW_DOMAINS {
            self.fill_many(questions, texts);
            return;
        }
        let rows = self.few.iter_mut().zip(&mut self.few_roles);
        for ((text, bits), (domain, roles)) in rows.take(self.count).zip(questions.domains()) {
            text.write(texts.keep(domain));
            *bits = roles.bits();
        }
    }

    #[inline(never)]
    fn fill_many(&mut self, questions: Questions<'_>, texts: &mut Arena) {
        self.many.reserve(self.count);
        self.many_roles.reserve(self.count);
        for (domain, roles) in questions.domains() {
            self.many.push(texts.keep(domain));
            self.many_roles.push(roles.bits());
        }
    }

    fn data(&self) -> (*const FrankingText, *const u8) {
        if self.count > FEW_DOMAINS {
            return (self.many.as_ptr(), self.many_roles.as_ptr());
        }
        (self.few.as_ptr().cast(), self.few_roles.as_ptr())
    }
}

/// A column that no call has more than one member of: those about a stored email and the one subscriber whom it goes to.
struct One<T>(Option<T>);

impl<T> Default for One<T> {
    fn default() -> Self {
        Self(None)
    }
}

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
    #[inline]
    pub(crate) fn fill(&mut self, questions: Questions<'_>, texts: &mut Arena) {
        match questions.single() {
            Some(single) => self.fill_single(single, texts),
            None => self.fill_many(questions, texts),
        }
        self.domains.fill(questions, texts);
    }

    #[inline]
    fn fill_single(&mut self, questions: SingleQuestions<'_>, texts: &mut Arena) {
        self.mailer.0 = Some(questions.mailer());
        if let Some(key) = questions.sender() {
            self.senders.push(texts.keep(key));
        }
        self.subscriber_id.0 = questions.subscriber_id();
        if let Some(key) = questions.subscriber() {
            self.subscribers.push(texts.keep(key));
        }
        self.list.0 = questions.list().map(|name| texts.keep(name));
    }

    /// Of a call of httpSendMail, which names neither stored emails nor lists.
    #[inline(never)]
    fn fill_many(&mut self, questions: Questions<'_>, texts: &mut Arena) {
        for key in questions.senders() {
            self.senders.push(texts.keep(key));
        }
        self.subscribers.reserve(questions.subscriber_count());
        for key in questions.subscribers() {
            self.subscribers.push(texts.keep(key));
        }
    }
}

impl Columns {
    /// The columns as the caller sees them, for as long as they stay where they are.
    #[inline]
    pub(crate) fn view(&self) -> FrankingQuestions {
        let (domains, domain_roles) = self.domains.data();
        FrankingQuestions {
            size: size_of::<FrankingQuestions>(),
            mailers: self.mailer.data(),
            mailer_count: self.mailer.count(),
            senders: self.senders.as_ptr(),
            sender_count: self.senders.len(),
            subscriber_ids: self.subscriber_id.data(),
            subscriber_id_count: self.subscriber_id.count(),
            subscribers: self.subscribers.as_ptr(),
            subscriber_count: self.subscribers.len(),
            lists: self.list.data(),
            list_count: self.list.count(),
            domains,
            domain_roles,
            domain_count: self.domains.count,
        }
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
                columns.fill(questions, &mut self.texts);
                columns
            }
        };
        place.write(columns.view());
        Ok(())
    }
}

/// At FRANKING_STEP_FACTS: all questions at once. questions->size has to be set. For calls with very many recipients,
/// franking_call_question_texts gives them in blocks and keeps less.
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
}

// SAFETY: repr(C), 15 * 8 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingAnswers {
    const FIRST: usize = 120;
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
    };
}

impl FrankingAnswers {
    /// Writes the columns into empty facts.
    ///
    /// # Safety
    /// The columns can be read, and their texts.
    #[inline(always)]
    pub(crate) unsafe fn fill(&self, facts: &mut Facts) -> Outcome {
        let mailers = Rows::new(self.mailers, self.mailer_count, self.mailer_size, "mailers")?;
        let column = &mut facts.mailers;
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
        for flag in unsafe { slice(self.senders, self.sender_count, "senders") }? {
            facts.senders.push(*flag != 0);
        }
        // SAFETY: as demanded of the caller.
        for flag in unsafe { slice(self.lists, self.list_count, "lists") }? {
            facts.lists.push(*flag != 0);
        }
        // SAFETY: as demanded of the caller.
        let bits = unsafe { slice(self.domain_roles, self.domain_count, "domain_roles") }?;
        facts.domains.reserve(bits.len());
        for bits in bits {
            facts.domains.push(roles(*bits)?);
        }
        Ok(())
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
        column.reserve(count);
        // SAFETY: as demanded of the caller.
        let push = |row: &FrankingSubscriber| unsafe { push_subscriber(column, row) };
        // SAFETY: as demanded of the caller.
        unsafe { rows.each(push) }
    }
}

/// Answers FRANKING_STEP_FACTS with all columns at once, as franking_call_answer_facts does.
///
/// Fails with FRANKING_STATUS_MISUSE when the call waits for something else, when a column is not as long as the question's,
/// or when the id of a subscriber cannot be; nothing changes.
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
        call.answer(|machine| machine.fill(|facts| unsafe { answers.fill(facts) }))
    })
}
