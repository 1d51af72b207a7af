//! Gauges that are measured at intervals: the emails that wait, whether sending is paused, and the sizes of the database and
//! the disk.

use std::collections::HashSet;
use std::future::pending;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
// clock: between two rounds.
use std::time::Duration;

use metrics::{describe_gauge, gauge};
use tokio::time::{MissedTickBehavior, interval};

use crate::outbox::{SendingState, Trouble};
use crate::store::{AccountId, Measure, OperatorError, Queue, Store};

/// The time between two measurements.
const ROUND: Duration = Duration::from_secs(15);
/// How many accounts have a gauge of their own.
const ACCOUNTS: usize = 10;

/// Measures the database, and the disk of a folder, until it is dropped.
pub async fn sample(store: Arc<dyn Store>, folder: PathBuf, sending: SendingState) {
    describe();
    let measure = || {
        let store = Arc::clone(&store);
        // This counts all emails that wait.
        async move { tokio::try_join!(store.queue(u32::MAX), store.measure()) }
    };
    let mut shown = HashSet::new();
    let of_database = |measured: Option<Result<(Queue, Measure), OperatorError>>| match measured {
        Some(Ok((queue, measure))) => {
            waiting(queue, &mut shown);
            show(&measure);
            gauge!("franking_measured").set(1.0);
        }
        // The gauges of the database keep their old values, and this one says so.
        Some(Err(error)) => {
            gauge!("franking_measured").set(0.0);
            tracing::warn!(%error, "the database could not be measured");
        }
        None => gauge!("franking_measured").set(0.0),
    };
    rounds(|| of_process(&folder, &sending), measure, of_database).await;
}

/// Calls `own` in each round, and begins a measurement of the database unless one is still going on. `of_database` gets each
/// result, and `None` in each round in which the measurement has not ended: operators' reads may go first, and the database may
/// hang. It never returns.
async fn rounds<M: Future>(
    own: impl Fn(),
    measure: impl Fn() -> M,
    mut of_database: impl FnMut(Option<M::Output>),
) {
    let mut ticks = interval(ROUND);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut measuring: Option<Pin<Box<M>>> = None;
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                own();
                match measuring {
                    Some(_) => of_database(None),
                    None => measuring = Some(Box::pin(measure())),
                }
            }
            measured = ended(&mut measuring) => {
                measuring = None;
                of_database(Some(measured));
            }
        }
    }
}

/// The result of a measurement that goes on. Without one, this never returns.
async fn ended<M: Future>(measuring: &mut Option<Pin<Box<M>>>) -> M::Output {
    match measuring {
        Some(measuring) => measuring.await,
        None => pending().await,
    }
}

/// Shows what does not depend on the database's answers.
fn of_process(folder: &Path, sending: &SendingState) {
    let trouble = sending.trouble();
    for (reason, of) in [
        ("transport", Trouble::Transport),
        ("database", Trouble::Database),
    ] {
        paused(reason, trouble == Some(of));
    }
    // The log grows while somebody reads an older state of the database.
    if let Ok(log) = std::fs::metadata(folder.join(crate::store::sqlite::LOG)) {
        gauge!("franking_database_log_bytes").set(log.len() as f64);
    }
    if let Ok(disk) = rustix::fs::statvfs(folder) {
        let (free, all) = (disk.f_bavail, disk.f_blocks);
        gauge!("franking_disk_free_bytes").set(bytes(free, disk.f_frsize));
        gauge!("franking_disk_bytes").set(bytes(all, disk.f_frsize));
    }
}

