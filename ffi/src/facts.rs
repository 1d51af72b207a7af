//! What a host answers.

use franking_core::{Account, Facts, Mailer, Mailers, Subscriber, Subscribers};

use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run, run_alone};
use crate::numbers::{
    FRANKING_COLUMN_LISTS, FRANKING_COLUMN_SENDERS, FRANKING_COLUMN_SUBSCRIBER_IDS,
    FRANKING_COLUMN_SUBSCRIBERS, blacklisted, roles,
};
use crate::size::{Grows, Rows};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingText, slice};

/// What the host knows of an account. Start from FRANKING_ACCOUNT_INIT: there is no such account.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingAccount {
    /// sizeof(franking_account).
    pub size: usize,
    /// 0: no account has the key.
    pub exists: u8,
    /// Not 0: sending is blocked (code 404).
    pub blocked: u8,
    /// Not 0: the account has expired (code 405).
    pub expired: u8,
    /// Not 0: the account is deactivated (code 448).
    pub deactivated: u8,
    /// Not 0: subscriber_credit is the limit; 0: there is no limit.
    pub has_subscriber_credit: u8,
    /// Not 0: email_credit is the limit; 0: there is no limit.
    pub has_email_credit: u8,
    /// Leave 0.
    pub reserved: [u8; 2],
    /// How many subscribers may still be created (code 444); zero and below for none.
    pub subscriber_credit: i64,
    /// How many emails may still be sent (code 445); zero and below for none.
    pub email_credit: i64,
}

// SAFETY: repr(C), 8 + 8 * 1 + 8 + 8 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingAccount {
    const FIRST: usize = 32;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        exists: 0,
        blocked: 0,
        expired: 0,
        deactivated: 0,
        has_subscriber_credit: 0,
        has_email_credit: 0,
        reserved: [0; 2],
        subscriber_credit: 0,
        email_credit: 0,
    };
}

impl FrankingAccount {
    #[inline]
    pub(crate) fn get(&self) -> Option<Account> {
        if self.exists == 0 {
            return None;
        }
        Some(Account {
            blocked: self.blocked != 0,
            expired: self.expired != 0,
            deactivated: self.deactivated != 0,
            subscriber_credit: (self.has_subscriber_credit != 0).then_some(self.subscriber_credit),
            email_credit: (self.has_email_credit != 0).then_some(self.email_credit),
        })
    }
}

/// What the host knows of a stored email: one row of the column of mailers. Texts are copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingMailer {
    /// The assigned sender address, which stands in for from. A call that asks about a sender does not use it: there it may
    /// be empty.
    pub from: FrankingText,
    /// The assigned sender name, which stands in for fromName; data NULL: none.
    pub from_name: FrankingText,
    /// 0: there is no such stored email.
    pub exists: u8,
    /// Whether the domain of from, or a parent of it, is on the blacklist for senders: one of FRANKING_BLACKLISTED. 0 says
    /// nothing, which is FRANKING_STATUS_MISUSE unless the call asks about a sender; a franking_blacklists can say it instead.
    pub blacklisted: u8,
    /// Leave 0.
    pub reserved: [u8; 6],
}

// SAFETY: repr(C), 16 + 16 + 8 * 1 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingMailer {
    const FIRST: usize = 40;
    const EMPTY: Self = Self {
        from: FrankingText::NONE,
        from_name: FrankingText::NONE,
        exists: 0,
        blacklisted: 0,
        reserved: [0; 6],
    };
}

/// What the host knows of a subscriber: one row of a column of subscribers. Texts are copied.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingSubscriber {
    /// The subscriber's id, 1 to 2^63-1; 0: there is no such subscriber.
    pub id: u64,
    /// The stored address, to which sendMailer's email goes. On httpSendMail emails go to the addresses as sent: there it
    /// may be empty.
    pub email: FrankingText,
    /// Not 0: the subscriber is INACTIVE (code 443).
    pub inactive: u8,
    /// Whether the domain of the stored address, or a parent of it, is on the blacklist for recipients: one of
    /// FRANKING_BLACKLISTED. 0 says nothing, which is FRANKING_STATUS_MISUSE on sendMailer; a franking_blacklists can say it
    /// instead. httpSendMail is judged by the addresses as sent, and does not look at it.
    pub blacklisted: u8,
    /// Leave 0.
    pub reserved: [u8; 6],
}

