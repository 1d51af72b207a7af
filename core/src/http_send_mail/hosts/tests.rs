use alloc::format;

use super::*;

fn given(hosts: &mut Hosts) -> Vec<String> {
    let mut given = Vec::new();
    let keep = |host: &str| -> Result<(), ()> {
        given.push(String::from(host));
        Ok(())
    };
    assert_eq!(hosts.drain(keep), Ok(()));
    given
}

#[test]
fn hosts_are_kept_in_pieces_and_visited_once_in_order() {
    let host = |number: usize| format!("{number:0>width$}", width = Hosts::PIECE / 4 - 1);
    let mut numbers = 0..9;
    let mut hosts = Hosts::default();
    for (count, full) in [(4, 0), (1, 1), (3, 1), (1, 2)] {
        for number in numbers.by_ref().take(count) {
            hosts.push(&host(number));
        }
        assert_eq!(hosts.full.len(), full);
    }
    hosts.push("last.example");
    let given = given(&mut hosts);
    assert_eq!(given.len(), 10);
    assert!(
        (0..9)
            .zip(&given)
            .all(|(number, given)| *given == host(number))
    );
    assert_eq!(given.last().map(String::as_str), Some("last.example"));
    let again = hosts.drain(|_| Err("they were given back"));
    assert_eq!(again, Ok(()));
}

#[test]
fn a_host_that_is_found_over_and_over_takes_one_piece_at_most() {
    let mut hosts = Hosts::default();
    for number in 0..200_000 {
        hosts.push(["b.example", "a.example", "b.example", "c.example"][number % 4]);
    }
    assert!(hosts.full.is_empty() && hosts.last.len() <= Hosts::PIECE);
    let given = given(&mut hosts);
    assert_eq!(given[..3], ["b.example", "a.example", "c.example"]);
}

#[test]
fn a_host_longer_than_a_piece_has_its_own() {
    let long = "a".repeat(Hosts::PIECE * 2);
    let mut hosts = Hosts::default();
    hosts.push(&long);
    assert!(hosts.full.is_empty());
    hosts.push("b.example");
    assert_eq!(hosts.full.len(), 1);
}

#[test]
fn a_host_that_follows_itself_is_kept_once() {
    let mut hosts = Hosts::default();
    for host in [
        "a.example",
        "a.example",
        "b.a.example",
        "a.example",
        "a.example",
    ] {
        hosts.push(host);
    }
    assert_eq!(given(&mut hosts), ["a.example", "b.a.example", "a.example"]);
    hosts.push("a.example");
    assert_eq!(given(&mut hosts), ["a.example"]);
}
