//! The outbox, on both databases: what it claims, what it sends, and what it records of it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

/// Each test, on SQLite and on PostgreSQL.
macro_rules! on_both {
    ($($(#[$doc:meta])* async fn $name:ident($store:ident: Store) $body:block)*) => {
        $($(#[$doc])* async fn $name($store: std::sync::Arc<dyn franking_service::store::Store>) $body)*

        mod on_sqlite {
            $(#[test] fn $name() { crate::databases::on_sqlite(super::$name); })*
        }
        mod on_postgres {
            $(#[test] fn $name() { crate::databases::on_postgres(super::$name); })*
        }
    };
}

#[expect(dead_code, reason = "the tests of the store need the rest of it")]
#[path = "../store/databases.rs"]
mod databases;
#[expect(dead_code, reason = "the tests of the store need the rest of it")]
#[path = "../store/world.rs"]
mod world;

mod fairness;
mod faults;
mod leases;
mod operator;
mod sending;
mod shop;
mod sink;
mod upgrade;
