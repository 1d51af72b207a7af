//! Labels whose letters UTS 46 leaves as they are. Most labels beyond ASCII are of this kind, and need no look-up in its
//! tables.

use alloc::string::String;

use super::MAX_LABEL_LEN;
use crate::text::unicode::lower_ascii;

/// Whether UTS 46 leaves a letter of one of the most common scripts as it is, whatever the letters around it. None of these
/// letters begins or ends a composition with another of them, and all are written from left to right.
pub(crate) const fn is_kept(character: char) -> bool {
    matches!(
        character,
        '\u{df}'..='\u{f6}'
            | '\u{f8}'..='\u{ff}'
            | '\u{3ac}'..='\u{3ce}'
            | '\u{430}'..='\u{45f}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{4e00}'..='\u{9fa5}'
            | '\u{ac00}'..='\u{d7a3}'
    )
}

/// The ASCII form of a label that has ASCII characters and at least one letter that is kept. `None` if it does not fit into
/// DNS.
pub(crate) fn to_punycode(label: &str) -> Option<String> {
    // An encoded label never has fewer octets than the label has characters.
    label.chars().nth(MAX_LABEL_LEN).is_none().then_some(())?;
    let mut encoded = idna::punycode::encode_str(&lower_ascii(label))?;
    encoded.insert_str(0, "xn--");
    Some(encoded).filter(|encoded| encoded.len() <= MAX_LABEL_LEN)
}

/// The ASCII form of a domain of such labels and of labels of letters, digits and hyphens. `None` leaves open whether the
/// text is a domain.
pub(super) fn usual(text: &str) -> Option<String> {
    let is_known = |one: char| is_kept(one) || one.is_ascii_alphanumeric() || one == '-';
    let mut domain = String::with_capacity(text.len() + 8);
    for label in text.split('.') {
        let is_open = label.is_empty()
            || label.starts_with('-')
            || label.ends_with('-')
            || label.contains("--")
            || !label.chars().all(is_known);
        if is_open {
            return None;
        }
        if !domain.is_empty() {
            domain.push('.');
        }
        match label.is_ascii() {
            true => domain.extend(label.chars().map(|letter| letter.to_ascii_lowercase())),
            false => domain.push_str(&to_punycode(label)?),
        }
    }
    Some(domain)
}

#[cfg(test)]
mod tests;
