//! Texts as PHP writes them, because most callers of the service are written in PHP.

/// Appends `text` as PHP's `urlencode` writes it: a space as `+`, letters, digits, `-`, `_` and `.` as they
/// are, every other byte as `%XX` in upper case.
pub(super) fn urlencode(text: &str, out: &mut String) {
    const HEX: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F',
    ];
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                out.push(char::from(byte))
            }
            _ => {
                out.push('%');
                out.push(HEX[usize::from(byte >> 4)]);
                out.push(HEX[usize::from(byte & 15)]);
            }
        }
    }
}

/// The style of a JSON string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Json {
    /// The style of most libraries: only what must be escaped is.
    Plain,
    /// The style of PHP's `json_encode`: `/` as `\/`, everything outside ASCII as `\uXXXX`.
    Php,
}

/// Appends `text` as a JSON string with its quotes.
pub(super) fn json_string(text: &str, style: Json, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '/' if style == Json::Php => out.push_str("\\/"),
            _ if style == Json::Php && !character.is_ascii() => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Appends `"name":"text"`, after a comma unless it is the first member of its object.
pub(super) fn member(name: &str, text: &str, style: Json, out: &mut String) {
    if !out.ends_with('{') {
        out.push(',');
    }
    json_string(name, style, out);
    out.push(':');
    json_string(text, style, out);
}

#[cfg(test)]
mod tests {
    use super::{Json, json_string, urlencode};

    #[test]
    fn urlencode_writes_what_php_writes() {
        let mut out = String::new();
        urlencode("a b~c-d_e.f*\u{e9}</p>\n", &mut out);
        assert_eq!(out, "a+b%7Ec-d_e.f%2A%C3%A9%3C%2Fp%3E%0A");
    }

    #[test]
    fn json_encode_escapes_slashes_and_everything_outside_of_ascii() {
        let mut out = String::new();
        json_string("a/\u{e9}\"\u{1f33f}", Json::Php, &mut out);
        assert_eq!(out, r#""a\/\u00e9\"\ud83c\udf3f""#);
        out.clear();
        json_string("a/\u{e9}", Json::Plain, &mut out);
        assert_eq!(out, "\"a/\u{e9}\"");
    }
}
