//! Domains of mail addresses and hosts of URLs, in the form in which they are compared.

mod labels;

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::net::{Ipv4Addr, Ipv6Addr};

use idna::uts46::{AsciiDenyList, DnsLength, ErrorPolicy, Hyphens, Uts46};
use thiserror::Error;
use url::Host;

use crate::bytes::class::{ByteTable, byte_table};
use crate::debug::debug_shows;
pub(crate) use labels::{has_endless_label, is_dot};

/// The most octets that a domain name can have in its ASCII form (RFC 1035, without the root's dot).
pub const MAX_DOMAIN_LEN: usize = 253;
/// The most octets that one label can have in its ASCII form (RFC 1035).
pub const MAX_LABEL_LEN: usize = 63;

/// Why a text is not a domain that mail can be delivered to. It contains nothing of that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum DomainError {
    /// The text is empty.
    #[error("the domain is empty: write one, as in example.com")]
    Empty,
    /// A dot at the beginning or the end, or two in a row.
    #[error("a label of the domain is empty: remove dots at its ends and repeated ones")]
    EmptyLabel,
    /// A hyphen first or last in a label.
    #[error("a label of the domain begins or ends with a hyphen: remove it")]
    Hyphen,
    /// A label is longer than [`MAX_LABEL_LEN`].
    #[error("a label of the domain has more than 63 octets in ASCII form: shorten it")]
    LabelTooLong,
    /// The domain is longer than [`MAX_DOMAIN_LEN`].
    #[error("the domain has more than 253 octets in ASCII form: shorten it")]
    TooLong,
    /// Characters, or an order of them, that a domain cannot have (UTS 46, IDNA 2008).
    #[error(
        "the domain has characters that no domain can have: use letters, digits and inner hyphens, \
         between single dots"
    )]
    Characters,
    /// A single label, such as `localhost`.
    #[error("the domain has one label only: write it in full, as in example.com")]
    SingleLabel,
    /// The last label is a number, so this may be an IP address.
    #[error("the last label of the domain is a number: write a domain name, not an IP address")]
    NumericEnd,
}

const LETTER_DIGIT_HYPHEN_DOT: u8 = 1;
const HYPHEN_OR_DOT: u8 = 2;
const DOT: u8 = 4;
const UPPER: u8 = 8;

static CLASSES: ByteTable<u8> = byte_table!(|byte| match byte {
    b'a'..=b'z' | b'0'..=b'9' => LETTER_DIGIT_HYPHEN_DOT,
    b'A'..=b'Z' => LETTER_DIGIT_HYPHEN_DOT | UPPER,
    b'-' => LETTER_DIGIT_HYPHEN_DOT | HYPHEN_OR_DOT,
    b'.' => LETTER_DIGIT_HYPHEN_DOT | HYPHEN_OR_DOT | DOT,
    _ => 0,
});

/// Recognizes an ordinary ASCII domain in one pass, and tells whether it has an upper-case letter. `None` means that
/// [`parse`] has to decide: that is the case for every invalid domain, and for every domain with a character above U+007F or
/// with `--`, as in `xn--`.
#[inline]
fn scan_ascii(text: &str) -> Option<bool> {
    let mut any = 0;
    let mut neighbours = 0;
    // Both ends count as dots, so that a hyphen or an empty label at an end is found.
    let mut before = HYPHEN_OR_DOT;
    let domain = text.as_bytes();
    for byte in domain {
        let class = CLASSES.of(*byte);
        if class == 0 {
            return None;
        }
        any |= class;
        neighbours |= class & before;
        before = class;
    }
    let is_ordinary = any & DOT != 0
        && (neighbours | before) & HYPHEN_OR_DOT == 0
        && (domain.len() <= MAX_LABEL_LEN || fits_dns(domain))
        && !ends_in_digits(domain);
    is_ordinary.then_some(any & UPPER != 0)
}

/// Whether the DNS can carry a name: labels of 1 to 63 octets, 253 in all (RFC 1035, section 2.3.4). The name has no dot at
/// its end.
#[inline]
pub(crate) fn fits_dns(name: &[u8]) -> bool {
    name.len() <= MAX_DOMAIN_LEN
        && name
            .split(|byte| *byte == b'.')
            .all(|label| (1..=MAX_LABEL_LEN).contains(&label.len()))
}

/// Whether a domain in ASCII is short enough for DNS. Labels may be empty. No conversion makes a label in ASCII shorter.
fn is_short_enough(domain: &str) -> bool {
    domain.len() <= MAX_DOMAIN_LEN && domain.split('.').all(|label| label.len() <= MAX_LABEL_LEN)
}

/// Whether the last label has only digits.
fn ends_in_digits(domain: &[u8]) -> bool {
    domain.last().is_some_and(u8::is_ascii_digit)
        && domain
            .iter()
            .rev()
            .take_while(|&&byte| byte != b'.')
            .all(u8::is_ascii_digit)
}

