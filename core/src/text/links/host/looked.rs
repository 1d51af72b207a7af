//! The parts of a text that were looked at last: most readings of a link are the same.

use core::ops::Range;

/// The last parts that were looked at, and whether each has a host.
#[derive(Debug, Default)]
pub(in super::super) struct Looked {
    parts: [(Range<usize>, bool); 8],
    oldest: usize,
}

impl Looked {
    pub(in super::super) fn get(&self, part: &Range<usize>) -> Option<bool> {
        let known = self.parts.iter().find(|(known, _)| known == part);
        known.map(|(_, has_host)| *has_host)
    }

    pub(in super::super) fn add(&mut self, part: Range<usize>, has_host: bool) {
        if let Some(oldest) = self.parts.get_mut(self.oldest) {
            *oldest = (part, has_host);
        }
        self.oldest = (self.oldest + 1) % self.parts.len();
    }
}
