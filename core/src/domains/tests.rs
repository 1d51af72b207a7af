use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::*;
use crate::fault::Fault;
use crate::text::domain;
use proptest::prelude::*;

impl Domains {
    /// A name and its roles.
    pub(crate) fn get<'a>(
        &'a self,
        index: usize,
        body: &'a str,
    ) -> Option<(Cow<'a, str>, DomainRoles)> {
        let roles = *self.roles.get(index)?;
        let name = self.name(u32::try_from(index).ok()?, body)?;
        Some((name, roles))
    }
}

/// Names and roles as they are asked about.
fn listed(domains: &Domains, body: &str) -> Vec<(String, u8)> {
    (0..domains.len())
        .map(|index| domains.get(index, body).unwrap())
        .map(|(name, roles)| (name.to_string(), roles.bits()))
        .collect()
}

/// The expected names and roles, found by walking up from every host and comparing each name with all names before it.
fn expected(hosts: &[(String, DomainRoles)]) -> Vec<(String, u8)> {
    let mut names: Vec<(String, u8)> = Vec::new();
    for (host, roles) in hosts {
        for name in domain::walk(host) {
            match names.iter_mut().find(|(own, _)| *own == *name) {
                Some((_, own)) => *own |= roles.bits(),
                None => names.push((name.to_string(), roles.bits())),
            }
        }
    }
    names
}

/// Compares the names and roles of these hosts with the expected ones. `place` says where the text of each host is: 0 in the
/// arena, 1 in the body, 2 in the body in upper case.
fn compare(hosts: &[(String, DomainRoles)], place: impl Fn(usize) -> usize) {
    let mut body = String::new();
    let mut spans = Vec::new();
    for (index, (host, _)) in hosts.iter().enumerate() {
        spans.push(body.len()..body.len() + host.len());
        match place(index) {
            2 => body.push_str(&host.to_ascii_uppercase()),
            _ => body.push_str(host),
        }
        body.push(',');
    }
    let body = body.as_str();
    let mut domains = Domains::default();
    for (index, (host, roles)) in hosts.iter().enumerate() {
        let place = place(index);
        if place > 0 {
            domains
                .insert_body(spans[index].clone(), place == 2, body, *roles)
                .unwrap();
        } else {
            domains.insert_host(host, body, *roles).unwrap();
        }
    }
    domains.finish(body).unwrap();
    assert_eq!(listed(&domains, body), expected(hosts));
    let iterated: Vec<_> = domains
        .iter(body)
        .map(|(name, roles)| (name.to_string(), roles.bits()))
        .collect();
    assert_eq!(iterated, expected(hosts));
    // The names after the ones that are passed over are the same.
    for step in [2, 3, 7, 100] {
        let some: Vec<_> = domains
            .iter(body)
            .step_by(step)
            .map(|(name, roles)| (name.to_string(), roles.bits()))
            .collect();
        let expected = iterated.iter().step_by(step).cloned();
        assert_eq!(some, expected.collect::<Vec<_>>());
    }
    for passed in [0, iterated.len() / 2, iterated.len()] {
        let mut names = domains.iter(body).skip(passed);
        assert_eq!(names.len(), iterated.len() - passed);
        let next = names.next().map(|(name, _)| name.to_string());
        let expected = iterated.get(passed).map(|(name, _)| name.clone());
        assert_eq!(next, expected);
        assert_eq!(names.len(), (iterated.len() - passed).saturating_sub(1));
    }
    let all: Vec<DomainRoles> = hosts.iter().map(|_| DomainRoles::SENDER).collect();
    let named = |number: u32| domains.get(number as usize, body).unwrap().0;
    let found: Vec<String> = domains
        .listed(&all)
        .into_iter()
        .map(|n| named(n).into_owned())
        .collect();
    // Each listed name has a parent that was found, or was found itself.
    for (number, (name, roles)) in (0..).zip(&expected(hosts)).take(all.len()) {
        let is_listed = roles & DomainRoles::SENDER.bits() != 0;
        let by_parent = domain::walk(name).any(|name| found.iter().any(|own| **own == *name));
        assert_eq!(is_listed, !domains.listed_roles(&all, number).is_empty());
        assert!(!is_listed || by_parent);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 300, ..ProptestConfig::default() })]

    /// In tests the cache has 16 slots, so that equal names are found both in the cache and by the later search for repeats.
    #[test]
    fn each_name_stands_once_where_it_was_first_used_with_all_its_roles(
        hosts in proptest::collection::vec(
            (proptest::collection::vec(0..4_u8, 1..5), 0..9_u8, 0..4_usize, 0..3_usize),
            0..200,
        ),
    ) {
        let names: Vec<(String, DomainRoles)> = hosts
            .iter()
            .map(|(labels, last, role, _)| {
                let labels: Vec<String> = labels.iter().map(|label| format!("l{label}")).collect();
                (format!("{}.t{last}", labels.join(".")), DomainRoles::ALL[*role])
            })
            .collect();
        compare(&names, |index| hosts[index].3);
    }
}

