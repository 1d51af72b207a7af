//! What keeps a database in order for years.

pub mod backup;
pub(crate) mod import;
pub mod retention;
pub(crate) mod rows;
pub mod verify;
