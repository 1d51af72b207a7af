//! The loop of a worker: what it holds, and what it waits for.

mod claims;
mod database;
mod sends;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinSet};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::connections::Connections;
use super::destinations::Destinations;
use super::fault::Fault;
use super::flight::Landing;
use super::gate::Gate;
use super::limits::Limits;
use super::load::Place;
use super::pauses::Pauses;
use super::texts::Texts;
use super::worker::Worker;
use crate::mail::Delivery;
use crate::moment::Moment;
use crate::store::{AccountId, Answer, Batch, Lease, Settled, StoreError, Wakes};

/// The shortest time between two looks that find no work.
const BREATH: Duration = Duration::from_millis(100);
/// How long an ending worker waits for the database, after its deadline.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// A delivery that waits to be sent.
struct Waiting {
    /// The round in which it is sent. In each round, each account has one email.
    round: u64,
    held: Held,
    delivery: Delivery,
}

/// The data of a claimed delivery, apart from its email.
struct Held {
    account: AccountId,
    /// The sender's address.
    sender: String,
    lease: Lease,
    attempts: u32,
    tried: Duration,
    domain: String,
    /// The length of its HTML.
    bytes: u64,
    gate: Arc<Gate>,
}

/// A delivery that is being sent.
struct Flight {
    email: Waiting,
    begun: Instant,
    place: Place,
}

/// A run of the loop.
pub(super) struct Run {
    worker: Arc<Worker>,
    wakes: Wakes,
    /// In the order of their rounds, and within a round in the order of their claims.
    waiting: VecDeque<Waiting>,
    /// The latest round of which an email was sent.
    round: u64,
    tasks: JoinSet<Landing>,
    /// The emails that are being sent, by task.
    flights: HashMap<Id, Flight>,
    connections: Connections,
    pauses: Pauses,
    destinations: Destinations,
    fault: Fault,
    unsettled: Vec<Settled>,
    /// The leases in `unsettled` that the database may have settled already: its answer was lost.
    asked_before: HashSet<Lease>,
    claiming: Option<Asked<Claiming, Batch>>,
    settling: Option<Asked<Vec<Settled>, HashSet<i64>>>,
    renewing: Option<Asked<Renewal, HashSet<i64>>>,
    /// When the next batch is claimed.
    claim_at: Instant,
    /// When a batch is claimed of accounts that hold little, although there is no capacity left for the others.
    others_at: Instant,
    /// Nothing is claimed before this moment, even after a signal.
    claim_from: Instant,
    /// A signal came while a batch was being claimed.
    is_woken: bool,
    /// When a batch can be claimed without a signal. `None` while something else has to end first.
    next_claim: Option<Instant>,
    /// When the deliveries that keep others from being claimed are given back.
    stuck: Option<Instant>,
    /// When ended deliveries are settled even if there are few of them.
    settle_at: Instant,
    /// Nothing is settled before this moment.
    settle_from: Instant,
    renew_at: Instant,
    /// How often the database has failed in a row.
    failures: u32,
    /// When the emails that are still being sent are broken off.
    deadline: Option<Instant>,
    /// Whether the deadline has passed, and those emails were broken off.
    is_overdue: bool,
}

impl Run {
    pub(super) fn new(worker: Arc<Worker>) -> Self {
        let now = Instant::now();
        Self {
            wakes: worker.outbox.wakes(),
            waiting: VecDeque::new(),
            round: 0,
            tasks: JoinSet::new(),
            flights: HashMap::new(),
            connections: Connections::new(worker.limits.sends),
            pauses: Pauses::default(),
            destinations: Destinations::new(worker.limits.domains.clone()),
            fault: Fault::default(),
            unsettled: Vec::new(),
            asked_before: HashSet::new(),
            claiming: None,
            settling: None,
            renewing: None,
            claim_at: now,
            others_at: now,
            claim_from: now,
            is_woken: false,
            next_claim: None,
            stuck: None,
            settle_at: now,
            settle_from: now,
            renew_at: now,
            failures: 0,
            deadline: None,
            is_overdue: false,
            worker,
        }
    }

