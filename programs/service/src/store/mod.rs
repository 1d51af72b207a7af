//! What the service asks of a database, in the words of the interface.
//!
//! What is asked is owned by the store before anything waits ([`Asked`], [`Work`]): a commit that began is finished also
//! when its answer is dropped.

mod asked;
mod bulk;
mod clock;
mod counts;
mod erasure;
mod error;
mod events;
mod group;
mod hits;
mod holds;
mod idempotency;
mod identity;
mod import;
mod inspect;
mod known;
mod long_lists;
mod message_id;
mod operator;
pub(crate) mod operators;
mod outbox;
pub mod postgres;
mod queue;
mod records;
mod reports;
mod retention;
mod schema;
pub mod sqlite;
mod statement;
mod transcripts;
mod turn;
mod unsubscribed;
mod verify;
mod webhooks;
mod work;

use std::future::Future;
use std::pin::Pin;

pub use asked::Asked;
pub use bulk::{Bulk, EXPORTED, ExportedTable, NewSuppression, StoredReader};
pub use counts::{Countable, Counts, DayCount, MOST_COUNTED, RuleCount};
pub use erasure::{Erasure, Removal, Removed, erasing};
pub use error::{Cause, StoreError};
pub use events::{About, EventPage, EventRow, Events, NewEvent};
pub use hits::{MOST_HITS, NewHit, Reader, Tracking};
pub(crate) use idempotency::KEPT_SECONDS;
pub use idempotency::{Claim, Hold, IdempotencyKey, Kept, Record};
pub use identity::{AccountId, ApiKey, Authenticated, CallId, KeyHash};
pub use import::{Import, Imported, NewReader, Progress};
pub use inspect::{
    Became, Deliveries, Inspect, LOOKED_THROUGH, ListedCall, ListedDelivery, ShownCall, SuchCalls,
    SuchDeliveries,
};
pub use known::Found;
pub use long_lists::LongLists;
pub use operator::{
    AccountRow, Address, CallRow, Domain, KeyRow, LeftOut, MailerRow, NewMailer, NewSubscriber,
    Operator, OperatorError, Reply,
};
pub use operators::{FormNumber, OperatorRow, Operators, Rights, TokenHash};
pub use outbox::{
    Ask, Batch, Claimed, Lease, Outbox, Settled, Settlement, Unsendable, Wakes, Which,
};
pub use queue::{AccountQueue, Queue};
pub use records::{
    AuditRow, CreditChange, Measure, Pool, Records, ShownAccount, ShownMailer, SubscriberRow,
    Subscribers,
};
pub use reports::{KeptKind, KeptReport, NewReport, Original, ReportRow, Reports, SuppressionRow};
pub(crate) use retention::DAY;
pub use retention::{Expired, Position, Retention, Step};
pub use transcripts::{
    CountOf, CountRow, Explained, KeptCalls, KeptOf, NewTranscript, Refused, TranscriptRow,
    Transcripts,
};
pub use turn::{Again, Journal, Turned};
pub use unsubscribed::{UnsubscribeScope, UnsubscribedRow, Unsubscribing, Unsubscription};
pub use verify::{CHECKS, Check, Content, StoredTemplate, Verify};
pub use webhooks::{
    Attempt, AttemptRow, MOST_RETRIES, NewWebhook, Round, ToPost, Webhook, WebhookRow, Webhooks,
};
pub use work::Work;

/// An answer that is on its way. What was asked goes on when it is dropped.
pub type Answer<T, E = StoreError> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// A database with all that the service keeps. Methods are called within a Tokio runtime.
pub trait Store:
    Operator
    + Inspect
    + Outbox
    + Events
    + Reports
    + Unsubscribing
    + Tracking
    + Webhooks
    + Transcripts
    + KeptCalls
    + Records
    + Retention
    + Erasure
    + Import
    + Bulk
    + Verify
    + Operators
    + Counts
    + LongLists
    + Send
    + Sync
    + 'static
{
    /// Whose key this is, with the account's state and credits as they are now.
    fn account(&self, key: KeyHash) -> Answer<Option<Authenticated>>;

    /// What is known of every member of every column: one snapshot.
    fn facts(&self, account: AccountId, asked: Asked) -> Answer<Found>;

    /// Carries a plan out, in one transaction. When this returns, the work is the store's; the answer comes when it is
    /// durable.
    ///
    /// The answer is an error also for [`StoreError::Conflict`]: nothing was done then. A commit whose answer was lost has
    /// been looked for by the call's own id before [`StoreError::Unknown`] is said.
    fn commit(&self, work: Work) -> Answer<Committed>;

    /// Judges a call that has met a conflict again and carries it out where no other call can come between.
    ///
    /// A commit whose answer was lost has been looked for before [`StoreError::Unknown`] is said.
    fn in_turn(&self, again: Again) -> Answer<Turned>;

    /// Asks for an idempotency key of an account: looks whether a call is kept under it, and holds it if not.
    fn claim(&self, account: AccountId, key: IdempotencyKey) -> Answer<Claim>;

    /// Makes unreadable in the files what was removed: on SQLite the log is emptied, unless somebody reads what is in it, which the
    /// answer says. On PostgreSQL that is the work of VACUUM and of checkpoints.
    fn flush_removed(&self) -> Answer<bool>;

    /// Whether the database answers.
    fn health(&self) -> Answer<()>;

    /// Comes when the store cannot go on and the process has to end: a group's COMMIT failed on SQLite, and only a restart
    /// reads the truth. It never comes on PostgreSQL.
    fn broken(&self) -> Pin<Box<dyn Future<Output = Cause> + Send>>;
}

/// What came of a commit that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// All of it was done, and is durable.
    Done,
    /// Nothing of it was done: another call was accepted under the same idempotency key meanwhile.
    Replayed(Kept),
}
