//! The questions about a sendMailer call.

use alloc::borrow::Cow;

use super::content::{CheckedSingle, Recipient};
use crate::debug::debug_shows;
use crate::operation::DEFAULT_LIST;
use crate::roles::DomainRoles;
use crate::text::address::MAX_ADDRESS_LEN;
use crate::wire::field::SendMailerField;

/// The questions about a call of sendMailer. They have the same members as [`Questions`](crate::Questions), where every
/// column except the domains has at most one. Debug shows nothing of them.
#[derive(Clone, Copy)]
pub struct SingleQuestions<'c> {
    pub(crate) checked: &'c CheckedSingle,
    pub(crate) sent: &'c str,
}

impl<'c> SingleQuestions<'c> {
    /// The largest number of members of [`Questions::domains`](crate::Questions::domains): those of two addresses, the
    /// recipient's and the sender's.
    ///
    /// An address has at least one octet of local part and an `@`. Each label of the domain takes at least one octet and,
    /// except for the last, a dot. Each name with two labels or more, the domain and its parents, is asked about.
    pub const MAX_DOMAINS: usize = {
        let labels = (MAX_ADDRESS_LEN - "l@".len()).div_ceil(2);
        2 * (labels - 1)
    };

    /// The member of [`Questions::mailers`](crate::Questions::mailers).
    #[must_use]
    pub fn mailer(&self) -> u64 {
        self.checked.mailer
    }

    /// The member of [`Questions::senders`](crate::Questions::senders), if there is one.
    #[must_use]
    pub fn sender(&self) -> Option<Cow<'c, str>> {
        Some(self.checked.sender.as_ref()?.key(self.sent))
    }

    pub(crate) fn has_sender(&self) -> bool {
        self.checked.sender.is_some()
    }

    /// The member of [`Questions::subscriber_ids`](crate::Questions::subscriber_ids), if there is one.
    #[must_use]
    pub fn subscriber_id(&self) -> Option<u64> {
        match self.checked.recipient {
            Recipient::ById(id) => Some(id),
            Recipient::ByAddress(_) => None,
        }
    }

    /// The member of [`Questions::subscribers`](crate::Questions::subscribers), if there is one.
    #[must_use]
    pub fn subscriber(&self) -> Option<Cow<'c, str>> {
        match &self.checked.recipient {
            Recipient::ById(_) => None,
            Recipient::ByAddress(address) => Some(address.key(self.sent)),
        }
    }

    pub(crate) fn has_subscriber(&self) -> bool {
        matches!(self.checked.recipient, Recipient::ByAddress(_))
    }

    /// The member of [`Questions::lists`](crate::Questions::lists), if there is one: the `listName` for a new subscriber,
    /// unless it is [`DEFAULT_LIST`], which need not exist.
    #[must_use]
    pub fn list(&self) -> Option<Cow<'c, str>> {
        if !self.has_subscriber() {
            return None;
        }
        let name = self.checked.text(SendMailerField::ListName, self.sent)?;
        (name != DEFAULT_LIST).then_some(Cow::Borrowed(name))
    }

    /// The members of [`Questions::domains`](crate::Questions::domains).
    pub fn domains(&self) -> impl ExactSizeIterator<Item = (Cow<'c, str>, DomainRoles)> + use<'c> {
        self.checked.domains.iter(self.sent)
    }
}

debug_shows!(SingleQuestions<'_> {});
