//! The store, on both databases: what every commit keeps, whatever else happens at the same time.

mod calls;
mod facts;
mod groups;
mod held_rows;
mod idempotency;
mod large;
mod lost_answers;
mod operator;
mod postgres;
mod postgres_costs;
mod postgres_tls;
pub(crate) mod proxy;
mod races;
mod sqlite;
pub(crate) mod world;
