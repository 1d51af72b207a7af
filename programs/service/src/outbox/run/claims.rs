//! Claims batches, and renews their leases.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use super::{Asked, BREATH, Claiming, Held, Renewal, Run, Waiting, length};
use crate::mail::{Delivery, Reason};
use crate::moment::Moment;
use crate::outbox::destinations::domain;
use crate::outbox::fault::Room;
use crate::outbox::gate::Gate;
use crate::store::{AccountId, Ask, Batch, Claimed, Lease, Settlement, StoreError};

/// The number of parts into which the capacity is divided. One part is reserved for accounts that hold little.
const RESERVE: u16 = 8;

impl Run {
    pub(super) fn begin_claiming(&mut self) {
        self.next_claim = None;
        if self.claiming.is_some() || self.deadline.is_some() {
            return;
        }
        let now = Instant::now();
        let (held, most_held) = (self.held(), self.limits().most_held());
        let free = most_held.saturating_sub(u16::try_from(held).unwrap_or(u16::MAX));
        // At least half of the deliveries and half of the bytes have to be free, so that many are claimed together.
        let limit = self.limits().batch_bytes;
        let bytes = limit.saturating_sub(self.bytes_waiting());
        let has_room = free.saturating_mul(2) >= most_held && bytes > limit / 2;
        // A part of the capacity is reserved for accounts that come later.
        let kept = (most_held / RESERVE).max(1);
        let (from, most, is_of_others) = match self.fault.room() {
            Room::Free if has_room => (self.claim_at, free.saturating_sub(kept).max(1), false),
            Room::Free if free > 0 && bytes > 0 => (self.others_at, free.min(kept), true),
            Room::One if held == 0 => (self.claim_at, 1, false),
            Room::None(until) => (until, 0, false),
            // Nothing is claimed until something ends.
            Room::Free | Room::One => return,
        };
        let from = from.max(self.claim_from);
        if most == 0 || now < from {
            self.next_claim = Some(from);
            return;
        }
        let without = match is_of_others {
            true => self.holders(),
            false => Vec::new(),
        };
        self.is_woken = false;
        let ask = Ask {
            most,
            bytes,
            lease: self.limits().lease,
        };
        self.claiming = Some(Asked {
            about: Claiming {
                asked: Moment::now(),
                is_of_others,
            },
            answer: self.worker.outbox.claim_batch(ask, without),
        });
    }

    /// Returns the accounts that hold at least as much of the capacity as is reserved for others.
    fn holders(&self) -> Vec<AccountId> {
        let flights = self.flights.values().map(|(flight, _)| &flight.held);
        let waiting = self.waiting.iter().map(|waiting| &waiting.held);
        let mut counts: HashMap<AccountId, u16> = HashMap::new();
        for held in flights.chain(waiting) {
            let count = counts.entry(held.account).or_default();
            *count = count.saturating_add(1);
        }
        let much = self.limits().most_held() / RESERVE;
        let holders = counts.into_iter().filter(|(_, count)| *count >= much);
        holders.map(|(account, _)| account).collect()
    }

    pub(super) fn claimed(&mut self, claiming: &Claiming, batch: Result<Batch, StoreError>) {
        let now = Instant::now();
        match batch {
            Ok(batch) => {
                self.answered();
                let next = batch.next.unwrap_or(Duration::MAX);
                let next = now + next.min(self.limits().idle).max(BREATH);
                match batch.deliveries.is_empty() {
                    // The work that the signal was about may not be in this batch, so the next batch is claimed at once.
                    _ if self.is_woken => {}
                    true if claiming.is_of_others => self.others_at = next,
                    true => self.claim_at = next,
                    // There may be more work, and soon capacity for it.
                    false => self.others_at = now + BREATH,
                }
                for claimed in batch.deliveries {
                    self.take(claiming.asked, claimed);
                }
            }
            Err(error) => self.claim_from = now + self.failed(&error),
        }
    }

    pub(super) fn take(&mut self, asked: Moment, claimed: Claimed) {
        let limits = self.limits();
        let gate = Gate::new(asked, limits.lease, limits.answer);
        match claimed.delivery {
            Ok(delivery) => {
                let held = Held {
                    account: claimed.account,
                    sender: delivery.from.clone(),
                    lease: claimed.lease,
                    attempts: claimed.attempts,
                    tried: claimed.tried,
                    domain: domain(&delivery),
                    bytes: length(&delivery.html),
                    gate,
                };
                self.queue(held, delivery);
            }
            Err(incomplete) => {
                tracing::error!(delivery = claimed.lease.delivery, %incomplete, "an email cannot be made");
                let reason = Reason::new(&incomplete.to_string());
                self.unsettle(claimed.lease, Settlement::Bounced(reason));
            }
        }
    }

