//! How much memory reading takes.

use crate::policy::Policy;

/// The most memory that deciding a call, checking it, or finding the hosts of HTML takes at once beside a body, or HTML, of
/// this many bytes and beside what a host answers: 2 MiB and eight times the length.
///
/// A program with a limit of memory says by it how many bodies it can read at once. Most bodies take far less. It does not
/// hold for what writes JSON: transcripts, replays and the JSON form of questions. A policy that allows more than 4,096 requests
/// has a bound of its own, [`Policy::memory_bound`].
#[must_use]
pub const fn memory_bound(bytes: usize) -> usize {
    bytes.saturating_mul(8).saturating_add(2 << 20)
}

/// The records of this many requests fit into the 2 MiB of [`memory_bound`].
const FEW_REQUESTS: usize = 4096;

/// The bytes that are kept of each further request. The shortest request, a value of one digit and its comma, has two bytes.
const REQUEST: usize = 512;
const SHORTEST_REQUEST: usize = 2;

impl Policy {
    /// The most memory that deciding or checking a call takes at once under this policy, beside a body of this many bytes and
    /// beside what a host answers.
    ///
    /// This is [`memory_bound`] under a policy that allows 4,096 requests or fewer, as the interface does. Where a policy allows
    /// more, and the body has room for them, it is 512 bytes larger for each of them.
    #[must_use]
    pub fn memory_bound(&self, bytes: usize) -> usize {
        // More requests than can be counted are more than the body has room for.
        let allowed = usize::try_from(self.max_requests()).unwrap_or(usize::MAX);
        let requests = allowed.min(bytes / SHORTEST_REQUEST);
        let further = requests.saturating_sub(FEW_REQUESTS);
        memory_bound(bytes).saturating_add(further.saturating_mul(REQUEST))
    }
}

/// As [`memory_bound`], for a cursor over the links of HTML, which notes where each is written.
#[must_use]
pub const fn links_memory_bound(bytes: usize) -> usize {
    memory_bound(bytes).saturating_mul(3)
}
