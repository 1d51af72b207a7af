//! Bytes as hexadecimal digits.

/// The digits of bytes, two for each.
pub(crate) fn digits<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> String {
    let digits = bytes.into_iter().map(|byte| format!("{byte:02x}"));
    digits.collect()
}

/// The bytes of digits, whose letters may be small or capital. `None` if the text is not the digits of `N` bytes.
pub(crate) fn bytes<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let digits = digits.as_bytes();
    if digits.len() != N * 2 || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = digits.chunks_exact(2).map(byte).collect();
    bytes?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_two_digits_each_and_nothing_else_is_read_as_bytes() {
        assert_eq!(digits(&[0x00_u8, 0x0f, 0xa5]), "000fa5");
        assert_eq!(bytes("000fA5"), Some([0x00, 0x0f, 0xa5]));
        for text in ["", "000fa", "000fa5f", "000fa5ff", "000f+5", "000fé"] {
            assert_eq!(bytes::<3>(text), None, "{text}");
        }
    }
}
