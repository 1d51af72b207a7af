use super::*;
use alloc::format;
use alloc::string::ToString;

fn set(entries: &[&str]) -> DomainSet {
    DomainSet::from_entries(entries).unwrap()
}

#[test]
fn entries_that_are_not_retained_are_removed_and_the_others_stay_in_order() {
    let mut own = set(&["a.example", "b.example", "c.example"]);
    own.retain(|name| name != "b.example");
    assert_eq!(
        own.iter().collect::<alloc::vec::Vec<_>>(),
        ["a.example", "c.example"]
    );
    assert!(own.contains("c.example") && !own.contains("b.example"));
    assert_eq!(own.len(), 2);
    assert_eq!(own.insert("B.example"), Ok(true));
    assert_eq!(own.listed("www.b.example"), Some("b.example"));
}

#[test]
fn a_host_is_listed_under_itself_and_under_its_parents() {
    let set = set(&["spam.example.com"]);
    assert_eq!(set.listed("spam.example.com"), Some("spam.example.com"));
    assert_eq!(set.listed("a.b.spam.example.com"), Some("spam.example.com"));
    assert_eq!(set.listed("example.com"), None);
    assert_eq!(set.listed("xspam.example.com"), None);
    assert_eq!(set.listed("spam.example.com.test"), None);
}

#[test]
fn the_nearest_parent_is_the_one_returned() {
    let set = set(&["example.com", "a.example.com"]);
    assert_eq!(set.listed("b.a.example.com"), Some("a.example.com"));
    assert_eq!(set.listed("b.example.com"), Some("example.com"));
}

#[test]
fn a_single_label_lists_itself_only() {
    let set = set(&["com", "localhost"]);
    assert!(set.is_listed("localhost") && set.is_listed("com"));
    assert!(!set.is_listed("example.com") && !set.is_listed("a.localhost"));
}

#[test]
fn entries_and_hosts_are_compared_in_canonical_form() {
    let set = set(&[
        "BÜCHER.Example",
        "0x7f.1",
        "[::FFFF:1.2.3.4]",
        "dot.example.",
    ]);
    assert!(set.is_listed("www.xn--bcher-kva.EXAMPLE."));
    assert!(set.is_listed("127.0.0.1") && set.is_listed("2130706433"));
    assert!(set.is_listed("[::ffff:102:304]"));
    assert!(!set.is_listed("1.2.3.4"), "an entry is not walked");
    assert!(set.contains("dot.example") && set.contains("Dot.Example."));
    assert!(set.contains("bücher.example") && !set.contains("a.bücher.example"));
}

#[test]
fn an_ipv4_mapped_host_is_listed_under_the_ipv4_address() {
    assert_eq!(
        set(&["1.2.3.4"]).listed("[::ffff:102:304]"),
        Some("1.2.3.4")
    );
    assert!(!set(&["1.2.3.4"]).is_listed("[::102:304]"));
    assert!(
        !set(&["2.3.4"]).is_listed("1.2.3.4"),
        "a numeric host has no parents"
    );
}

#[test]
fn inserting_twice_keeps_one_entry() {
    let mut set = DomainSet::new();
    assert_eq!(set.insert("example.com"), Ok(true));
    assert_eq!(set.insert("EXAMPLE.com."), Ok(false));
    assert_eq!(set.len(), 1);
    assert!(set.iter().eq(["example.com"]));
}

#[test]
fn a_text_that_is_not_a_host_is_refused() {
    let mut set = DomainSet::new();
    for entry in [
        "",
        ".",
        " example.com",
        "example.com\n",
        "https://example.com/",
        "a@example.com",
        "example.com:25",
        "1.2.3.256",
        "[::1",
        "xn--a.example",
    ] {
        assert_eq!(set.insert(entry), Err(EntryError::NotAHost), "{entry:?}");
        assert_eq!(
            set.try_listed(entry),
            Err(EntryError::NotAHost),
            "{entry:?}"
        );
        assert!(!set.contains(entry) && !set.is_listed(entry));
    }
    assert_eq!(set.insert("*.example.com"), Err(EntryError::Wildcard));
    assert!(set.is_empty());
    let error = DomainSet::from_entries(["example.com", "secret name"]).unwrap_err();
    assert_eq!(
        (
            error.index,
            error.reason,
            error.to_string().contains("secret")
        ),
        (1, EntryError::NotAHost, false)
    );
}

#[test]
fn a_prefix_or_an_end_of_an_entry_is_not_an_entry() {
    let set = set(&["example.com", "example.community", "an.example.com.test"]);
    assert!(!set.contains("example.comm") && !set.contains("example.co"));
    assert!(!set.contains("xample.com") && !set.contains("ample.community"));
    assert!(!set.contains("example.com\nexample.community"));
}

#[test]
fn the_domain_of_an_address_that_no_url_can_have_is_an_entry_like_others() {
    let set = set(&["B.0X1"]);
    assert!(set.contains("b.0x1") && set.contains("B.0x1"));
    assert_eq!(set.listed("a.B.0x1"), Some("b.0x1"));
    assert_eq!(set.try_listed("c.0x1"), Ok(None));
    assert_eq!(set.try_listed("a..0x1"), Err(EntryError::NotAHost));
}

#[test]
fn a_wildcard_is_not_looked_up() {
    let set = set(&["shop.example"]);
    assert_eq!(set.try_listed("*.shop.example"), Err(EntryError::Wildcard));
}

#[test]
fn many_entries_are_all_found_and_no_others() {
    let entries = (0..20_000).map(|i| format!("host{i}.example"));
    let set = DomainSet::from_entries(entries).unwrap();
    assert_eq!(set.len(), 20_000);
    for i in 0..20_000 {
        assert!(set.is_listed(&format!("www.host{i}.example")));
        assert!(!set.is_listed(&format!("host{}.example", i + 20_000)));
    }
}

#[test]
fn debug_prints_the_count_only() {
    let set = set(&["secret.example"]);
    assert_eq!(format!("{set:?}"), "DomainSet { len: 1, .. }");
}

#[test]
fn a_set_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<DomainSet>();
}
