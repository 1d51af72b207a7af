use alloc::collections::BTreeSet;

use super::{Kind, RECORDS};
use crate::enumerations::ENUMERATIONS;

#[test]
fn each_record_has_one_name_and_members_of_types_that_are_there() {
    let records: BTreeSet<_> = RECORDS.iter().map(|own| own.name).collect();
    let enumerations: BTreeSet<_> = ENUMERATIONS.iter().map(|own| own.name).collect();
    assert_eq!(records.len(), RECORDS.len());
    for own in RECORDS {
        let names: BTreeSet<_> = own.fields.iter().map(|field| field.name).collect();
        assert_eq!(names.len(), own.fields.len(), "{}", own.name);
        for field in own.fields {
            assert!(field.about.ends_with('.'), "{}", field.about);
            match field.kind {
                Kind::Word(name) => assert!(enumerations.contains(name), "{name}"),
                Kind::Rows(name) => assert!(records.contains(name), "{name}"),
                _ => {}
            }
        }
    }
}
