use alloc::vec::Vec;

use super::{Escapes, resolve};

fn resolved(text: &[u8]) -> Option<Vec<u8>> {
    resolve(Escapes::CSS, text).map(|resolved| resolved.bytes)
}

#[test]
fn an_escaped_line_break_is_left_out_and_one_white_space_ends_the_digits_of_an_escape() {
    for (text, expected) in [
        (&b"a\\\nb"[..], &b"ab"[..]),
        (b"a\\\r\nb", b"ab"),
        (b"a\\\rb", b"ab"),
        (b"a\\\x0cb", b"ab"),
        (b"a\\\n\nb", b"a\nb"),
        (b"\\61\nb", b"ab"),
        (b"\\61\r\nb", b"ab"),
        (b"\\61 b", b"ab"),
        (b"\\61\tb", b"ab"),
        (b"\\61  b", b"a b"),
        (b"a\\ b", b"a b"),
        (b"a\\\tb", b"a\tb"),
        (b"a\\", b"a\\"),
    ] {
        assert_eq!(resolved(text).as_deref(), Some(expected), "{text:?}");
    }
}
