//! Calls: those that were accepted, and why any was refused.

use clap::{Subcommand, value_parser};

use super::explain::Explain;
use super::listing::Shown;
use super::queue::call;
use super::{Failure, Of};
use crate::settings::Settings;
use crate::store::{CallId, Store};

#[derive(Subcommand)]
pub(super) enum Call {
    /// List an account's calls, the last first
    List {
        #[command(flatten)]
        of: Of,
        /// Only those before this one
        #[arg(long, value_name = "CALL", value_parser = call)]
        before: Option<CallId>,
        /// How many at most
        #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
        limit: u32,
        #[command(flatten)]
        shown: Shown,
    },
    /// Show a call: whose and when it was, what it cost, and how many of its emails wait, were delivered and bounced
    Show {
        /// The call, by its transactionId
        #[arg(value_parser = call)]
        call: CallId,
        #[command(flatten)]
        shown: Shown,
    },
    /// Explain a call: what was asked and answered, the plan, the place of what is wrong, and the result of each rule
    Explain(Explain),
    /// List what a partial batch has left out: the place in the body, the bytes of it, and the rule that was broken
    LeftOut {
        /// The call, by its transactionId
        #[arg(value_parser = call)]
        call: CallId,
        #[command(flatten)]
        shown: Shown,
    },
}

impl Call {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        match self {
            Self::Explain(explain) => explain.run(store, settings).await?,
            Self::List {
                of,
                before,
                limit,
                shown,
            } => {
                let mut list =
                    shown.list(&["call", "accepted", "operation", "emails", "subscribers"]);
                for row in store
                    .list_calls(of.known(store).await?, before, limit)
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
