//! Accepted emails on their way out.
//!
//! A [`worker`](Worker) claims deliveries in batches, sends them, and settles what came of them, again in batches. It keeps no
//! more than a batch in memory, however much waits. Several workers, in one process or in many, share one database.

mod connections;
mod destinations;
mod fault;
mod flight;
mod gate;
mod limits;
mod pauses;
mod retry;
mod run;
mod state;
mod worker;

pub use destinations::{DomainLimit, DomainPattern};
pub use limits::{Limits, Retry};
pub use state::{SendingState, Trouble};
pub use worker::{Running, Worker};
