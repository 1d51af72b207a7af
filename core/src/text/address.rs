//! Mail addresses: which are valid, and which are the same mailbox.
//!
//! An address is valid if its local part is a dot-atom (RFC 5322, with the characters above U+007F
//! of RFC 6531) of at most 64 octets, its domain is valid ([`domain::parse`]), and it has at most 254
//! octets in all. The local part is counted in UTF-8 and the domain in ASCII form. The local part
//! has to be valid both as sent and in NFC. Quoted local parts, address literals, comments and display
//! names are not valid.

mod list;
mod scanned;
mod window;

use alloc::borrow::Cow;
use alloc::string::String;

use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};
use thiserror::Error;

use super::domain::{self, DomainError};
use super::unicode;

use crate::debug::debug_shows;
pub use list::entries;
pub(crate) use list::scan_places;
use scanned::ATEXT;
pub(crate) use scanned::Scan;
pub(crate) use window::{scan_ascii, scan_first};

/// The most octets of UTF-8 that a local part can have (RFC 5321, 4.5.3.1.1).
pub const MAX_LOCAL_PART_LEN: usize = 64;
/// The most octets that an address can have (RFC 5321, 4.5.3.1.3: a path, without its brackets).
pub const MAX_ADDRESS_LEN: usize = 254;
/// The most octets that a match key can have. Lower-casing can make a local part half as long again.
///
/// An address as sent can have any length: its domain may have characters that the ASCII form leaves out.
pub const MAX_MATCH_KEY_LEN: usize = MAX_ADDRESS_LEN + MAX_LOCAL_PART_LEN / 2;

/// Why a text is not a valid address. It contains nothing of that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The text is empty.
    #[error("the address is empty: write one, as in name@example.com")]
    Empty,
    /// There is no `@`.
    #[error("the address has no @: write a name, an @ and a domain, as in name@example.com")]
    NoAt,
    /// There is more than one `@`.
    #[error("the address has more than one @: write one address, as in name@example.com")]
    ManyAts,
    /// There is nothing before the `@`.
    #[error("there is nothing before the @: write the name of the mailbox there")]
    LocalPartEmpty,
    /// A dot at the beginning or the end of the local part, or two in a row.
    #[error("the part before the @ begins or ends with a dot, or has two in a row: remove them")]
    LocalPartDots,
    /// A character that a dot-atom cannot have, as sent or in NFC.
    #[error(
        "the part before the @ has a character that it cannot have: write the bare address, \
         without spaces, quotes, brackets, comments, display name or invisible characters"
    )]
    LocalPartCharacter,
    /// The local part is longer than [`MAX_LOCAL_PART_LEN`], as sent or in NFC.
    #[error("the part before the @ has more than 64 octets: no mailbox has such a name")]
    LocalPartTooLong,
    /// The domain is not valid.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// The address is longer than [`MAX_ADDRESS_LEN`], its local part as sent or in NFC.
    #[error("the address has more than 254 octets: mail servers refuse it")]
    TooLong,
}

/// A valid address, as sent, with its match key.
///
/// Debug shows nothing of the address.
#[derive(Clone)]
pub struct Address<'a> {
    text: &'a str,
    local_part: &'a str,
    domain: &'a str,
    key: Key<'a>,
}

/// How the match key relates to the address as sent.
#[derive(Clone)]
enum Key<'a> {
    /// It is the address.
    Text,
    /// It is the address, which is ASCII, in lower case.
    LowerAscii,
    /// It differs in more than ASCII letters.
    Parts {
        local_part: String,
        domain: Cow<'a, str>,
    },
}

