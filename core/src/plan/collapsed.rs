//! The repeated addresses that a plan leaves out.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use crate::debug::debug_shows;
use crate::http_send_mail::Repetition;
use crate::violation::pointer_of;

/// A repeated address that is left out. Debug shows nothing of the address.
#[derive(Clone)]
pub struct Collapsed<'c>(pub(super) Repetition<'c>);

impl<'c> Collapsed<'c> {
    /// The position in `requests`, from 0.
    #[must_use]
    pub fn request(&self) -> u32 {
        self.0.request()
    }

    /// The address as sent, without white space around it.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        self.0.to()
    }

    /// The list in which the repetition stands, as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> String {
        pointer_of(Some(self.request()), Some(self.0.list().name()))
    }

    /// The bytes of the entry in the body.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }
}

debug_shows!(Collapsed<'_> { request() });
