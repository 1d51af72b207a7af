//! The data that an operator creates, lists and changes.

use std::fmt;

use franking::{Account, DomainRoles, DomainSet};

use super::Answer;
use super::error::StoreError;
use super::identity::{AccountId, CallId, KeyHash};
use super::outbox::ON_ITS_WAY;
use super::unsubscribed::UnsubscribeScope;
use crate::mail::Template;

/// Why something was not created or changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing with this name or number.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Something with this name or number exists already.
    #[error("this {0} exists already")]
    Exists(&'static str),
    /// The delivery has not ended.
    #[error("the email still waits to be sent: `queue retry` tries to send it at once")]
    StillQueued,
    /// The delivery was cancelled a short time ago. Whoever had claimed it may still be sending it.
    #[error(
        "the email was cancelled a short time ago and may still be on its way: try again {} minutes after that, if `delivery show` does not say that it was delivered",
        ON_ITS_WAY.as_secs() / 60
    )]
    OnItsWay,
    /// The content of the email is not stored any more.
    #[error("the content of the email is no longer stored, so it cannot be sent again")]
    ContentGone,
    /// An account has two live keys at most, the old one and the new one of a rotation.
    #[error("the account has two live keys: revoke one first")]
    TwoKeys,
    /// An account has ten webhooks at most.
    #[error("the account has ten webhooks: remove one first")]
    TooManyWebhooks,
    /// A webhook has two secrets at most, the old one and the new one of a rotation.
    #[error("the webhook has two secrets: retire the older one first")]
    TwoSecrets,
    /// The account is not deactivated.
    #[error("the account is not deactivated: `account state --deactivated` ends its calls first")]
    StillActive,
    /// The subscriber is suppressed because of bounces or a complaint.
    #[error(
        "the subscriber is suppressed: `suppression list` says why, and `suppression lift` ends it"
    )]
    Suppressed,
}

/// An email address that was parsed. Debug shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    pub(super) text: String,
    pub(super) match_key: String,
    pub(super) domain: String,
}

impl Address {
    /// Parses an address.
    ///
    /// # Errors
    /// The text is not a valid address.
    pub fn parse(text: &str) -> Result<Self, franking::address::AddressError> {
        let address = franking::address::parse(text)?;
        Ok(Self {
            text: address.as_str().to_owned(),
            match_key: address.match_key().into_owned(),
            domain: address.domain().into_owned(),
        })
    }
}

impl Address {
    /// The address as it was written, and its match key.
    pub(crate) fn spellings(&self) -> [&str; 2] {
        [&self.text, &self.match_key]
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address")
    }
}

/// A domain as blacklists hold it: lower-case, ASCII.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Domain(pub(super) String);

impl Domain {
    /// Parses a domain in any spelling.
    ///
    /// # Errors
    /// The text is not a valid domain.
    pub fn parse(text: &str) -> Result<Self, franking::domain::EntryError> {
        let mut set = DomainSet::new();
        set.insert(text)?;
        let name = set.iter().next().unwrap_or_default();
        Ok(Self(name.to_owned()))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An account as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountRow {
    /// Its number.
    pub id: AccountId,
    /// Its name, for people.
    pub name: String,
    /// Its state and credits.
    pub account: Account,
}

/// A live key as it is listed. The key itself is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRow {
    /// Its number.
    pub id: i64,
    /// When it was made, in seconds since 1970.
    pub created: i64,
    /// Its label, for people.
    pub label: Option<String>,
    /// When it was last used, in seconds since 1970, within a minute.
    pub used: Option<i64>,
}

/// A stored email to create, or to replace the one with its id.
#[derive(Clone)]
pub struct NewMailer {
    /// Its number, 1 to 2^63-1; `None` for the account's next.
    pub id: Option<u64>,
    /// The assigned sender address.
    pub from: Address,
    /// The assigned sender name.
    pub from_name: Option<String>,
    /// The subject, the HTML and the List-Unsubscribe.
    pub template: Template,
    /// The emails that a reader unsubscribes from by the service's own List-Unsubscribe. `None` if the emails do not have
    /// it.
    pub unsubscribe: Option<UnsubscribeScope>,
}

/// A stored email as it is listed.
#[derive(Clone)]
pub struct MailerRow {
    /// Its number.
    pub id: u64,
    /// The assigned sender address.
    pub from: String,
    /// The assigned sender name.
    pub from_name: Option<String>,
    /// The subject.
    pub subject: String,
}

/// Ids of new subscribers continue after a chosen id only if it is below this limit, because few ids are left after it.
pub(super) const LAST_COUNTED: i64 = 1 << 62;

/// A subscriber to create.
#[derive(Clone)]
pub struct NewSubscriber {
    /// Its number, 1 to 2^63-1. `None` for the next number.
    pub id: Option<u64>,
    /// Its address.
    pub email: Address,
    /// Whether it is INACTIVE.
    pub inactive: bool,
}

/// An accepted call, with its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallRow {
    /// The account.
    pub account: AccountId,
    /// The email credits that it cost.
    pub emails: u64,
    /// The subscriber credits that it cost.
    pub subscribers: u64,
    /// How many messages of it are stored.
    pub messages: u64,
    /// How many deliveries of it are stored.
    pub deliveries: u64,
    /// How many of them ended as delivered.
    pub delivered: u64,
    /// How many of them ended as bounced.
    pub bounced: u64,
}

