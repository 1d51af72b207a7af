//! The hosts of one request's HTML, kept until the request has been judged.

use alloc::string::String;
use alloc::vec::Vec;

/// The hosts of one request's HTML. They may take as much memory as the HTML, so they are kept in pieces, each of which is
/// freed when it has been read. The same host can appear in many places, so a full piece is reduced to its distinct hosts.
#[derive(Default)]
pub(super) struct Hosts {
    full: Vec<String>,
    /// One host on each line.
    last: String,
}

impl Hosts {
    const PIECE: usize = 1 << 18;

    pub(super) fn clear(&mut self) {
        self.full.clear();
        self.last.clear();
    }

    pub(super) fn push(&mut self, host: &str) {
        if self.is_last(host) {
            return;
        }
        if self.last.len() + host.len() > Self::PIECE && !self.last.is_empty() {
            self.last = each_once(&self.last);
            if self.last.len() > Self::PIECE / 2 {
                self.full.push(core::mem::take(&mut self.last));
            }
        }
        self.last.push_str(host);
        self.last.push('\n');
    }

    /// Whether a host is the one that was pushed last. Links to one host often follow each other.
    fn is_last(&self, host: &str) -> bool {
        let last = self.last.strip_suffix('\n');
        let before = last.and_then(|hosts| hosts.strip_suffix(host));
        before.is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    }

    /// Visits the hosts and removes them. Stops at the first error of `visit`, and returns it.
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

/// The distinct lines, in the order in which each first appears.
fn each_once(lines: &str) -> String {
    let mut hosts: Vec<&str> = lines.lines().collect();
    hosts.sort_unstable_by_key(|host| (*host, host.as_ptr()));
    hosts.dedup();
    hosts.sort_unstable_by_key(|host| host.as_ptr());
    let mut kept = String::with_capacity(hosts.iter().map(|host| host.len() + 1).sum());
    for host in hosts {
        kept.push_str(host);
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests;
