//! The addresses to which webhooks may not post, because they are not of the public internet by the registries of
//! special-purpose addresses (IANA; RFC 6890). Accounts choose the endpoints, and without this check a post could reach
//! hosts that the service's network hides from them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(a: u16, b: u16, c: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), length)
}

const V4: [(Ipv4Net, &str); 15] = [
    (v4(0, 0, 0, 0, 8), "this network (RFC 791)"),
    (v4(10, 0, 0, 0, 8), "private (RFC 1918)"),
    (v4(100, 64, 0, 0, 10), "shared by a provider (RFC 6598)"),
    (v4(127, 0, 0, 0, 8), "this host (RFC 1122)"),
    (v4(169, 254, 0, 0, 16), "link-local (RFC 3927)"),
    (v4(172, 16, 0, 0, 12), "private (RFC 1918)"),
    (v4(192, 0, 0, 0, 24), "reserved for protocols (RFC 6890)"),
    (v4(192, 0, 2, 0, 24), "for documentation (RFC 5737)"),
    (v4(192, 88, 99, 0, 24), "a 6to4 relay (RFC 7526)"),
    (v4(192, 168, 0, 0, 16), "private (RFC 1918)"),
    (v4(198, 18, 0, 0, 15), "for benchmarks (RFC 2544)"),
    (v4(198, 51, 100, 0, 24), "for documentation (RFC 5737)"),
    (v4(203, 0, 113, 0, 24), "for documentation (RFC 5737)"),
    (v4(224, 0, 0, 0, 4), "multicast (RFC 5771)"),
    (v4(240, 0, 0, 0, 4), "reserved (RFC 1112)"),
];

/// The only IPv6 addresses of the public internet (RFC 4291, 2.4), except for those of `V6`.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 3);

const V6: [(Ipv6Net, &str); 5] = [
    (v6(0x2001, 0, 0, 32), "Teredo (RFC 4380)"),
    (v6(0x2001, 0, 0, 23), "reserved for protocols (RFC 2928)"),
    (v6(0x2001, 0xdb8, 0, 32), "for documentation (RFC 3849)"),
    (v6(0x2002, 0, 0, 16), "6to4 (RFC 3056)"),
    (v6(0x3fff, 0, 0, 20), "for documentation (RFC 9637)"),
];

/// The prefix by which an IPv6 network reaches IPv4 (RFC 6052).
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 96);

/// Why webhooks may not post to an address. `None` if they may, as to every address of the allowed networks.
#[must_use]
pub fn refused(address: IpAddr, allowed: &[IpNet]) -> Option<&'static str> {
    // An IPv4 address that is written as an IPv6 address is reached over IPv4 (RFC 4291, 2.5.5.2).
    let address = address.to_canonical();
    if allowed.iter().any(|network| network.contains(&address)) {
        return None;
    }
    match address {
        IpAddr::V4(address) => refused_v4(address),
        IpAddr::V6(address) if NAT64.contains(&address) => {
            let [.., a, b, c, d] = address.octets();
            refused_v4(Ipv4Addr::new(a, b, c, d))
        }
        IpAddr::V6(address) if GLOBAL_V6.contains(&address) => {
            let of = V6.iter().find(|(network, _)| network.contains(&address));
            of.map(|(_, why)| *why)
        }
        IpAddr::V6(_) => Some("not of the public internet (RFC 4291)"),
    }
}

fn refused_v4(address: Ipv4Addr) -> Option<&'static str> {
    let of = V4.iter().find(|(network, _)| network.contains(&address));
    of.map(|(_, why)| *why)
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    /// Addresses that are refused: the first and the last of each network, and IPv4 addresses in every form of IPv6.
    const REFUSED: [&str; 60] = [
        "0.0.0.0",
        "0.255.255.255",
        "10.0.0.0",
        "10.255.255.255",
        "100.64.0.0",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255",
        "169.254.0.0",
        "169.254.169.254",
        "169.254.255.255",
        "172.16.0.0",
        "172.31.255.255",
        "192.0.0.0",
        "192.0.0.170",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.0",
        "192.168.255.255",
        "198.18.0.0",
        "198.19.255.255",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "::127.0.0.1",
        "::8.8.8.8",
        "64:ff9b::127.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::8.8.8.8",
        "64:ff9b:1::10.0.0.1",
        "100::1",
        "2001::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a00:1::",
        "2002:808:808::1",
        "3fff::1",
        "3fff:fff::1",
        "5f00::1",
        "fc00::1",
        "fdff:ffff::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "ff0e::1",
    ];

    const TAKEN: [&str; 12] = [
        "1.1.1.1",
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2001:4860:4860::8888",
        "2606:4700:4700::1111",
    ];

    #[test]
    fn addresses_that_are_not_of_the_public_internet_are_refused() {
        for text in REFUSED {
            assert!(refused(text.parse().unwrap(), &[]).is_some(), "{text}");
        }
        for text in TAKEN {
            assert_eq!(refused(text.parse().unwrap(), &[]), None, "{text}");
        }
    }

    #[test]
    fn a_network_that_is_named_is_allowed_and_no_other() {
        let allowed: [IpNet; 2] = ["10.1.0.0/16".parse().unwrap(), "fd00::/8".parse().unwrap()];
        for text in ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1"] {
            assert_eq!(refused(text.parse().unwrap(), &allowed), None, "{text}");
        }
        for text in ["10.2.0.1", "127.0.0.1", "fc00::1", "64:ff9b::10.1.2.3"] {
            assert!(refused(text.parse().unwrap(), &allowed).is_some(), "{text}");
        }
    }
}
