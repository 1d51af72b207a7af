//! The questions about an httpSendMail call.

use alloc::borrow::Cow;

use super::content::CheckedBatch;
use crate::roles::DomainRoles;

/// The questions about a call of httpSendMail.
#[derive(Clone, Copy)]
pub(crate) struct Questions<'c> {
    pub(crate) checked: &'c CheckedBatch,
    pub(crate) sent: &'c str,
}

impl<'c> Questions<'c> {
    pub(crate) fn sender_count(self) -> usize {
        self.checked.senders.len()
    }

    pub(crate) fn senders(self) -> impl ExactSizeIterator<Item = Cow<'c, str>> {
        let requests = &self.checked.content.requests;
        self.checked.senders.iter().map(move |request| {
            let request = requests.get(*request as usize);
            // Each sender was read when the senders were numbered, so none is missing.
            let key = request.and_then(|request| Some(request.from.as_ref()?.key(self.sent)));
            key.unwrap_or_default()
        })
    }

    pub(crate) fn subscriber_count(self) -> usize {
        self.checked.content.recipients.distinct_count()
    }

    pub(crate) fn subscribers(self) -> impl ExactSizeIterator<Item = Cow<'c, str>> {
        let recipients = &self.checked.content.recipients;
        let mut entries = recipients.first_entries();
        (0..self.subscriber_count()).map(move |_| {
            let key = entries.next().map(|entry| recipients.key(self.sent, entry));
            // Each distinct address has a first entry, so none is missing.
            key.unwrap_or_default()
        })
    }

    pub(crate) fn domains(self) -> impl ExactSizeIterator<Item = (Cow<'c, str>, DomainRoles)> {
        self.checked.domains.iter(self.sent)
    }
}
