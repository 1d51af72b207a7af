//! The hosts of one HTML, until its request is known to stand.

use alloc::string::String;
use alloc::vec::Vec;

/// The hosts of one HTML, in pieces that are given back as they are read: there may be as much of them as of HTML.
#[derive(Default)]
pub(super) struct Hosts {
    full: Vec<String>,
    /// One host a line.
    last: String,
}

impl Hosts {
    const PIECE: usize = 1 << 20;

    pub(super) fn clear(&mut self) {
        self.full.clear();
        self.last.clear();
    }

    pub(super) fn push(&mut self, host: &str) {
        if self.last.len() + host.len() > Self::PIECE && !self.last.is_empty() {
            self.full.push(core::mem::take(&mut self.last));
        }
        if self.last.capacity() == 0 {
            self.last.reserve(256);
        }
        self.last.push_str(host);
        self.last.push('\n');
    }

    /// Gives the hosts back, up to the first that `visit` does not take.
    ///
    /// # Errors
    /// That of `visit`.
    pub(super) fn drain<E>(
        &mut self,
        mut visit: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        for piece in self.full.drain(..) {
            piece.lines().try_for_each(&mut visit)?;
        }
        self.last.lines().try_for_each(visit)?;
        self.last.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_kept_in_pieces_and_given_back_in_order_once() {
        let host = "a".repeat(Hosts::PIECE / 4 - 1);
        let mut hosts = Hosts::default();
        for (count, full) in [(4, 0), (1, 1), (3, 1), (1, 2)] {
            for _ in 0..count {
                hosts.push(&host);
            }
            assert_eq!(hosts.full.len(), full);
        }
        hosts.push("last.example");
        let mut given = Vec::new();
        let keep = |host: &str| -> Result<(), ()> {
            given.push(String::from(host));
            Ok(())
        };
        assert_eq!(hosts.drain(keep), Ok(()));
        assert_eq!(given.len(), 10);
        assert!(given.iter().take(9).all(|given| *given == host));
        assert_eq!(given.last().map(String::as_str), Some("last.example"));
        let again = hosts.drain(|_| Err("they were given back"));
        assert_eq!(again, Ok(()));
    }

    #[test]
    fn a_host_longer_than_a_piece_has_its_own() {
        let long = "a".repeat(Hosts::PIECE * 2);
        let mut hosts = Hosts::default();
        hosts.push(&long);
        assert!(hosts.full.is_empty());
        hosts.push(&long);
        assert_eq!(hosts.full.len(), 1);
    }
}
