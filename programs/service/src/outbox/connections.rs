//! How many emails may be on their way at once: as many as the mail server takes, and of no account so many that another one
//! finds no room.

/// An account may have that many times as many on their way as there are free places. One account alone takes all but an
/// eighth of them, and many accounts take equal parts (Choudhury and Hahne, dynamic queue length thresholds).
const SHARE: usize = 7;

/// The places for emails on their way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connections {
    most: usize,
    limit: usize,
    /// Emails that were taken since the limit changed.
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

    /// Whether one more may be sent beside `flights`.
    pub(super) const fn has_room(self, flights: usize) -> bool {
        flights < self.limit
    }

    /// Whether one more of an account may be sent, of which `own` of the `flights` are.
    pub(super) const fn has_room_for(self, own: usize, flights: usize) -> bool {
        own < self.limit.saturating_sub(flights).saturating_mul(SHARE)
    }

    /// The server has refused a connection beside `others`: it takes no more than those.
    pub(super) fn shrink(&mut self, others: usize) {
        self.limit = self.limit.min(others).max(1);
        self.taken = 0;
    }

    /// The server has taken an email. As many as are sent at once later, one more is tried.
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
        assert!(Connections::new(1).has_room_for(0, 0));
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
