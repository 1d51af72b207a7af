use alloc::vec;

use super::*;

#[test]
fn a_text_has_the_same_hosts_whether_it_is_known_or_not() {
    let long = "\u{e9}.".repeat(300) + "example";
    let longest = "www.\u{e9}!".repeat(300) + "a.example";
    let number = alloc::format!("\u{ff10}{}.", "0".repeat(240)).repeat(3) + "1";
    let texts = [
        "a.example",
        "A.Example",
        "\u{e9}.example",
        "\u{df}.example",
        "a b",
        "",
        "%41.example",
        "[::1]",
        "a!b\"c.example",
        &long,
        &longest,
        &number,
    ];
    let mut known = KnownHosts::default();
    for _ in 0..3 {
        for text in texts
            .iter()
            .map(|text| text.as_bytes())
            .chain([&b"\xff.example"[..]])
        {
            let mut expected = vec![];
            visit_host(&String::from_utf8_lossy(text), &mut |host| {
                expected.push(String::from(host))
            });
            let mut found = vec![];
            let has_host = known.visit(text, &mut |host| found.push(String::from(host)));
            assert_eq!((&found, has_host), (&expected, !expected.is_empty()));
        }
    }
}

#[test]
fn a_text_that_takes_the_place_of_another_one_has_its_own_hosts() {
    let mut known = KnownHosts::default();
    for number in 0..1000 {
        let mut found = vec![];
        let text = alloc::format!("X{number}.Example");
        known.visit(text.as_bytes(), &mut |host| found.push(String::from(host)));
        assert_eq!(found, [text.to_ascii_lowercase()]);
    }
}
