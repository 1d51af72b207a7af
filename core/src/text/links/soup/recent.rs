//! The hosts that were visited last. The four texts share most hosts. Without this set, a caller that keeps the hosts would
//! need several times the memory of the text.

use alloc::string::String;

/// The last hosts that were visited.
#[derive(Default)]
pub(super) struct RecentHosts {
    hosts: [String; 8],
    oldest: usize,
}

impl RecentHosts {
    /// Adds a host, and returns whether it was not one of the last ones.
    pub(super) fn add(&mut self, host: &str) -> bool {
        if self.hosts.iter().any(|known| known == host) {
            return false;
        }
        if let Some(oldest) = self.hosts.get_mut(self.oldest) {
            oldest.clear();
            oldest.push_str(host);
        }
        self.oldest = (self.oldest + 1) % self.hosts.len();
        true
    }
}
