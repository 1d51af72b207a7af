use super::*;
use alloc::vec::Vec;

fn candidates(value: &str) -> Vec<&str> {
    let mut position = 0;
    core::iter::from_fn(|| next_candidate(value, &mut position))
        .map(|span| span.of(value))
        .collect()
}

#[test]
fn a_srcset_is_split_as_browsers_split_it() {
    assert_eq!(candidates(" a 1x, b 2x ,c"), ["a", "b", "c"]);
    assert_eq!(candidates("a,b 1x"), ["a,b"]);
    assert_eq!(candidates("a, b,,, c,"), ["a", "b", "c"]);
    assert_eq!(candidates("a (1,2) 3x,b"), ["a", "b"]);
    assert_eq!(candidates(" , "), Vec::<&str>::new());
}

#[test]
fn a_refresh_names_its_url_in_every_spelling() {
    for (value, url) in [
        ("0;url=a", Some("a")),
        (" 5 , URL = 'a' b", Some("a")),
        ("0; a", Some("a")),
        ("0 a", Some("a")),
        (".5;url=\"a", Some("a")),
        ("0;url a", Some("url a")),
        ("1.5.;'a'b", Some("a")),
        ("0", None),
        (";url=a", None),
        ("x;url=a", None),
        ("0;url=", None),
        ("0;", None),
        ("0x;url=a", None),
    ] {
        assert_eq!(
            refresh(value).map(|(span, _)| span.of(value)),
            url,
            "{value}"
        );
    }
    let both = |value: &'static str| {
        refresh(value)
            .map(|(first, last)| (first.of(value), Span::new(first.start, last).of(value)))
    };
    assert_eq!(both("0;url='//'@a/'"), Some(("//", "//'@a/")));
    assert_eq!(both("\x0b0\x0b;\x0burl=a"), Some(("a", "a")));
}
