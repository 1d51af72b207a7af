//! The task that writes kept calls to the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::vec::IntoIter;
// clock: between two rounds; how long the last one may take.
use std::time::{Duration, Instant, SystemTime};

use franking::{Recorder, Transcript};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::sync::CancellationToken;

use super::{Counts, Ended, Heard, TranscriptKind};
use crate::bucket::Buckets;
use crate::key_file::KeyFile;
use crate::store::{Broken, Cause, CountOf, KeyHash, NewTranscript, Store};
use crate::telemetry;

/// The purpose for which transcripts are sealed.
pub(crate) const PURPOSE: &str = "transcript";
/// The use of a key is noted at most once in this time.
const MINUTE: Duration = Duration::from_secs(60);
/// The time between two rounds.
const ROUND: Duration = Duration::from_millis(500);
/// The time in which an account gets its whole share again.
const DAY: Duration = Duration::from_secs(86_400);
/// The most calls that one transaction keeps.
const BATCH: usize = 256;
/// The most bytes of transcripts that one transaction keeps. Only the last of them may go beyond it.
pub(super) const WRITTEN: usize = 8 << 20;
/// The bytes that a call takes without its transcript: its row and its entries in indexes.
const ROW: f64 = 512.0;
/// The longest time of the last round.
const LAST: Duration = Duration::from_secs(5);

type Waiting = (Ended, OwnedSemaphorePermit);

pub(super) struct Keeper {
    store: Arc<dyn Store>,
    maker: Arc<Maker>,
    counts: Arc<Mutex<Counts>>,
    /// Counts that could not be written yet.
    left: HashMap<CountOf, u64>,
    day: u64,
    /// The keys whose use was noted in the last minute.
    used: HashMap<KeyHash, Instant>,
}

/// Makes the rows of calls.
struct Maker {
    kept: TranscriptKind,
    keys: Option<KeyFile>,
    /// The bytes that each account may still write.
    shares: Mutex<Buckets>,
}

/// The task that keeps calls.
#[derive(Debug)]
pub struct Keeping {
    task: JoinHandle<()>,
    end: CancellationToken,
    broken: Broken,
}

impl Keeping {
    /// Resolves when the task has panicked.
    pub(crate) fn broken(&self) -> impl Future<Output = Cause> + Send + use<> {
        self.broken.reported()
    }

    /// Writes what is left, and ends.
    pub async fn end(self) {
        self.end.cancel();
        // clock: a database that hangs does not keep the process from ending
        let _ = timeout(LAST, self.task).await;
    }
}

impl Keeper {
    pub(super) fn new(
        store: Arc<dyn Store>,
        kept: TranscriptKind,
        keys: Option<KeyFile>,
        share: u64,
        counts: Arc<Mutex<Counts>>,
    ) -> Self {
        if keys.is_none() && kept != TranscriptKind::None {
            tracing::warn!(
                "there is no key file, so calls are kept without their transcripts: `migrate` makes one"
            );
        }
        let shares = Buckets::new(share as f64 / DAY.as_secs_f64(), share as f64);
        let shares = Mutex::new(shares);
        Self {
            store,
            maker: Arc::new(Maker { kept, keys, shares }),
            counts,
            left: HashMap::new(),
            day: 0,
            used: HashMap::new(),
        }
    }

    pub(super) fn start(self, waiting: mpsc::Receiver<Waiting>) -> Keeping {
        let (end, broken) = (CancellationToken::new(), Broken::default());
        let task = tokio::spawn(broken.watch("keeping calls", self.run(waiting, end.clone())));
        Keeping { task, end, broken }
    }

