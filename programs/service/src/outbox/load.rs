//! What is being sent, in total and of each account, and whether one more email may be sent. An account takes neither all
//! slots nor all bytes, so that others can send as well.

use std::collections::HashMap;

use super::connections::{Connections, SHARE};
use crate::store::AccountId;

/// Where the bytes of an email count while it is being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Within the limit.
    Within,
    /// Beside the limit. One email at a time may be there, whatever its length. Otherwise an email that is as long as the
    /// limit would fit only if nothing else were sent.
    Beside,
}

/// The emails in flight.
pub(super) struct Load {
    connections: Connections,
    /// The maximum number of bytes of the emails within.
    limit: u64,
    emails: usize,
    /// The bytes of the emails within the limit.
    bytes: u64,
    has_beside: bool,
    own: HashMap<AccountId, Own>,
}

/// The emails in flight of one account.
#[derive(Clone, Copy, Default)]
struct Own {
    emails: usize,
    bytes: u64,
}

impl Load {
    pub(super) fn new(connections: Connections, limit: u64) -> Self {
        Self {
            connections,
            limit,
            emails: 0,
            bytes: 0,
            has_beside: false,
            own: HashMap::new(),
        }
    }

    /// Counts an email that is being sent.
    pub(super) fn add(&mut self, account: AccountId, bytes: u64, place: Place) {
        self.emails = self.emails.saturating_add(1);
        match place {
            Place::Within => self.bytes = self.bytes.saturating_add(bytes),
            Place::Beside => self.has_beside = true,
        }
        let own = self.own.entry(account).or_default();
        own.emails = own.emails.saturating_add(1);
        own.bytes = own.bytes.saturating_add(bytes);
    }

    /// Whether one more email may be sent, of some account.
    pub(super) const fn has_room(&self) -> bool {
        self.connections.has_room(self.emails)
    }

    /// Returns where one more email of an account may be sent, if it may be sent now.
    pub(super) fn place(&self, account: AccountId, bytes: u64) -> Option<Place> {
        let own = self.own.get(&account).copied().unwrap_or_default();
        if !self.connections.has_room_for(own.emails, self.emails) {
            return None;
        }
        // The bytes that are free when this email is being sent as well.
        let free = self.limit.checked_sub(self.bytes.saturating_add(bytes));
        let own = own.bytes.saturating_add(bytes);
        match free {
            Some(free) if own <= free.saturating_mul(SHARE as u64) => Some(Place::Within),
            _ if !self.has_beside => Some(Place::Beside),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends emails of an account, each of these bytes, until no more has room. Returns how many it sent.
    fn fill(load: &mut Load, account: i64, bytes: u64) -> usize {
        let account = AccountId::from_number(account);
        let mut count = 0;
        while load.has_room()
            && let Some(place) = load.place(account, bytes)
        {
            load.add(account, bytes, place);
            count += 1;
        }
        count
    }

    #[test]
    fn one_account_leaves_an_eighth_of_the_bytes_whatever_the_length_of_its_emails() {
        for bytes in [10, 30, 100, 250, 400, 700, 800, 1_000_000] {
            let mut load = Load::new(Connections::new(100), 800);
            assert!(fill(&mut load, 1, bytes) > 0, "{bytes}");
            assert!(load.bytes <= 700, "{bytes}");
            // The eighth is divided in the same way.
            assert_eq!(
                load.place(AccountId::from_number(2), 87),
                Some(Place::Within)
            );
        }
    }

    #[test]
    fn one_email_is_beside_the_limit_at_a_time() {
        let mut load = Load::new(Connections::new(8), 800);
        assert_eq!(fill(&mut load, 1, 900), 1);
        assert_eq!(fill(&mut load, 2, 900), 0);
        assert_eq!(fill(&mut load, 2, 700), 1);
        assert_eq!(fill(&mut load, 3, 1), 6, "the slots that are left");
    }

    #[test]
    fn several_accounts_share_the_bytes_and_each_has_some() {
        let mut load = Load::new(Connections::new(100), 800);
        let shares = [1, 2, 3].map(|account| fill(&mut load, account, 10));
        assert_eq!(shares, [71, 8, 1]);
    }
}