fn describe() {
    describe_gauge!(
        "franking_measured",
        "1 if the last measurement of the database succeeded; 0 if it failed or takes long, so that the values of the database are old"
    );
    describe_gauge!("franking_emails_waiting", "Emails that wait to be sent");
    describe_gauge!(
        "franking_emails_due",
        "Emails that are due and that no process has claimed"
    );
    describe_gauge!(
        "franking_oldest_due_seconds",
        "How long the oldest of the due emails has been due"
    );
    describe_gauge!(
        "franking_account_emails_waiting",
        "Emails that wait to be sent, for the ten accounts with the most"
    );
    describe_gauge!(
        "franking_sending_paused",
        "1 if sending is paused, by reason: the operator, the transport, the database"
    );
    describe_gauge!(
        "franking_accounts_paused",
        "Accounts whose emails the operator has paused"
    );
    describe_gauge!(
        "franking_events_to_retry",
        "Events that webhooks have refused and that are tried again"
    );
    describe_gauge!(
        "franking_events_unnumbered",
        "Events that have no number yet, so that nobody can read them"
    );
    describe_gauge!("franking_webhooks_disabled", "Webhooks that are disabled");
    describe_gauge!("franking_database_bytes", "The size of the database");
    describe_gauge!(
        "franking_database_log_bytes",
        "The size of SQLite's log, which grows while a transaction stays open"
    );
    describe_gauge!(
        "franking_database_oldest_transaction_seconds",
        "How long the oldest transaction of another client has been open, on PostgreSQL"
    );
    describe_gauge!(
        "franking_database_connections",
        "Connections to PostgreSQL, by state: used, idle, and most, the maximum"
    );
    describe_gauge!(
        "franking_disk_free_bytes",
        "The free space on the disk of the data folder"
    );
    describe_gauge!(
        "franking_disk_bytes",
        "The size of the disk of the data folder"
    );
}

fn waiting(queue: Queue, shown: &mut HashSet<AccountId>) {
    let oldest = queue.oldest().unwrap_or_default();
    gauge!("franking_emails_waiting").set(queue.emails() as f64);
    gauge!("franking_emails_due").set(queue.due_and_going() as f64);
    gauge!("franking_oldest_due_seconds").set(oldest.as_secs() as f64);
    // A gauge keeps its value until it is set again, so accounts that are not among the largest any more are set to 0.
    for account in shown.drain() {
        waiting_of(account, 0);
    }
    for waiting in queue.largest(ACCOUNTS) {
        waiting_of(waiting.account, waiting.emails());
        shown.insert(waiting.account);
    }
}

fn waiting_of(account: AccountId, emails: u64) {
    let account = account.to_string();
    gauge!("franking_account_emails_waiting", "account" => account).set(emails as f64);
}

fn show(measure: &Measure) {
    paused("operator", measure.is_paused);
    gauge!("franking_accounts_paused").set(measure.paused_accounts.len() as f64);
    gauge!("franking_events_to_retry").set(measure.events_to_retry as f64);
    gauge!("franking_events_unnumbered").set(measure.events_unnumbered as f64);
    gauge!("franking_webhooks_disabled").set(measure.disabled_webhooks as f64);
    gauge!("franking_database_bytes").set(measure.bytes as f64);
    if let Some(seconds) = measure.oldest_transaction {
        gauge!("franking_database_oldest_transaction_seconds").set(seconds as f64);
    }
    if let Some(pool) = measure.pool {
        let used = pool.open.saturating_sub(pool.idle);
        for (state, connections) in [("used", used), ("idle", pool.idle), ("most", pool.most)] {
            gauge!("franking_database_connections", "state" => state).set(connections as f64);
        }
    }
}

fn paused(reason: &'static str, is_paused: bool) {
    let paused = if is_paused { 1.0 } else { 0.0 };
    gauge!("franking_sending_paused", "reason" => reason).set(paused);
}

fn bytes(blocks: u64, size: u64) -> f64 {
    blocks as f64 * size as f64
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::time::timeout;

    use super::*;

    /// How often the process was looked at, the database was measured, and a measurement was late, in four rounds.
    async fn counted<M: Future>(measure: impl Fn() -> M) -> (u32, u32, u32) {
        let [own, begun, late] = [const { Cell::new(0_u32) }; 3];
        let add = |count: &Cell<u32>| count.set(count.get() + 1);
        let rounds = rounds(
            || add(&own),
            || {
                add(&begun);
                measure()
            },
            |measured| {
                if measured.is_none() {
                    add(&late);
                }
            },
        );
        // clock: the one of the runtime, which tests wind on
        assert!(timeout(ROUND * 7 / 2, rounds).await.is_err());
        (own.get(), begun.get(), late.get())
    }

    #[tokio::test(start_paused = true)]
    async fn a_database_that_hangs_holds_up_nothing_that_the_process_knows_itself() {
        assert_eq!(counted(pending::<()>).await, (4, 1, 3));
    }

    #[tokio::test(start_paused = true)]
    async fn each_round_measures_a_database_that_answers() {
        assert_eq!(counted(|| std::future::ready(())).await, (4, 4, 0));
    }
}