// SAFETY: repr(C), 8 + 16 + 8 * 1 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingSubscriber {
    const FIRST: usize = 32;
    const EMPTY: Self = Self {
        id: 0,
        email: FrankingText::NONE,
        inactive: 0,
        blacklisted: 0,
        reserved: [0; 6],
    };
}

/// The host's answer to a batch of questions: the same columns, filled from the front, one row for each member. Owned:
/// free it with franking_facts_free. To be used by one thread at a time. A push that fails adds nothing; where there is no
/// memory for the rows, it fails with FRANKING_STATUS_MEMORY.
pub struct FrankingFacts(Guarded<Facts>);

impl FrankingFacts {
    pub(crate) fn new() -> Self {
        Self(Guarded::new(Facts::default()))
    }

    /// Adds to what is there.
    pub(crate) fn add(&self, add: impl FnOnce(&mut Facts) -> Outcome) -> Outcome {
        self.0.write(add)
    }

    pub(crate) fn take(&self) -> Outcome<Facts> {
        self.0.write(|facts| Ok(core::mem::take(facts)))
    }
}

/// Makes an answer whose columns are empty.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_new(
    facts: *mut *mut FrankingFacts,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(facts, "facts")?;
        // SAFETY: checked above.
        unsafe { put_out(facts, boxed(FrankingFacts::new())) }
    })
}

/// Adds count rows to the column of mailers. row_size is sizeof(franking_mailer).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_push_mailers(
    facts: *mut FrankingFacts,
    rows: *const FrankingMailer,
    count: usize,
    row_size: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or facts that were not freed.
        let facts = unsafe { get(facts, "facts") }?;
        let rows = Rows::new(rows, count, row_size, "rows")?;
        // Rows are looked at before anything is added, so that a failure adds nothing.
        let mut text_bytes = 0_usize;
        let check = |row: &FrankingMailer| {
            text_bytes = text_bytes.saturating_add(row.text_bytes());
            // SAFETY: the caller passes texts that can be read.
            unsafe { row.read() }.map(|_| ())
        };
        // SAFETY: the caller passes as many rows as it says.
        unsafe { rows.each(check) }?;
        facts.0.write(|facts| {
            facts.mailers.try_reserve(count, text_bytes)?;
            // SAFETY: the caller passes texts that can be read.
            let push = |row: &FrankingMailer| unsafe { push_mailer(&mut facts.mailers, row) };
            // SAFETY: the caller passes as many rows as it says.
            unsafe { rows.each(push) }
        })
    })
}

impl FrankingMailer {
    pub(crate) fn text_bytes(&self) -> usize {
        match self.exists {
            0 => 0,
            _ => self.from.len.saturating_add(self.from_name.len),
        }
    }

    /// # Safety
    /// The texts can be read for as long as the result is used.
    #[inline(always)]
    unsafe fn read<'a>(&self) -> Outcome<Option<Mailer<'a>>> {
        if self.exists == 0 {
            return Ok(None);
        }
        Ok(Some(Mailer {
            // SAFETY: as demanded of the caller.
            from: unsafe { self.from.read("from") }?,
            // SAFETY: as demanded of the caller.
            from_name: unsafe { self.from_name.read_option("from_name") }?,
            blacklisted: blacklisted(self.blacklisted)?,
        }))
    }
}

/// # Safety
/// The texts can be read.
#[inline(always)]
pub(crate) unsafe fn push_mailer(column: &mut Mailers, row: &FrankingMailer) -> Outcome {
    // SAFETY: as demanded of the caller.
    column.push(unsafe { row.read() }?);
    Ok(())
}

