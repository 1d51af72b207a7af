//! Seven ways in which clients URL-encode a body.

/// Ways to send a body, as seven encoders write it.
pub(crate) const ENCODERS: [fn(&str) -> String; 7] = [
    // Forms of the URL standard, which differ from PHP's `urlencode` in one character.
    franking::html::encode,
    |html| escaped(html, b"-_.!~*'()", "%20"),
    // JavaScript's `encodeURI`.
    |html| escaped(html, b"-_.!~*'();/?:@&=$,#", "%20"),
    |html| escaped(html, b"-_.", "+"),
    |html| escaped(html, b"-_.~", "%20"),
    // `quote` and `quote_plus` of Python.
    |html| escaped(html, b"-_.~/", "%20"),
    |html| escaped(html, b"-_.~", "+"),
];

fn escaped(html: &str, kept: &[u8], space: &str) -> String {
    let mut text = String::new();
    for byte in html.bytes() {
        match byte {
            b' ' => text.push_str(space),
            _ if byte.is_ascii_alphanumeric() || kept.contains(&byte) => {
                text.push(char::from(byte))
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
