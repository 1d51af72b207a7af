use super::*;
use alloc::format;

fn texts(body: &str) -> Vec<Option<String>> {
    let mut read = Body::default();
    read.read(body).unwrap();
    (0..SendMailerField::COUNT)
        .map(|index| read.text(index, body).map(String::from))
        .collect()
}

#[test]
fn texts_are_the_same_in_short_and_long_bodies_however_they_are_spaced() {
    let members = [
        (r#""firstName""#, r#""Amber""#, Some("Amber")),
        (
            r#""lastName""#,
            r#""L\u00f6wenzahn\/\"\ud83c\udf3c""#,
            Some("Löwenzahn/\"🌼"),
        ),
        (r#""city""#, r#""Højby""#, Some("Højby")),
        (r#""state""#, r#""!""#, Some("!")),
        (r#""pinCode""#, "411001", Some("411001")),
        (r#""phone""#, r#""""#, None),
        (r#""country""#, "\" \\t\u{a0}\"", None),
        (r#""extra1""#, r#""\\""#, Some("\\")),
        (r#""company""#, "null", None),
        (r#""extra2""#, r#""a""#, Some("a")),
    ];
    for (colon, comma) in [
        (":", ","),
        (": ", ", "),
        (" : ", " ,\n"),
        (": ", ","),
        (":", ", "),
    ] {
        let written = members.map(|(name, value, _)| format!("{name}{colon}{value}"));
        let written = written.join(comma);
        let short = format!("{{{written}}}");
        let long = format!(
            "{{{written}{comma}\"other\"{colon}\"{}\"}}",
            "x".repeat(4096)
        );
        let short = texts(&short);
        assert_eq!(short, texts(&long));
        for (name, _, text) in members {
            let (field, _) = SendMailerField::find(name.trim_matches('"').as_bytes()).unwrap();
            assert_eq!(
                short[field as usize].as_deref(),
                text,
                "{name} {colon:?} {comma:?}"
            );
        }
    }
}
