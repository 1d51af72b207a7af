//! What is kept of calls so that they can be explained, and how many there were.
//!
//! A call hands its end over and does not wait: it is kept within a second. What comes faster than it is written is lost and counted, and
//! so is what was not written when the process is killed.

mod keeper;
mod share;

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use franking::{HostAnswer, Operation, Policy};
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::key_file::KeyFile;
use crate::store::{AccountId, CallId, CountOf, KeyHash, Store};
use crate::telemetry;
use keeper::Keeper;
pub use keeper::Keeping;
pub(crate) use keeper::PURPOSE;

/// Which calls are kept, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TranscriptKind {
    /// None: calls are counted.
    None,
    /// Refused ones, with their texts masked.
    Masked,
    /// All, whole but for the key.
    Whole,
}

/// The longest body that is kept.
pub(crate) const LONGEST: usize = 1 << 20;
/// Bodies and answers on their way to the database, in KiB.
const ROOM: usize = 32 << 10;
/// Calls on their way to the database.
const CALLS: usize = 4096;
/// The addresses of clients by which calls of no account are counted in a day; others are counted together.
const PEERS: usize = 10_000;

/// A call with the answers that it was given.
pub struct Heard {
    /// By what it was judged.
    pub policy: Arc<Policy>,
    /// The HTTP method.
    pub method: String,
    /// The body.
    pub body: Vec<u8>,
    /// The answers, in their order.
    pub answers: Vec<HostAnswer>,
}

/// A call that is decided.
pub struct Ended {
    /// Whose it was, if its key is an account's.
    pub account: Option<AccountId>,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// What it called.
    pub operation: Operation,
    /// Its code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The length of its body.
    pub bytes: usize,
    /// From its head to its outcome.
    pub time: Duration,
    /// The client.
    pub peer: IpAddr,
    /// The id of the request.
    pub request: String,
    /// The key of an account's call.
    pub key: Option<KeyHash>,
    /// What is kept of it, if anything.
    pub heard: Option<Box<Heard>>,
}

/// Where calls are handed over.
#[derive(Clone)]
pub struct Transcripts(Arc<Inner>);

struct Inner {
    kept: TranscriptKind,
    counts: Arc<Mutex<Counts>>,
    sender: mpsc::Sender<(Ended, OwnedSemaphorePermit)>,
    room: Arc<Semaphore>,
}

/// What was counted and is not written yet.
#[derive(Default)]
struct Counts {
    calls: HashMap<CountOf, u64>,
    /// Keys that were used.
    keys: HashSet<KeyHash>,
    /// Clients without an account, of this day.
    peers: HashSet<String>,
}

impl Transcripts {
    /// Begins to keep calls. Of one account so many bytes are kept in a day. Without a key file, calls are kept without their transcripts.
    #[must_use]
    pub fn start(
        store: Arc<dyn Store>,
        kept: TranscriptKind,
        keys: Option<KeyFile>,
        share: u64,
    ) -> (Self, Keeping) {
        let (sender, receiver) = mpsc::channel(CALLS);
        let counts = Arc::default();
        let keeper = Keeper::new(store, kept, keys, share, Arc::clone(&counts));
        let inner = Inner {
            kept,
            counts,
            sender,
            room: Arc::new(Semaphore::new(ROOM)),
        };
        (Self(Arc::new(inner)), keeper.start(receiver))
    }

    /// Whether the answers to a call with a body of that length are noted.
    #[must_use]
    pub fn notes(&self, bytes: usize) -> bool {
        self.0.kept != TranscriptKind::None && bytes <= LONGEST
    }

    /// Whether a call is kept.
    #[must_use]
    pub fn keeps(&self, is_accepted: bool) -> bool {
        match self.0.kept {
            TranscriptKind::None => false,
            TranscriptKind::Masked => !is_accepted,
            TranscriptKind::Whole => true,
        }
    }

    /// Takes a call that is decided. Nobody waits.
    pub fn take(&self, ended: Ended) {
        self.count(&ended);
        if ended.account.is_none() || !self.keeps(ended.call.is_some()) {
            return;
        }
        let heard = ended.heard.as_ref().map_or(0, |heard| heard.body.len());
        // Answers are about as long as what they are about.
        let kibibytes = u32::try_from(heard / 512)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        let room = Arc::clone(&self.0.room).try_acquire_many_owned(kibibytes);
        let is_taken = room.is_ok_and(|room| self.0.sender.try_send((ended, room)).is_ok());
        if !is_taken {
            telemetry::transcripts_lost(1);
        }
    }

    fn count(&self, ended: &Ended) {
        let mut counts = self.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let peer = ended.account.is_none().then(|| {
            let peer = network(ended.peer);
            let is_known = counts.peers.contains(&peer);
            if !is_known && counts.peers.len() >= PEERS {
                return None;
            }
            if !is_known {
                counts.peers.insert(peer.clone());
            }
            Some(peer)
        });
        if let Some(key) = ended.key {
            counts.keys.insert(key);
        }
        let of = CountOf {
            account: ended.account,
            operation: ended.operation,
            code: ended.code,
            rule: ended.rule,
            peer: peer.flatten(),
        };
        let calls = counts.calls.entry(of).or_default();
        *calls = calls.saturating_add(1);
    }
}

/// Whom a client's address is counted with: of IPv6, one client has a network of 64 bits (RFC 6177).
fn network(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = ipnet::Ipv6Net::new_assert(address, 64);
            format!("{}/64", network.network())
        }
    }
}

impl std::fmt::Debug for Transcripts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Transcripts")
    }
}

impl std::fmt::Debug for Heard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Heard")
            .field("answers", &self.answers.len())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ended")
            .field("operation", &self.operation)
            .field("code", &self.code)
            .finish_non_exhaustive()
    }
}
