//! Calls that were accepted.

use clap::Subcommand;

use super::Failure;
use super::queue::call;
use crate::store::{CallId, Store};

#[derive(Subcommand)]
pub(super) enum Call {
    /// List what a partial batch has left out: the place in the body, the bytes of it, and the rule that was broken
    LeftOut {
        /// The call, by its transactionId
        #[arg(value_parser = call)]
        call: CallId,
    },
}

impl Call {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::LeftOut { call } => {
                for row in store.left_out(call).await? {
                    let pointer = row.pointer.unwrap_or_default();
                    let span = row.span.map(|span| format!("{}..{}", span.start, span.end));
                    say!("{pointer}\t{}\t{}", span.unwrap_or_default(), row.rule);
                }
            }
        }
        Ok(())
    }
}
