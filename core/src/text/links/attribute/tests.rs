use super::*;

#[test]
fn an_attribute_is_found_by_its_first_word_as_by_its_name() {
    for (name, attribute) in NAMES {
        assert_eq!(attribute.spelling(), name);
        assert_eq!(Attribute::named(name.as_bytes()), Some(attribute));
        for name in [
            name.into(),
            name.to_uppercase(),
            alloc::format!("{name}s"),
            alloc::format!("s{name}"),
            name[..name.len() - 1].into(),
            alloc::format!("{}x", &name[..name.len() - 1]),
        ] {
            let mut window = [b'"'; 8];
            let length = name.len().min(8);
            window[..length].copy_from_slice(&name.as_bytes()[..length]);
            let found = Attribute::of_word(Word::new(window, name.len()), name.as_bytes());
            assert_eq!(found, Attribute::named(name.as_bytes()), "{name}");
        }
    }
}
