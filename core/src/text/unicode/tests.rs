use super::*;

#[test]
fn control_characters_are_cc_and_the_two_separators() {
    for c in '\0'..=char::MAX {
        let expected = GeneralCategory::for_char(c) == GeneralCategory::Control
            || c == '\u{2028}'
            || c == '\u{2029}';
        assert_eq!(is_control(c), expected, "U+{:04X}", u32::from(c));
        assert_eq!(has_control(c.encode_utf8(&mut [0; 4])), expected);
    }
}

#[test]
fn white_space_is_the_unicode_property() {
    use icu_properties::{CodePointSetData, props::WhiteSpace};
    let set = CodePointSetData::new::<WhiteSpace>();
    for c in '\0'..=char::MAX {
        assert_eq!(is_white_space(c), set.contains(c), "U+{:04X}", u32::from(c));
    }
}

#[test]
fn ascii_shortcuts_agree_with_the_categories() {
    for c in '\0'..='\u{7f}' {
        let category = GeneralCategory::for_char(c);
        assert_eq!(
            is_letter(c),
            GeneralCategoryGroup::Letter.contains(category)
        );
        assert_eq!(
            is_decimal_digit(c),
            category == GeneralCategory::DecimalNumber
        );
    }
}

#[test]
fn trimming_cuts_white_space_of_every_kind_at_both_ends() {
    assert_eq!(trim(" a"), "a");
    assert_eq!(trim("a\u{2003}"), "a");
    assert_eq!(trim("\u{85}\u{3000}a b\u{feff}"), "a b\u{feff}");
    assert_eq!(trim("a"), "a");
    assert_eq!(trim(" "), "");
    assert_eq!(trim(""), "");
}
