//! The questions to the host, as views of the call: columns of sets, each member once, in order of first use.

use alloc::borrow::Cow;
use core::fmt;

use crate::check::http_send_mail::sender_key;
use crate::check::send_mailer::SendMailerCheck;
use crate::content::{Content, SendMailerContent, SentView};
use crate::domains::Domains;
use crate::facts::Facts;
use crate::misuse::Misuse;
use crate::operation::DEFAULT_LIST;
use crate::roles::Roles;
use crate::text::address::MAX_ADDRESS_LEN;
use crate::wire::field::SendMailerField;

/// The one batch of questions about a call: what only the host knows.
///
/// Every column is a set: each member stands once, in order of first use. The answer, [`Facts`], has the same columns.
/// Texts are borrowed from the call where they stand there as they are. Debug shows lengths only.
#[derive(Clone, Copy)]
pub struct Questions<'c> {
    pub(crate) view: SentView<'c>,
}

impl<'c> Questions<'c> {
    /// Ids of stored emails (sendMailer's `mailerID`).
    pub fn mailers(&self) -> impl ExactSizeIterator<Item = u64> + use<'c> {
        self.single().map(|single| single.mailer()).into_iter()
    }

    /// Match keys of addresses given as `from`: is each an active sender of the account?
    pub fn senders(&self) -> impl ExactSizeIterator<Item = Cow<'c, str>> + use<'c> {
        let this = *self;
        (0..self.sender_count()).map(move |index| this.sender(index).unwrap_or_default())
    }

    /// Ids of subscribers (sendMailer's `subID`).
    pub fn subscriber_ids(&self) -> impl ExactSizeIterator<Item = u64> + use<'c> {
        let single = self.single();
        single.and_then(|single| single.subscriber_id()).into_iter()
    }

    /// Match keys of recipients' addresses: which subscriber has each?
    pub fn subscribers(&self) -> impl ExactSizeIterator<Item = Cow<'c, str>> + use<'c> {
        let this = *self;
        let mut entries = self.view.http_send_mail().map(|content| {
            let recipients = &content.recipients;
            (
                recipients.reader(self.view.bytes),
                recipients.first_entries(),
            )
        });
        (0..self.subscriber_count()).map(move |index| match &mut entries {
            Some((reader, entries)) => entries
                .next()
                .map(|entry| reader.key(entry))
                .unwrap_or_default(),
            None => this.subscriber(index).unwrap_or_default(),
        })
    }

    /// Names of lists, compared exactly: does each exist?
    pub fn lists(&self) -> impl ExactSizeIterator<Item = Cow<'c, str>> + use<'c> {
        self.single().and_then(|single| single.list()).into_iter()
    }

    /// Domains in lower-case ASCII form, each right before its parents, and the roles in which they appear: for which
    /// of these roles is each on a blacklist? Compare by plain equality.
    pub fn domains(&self) -> impl ExactSizeIterator<Item = (Cow<'c, str>, Roles)> + use<'c> {
        self.view.domains()
    }

    /// The length of [`Questions::senders`].
    #[must_use]
    pub fn sender_count(&self) -> usize {
        match &self.view.sent.content {
            Content::HttpSendMail(content) => content.senders.len(),
            _ => usize::from(self.single().is_some_and(|single| single.has_sender())),
        }
    }

    /// One member of [`Questions::senders`].
    #[must_use]
    pub fn sender(&self, index: usize) -> Option<Cow<'c, str>> {
        match &self.view.sent.content {
            Content::HttpSendMail(content) => {
                let request = *content.senders.get(index)?;
                sender_key(content.request(self.view.bytes, &self.view.sent.policy, request)?)
            }
            _ if index > 0 => None,
            _ => self.single()?.sender(),
        }
    }

    /// The length of [`Questions::subscribers`].
    #[must_use]
    pub fn subscriber_count(&self) -> usize {
        match &self.view.sent.content {
            Content::HttpSendMail(content) => content.recipients.distinct_count(),
            _ => usize::from(self.single().is_some_and(|single| !single.is_by_id())),
        }
    }

    /// One member of [`Questions::subscribers`].
    #[must_use]
    pub fn subscriber(&self, index: usize) -> Option<Cow<'c, str>> {
        match &self.view.sent.content {
            Content::HttpSendMail(content) => {
                let distinct = u32::try_from(index)
                    .ok()
                    .filter(|_| index < content.recipients.distinct_count())?;
                Some(content.recipients.key(self.view.bytes, distinct))
            }
            _ if index > 0 => None,
            _ => self.single()?.subscriber(),
        }
    }

    /// The length of [`Questions::domains`].
    #[must_use]
    pub fn domain_count(&self) -> usize {
        self.known_domains().len()
    }

    /// One member of [`Questions::domains`].
    #[must_use]
    pub fn domain(&self, index: usize) -> Option<(Cow<'c, str>, Roles)> {
        self.known_domains().get(index, self.view.bytes)
    }

    /// The questions about a call of sendMailer, of which each but that for domains has one member at most; `None` on
    /// httpSendMail.
    #[must_use]
    pub fn single(&self) -> Option<SingleQuestions<'c>> {
        match &self.view.sent.content {
            Content::SendMailer(content) => Some(SingleQuestions {
                bytes: self.view.bytes,
                content,
            }),
            _ => None,
        }
    }

    fn known_domains(&self) -> &'c Domains {
        self.view.sent.content.domains()
    }

    /// How many members each column has, in the order of [`COLUMNS`].
    fn lengths(&self) -> [usize; COLUMNS.len()] {
        [
            self.mailers().len(),
            self.sender_count(),
            self.subscriber_ids().len(),
            self.subscriber_count(),
            self.lists().len(),
            self.domain_count(),
        ]
    }

    /// Compares the lengths of the answer's columns with those of the question's.
    pub(crate) fn check(&self, facts: &Facts) -> Result<(), Misuse> {
        let asked = self.lengths();
        let answered = [
            facts.mailers.len(),
            facts.senders.len(),
            facts.subscriber_ids.len(),
            facts.subscribers.len(),
            facts.lists.len(),
            facts.domains.len(),
        ];
        // Number by number: compared as one piece of memory, they would have to get there first.
        if !asked.iter().eq(&answered) {
            return Err(wrong_length(asked, answered));
        }
        if facts.subscriber_ids.wrong_id() || facts.subscribers.wrong_id() {
            return Err(Misuse::SubscriberId);
        }
        self.check_blacklisted(facts)
    }

    /// Whether it was said of each stored address that a rule judges if its domain is listed. Only sendMailer has such.
    fn check_blacklisted(&self, facts: &Facts) -> Result<(), Misuse> {
        let Some(single) = self.single() else {
            return Ok(());
        };
        let unsaid = [
            (
                !single.has_sender() && facts.mailers.any_unsaid(),
                "mailers",
            ),
            (facts.subscriber_ids.any_unsaid(), "subscriber_ids"),
            (facts.subscribers.any_unsaid(), "subscribers"),
        ];
        match unsaid.into_iter().find(|(is_unsaid, _)| *is_unsaid) {
            Some((_, column)) => Err(Misuse::BlacklistedNotSaid { column }),
            None => Ok(()),
        }
    }
}

