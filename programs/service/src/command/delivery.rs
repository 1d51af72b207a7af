//! Emails of accepted calls: where they are.

use clap::{Args, Subcommand, value_parser};
use jiff::Timestamp;

use super::by_day::ByDay;
use super::confirm::Confirm;
use super::listing::{Shown, print_note};
use super::queue::call;
use super::{Failure, Of};
use crate::store::{
    Address, CallId, Deliveries, DeliveryFilter, Domain, LOOKED_THROUGH, ListedDelivery,
    OperatorError, SearchEnd, Store,
};

/// The columns of a delivery.
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
    /// List an account's emails, the latest first. The options select some of them
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        which: Which,
        /// Only emails before this one
        #[arg(long, value_name = "DELIVERY", conflicts_with = "queued")]
        before: Option<i64>,
        /// The maximum number of entries
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
    /// Count what became of emails by the day on which it happened. Days are in UTC
    Count(ByDay),
    /// Send an email that was delivered or has bounced once more to its reader
    Resend {
        /// Its number
        delivery: i64,
        #[command(flatten)]
        confirm: Confirm,
    },
    /// Show an email, and then each attempt and event: the time, the status, and what the mail server said
    Show {
        /// Its number
        delivery: i64,
        #[command(flatten)]
        shown: Shown,
    },
}

/// Which emails.
#[derive(Args)]
pub(super) struct Which {
    #[command(flatten)]
    these: These,
    /// Only emails in this state
    #[arg(long, value_parser = ["queued", "delivered", "bounced"], conflicts_with = "these")]
    state: Option<String>,
    /// Only emails to subscribers of this domain
    #[arg(long, value_parser = domain, conflicts_with = "these")]
    domain: Option<Domain>,
    /// Only emails with this customField
    #[arg(long, value_name = "TEXT", conflicts_with = "these")]
    custom_field: Option<String>,
    /// Only emails of calls from this time on, such as 2026-01-31T10:32:00Z
    #[arg(long, value_name = "TIME", conflicts_with = "these")]
    since: Option<Timestamp>,
    /// Only emails of calls before this time
    #[arg(long, value_name = "TIME", conflicts_with = "these")]
    until: Option<Timestamp>,
}

/// Emails that an index finds.
#[derive(Args)]
#[group(id = "these", multiple = false)]
struct These {
    /// Emails of this call, by its transactionId, the last first
    #[arg(long, value_name = "ID", value_parser = call)]
    call: Option<CallId>,
    /// Emails to this address, the last first
    #[arg(long, value_name = "ADDRESS")]
    recipient: Option<String>,
    /// Emails that wait to be sent, in the order in which they are due
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
                let account = of.known(store).await?;
                let These {
                    call,
                    recipient,
                    queued,
                } = which.these;
                let indexed = match (call, recipient) {
                    (Some(call), _) => Some(Deliveries::OfCall(account, call, before)),
                    (None, Some(text)) => {
                        let address = Address::parse(&text)?;
                        Some(Deliveries::OfRecipient(account, address, before))
                    }
                    (None, None) => queued.then_some(Deliveries::Queued(account)),
                };
                let (found, end) = match indexed {
                    Some(indexed) => (store.deliveries(indexed, limit).await?, None),
                    None => {
                        let filter = DeliveryFilter {
                            state: which.state,
                            domain: which.domain,
                            custom_field: which.custom_field,
                            since: which.since.map(Timestamp::as_second),
                            until: which.until.map(Timestamp::as_second),
                            before,
                        };
                        store.search(account, filter, limit).await?
                    }
                };
                let mut list = shown.list(COLUMNS);
                for row in found {
                    list.row(cells(row))?;
                }
                list.end()?;
                if let Some(end) = end {
                    say_end(end)?;
                }
            }
            Self::Count(by_day) => {
                let counted = store.outcomes_by_day(by_day.account(), by_day.days);
                by_day.print(&["day", "outcome", "events"], counted.await?)?;
            }
            Self::Resend { delivery, confirm } => {
                let what = format!("this sends email {delivery} once more to its reader");
                if confirm.asks(&what)? {
                    store.resend(delivery).await?;
                }
            }
            Self::Show { delivery, shown } => {
                let found = store.deliveries(Deliveries::One(delivery), 1).await?;
                let found = found.into_iter().next();
                let found = found.ok_or(OperatorError::NotFound("delivery"))?;
                shown.record(COLUMNS, cells(found))?;
                shown.gap()?;
                let mut list = shown.list(&["happened", "event", "status", "reason"]);
                for row in store.became(vec![delivery]).await? {
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

/// Says where a search has ended. On standard error it does not come between the rows of the list.
fn say_end(end: SearchEnd) -> Result<(), Failure> {
    let text = match end {
        SearchEnd::Until(time) => {
            let time = super::time(time);
            format!(
                "At least {LOOKED_THROUGH} emails were searched, back to {time}. To search the earlier ones, add --until {time}"
            )
        }
        SearchEnd::Before(delivery) => format!(
            "{LOOKED_THROUGH} bounced emails were searched, back to email {delivery}. To search the earlier ones, add --before {delivery}"
        ),
    };
    Ok(print_note(text)?)
}

fn domain(text: &str) -> Result<Domain, String> {
    Domain::parse(text).map_err(|error| error.to_string())
}

fn cells(row: ListedDelivery) -> Vec<super::listing::Cell> {
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
        row.due.map(super::time).into(),
        row.ended.map(super::time).into(),
        row.reason.into(),
    ]
}
