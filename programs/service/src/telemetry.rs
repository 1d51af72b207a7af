//! The log lines and metrics of a running service, for its operator. Neither holds a key, an address, a subject or a body.

mod log;
mod sample;

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use franking::{Day, Operation};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

use crate::decide::Outcome;
use crate::outcomes::Taken;
use crate::store::{AccountId, CallId, Settled};
pub use log::{flush, log};
pub use sample::sample;

/// The upper bounds of the buckets for times, in seconds.
const SECONDS: &[f64] = &[0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

/// The upper bounds of the buckets for sizes of groups.
const GROUPS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// The metrics of this process.
#[derive(Clone)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// Installs the metrics of the process.
    ///
    /// # Errors
    /// The process has metrics already.
    pub fn install() -> Result<Self, BuildError> {
        let handle = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Full("franking_call_seconds".into()), SECONDS)?
            .set_buckets_for_metric(Matcher::Full("franking_send_seconds".into()), SECONDS)?
            .set_buckets_for_metric(Matcher::Full("franking_commit_seconds".into()), SECONDS)?
            .set_buckets_for_metric(Matcher::Full("franking_commit_group".into()), GROUPS)?
            .install_recorder()?;
        describe_histogram!(
            "franking_commit_seconds",
            "The time from a plan to the answer that it is durable, including waiting"
        );
        describe_histogram!(
            "franking_commit_group",
            "The number of calls that one COMMIT carries out, and on SQLite of all other writes"
        );
        describe_counter!(
            "franking_calls_total",
            "Calls, by outcome: the interface's code, or why there was none"
        );
        describe_counter!("franking_emails_total", "Emails of accepted calls");
        describe_counter!(
            "franking_untracked_calls_total",
            "Accepted calls that ask for opens or clicks although tracking_url is not set"
        );
        describe_histogram!(
            "franking_call_seconds",
            "The time from a call's head to its outcome"
        );
        describe_counter!(
            "franking_turned_away_total",
            "Requests and connections refused before anything was decided, by reason"
        );
        describe_counter!(
            "franking_sends_total",
            "Attempts to send an email, by outcome"
        );
        describe_counter!(
            "franking_deliveries_total",
            "Deliveries that ended: delivered or bounced"
        );
        describe_counter!(
            "franking_reports_total",
            "Messages to the address for reports, by kind, and whether the email was found"
        );
        describe_counter!(
            "franking_transcripts_lost_total",
            "Calls of which nothing was kept, because there were too many at once, the account had used its share of the day, or the database failed"
        );
        describe_counter!(
            "franking_webhook_posts_total",
            "Events that were posted to webhooks, by outcome"
        );
        describe_counter!(
            "franking_leases_lost_total",
            "Deliveries whose outcome was not recorded, because another process had taken over their lease, or because they were cancelled"
        );
        describe_histogram!(
            "franking_send_seconds",
            "The time of an attempt to send an email"
        );
        describe_counter!(
            "franking_log_lines_lost_total",
            "Log lines that were lost, because they could not be written, or not fast enough"
        );
        describe_gauge!("franking_sending", "Emails that are being sent");
        describe_gauge!("franking_connections", "Open connections");
        describe_gauge!("franking_calls_deciding", "Calls that are being decided");
        begin_at_zero();
        Ok(Self(handle))
    }

    /// The metrics in the format that Prometheus reads.
    #[must_use]
    pub fn render(&self) -> String {
        self.0.render()
    }

    /// Adds the measurements since the last time to the buckets.
    pub fn count_together(&self) {
        self.0.run_upkeep();
    }

    /// Adds measurements to the buckets every five seconds. Otherwise their memory would grow until somebody reads the
    /// metrics. It does not return.
    pub async fn keep_up(self) {
        // clock: how much is measured between two rounds
        let mut rounds = tokio::time::interval(Duration::from_secs(5));
        loop {
            rounds.tick().await;
            self.count_together();
        }
    }
}

/// Sets the counters that alerts use to 0. Prometheus sees no increase in a counter that appears with the value 1.
fn begin_at_zero() {
    for operation in Operation::ALL {
        for outcome in ["undone", "unknown"] {
            let name = operation.name();
            counter!("franking_calls_total", "operation" => name, "outcome" => outcome)
                .increment(0);
        }
    }
    for state in ["delivered", "bounced"] {
        counter!("franking_deliveries_total", "state" => state).increment(0);
    }
    counter!("franking_turned_away_total", "reason" => "connections").increment(0);
    counter!("franking_log_lines_lost_total").increment(0);
    counter!("franking_transcripts_lost_total").increment(0);
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Metrics")
    }
}

/// Counts an event that was posted to a webhook, by whether it was taken.
pub(crate) fn posted(is_taken: bool) {
    let outcome = if is_taken { "taken" } else { "failed" };
    counter!("franking_webhook_posts_total", "outcome" => outcome).increment(1);
}

