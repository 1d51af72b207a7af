//! Upper bounds of the memory that a call takes.

/// The most memory, in bytes, that deciding a call, checking it, or finding the hosts of HTML takes at once: 2 MiB and eight
/// times `bytes`, the length of the body or the HTML. The body or HTML itself and the host's answers are not counted.
///
/// A program with a memory limit can compute from it how many bodies to read at once. Most bodies take far less. The bound
/// does not cover composing, JSON forms, transcripts and replays. For a policy that allows more than 4,096 requests, use
/// [`crate::Policy::memory_bound`].
#[must_use]
pub const fn memory_bound(bytes: usize) -> usize {
    bytes.saturating_mul(8).saturating_add(2 << 20)
}

/// Like [`memory_bound`], for an iterator over the links of HTML. It takes more, because it notes where each link is.
#[must_use]
pub const fn links_memory_bound(bytes: usize) -> usize {
    memory_bound(bytes).saturating_mul(3)
}
