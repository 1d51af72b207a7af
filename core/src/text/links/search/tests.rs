use super::*;

#[test]
fn what_is_looked_for_is_found_wherever_it_is() {
    for length in 0..100 {
        for at in 0..length {
            let mut html = [b'x'; 100];
            html[at] = b'<';
            let html = &html[..length];
            assert_eq!(find(html, 0, b'<'), Some(at));
            assert_eq!(find(html, at + 1, b'<'), None);
            assert_eq!(text_end(html, 0).0, Some(at));
            assert_eq!(value_end(html, 0, b'<').0, at);
            assert_eq!(value_end(html, at + 1, b'<').0, length);
        }
    }
}

#[test]
fn what_is_before_the_end_is_told_and_what_is_after_it_is_not() {
    for at in 0..80 {
        for (mark, of_value, of_text) in [
            ("w.", false, true),
            ("W.", false, true),
            (":/", false, true),
            (":&", true, true),
            ("&", true, true),
            ("(", true, false),
            ("@", true, false),
            ("\\", true, false),
            (": w .", false, false),
        ] {
            let mut html = "x".repeat(at) + mark;
            html.push_str("x<");
            let end = html.len() - 1;
            html.push_str(&":/w.&(@\\".repeat(4));
            let html = html.as_bytes();
            assert_eq!(value_end(html, 0, b'<'), (end, of_value), "{mark} {at}");
            assert_eq!(text_end(html, 0), (Some(end), of_text), "{mark} {at}");
        }
    }
}
