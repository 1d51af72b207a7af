//! Emails on their way out.

use clap::{Args, Subcommand};

use super::Failure;
use super::confirm::Confirm;
use crate::store::{AccountId, CallId, Store, Which};

#[derive(Subcommand)]
pub(super) enum Queue {
    /// Count the deliveries that wait, and say what is paused
    Show,
    /// Send nothing more, of an account or altogether; what is being sent is finished
    Pause {
        /// The account's number; all accounts if left out
        account: Option<i64>,
    },
    /// Send again
    Resume {
        /// The account's number; what was paused for all accounts if left out
        account: Option<i64>,
    },
    /// Try again at once what waits for its next attempt, and print how many deliveries that are
    Retry {
        #[command(flatten)]
        of: Of,
    },
    /// End what waits as bounced, with the reason "cancelled", and print how many deliveries that are
    Cancel {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        confirm: Confirm,
    },
}

/// Which deliveries.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(super) struct Of {
    /// Those of an account
    #[arg(long, value_name = "NUMBER")]
    account: Option<i64>,
    /// Those of a call, by its transactionId
    #[arg(long, value_name = "ID", value_parser = call)]
    call: Option<CallId>,
    /// All of them
    #[arg(long)]
    all: bool,
}

pub(super) fn call(text: &str) -> Result<CallId, String> {
    let id = text.parse().ok().and_then(CallId::from_number);
    id.ok_or_else(|| format!("expected 1 to {}", franking::MAX_TRANSACTION_ID))
}

impl Of {
    fn which(&self) -> Which {
        match (self.account, self.call) {
            (Some(account), _) => Which::Account(AccountId::from_number(account)),
            (None, Some(call)) => Which::Call(call),
            (None, None) => Which::All,
        }
    }
}

impl Queue {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        let account = |number: Option<i64>| number.map(AccountId::from_number);
        match self {
            Self::Show => show(store).await?,
            Self::Pause { account: of } => store.set_paused(account(of), true).await?,
            Self::Resume { account: of } => store.set_paused(account(of), false).await?,
            Self::Retry { of } => say!("{}", store.retry(of.which()).await?),
            Self::Cancel { of, confirm } => {
                let what = match of.which() {
                    Which::All => {
                        let queue = store.queue().await?;
                        let claimed = queue.claimed.unwrap_or(0);
                        let waiting = queue.due.saturating_add(queue.later);
                        let waiting = waiting.saturating_add(claimed);
                        format!("this ends {waiting} deliveries of all accounts")
                    }
                    Which::Account(account) => {
                        format!("this ends all that waits of account {account}")
                    }
                    Which::Call(call) => {
                        format!("this ends all that waits of call {}", call.number())
                    }
                };
                if confirm.asks(&what)? {
                    say!("{}", store.cancel(of.which()).await?);
                }
            }
        }
        Ok(())
    }
}

async fn show(store: &dyn Store) -> Result<(), Failure> {
    let queue = store.queue().await?;
    say!("due\t{}", queue.due);
    say!("later\t{}", queue.later);
    if let Some(claimed) = queue.claimed {
        say!("claimed\t{claimed}");
    }
    if let Some(next) = queue.next.map(|next| next.as_secs()) {
        say!("next\tin {next} seconds");
    }
    if queue.paused {
        say!("paused\tall accounts");
    }
    for account in queue.paused_accounts {
        say!("paused\taccount {account}");
    }
    Ok(())
}
