//! The outbox, which sends accepted emails.
//!
//! A [`worker`](Worker) claims deliveries in batches, sends them, and records their outcomes, again in batches. It keeps at
//! most one batch in memory, however much waits. Several workers, in one process or in many, share one database.

mod connections;
mod destinations;
mod fault;
mod flight;
mod gate;
mod limits;
mod load;
mod pauses;
mod retry;
mod run;
mod state;
mod texts;
mod worker;

pub use destinations::{DomainLimit, DomainPattern};
pub use limits::{Limits, Retry};
pub use state::{SendingState, Trouble};
pub use worker::{Running, Worker};
