//! An address that a field holds, read once.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use super::json::{Shape, Value};
use super::value::text;
use crate::debug::debug_shows;
use crate::text::address::{Scan, parse, scan_first};
use crate::text::unicode;

/// A valid address of the body: its text, its match key and its domain.
#[derive(Clone)]
pub(crate) enum SentAddress {
    /// An ordinary address of ASCII, which stands in the body as it is.
    Plain { start: u32, scan: Scan },
    /// Any other: with white space around it, with escapes, or not of ASCII.
    Other(Box<Texts>),
}

/// The texts of an address that does not stand in the body as it is.
#[derive(Clone)]
pub(crate) struct Texts {
    text: String,
    key: String,
    domain: String,
}

impl Texts {
    /// The domain in lower-case ASCII form.
    pub(crate) fn domain(&self) -> &str {
        &self.domain
    }
}

impl SentAddress {
    /// The address that a text field holds, white space around it aside; `None` for what is no address.
    // Not inlined: it is used twice, and would fill the instruction cache.
    #[inline(never)]
    pub(crate) fn read(value: Value, body: &[u8]) -> Option<Self> {
        if value.shape == Shape::Text {
            let content = value.content();
            if let Some(scan) = scan_first(body.get(content.start..)?, content.len()) {
                let start = u32::try_from(content.start).ok()?;
                return Some(Self::Plain { start, scan });
            }
        }
        Self::read_other(value, body)
    }

    #[cold]
    fn read_other(value: Value, body: &[u8]) -> Option<Self> {
        let text = text(value, body)?;
        let address = parse(unicode::trim(&text)).ok()?;
        Some(Self::Other(Box::new(Texts {
            text: address.as_str().into(),
            key: address.match_key().into_owned(),
            domain: address.domain().into_owned(),
        })))
    }

    /// The address as a text. `kept` is the body once more if it was kept as text, or nothing. `None` when `body` is not the
    /// one that the address was read from.
    #[inline]
    pub(crate) fn lend<'c>(&'c self, body: &'c [u8], kept: &'c str) -> Option<Address<'c>> {
        Some(match self {
            Self::Plain { start, scan } => {
                let start = *start as usize;
                let place = start..start + scan.len();
                let text = match kept.get(place.clone()) {
                    Some(text) => text,
                    None => core::str::from_utf8(body.get(place)?).ok()?,
                };
                Address::Plain { text, scan: *scan }
            }
            Self::Other(texts) => Address::Other(texts),
        })
    }
}

/// A valid address as a text, lent from the call.
#[derive(Clone, Copy)]
pub(crate) enum Address<'c> {
    Plain { text: &'c str, scan: Scan },
    Other(&'c Texts),
}

impl<'c> Address<'c> {
    /// As sent, without white space around it.
    pub(crate) fn text(self) -> &'c str {
        match self {
            Self::Plain { text, .. } => text,
            Self::Other(texts) => &texts.text,
        }
    }

    /// The match key.
    #[inline]
    pub(crate) fn key(self) -> Cow<'c, str> {
        match self {
            Self::Plain { text, scan } if scan.is_match_key() => Cow::Borrowed(text),
            Self::Plain { text, .. } => Cow::Owned(text.to_ascii_lowercase()),
            Self::Other(texts) => Cow::Borrowed(&texts.key),
        }
    }

    /// The domain in lower-case ASCII form.
    pub(crate) fn domain(self) -> Cow<'c, str> {
        let (text, is_upper) = match self {
            Self::Plain { text, scan } => (text, scan.upper_domain()),
            Self::Other(texts) => (texts.domain.as_str(), false),
        };
        let domain = text.rsplit_once('@').map_or(text, |(_, domain)| domain);
        if is_upper {
            Cow::Owned(domain.to_ascii_lowercase())
        } else {
            Cow::Borrowed(domain)
        }
    }
}

debug_shows!(SentAddress {});
