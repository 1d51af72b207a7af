//! Sends emails, and handles their outcomes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinError};
use tokio::time::Instant;

use super::{BREATH, Flight, Held, Run, Waiting};
use crate::mail::{Outcome, Reason};
use crate::outbox::flight::{Landing, broken_off};
use crate::outbox::load::{Load, Place};
use crate::outbox::pauses::Part;
use crate::store::Settlement;
use crate::telemetry;

/// How long deliveries may keep others from being claimed.
const STUCK: Duration = Duration::from_millis(250);

impl Run {
    /// Sends the waiting emails that may be sent, and gives back those that keep others from being claimed.
    pub(super) fn begin_sending(&mut self) {
        if self.deadline.is_some() || self.fault.is_paused() {
            self.stuck = None;
            let waiting = std::mem::take(&mut self.waiting);
            self.give_back(waiting);
            return;
        }
        // Emails to a domain at its limit, and emails that do not fit into the share of their account.
        let (mut blocked, mut later) = (VecDeque::new(), VecDeque::new());
        let mut load = Load::new(self.connections, self.limits().batch_bytes);
        for Flight { email, place, .. } in self.flights.values() {
            load.add(email.held.account, email.held.bytes, *place);
        }
        while load.has_room()
            && let Some(next) = self.waiting.pop_front()
        {
            if let Some(end) = self.paused(&next.held) {
                self.unsettle(next.held.lease, end);
                continue;
            }
            let (account, bytes) = (next.held.account, next.held.bytes);
            match load.place(account, bytes) {
                None => later.push_back(next),
                Some(place) if self.destinations.has_room(&next.held.domain) => {
                    load.add(account, bytes, place);
                    self.send(next, place);
                }
                Some(_) => blocked.push_back(next),
            }
        }
        let count = blocked.len();
        blocked.append(&mut later);
        blocked.append(&mut self.waiting);
        self.waiting = blocked;
        if self.are_in_the_way(count) {
            let others = self.waiting.split_off(count);
            let blocked = std::mem::replace(&mut self.waiting, others);
            // Each delivery is due again when its domain can take it, so that it is claimed only once more.
            for Waiting { held, .. } in blocked {
                let after = self.destinations.room_after(&held.domain);
                self.unsettle(held.lease, Settlement::GivenBack(after, None));
            }
            // The next batch may be to the same domains.
            self.claim_from = Instant::now() + BREATH;
        }
    }

    /// Whether `blocked` deliveries, each to a domain at its limit, have kept others from being claimed for a while.
    pub(super) fn are_in_the_way(&mut self, blocked: usize) -> bool {
        let (flights, limits) = (self.flights.len(), self.limits());
        let is_full = || {
            flights.saturating_add(blocked) > usize::from(limits.most_held()) / 2
                || self.texts().but_longest() >= limits.batch_bytes / 2
        };
        if blocked == 0 || flights >= limits.sends || !is_full() {
            self.stuck = None;
            return false;
        }
        let until = *self.stuck.get_or_insert_with(|| Instant::now() + STUCK);
        let is_over = Instant::now() >= until;
        if is_over {
            self.stuck = None;
        }
        is_over
    }

    pub(super) fn give_back(&mut self, waiting: VecDeque<Waiting>) {
        for Waiting { held, .. } in waiting {
            let back = Settlement::GivenBack(Duration::ZERO, None);
            self.unsettle(held.lease, back);
        }
    }

    pub(super) fn send(&mut self, next: Waiting, place: Place) {
        self.round = self.round.max(next.round);
        self.destinations.begin(&next.held.domain);
        let (means, gate) = (Arc::clone(&self.worker.means), Arc::clone(&next.held.gate));
        let delivery = next.delivery.clone();
        let sending = telemetry::sending();
        let task = self.tasks.spawn(async move {
            let _sending = sending;
            means.send(delivery, &gate).await
        });
        let flight = Flight {
            email: next,
            begun: Instant::now(),
            place,
        };
        self.flights.insert(task.id(), flight);
    }

