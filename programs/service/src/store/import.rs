//! Bulk import of subscribers and stored emails.

use super::identity::AccountId;
use super::operator::{Address, NewMailer, Reply};

/// A subscriber to import.
#[derive(Clone)]
pub struct NewReader {
    /// Its number, 1 to 2^63-1. `None` for the next number.
    pub id: Option<u64>,
    /// Its address.
    pub email: Address,
    /// Whether it is INACTIVE.
    pub inactive: bool,
    /// Its personalization, by the names of the interface.
    pub fields: Vec<(&'static str, String)>,
    /// The lists that it is in. Missing lists are created.
    pub lists: Vec<String>,
}

impl std::fmt::Debug for NewReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewReader")
    }
}

/// The result of importing a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// It can be stored: in this batch, or in the next attempt without the rows that cannot be stored.
    New,
    /// A subscriber has that address already.
    SameAddress,
    /// A subscriber has that number already.
    SameNumber,
}

/// How far the import of a file has come. It is stored with the rows, so that an interrupted import goes on where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The digest that identifies the file.
    pub file: [u8; 32],
    /// How many of its rows are done.
    pub rows: i64,
    /// The length of the file of refused rows.
    pub refused: i64,
}

/// Imports subscribers and stored emails.
pub trait Import {
    /// Stores subscribers of an account, and returns the result of each. With a progress, they are stored together with it,
    /// or nothing is stored if one of them cannot be. With `tries`, nothing is stored.
    fn import_readers(
        &self,
        account: AccountId,
        readers: Vec<NewReader>,
        progress: Option<Progress>,
        tries: bool,
    ) -> Reply<Vec<Imported>>;
    /// Stores emails of an account in their order, in one transaction with the progress. They replace emails with the same
    /// numbers.
    fn import_mailers(
        &self,
        account: AccountId,
        mailers: Vec<NewMailer>,
        progress: Progress,
    ) -> Reply<()>;
}

/// Whether subscribers with these results are stored.
pub(super) fn are_stored(imported: &[Imported], progress: Option<Progress>, tries: bool) -> bool {
    let all_are_new = || imported.iter().all(|imported| *imported == Imported::New);
    !tries && (progress.is_none() || all_are_new())
}