impl<'a> Address<'a> {
    /// The whole address as sent.
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// The part before the `@`, as sent.
    pub fn local_part(&self) -> &'a str {
        self.local_part
    }

    /// The part after the `@`, as sent.
    pub fn domain_as_sent(&self) -> &'a str {
        self.domain
    }

    /// The domain in lower-case ASCII form, borrowed if it was sent in that form.
    pub fn domain(&self) -> Cow<'a, str> {
        match &self.key {
            Key::Text => Cow::Borrowed(self.domain),
            Key::LowerAscii => unicode::lower_ascii(self.domain),
            Key::Parts { domain, .. } => domain.clone(),
        }
    }

    /// The text by which addresses are compared: addresses with the same key are the same mailbox.
    ///
    /// It is the local part in NFC, lower-cased by Unicode's full mapping without locale, and in NFC
    /// again; then an `@`; then the domain in lower-case ASCII form. Borrowed if the address is its own key.
    ///
    /// ```
    /// let address = franking::address::parse("Jo.SMITH@Bücher.example")?;
    /// assert_eq!(address.match_key(), "jo.smith@xn--bcher-kva.example");
    /// # Ok::<(), franking::address::AddressError>(())
    /// ```
    pub fn match_key(&self) -> Cow<'a, str> {
        match &self.key {
            Key::Text => Cow::Borrowed(self.text),
            Key::LowerAscii => Cow::Owned(self.text.to_ascii_lowercase()),
            Key::Parts { local_part, domain } => {
                Cow::Owned([&**local_part, "@", &**domain].concat())
            }
        }
    }

    /// Whether the address as sent is its own match key. Costs nothing.
    pub fn is_match_key(&self) -> bool {
        matches!(self.key, Key::Text)
    }
}

debug_shows!(Address<'_> {});

/// Reads one address. The text is not trimmed.
///
/// An ordinary ASCII address is recognized in one pass, without allocating.
///
/// ```
/// use franking::address::{AddressError, parse};
/// let address = parse("name@Example.com")?;
/// assert_eq!((address.local_part(), address.domain_as_sent()), ("name", "Example.com"));
/// assert_eq!(address.match_key(), "name@example.com");
/// assert_eq!(parse("name").err(), Some(AddressError::NoAt));
/// # Ok::<(), AddressError>(())
/// ```
///
/// # Errors
///
/// [`AddressError`] with one thing to correct.
pub fn parse(text: &str) -> Result<Address<'_>, AddressError> {
    if let Some(scan) = scan_ascii(text.as_bytes())
        && let Some((local_part, domain)) = text.split_once('@')
    {
        return Ok(Address {
            text,
            local_part,
            domain,
            key: if scan.is_match_key() {
                Key::Text
            } else {
                Key::LowerAscii
            },
        });
    }
    parse_in_full(text)
}

/// [`parse`] without its shortcut for ASCII.
fn parse_in_full(text: &str) -> Result<Address<'_>, AddressError> {
    if text.is_empty() {
        return Err(AddressError::Empty);
    }
    let (local_part, domain) = text.split_once('@').ok_or(AddressError::NoAt)?;
    if domain.contains('@') {
        return Err(AddressError::ManyAts);
    }
    check_local_part(local_part)?;
    let composed = NFC.normalize(local_part);
    if let Cow::Owned(composed) = &composed {
        check_local_part(composed)?;
    }
    let domain_ascii = domain::parse(domain)?;
    if local_part.len().max(composed.len()) + 1 + domain_ascii.len() > MAX_ADDRESS_LEN {
        return Err(AddressError::TooLong);
    }
    let lower = composed.to_lowercase();
    let local_key = NFC.normalize(&lower);
    let key = if local_key == local_part && domain_ascii == domain {
        Key::Text
    } else {
        Key::Parts {
            local_part: local_key.into_owned(),
            domain: domain_ascii,
        }
    };
    Ok(Address {
        text,
        local_part,
        domain,
        key,
    })
}

const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfc();

fn check_local_part(local_part: &str) -> Result<(), AddressError> {
    if local_part.is_empty() {
        return Err(AddressError::LocalPartEmpty);
    }
    if local_part.len() > MAX_LOCAL_PART_LEN {
        return Err(AddressError::LocalPartTooLong);
    }
    let cannot_be = |c: char| match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => byte != b'.' && !ATEXT.of(byte),
        _ => unicode::is_invisible(c),
    };
    if local_part.chars().any(cannot_be) {
        return Err(AddressError::LocalPartCharacter);
    }
    if local_part.split('.').any(str::is_empty) {
        return Err(AddressError::LocalPartDots);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
