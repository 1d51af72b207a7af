//! The database of the service: the traits that it uses, and their implementations on SQLite and PostgreSQL.
//!
//! The store owns a request before anything waits ([`Asked`], [`Work`]), so a commit that has begun is finished even if its
//! answer is dropped.

mod asked;
mod broken;
mod bulk;
mod claimed;
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

pub use asked::{Asked, DOMAINS_AT_ONCE};
pub(crate) use broken::Broken;
pub use bulk::{Bulk, EXPORTED, ExportedTable, NewSuppression, StoredReader};
pub use counts::{Countable, Counts, DayCount, MOST_COUNTED, RuleCount};
pub use erasure::{Erasure, Removal, Removed, SealedCall, erasing};
pub use error::{Cause, StoreError};
pub use events::{About, EventPage, EventRow, Events, NewEvent};
pub use hits::{MOST_HITS, NewHit, Reader, Tracking};
pub(crate) use idempotency::KEPT_SECONDS;
pub use idempotency::{Claim, Hold, IdempotencyKey, Kept, Record};
pub use identity::{AccountId, ApiKey, Authenticated, CallId, KeyHash};
pub use import::{Import, Imported, NewReader, Progress};
pub use inspect::{
    Became, CallFilter, Deliveries, DeliveryFilter, Inspect, LOOKED_THROUGH, ListedCall,
    ListedDelivery, SearchEnd, Searched, ShownCall,
};
pub use known::Found;
pub use long_lists::LongLists;
pub use operator::{
    AccountRow, Address, CallRow, Domain, KeyRow, LeftOut, MailerRow, NewMailer, NewSubscriber,
    Operator, OperatorError, Reply,
};
pub use operators::{FormNumber, OperatorRow, Operators, Rights, TokenHash};
pub(crate) use outbox::LEASE;
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

/// An answer that is pending. The request goes on even if this is dropped.
pub type Answer<T, E = StoreError> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// A database with everything that the service stores. Its methods have to be called within a Tokio runtime.
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
    /// Returns the account of a key, with its current state and credits.
    fn account(&self, key: KeyHash) -> Answer<Option<Authenticated>>;

    /// Looks up every member of every column, in one snapshot.
    fn facts(&self, account: AccountId, asked: Asked) -> Answer<Found>;

    /// Carries out a plan, all of it or nothing. When this method returns, the store owns the work. The answer comes when
    /// the work is durable.
    ///
    /// A conflict is an error as well ([`StoreError::Conflict`]), and nothing was done then. If the answer to COMMIT is
    /// lost, the call is looked up by its own id before [`StoreError::Unknown`] is returned.
    fn commit(&self, work: Work) -> Answer<Committed>;

    /// Judges a call again after a conflict, and carries it out while no other call of its account can come between.
    ///
    /// If the answer to COMMIT is lost, the call is looked up before [`StoreError::Unknown`] is returned.
    fn in_turn(&self, again: Again) -> Answer<Turned>;

    /// Claims an idempotency key of an account. Returns the call that is kept under it, or holds the key if there is none.
    fn claim(&self, account: AccountId, key: IdempotencyKey) -> Answer<Claim>;

    /// Makes removed data unreadable in the files. On SQLite, this empties the log, and returns `false` if somebody still
    /// reads what is in it. On PostgreSQL it does nothing, because VACUUM and checkpoints do this work.
    fn flush_removed(&self) -> Answer<bool>;

    /// Whether the database answers.
    fn health(&self) -> Answer<()>;

    /// Resolves when the store cannot go on and the process has to end. On SQLite, this is after a failed COMMIT, or when
    /// the database's file was removed or replaced: only a restart can read what is stored. On both databases, this is after a
    /// panic of a thread or a task that all calls need.
    fn broken(&self) -> Pin<Box<dyn Future<Output = Cause> + Send>>;
}

/// The result of a commit that did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// Everything was done, and is durable.
    Done,
    /// Nothing was done: another call was accepted under the same idempotency key in the meantime.
    Replayed(Kept),
}
