//! Keeps calls so that an operator can explain them later, and counts them.
//!
//! A call that is decided is put into a queue, and its client does not wait for the database. A task writes the queue every
//! half second. When the queue is full, a call is not kept, and `franking_transcripts_lost_total` counts it. When the
//! process is killed, the calls in the queue are lost.

mod keeper;

use std::collections::{HashMap, HashSet};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use franking::{HostAnswer, Operation, Policy};
use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::key_file::KeyFile;
use crate::network;
use crate::store::{AccountId, CallId, CountOf, KeyHash, Store};
use crate::telemetry;
use keeper::Keeper;
pub use keeper::Keeping;
pub(crate) use keeper::PURPOSE;

/// Which calls are kept, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TranscriptKind {
    /// None. Calls are only counted.
    None,
    /// Refused calls, with their texts masked.
    Masked,
    /// All calls. Only the key is masked.
    Whole,
}

/// The longest body that is kept.
pub(crate) const LONGEST: usize = 1 << 20;
/// The most recipients, senders and domains that a call with a transcript asks about. While a transcript is made, each takes
/// up to 1 KB of memory several times over, and a short body can name many.
pub(crate) const MOST_QUESTIONS: usize = 5_000;
/// The size of the queue in KiB, counted as bodies and answers.
const QUEUE_KIB: usize = 32 << 10;
/// The size of the queue in calls.
const CALLS: usize = 4096;
/// The number of clients without an account that are told apart in a day. The calls of all others are counted together.
const PEERS: usize = 10_000;

/// A call with the answers that it was given.
pub struct Heard {
    /// The policy that it was judged by.
    pub policy: Policy,
    /// The HTTP method.
    pub method: String,
    /// The body.
    pub body: Vec<u8>,
    /// The answers, in the order in which they were given.
    pub answers: Vec<HostAnswer>,
}

/// A call that is decided.
pub struct Ended {
    /// The account, if its key is an account's.
    pub account: Option<AccountId>,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// The operation that it called.
    pub operation: Operation,
    /// Its code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The length of its body.
    pub bytes: usize,
    /// The time from its head to its outcome.
    pub time: Duration,
    /// The client.
    pub peer: IpAddr,
    /// The id of the request.
    pub request: String,
    /// The key of an account's call.
    pub key: Option<KeyHash>,
    /// The parts of it that are kept, if it is kept.
    pub heard: Option<Box<Heard>>,
}

/// The sending end of the queue. Clones share the queue.
#[derive(Clone)]
pub struct Transcripts(Arc<Inner>);

struct Inner {
    kept: TranscriptKind,
    counts: Arc<Mutex<Counts>>,
    sender: mpsc::Sender<(Ended, OwnedSemaphorePermit)>,
    kib: Arc<Semaphore>,
}

/// Counts that are not written yet.
#[derive(Default)]
struct Counts {
    calls: HashMap<CountOf, u64>,
    /// Keys that were used.
    keys: HashSet<KeyHash>,
    /// Clients without an account, of this day.
    peers: HashSet<String>,
}

impl Counts {
    /// The client by which a call without an account is counted. `None` when there are too many clients to tell apart.
    fn peer(&mut self, address: IpAddr) -> Option<String> {
        let peer = network(address);
        if self.peers.len() < PEERS {
            self.peers.insert(peer.clone());
        }
        self.peers.contains(&peer).then_some(peer)
    }
}

