use super::*;

#[test]
fn a_stored_address_is_listed_by_the_parents_of_its_domain_even_if_that_has_a_wildcard() {
    let set = DomainSet::from_entries(["shop.example"]).unwrap();
    for (address, listed) in [
        ("a@shop.example", Some(true)),
        ("a@*.shop.example", Some(true)),
        ("a@*.other.example", Some(false)),
        ("no address", None),
    ] {
        assert_eq!(is_address_listed(&set, address), listed, "{address}");
    }
}
