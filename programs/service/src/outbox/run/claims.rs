//! Claims batches, and renews their leases.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use tokio::time::Instant;

use super::{Asked, BREATH, Claiming, Held, Renewal, Run, Waiting};
use crate::mail::{Delivery, Reason};
use crate::moment::Moment;
use crate::outbox::destinations::domain;
use crate::outbox::fault::Room;
use crate::outbox::gate::Gate;
use crate::outbox::texts::length;
use crate::store::{AccountId, Ask, Batch, Claimed, Lease, Settlement, StoreError};

/// The number of parts into which the capacity is divided, of deliveries and of bytes. One part is reserved for accounts
/// that hold little.
const RESERVE: u16 = 8;
/// The pause after a claim of short emails that found nothing. Only short emails are claimed while a long one waits. The long
/// emails that are left out stay due, so without this pause one claim would follow another.
const LONG: Duration = Duration::from_secs(1);

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
        let (texts, limit) = (self.texts(), self.limits().batch_bytes);
        let has_room = free.saturating_mul(2) >= most_held && texts.but_longest() < limit / 2;
        // A part of the capacity is reserved for accounts that come later.
        let kept = self.reserved();
        let of_all = texts.free(limit.saturating_sub(self.reserved_bytes()));
        let of_others = texts.free(limit);
        let (from, most, is_of_others) = match self.fault.room() {
            Room::Free if has_room => (self.claim_at, free.saturating_sub(kept).max(1), false),
            Room::Free if free > 0 && of_others.bytes > 0 => (self.others_at, free.min(kept), true),
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
        let (fits, without) = match is_of_others {
            true => (of_others, self.holders()),
            false => (of_all, Vec::new()),
        };
        self.is_woken = false;
        let ask = Ask {
            most,
            bytes: fits.bytes,
            longer: fits.longer,
            lease: self.limits().lease,
        };
        self.claiming = Some(Asked {
            about: Claiming {
                asked: Moment::now(),
                is_of_others,
                is_of_short: !fits.longer,
            },
            answer: self.worker.outbox.claim_batch(ask, without),
        });
    }

    /// The number of deliveries that are reserved for others.
    fn reserved(&self) -> u16 {
        (self.limits().most_held() / RESERVE).max(1)
    }

    /// The bytes that are reserved for others.
    fn reserved_bytes(&self) -> u64 {
        self.limits().batch_bytes / u64::from(RESERVE)
    }

    /// Returns the accounts that hold much. A part of the deliveries, and of the bytes, is reserved for other accounts. An
    /// account holds much if its deliveries or its bytes are at least that part.
    fn holders(&self) -> Vec<AccountId> {
        let mut counts: HashMap<AccountId, u16> = HashMap::new();
        let flights = self.flights.values().map(|flight| &flight.email);
        for Waiting { held, .. } in flights.chain(&self.waiting) {
            let count = counts.entry(held.account).or_default();
            *count = count.saturating_add(1);
        }
        // A text of several emails counts once, as it does in the limit.
        let mut seen = HashSet::new();
        let mut bytes: HashMap<AccountId, u64> = HashMap::new();
        for Waiting { held, delivery, .. } in &self.waiting {
            if seen.insert((held.account, delivery.html.as_ptr())) {
                let bytes = bytes.entry(held.account).or_default();
                *bytes = bytes.saturating_add(held.bytes);
            }
        }
        let (much, much_bytes) = (self.reserved(), self.reserved_bytes());
        let holds_much = |(account, count): (AccountId, u16)| {
            let bytes = bytes.get(&account).copied().unwrap_or(0);
            (count >= much || bytes >= much_bytes).then_some(account)
        };
        counts.into_iter().filter_map(holds_much).collect()
    }

    pub(super) fn claimed(&mut self, claiming: &Claiming, batch: Result<Batch, StoreError>) {
        let now = Instant::now();
        match batch {
            Ok(batch) => {
                self.answered();
                let next = batch.next.unwrap_or(Duration::MAX);
                let soonest = match claiming.is_of_short {
                    true => LONG,
                    false => BREATH,
                };
                let next = now + next.min(self.limits().idle).max(soonest);
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
        let flights = self.flights.values().map(|flight| flight.email.held.lease);
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
        let flights = self.flights.values().map(|flight| &flight.email.held);
        for held in flights.chain(self.waiting.iter().map(|waiting| &waiting.held)) {
            if is_lost(held) {
                held.gate.lose();
            } else if renewal.leases.contains(&held.lease) {
                held.gate.renew(renewal.asked, lease);
            }
        }
    }
}
