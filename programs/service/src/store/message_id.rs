//! Message-IDs that identify their delivery, but only to the holder of the secret. A plain number would tell how many emails
//! there are, and anybody could make the Message-ID of another email.
//!
//! A number is encrypted deterministically, with an HMAC of itself as the initialization vector (the construction of SIV,
//! RFC 5297). The result is always the same, can be decrypted, and cannot be forged without the secret.

use std::array;

use ring::hmac::{self, HMAC_SHA256, Key};

use crate::hex;

/// The length of a tag: two tags of this length are not equal by chance.
const TAG_BYTES: usize = 16;
const NUMBER_BYTES: usize = 8;

/// Returns the part of a delivery's Message-ID before the `@`.
pub(super) fn make(secret: &[u8], delivery: i64) -> String {
    let key = Key::new(HMAC_SHA256, secret);
    let tag = tag(&key, delivery);
    let masked = masked(&key, &tag, delivery.to_be_bytes());
    hex::digits(tag.iter().chain(&masked))
}

/// Returns the delivery of a Message-ID without angle brackets, or `None` if it belongs to no delivery.
pub(super) fn read(secret: &[u8], message_id: &str) -> Option<i64> {
    let (digits, _) = message_id.split_once('@')?;
    // Mail servers may change the case of letters.
    let bytes: [u8; TAG_BYTES + NUMBER_BYTES] = hex::bytes(digits)?;
    let (tag_found, masked_number) = bytes.split_first_chunk::<TAG_BYTES>()?;
    let key = Key::new(HMAC_SHA256, secret);
    let number = masked(&key, tag_found, *masked_number.first_chunk()?);
    let delivery = i64::from_be_bytes(number);
    // HMACs of the two tags are compared, so that the time of the comparison says nothing about the tags.
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

/// Masks a number, or unmasks it.
fn masked(key: &Key, tag: &[u8; TAG_BYTES], number: [u8; NUMBER_BYTES]) -> [u8; NUMBER_BYTES] {
    let mask = u64::from_be_bytes(first(key, &[b"mask".as_slice(), tag].concat()));
    (u64::from_be_bytes(number) ^ mask).to_be_bytes()
}

/// Returns the first `N` of the 32 bytes of an HMAC.
fn first<const N: usize>(key: &Key, text: &[u8]) -> [u8; N] {
    let tag = hmac::sign(key, text);
    let mut bytes = tag.as_ref().iter().copied();
    array::from_fn(|_| bytes.next().unwrap_or_default())
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
    fn a_changed_message_id_belongs_to_no_delivery() {
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
