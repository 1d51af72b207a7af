//! Lists that may be long, which an operator reads in parts. The statements are the same on both databases.

use franking::DomainRoles;

use super::identity::AccountId;
use super::operator::{Domain, OperatorError, Reply};
use super::records::list;
use super::reports::SuppressionRow;
use super::statement::{HasStatements, Row, another, statement};
use super::unsubscribed::UnsubscribedRow;

/// Reads parts of long lists.
pub trait LongLists {
    /// Returns at most `at_most` blacklisted domains after a name, in the order of their names.
    fn blacklist(&self, after: String, at_most: u32) -> Reply<Vec<(Domain, DomainRoles)>>;

    /// Returns at most `at_most` suppressions of an account before a number, newest first, including those that are lifted.
    fn suppressions(
        &self,
        account: AccountId,
        before: i64,
        at_most: u32,
    ) -> Reply<Vec<SuppressionRow>>;

    /// Returns at most `at_most` readers of an account who have unsubscribed, before a number, newest first, including those
    /// for whom this is lifted.
    fn unsubscribed(
        &self,
        account: AccountId,
        before: i64,
        at_most: u32,
    ) -> Reply<Vec<UnsubscribedRow>>;
}

impl<T: HasStatements> LongLists for T {
    fn blacklist(&self, after: String, at_most: u32) -> Reply<Vec<(Domain, DomainRoles)>> {
        let sql = statement!("select_blacklist.sql", after, at_most);
        list(self.statements().read_rows(sql), |row| {
            Ok((Domain(row.text(0)?), roles(row, 1)?))
        })
    }

    fn suppressions(
        &self,
        account: AccountId,
        before: i64,
        at_most: u32,
    ) -> Reply<Vec<SuppressionRow>> {
        let sql = statement!("select_suppressions.sql", account.0, before, at_most);
        list(self.statements().read_rows(sql), |row| {
            Ok(SuppressionRow {
                id: row.integer(0)?,
                account: AccountId(row.integer(7)?),
                subscriber: row.integer(1)?,
                cause: row.text(2)?,
                created: row.integer(3)?,
                report: row.optional_integer(4)?,
                reason: row.optional_text(5)?,
                lifted: row.optional_text(6)?,
            })
        })
    }

    fn unsubscribed(
        &self,
        account: AccountId,
        before: i64,
        at_most: u32,
    ) -> Reply<Vec<UnsubscribedRow>> {
        let sql = statement!("select_unsubscribed.sql", account.0, before, at_most);
        list(self.statements().read_rows(sql), |row| {
            Ok(UnsubscribedRow {
                id: row.integer(0)?,
                subscriber: row.integer(1)?,
                scope: row.text(2)?,
                mailer: row.optional_integer(3)?,
                created: row.integer(4)?,
                lifted: row.optional_text(5)?,
            })
        })
    }
}

/// The roles in a column.
pub(super) fn roles(row: &Row, column: usize) -> Result<DomainRoles, OperatorError> {
    let bits = u8::try_from(row.integer(column)?).map_err(|_| another())?;
    Ok(DomainRoles::from_bits(bits))
}
