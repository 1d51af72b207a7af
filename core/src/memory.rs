//! How much memory reading takes.

/// The most memory that deciding a call, checking it, or finding the hosts of HTML takes at once beside a body, or HTML, of
/// this many bytes and beside what a host answers: 2 MiB and eight times the length.
///
/// A program with a limit of memory says by it how many bodies it can read at once. Most bodies take far less. It does not
/// hold for what writes JSON: transcripts, replays and the JSON form of questions. A policy that allows more than 4,096 requests
/// has a bound of its own, [`crate::Policy::memory_bound`].
#[must_use]
pub const fn memory_bound(bytes: usize) -> usize {
    bytes.saturating_mul(8).saturating_add(2 << 20)
}

/// As [`memory_bound`], for a cursor over the links of HTML, which notes where each is written.
#[must_use]
pub const fn links_memory_bound(bytes: usize) -> usize {
    memory_bound(bytes).saturating_mul(3)
}
