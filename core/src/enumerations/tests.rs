use alloc::collections::BTreeSet;

use super::ENUMERATIONS;

#[test]
fn each_enumeration_has_one_name_and_each_of_its_words_one_number_name_and_identifier() {
    let names: BTreeSet<_> = ENUMERATIONS.iter().map(|own| own.name).collect();
    assert_eq!(names.len(), ENUMERATIONS.len());
    for own in ENUMERATIONS {
        let numbers: BTreeSet<_> = own.words.iter().map(|word| word.number).collect();
        let names: BTreeSet<_> = own.words.iter().map(|word| word.name).collect();
        let identifiers: BTreeSet<_> = own.words.iter().map(|word| word.identifier).collect();
        let counts = [numbers.len(), names.len(), identifiers.len()];
        assert_eq!(counts, [own.words.len(); 3], "{}", own.name);
        assert!(!own.about.is_empty() && own.words.iter().all(|word| !word.about.is_empty()));
    }
}