/// Counts a call, and writes its line of the log.
pub(crate) fn ended(
    operation: Operation,
    outcome: &Outcome,
    time: Duration,
    peer: IpAddr,
    request: &str,
) {
    let name = operation.name();
    histogram!("franking_call_seconds", "operation" => name).record(time.as_secs_f64());
    let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let came: Cow<'static, str> = match outcome {
        Outcome::Decided(decided) => decided.code.to_string().into(),
        Outcome::Replayed(_) => "replayed".into(),
        Outcome::OtherCall => "other-call".into(),
        Outcome::KeyHeld => "key-held".into(),
        Outcome::KeyMalformed => "key-malformed".into(),
        Outcome::TooManyCalls(_) => "rate".into(),
        Outcome::TooManyRecipients => "recipients".into(),
        Outcome::Undone(_) => "undone".into(),
        Outcome::Unknown(_) => "unknown".into(),
    };
    counter!("franking_calls_total", "operation" => name, "outcome" => came.clone()).increment(1);
    let (operation, outcome_name) = (name, &*came);
    match outcome {
        Outcome::Decided(decided) => {
            counter!("franking_emails_total", "operation" => name).increment(decided.emails);
            let account = decided.account.map(AccountId::number);
            let call = decided.call.map(CallId::number);
            let (code, rule) = (decided.code, decided.rule);
            tracing::info!(operation, code, rule, account, call, milliseconds, %peer, request, "decided");
        }
        Outcome::Undone(trouble) | Outcome::Unknown(trouble) => {
            tracing::error!(operation, outcome = outcome_name, %trouble, milliseconds, %peer, request, "not decided");
        }
        Outcome::Replayed(_)
        | Outcome::OtherCall
        | Outcome::KeyHeld
        | Outcome::KeyMalformed
        | Outcome::TooManyCalls(_)
        | Outcome::TooManyRecipients => {
            tracing::info!(operation, outcome = outcome_name, milliseconds, %peer, request, "answered without a decision");
        }
    }
}

/// Records the time of a plan that was carried out, or came to a conflict.
pub(crate) fn carried_out(time: Duration) {
    histogram!("franking_commit_seconds").record(time.as_secs_f64());
}

/// Records the size of the group that one COMMIT has carried out.
pub(crate) fn committed(group: usize) {
    histogram!("franking_commit_group").record(group as f64);
}

/// Counts calls of which nothing could be kept.
pub(crate) fn transcripts_lost(calls: usize) {
    counter!("franking_transcripts_lost_total").increment(calls as u64);
}

/// Counts and logs an accepted call that asks for opens or clicks although nothing is tracked.
pub(crate) fn untracked(account: AccountId) {
    counter!("franking_untracked_calls_total").increment(1);
    let account = account.number();
    tracing::warn!(
        account,
        "a call asks for opens or clicks, but tracking_url is not set: its emails are not tracked"
    );
}

/// Counts a request or a connection that was refused before a call was read.
pub(crate) fn turned_away(reason: &'static str) {
    counter!("franking_turned_away_total", "reason" => reason).increment(1);
    tracing::debug!(reason, "a request or connection was turned away");
}

/// Counts an open connection until it is dropped.
pub(crate) fn connection() -> impl Drop {
    Present::new("franking_connections")
}

/// Counts a call that is being decided until it is dropped.
pub(crate) fn deciding() -> impl Drop {
    Present::new("franking_calls_deciding")
}

/// Counts an email that is being sent until it is dropped.
pub(crate) fn sending() -> impl Drop + Send {
    Present::new("franking_sending")
}

/// Records the outcome and the time of an attempt to send an email.
pub(crate) fn sent(outcome: &'static str, time: Duration) {
    counter!("franking_sends_total", "outcome" => outcome).increment(1);
    histogram!("franking_send_seconds").record(time.as_secs_f64());
}

/// Counts the deliveries that were settled. `lost` is how many were not, because their leases were lost.
pub(crate) fn settled(settled: &[&Settled], lost: usize) {
    for settled in settled {
        let (delivery, state) = (settled.lease.delivery, settled.end.state());
        if state != "queued" {
            counter!("franking_deliveries_total", "state" => state).increment(1);
        }
        tracing::debug!(delivery, state, "settled");
    }
    if lost > 0 {
        counter!("franking_leases_lost_total").increment(lost as u64);
        tracing::warn!(
            lost,
            "outcomes of deliveries were not recorded: other processes have taken over their leases, or the operator has cancelled them"
        );
    }
}

/// Counts and logs a message to the address for reports.
pub(crate) fn reported(taken: &Taken) {
    let (kind, found) = match taken {
        Taken::Report(kind, report) => (kind.name(), report.delivery.is_some()),
        Taken::Forged => ("forged", false),
        Taken::Nothing => ("nothing", false),
    };
    let found = if found { "yes" } else { "no" };
    counter!("franking_reports_total", "kind" => kind, "found" => found).increment(1);
    tracing::info!(kind, found, "a report was taken in");
}

/// Adds one to a gauge until it is dropped.
struct Present(&'static str);

impl Present {
    fn new(gauge: &'static str) -> Self {
        gauge!(gauge).increment(1.0);
        Self(gauge)
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        gauge!(self.0).decrement(1.0);
    }
}

/// The day of a moment, in UTC. `None` if the clock is beyond the calendar.
pub(crate) fn day_of(moment: SystemTime) -> Option<Day> {
    let moment = jiff::Timestamp::try_from(moment).ok()?;
    let date = jiff::tz::Offset::UTC.to_datetime(moment).date();
    let year = u16::try_from(date.year()).ok()?;
    let [month, day] = [date.month(), date.day()].map(u8::try_from);
    Day::new(year, month.ok()?, day.ok()?)
}