/// The lower-case ASCII form of a domain that mail can be delivered to.
///
/// A domain is valid if UTS 46 turns it into ASCII (non-transitional, STD3 rules, CheckBidi,
/// CheckJoiners, no hyphen first or last in a label, DNS lengths, no dot at the end), and if it has at
/// least two labels, the last of which is not all digits. The text is not trimmed. The result is
/// borrowed if the text is already in this form.
///
/// ```
/// use franking::domain::{DomainError, parse};
/// assert_eq!(parse("Example.COM").as_deref(), Ok("example.com"));
/// assert_eq!(parse("straße.example").as_deref(), Ok("xn--strae-oqa.example"));
/// assert_eq!(parse("localhost"), Err(DomainError::SingleLabel));
/// ```
///
/// # Errors
///
/// [`DomainError`] with one thing to correct.
pub fn parse(text: &str) -> Result<Cow<'_, str>, DomainError> {
    match scan_ascii(text) {
        Some(true) => Ok(Cow::Owned(text.to_ascii_lowercase())),
        Some(false) => Ok(Cow::Borrowed(text)),
        None => parse_in_full(text),
    }
}

/// [`parse`] without its shortcut.
fn parse_in_full(text: &str) -> Result<Cow<'_, str>, DomainError> {
    if text.is_empty() {
        return Err(DomainError::Empty);
    }
    // Converting a label takes time quadratic in its length, so a label that is surely too long is not converted.
    if text.is_ascii() && !is_short_enough(text) {
        return Err(reason_of_long(text));
    }
    if has_endless_label(text) {
        return Err(DomainError::LabelTooLong);
    }
    // Encoding a text this short is cheap, even if it is done twice to find out what is wrong.
    if text.len() <= MAX_DOMAIN_LEN
        && let Ok(ascii) = to_ascii(text)
        && let Ok(ascii) = fitting(ascii)
    {
        return Ok(ascii);
    }
    if !text.is_ascii() {
        check_unicode_form(text)?;
    }
    let ascii = to_ascii(text).map_err(|_| reason(text))?;
    fitting(ascii)
}

/// The ASCII form of a domain, if mail can be delivered to it.
fn fitting(ascii: Cow<'_, str>) -> Result<Cow<'_, str>, DomainError> {
    if ascii.is_empty() {
        return Err(DomainError::Empty);
    }
    if ascii.len() > MAX_DOMAIN_LEN {
        return Err(DomainError::TooLong);
    }
    for label in ascii.split('.') {
        match label.len() {
            0 => return Err(DomainError::EmptyLabel),
            1..=MAX_LABEL_LEN => {}
            _ => return Err(DomainError::LabelTooLong),
        }
    }
    if !ascii.contains('.') {
        return Err(DomainError::SingleLabel);
    }
    if ends_in_digits(ascii.as_bytes()) {
        return Err(DomainError::NumericEnd);
    }
    Ok(ascii)
}

/// The ASCII form that UTS 46 gives a text. Lengths are checked separately, because UTS 46 does not say which length is
/// wrong.
fn to_ascii(text: &str) -> Result<Cow<'_, str>, idna::Errors> {
    Uts46::new().to_ascii(text.as_bytes(), DENIED, HYPHENS, DnsLength::Ignore)
}

const DENIED: AsciiDenyList = AsciiDenyList::STD3;
const HYPHENS: Hyphens = Hyphens::CheckFirstLast;

/// Refuses a domain that is too long for DNS even before it is encoded. Encoding a label takes time
/// quadratic in its length, so a label that cannot be valid must not be encoded.
fn check_unicode_form(text: &str) -> Result<(), DomainError> {
    let mut form = String::new();
    let policy = ErrorPolicy::FailFast;
    Uts46::new()
        .process(
            text.as_bytes(),
            DENIED,
            HYPHENS,
            policy,
            |_, _, _| true,
            &mut form,
            None,
        )
        .map_err(|_| reason(text))?;
    // An encoded label never has fewer octets than the label has characters.
    if form.chars().count() > MAX_DOMAIN_LEN {
        return Err(DomainError::TooLong);
    }
    let too_long = |label: &str| label.chars().count() > MAX_LABEL_LEN;
    if form.split('.').any(too_long) {
        return Err(DomainError::LabelTooLong);
    }
    Ok(())
}

/// The most helpful error for a text that UTS 46 refuses.
fn reason(text: &str) -> DomainError {
    let hyphen_at_end = |label: &str| label.starts_with('-') || label.ends_with('-');
    if text.split('.').any(hyphen_at_end) {
        return DomainError::Hyphen;
    }
    DomainError::Characters
}

/// The most helpful error for a domain in ASCII that is too long.
fn reason_of_long(text: &str) -> DomainError {
    match reason(text) {
        DomainError::Characters if text.bytes().all(|byte| CLASSES.of(byte) != 0) => {
            match text.len() > MAX_DOMAIN_LEN {
                true => DomainError::TooLong,
                false => DomainError::LabelTooLong,
            }
        }
        other => other,
    }
}

