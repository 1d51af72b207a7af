//! A sorted set of hosts. Its memory is bounded by that of the HTML which has them.

use alloc::string::String;
use alloc::vec::Vec;

use super::span::Span;
use crate::debug::debug_shows;

/// The hosts that [`super::hosts`] found: sorted, each once.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SortedHosts {
    /// The hosts, each directly after the one before.
    text: String,
    spans: Vec<Span>,
    /// The number of spans that are sorted. No two of these have equal hosts.
    sorted: usize,
}

/// The least number of unsorted spans for which all spans are sorted again.
const TOGETHER: usize = 64;

impl SortedHosts {
    /// The number of hosts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The host at an index, counted from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&str> {
        Some(self.spans.get(index)?.of(&self.text))
    }

    /// All hosts, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.spans.iter().map(|span| span.of(&self.text))
    }

    /// Adds a host, unless it is known to be there.
    pub(super) fn insert(&mut self, host: &str) {
        let compare = |span: &Span| span.of(&self.text).cmp(host);
        let sorted = self.spans.get(..self.sorted);
        if sorted.is_some_and(|sorted| sorted.binary_search_by(compare).is_ok()) {
            return;
        }
        let start = self.text.len();
        self.text.push_str(host);
        self.spans.push(Span::new(start, self.text.len()));
        // Sorting each time the number has doubled costs no more for each host than sorting once.
        if self.spans.len() - self.sorted >= self.sorted.max(TOGETHER) {
            self.sort();
        }
    }

    /// Sorts all hosts and removes repeated ones.
    pub(super) fn sort(&mut self) {
        let text = &self.text;
        self.spans
            .sort_unstable_by(|one, other| one.of(text).cmp(other.of(text)));
        self.spans
            .dedup_by(|one, other| one.of(text) == other.of(text));
        self.sorted = self.spans.len();
    }
}

// The hosts may name a person.
debug_shows!(SortedHosts { len() });

#[cfg(test)]
mod tests;
