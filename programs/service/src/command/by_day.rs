//! Counts by day.

use clap::{Args, value_parser};

use super::Failure;
use super::listing::Shown;
use crate::store::{AccountId, DayCount};

#[derive(Args)]
pub(super) struct ByDay {
    /// Only counts of this account
    #[arg(long)]
    account: Option<i64>,
    /// The number of days before today that are counted as well
    #[arg(long, default_value_t = 30, value_parser = value_parser!(u16).range(0..=366))]
    pub(super) days: u16,
    #[command(flatten)]
    shown: Shown,
}

impl ByDay {
    pub(super) fn account(&self) -> Option<AccountId> {
        self.account.map(AccountId::from_number)
    }

    pub(super) fn print(
        &self,
        columns: &'static [&'static str],
        counted: Vec<DayCount>,
    ) -> Result<(), Failure> {
        let mut list = self.shown.list(columns);
        for row in counted {
            list.row(vec![
                date(row.day).into(),
                row.kind.into(),
                row.number.into(),
            ])?;
        }
        Ok(list.end()?)
    }
}

/// A day as it is listed, such as 2026-01-31.
fn date(day: i64) -> String {
    let seconds = day.saturating_mul(crate::store::DAY);
    let time = jiff::Timestamp::from_second(seconds);
    time.map_or_else(|_| day.to_string(), |time| time.strftime("%F").to_string())
}