    async fn run(mut self, mut waiting: mpsc::Receiver<Waiting>, end: CancellationToken) {
        let mut rounds = interval(ROUND);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let is_last = tokio::select! {
                () = end.cancelled() => true,
                _ = rounds.tick() => false,
            };
            loop {
                let mut batch = Vec::new();
                while batch.len() < BATCH
                    && let Ok(ended) = waiting.try_recv()
                {
                    batch.push(ended);
                }
                let is_full = batch.len() == BATCH;
                self.keep(batch).await;
                if !is_full {
                    break;
                }
            }
            if is_last {
                return;
            }
        }
    }

    async fn keep(&mut self, batch: Vec<Waiting>) {
        let mut counted = self.counted();
        self.use_keys().await;
        let mut batch = batch.into_iter();
        while !(batch.as_slice().is_empty() && counted.is_empty()) {
            let rows;
            (rows, batch) = self.rows(batch).await;
            self.write(rows, std::mem::take(&mut counted)).await;
        }
    }

    async fn write(&mut self, rows: Vec<NewTranscript>, counted: Vec<(CountOf, u64)>) {
        let calls = rows.len();
        if let Err(error) = self.store.keep_transcripts(rows, counted.clone()).await {
            tracing::warn!(%error, calls, "calls could not be kept");
            telemetry::transcripts_lost(calls);
            // If it is not known whether the counts were written, they are dropped and not counted twice.
            if error.is_undone() {
                self.left.extend(counted);
            }
        }
    }

    /// Notes the keys that were used, each at most once in a minute.
    async fn use_keys(&mut self) {
        let now = Instant::now();
        self.used
            .retain(|_, noted| now.duration_since(*noted) < MINUTE);
        let keys: Vec<KeyHash> = {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            let all = counts.keys.drain();
            all.filter(|key| !self.used.contains_key(key)).collect()
        };
        self.used.extend(keys.iter().map(|key| (*key, now)));
        if !keys.is_empty()
            && let Err(error) = self.store.use_keys(keys).await
        {
            tracing::warn!(%error, "the use of keys could not be noted");
        }
    }

    /// Takes the counts since the last time, with those that could not be written.
    fn counted(&mut self) -> Vec<(CountOf, u64)> {
        let today = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let today = today.map_or(0, |time| time.as_secs() / 86_400);
        let new = {
            let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            if std::mem::replace(&mut self.day, today) != today {
                counts.peers.clear();
            }
            std::mem::take(&mut counts.calls)
        };
        for (of, calls) in new {
            let sum = self.left.entry(of).or_default();
            *sum = sum.saturating_add(calls);
        }
        std::mem::take(&mut self.left).into_iter().collect()
    }

    /// Makes the rows of the first calls of a batch. Returns the other calls as well.
    async fn rows(&self, mut batch: IntoIter<Waiting>) -> (Vec<NewTranscript>, IntoIter<Waiting>) {
        let maker = Arc::clone(&self.maker);
        // A call is judged again, which can take long, so it is not done on a thread of the runtime.
        let calls = batch.len();
        let made = tokio::task::spawn_blocking(move || (maker.rows(&mut batch), batch));
        made.await.unwrap_or_else(|_| {
            telemetry::transcripts_lost(calls);
            tracing::error!(
                "the transcripts of calls could not be made: this is a fault of the service"
            );
            (Vec::new(), Vec::new().into_iter())
        })
    }
}

impl Maker {
    /// Makes rows one by one, until their transcripts are as long as one transaction writes.
    fn rows(&self, batch: &mut IntoIter<Waiting>) -> Vec<NewTranscript> {
        let (mut rows, mut bytes) = (Vec::new(), 0_usize);
        while bytes < WRITTEN
            && let Some((ended, _kib)) = batch.next()
        {
            if let Some(row) = self.row(ended) {
                bytes = bytes.saturating_add(row.sealed.as_ref().map_or(0, Vec::len));
                rows.push(row);
            }
        }
        rows
    }

    /// Makes the row of a call. `None` if the share of its account has no room for a row. If it has room for the row alone,
    /// no transcript is made.
    fn row(&self, mut ended: Ended) -> Option<NewTranscript> {
        let account = ended.account?;
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        let left = shares.left(account);
        if ROW > left {
            telemetry::transcripts_lost(1);
            return None;
        }
        let room = left - ROW;
        let transcript = ended.heard.take();
        let transcript = transcript.and_then(|heard| record(&ended, *heard));
        let pointer = transcript.as_ref().and_then(Transcript::masked_pointer);
        // The text of a transcript is longer than the body.
        let transcript = transcript.filter(|transcript| transcript.body().len() as f64 <= room);
        let sealed = transcript.and_then(|transcript| self.seal(transcript));
        let sealed = sealed.filter(|sealed| sealed.len() as f64 <= room);
        shares.take(account, ROW + sealed.as_ref().map_or(0, Vec::len) as f64);
        Some(NewTranscript {
            account,
            call: ended.call,
            operation: ended.operation,
            code: ended.code,
            rule: ended.rule,
            pointer,
            bytes: ended.bytes as u64,
            milliseconds: u64::try_from(ended.time.as_millis()).unwrap_or(u64::MAX),
            peer: ended.peer.to_string(),
            request: ended.request,
            sealed,
        })
    }

    /// Writes a transcript as a text, and seals it. `None` without a key file.
    fn seal(&self, transcript: Transcript) -> Option<Vec<u8>> {
        let keys = self.keys.as_ref()?;
        let text = match self.kept {
            TranscriptKind::Whole => transcript.with_masked_key().to_json(),
            TranscriptKind::Masked | TranscriptKind::None => transcript.to_masked_json(),
        };
        let sealed = keys.seal(PURPOSE, text.as_bytes());
        sealed
            .inspect_err(|error| tracing::error!(%error, "a transcript could not be sealed"))
            .ok()
    }
}

/// Judges a call again with the answers that it was given. `None` if it comes to another code, which is a fault.
fn record(ended: &Ended, heard: Heard) -> Option<Transcript> {
    let mut recorder = Recorder::new(&heard.policy, ended.operation, &heard.method, &*heard.body);
    for answer in heard.answers {
        if recorder.answer(answer).is_err() {
            tracing::error!(
                "a call that was decided again did not take the same answers: this is a fault of the service"
            );
            return None;
        }
    }
    let code = recorder
        .call()
        .decision()
        .and_then(|decision| decision.code());
    if code.map(|code| code.number()) != Some(ended.code) {
        tracing::error!(
            "a call that was decided again got another code: this is a fault of the service"
        );
        return None;
    }
    Some(recorder.transcript())
}
