//! Limits how many emails are sent at once: at most as many as the mail server accepts, and of one account few enough that
//! others can send as well.

/// An account may have this many times as many emails in flight as there are free slots. A single account takes all but an
/// eighth of the slots, and many accounts take equal parts (Choudhury and Hahne, dynamic queue length thresholds). If there
/// are fewer than eight slots, a single account leaves one, unless it is the only slot.
pub(super) const SHARE: usize = 7;

/// The slots for emails in flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connections {
    most: usize,
    limit: usize,
    /// The number of emails that the server has accepted since the limit changed.
    taken: usize,
}

impl Connections {
    pub(super) const fn new(most: usize) -> Self {
        Self {
            most,
            limit: most,
            taken: 0,
        }
    }

    /// Whether one more email may be sent in addition to `flights`.
    pub(super) const fn has_room(self, flights: usize) -> bool {
        flights < self.limit
    }

    /// Whether an account may send one more email. `own` of the `flights` are of this account.
    pub(super) const fn has_room_for(self, own: usize, flights: usize) -> bool {
        let takes_all = self.limit > 1 && own.saturating_add(1) >= self.limit;
        !takes_all && own < self.limit.saturating_sub(flights).saturating_mul(SHARE)
    }

    /// Lowers the limit to `others`, because the server has refused a connection in addition to them.
    pub(super) fn shrink(&mut self, others: usize) {
        self.limit = self.limit.min(others).max(1);
        self.taken = 0;
    }

    /// Counts an email that the server has accepted. After as many of them as the limit, the limit grows by one.
    pub(super) fn grow(&mut self) {
        self.taken = self.taken.saturating_add(1);
        if self.taken >= self.limit && self.limit < self.most {
            self.limit = self.limit.saturating_add(1);
            self.taken = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Connections;

    #[test]
    fn one_account_leaves_an_eighth_and_many_take_equal_parts() {
        for (accounts, most) in [(1, 28), (2, 15), (8, 4)] {
            let connections = Connections::new(32);
            let mut own = vec![0_usize; accounts];
            loop {
                let flights = own.iter().sum();
                let mut accounts = own.iter_mut();
                let Some(next) = accounts.find(|own| connections.has_room_for(**own, flights))
                else {
                    break;
                };
                *next += 1;
                own.sort_unstable();
            }
            assert!(own.iter().all(|own| (1..=most).contains(own)), "{own:?}");
        }
    }

    #[test]
    fn one_account_leaves_a_slot_however_few_there_are() {
        for limit in 1..=8 {
            let connections = Connections::new(limit);
            let mut own = 0;
            while connections.has_room(own) && connections.has_room_for(own, own) {
                own += 1;
            }
            // A single slot is for whoever comes first.
            assert_eq!(own, (limit - 1).max(1), "{limit} slots");
            assert_eq!(connections.has_room_for(0, own), own < limit);
        }
    }

    #[test]
    fn what_a_server_takes_is_found_and_tried_again() {
        let mut connections = Connections::new(32);
        for others in (10..32).rev() {
            connections.shrink(others);
        }
        assert!(connections.has_room(9) && !connections.has_room(10));
        for _ in 0..10 {
            connections.grow();
        }
        assert!(connections.has_room(10) && !connections.has_room(11));
        connections.shrink(0);
        assert!(connections.has_room(0));
    }
}