impl Transcripts {
    /// Starts the task that keeps calls. `share` is the number of bytes of one account's calls that are kept at once, and
    /// again in the course of each day. Without a key file, calls are kept without transcripts, because nothing can seal them.
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
            kib: Arc::new(Semaphore::new(QUEUE_KIB)),
        };
        (Self(Arc::new(inner)), keeper.start(receiver))
    }

    /// Whether the answers to a call are noted, by the length of its body.
    #[must_use]
    pub fn notes(&self, bytes: usize) -> bool {
        self.0.kept != TranscriptKind::None && bytes <= LONGEST
    }

    /// Whether an accepted or a refused call is kept.
    #[must_use]
    pub fn keeps(&self, is_accepted: bool) -> bool {
        match self.0.kept {
            TranscriptKind::None => false,
            TranscriptKind::Masked => !is_accepted,
            TranscriptKind::Whole => true,
        }
    }

    /// Counts a call that is decided, and puts it into the queue if it is kept. It does not wait.
    pub fn take(&self, ended: Ended) {
        self.count(&ended);
        if ended.account.is_none() || !self.keeps(ended.call.is_some()) {
            return;
        }
        let heard = ended.heard.as_ref().map_or(0, |heard| heard.body.len());
        // The answers take about as much memory as the body. So a body counts twice: its length in KiB, times two.
        let kibibytes = u32::try_from(heard / 512)
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        let kib = Arc::clone(&self.0.kib).try_acquire_many_owned(kibibytes);
        let is_taken = kib.is_ok_and(|kib| self.0.sender.try_send((ended, kib)).is_ok());
        if !is_taken {
            telemetry::transcripts_lost(1);
        }
    }

    fn count(&self, ended: &Ended) {
        let mut counts = self.0.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let peer = match ended.account {
            Some(_) => None,
            None => counts.peer(ended.peer),
        };
        if let Some(key) = ended.key {
            counts.keys.insert(key);
        }
        let of = CountOf {
            account: ended.account,
            operation: ended.operation,
            code: ended.code,
            rule: ended.rule,
            peer,
        };
        let calls = counts.calls.entry(of).or_default();
        *calls = calls.saturating_add(1);
    }
}

/// The address that a client is counted by, or its network of IPv6.
fn network(address: IpAddr) -> String {
    match network::of_client(address) {
        IpNet::V4(of_one) => of_one.addr().to_string(),
        network @ IpNet::V6(_) => network.to_string(),
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

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    #[test]
    fn a_client_is_its_address_or_its_network_and_only_the_first_ones_of_a_day_are_counted() {
        let mut counts = Counts::default();
        let of = |number: u32| IpAddr::V4(Ipv4Addr::from_bits(number));
        let one: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 1, 2, 3, 4, 5, 6);
        assert_eq!(
            counts.peer(one.into()).as_deref(),
            Some("2001:db8:1:2::/64")
        );
        assert_eq!(counts.peer(of(1)).as_deref(), Some("0.0.0.1"));
        for number in 2..PEERS as u32 {
            assert!(counts.peer(of(number)).is_some());
        }
        assert_eq!(counts.peer(of(u32::MAX)), None);
        assert_eq!(counts.peer(of(1)).as_deref(), Some("0.0.0.1"));
    }

    #[test]
    fn the_pages_say_how_much_is_queued_and_how_many_clients_are_told_apart() {
        let thousands = |number: usize| {
            let digits = number.to_string();
            let parts: Vec<&str> = digits
                .as_bytes()
                .rchunks(3)
                .rev()
                .filter_map(|part| str::from_utf8(part).ok())
                .collect();
            parts.join(",")
        };
        let operating = include_str!("../../../../docs/operating.md");
        let queued = format!(
            "| calls that are about to be kept as transcripts | {} |",
            thousands(QUEUE_KIB * 1024)
        );
        assert!(operating.contains(&queued), "{queued}");
        // Making one takes a few copies of its body, and of its answers, which have 1 KB each.
        let made = format!(
            "| transcripts that are made, one at a time, and written | {} |",
            thousands(keeper::WRITTEN + (40 << 20))
        );
        assert!(operating.contains(&made), "{made}");
        let observing = include_str!("../../../../docs/observing.md");
        let questions = format!(
            "that ask about more than {} recipients, senders and domains",
            thousands(MOST_QUESTIONS)
        );
        assert!(observing.contains(&questions), "{questions}");
        let clients = format!(
            "A process tells {} such clients a day apart",
            thousands(PEERS)
        );
        assert!(observing.contains(&clients), "{clients}");
        let longest = format!("Bodies over {} MB are not kept", LONGEST >> 20);
        assert!(observing.contains(&longest), "{longest}");
    }
}
