//! Lists calls and emails for an operator.

use super::identity::{AccountId, CallId};
use super::operator::{Address, Domain, Reply};

/// A call that was accepted, as it is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedCall {
    /// Its transactionId.
    pub id: CallId,
    /// When it was accepted, in seconds since 1970.
    pub created: i64,
    /// The operation.
    pub operation: franking::Operation,
    /// The email credits that it cost.
    pub emails: i64,
    /// The subscriber credits that it cost.
    pub subscribers: i64,
}

/// A call, with what happened to its emails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownCall {
    /// The call.
    pub call: ListedCall,
    /// The account.
    pub account: AccountId,
    /// How many of its emails wait, were delivered, and bounced.
    pub states: [i64; 3],
    /// How many requests and recipients a partial batch has left out.
    pub left_out: i64,
}

/// How many deliveries of an account a search looks at. It may end a little later, after the second in which it reaches this.
pub const LOOKED_THROUGH: u32 = 100_000;

/// Where a search for deliveries has ended before it had looked at all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// It has not looked at deliveries of calls before that time, in seconds since 1970.
    Until(i64),
    /// It has not looked at deliveries before that one.
    Before(i64),
}

/// The deliveries that a search has found, newest first. Also where the search has ended, if it has found fewer than were
/// asked for and has not looked at all deliveries.
pub type Searched = (Vec<ListedDelivery>, Option<SearchEnd>);

/// Conditions on the deliveries of an account. A field that is `None` is not a condition.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct DeliveryFilter {
    /// Deliveries in this state: `queued`, `delivered` or `bounced`.
    pub state: Option<String>,
    /// Deliveries to subscribers of this domain.
    pub domain: Option<Domain>,
    /// Deliveries with this custom field.
    pub custom_field: Option<String>,
    /// Deliveries of calls from this time on, in seconds since 1970.
    pub since: Option<i64>,
    /// Deliveries of calls before this time, in seconds since 1970.
    pub until: Option<i64>,
    /// Deliveries before this number.
    pub before: Option<i64>,
}

impl DeliveryFilter {
    /// Whether bounced deliveries are asked for, which have an index of their own.
    pub(super) fn is_bounced(&self) -> bool {
        self.state.as_deref() == Some("bounced")
    }
}

/// Conditions on calls. A field that is `None` is not a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallFilter {
    /// Calls before this one.
    pub before: Option<CallId>,
    /// Calls from this time on, in seconds since 1970.
    pub since: Option<i64>,
    /// Calls before this time, in seconds since 1970.
    pub until: Option<i64>,
}

/// Which deliveries are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deliveries {
    /// Deliveries of an account's call before a number, newest first.
    OfCall(AccountId, CallId, Option<i64>),
    /// Deliveries to an account's recipient before a number, newest first.
    OfRecipient(AccountId, Address, Option<i64>),
    /// Waiting deliveries of an account, in the order in which they are due.
    Queued(AccountId),
    /// The delivery with this number.
    One(i64),
}

/// A delivery as it is listed. `Debug` shows its number.
#[derive(Clone, PartialEq, Eq)]
pub struct ListedDelivery {
    /// Its number.
    pub id: i64,
    /// The account.
    pub account: AccountId,
    /// The call.
    pub call: CallId,
    /// When it was accepted, in seconds since 1970.
    pub created: i64,
    /// The recipient's address.
    pub recipient: String,
    /// The sender's address.
    pub from: String,
    /// The stored email, if it is one.
    pub mailer: Option<i64>,
    /// The caller's custom field.
    pub custom_field: Option<String>,
    /// `queued`, `delivered` or `bounced`.
    pub state: String,
    /// Whether the operator has cancelled it.
    pub is_cancelled: bool,
    /// How often it was tried.
    pub attempts: i64,
    /// When it is tried next, or since when it is due, in seconds since 1970. `None` if it has ended.
    pub due: Option<i64>,
    /// When it ended, in seconds since 1970.
    pub ended: Option<i64>,
    /// The mail server's last answer, or why it has ended.
    pub reason: Option<String>,
}

/// Something that happened to a delivery.
#[derive(Clone, PartialEq, Eq)]
pub struct Became {
    /// The delivery's number.
    pub delivery: i64,
    /// What happened: the name of a type of events.
    pub kind: String,
    /// The enhanced status code (RFC 3463), if there is one.
    pub status: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When, in seconds since 1970.
    pub happened: i64,
}

/// Lists calls and emails for an operator.
pub trait Inspect {
    /// Returns at most `at_most` calls of an account that meet conditions, newest first.
    fn list_calls(
        &self,
        account: AccountId,
        filter: CallFilter,
        at_most: u32,
    ) -> Reply<Vec<ListedCall>>;
    /// Returns a call, with what happened to its emails.
    fn show_call(&self, call: CallId) -> Reply<ShownCall>;
    /// Returns at most `at_most` deliveries.
    fn deliveries(&self, which: Deliveries, at_most: u32) -> Reply<Vec<ListedDelivery>>;
    /// Searches the latest deliveries of an account for at most `at_most` that meet conditions.
    fn search(&self, account: AccountId, filter: DeliveryFilter, at_most: u32) -> Reply<Searched>;
    /// Returns what happened to deliveries, in the order in which it happened.
    fn became(&self, deliveries: Vec<i64>) -> Reply<Vec<Became>>;
}

impl std::fmt::Debug for ListedDelivery {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ListedDelivery")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for DeliveryFilter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DeliveryFilter")
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Became {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Became")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}
