//! Message-IDs that say which delivery they are of, but to nobody who lacks the secret: a plain number would tell how many
//! emails there are, and anybody could make the Message-ID of another email.
//!
//! A number is encrypted deterministically, with an HMAC of itself as the initialization vector (the construction of SIV,
//! RFC 5297): what comes out is always the same, can be read back, and cannot be made without the secret.

use std::array;

use ring::hmac::{self, HMAC_SHA256, Key};

/// Of so many bytes no two are the same by chance.
const TAG_BYTES: usize = 16;
const NUMBER_BYTES: usize = 8;

/// What a delivery's Message-ID has before its `@`.
pub(super) fn make(secret: &[u8], delivery: i64) -> String {
    let key = Key::new(HMAC_SHA256, secret);
    let tag = tag(&key, delivery);
    let masked = masked(&key, &tag, delivery.to_be_bytes());
    let bytes = tag.iter().chain(&masked);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

/// The delivery of which a Message-ID is, without angle brackets; `None` if it is of none.
pub(super) fn read(secret: &[u8], message_id: &str) -> Option<i64> {
    let (digits, _) = message_id.split_once('@')?;
    let bytes = bytes(digits)?;
    let (tag_found, masked_number) = bytes.split_first_chunk::<TAG_BYTES>()?;
    let key = Key::new(HMAC_SHA256, secret);
    let number = masked(&key, tag_found, *masked_number.first_chunk()?);
    let delivery = i64::from_be_bytes(number);
    // Two HMACs of the tags are compared: how long that takes says nothing about the tags.
    let expected = hmac::sign(&key, &tag(&key, delivery));
    hmac::verify(&key, tag_found, expected.as_ref())
        .is_ok()
        .then_some(delivery)
}

fn tag(key: &Key, delivery: i64) -> [u8; TAG_BYTES] {
    first(
        key,
        &[b"message id".as_slice(), &delivery.to_be_bytes()].concat(),
    )
}

/// A number under its mask, and back.
fn masked(key: &Key, tag: &[u8; TAG_BYTES], number: [u8; NUMBER_BYTES]) -> [u8; NUMBER_BYTES] {
    let mask = u64::from_be_bytes(first(key, &[b"mask".as_slice(), tag].concat()));
    (u64::from_be_bytes(number) ^ mask).to_be_bytes()
}

/// The first bytes of an HMAC, which has 32 of them.
fn first<const N: usize>(key: &Key, text: &[u8]) -> [u8; N] {
    let tag = hmac::sign(key, text);
    let mut bytes = tag.as_ref().iter().copied();
    array::from_fn(|_| bytes.next().unwrap_or_default())
}

/// The bytes of a Message-ID's hexadecimal digits. Mail servers may change the case of letters.
fn bytes(digits: &str) -> Option<[u8; TAG_BYTES + NUMBER_BYTES]> {
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let pairs = digits.as_bytes().chunks(2);
    let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Option<Vec<u8>> = pairs.map(byte).collect();
    bytes?.try_into().ok().filter(|_| is_hex)
}

#[cfg(test)]
mod tests {
    use super::{make, read};

    #[test]
    fn a_message_id_says_which_delivery_it_is_of_to_who_has_the_secret() {
        for delivery in [1, 42, (1 << 53) - 1, i64::MAX] {
            let id = format!("{}@shop.example", make(b"secret", delivery));
            assert_eq!(read(b"secret", &id), Some(delivery));
            assert_eq!(read(b"secret", &id.to_ascii_uppercase()), Some(delivery));
            assert_eq!(read(b"another", &id), None);
        }
    }

    #[test]
    fn a_message_id_that_was_changed_anywhere_is_of_no_delivery() {
        let id = make(b"secret", 42);
        for place in 0..id.len() {
            for digit in "0123456789abcdef+é".chars() {
                let mut changed: Vec<char> = id.chars().collect();
                if changed.get(place) == Some(&digit) {
                    continue;
                }
                changed.splice(place..=place, [digit]);
                let changed: String = changed.into_iter().collect();
                assert_eq!(read(b"secret", &format!("{changed}@shop.example")), None);
            }
        }
        for other in ["", "@", "17@mail.example.com", id.as_str()] {
            assert_eq!(read(b"secret", other), None, "{other}");
        }
    }
}
