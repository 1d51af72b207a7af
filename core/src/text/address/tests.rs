mod shortcut;

use super::*;
use alloc::format;
use alloc::string::ToString;

fn error(text: &str) -> Option<AddressError> {
    parse(text).err()
}

fn is_valid(text: &str) -> bool {
    parse(text).is_ok()
}

fn key(text: &str) -> String {
    parse(text).unwrap().match_key().into_owned()
}

/// An ASCII domain of this length, 4 to 253 octets. Its last label is not all digits.
fn domain_of_len(len: usize) -> String {
    let mut domain = String::new();
    while len - domain.len() > 65 {
        domain.push_str(&"d".repeat(62));
        domain.push('.');
    }
    let rest = len - domain.len();
    domain.push_str(&"e".repeat(rest / 2));
    domain.push('.');
    domain.push_str(&"f".repeat(rest - rest / 2 - 1));
    assert_eq!(domain.len(), len);
    domain
}

#[test]
fn the_local_part_is_a_dot_atom() {
    const SPECIALS: &str = "!#$%&'*+-/=?^_`{|}~";
    for c in '\0'..='\u{7f}' {
        let allowed = c.is_ascii_alphanumeric() || SPECIALS.contains(c);
        for text in [format!("{c}@example.com"), format!("a{c}b@example.com")] {
            let dot_inside = c == '.' && text.starts_with('a');
            assert_eq!(is_valid(&text), allowed || dot_inside, "{text:?}");
        }
    }
    assert!(is_valid("a.b.c@example.com"));
}

#[test]
fn the_local_part_has_no_dot_at_its_ends_and_no_two_in_a_row() {
    for text in [
        ".a@example.com",
        "a.@example.com",
        "a..b@example.com",
        ".@example.com",
    ] {
        assert_eq!(error(text), Some(AddressError::LocalPartDots), "{text}");
    }
    for text in [".é@example.com", "é.@example.com", "é..b@example.com"] {
        assert_eq!(error(text), Some(AddressError::LocalPartDots), "{text}");
    }
}

#[test]
fn an_address_has_one_at_with_something_on_either_side() {
    assert_eq!(error(""), Some(AddressError::Empty));
    assert_eq!(error("example.com"), Some(AddressError::NoAt));
    assert_eq!(
        error("a＠example.com"),
        Some(AddressError::NoAt),
        "full-width @"
    );
    assert_eq!(error("@example.com"), Some(AddressError::LocalPartEmpty));
    assert_eq!(error("a@"), Some(AddressError::Domain(DomainError::Empty)));
    assert_eq!(error("a@b@example.com"), Some(AddressError::ManyAts));
    assert_eq!(error("@"), Some(AddressError::LocalPartEmpty));
}

#[test]
fn quoted_local_parts_address_literals_comments_and_display_names_are_not_valid() {
    for text in [
        "\"a b\"@example.com",
        "\"a\"@example.com",
        "a@[192.0.2.1]",
        "a@[IPv6:2001:db8::1]",
        "a@192.0.2.1",
        "a(comment)@example.com",
        "a@example.com(comment)",
        "A Name <a@example.com>",
        "<a@example.com>",
        "mailto:a@example.com",
        "a@example.com;b@example.com",
        "a@example.com,b@example.com",
    ] {
        assert!(!is_valid(text), "{text}");
    }
}

#[test]
fn the_text_is_not_trimmed() {
    for text in [
        " a@example.com",
        "a@example.com ",
        "a@example.com\n",
        "\u{3000}a@example.com",
    ] {
        assert!(!is_valid(text), "{text:?}");
    }
}

#[test]
fn a_local_part_has_at_most_64_octets_of_utf8() {
    for (local_part, valid) in [
        ("a".repeat(64), true),
        ("a".repeat(65), false),
        ("é".repeat(32), true),
        ("é".repeat(32) + "a", false),
        ("漢".repeat(21) + "a", true),
        ("漢".repeat(21) + "ab", false),
        ("🦀".repeat(16), true),
        ("🦀".repeat(16) + "a", false),
    ] {
        let found = error(&format!("{local_part}@example.com"));
        assert_eq!(found, (!valid).then_some(AddressError::LocalPartTooLong));
    }
}

#[test]
fn the_length_of_a_local_part_is_judged_as_sent_and_in_nfc() {
    // Decomposed: 3 octets each, 2 in NFC.
    assert!(is_valid(&("e\u{301}".repeat(21) + "a@example.com")));
    let sent_too_long = "e\u{301}".repeat(22) + "@example.com";
    assert_eq!(error(&sent_too_long), Some(AddressError::LocalPartTooLong));
    // A composition exclusion: 3 octets each, 6 in NFC.
    assert!(is_valid(&("\u{958}".repeat(10) + "abcd@example.com")));
    let composed_too_long = "\u{958}".repeat(10) + "abcde@example.com";
    assert_eq!(
        error(&composed_too_long),
        Some(AddressError::LocalPartTooLong)
    );
}

