//! Counts for an operator. The statements are the same on both databases.

use super::identity::AccountId;
use super::operator::Reply;
use super::outbox::Which;
use super::records::{list, one};
use super::statement::{HasStatements, statement};

/// The number at which counting stops. The statements have the same number in their texts, because PostgreSQL then plans for
/// few rows.
pub const MOST_COUNTED: u32 = 10_000;

/// Things of which there may be many. They are counted up to [`MOST_COUNTED`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Countable {
    /// Emails that wait.
    Waiting(Which),
    /// Emails that a subscriber was sent.
    SentTo(AccountId, u64),
    /// Events of an account after a number.
    EventsAfter(AccountId, i64),
}

/// The number of calls or events of one kind on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayCount {
    /// Days since 1970, in UTC.
    pub day: i64,
    /// The kind: a code, or the name of a type of events.
    pub kind: String,
    /// How many.
    pub number: i64,
}

/// The number of calls that a rule has refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleCount {
    /// The rule's identifier.
    pub rule: String,
    /// The code that was answered.
    pub code: i64,
    /// How many today, in UTC.
    pub today: i64,
    /// How many on the day before.
    pub yesterday: i64,
}

/// Counts for an operator.
pub trait Counts {
    /// Counts up to [`MOST_COUNTED`].
    fn counted(&self, what: Countable) -> Reply<i64>;
    /// Returns the calls of an account, or of all accounts, by day and code: today and on the `days` days before.
    fn calls_by_day(&self, account: Option<AccountId>, days: u16) -> Reply<Vec<DayCount>>;
    /// Returns the events of an account, or of all accounts, by the day on which they happened and by type: today and on the
    /// `days` days before.
    fn outcomes_by_day(&self, account: Option<AccountId>, days: u16) -> Reply<Vec<DayCount>>;
    /// Returns at most `at_most` rules: those that have refused the most calls today and on the day before.
    fn refused_by_rule(&self, at_most: u32) -> Reply<Vec<RuleCount>>;
}

impl<T: HasStatements> Counts for T {
    fn counted(&self, what: Countable) -> Reply<i64> {
        let statement = match what {
            Countable::Waiting(Which::All) => statement!("count_waiting.sql"),
            Countable::Waiting(Which::Account(account)) => {
                statement!("count_waiting_of_account.sql", account.0)
            }
            Countable::Waiting(Which::Call(call)) => {
                statement!("count_waiting_of_call.sql", call.number().cast_signed())
            }
            Countable::SentTo(account, subscriber) => {
                statement!("count_sent.sql", account.0, subscriber.cast_signed())
            }
            Countable::EventsAfter(account, after) => {
                statement!("count_events.sql", account.0, after)
            }
        };
        let rows = self.statements().read_rows(statement);
        Box::pin(async move { one(rows.await?, "count")?.integer(0) })
    }

    fn calls_by_day(&self, account: Option<AccountId>, days: u16) -> Reply<Vec<DayCount>> {
        let days = u32::from(days);
        let sql = match account {
            Some(account) => statement!("calls_by_day.sql", account.0, days),
            None => statement!("all_calls_by_day.sql", days),
        };
        list(self.statements().read_rows(sql), row)
    }

    fn outcomes_by_day(&self, account: Option<AccountId>, days: u16) -> Reply<Vec<DayCount>> {
        let days = u32::from(days);
        let sql = match account {
            Some(account) => statement!("outcomes_by_day.sql", account.0, days),
            None => statement!("all_outcomes_by_day.sql", days),
        };
        list(self.statements().read_rows(sql), row)
    }

    fn refused_by_rule(&self, at_most: u32) -> Reply<Vec<RuleCount>> {
        let sql = statement!("refused_by_rule_and_day.sql", at_most);
        list(self.statements().read_rows(sql), |row| {
            Ok(RuleCount {
                rule: row.text(0)?,
                code: row.integer(1)?,
                today: row.integer(2)?,
                yesterday: row.integer(3)?,
            })
        })
    }
}

fn row(row: &super::statement::Row) -> Result<DayCount, super::operator::OperatorError> {
    Ok(DayCount {
        day: row.integer(0)?,
        kind: row.text(1)?,
        number: row.integer(2)?,
    })
}

#[cfg(test)]
mod tests {
    use super::MOST_COUNTED;

    #[test]
    fn the_statements_and_the_page_count_as_far_as_the_constant_says() {
        let limit = format!("LIMIT {MOST_COUNTED})");
        for sql in [
            include_str!("sql/count_waiting.sql"),
            include_str!("sql/count_waiting_of_account.sql"),
            include_str!("sql/count_waiting_of_call.sql"),
            include_str!("sql/count_sent.sql"),
            include_str!("sql/count_events.sql"),
        ] {
            assert!(sql.contains(&limit), "{sql}");
        }
        let page = include_str!("../../../../docs/desk.md").replace(',', "");
        assert!(page.contains(&format!("Counts stop at {MOST_COUNTED}.")));
        let page = include_str!("../../../../docs/emails.md").replace(',', "");
        assert!(page.contains(&format!("up to {MOST_COUNTED} of each account")));
        let reasons = [
            include_str!("sqlite/sql/waiting_reasons.sql"),
            include_str!("postgres/sql/waiting_reasons.sql"),
        ];
        let told = page
            .split("of the ")
            .filter_map(|rest| rest.split_once(" that are due last"));
        let told: Vec<_> = told
            .map(|(number, _)| format!("LIMIT {number}\n"))
            .collect();
        assert!(
            matches!(&*told, [limit] if reasons.iter().all(|sql| sql.contains(limit))),
            "{told:?}"
        );
    }
}