    /// Queues an email one round after the last one of its account, so that no account waits for everything that was claimed
    /// of another.
    fn queue(&mut self, held: Held, delivery: Delivery) {
        let mut own = self
            .waiting
            .iter()
            .rev()
            .filter(|one| one.held.account == held.account);
        let round = own
            .next()
            .map_or(self.round, |last| last.round.saturating_add(1));
        let place = self.waiting.partition_point(|one| one.round <= round);
        let waiting = Waiting {
            round,
            held,
            delivery,
        };
        self.waiting.insert(place, waiting);
    }

    pub(super) fn woken(&mut self) {
        self.is_woken = true;
        self.claim_at = Instant::now();
        self.others_at = self.claim_at;
    }

    /// Renews the leases of everything that is held.
    pub(super) fn begin_renewing(&mut self) {
        let now = Instant::now();
        if self.held() == 0 {
            // The next claim gets a new lease.
            self.renew_at = now + self.renewal();
        }
        if self.renewing.is_some() || now < self.renew_at {
            return;
        }
        let flights = self.flights.values().map(|(flight, _)| flight.held.lease);
        let settling = self.settling.iter().flat_map(|settling| &settling.about);
        let settled = self.unsettled.iter().chain(settling);
        let leases: Vec<Lease> = flights
            .chain(self.waiting.iter().map(|waiting| waiting.held.lease))
            .chain(settled.map(|settled| settled.lease))
            .collect();
        let asked = Moment::now();
        self.renewing = Some(Asked {
            about: Renewal {
                asked,
                leases: leases.iter().copied().collect(),
            },
            answer: self.worker.outbox.renew(leases, self.limits().lease),
        });
        self.renew_at = now + self.renewal();
    }

    /// Returns the time between two renewals. A lease then always holds for as long as an answer may take.
    pub(super) fn renewal(&self) -> Duration {
        let limits = self.limits();
        (limits.lease.saturating_sub(limits.answer) / 3).max(BREATH)
    }

    pub(super) fn renewed(&mut self, renewal: &Renewal, kept: Result<HashSet<i64>, StoreError>) {
        let kept = match kept {
            Ok(kept) => kept,
            Err(error) => {
                self.failed(&error);
                return;
            }
        };
        let lease = self.limits().lease;
        // What was settled and claimed again in the meantime has another lease, and was not asked about.
        let is_lost = |held: &Held| {
            renewal.leases.contains(&held.lease) && !kept.contains(&held.lease.delivery)
        };
        self.waiting.retain(|waiting| !is_lost(&waiting.held));
        let flights = self.flights.values().map(|(flight, _)| &flight.held);
        for held in flights.chain(self.waiting.iter().map(|waiting| &waiting.held)) {
            if is_lost(held) {
                held.gate.lose();
            } else if renewal.leases.contains(&held.lease) {
                held.gate.renew(renewal.asked, lease);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;
    use std::future::pending;
    use std::sync::Arc;

    use crate::mail::{Composer, Email, MailSettings, MayFinish, Sending, Transport};
    use crate::outbox::{Limits, SendingState, Worker};
    use crate::store::Unsendable;
    use crate::store::sqlite::Sqlite;

    struct Nowhere;

    impl Transport for Nowhere {
        fn send(&self, _: Email, _: MayFinish) -> Sending<'_> {
            Box::pin(pending())
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_comes_while_a_batch_is_claimed_is_claimed_next_and_waits_for_no_pause() {
        let folder = tempfile::tempdir().unwrap();
        let worker = Worker::new(
            Arc::new(Sqlite::open(folder.path()).unwrap()),
            Arc::new(Composer::new(&MailSettings::default()).unwrap()),
            Arc::new(Nowhere),
            Limits::default(),
            SendingState::default(),
        );
        let mut run = Run::new(Arc::new(worker));
        let claiming = Claiming {
            asked: Moment::now(),
            is_of_others: false,
        };
        let batch = |delivery| {
            let lease = Lease { delivery, claim: 1 };
            let claimed = Claimed {
                lease,
                account: AccountId::from_number(1),
                attempts: 0,
                tried: Duration::ZERO,
                delivery: Err(Unsendable::Inactive),
            };
            let deliveries = vec![claimed];
            Ok(Batch {
                deliveries,
                next: None,
            })
        };
        run.claimed(&claiming, batch(1));
        assert_eq!(run.others_at, Instant::now() + BREATH);
        run.woken();
        run.claimed(&claiming, batch(2));
        assert_eq!(run.others_at, Instant::now());
    }
}
