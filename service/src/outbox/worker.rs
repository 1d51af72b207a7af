//! The worker: one loop that claims, sends and settles.

use std::collections::{HashMap, HashSet, VecDeque};
use std::future::pending;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::destinations::{Destinations, domain};
use super::fault::{Fault, Room};
use super::flight::{Landing, Means, broken_off};
use super::gate::{Gate, Moment};
use super::limits::Limits;
use super::retry::jittered;
use super::state::{SendingState, Trouble};
use crate::mail::{Composer, Delivery, Outcome, Reason, Transport};
use crate::store::{
    Answer, Ask, Batch, Claimed, Lease, Outbox, Settled, Settlement, StoreError, Wakes,
};
use crate::telemetry;

/// For how long deliveries may keep others from being claimed.
const STUCK: Duration = Duration::from_millis(250);
/// For how long what has ended is gathered, to be settled together.
const GATHER: Duration = Duration::from_millis(20);
/// The shortest time between two looks for work that found none.
const BREATH: Duration = Duration::from_millis(100);
/// For how long a delivery is given back whose domain gets as many emails at once as it may.
const OUT_OF_THE_WAY: Duration = Duration::from_secs(10);
/// How long a worker that ends waits for the database, when its emails have ended.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// What sends the emails of a database.
pub struct Worker {
    outbox: Arc<dyn Outbox>,
    means: Arc<Means>,
    limits: Limits,
    state: SendingState,
}

/// A worker at work.
#[derive(Debug)]
pub struct Running {
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl Worker {
    /// Of an outbox and the ways to compose emails and to send them.
    #[must_use]
    pub fn new(
        outbox: Arc<dyn Outbox>,
        composer: Arc<Composer>,
        transport: Arc<dyn Transport>,
        limits: Limits,
        state: SendingState,
    ) -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        let means = Means {
            composer,
            transport,
            threads: Arc::new(Semaphore::new(processors.saturating_sub(1).max(1))),
            limits,
        };
        Self {
            outbox,
            means: Arc::new(means),
            limits,
            state,
        }
    }

    /// Begins. Within a Tokio runtime.
    #[must_use]
    pub fn start(self, shutdown: Duration) -> Running {
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            let worker = Arc::new(self);
            loop {
                let run = Run::new(Arc::clone(&worker)).run(stopped.clone(), shutdown);
                if tokio::spawn(run).await.is_ok() {
                    break;
                }
                tracing::error!("the outbox failed, and begins anew");
                sleep(Duration::from_secs(1)).await;
            }
        });
        Running { stop, task }
    }
}

impl Running {
    /// Claims nothing more from now on.
    pub fn stop(&self) {
        self.stop.cancel();
    }

    /// Stops, and waits until what is in flight has ended or was given back.
    pub async fn end(self) {
        self.stop();
        drop(self.task.await);
    }
}

/// A delivery that waits to be sent.
struct Waiting {
    held: Held,
    delivery: Delivery,
}

/// What is known of a claimed delivery beside its email.
struct Held {
    lease: Lease,
    attempts: u32,
    tried: Duration,
    domain: String,
    gate: Arc<Gate>,
}

/// A run of the loop.
struct Run {
    worker: Arc<Worker>,
    wakes: Wakes,
    waiting: VecDeque<Waiting>,
    tasks: JoinSet<Landing>,
    /// What is being sent, by its task.
    flights: HashMap<Id, (Held, Instant)>,
    destinations: Destinations,
    fault: Fault,
    unsettled: Vec<Settled>,
    claiming: Option<(Moment, Answer<Batch>)>,
    settling: Option<(Vec<Settled>, Answer<HashSet<i64>>)>,
    renewing: Option<(Moment, HashSet<i64>, Answer<HashSet<i64>>)>,
    /// When the next batch is claimed.
    claim_at: Instant,
    /// Nothing is claimed before, whatever comes.
    claim_from: Instant,
    /// A signal came while a batch was being claimed.
    is_woken: bool,
    /// A batch is claimed when some of what is held has ended.
    is_full: bool,
    /// When those that keep others from being claimed are given back.
    stuck: Option<Instant>,
    /// When what has ended is settled, though there is little of it.
    settle_at: Instant,
    /// Nothing is settled before, whatever comes.
    settle_from: Instant,
    renew_at: Instant,
    /// How often the database failed, one after another.
    failures: u32,
    /// When what is still being sent is broken off.
    deadline: Option<Instant>,
    /// It is broken off.
    is_overdue: bool,
}

