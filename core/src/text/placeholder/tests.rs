use super::*;
use alloc::format;
use alloc::string::ToString;
use proptest::prelude::*;

fn found(text: &str) -> Option<&str> {
    find(text, &Pairs::default()).map(|range| &text[range])
}

#[test]
fn every_default_pair_marks_a_placeholder() {
    for text in [
        "{{name}}", "{%name%}", "%%name%%", "*|NAME|*", "{*name*}", "${name}",
    ] {
        assert_eq!(found(text), Some(text));
        assert_eq!(found(&format!("Hello {text}, hi")), Some(text));
    }
}

#[test]
fn marks_of_different_pairs_do_not_make_a_placeholder() {
    for text in [
        "{{name",
        "name}}",
        "{name}",
        "{{name%}",
        "}}name{{",
        "*|name*|",
        "{ {name}}",
        "{{}}",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn an_identifier_begins_with_a_letter_or_an_underscore() {
    for c in "aZ_éжא漢ªʰǅ".chars() {
        assert!(found(&format!("{{{{{c}}}}}")).is_some(), "{c}");
    }
    for c in "1.-~٣Ⅷ\u{301}!".chars() {
        assert!(found(&format!("{{{{{c}}}}}")).is_none(), "{c}");
    }
}

#[test]
fn an_identifier_goes_on_with_letters_digits_and_a_few_marks() {
    for c in "aé漢0٣_.-~ ".chars() {
        assert!(found(&format!("{{{{a{c}b}}}}")).is_some(), "{c:?}");
    }
    // A letter number, a fraction, a combining mark, other white space, other punctuation.
    for c in "Ⅷ½\u{301}\u{a0}\t\n\u{3000}|:,/[(#@!'\"$&*+=?^`{}%".chars() {
        assert!(found(&format!("{{{{a{c}b}}}}")).is_none(), "{c:?}");
    }
}

#[test]
fn an_identifier_has_at_most_64_characters() {
    assert!(found(&format!("{{{{{}}}}}", "a".repeat(64))).is_some());
    assert!(found(&format!("{{{{{}}}}}", "a".repeat(65))).is_none());
    assert!(found(&format!("{{{{{}}}}}", "漢".repeat(64))).is_some());
    assert!(found(&format!("{{{{{}}}}}", "漢".repeat(65))).is_none());
    let with_inner_spaces = format!("a{}b", " ".repeat(62));
    assert!(found(&format!("{{{{{with_inner_spaces}}}}}")).is_some());
    let with_inner_spaces = format!("a{}b", " ".repeat(63));
    assert!(found(&format!("{{{{{with_inner_spaces}}}}}")).is_none());
}

#[test]
fn spaces_around_an_identifier_do_not_count() {
    let around = " ".repeat(100);
    for text in [
        "{{ name }}".to_string(),
        format!("{{{{{around}{}{around}}}}}", "a".repeat(64)),
    ] {
        assert_eq!(found(&text), Some(text.as_str()));
    }
    assert_eq!(found("{{   }}"), None);
    assert_eq!(found("{{\tname\t}}"), None, "a space is U+0020");
}

#[test]
fn the_first_of_several_is_found_with_its_marks() {
    assert_eq!(find("a ${x} {{y}}", &Pairs::default()), Some(2..6));
    assert_eq!(find("é {{y}} ${x}", &Pairs::default()), Some(3..8));
    assert_eq!(found("{{1}} {{ok}}"), Some("{{ok}}"));
    assert_eq!(found("{{a b}} {{c}}"), Some("{{a b}}"));
}

#[test]
fn an_opening_mark_can_lie_inside_a_run_of_its_characters() {
    assert_eq!(found("{{{name}}}"), Some("{{name}}"));
    assert_eq!(found("{{{{ name }}}}"), Some("{{ name }}"));
    assert_eq!(found("{{{%name%}"), Some("{%name%}"));
    assert_eq!(found("%%%name%%%"), Some("%%name%%"));
    assert_eq!(found("{{x {{name}}"), Some("{{name}}"));
}

#[test]
fn a_pair_of_equal_marks_closes_with_its_next_occurrence() {
    assert_eq!(found("%% name %% and %%"), Some("%% name %%"));
    assert_eq!(
        found("50%% off, 20%% more"),
        None,
        "a comma is not part of an identifier"
    );
    assert_eq!(found("%%%%"), None);
    assert_eq!(found("%%1%%name%%"), Some("%%name%%"));
}

#[test]
fn ordinary_subjects_have_no_placeholder() {
    for text in [
        "",
        "Hello",
        "50% off: $5 {today}",
        "a * b | c",
        "100%",
        "{}",
        "$",
        "${}",
        "C++ {{",
        "{{",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn pairs_are_a_setting() {
    let find_with = |pair: (&'static str, &'static str), text: &str| {
        find(text, &Pairs::new([pair]).unwrap()).is_some()
    };
    assert!(find_with(("[[", "]]"), "Dear [[name]]"));
    assert!(!find_with(("[[", "]]"), "Dear {{name}}"));
    assert!(find_with(("%recipient.", "%"), "Dear %recipient.name%"));
    assert!(find_with(("-", "-"), "Dear -name-"));
    assert!(find_with(("__", "__"), "Dear __name__"));
    assert!(!find_with(("__", "__"), "Dear ____"));
    assert!(find_with(("«", "»"), "Dear «name»"));
    assert!(find_with(("a", "a"), "banana"));
    assert!(find_with(("< ", " >"), "Dear < name >"));
    assert!(find_with(("<", "  >"), "Dear <name    >"));
    assert!(find_with((" {", "}"), "Dear {name}"));
    let none = Pairs::new([("", ""); 0]).unwrap();
    assert_eq!(find("{{name}}", &none), None);
    assert_eq!(none.iter().len(), 0);
    assert!(Pairs::default().iter().eq(DEFAULT_PAIRS));
    assert_eq!(Pairs::new(DEFAULT_PAIRS), Ok(Pairs::default()));
}

#[test]
fn a_blank_mark_is_refused_with_the_place_of_its_pair() {
    for (open, close) in [
        ("", "}}"),
        ("{{", ""),
        (" ", "}}"),
        ("{{", "\t\u{3000}"),
        ("", ""),
    ] {
        let pairs = Pairs::new([("{{", "}}"), (open, close)]);
        let error = PairsError::BlankMark { index: 1 };
        assert_eq!(pairs, Err(error), "{open:?} {close:?}");
        assert!(error.to_string().contains("pair 1") && error.to_string().contains("{{ and }}"));
    }
}

/// The definition, tried at every position: an opening mark, spaces, an identifier, spaces, a closing mark.
fn find_slowly(text: &str, pairs: &Pairs) -> Option<Range<usize>> {
    let is_identifier = |inner: &str| {
        let identifier = inner.trim_matches(' ');
        let mut characters = identifier.chars();
        characters.next().is_some_and(|c| is_letter(c) || c == '_')
            && characters.all(|c| is_letter(c) || is_decimal_digit(c) || "_.-~ ".contains(c))
            && identifier.chars().count() <= MAX_IDENTIFIER_LEN
    };
    text.char_indices().find_map(|(start, _)| {
        pairs.iter().find_map(|(open, close)| {
            let inside = text[start..].strip_prefix(open)?;
            let (end, _) = inside
                .match_indices(close)
                .chain(None)
                .find(|&(end, _)| is_identifier(&inside[..end]))
                .or_else(|| {
                    // Occurrences may overlap.
                    let ends = inside
                        .char_indices()
                        .filter(|&(end, _)| inside[end..].starts_with(close));
                    ends.map(|(end, _)| (end, close))
                        .find(|&(end, _)| is_identifier(&inside[..end]))
                })?;
            Some(start..start + open.len() + end + close.len())
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        cases: 2000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_search_agrees_with_the_definition(
        text in "(\\{\\{|\\}\\}|%%|%|\\{|\\}|\\$|\\*|\\||[aé_1. ]|-| {2}|a{64}){0,14}",
    ) {
        let pairs = Pairs::default();
        let found = find(&text, &pairs).map(|range| range.start);
        prop_assert_eq!(found, find_slowly(&text, &pairs).map(|range| range.start));
    }

    #[test]
    fn the_search_agrees_with_the_definition_for_any_marks(
        open in "[ab _<%]{0,2}[ab_<%]",
        close in "[ab_>%][ab _>%]{0,2}",
        text in "[ab _<>%1]{0,24}",
    ) {
        let pairs = Pairs::new([(open, close)]).unwrap();
        let found = find(&text, &pairs).map(|range| range.start);
        prop_assert_eq!(found, find_slowly(&text, &pairs).map(|range| range.start));
    }
}
