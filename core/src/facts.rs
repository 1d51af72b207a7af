//! What the host is asked, in columns, and the shape of its answers, in parallel columns.

mod mailers;
mod subscribers;
mod texts;

use crate::column::Column;
use crate::roles::DomainRoles;
pub use mailers::{Mailer, Mailers};
pub use subscribers::{Subscriber, Subscribers};

/// What the host knows of an account (interface, section 2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Sending is blocked: code 404.
    pub blocked: bool,
    /// The account has expired: code 405.
    pub expired: bool,
    /// The account is deactivated: code 448.
    pub deactivated: bool,
    /// How many subscribers may still be created (code 444); `None` for no limit; zero and below for none.
    pub subscriber_credit: Option<i64>,
    /// How many emails may still be sent (code 445); `None` for no limit; zero and below for none.
    pub email_credit: Option<i64>,
}

/// The credits that a plan costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Debit {
    /// One for each email.
    pub email: u64,
    /// One for each subscriber that is created.
    pub subscriber: u64,
}

/// The host's answer to [`Questions`](crate::Questions): one entry for each member of each column, in the same order.
///
/// What does not exist is answered by `None` or `false`. A host that could not look does not answer: it drops the
/// call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The stored emails.
    pub mailers: Mailers,
    /// Whether each address is that of an active sender of the account.
    pub senders: Column<bool>,
    /// The subscribers with these ids.
    pub subscriber_ids: Subscribers,
    /// The subscribers with these addresses.
    pub subscribers: Subscribers,
    /// Whether each list exists.
    pub lists: Column<bool>,
    /// The roles for which each domain is on a blacklist. Domains are compared by plain equality: the library has
    /// asked about the parents.
    pub domains: Column<DomainRoles>,
}