/// Adds count rows to a column of subscribers: FRANKING_COLUMN_SUBSCRIBER_IDS or FRANKING_COLUMN_SUBSCRIBERS. row_size is
/// sizeof(franking_subscriber).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_push_subscribers(
    facts: *mut FrankingFacts,
    column: i32,
    rows: *const FrankingSubscriber,
    count: usize,
    row_size: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or facts that were not freed.
        let facts = unsafe { get(facts, "facts") }?;
        let rows = Rows::new(rows, count, row_size, "rows")?;
        // Rows are looked at before anything is added, so that a failure adds nothing.
        let mut email_bytes = 0_usize;
        let check = |row: &FrankingSubscriber| {
            email_bytes = email_bytes.saturating_add(row.email_bytes());
            // SAFETY: the caller passes texts that can be read.
            unsafe { row.read() }.map(|_| ())
        };
        // SAFETY: the caller passes as many rows as it says.
        unsafe { rows.each(check) }?;
        facts.0.write(|facts| {
            let column = match column {
                FRANKING_COLUMN_SUBSCRIBER_IDS => &mut facts.subscriber_ids,
                FRANKING_COLUMN_SUBSCRIBERS => &mut facts.subscribers,
                _ => return Err(wrong_column(column, "subscribers")),
            };
            column.try_reserve(count, email_bytes)?;
            // SAFETY: the caller passes texts that can be read.
            let push = |row: &FrankingSubscriber| unsafe { push_subscriber(column, row) };
            // SAFETY: the caller passes as many rows as it says.
            unsafe { rows.each(push) }
        })
    })
}

impl FrankingSubscriber {
    pub(crate) fn email_bytes(&self) -> usize {
        match self.id {
            0 => 0,
            _ => self.email.len,
        }
    }

    /// # Safety
    /// The text can be read for as long as the result is used.
    #[inline(always)]
    unsafe fn read<'a>(&self) -> Outcome<Option<Subscriber<'a>>> {
        if self.id == 0 {
            return Ok(None);
        }
        Ok(Some(Subscriber {
            id: self.id,
            // SAFETY: as demanded of the caller.
            email: unsafe { self.email.read("email") }?,
            inactive: self.inactive != 0,
            blacklisted: blacklisted(self.blacklisted)?,
        }))
    }
}

/// # Safety
/// The texts can be read.
#[inline(always)]
pub(crate) unsafe fn push_subscriber(
    column: &mut Subscribers,
    row: &FrankingSubscriber,
) -> Outcome {
    // SAFETY: as demanded of the caller.
    column.push(unsafe { row.read() }?);
    Ok(())
}

fn wrong_column(column: i32, what: &str) -> Fail {
    Fail::argument(format!("column {column} is no column of {what}"))
}

/// Adds count answers to FRANKING_COLUMN_SENDERS (not 0: an active sender of the account) or to FRANKING_COLUMN_LISTS (not
/// 0: the list exists).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_push_flags(
    facts: *mut FrankingFacts,
    column: i32,
    flags: *const u8,
    count: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or facts that were not freed.
        let facts = unsafe { get(facts, "facts") }?;
        // SAFETY: the caller passes as many flags as it says.
        let flags = unsafe { slice(flags, count, "flags") }?;
        facts.0.write(|facts| {
            let column = match column {
                FRANKING_COLUMN_SENDERS => &mut facts.senders,
                FRANKING_COLUMN_LISTS => &mut facts.lists,
                _ => return Err(wrong_column(column, "flags")),
            };
            column.try_reserve(flags.len())?;
            column.extend(flags.iter().map(|flag| *flag != 0));
            Ok(())
        })
    })
}

/// Adds count answers to FRANKING_COLUMN_DOMAINS: for each the FRANKING_ROLE bits for which it is on a blacklist, 0 for
/// none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_push_roles(
    facts: *mut FrankingFacts,
    role_bits: *const u8,
    count: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or facts that were not freed.
        let facts = unsafe { get(facts, "facts") }?;
        // SAFETY: the caller passes as many sets as it says.
        let bits = unsafe { slice(role_bits, count, "role_bits") }?;
        for bits in bits {
            roles(*bits)?;
        }
        facts.0.write(|facts| {
            facts.domains.try_reserve(bits.len())?;
            for bits in bits {
                facts.domains.push(roles(*bits)?);
            }
            Ok(())
        })
    })
}

/// Frees facts. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_facts_free(facts: *mut FrankingFacts) {
    // SAFETY: the caller passes NULL or facts that were not freed.
    unsafe { free(facts) };
}
