//! The client's address: the peer of the connection, or the one that a trusted proxy names.

use std::net::{IpAddr, SocketAddr};

use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::{FORWARDED, HeaderName};
use ipnet::IpNet;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The other end of the connection, an extension of each request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The proxies whose word is taken.
#[derive(Clone, Debug)]
pub struct Proxies(Vec<IpNet>);

impl Proxies {
    /// The proxies within these networks.
    #[must_use]
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    /// The address of a request's client. `None` when it is behind a proxy that is not trusted, or that names nobody.
    pub(super) fn client(&self, request: &Request) -> Option<IpAddr> {
        let Peer(peer) = request.extensions().get()?;
        self.client_of(peer.ip().to_canonical(), request.headers())
    }

    /// Each proxy adds the address that it saw at the end: the last one that is no trusted proxy's is the client's.
    fn client_of(&self, peer: IpAddr, headers: &HeaderMap) -> Option<IpAddr> {
        let is_forwarded = headers.contains_key(X_FORWARDED_FOR) || headers.contains_key(FORWARDED);
        if !self.is_trusted(peer) {
            return (!is_forwarded).then_some(peer);
        }
        let named: Vec<&str> = headers
            .get_all(X_FORWARDED_FOR)
            .iter()
            .map(|value| value.to_str().unwrap_or_default())
            .flat_map(|value| value.split(','))
            .collect();
        for address in named.into_iter().rev() {
            let address = address.trim().parse::<IpAddr>().ok()?.to_canonical();
            if !self.is_trusted(address) {
                return Some(address);
            }
        }
        (!is_forwarded).then_some(peer)
    }

    /// Whether an address is that of a trusted proxy.
    pub(super) fn is_trusted(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    fn client(peer: &str, forwarded: &[&str]) -> Option<String> {
        let proxies = Proxies::new(vec!["10.0.0.0/8".parse().unwrap()]);
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append(X_FORWARDED_FOR, value.parse().unwrap());
        }
        let client = proxies.client_of(peer.parse().unwrap(), &headers);
        client.map(|address| address.to_string())
    }

    #[test]
    fn forwarded_addresses_are_believed_from_trusted_proxies_only() {
        assert_eq!(client("10.0.0.1", &["192.0.2.7"]).unwrap(), "192.0.2.7");
        assert_eq!(client("198.51.100.9", &["127.0.0.1"]), None);
        assert_eq!(client("198.51.100.9", &[]).unwrap(), "198.51.100.9");
    }

    #[test]
    fn what_a_client_writes_itself_stands_before_what_the_proxies_saw() {
        let chain = ["127.0.0.1, 192.0.2.7", "10.1.1.1"];
        assert_eq!(client("10.0.0.1", &chain).unwrap(), "192.0.2.7");
        assert_eq!(client("10.0.0.1", &["192.0.2.7, unknown"]), None);
        assert_eq!(client("10.0.0.1", &["10.2.2.2"]), None);
    }
}
