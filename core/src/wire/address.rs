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

    /// The address as sent, without white space around it. It was read from `sent`.
    pub(crate) fn text<'c>(&'c self, sent: &'c str) -> &'c str {
        match self {
            Self::Plain { start, scan } => {
                let start = *start as usize;
                text_part(sent, start..start + scan.len())
            }
            Self::Other(texts) => &texts.text,
        }
    }

    /// The match key.
    #[inline]
    pub(crate) fn key<'c>(&'c self, sent: &'c str) -> Cow<'c, str> {
        match self {
            Self::Plain { scan, .. } if scan.is_match_key() => Cow::Borrowed(self.text(sent)),
            Self::Plain { .. } => Cow::Owned(self.text(sent).to_ascii_lowercase()),
            Self::Other(texts) => Cow::Borrowed(&texts.key),
        }
    }

    /// The domain in lower-case ASCII form.
    pub(crate) fn domain<'c>(&'c self, sent: &'c str) -> Cow<'c, str> {
        let scan = match self {
            Self::Plain { scan, .. } => scan,
            Self::Other(texts) => return Cow::Borrowed(&texts.domain),
        };
        let text = self.text(sent);
        let domain = text.rsplit_once('@').map_or(text, |(_, domain)| domain);
        if scan.upper_domain() {
            Cow::Owned(domain.to_ascii_lowercase())
        } else {
            Cow::Borrowed(domain)
        }
    }
}

debug_shows!(SentAddress {});
