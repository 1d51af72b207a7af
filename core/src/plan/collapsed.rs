//! The repeated addresses that a plan leaves out.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::check::request::RequestCheck;
use crate::known::View;
use crate::violation::pointer_of;

/// A repeated address that is left out. Debug shows nothing of the address.
#[derive(Clone)]
pub struct Collapsed<'c> {
    pub(super) view: View<'c>,
    pub(super) check: RequestCheck<'c>,
    pub(super) entry: u32,
}

impl<'c> Collapsed<'c> {
    /// The position in `requests`, from 0.
    #[must_use]
    pub fn request(&self) -> u32 {
        self.check.index
    }

    /// The address as sent, without white space around it.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        self.view.entry_text(self.entry)
    }

    /// The list in which the repetition stands, as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> String {
        let field = self.check.list_at(self.span().start);
        pointer_of(Some(self.check.index), Some(field.name()))
    }

    /// The bytes of the entry in the body.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        let recipients = self
            .view
            .http_send_mail()
            .map(|content| &content.recipients);
        recipients
            .map(|recipients| recipients.entry(self.view.bytes, self.entry).span)
            .unwrap_or_default()
    }
}

impl fmt::Debug for Collapsed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collapsed")
            .field("request", &self.request())
            .finish_non_exhaustive()
    }
}
