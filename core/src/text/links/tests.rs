use super::*;
use alloc::collections::BTreeSet;
use alloc::format;

/// The work of finding the hosts of `html`, as the number of bytes looked at.
fn work(html: &str) -> usize {
    work::take();
    visit_hosts(html, false, &mut |_| {});
    work::take()
}

#[test]
fn a_name_of_an_attribute_is_read_without_its_control_characters_as_well() {
    for control in ['\u{1}', '\u{7f}', '\u{85}', '\u{2028}', '\u{2029}'] {
        let html = alloc::format!("<img s{control}rc{control}=//a.example>");
        assert_eq!(
            hosts(&html).iter().collect::<Vec<_>>(),
            ["a.example"],
            "{html:?}"
        );
    }
    assert!(hosts("<img s\u{e9}rc=//a.example>").iter().next().is_none());
}

#[test]
fn hostile_input_takes_work_in_proportion_to_its_length() {
    let enclosed = [
        ("", ""),
        ("<a href='", "'>"),
        ("<a style='", "'>"),
        ("<a srcset='", "'>"),
        ("<a srcdoc='", "'>"),
        ("<a srcdoc='", "/x>'>"),
        ("<a href='data:,", "'>"),
        ("<p style='background:image-set(1)'><style>", ""),
        ("<a ping='", "'>"),
        ("<a ", ">"),
        ("<style>", ""),
        ("<script>", ""),
        ("<svg>", ""),
        ("<svg><style>", ""),
        ("<!--[if]>", ""),
        ("<svg></svg><b>", ""),
        ("<meta http-equiv=refresh content='", "'>"),
        ("<xmp>", "</xmp>"),
        ("<svg></svg><div><select><table>", ""),
    ];
    let units = [
        "<",
        "&",
        "<!",
        "<!--",
        "<!--[if",
        "<!--[if]>",
        "<!--[if]><![ENDIF]-->",
        "-->",
        "</",
        "<a",
        "<a ",
        "<a>",
        "<b>",
        "<b id=",
        "<div>",
        "<p>",
        "</p>",
        "<svg>",
        "<svg><p>",
        "<svg><style>",
        "<style>",
        "</style",
        "<script>",
        "<!--<script>",
        "<title></titl",
        "url(",
        "url(//a)",
        "(",
        "[",
        "{",
        "\\75",
        "\\",
        "@import",
        "a=b ",
        "href=//a ",
        "<b><p></b>",
        "<template>",
        "<table><svg>",
        "<svg><desc>",
        "www.a,",
        "www.",
        "http://a,",
        "http://",
        "http://[",
        "]",
        "!",
        "@www.",
        "&#",
        "&#47;",
        "&nbsp;",
        "<![CDATA[",
        "<base href=//a>",
        "<a href=//a>",
        "<a href=https:a>",
        "data:text/html,",
        "data:text/html,<a href=",
        "<g><x></g>",
        "<div></b>",
        "<i></b>",
        "0;url=",
        ",",
        "//a,",
        "mailto:a@a.example,",
        "%41",
        "\0",
        "\t",
        "href=href=",
        "srcdoc=srcdoc=",
        "www.a!www.a!",
        "//a",
        "//a<b ",
        "//<b>",
        "<b //a>",
        "<b \"//a>",
        "http:",
        "http:a@",
        "mailto:",
        "mailto:a@b.c,",
        ";base64,",
        ";base64,QUJD",
        "%25",
        "%2525",
        "&amp",
        "&amp;",
        "%26amp;",
        "//a\u{ad}",
        "//%41",
        "//a.b;",
        "//1a.",
        "//xn--a.",
        "@import@import",
        "src=",
        "src=x",
        "@import x",
        "url(x'",
        "<?",
        "<!--[if]><svg>",
        "<noscript>",
        "<form>",
        "</form>",
        "<option>",
        "<td>",
        "<li>",
    ];
    for (begin, end) in enclosed {
        for unit in units {
            let document = |size: usize| format!("{begin}{}{end}", unit.repeat(size / unit.len()));
            let (small, large) = (work(&document(4_000)), work(&document(16_000)));
            // Four times the input takes about four times the work, and little work for each byte.
            assert!(
                large <= small * 5 && large <= 16_000 * 1_000,
                "{begin}{unit}: {small} {large}"
            );
        }
    }
}

#[test]
fn the_charsets_of_a_tag_are_read_once_for_all_of_its_links() {
    for (charset, link) in [
        ("charset=x ", "href=data:, "),
        ("charset=x ", "src=data:, "),
    ] {
        let document =
            |count: usize| format!("<a {}{}>", charset.repeat(count), link.repeat(count));
        let (few, many) = (work(&document(200)), work(&document(800)));
        assert!(many <= few * 5, "{link}: {few} {many}");
    }
}