    /// Handles the outcome of an email.
    pub(super) fn landed(&mut self, landed: Result<(Id, Landing), JoinError>) {
        let (id, landing) = match landed {
            Ok((id, landing)) => (id, Some(landing)),
            Err(error) if error.is_panic() => (error.id(), Some(Landing::Failed)),
            Err(error) => (error.id(), None),
        };
        let Some(Flight { email, begun, .. }) = self.flights.remove(&id) else {
            return;
        };
        let held = &email.held;
        self.destinations.end(&held.domain, begun.elapsed());
        let landing =
            landing.unwrap_or_else(|| Landing::Sent(broken_off(&held.gate, "the service ended")));
        // A server that accepts other emails but no further connection is not at fault. The email waits for a free
        // connection.
        if matches!(landing, Landing::Sent(Outcome::Busy { .. })) && !self.flights.is_empty() {
            self.connections.shrink(self.flights.len());
            telemetry::sent("busy", begun.elapsed());
            self.waiting.push_front(email);
            return;
        }
        let (outcome, end) = self.end(held, begun, landing);
        telemetry::sent(outcome, begun.elapsed());
        self.unsettle(email.held.lease, end);
    }

    /// Returns the word under which an email is counted, and its settlement. `begun` is when its sending began.
    pub(super) fn end(
        &mut self,
        held: &Held,
        begun: Instant,
        landing: Landing,
    ) -> (&'static str, Settlement) {
        match landing {
            Landing::Sent(Outcome::Delivered { answer }) => {
                self.works();
                self.connections.grow();
                self.pauses.end(&held.of_sender(), begun);
                self.pauses.end(&held.of_domain(), begun);
                ("delivered", Settlement::Delivered(answer))
            }
            Landing::Sent(Outcome::Refused { reason }) => {
                self.works();
                ("refused", Settlement::Bounced(reason))
            }
            Landing::Unsendable(reason) => {
                self.fault.may_work();
                ("unsendable", Settlement::Bounced(reason))
            }
            Landing::Sent(Outcome::Deferred { reason }) => {
                ("deferred", self.postpone(held, &reason))
            }
            Landing::Sent(Outcome::SenderRefused { reason }) => {
                // The server has greeted the service, so others can be sent.
                self.works();
                let retry = self.limits().retry;
                self.pauses.begin(held.of_sender(), &retry, &reason);
                ("sender-refused", self.postpone(held, &reason))
            }
            Landing::Sent(Outcome::TooFast { reason }) => {
                let retry = self.limits().retry;
                self.pauses.begin(held.of_domain(), &retry, &reason);
                ("too-fast", self.postpone(held, &reason))
            }
            Landing::Sent(Outcome::Unanswered { reason }) => {
                ("unanswered", self.postpone(held, &reason))
            }
            Landing::Failed => {
                tracing::error!(
                    delivery = held.lease.delivery,
                    "an email could not be made: this is a fault of the service"
                );
                let reason = Reason::new("the service failed on this email");
                ("failed", self.postpone(held, &reason))
            }
            Landing::Sent(Outcome::TransportFault { reason } | Outcome::Busy { reason }) => {
                if let Some(pause) = self.fault.strike(&self.worker.limits) {
                    let (reason, seconds) = (reason.as_str(), pause.as_secs());
                    tracing::error!(
                        reason,
                        seconds,
                        "sending is paused: the transport is at fault"
                    );
                    self.show();
                }
                ("fault", Settlement::GivenBack(Duration::ZERO, Some(reason)))
            }
        }
    }

    pub(super) fn postpone(&mut self, held: &Held, reason: &Reason) -> Settlement {
        self.fault.may_work();
        match self.limits().retry.after(held.attempts, held.tried) {
            Some(after) => Settlement::Postponed(after, reason.clone()),
            None => given_up(reason),
        }
    }

    /// Returns the settlement of an email whose sender or destination is paused. The time until it is given up goes on.
    fn paused(&self, held: &Held) -> Option<Settlement> {
        if self.pauses.is_empty() {
            return None;
        }
        let parts = [held.of_sender(), held.of_domain()];
        let (left, reason) = parts.iter().find_map(|part| self.pauses.of(part))?;
        Some(match self.limits().retry.after(held.attempts, held.tried) {
            Some(_) => Settlement::Postponed(left.max(BREATH), reason.clone()),
            None => given_up(reason),
        })
    }

    pub(super) fn works(&mut self) {
        if self.fault.works() {
            tracing::info!("sending goes on: the transport works again");
            self.show();
        }
    }
}

impl Held {
    fn of_sender(&self) -> Part {
        Part::Sender(self.account, self.sender.clone())
    }

    fn of_domain(&self) -> Part {
        Part::Destination(self.account, self.domain.clone())
    }
}

fn given_up(reason: &Reason) -> Settlement {
    Settlement::Bounced(Reason::new(&format!("given up: {}", reason.as_str())))
}
