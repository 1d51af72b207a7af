use super::*;
use alloc::string::String;
use alloc::vec::Vec;

fn links(text: &str) -> Vec<&str> {
    let mut run = Run::default();
    core::iter::from_fn(|| run.next(text))
        .map(|span| span.of(text))
        .collect()
}

#[test]
fn links_in_text_are_found_where_mail_readers_find_them() {
    for (text, expected) in [
        ("see http://a.example.", &["http://a.example"][..]),
        ("see HTTPS://a.example/x?y!)", &["HTTPS://a.example/x?y"]),
        (
            "Www.a.example, www.b.example",
            &["Www.a.example", "www.b.example"],
        ),
        ("(www.a.example)", &["www.a.example"]),
        ("http://[2001:db8::1]", &["http://[2001:db8::1]"]),
        ("(http://[2001:db8::1]).", &["http://[2001:db8::1]"]),
        ("http://u@[::1]]]", &["http://u@[::1]"]),
        ("[http://a.example]", &["http://a.example"]),
        (
            "http://a.example?u=http://b.example",
            &["http://a.example?u=http://b.example", "http://b.example"],
        ),
        ("www.a,www.b,www.c,", &["www.a,www.b,www.c"]),
        ("http://u,www.a,x@b", &["http://u,www.a,x@b"]),
        ("www.a~www.b~www.c/www.d", &["www.a~www.b~www.c/www.d"]),
        ("www.a/,www.b", &["www.a/,www.b", "www.b"]),
        ("http://a.example\u{3000}x", &["http://a.example"]),
        ("http://a.example。", &["http://a.example"]),
        ("«http://a.example»", &["http://a.example"]),
        ("http://a.example'x", &["http://a.example"]),
        ("²www.a.example", &["www.a.example"]),
    ] {
        assert_eq!(links(text), expected, "{text}");
    }
}

#[test]
fn what_only_looks_like_a_link_is_text() {
    for text in [
        "xhttp://a.example",
        "éwww.a.example",
        "5www.a.example",
        "_www.a.example",
        "-www.a.example",
        ".www.a.example",
        "/www.a.example",
        "@www.a.example",
        "http:/a.example",
        "http://",
        "www.",
        "www.)",
        "https://.",
        "a.example",
        "http:a.example",
        "١www.a.example",
    ] {
        assert_eq!(links(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn many_links_in_one_word_take_time_in_proportion_to_it() {
    let text: String = core::iter::repeat_n("www.a,", 200_000).collect();
    let found = links(&text);
    let length: usize = found.iter().map(|link| link.len()).sum();
    assert_eq!(found.len(), 1);
    assert!(length < 2 * text.len());
}
