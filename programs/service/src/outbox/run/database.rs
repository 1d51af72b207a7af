//! Settles deliveries in the database, and tracks whether the database works.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::Instant;

use super::{Asked, BREATH, Run};
use crate::outbox::retry::jittered;
use crate::outbox::state::Trouble;
use crate::store::{Lease, Settled, Settlement, StoreError};
use crate::telemetry;

/// How long ended deliveries are gathered, so that they are settled together.
const GATHER: Duration = Duration::from_millis(20);

impl Run {
    /// Publishes whether emails are being sent.
    pub(super) fn show(&self) {
        let trouble = match (self.fault.is_known(), self.failures) {
            (true, _) => Some(Trouble::Transport),
            (false, 0) => None,
            (false, _) => Some(Trouble::Database),
        };
        self.worker.state.set(trouble);
    }

    pub(super) fn unsettle(&mut self, lease: Lease, end: Settlement) {
        if self.unsettled.is_empty() {
            self.settle_at = Instant::now() + GATHER;
        }
        self.unsettled.push(Settled { lease, end });
    }

    /// Settles the deliveries that have ended since the last time: when there are many of them, after a while, or when no
    /// more are to come.
    pub(super) fn begin_settling(&mut self) {
        let now = Instant::now();
        if self.settling.is_some() || self.unsettled.is_empty() || now < self.settle_from {
            return;
        }
        let is_much = self.unsettled.len() >= usize::from(self.limits().batch) / 4;
        let is_all = self.flights.is_empty() || self.deadline.is_some();
        if !is_much && !is_all && now < self.settle_at {
            return;
        }
        let settled = std::mem::take(&mut self.unsettled);
        let answer = self.worker.outbox.settle(settled.clone());
        self.settling = Some(Asked {
            about: settled,
            answer,
        });
    }

    pub(super) fn settled(
        &mut self,
        settled: Vec<Settled>,
        done: Result<HashSet<i64>, StoreError>,
    ) {
        match done {
            Ok(done) => {
                // If the answer to an earlier request was lost, that request may have settled what this one did not find.
                let asked_before = std::mem::take(&mut self.asked_before);
                let is_settled = |settled: &&Settled| {
                    done.contains(&settled.lease.delivery) || asked_before.contains(&settled.lease)
                };
                let ended: Vec<&Settled> = settled.iter().filter(is_settled).collect();
                telemetry::settled(&ended, settled.len().saturating_sub(ended.len()));
                let queued = settled.iter().filter_map(|settled| settled.end.due());
                if let Some(after) = queued.min() {
                    // There is no signal when a delivery is due again.
                    self.claim_at = self.claim_at.min(Instant::now() + after.max(BREATH));
                }
                self.answered();
            }
            Err(error) => {
                if !error.is_undone() {
                    let leases = settled.iter().map(|settled| settled.lease);
                    self.asked_before.extend(leases);
                }
                self.unsettled.extend(settled);
                self.settle_from = Instant::now() + self.failed(&error);
            }
        }
    }

    /// Notes that the database carried out a request.
    pub(super) fn answered(&mut self) {
        if self.failures > 0 {
            self.failures = 0;
            self.show();
        }
    }

    /// Notes that the database failed. Returns the pause before the next request.
    pub(super) fn failed(&mut self, error: &StoreError) -> Duration {
        if self.failures == 0 {
            tracing::error!(%error, "the outbox waits for the database");
        }
        let pause = BREATH.saturating_mul(1 << self.failures.min(6));
        self.failures = self.failures.saturating_add(1);
        self.show();
        jittered(pause)
    }
}