/// The columns by their names.
const COLUMNS: [&str; 6] = [
    "mailers",
    "senders",
    "subscriber_ids",
    "subscribers",
    "lists",
    "domains",
];

/// The first column that is not as long as asked.
#[cold]
fn wrong_length(asked: [usize; COLUMNS.len()], answered: [usize; COLUMNS.len()]) -> Misuse {
    let columns = COLUMNS.into_iter().zip(asked.into_iter().zip(answered));
    let differs = |(_, (asked, answered)): &(_, (usize, usize))| asked != answered;
    let (column, (asked, answered)) = columns.into_iter().find(differs).unwrap_or_default();
    Misuse::WrongLength {
        column,
        asked,
        answered,
    }
}

/// The questions about a call of sendMailer: the same members as those of [`Questions`], found in fewer steps. Debug shows
/// nothing of them.
#[derive(Clone, Copy)]
pub struct SingleQuestions<'c> {
    bytes: &'c [u8],
    content: &'c SendMailerContent,
}

impl<'c> SingleQuestions<'c> {
    /// The largest number of members of [`Questions::domains`]: those of two addresses, the recipient's and the sender's.
    ///
    /// An address has a local part and an `@`, and labels of its domain take an octet and a dot each, but for the last one's
    /// dot. Every name of the domain that has two labels or more is asked about.
    pub const MAX_DOMAINS: usize = {
        let labels = (MAX_ADDRESS_LEN - "l@".len()).div_ceil(2);
        2 * (labels - 1)
    };

    /// The member of [`Questions::mailers`].
    #[must_use]
    pub fn mailer(&self) -> u64 {
        // Without one, the call would have been refused.
        let id = self.check().id(SendMailerField::MailerId);
        id.unwrap_or_default()
    }

    /// The member of [`Questions::senders`], if there is one.
    #[must_use]
    pub fn sender(&self) -> Option<Cow<'c, str>> {
        self.has_sender()
            .then(|| self.check().key(SendMailerField::From))
    }

    fn check(&self) -> SendMailerCheck<'c> {
        SendMailerCheck {
            bytes: self.bytes,
            body: &self.content.body,
        }
    }

    fn has_sender(&self) -> bool {
        !self.check().get(SendMailerField::From).is_absent()
    }

    fn is_by_id(&self) -> bool {
        self.check().is_by_id()
    }

    /// The member of [`Questions::subscriber_ids`], if there is one.
    #[must_use]
    pub fn subscriber_id(&self) -> Option<u64> {
        self.is_by_id()
            .then(|| self.check().id(SendMailerField::SubId))?
    }

    /// The member of [`Questions::subscribers`], if there is one.
    #[must_use]
    pub fn subscriber(&self) -> Option<Cow<'c, str>> {
        let is_by_address = !self.is_by_id();
        is_by_address.then(|| self.check().key(SendMailerField::Email))
    }

    /// The member of [`Questions::lists`], if there is one: a new subscriber's, unless it is the one that need not exist.
    #[must_use]
    pub fn list(&self) -> Option<Cow<'c, str>> {
        if self.is_by_id() {
            return None;
        }
        let name = self.check().text(SendMailerField::ListName)?;
        (name != DEFAULT_LIST).then_some(name)
    }

    /// The members of [`Questions::domains`].
    pub fn domains(&self) -> impl ExactSizeIterator<Item = (Cow<'c, str>, Roles)> + use<'c> {
        self.content.names(self.bytes)
    }
}

impl fmt::Debug for SingleQuestions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SingleQuestions").finish_non_exhaustive()
    }
}

impl fmt::Debug for Questions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths = self.lengths();
        let mut shown = f.debug_struct("Questions");
        for (column, length) in COLUMNS.into_iter().zip(&lengths) {
            shown.field(column, length);
        }
        shown.finish()
    }
}
