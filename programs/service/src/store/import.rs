//! Subscribers that are brought in by the thousand.

use super::identity::AccountId;
use super::operator::{Address, Reply};

/// A subscriber to bring in.
#[derive(Clone)]
pub struct NewReader {
    /// Its number, 1 to 2^63-1; `None` for the next.
    pub id: Option<u64>,
    /// Its address.
    pub email: Address,
    /// Whether it is INACTIVE.
    pub inactive: bool,
    /// Its personalization, by the names of the interface.
    pub fields: Vec<(&'static str, String)>,
    /// The lists that it is in. Those that are not there are made.
    pub lists: Vec<String>,
}

impl std::fmt::Debug for NewReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewReader")
    }
}

/// What came of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// It is stored.
    New,
    /// A subscriber has that address already.
    SameAddress,
    /// A subscriber has that number already.
    SameNumber,
}

/// How far an import of a file has come. It is stored with the rows, so that one that was killed goes on where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What tells the file from others.
    pub file: [u8; 32],
    /// How many of its rows are done.
    pub rows: i64,
}

/// Brings subscribers in.
pub trait Import {
    /// Stores subscribers of an account, in one transaction with the progress, if there is one. Answers with what came of each.
    /// With `tries`, nothing is stored, and the answer is what would come of them.
    fn import_readers(
        &self,
        account: AccountId,
        readers: Vec<NewReader>,
        progress: Option<Progress>,
        tries: bool,
    ) -> Reply<Vec<Imported>>;
}
