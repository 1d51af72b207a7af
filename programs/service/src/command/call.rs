//! Calls that were accepted, and why others were refused.

use clap::{Subcommand, value_parser};
use jiff::Timestamp;

use super::by_day::ByDay;
use super::call_export::ExportCalls;
use super::explain::Explain;
use super::listing::Shown;
use super::queue::call;
use super::trial::Try;
use super::{Failure, Of};
use crate::settings::Settings;
use crate::store::{CallFilter, CallId, Deliveries, ShownCall, Store};

#[derive(Subcommand)]
pub(super) enum Call {
    /// List an account's calls, the last first
    List {
        #[command(flatten)]
        of: Of,
        /// Only calls before this one
        #[arg(long, value_name = "CALL", value_parser = call)]
        before: Option<CallId>,
        /// Only calls from this time on, such as 2026-01-31T10:32:00Z
        #[arg(long, value_name = "TIME")]
        since: Option<Timestamp>,
        /// Only calls before this time
        #[arg(long, value_name = "TIME")]
        until: Option<Timestamp>,
        /// The maximum number of entries
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
    /// Show a call: its account, its time, its cost, and how many of its emails wait, were delivered and bounced; then what
    /// became of each of its last emails, in the order of time
    Show {
        /// The call, by its transactionId
        #[arg(value_parser = call)]
        call: CallId,
        #[command(flatten)]
        shown: Shown,
    },
    /// Count calls by day and code. Days are in UTC
    Count(ByDay),
    /// Explain a call: the questions and answers, the plan, the place of what is wrong, and the result of each rule
    Explain(Explain),
    /// Write the transcripts of calls as JSON lines. `franking-bulk redecide` decides them again with another policy or
    /// blacklist
    Export(ExportCalls),
    /// Say what would happen to a call: everything that is wrong with it, and, for an account, also the plan. The call is not
    /// carried out
    ///
    /// The body of the call is read from standard input.
    Try(Try),
    /// List what a partial batch has left out: each place in the body, its bytes, and the rule that was broken
    LeftOut {
        /// The call, by its transactionId
        #[arg(value_parser = call)]
        call: CallId,
        #[command(flatten)]
        shown: Shown,
    },
}

/// The number of emails whose events are shown.
const EMAILS: u32 = 20;

/// Lists what became of the last emails of a call, in the order of time.
async fn became(store: &dyn Store, call: &ShownCall, shown: &Shown) -> Result<(), Failure> {
    let emails = Deliveries::OfCall(call.account, call.call.id, None);
    let emails = store.deliveries(emails, EMAILS).await?;
    let emails = emails.into_iter().map(|email| email.id).collect();
    let mut list = shown.list(&["happened", "delivery", "event", "status", "reason"]);
    for became in store.became(emails).await? {
        list.row(vec![
            super::time(became.happened).into(),
            became.delivery.into(),
            became.kind.into(),
            became.status.into(),
            became.reason.into(),
        ])?;
    }
    Ok(list.end()?)
}

impl Call {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        match self {
            Self::Explain(explain) => explain.run(store, settings).await?,
            Self::Export(export) => export.run(store, settings).await?,
            Self::Try(trial) => trial.run(store, settings).await?,
            Self::Count(by_day) => {
                let counted = store.calls_by_day(by_day.account(), by_day.days).await?;
                by_day.print(&["day", "code", "calls"], counted)?;
            }
            Self::List {
                of,
                before,
                since,
                until,
                limit,
                shown,
            } => {
                let filter = CallFilter {
                    before,
                    since: since.map(Timestamp::as_second),
                    until: until.map(Timestamp::as_second),
                };
                let mut list =
                    shown.list(&["call", "accepted", "operation", "emails", "subscribers"]);
                for row in store
                    .list_calls(of.known(store).await?, filter, limit)
                    .await?
                {
                    list.row(vec![
                        row.id.number().cast_signed().into(),
                        super::time(row.created).into(),
                        row.operation.name().into(),
                        row.emails.into(),
                        row.subscribers.into(),
                    ])?;
                }
                list.end()?;
            }
            Self::Show { call, shown } => {
                let found = store.show_call(call).await?;
                let [waiting, delivered, bounced] = found.states;
                shown.record(
                    &[
                        "call",
                        "account",
                        "accepted",
                        "operation",
                        "emails",
                        "subscribers",
                        "waiting",
                        "delivered",
                        "bounced",
                        "left_out",
                    ],
                    vec![
                        found.call.id.number().cast_signed().into(),
                        found.account.number().into(),
                        super::time(found.call.created).into(),
                        found.call.operation.name().into(),
                        found.call.emails.into(),
                        found.call.subscribers.into(),
                        waiting.into(),
                        delivered.into(),
                        bounced.into(),
                        found.left_out.into(),
                    ],
                )?;
                shown.gap()?;
                became(store, &found, &shown).await?;
            }
            Self::LeftOut { call, shown } => {
                let mut list = shown.list(&["pointer", "bytes", "rule"]);
                for row in store.left_out(call).await? {
                    let span = row.span.map(|span| format!("{}..{}", span.start, span.end));
                    list.row(vec![row.pointer.into(), span.into(), row.rule.into()])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}