impl Run {
    fn new(worker: Arc<Worker>) -> Self {
        let now = Instant::now();
        Self {
            wakes: worker.outbox.wakes(),
            waiting: VecDeque::new(),
            tasks: JoinSet::new(),
            flights: HashMap::new(),
            destinations: Destinations::default(),
            fault: Fault::default(),
            unsettled: Vec::new(),
            claiming: None,
            settling: None,
            renewing: None,
            claim_at: now,
            claim_from: now,
            is_woken: false,
            is_full: false,
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

    async fn run(mut self, stop: CancellationToken, shutdown: Duration) {
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
                (asked, batch) = claimed(&mut self.claiming) => self.claimed(asked, batch),
                (settled, done) = settled(&mut self.settling) => self.settled(settled, done),
                (asked, leases, kept) = renewed(&mut self.renewing) => self.renewed(asked, &leases, kept),
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
            .map_or(0, |(settled, _)| settled.len());
        [self.flights.len(), self.unsettled.len(), settling]
            .into_iter()
            .fold(self.waiting.len(), usize::saturating_add)
    }

    /// Sends what waits and may be sent; gives back what is in the way of others.
    fn begin_sending(&mut self) {
        if self.deadline.is_some() || self.fault.is_paused() {
            self.stuck = None;
            let waiting = std::mem::take(&mut self.waiting);
            self.give_back(waiting, Duration::ZERO);
            return;
        }
        let mut blocked = VecDeque::new();
        while self.flights.len() < self.limits().sends
            && let Some(next) = self.waiting.pop_front()
        {
            let limit = self.limits().sends_per_domain;
            match self.destinations.has_room(&next.held.domain, limit) {
                true => self.send(next),
                false => blocked.push_back(next),
            }
        }
        if self.are_in_the_way(blocked.len()) {
            self.give_back(blocked, OUT_OF_THE_WAY);
            // What comes next may be to the same domains.
            self.claim_from = Instant::now() + BREATH;
        } else {
            blocked.append(&mut self.waiting);
            self.waiting = blocked;
        }
    }

    /// Whether that many deliveries, whose domains get as many emails at once as they may, have kept others from being
    /// claimed for a while.
    fn are_in_the_way(&mut self, blocked: usize) -> bool {
        let (flights, limits) = (self.flights.len(), self.limits());
        let is_full = flights.saturating_add(blocked) > usize::from(limits.batch) / 2;
        if blocked == 0 || flights >= limits.sends || !is_full {
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

    fn give_back(&mut self, waiting: VecDeque<Waiting>, after: Duration) {
        for Waiting { held, .. } in waiting {
            let after = jittered(after);
            self.unsettle(held.lease, Settlement::GivenBack(after, None));
        }
    }

    fn send(&mut self, next: Waiting) {
        let Waiting { held, delivery } = next;
        self.destinations.begin(&held.domain);
        let (means, gate) = (Arc::clone(&self.worker.means), Arc::clone(&held.gate));
        let sending = telemetry::sending();
        let task = self.tasks.spawn(async move {
            let _sending = sending;
            means.send(delivery, &gate).await
        });
        self.flights.insert(task.id(), (held, Instant::now()));
    }

    /// Takes what came of an email.
    fn landed(&mut self, landed: Result<(Id, Landing), JoinError>) {
        let (id, landing) = match landed {
            Ok((id, landing)) => (id, Some(landing)),
            Err(error) if error.is_panic() => (error.id(), Some(Landing::Failed)),
            Err(error) => (error.id(), None),
        };
        let Some((held, begun)) = self.flights.remove(&id) else {
            return;
        };
        self.destinations.end(&held.domain);
        let landing =
            landing.unwrap_or_else(|| Landing::Sent(broken_off(&held.gate, "the service ended")));
        let (outcome, end) = self.end(&held, landing);
        telemetry::sent(outcome, begun.elapsed());
        self.unsettle(held.lease, end);
    }

    /// What is recorded of an email, and how it is counted.
    fn end(&mut self, held: &Held, landing: Landing) -> (&'static str, Settlement) {
        match landing {
            Landing::Sent(Outcome::Delivered { answer }) => {
                self.works();
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
            Landing::Sent(Outcome::TransportFault { reason }) => {
                if let Some(pause) = self.fault.strike(&self.worker.limits) {
                    let (reason, seconds) = (reason.as_str(), pause.as_secs());
                    tracing::error!(
                        reason,
                        seconds,
                        "sending is paused: the transport is at fault"
                    );
                    self.show();
                }
                // The fault could be that of one sender: then others are sent first.
                let after = jittered(self.limits().retry.first);
                ("fault", Settlement::GivenBack(after, Some(reason)))
            }
        }
    }

    fn postpone(&mut self, held: &Held, reason: &Reason) -> Settlement {
        self.fault.may_work();
        match self.limits().retry.after(held.attempts, held.tried) {
            Some(after) => Settlement::Postponed(after, reason.clone()),
            None => {
                let reason = format!("given up: {}", reason.as_str());
                Settlement::Bounced(Reason::new(&reason))
            }
        }
    }

    fn works(&mut self) {
        if self.fault.works() {
            tracing::info!("sending goes on: the transport works");
            self.show();
        }
    }

    /// Says whether emails are sent.
    fn show(&self) {
        let trouble = match (self.fault.is_known(), self.failures) {
            (true, _) => Some(Trouble::Transport),
            (false, 0) => None,
            (false, _) => Some(Trouble::Database),
        };
        self.worker.state.set(trouble);
    }

    fn unsettle(&mut self, lease: Lease, end: Settlement) {
        if self.unsettled.is_empty() {
            self.settle_at = Instant::now() + GATHER;
        }
        self.unsettled.push(Settled { lease, end });
    }

    /// Writes what has ended since the last time: when it has become much, after a while, or when nothing more is to come.
    fn begin_settling(&mut self) {
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
        self.settling = Some((settled, answer));
    }

    fn settled(&mut self, settled: Vec<Settled>, done: Result<HashSet<i64>, StoreError>) {
        match done {
            Ok(done) => {
                let lost = settled
                    .iter()
                    .filter(|settled| !done.contains(&settled.lease.delivery));
                telemetry::settled(&settled, lost.count());
                self.answered();
            }
            Err(error) => {
                self.unsettled.extend(settled);
                self.settle_from = Instant::now() + self.failed(&error);
            }
        }
    }

    fn begin_claiming(&mut self) {
        self.is_full = false;
        let now = Instant::now();
        let is_early = now < self.claim_at.max(self.claim_from);
        if self.claiming.is_some() || self.deadline.is_some() || is_early {
            return;
        }
        let (held, batch) = (self.held(), self.limits().batch);
        let free = batch.saturating_sub(u16::try_from(held).unwrap_or(u16::MAX));
        let most = match self.fault.room() {
            Room::Free if free.saturating_mul(2) >= batch => free,
            Room::One if held == 0 => 1,
            Room::None(until) => {
                self.claim_from = until;
                return;
            }
            Room::Free | Room::One => {
                self.is_full = true;
                return;
            }
        };
        self.is_woken = false;
        let ask = Ask {
            most,
            bytes: self.limits().batch_bytes,
            lease: self.limits().lease,
        };
        self.claiming = Some((Moment::now(), self.worker.outbox.claim_batch(ask)));
    }

    fn claimed(&mut self, asked: Moment, batch: Result<Batch, StoreError>) {
        let now = Instant::now();
        match batch {
            Ok(batch) => {
                self.answered();
                if batch.deliveries.is_empty() && !self.is_woken {
                    let next = batch.next.unwrap_or(Duration::MAX);
                    self.claim_at = now + next.min(self.limits().idle).max(BREATH);
                }
                for claimed in batch.deliveries {
                    self.take(asked, claimed);
                }
            }
            Err(error) => self.claim_from = now + self.failed(&error),
        }
    }

    fn take(&mut self, asked: Moment, claimed: Claimed) {
        let limits = self.limits();
        let gate = Gate::new(asked, limits.lease, limits.answer);
        match claimed.delivery {
            Ok(delivery) => self.waiting.push_back(Waiting {
                held: Held {
                    lease: claimed.lease,
                    attempts: claimed.attempts,
                    tried: claimed.tried,
                    domain: domain(&delivery),
                    gate,
                },
                delivery,
            }),
            Err(incomplete) => {
                tracing::error!(delivery = claimed.lease.delivery, %incomplete, "an email cannot be made");
                let reason = Reason::new(&incomplete.to_string());
                self.unsettle(claimed.lease, Settlement::Bounced(reason));
            }
        }
    }

    fn woken(&mut self) {
        self.is_woken = true;
        self.claim_at = Instant::now();
    }

    /// Keeps the leases of what is held.
    fn begin_renewing(&mut self) {
        let now = Instant::now();
        if self.held() == 0 {
            // The lease of what is claimed next is a new one.
            self.renew_at = now + self.renewal();
        }
        if self.renewing.is_some() || now < self.renew_at {
            return;
        }
        let flights = self.flights.values().map(|(held, _)| held.lease);
        let settling = self.settling.iter().flat_map(|(settled, _)| settled);
        let settled = self.unsettled.iter().chain(settling);
        let leases: Vec<Lease> = flights
            .chain(self.waiting.iter().map(|waiting| waiting.held.lease))
            .chain(settled.map(|settled| settled.lease))
            .collect();
        let ids = leases.iter().map(|lease| lease.delivery).collect();
        let answer = self.worker.outbox.renew(leases, self.limits().lease);
        self.renewing = Some((Moment::now(), ids, answer));
        self.renew_at = now + self.renewal();
    }

    /// The time between two renewals: a lease holds all the while for as long as an answer may take.
    fn renewal(&self) -> Duration {
        let limits = self.limits();
        (limits.lease.saturating_sub(limits.answer) / 3).max(BREATH)
    }

    fn renewed(
        &mut self,
        asked: Moment,
        leases: &HashSet<i64>,
        kept: Result<HashSet<i64>, StoreError>,
    ) {
        let kept = match kept {
            Ok(kept) => kept,
            Err(error) => {
                self.failed(&error);
                return;
            }
        };
        let lease = self.limits().lease;
        let is_lost = |held: &Held| {
            let id = held.lease.delivery;
            leases.contains(&id) && !kept.contains(&id)
        };
        self.waiting.retain(|waiting| !is_lost(&waiting.held));
        let flights = self.flights.values().map(|(held, _)| held);
        for held in flights.chain(self.waiting.iter().map(|waiting| &waiting.held)) {
            if is_lost(held) {
                held.gate.lose();
            } else if leases.contains(&held.lease.delivery) {
                held.gate.renew(asked, lease);
            }
        }
    }

    /// The database did what it was asked.
    fn answered(&mut self) {
        if self.failures > 0 {
            self.failures = 0;
            self.show();
        }
    }

    /// The database failed. Answers with the pause until it is asked again.
    fn failed(&mut self, error: &StoreError) -> Duration {
        if self.failures == 0 {
            tracing::error!(%error, "the outbox waits for the database");
        }
        let pause = BREATH.saturating_mul(1 << self.failures.min(6));
        self.failures = self.failures.saturating_add(1);
        self.show();
        jittered(pause)
    }

    fn stop(&mut self, shutdown: Duration) {
        self.deadline = Some(Instant::now() + shutdown);
    }

    /// The time is over that the loop has waited for.
    fn overdue(&mut self) {
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.is_overdue = true;
            self.tasks.abort_all();
        }
    }

    /// When the loop goes on though nothing has come.
    fn timer(&self) -> Instant {
        let now = Instant::now();
        let far = now + Duration::from_secs(3600);
        let claim = match (&self.claiming, self.deadline) {
            (None, None) if !self.is_full => self.claim_at.max(self.claim_from),
            _ => far,
        };
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
            tracing::error!("the outbox ended before all was recorded that it had sent");
            return true;
        }
        is_idle
    }
}

/// The answer that is waited for, once; never, when none is.
async fn claimed(
    slot: &mut Option<(Moment, Answer<Batch>)>,
) -> (Moment, Result<Batch, StoreError>) {
    let Some((_, answer)) = slot else {
        return pending().await;
    };
    let batch = answer.await;
    match slot.take() {
        Some((asked, _)) => (asked, batch),
        None => pending().await,
    }
}

/// As [`claimed`].
async fn settled(
    slot: &mut Option<(Vec<Settled>, Answer<HashSet<i64>>)>,
) -> (Vec<Settled>, Result<HashSet<i64>, StoreError>) {
    let Some((_, answer)) = slot else {
        return pending().await;
    };
    let done = answer.await;
    match slot.take() {
        Some((settled, _)) => (settled, done),
        None => pending().await,
    }
}

/// As [`claimed`].
async fn renewed(
    slot: &mut Option<(Moment, HashSet<i64>, Answer<HashSet<i64>>)>,
) -> (Moment, HashSet<i64>, Result<HashSet<i64>, StoreError>) {
    let Some((_, _, answer)) = slot else {
        return pending().await;
    };
    let kept = answer.await;
    match slot.take() {
        Some((asked, leases, _)) => (asked, leases, kept),
        None => pending().await,
    }
}

impl std::fmt::Debug for Worker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker")
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}
