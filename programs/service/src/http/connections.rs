//! The open connections. At the limit, the connection that has been idle longest is closed for a new one. One client may
//! have only a part of the limit, whichever of its addresses its connections come from.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;
use tokio_util::sync::CancellationToken;

use crate::network;

/// The limit is divided into this many parts, and one client may have one of them.
const PARTS: usize = 4;

/// The open connections. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Connections(Arc<Mutex<Open>>);

#[derive(Debug)]
struct Open {
    most: usize,
    last: u64,
    all: HashMap<u64, Connection>,
    by_client: HashMap<IpNet, usize>,
    /// Connections without a request, in the order in which they became idle.
    idle: BTreeMap<u64, u64>,
}

#[derive(Debug)]
struct Connection {
    /// `None` if it comes from a proxy.
    client: Option<IpNet>,
    /// Its key in `Open::idle`, if it has no request.
    idle: Option<u64>,
    closed: CancellationToken,
}

/// The place of a connection, until this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    open: Connections,
    id: u64,
    /// Cancelled when the connection is closed for another one.
    pub(super) closed: CancellationToken,
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(Open {
            most,
            last: 0,
            all: HashMap::new(),
            by_client: HashMap::new(),
            idle: BTreeMap::new(),
        })))
    }

    /// Takes a place for a connection from an address. `is_proxy` says that many clients come from this address. `None` if
    /// every place that the connection could have is in use by a request.
    pub(super) fn open(&self, address: IpAddr, is_proxy: bool) -> Option<Place> {
        let client = (!is_proxy).then(|| network::of_client(address));
        let mut open = self.lock();
        let own = client.and_then(|client| open.by_client.get(&client).copied());
        let share = open.most.div_ceil(PARTS);
        if own.is_some_and(|own| own >= share) {
            open.close_idle(client)?;
        } else if open.all.len() >= open.most {
            open.close_idle(None)?;
        }
        let id = open.next();
        let closed = CancellationToken::new();
        let connection = Connection {
            client,
            idle: Some(id),
            closed: closed.clone(),
        };
        open.idle.insert(id, id);
        open.all.insert(id, connection);
        if let Some(client) = client {
            let own = open.by_client.entry(client).or_default();
            *own = own.saturating_add(1);
        }
        Some(Place {
            open: self.clone(),
            id,
            closed,
        })
    }

    /// Notes that a request has begun on a connection, or has been answered.
    pub(super) fn set_idle(&self, id: u64, is_idle: bool) {
        let mut open = self.lock();
        let since = open.next();
        let Some(connection) = open.all.get_mut(&id) else {
            return;
        };
        let before = std::mem::replace(&mut connection.idle, is_idle.then_some(since));
        if let Some(before) = before {
            open.idle.remove(&before);
        }
        if is_idle {
            open.idle.insert(since, id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn next(&mut self) -> u64 {
        self.last = self.last.wrapping_add(1);
        self.last
    }

    /// Closes the connection that has been idle longest, of one client or of all. `None` if no connection is idle.
    fn close_idle(&mut self, client: Option<IpNet>) -> Option<()> {
        let is_of = |id: &u64| match self.all.get(id) {
            Some(connection) => client.is_none() || connection.client == client,
            None => false,
        };
        let id = self.idle.values().copied().find(is_of)?;
        self.remove(id)?.closed.cancel();
        Some(())
    }

    fn remove(&mut self, id: u64) -> Option<Connection> {
        let connection = self.all.remove(&id)?;
        if let Some(since) = connection.idle {
            self.idle.remove(&since);
        }
        if let Some(client) = connection.client
            && let Some(own) = self.by_client.get_mut(&client)
        {
            *own = own.saturating_sub(1);
            if *own == 0 {
                self.by_client.remove(&client);
            }
        }
        Some(connection)
    }
}

impl Place {
    /// The connection's number.
    pub(super) const fn id(&self) -> u64 {
        self.id
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.open.lock().remove(self.id);
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    fn address(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    #[test]
    fn the_connection_that_is_idle_longest_makes_room_and_requests_do_not() {
        let open = Connections::new(3);
        let one = open.open(address(1), false).unwrap();
        let other = open.open(address(2), false).unwrap();
        let third = open.open(address(3), false).unwrap();
        open.set_idle(one.id(), false);
        open.set_idle(other.id(), false);
        open.set_idle(other.id(), true);
        let fourth = open.open(address(4), false).unwrap();
        assert!(third.closed.is_cancelled() && !other.closed.is_cancelled());
        open.set_idle(fourth.id(), false);
        open.set_idle(other.id(), false);
        assert!(open.open(address(5), false).is_none());
        // A connection that was closed before is not counted again.
        drop(third);
        assert!(open.open(address(5), false).is_none());
        drop(one);
        assert!(open.open(address(5), false).is_some());
    }

    #[test]
    fn one_address_has_a_part_and_closes_its_own_but_for_a_proxy() {
        let open = Connections::new(8);
        let other = open.open(address(2), false).unwrap();
        let first = open.open(address(1), false).unwrap();
        let second = open.open(address(1), false).unwrap();
        let third = open.open(address(1), false).unwrap();
        assert!(first.closed.is_cancelled() && !other.closed.is_cancelled());
        open.set_idle(second.id(), false);
        open.set_idle(third.id(), false);
        assert!(open.open(address(1), false).is_none());
        let proxied: Vec<_> = (0..5)
            .map(|_| open.open(address(3), true).unwrap())
            .collect();
        assert!(proxied.iter().all(|place| !place.closed.is_cancelled()));
    }

    #[test]
    fn the_addresses_of_a_client_with_ipv6_have_one_part_together() {
        let open = Connections::new(8);
        let of = |network: u16, host: u16, is_proxy: bool| {
            let address = [0x2001, 0xdb8, 0, network, 0, 0, 0, host];
            open.open(IpAddr::from(address), is_proxy)
        };
        let places = [of(1, 1, false).unwrap(), of(1, 2, false).unwrap()];
        for place in &places {
            open.set_idle(place.id(), false);
        }
        assert!(of(1, 3, false).is_none());
        assert!(of(2, 1, false).is_some());
        // The connections of a proxy are not those of its neighbours.
        let proxied: Vec<_> = (0..3).map(|_| of(3, 1, true).unwrap()).collect();
        assert!(of(3, 2, false).is_some());
        assert!(proxied.iter().all(|place| !place.closed.is_cancelled()));
    }
}
