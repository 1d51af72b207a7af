use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::*;

#[test]
fn letters_that_are_kept_are_so_beside_each_other() {
    let letters = (0x80..=0x10_ffff).filter_map(char::from_u32);
    let kept: Vec<char> = letters.filter(|letter| is_kept(*letter)).collect();
    for (at, one) in kept.iter().enumerate() {
        // Each letter is tried beside letters that are near to it in the list and far from it.
        for other in [at + 1, at + 7, at * 31 + 5, at * 977 + 11] {
            let other = kept.get(other % kept.len()).copied().unwrap();
            for label in [one.to_string(), String::from_iter(['A', *one, other, '-'])] {
                let plain = idna::domain_to_ascii_cow(label.as_bytes(), idna::AsciiDenyList::URL);
                assert_eq!(
                    to_punycode(&label).as_deref(),
                    plain.as_deref().ok(),
                    "{label}"
                );
            }
        }
    }
}
