//! The store, on both databases: what every commit keeps to, whatever races with it.
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

mod calls;
mod databases;
mod facts;
mod idempotency;
mod operator;
mod postgres;
mod postgres_tls;
mod proxy;
mod races;
mod sqlite;
mod world;