/// A request or a recipient that a partial batch has left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The place in `requests`, from 0.
    pub request: Option<u32>,
    /// The place in the body, as a JSON Pointer (RFC 6901).
    pub pointer: Option<String>,
    /// The bytes of the body that broke the rule. They tell which of several addresses at this place it was.
    pub span: Option<std::ops::Range<u64>>,
    /// The rule's identifier.
    pub rule: String,
}

/// An answer to an operator: as [`Answer`], but its error can also be a mistake of the operator.
pub type Reply<T> = Answer<T, OperatorError>;

/// Creates, lists and changes data for an operator.
pub trait Operator {
    /// Creates an account, and notes its credits as given by an operator. Names are for people, and may repeat.
    fn create_account(&self, name: String, account: Account, operator: String) -> Reply<AccountId>;
    /// All accounts, in order of creation.
    fn accounts(&self) -> Reply<Vec<AccountRow>>;
    /// Sets the given states of an account. Its other states and its credits stay.
    fn set_state(
        &self,
        id: AccountId,
        blocked: Option<bool>,
        expired: Option<bool>,
        deactivated: Option<bool>,
    ) -> Reply<()>;

    /// Gives an account a key, with a label for people. Returns the key's number.
    fn add_key(&self, account: AccountId, key: KeyHash, label: Option<String>) -> Reply<i64>;
    /// Ends a key.
    fn revoke_key(&self, account: AccountId, key: i64) -> Reply<()>;

    /// Creates a sender, or sets whether it is active.
    fn put_sender(&self, account: AccountId, sender: Address, active: bool) -> Reply<()>;
    /// The senders of an account, each with whether it is active.
    fn senders(&self, account: AccountId) -> Reply<Vec<(String, bool)>>;

    /// Creates a stored email, or replaces the one with its id. Returns its id.
    fn put_mailer(&self, account: AccountId, mailer: NewMailer) -> Reply<u64>;
    /// The stored emails of an account.
    fn mailers(&self, account: AccountId) -> Reply<Vec<MailerRow>>;

    /// Creates a list.
    fn create_list(&self, account: AccountId, name: String) -> Reply<()>;
    /// The lists of an account, each with the number of its members.
    fn lists(&self, account: AccountId) -> Reply<Vec<(String, u64)>>;

    /// Creates a subscriber. Returns its id.
    fn put_subscriber(&self, account: AccountId, subscriber: NewSubscriber) -> Reply<u64>;
    /// Sets whether a subscriber is INACTIVE. A suppressed subscriber cannot be made active in this way.
    fn set_inactive(&self, account: AccountId, subscriber: u64, inactive: bool) -> Reply<()>;
    /// The stored personalization of a subscriber, by the names of the interface.
    fn personalization(&self, account: AccountId, subscriber: u64) -> Reply<Vec<(String, String)>>;

    /// Sets the roles for which a domain is blacklisted. Without roles, it is removed from the blacklists.
    fn set_blacklisted(&self, domain: Domain, roles: DomainRoles) -> Reply<()>;

    /// Returns what a call has left out as a partial batch, in the order of precedence of the violations.
    fn left_out(&self, call: CallId) -> Reply<Vec<LeftOut>>;
    /// Returns all accepted calls of an account, with their counts.
    fn calls(&self, account: AccountId) -> Reply<Vec<(CallId, CallRow)>>;
}

impl fmt::Debug for NewMailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewMailer")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for MailerRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailerRow")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for NewSubscriber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewSubscriber")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