#[test]
fn thousands_of_domains_keep_their_order_and_their_parents() {
    let hosts: Vec<(String, DomainRoles)> = (0..3000)
        .map(|number| {
            (
                format!("a{}.b{}.example", number % 1700, number % 13),
                DomainRoles::ALL[number % 4],
            )
        })
        .collect();
    compare(&hosts, |index| index % 3);
}

#[test]
fn a_domain_of_as_many_labels_as_there_can_be_has_all_its_parents() {
    let most = format!("{}shop.example", "a.".repeat(120));
    assert_eq!(most.len(), 252);
    compare(&[(most, DomainRoles::CONTENT)], |_| 0);
    compare(
        &[(format!("{}a", "a.".repeat(126)), DomainRoles::CONTENT)],
        |place| place,
    );
}

#[test]
fn a_name_with_more_labels_or_octets_than_a_domain_is_a_fault_and_loses_no_parent() {
    let many_labels = format!("a{}shop.test", ".".repeat(127));
    let many_octets = format!("{}.test", "a".repeat(253));
    for host in [many_labels, many_octets] {
        let mut domains = Domains::default();
        let inserted = domains.insert_host(&host, "", DomainRoles::CONTENT);
        assert_eq!(inserted, Err(Fault), "{host}");
        let inserted = domains.insert_body(0..host.len(), false, &host, DomainRoles::SENDER);
        assert_eq!(inserted, Err(Fault), "{host}");
    }
}

#[test]
fn all_dots_at_the_end_of_a_host_are_dropped() {
    let mut domains = Domains::default();
    for host in [
        "shop.example.",
        "shop.example",
        "shop.example..",
        "shop.example...",
    ] {
        domains.insert_host(host, "", DomainRoles::CONTENT).unwrap();
    }
    assert_eq!(listed(&domains, ""), [("shop.example".to_string(), 8)]);
}

/// Inserts names of which none is a parent of another.
fn numbered(domains: &mut Domains, numbers: Range<usize>) {
    for number in numbers {
        domains
            .insert_host(&format!("n{number}.example"), "", DomainRoles::CONTENT)
            .unwrap();
    }
}

#[test]
fn a_name_is_looked_for_from_the_start_of_its_block_on() {
    let mut domains = Domains::default();
    numbered(&mut domains, 0..CHAINS_PER_BLOCK * 5 + 1);
    domains
        .insert_host("a.b.c.example", "", DomainRoles::CONTENT)
        .unwrap();
    domains.finish("").unwrap();
    let starts: Vec<u32> = (0..6)
        .map(|block| block * u32::try_from(CHAINS_PER_BLOCK).unwrap())
        .collect();
    assert_eq!(domains.blocks, starts);
}
