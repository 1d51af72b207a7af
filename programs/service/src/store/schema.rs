//! Versions of the schema.
//!
//! A release may add to the schema. Earlier releases still work with it, because they do not use what is new. A later
//! release removes what is no longer used. In this way, processes can be replaced one by one. Each version names the
//! earliest program that works with it.

/// A step from one version to the next.
#[derive(Clone, Copy)]
pub(super) struct Migration {
    pub(super) sql: &'static str,
    /// The version of the earliest program that works with the schema.
    pub(super) least: i64,
}

/// The version of a database. Both numbers are 0 if the database is empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) number: i64,
    pub(super) least: i64,
}

/// Whether a program works with a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// The schema lacks something.
    Older,
    /// The program works with the database.
    Fits,
    /// The schema lacks what a later release has removed.
    Newer,
}

impl Version {
    /// Whether a program works with the database. `known` is the last version that the program knows.
    pub(super) const fn fit(self, known: i64) -> Fit {
        if self.number < known {
            Fit::Older
        } else if self.least <= known {
            Fit::Fits
        } else {
            Fit::Newer
        }
    }
}

/// How many versions a program knows.
pub(super) fn known(migrations: &[Migration]) -> i64 {
    i64::try_from(migrations.len()).unwrap_or(i64::MAX)
}

/// The versions that a database lacks, each with its number.
pub(super) fn missing(
    migrations: &[Migration],
    found: i64,
) -> impl Iterator<Item = (i64, &Migration)> {
    let done = usize::try_from(found).unwrap_or(usize::MAX);
    let missing = migrations.get(done..).unwrap_or_default();
    (found.saturating_add(1)..).zip(missing)
}
