//! Emails on their way out.

use clap::{Args, Subcommand};

use super::Failure;
use super::confirm::{Confirm, counted, goes_on};
use super::listing::{Cell, Shown};
use crate::store::{AccountId, AccountQueue, CallId, Countable, MOST_COUNTED, Store, Which};

#[derive(Subcommand)]
pub(super) enum Queue {
    /// Show how many emails wait, what is paused, which accounts have the most, and what the mail server said
    Show {
        #[command(flatten)]
        shown: Shown,
    },
    /// Stop sending, for one account or for all. Emails that are being sent are finished
    Pause {
        /// The account's number; all accounts if left out
        account: Option<i64>,
    },
    /// Go on sending after a pause
    Resume {
        /// The account's number. If left out, this ends the pause for all accounts
        account: Option<i64>,
    },
    /// Try the emails that wait for their next attempt again at once, and print how many they are
    Retry {
        #[command(flatten)]
        of: Of,
    },
    /// Cancel emails that wait: they end as bounced, with the reason "cancelled". Prints how many they are
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
    /// Emails of this account
    #[arg(long, value_name = "NUMBER")]
    account: Option<i64>,
    /// Emails of this call, by its transactionId
    #[arg(long, value_name = "ID", value_parser = call)]
    call: Option<CallId>,
    /// Emails of all accounts
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
            Self::Show { shown } => show(store, &shown).await?,
            Self::Pause { account: of } => {
                let (whose, waiting) = waits(store, which(of)).await?;
                if goes_on(&format!(
                    "this stops sending for {whose}; waiting: {waiting}"
                ))? {
                    store.set_paused(account(of), true).await?;
                }
            }
            Self::Resume { account: of } => {
                let (whose, waiting) = waits(store, which(of)).await?;
                let what = format!("this resumes sending for {whose}; waiting: {waiting}");
                if goes_on(&what)? {
                    store.set_paused(account(of), false).await?;
                }
            }
            Self::Retry { of } => {
                let (whose, waiting) = waits(store, of.which()).await?;
                let what = format!("this tries to send {waiting} of {whose} at once");
                if goes_on(&what)? {
                    say!("{}", store.retry(of.which()).await?);
                }
            }
            Self::Cancel { of, confirm } => {
                let (whose, waiting) = waits(store, of.which()).await?;
                let what = format!("this cancels {waiting} of {whose}, recorded as bounced");
                if confirm.asks(&what)? {
                    say!("{}", store.cancel(of.which()).await?);
                }
            }
        }
        Ok(())
    }
}

fn which(account: Option<i64>) -> Which {
    account.map_or(Which::All, |account| {
        Which::Account(AccountId::from_number(account))
    })
}

/// Returns whose emails they are, and how many of them wait, in words.
async fn waits(store: &dyn Store, which: Which) -> Result<(String, String), Failure> {
    let whose = match which {
        Which::All => "all accounts".to_owned(),
        Which::Account(account) => {
            store.shown_account(account).await?;
            format!("account {account}")
        }
        Which::Call(call) => {
            store.show_call(call).await?;
            format!("call {}", call.number())
        }
    };
    let waiting = store.counted(Countable::Waiting(which)).await?;
    Ok((whose, counted(waiting, "email")))
}

/// How many reasons are shown.
const REASONS: u32 = 10;
/// How many accounts are shown.
const ACCOUNTS: usize = 10;

async fn show(store: &dyn Store, shown: &Shown) -> Result<(), Failure> {
    let queue = store.queue(MOST_COUNTED).await?;
    let measure = store.measure().await?;
    let mut list = shown.list(&["what", "value"]);
    let is_whole = |waiting: &AccountQueue| waiting.emails() < u64::from(MOST_COUNTED);
    let all_are_whole = queue.accounts.iter().all(is_whole);
    list.row(vec!["due".into(), number(queue.due(), all_are_whole)])?;
    list.row(vec!["later".into(), number(queue.later(), all_are_whole)])?;
    if queue
        .accounts
        .iter()
        .any(|waiting| waiting.claimed.is_some())
    {
        list.row(vec![
            "claimed".into(),
            number(queue.claimed(), all_are_whole),
        ])?;
    }
    let oldest = queue.oldest().map(|oldest| oldest.as_secs());
    if let Some(oldest) = oldest.filter(|oldest| *oldest > 0) {
        let oldest = format!("for {oldest} seconds");
        list.row(vec!["oldest due".into(), oldest.into()])?;
    }
    if let Some(next) = queue.next().map(|next| next.as_secs()) {
        list.row(vec!["next".into(), format!("in {next} seconds").into()])?;
    }
    if measure.is_paused {
        list.row(vec!["paused".into(), "all accounts".into()])?;
    }
    for account in measure.paused_accounts {
        list.row(vec!["paused".into(), format!("account {account}").into()])?;
    }
    for waiting in queue.largest(ACCOUNTS) {
        let emails = counted(waiting.emails().cast_signed(), "email");
        let waits = format!("account {}: {emails}", waiting.account);
        list.row(vec!["waiting".into(), waits.into()])?;
    }
    for (reason, emails) in store.waiting_reasons(REASONS).await? {
        list.row(vec!["because".into(), format!("{emails}: {reason}").into()])?;
    }
    Ok(list.end()?)
}

/// A number, and whether there may be more.
fn number(counted: u64, is_whole: bool) -> Cell {
    match is_whole {
        true => counted.cast_signed().into(),
        false => format!("{counted} or more").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_number_that_stopped_at_its_bound_says_so() {
        assert_eq!(number(7, true).shown(), "7");
        assert_eq!(number(10_000, false).shown(), "10000 or more");
    }
}