#[test]
fn the_characters_of_a_local_part_are_judged_as_sent_and_in_nfc() {
    let refused = Some(AddressError::LocalPartCharacter);
    // The Greek question mark is a semicolon in NFC, the Greek varia a backtick.
    assert_eq!(error("a\u{37e}b@example.com"), refused);
    assert_eq!(key("a\u{1fef}b@example.com"), "a`b@example.com");
    // As sent it has a `<`; in NFC it has none.
    assert_eq!(error("a<\u{338}b@example.com"), refused);
}

#[test]
fn above_ascii_any_character_is_allowed_except_invisible_ones() {
    for c in "éßςΩжאع漢字かナ한ก\u{301}\u{fffd}€№←🦀\u{fe0f}𝒜．。＠，".chars()
    {
        assert!(
            is_valid(&format!("a{c}b@example.com")),
            "U+{:04X}",
            u32::from(c)
        );
    }
    for (c, category) in [
        ('\u{a0}', "white space"),
        ('\u{1680}', "white space"),
        ('\u{2003}', "white space"),
        ('\u{2028}', "white space, a line separator"),
        ('\u{2029}', "white space, a paragraph separator"),
        ('\u{202f}', "white space"),
        ('\u{3000}', "white space"),
        ('\u{80}', "control"),
        ('\u{85}', "control"),
        ('\u{9f}', "control"),
        ('\u{ad}', "format: soft hyphen"),
        ('\u{61c}', "format"),
        ('\u{200b}', "format"),
        ('\u{200d}', "format: zero width joiner"),
        ('\u{202e}', "format"),
        ('\u{2066}', "format"),
        ('\u{feff}', "format: byte-order mark"),
        ('\u{e0041}', "format: tag"),
        ('\u{e000}', "private use"),
        ('\u{f8ff}', "private use"),
        ('\u{100000}', "private use"),
        ('\u{378}', "unassigned"),
        ('\u{2065}', "unassigned"),
        ('\u{fdd0}', "unassigned: noncharacter"),
        ('\u{ffff}', "unassigned: noncharacter"),
        ('\u{e0080}', "unassigned"),
        ('\u{10ffff}', "unassigned: noncharacter"),
    ] {
        for text in [format!("{c}@example.com"), format!("a{c}b@example.com")] {
            let refused = Some(AddressError::LocalPartCharacter);
            assert_eq!(error(&text), refused, "U+{:04X}: {category}", u32::from(c));
        }
    }
}

#[test]
fn an_address_has_at_most_254_octets_with_the_domain_in_ascii_form() {
    let with = |local_part: usize, domain: &str| {
        parse(&format!("{}@{domain}", "a".repeat(local_part))).map(|_| ())
    };
    for (local_part, len) in [(1, 252), (64, 189), (10, 243)] {
        assert_eq!(with(local_part, &domain_of_len(len - 1)), Ok(()));
        assert_eq!(with(local_part, &domain_of_len(len)), Ok(()));
        let longer = with(local_part, &domain_of_len(len + 1));
        assert_eq!(longer, Err(AddressError::TooLong));
    }
    let no_domain = Err(AddressError::Domain(DomainError::TooLong));
    assert_eq!(
        with(1, &("a.".to_string() + &domain_of_len(252))),
        no_domain
    );
    // 2 octets as sent, 7 in ASCII form.
    let ascii = format!("xn--tda.{}", domain_of_len(181));
    let unicode = format!("ü.{}", domain_of_len(181));
    assert_eq!((with(64, &ascii), with(64, &unicode)), (Ok(()), Ok(())));
    assert_eq!(
        with(65 - 1, &format!("ü.{}", domain_of_len(182))),
        Err(AddressError::TooLong)
    );
    // Full-width letters: 3 octets as sent, 1 in ASCII form.
    let wide = format!("{}.{}", "ｅ".repeat(60), domain_of_len(128));
    assert_eq!(with(64, &wide), Ok(()));
    // A local part that is longer in NFC is counted in NFC.
    let exclusions = format!("{}@{}", "\u{958}".repeat(10), domain_of_len(193));
    assert!(is_valid(&exclusions));
    let exclusions = format!("{}@{}", "\u{958}".repeat(10), domain_of_len(194));
    assert_eq!(error(&exclusions), Some(AddressError::TooLong));
}

#[test]
fn an_address_shows_its_parts_as_sent() {
    let address = parse("É.Name@BÜCHER.Example").unwrap();
    assert_eq!(address.as_str(), "É.Name@BÜCHER.Example");
    assert_eq!(
        (address.local_part(), address.domain_as_sent()),
        ("É.Name", "BÜCHER.Example")
    );
    assert_eq!(address.domain(), "xn--bcher-kva.example");
    let address = parse("a@Example.COM").unwrap();
    assert_eq!(address.domain(), "example.com");
}

