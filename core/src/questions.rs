//! The questions to the host, as views of the call.

use alloc::borrow::Cow;
use core::fmt;

use crate::by_operation::ByOperation;
use crate::content::CheckedCall;
use crate::facts::Facts;
use crate::http_send_mail;
use crate::misuse::Misuse;
use crate::roles::DomainRoles;
pub use crate::send_mailer::SingleQuestions;

/// The one batch of questions about a call: what only the host knows.
///
/// Every column is a set: it has each member once, in order of first use. The answer, [`Facts`], has the same columns.
/// A text is borrowed from the call when the call has it in the same spelling. Debug shows lengths only.
#[derive(Clone, Copy)]
pub struct Questions<'c>(ByOperation<SingleQuestions<'c>, http_send_mail::Questions<'c>>);

impl<'c> Questions<'c> {
    #[inline]
    pub(crate) fn new(checked: &'c CheckedCall, sent: &'c str) -> Self {
        Self(match checked {
            ByOperation::SendMailer(checked) => {
                ByOperation::SendMailer(SingleQuestions { checked, sent })
            }
            ByOperation::HttpSendMail(checked) => {
                ByOperation::HttpSendMail(http_send_mail::Questions { checked, sent })
            }
        })
    }

    /// Ids of stored emails (sendMailer's `mailerID`).
    pub fn mailers(&self) -> impl ExactSizeIterator<Item = u64> + use<'c> {
        self.single().map(|single| single.mailer()).into_iter()
    }

    /// Match keys of addresses given as `from`: is each an active sender of the account?
    pub fn senders(&self) -> impl ExactSizeIterator<Item = Cow<'c, str>> + use<'c> {
        match self.0 {
            ByOperation::SendMailer(one) => ByOperation::SendMailer(one.sender().into_iter()),
            ByOperation::HttpSendMail(many) => ByOperation::HttpSendMail(many.senders()),
        }
    }

    /// Ids of subscribers (sendMailer's `subID`).
    pub fn subscriber_ids(&self) -> impl ExactSizeIterator<Item = u64> + use<'c> {
        let single = self.single();
        single.and_then(|single| single.subscriber_id()).into_iter()
    }

    /// Match keys of recipients' addresses: which subscriber has each?
    pub fn subscribers(&self) -> impl ExactSizeIterator<Item = Cow<'c, str>> + use<'c> {
        match self.0 {
            ByOperation::SendMailer(one) => ByOperation::SendMailer(one.subscriber().into_iter()),
            ByOperation::HttpSendMail(many) => ByOperation::HttpSendMail(many.subscribers()),
        }
    }

    /// Names of lists, compared exactly: does each exist?
    pub fn lists(&self) -> impl ExactSizeIterator<Item = Cow<'c, str>> + use<'c> {
        self.single().and_then(|single| single.list()).into_iter()
    }

    /// Domains in lower-case ASCII form, with the roles in which they appear: for which of these roles is each domain on a
    /// blacklist? Compare by plain equality. Each domain is directly followed by its parents, except those that are in the
    /// column before it. A body can name millions of domains. Skipping them costs little, so a host can look up a part of
    /// them at a time.
    pub fn domains(&self) -> impl ExactSizeIterator<Item = (Cow<'c, str>, DomainRoles)> + use<'c> {
        match self.0 {
            ByOperation::SendMailer(one) => ByOperation::SendMailer(one.domains()),
            ByOperation::HttpSendMail(many) => ByOperation::HttpSendMail(many.domains()),
        }
    }

    /// The length of [`Questions::senders`], without building its members.
    #[must_use]
    pub fn sender_count(&self) -> usize {
        match &self.0 {
            ByOperation::SendMailer(one) => usize::from(one.has_sender()),
            ByOperation::HttpSendMail(many) => many.sender_count(),
        }
    }

    /// The length of [`Questions::subscribers`], without building its members.
    #[must_use]
    pub fn subscriber_count(&self) -> usize {
        match &self.0 {
            ByOperation::SendMailer(one) => usize::from(one.has_subscriber()),
            ByOperation::HttpSendMail(many) => many.subscriber_count(),
        }
    }

    /// The length of [`Questions::domains`], without building its members.
    #[must_use]
    pub fn domain_count(&self) -> usize {
        self.domains().len()
    }

    /// The questions about a call of sendMailer, where every column except the domains has at most one member; `None` on
    /// httpSendMail.
    #[must_use]
    pub fn single(&self) -> Option<SingleQuestions<'c>> {
        self.0.send_mailer()
    }

    /// The number of members of each column, in the order of [`COLUMNS`].
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

    /// Checks the answer against the question: the columns' lengths, the subscribers' ids and the stored addresses.
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
        let lengths = COLUMNS.into_iter().zip(asked.into_iter().zip(answered));
        for (column, (asked, answered)) in lengths {
            if asked != answered {
                return Err(Misuse::WrongLength {
                    column,
                    asked,
                    answered,
                });
            }
        }
        if facts.subscriber_ids.wrong_id() || facts.subscribers.wrong_id() {
            return Err(Misuse::SubscriberId);
        }
        self.check_stored(facts)
    }

    /// Checks each stored address that the email comes from or goes to. Only sendMailer uses stored addresses.
    fn check_stored(&self, facts: &Facts) -> Result<(), Misuse> {
        let ByOperation::SendMailer(single) = &self.0 else {
            return Ok(());
        };
        let is_sender_stored = !single.has_sender();
        let mailers = facts.mailers.iter().flatten().filter(|_| is_sender_stored);
        for mailer in mailers {
            check_address("mailers", mailer.from, mailer.blacklisted)?;
        }
        for (column, subscribers) in [
            ("subscriber_ids", &facts.subscriber_ids),
            ("subscribers", &facts.subscribers),
        ] {
            for subscriber in subscribers.iter().flatten() {
                check_address(column, subscriber.email, subscriber.blacklisted)?;
            }
        }
        Ok(())
    }
}

/// Checks that a stored address is not empty, and that the host has said whether its domain is listed.
// Not inlined: the compiler would compare the address's length before it has checked that the row exists, and valgrind
// reports that.
#[inline(never)]
fn check_address(
    column: &'static str,
    address: &str,
    blacklisted: Option<bool>,
) -> Result<(), Misuse> {
    if address.is_empty() {
        return Err(Misuse::EmptyAddress { column });
    }
    match blacklisted {
        Some(_) => Ok(()),
        None => Err(Misuse::BlacklistedNotSaid { column }),
    }
}

/// The names of the columns.
const COLUMNS: [&str; 6] = [
    "mailers",
    "senders",
    "subscriber_ids",
    "subscribers",
    "lists",
    "domains",
];

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
