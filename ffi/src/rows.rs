//! The host's facts about an account, a stored email and a subscriber.

use franking_core::{Account, Mailer, Mailers, Subscriber, Subscribers};

use crate::numbers::blacklisted;
use crate::size::{Grows, check_reserved, init_sized};
use crate::status::Outcome;
use crate::text::FrankingText;

/// What the host knows of an account. Start from FRANKING_ACCOUNT_INIT, which means that there is no such account.
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
    /// The number of subscribers that may still be created (code 444). 0 and below: none.
    pub subscriber_credit: i64,
    /// The number of emails that may still be sent (code 445). 0 and below: none.
    pub email_credit: i64,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingAccount {
    const FIRST: usize = 32;
}

impl FrankingAccount {
    #[inline]
    pub(crate) fn get(&self) -> Outcome<Option<Account>> {
        check_reserved(self.reserved == [0; 2])?;
        if self.exists == 0 {
            return Ok(None);
        }
        Ok(Some(Account {
            blocked: self.blocked != 0,
            expired: self.expired != 0,
            deactivated: self.deactivated != 0,
            subscriber_credit: (self.has_subscriber_credit != 0).then_some(self.subscriber_credit),
            email_credit: (self.has_email_credit != 0).then_some(self.email_credit),
        }))
    }
}

/// Writes FRANKING_ACCOUNT_INIT. size is sizeof(franking_account).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_account_init(account: *mut FrankingAccount, size: usize) {
    // SAFETY: the caller passes NULL or a structure of that size.
    unsafe { init_sized(account, size) };
}

/// What the host knows of a stored email: one row of the column of mailers. All 0: there is no such stored email.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingMailer {
    /// The assigned sender address, which is used when the call has no from. If the call asks about a sender, it is not used
    /// and may be empty.
    pub from: FrankingText,
    /// The assigned sender name, which is used when the call has no fromName; data NULL: none.
    pub from_name: FrankingText,
    /// 0: there is no such stored email.
    pub exists: u8,
    /// Whether the domain of from, or a parent of it, is on the blacklist for senders: one of FRANKING_BLACKLISTED. 0 means
    /// that you do not say it. That is FRANKING_STATUS_MISUSE unless the call asks about a sender, or a franking_blacklists
    /// says it instead.
    pub blacklisted: u8,
    /// Leave 0.
    pub reserved: [u8; 6],
}

/// What the host knows of a subscriber: one row of a column of subscribers. All 0: there is no such subscriber.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingSubscriber {
    /// The subscriber's id, 1 to 2^63-1; 0: there is no such subscriber.
    pub id: u64,
    /// The stored address, to which sendMailer sends. httpSendMail sends to the addresses in the call: there it may be
    /// empty.
    pub email: FrankingText,
    /// Not 0: the subscriber is INACTIVE (code 443).
    pub inactive: u8,
    /// Whether the domain of the stored address, or a parent of it, is on the blacklist for recipients: one of
    /// FRANKING_BLACKLISTED. 0 means that you do not say it. On sendMailer that is FRANKING_STATUS_MISUSE, unless a
    /// franking_blacklists says it instead. httpSendMail ignores this member, because it is judged by the addresses in the
    /// call.
    pub blacklisted: u8,
    /// Leave 0.
    pub reserved: [u8; 6],
}

impl FrankingMailer {
    /// There is no such stored email.
    pub(crate) const NONE: Self = Self {
        from: FrankingText::NONE,
        from_name: FrankingText::NONE,
        exists: 0,
        blacklisted: 0,
        reserved: [0; 6],
    };

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
        check_reserved(self.reserved == [0; 6])?;
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

impl FrankingSubscriber {
    /// There is no such subscriber.
    pub(crate) const NONE: Self = Self {
        id: 0,
        email: FrankingText::NONE,
        inactive: 0,
        blacklisted: 0,
        reserved: [0; 6],
    };

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
        check_reserved(self.reserved == [0; 6])?;
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