/// The canonical form of a host in a URL or on a blacklist. `None` if no URL can have that host, or if a label that would have
/// to be converted is far too long for DNS.
///
/// The host is read by the [host parser](https://url.spec.whatwg.org/#host-parsing) of the WHATWG URL
/// standard: numeric spellings become dotted IPv4 addresses, IPv6 addresses keep their brackets, single
/// labels and underscores are allowed. All dots at the end are dropped. Borrowed if nothing changes.
///
/// ```
/// use franking::domain::to_ascii;
/// assert_eq!(to_ascii("WWW.Example.com.").as_deref(), Some("www.example.com"));
/// assert_eq!(to_ascii("0x7f.1").as_deref(), Some("127.0.0.1"));
/// assert_eq!(to_ascii("[::FFFF:1.2.3.4]").as_deref(), Some("[::ffff:102:304]"));
/// assert_eq!(to_ascii("a host"), None);
/// ```
pub fn host_to_ascii(text: &str) -> Option<Cow<'_, str>> {
    if is_canonical_name(text) {
        return Some(Cow::Borrowed(text));
    }
    if has_endless_label(text) {
        return None;
    }
    let host = Host::parse(text).ok()?.to_string();
    let host = host.trim_end_matches('.');
    if host.is_empty() {
        None
    } else if host == text {
        Some(Cow::Borrowed(text))
    } else {
        Some(Cow::Owned(host.into()))
    }
}

/// Whether `text` is certainly a name that fits into DNS and that the host parser would not change. `false` means that it
/// may still be one.
pub(crate) fn is_canonical_name(text: &str) -> bool {
    // Every spelling of a number begins with a digit.
    let last_label = memchr::memrchr(b'.', text.as_bytes()).and_then(|dot| text.get(dot + 1..));
    last_label.is_some_and(|label| !label.starts_with(|first: char| first.is_ascii_digit()))
        && scan_ascii(text) == Some(false)
}

/// The names under which a blacklist may list `host`: the host and its parents down to two labels.
///
/// `host` has to be in canonical form ([`host_to_ascii`]); all dots at its end are dropped. A numeric
/// host and a single label yield only themselves. An IPv4-mapped IPv6 host yields itself and the dotted
/// IPv4 address. An empty host yields nothing.
///
/// ```
/// use franking::domain::walk;
/// assert!(walk("a.b.example.com").eq(["a.b.example.com", "b.example.com", "example.com"]));
/// assert!(walk("127.0.0.1").eq(["127.0.0.1"]));
/// assert!(walk("[::ffff:102:304]").eq(["[::ffff:102:304]", "1.2.3.4"]));
/// ```
pub fn walk(host: &str) -> Walk<'_> {
    let host = host.trim_end_matches('.');
    let first = match is_numeric(host) {
        true => Upcoming::Numeric(host),
        false => Upcoming::Name(host),
    };
    Walk((!host.is_empty()).then_some(first))
}

/// Whether a canonical host is an IP address rather than a name.
pub(crate) fn is_numeric(host: &str) -> bool {
    host.starts_with('[') || ends_in_digits(host.as_bytes())
}

/// The iterator that [`walk`] returns. Only the IPv4 address of an IPv4-mapped IPv6 host is owned.
#[derive(Clone)]
pub struct Walk<'a>(Option<Upcoming<'a>>);

/// The next item of a [`Walk`].
#[derive(Clone)]
enum Upcoming<'a> {
    /// This name, and then its parents.
    Name(&'a str),
    /// This numeric host, and then the IPv4 address that it maps, if any.
    Numeric(&'a str),
    /// The IPv4 address that a numeric host maps.
    Mapped(Ipv4Addr),
}

impl<'a> Iterator for Walk<'a> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Cow<'a, str>> {
        let (name, next) = match self.0.take()? {
            Upcoming::Name(name) => {
                // A parent has two labels or more.
                let parent = after_dot(name).filter(|parent| after_dot(parent).is_some());
                (Cow::Borrowed(name), parent.map(Upcoming::Name))
            }
            Upcoming::Numeric(host) => {
                let mapped = mapped_ipv4(host).map(Upcoming::Mapped);
                (Cow::Borrowed(host), mapped)
            }
            Upcoming::Mapped(address) => (Cow::Owned(address.to_string()), None),
        };
        self.0 = next;
        Some(name)
    }
}

impl core::iter::FusedIterator for Walk<'_> {}

// Shows nothing of the host, which may come from a person's address.
debug_shows!(Walk<'_> {});

fn after_dot(name: &str) -> Option<&str> {
    let dot = memchr::memchr(b'.', name.as_bytes())?;
    name.get(dot + 1..)
}

fn mapped_ipv4(host: &str) -> Option<Ipv4Addr> {
    let inner = host.strip_prefix('[')?.strip_suffix(']')?;
    inner.parse::<Ipv6Addr>().ok()?.to_ipv4_mapped()
}

#[cfg(test)]
mod tests;
