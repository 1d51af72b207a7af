//! Emails of accepted calls: where they are.

use clap::{Args, Subcommand, value_parser};

use super::listing::Shown;
use super::queue::call;
use super::{Failure, Of};
use crate::store::{Address, CallId, Deliveries, ListedDelivery, OperatorError, Store};

/// What is shown of a delivery.
const COLUMNS: &[&str] = &[
    "delivery",
    "call",
    "accepted",
    "from",
    "recipient",
    "mailer",
    "custom_field",
    "state",
    "attempts",
    "next_attempt",
    "ended",
    "reason",
];

#[derive(Subcommand)]
pub(super) enum Delivery {
    /// List an account's emails: those of a call, to a recipient, or that wait
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        which: Which,
        /// Only those before this one
        #[arg(long, value_name = "DELIVERY", conflicts_with = "queued")]
        before: Option<i64>,
        /// How many at most
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
    /// Show an email, and then what became of it: time, event, status, reason
    Show {
        /// Its number
        delivery: i64,
        #[command(flatten)]
        shown: Shown,
    },
}

/// Which emails.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(super) struct Which {
    /// Those of a call, by its transactionId, the last first
    #[arg(long, value_name = "ID", value_parser = call)]
    call: Option<CallId>,
    /// Those to an address, the last first
    #[arg(long, value_name = "ADDRESS")]
    recipient: Option<String>,
    /// Those that wait, the one that is due first before the others
    #[arg(long)]
    queued: bool,
}

impl Delivery {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::List {
                of,
                which,
                before,
                limit,
                shown,
            } => {
                let which = match (which.call, which.recipient) {
                    (Some(call), _) => Deliveries::OfCall(of.id(), call, before),
                    (None, Some(text)) => {
                        Deliveries::OfRecipient(of.id(), Address::parse(&text)?, before)
                    }
                    (None, None) => Deliveries::Queued(of.id()),
                };
                let mut list = shown.list(COLUMNS);
                for row in store.deliveries(which, limit).await? {
                    list.row(cells(row))?;
                }
                list.end()?;
            }
            Self::Show { delivery, shown } => {
                let found = store.deliveries(Deliveries::One(delivery), 1).await?;
                let found = found.into_iter().next();
                let found = found.ok_or(OperatorError::NotFound("delivery"))?;
                let mut list = shown.list(COLUMNS);
                list.row(cells(found))?;
                list.end()?;
                let mut list = shown.list(&["happened", "event", "status", "reason"]);
                for row in store.became(delivery).await? {
                    list.row(vec![
                        super::time(row.happened).into(),
                        row.kind.into(),
                        row.status.into(),
                        row.reason.into(),
                    ])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}

fn cells(row: ListedDelivery) -> Vec<super::listing::Cell> {
    let is_waiting = row.ended.is_none();
    let state = match row.is_cancelled {
        true => format!("{}, cancelled", row.state),
        false => row.state,
    };
    vec![
        row.id.into(),
        row.call.number().cast_signed().into(),
        super::time(row.created).into(),
        row.from.into(),
        row.recipient.into(),
        row.mailer.into(),
        row.custom_field.into(),
        state.into(),
        row.attempts.into(),
        is_waiting.then(|| super::time(row.due)).into(),
        row.ended.map(super::time).into(),
        row.reason.into(),
    ]
}
