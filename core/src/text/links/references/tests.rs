use super::*;
use alloc::string::ToString;

fn attribute(text: &str) -> String {
    let mut out = String::new();
    decode_attribute(text, &mut out);
    out
}

#[test]
fn the_names_that_need_no_semicolon_are_sorted_and_have_a_value() {
    assert!(LEGACY.is_sorted());
    assert!(LEGACY.iter().all(|word| named(word).is_some()));
}

#[test]
fn every_name_of_the_oracle_is_known_and_no_other() {
    let mut with_semicolon = 0;
    let mut without = 0;
    for (key, (first, second)) in &html5ever::data::NAMED_ENTITIES {
        // The oracle's table also holds prefixes of names. Their value is zero.
        if *first == 0 {
            continue;
        }
        let value: String = [*first, *second]
            .iter()
            .filter(|code| **code != 0)
            .map(|code| char::from_u32(*code).unwrap())
            .collect();
        if let Some(word) = key.strip_suffix(';') {
            with_semicolon += 1;
            assert_eq!(named(word.as_bytes()).map(ToString::to_string), Some(value));
        } else {
            without += 1;
            assert!(LEGACY.contains(&key.as_bytes()), "{key}");
        }
    }
    assert_eq!(
        (with_semicolon, without),
        (NAMED_ENTITIES.len(), LEGACY.len())
    );
}

#[test]
fn references_resolve_as_browsers_do() {
    assert_eq!(
        attribute("a&amp;b&ampc&amp=&amp &notit;&notin;&lt"),
        "a&b&ampc&amp=& &notit;∉<"
    );
    assert_eq!(
        attribute("&#104;&#x74;&#X54&#0;&#x80;&#xD800;&#99999999999;&#;&#x;&"),
        "htT\u{fffd}€\u{fffd}\u{fffd}&#;&#x;&"
    );
    assert_eq!(
        attribute("https&colon;&sol;&sol;a&period;example&Tab;&NewLine;&num;"),
        "https://a.example\t\n#"
    );
    let mut text = String::new();
    decode(
        "&notit;&amplt;a\0b</>c</ d&copy=",
        Context::Text,
        "",
        |piece, _| text.push_str(piece),
    );
    assert_eq!(text, "¬it;&lt;abc</ d©=");
}