    pub(super) async fn run(mut self, stop: CancellationToken, shutdown: Duration) {
        loop {
            self.begin_sending();
            self.begin_settling();
            self.begin_renewing();
            self.begin_claiming();
            if self.has_ended() {
                return;
            }
            let timer = self.timer();
            tokio::select! {
                () = stop.cancelled(), if self.deadline.is_none() => self.stop(shutdown),
                Some(landed) = self.tasks.join_next_with_id() => self.landed(landed),
                (claiming, batch) = told(&mut self.claiming) => self.claimed(&claiming, batch),
                (settled, done) = told(&mut self.settling) => self.settled(settled, done),
                (renewal, kept) = told(&mut self.renewing) => self.renewed(&renewal, kept),
                () = self.wakes.next() => self.woken(),
                () = sleep_until(timer) => self.overdue(),
            }
        }
    }

    fn limits(&self) -> &Limits {
        &self.worker.limits
    }

    /// How many deliveries are held.
    fn held(&self) -> usize {
        let settling = self
            .settling
            .as_ref()
            .map_or(0, |settling| settling.about.len());
        [self.flights.len(), self.unsettled.len(), settling]
            .into_iter()
            .fold(self.waiting.len(), usize::saturating_add)
    }

    /// The HTML that waits.
    fn texts(&self) -> Texts {
        Texts::of(self.waiting.iter().map(|waiting| &*waiting.delivery.html))
    }

    fn stop(&mut self, shutdown: Duration) {
        self.deadline = Some(Instant::now() + shutdown);
    }

    /// Handles the timer of the loop. After the deadline, the emails that are still being sent are broken off.
    fn overdue(&mut self) {
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.is_overdue = true;
            self.tasks.abort_all();
        }
    }

    /// Returns when the loop goes on although nothing has happened.
    fn timer(&self) -> Instant {
        let now = Instant::now();
        let far = now + Duration::from_secs(3600);
        let claim = self.next_claim.unwrap_or(far);
        let renew = match self.renewing.is_some() {
            true => far,
            false => self.renew_at,
        };
        let settle = match self.unsettled.is_empty() || self.settling.is_some() {
            true => far,
            false => self.settle_at.max(self.settle_from),
        };
        let deadline = match self.deadline {
            Some(deadline) if !self.is_overdue => deadline,
            Some(deadline) => deadline + LAST_WORDS,
            None => far,
        };
        [renew, settle, deadline, self.stuck.unwrap_or(far)]
            .into_iter()
            .fold(claim, Instant::min)
    }

    fn has_ended(&self) -> bool {
        let Some(deadline) = self.deadline else {
            return false;
        };
        let is_idle = self.claiming.is_none() && self.held() == 0;
        if !is_idle && Instant::now() >= deadline + LAST_WORDS {
            tracing::error!("the outbox ended before it had recorded all emails that it sent");
            return true;
        }
        is_idle
    }
}

/// A batch that was asked for.
struct Claiming {
    /// A moment before the request.
    asked: Moment,
    /// Whether accounts that hold much were left out.
    is_of_others: bool,
    /// Whether emails longer than what was free were left out.
    is_of_short: bool,
}

/// A renewal that was asked for.
struct Renewal {
    /// A moment before the request.
    asked: Moment,
    /// The leases that are renewed.
    leases: HashSet<Lease>,
}

/// A request to the database, with the data that is needed when the answer comes.
struct Asked<A, T> {
    about: A,
    answer: Answer<T>,
}

/// Waits for the answer of a pending request, and takes it. Never returns if no request is pending.
async fn told<A, T>(slot: &mut Option<Asked<A, T>>) -> (A, Result<T, StoreError>) {
    let Some(asked) = slot else {
        return pending().await;
    };
    let told = (&mut asked.answer).await;
    match slot.take() {
        Some(asked) => (asked.about, told),
        None => pending().await,
    }
}
