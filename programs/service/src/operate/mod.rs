//! The tasks that keep a database in order for years: backups, imports, retention and checks.

pub mod backup;
pub(crate) mod import;
pub mod retention;
mod row;
pub(crate) mod rows;
pub mod verify;