#[test]
fn the_match_key_is_lower_case_by_the_full_mapping() {
    assert_eq!(key("Jo.SMITH+X@Example.COM"), "jo.smith+x@example.com");
    assert_eq!(key("ÉCOLE@example.com"), "école@example.com");
    // One character becomes two.
    assert_eq!(key("İ@example.com"), "i\u{307}@example.com");
    // Lower-casing is not case folding.
    assert_eq!(key("STRASSE@example.com"), "strasse@example.com");
    assert_eq!(key("STRAẞE@example.com"), "straße@example.com");
    assert_eq!(key("Ǆ@example.com"), "ǆ@example.com");
}

#[test]
fn a_sigma_at_the_end_of_a_word_has_its_final_form_in_the_key() {
    assert_eq!(key("ΟΔΟΣ@example.com"), "οδος@example.com");
    assert_eq!(key("ΣΟΣ-ΣΑ@example.com"), "σος-σα@example.com");
    assert_eq!(
        key("ΣΟΣ.ΣΑ@example.com"),
        "σοσ.σα@example.com",
        "a dot ends no word"
    );
    assert_eq!(key("Σ@example.com"), "σ@example.com");
}

#[test]
fn the_match_key_is_in_nfc_before_and_after_lower_casing() {
    assert_eq!(key("e\u{301}@example.com"), "é@example.com");
    assert_eq!(key("E\u{301}@example.com"), "é@example.com");
    // J with caron is two characters in upper case, one in lower case.
    assert_eq!(key("J\u{30c}@example.com"), "\u{1f0}@example.com");
    // The Kelvin sign is a K in NFC, the Ohm sign an omega.
    assert_eq!(key("\u{212a}@example.com"), "k@example.com");
    assert_eq!(key("\u{2126}@example.com"), "ω@example.com");
    assert_eq!(key("\u{1100}\u{1161}@example.com"), "가@example.com");
}

#[test]
fn a_match_key_may_be_longer_than_any_address() {
    let text = "İ".repeat(32) + "@example.com";
    assert_eq!(key(&text), "i\u{307}".repeat(32) + "@example.com");
}

#[test]
fn a_key_that_is_the_text_is_borrowed() {
    for text in [
        "name@example.com",
        "é漢@example.com",
        "a@xn--bcher-kva.example",
        "a@b--c.example",
    ] {
        let address = parse(text).unwrap();
        assert!(matches!(address.match_key(), Cow::Borrowed(key) if key == text));
        assert!(matches!(address.domain(), Cow::Borrowed(_)));
        assert!(address.is_match_key());
    }
    for text in [
        "Name@example.com",
        "É@example.com",
        "a@Example.com",
        "a@bücher.example",
    ] {
        assert!(!parse(text).unwrap().is_match_key(), "{text}");
    }
    let upper_local_part = parse("Name@example.com").unwrap();
    assert!(matches!(
        upper_local_part.domain(),
        Cow::Borrowed("example.com")
    ));
}

#[test]
fn debug_and_errors_print_nothing_of_the_address() {
    let text = "secret@hidden.example";
    assert!(!format!("{:?}", parse(text)).contains("secret"));
    for text in [
        "secret",
        "secret@",
        "secret@hid den.example",
        "secret@@x",
        "secret.@x.example",
    ] {
        let error = parse(text).unwrap_err();
        let shown = format!("{error} {error:?}");
        assert!(
            !shown.contains("secret") && !shown.contains("hid"),
            "{shown}"
        );
    }
}

#[test]
fn a_match_key_is_no_longer_than_its_bound_and_some_are_as_long() {
    let domain = format!("{0}.{0}.{1}", "a".repeat(63), "a".repeat(61));
    let mut longest = 0;
    for character in '\0'..=char::MAX {
        let lower: usize = character.to_lowercase().map(char::len_utf8).sum();
        if lower <= character.len_utf8() {
            continue;
        }
        // No character grows by more than half in lower case, so a local part full of such characters is the longest.
        assert!(2 * lower <= 3 * character.len_utf8(), "{character:?}");
        let count = MAX_LOCAL_PART_LEN / character.len_utf8();
        let text = format!("{}@{domain}", character.to_string().repeat(count));
        longest = longest.max(parse(&text).unwrap().match_key().len());
    }
    assert_eq!(longest, MAX_MATCH_KEY_LEN);
}

#[test]
fn an_address_as_sent_may_be_longer_than_its_match_key() {
    let text = format!("a@b{}.example", "\u{ad}".repeat(1000));
    assert_eq!(parse(&text).unwrap().match_key(), "a@b.example");
}
