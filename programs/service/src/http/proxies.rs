//! The proxies in front of the service. Many clients come from the address of one proxy.

use std::net::IpAddr;

use ipnet::IpNet;

/// The networks of the proxies.
#[derive(Clone, Debug)]
pub(super) struct Proxies(Vec<IpNet>);

impl Proxies {
    pub(super) fn new(networks: Vec<IpNet>) -> Self {
        Self(networks)
    }

    /// Whether an address is that of a proxy.
    pub(super) fn is_one(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}
