//! The body of a call as sent.

use alloc::borrow::Cow;
use alloc::string::String;

/// A body. Whether its bytes are UTF-8 is checked once.
#[derive(Clone)]
pub(crate) enum Sent<'b> {
    Text(Cow<'b, str>),
    /// Bytes that are not UTF-8, or are too long to be read.
    Bytes(Cow<'b, [u8]>),
}

impl<'b> Sent<'b> {
    /// Takes a body. A body of more than `most` bytes is not checked, because it is not read.
    pub(crate) fn new(body: Cow<'b, [u8]>, most: u64) -> Self {
        if body.len() as u64 > most {
            return Self::Bytes(body);
        }
        match body {
            Cow::Borrowed(bytes) => match simdutf8::basic::from_utf8(bytes) {
                Ok(text) => Self::Text(Cow::Borrowed(text)),
                Err(_) => Self::Bytes(body),
            },
            Cow::Owned(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Self::Text(Cow::Owned(text)),
                Err(error) => Self::Bytes(Cow::Owned(error.into_bytes())),
            },
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The text. It is empty for a body that is not UTF-8 or is too long: that body is refused before anything is looked up
    /// in it.
    #[inline]
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Bytes(_) => "",
        }
    }
}
