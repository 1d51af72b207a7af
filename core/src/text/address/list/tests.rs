use super::*;
use alloc::vec::Vec;
use proptest::prelude::*;

#[test]
fn a_list_without_an_address_has_no_entries() {
    for list in ["", ",", " , ,\t,\u{3000}", ",,,,"] {
        assert_eq!(entries(list).count(), 0, "{list:?}");
    }
}

#[test]
fn entries_are_trimmed_of_white_space_only() {
    let list = "\u{3000}a@example.com\u{a0},\u{feff}b@example.com\n";
    let found: Vec<_> = entries(list).map(|(_, text)| text).collect();
    assert_eq!(found, ["a@example.com", "\u{feff}b@example.com"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn entries_are_what_lies_between_commas_trimmed_and_not_empty(
        list in "([ ,\t\u{3000}\u{a0}]{0,2}(a@b\\.example|A@B\\.example|é@x|\\.|a b)?){0,8}",
    ) {
        let mut place = 0;
        let mut expected = Vec::new();
        for field in list.split(',') {
            let text = field.trim();
            if !text.is_empty() {
                let start = place + field.find(text).unwrap();
                expected.push((start..start + text.len(), text));
            }
            place += field.len() + 1;
        }
        prop_assert_eq!(entries(&list).collect::<Vec<_>>(), expected);
        for entry in scan_places(list.as_bytes()) {
            let text = &list[entry.start..entry.start + entry.len];
            prop_assert_eq!(entry.ascii, scan_ascii(text.as_bytes()));
        }
    }
}
