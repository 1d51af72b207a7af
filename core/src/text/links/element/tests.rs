use super::*;

#[test]
fn an_element_is_known_by_its_whole_name_in_any_case() {
    for (name, element) in NAMES {
        assert_eq!(Element::named(name.as_bytes()), element);
        assert_eq!(Element::named(name.to_uppercase().as_bytes()), element);
        for other in [alloc::format!("{name}x"), alloc::format!("x{name}")] {
            assert_eq!(
                Element::named(other.as_bytes()),
                Element::Ordinary,
                "{other}"
            );
        }
    }
    let ordinary = "a sub xyz main menu strong image insert nothing fieldset textpath paragraph small table track text \
                    body bold option framese plaintex plaintexts svg:a \u{13}vg";
    for name in ordinary.split(' ').chain([""]) {
        assert_eq!(Element::named(name.as_bytes()), Element::Ordinary, "{name}");
    }
}
