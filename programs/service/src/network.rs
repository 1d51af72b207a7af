//! The networks by which clients are told apart.

use std::net::IpAddr;

use ipnet::IpNet;

/// The length of the prefix that all addresses of a client with IPv6 share (RFC 6177).
const OF_IPV6: u8 = 64;

/// The network of the client that has an address: with IPv4 the address alone, with IPv6 the network of 64 bits.
pub(crate) fn of_client(address: IpAddr) -> IpNet {
    match address.to_canonical() {
        address @ IpAddr::V4(_) => address.into(),
        address @ IpAddr::V6(_) => IpNet::new_assert(address, OF_IPV6).trunc(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    #[test]
    fn a_client_with_ipv6_has_64_bits_of_addresses_and_another_one_has_one() {
        let of = |host: u16| of_client(Ipv6Addr::new(0x2001, 0xdb8, 1, 2, 3, 4, 5, host).into());
        assert_eq!(of(1), of(2));
        assert_eq!(of(1).to_string(), "2001:db8:1:2::/64");
        let next = Ipv6Addr::new(0x2001, 0xdb8, 1, 3, 0, 0, 0, 1);
        assert_ne!(of(1), of_client(next.into()));
        let address = Ipv4Addr::new(192, 0, 2, 1);
        assert_eq!(of_client(address.into()).to_string(), "192.0.2.1/32");
        // An IPv4 address that is written as one of IPv6 is the same client.
        let mapped = address.to_ipv6_mapped();
        assert_eq!(of_client(mapped.into()), of_client(address.into()));
    }
}
