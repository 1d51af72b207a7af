use super::*;

/// The form that the URL standard gives a label.
fn plain(label: &str) -> Option<String> {
    let converted = idna::domain_to_ascii_cow(label.as_bytes(), idna::AsciiDenyList::URL);
    converted.ok().map(Cow::into_owned)
}

#[test]
fn what_is_denied_is_what_the_url_standard_refuses() {
    for byte in 0..0x80_u8 {
        let label = String::from_iter(['a', char::from(byte), 'b']);
        let is_denied = has_denied(label.as_bytes());
        assert_eq!(is_denied, plain(&label).is_none(), "{byte:x}");
    }
}
