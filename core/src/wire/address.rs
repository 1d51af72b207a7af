//! The address in a field, read once.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use super::json::{Shape, Value};
use super::value::text;
use crate::bytes::{rest, text_part};
use crate::debug::debug_shows;
use crate::text::address::{Scan, parse, scan_first};
use crate::text::unicode;

/// A valid address of the body: its text, its match key and its domain.
#[derive(Clone)]
pub(crate) enum SentAddress {
    /// An ordinary ASCII address, which is a slice of the body.
    Plain { start: u32, scan: Scan },
    /// Any other address: a long one, or one with white space around it, with escapes, or with characters outside ASCII.
    Other(Box<AddressTexts>),
}

/// The texts of an address that is not a slice of the body.
#[derive(Clone)]
pub(crate) struct AddressTexts {
    text: String,
    key: String,
    /// In lower-case ASCII form.
    pub(crate) domain: String,
}

impl SentAddress {
    /// The address in a text field, without white space around it; `None` when the field does not have a valid address.
    // Not inlined: it has two callers, and two copies would fill the instruction cache.
    #[inline(never)]
    pub(crate) fn read(value: Value, sent: &str) -> Option<Self> {
        if value.shape == Shape::Text {
            let content = value.content();
            if let Some(scan) = scan_first(rest(sent.as_bytes(), content.start), content.len()) {
                let start = u32::try_from(content.start).ok()?;
                return Some(Self::Plain { start, scan });
            }
        }
        Self::read_other(value, sent)
    }

    #[cold]
    fn read_other(value: Value, sent: &str) -> Option<Self> {
        let text = text(value, sent)?;
        let address = parse(unicode::trim(&text)).ok()?;
        Some(Self::Other(Box::new(AddressTexts {
            text: address.as_str().into(),
            key: address.match_key().into_owned(),
            domain: address.domain().into_owned(),
        })))
    }

    /// The address as a text. It was read from `sent`.
    #[inline]
    pub(crate) fn lend<'c>(&'c self, sent: &'c str) -> Address<'c> {
        match self {
            Self::Plain { start, scan } => {
                let start = *start as usize;
                Address::Plain {
                    text: text_part(sent, start..start + scan.len()),
                    scan: *scan,
                }
            }
            Self::Other(texts) => Address::Other(texts),
        }
    }
}

/// A valid address as a text, borrowed from the call.
#[derive(Clone, Copy)]
pub(crate) enum Address<'c> {
    Plain { text: &'c str, scan: Scan },
    Other(&'c AddressTexts),
}

impl<'c> Address<'c> {
    /// The address as sent, without white space around it.
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