#[test]
fn what_many_readings_of_soup_share_is_read_once() {
    let long = "a".repeat(59);
    let documents: [&dyn Fn(usize) -> String; 10] = [
        // A line break ends a URL or a reading long before the next white space.
        &|count| format!("<svg>{}", "data:\n".repeat(count)),
        &|count| format!("<svg>{}", "data:,\n".repeat(count)),
        &|count| format!("<svg>{}", "www.aaaaaaaaaaa\n".repeat(count)),
        &|count| format!("<svg>&quot;{}", format!("www.{long}:").repeat(count)),
        &|count| format!("<svg>mailto:{}\tx", "%40".repeat(count)),
        &|count| {
            let (imports, spaces) = ("@import/*".repeat(count), " ".repeat(count * 9));
            format!("<svg>data:, {imports}*/url({spaces}")
        },
        // Tags that begin within one another.
        &|count| format!("<svg>{}", "<link/y=".repeat(count)),
        &|count| {
            format!(
                "<svg>{}{}",
                "<link\x0b".repeat(count),
                " ".repeat(count * 6)
            )
        },
        &|count| format!("<svg>{}", "<iframe/y=data:,".repeat(count)),
        &|count| format!("<svg>{}", "<script type=application/ld+json>".repeat(count)),
    ];
    for document in documents {
        let (few, many) = (work(&document(300)), work(&document(1_200)));
        let begin: String = document(1).chars().take(40).collect();
        assert!(many <= few * 5, "{begin}: {few} {many}");
    }
}

#[test]
fn what_follows_www_is_found_whatever_is_before_it() {
    let long = "\u{e9}".repeat(300);
    for html in [
        format!("<svg>//{long}www.b/"),
        String::from("<svg>//%www.b/"),
        format!("<p>http://{long}~www.b/"),
        String::from("<p>http://:www.b"),
        String::from("<p>http://:8o:www.a.:%www.b"),
        String::from("<p>http://%~www.b."),
    ] {
        assert!(hosts(&html).iter().eq(["www.b"]), "{html}");
    }
}

#[test]
fn of_the_names_that_share_an_end_the_first_and_the_last_count() {
    let word = "www.a~www.b~www.c~www.d,www.e~www.f.";
    let expected = [
        // To the end of the word.
        "www.a~www.b~www.c~www.d,www.e~www.f",
        "www.f",
        // To the comma.
        "www.a~www.b~www.c~www.d",
        "www.d",
        // From the comma on.
        "www.e~www.f",
    ];
    let all = |html: &str| -> BTreeSet<String> { hosts(html).iter().map(String::from).collect() };
    let expected: BTreeSet<_> = expected.map(String::from).into();
    assert_eq!(all(word), expected);
    // In soup, punctuation at the end of a word is also a part of a host.
    let found = all(&format!("<svg>{word}"));
    assert!(found.is_superset(&expected), "{found:?}");
    let is_between = |host: &&String| host.starts_with("www.b") || host.starts_with("www.c");
    assert_eq!(found.iter().find(is_between), None);
    // A link that begins with a scheme is not one of these names.
    let found = all("http://x~www.a~www.b~www.c/");
    let expected = ["x~www.a~www.b~www.c", "www.a~www.b~www.c", "www.c"];
    assert_eq!(found, expected.map(String::from).into());
    let found = all("http://x:www.a~www.b~www.c:80/");
    assert_eq!(
        found,
        ["www.a~www.b~www.c", "www.c"].map(String::from).into()
    );
}

#[test]
fn where_a_link_is_written_is_told_whatever_is_decoded_or_left_out_around_it() {
    for (html, expected) in [
        ("see http://a.example/x y", "http://a.example/x"),
        ("&amp;</>see http://a.example/x y", "http://a.example/x"),
        (
            "&lt;</></>see http://a.example/&amp;x y",
            "http://a.example/&amp;x",
        ),
        ("a</>b http://a.exa</>mple/&quot;x", "http://a.exa</>mple"),
        (
            "&lt; http://a.example/&#x65;&amp;&#66; &gt;",
            "http://a.example/&#x65;&amp;&#66;",
        ),
        (
            "<a href='&#32;http://a.ex&#x61;mple/&amp;x'>",
            "&#32;http://a.ex&#x61;mple/&amp;x",
        ),
    ] {
        let found = links(html).next().unwrap();
        assert_eq!(
            html.get(found.span.start..found.span.end),
            Some(expected),
            "{html}"
        );
    }
}

#[test]
fn a_url_of_which_nothing_is_left_without_controls_is_at_a_place_of_the_html() {
    let html = "<p><b x=\"\0\"><svg></b><style><img src=//h.listed.example>=\"\0\"><style><img src=//h.listed.example>";
    let mut empty = 0;
    for link in links(html) {
        let written = html.get(link.span.clone());
        assert!(written.is_some(), "{:?} {:?}", link.place, link.span);
        empty += u32::from(written == Some(""));
    }
    assert!(empty > 0);
}
