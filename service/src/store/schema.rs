//! Versions of the schema, which only grow.
//!
//! A release that adds to the schema lets earlier releases go on beside it: they do not use what is new. A later release takes away
//! what nobody uses any more. So processes are replaced one by one, and a version says from which version on programs work with it.

/// A step from one version to the next.
#[derive(Clone, Copy)]
pub(super) struct Migration {
    pub(super) sql: &'static str,
    /// The version from which on programs work with the schema that it makes.
    pub(super) least: i64,
}

/// The version of a database; zeroes where there is no schema.
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
    /// It does.
    Fits,
    /// The schema lacks what a later release has taken away.
    Newer,
}

impl Version {
    /// Whether a program that knows so many versions works with it.
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
