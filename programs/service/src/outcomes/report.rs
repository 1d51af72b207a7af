//! A report about an email: a delivery status notification (RFC 3464), a complaint (RFC 5965), a report of qmail, or an
//! automatic reply (RFC 3834).
//!
//! Only the report's own parts say what happened. Nothing of the returned email is read but its Message-ID.

use std::fmt;

use mail_parser::Message;

use super::mime::{Part, fields};
use super::{qsbmf, returned_id};
use crate::mail::{EnhancedCode, Reason};

/// The bytes of a message that are read. The returned email is the last part of a report, so at most the rest of that email
/// comes after them.
pub(super) const READ_BYTES: usize = 256 * 1024;

/// A message that came to the address for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What it says.
    pub kind: ReportKind,
    /// The Message-ID in the headers that a status notification or a complaint returns.
    pub original: Option<MessageId>,
    /// The return path of the email, where a complaint names it (RFC 5965, section 3.2).
    pub mail_from: Option<ReturnPath>,
}

/// An address that a report names as the return path of the email. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ReturnPath(String);

impl ReturnPath {
    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ReturnPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ReturnPath(…)")
    }
}

/// What a message says about an email that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReportKind {
    /// What became of the email, for each recipient that the report names. There is at least one.
    Status(Vec<RecipientStatus>),
    /// The reader reported the email as abuse or fraud.
    Complaint,
    /// An automatic reply of the reader's, such as a notice of a vacation.
    Vacation,
    /// Nothing that is recorded.
    Nothing,
}

/// What became of an email for one recipient (RFC 3464, section 2.3). The address is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecipientStatus {
    /// What the reporting mail server did.
    pub action: Action,
    /// Why, if the report has a readable code.
    pub code: Option<EnhancedCode>,
    /// What the other mail server answered, if the report says so.
    pub diagnostic: Option<Reason>,
}

/// What a mail server did with an email (RFC 3464, section 2.3.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It gave up.
    Failed,
    /// It is still trying.
    Delayed,
    /// It put the email into the mailbox.
    Delivered,
    /// It passed the email to a server that sends no notifications.
    Relayed,
    /// It passed the email to several addresses.
    Expanded,
}

/// A Message-ID without its angle brackets. `Debug` does not show it, because anybody can write anything there.
#[derive(Clone, PartialEq, Eq)]
pub struct MessageId(String);

impl MessageId {
    pub(super) fn new(text: String) -> Self {
        Self(text)
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MessageId(…)")
    }
}

impl Report {
    /// Reads a message. One that is not a report, or not a message at all, is [`ReportKind::Nothing`].
    #[must_use]
    pub fn read(message: &[u8]) -> Self {
        let (message, fields) = Part::read(message.get(..READ_BYTES).unwrap_or(message));
        // A status notification has the headers of an automatic reply, too.
        if let Some(parts) = Parts::of(&message) {
            return parts.report();
        }
        if message.is_plain_text()
            && let Some(report) = qsbmf::read(&String::from_utf8_lossy(&message.decoded()))
        {
            return report;
        }
        let is_automatic = fields.is_some_and(|fields| is_automatic_reply(&fields));
        Self::without_original(if is_automatic {
            ReportKind::Vacation
        } else {
            ReportKind::Nothing
        })
    }

    fn without_original(kind: ReportKind) -> Self {
        Self {
            kind,
            original: None,
            mail_from: None,
        }
    }
}

/// The parts of a `multipart/report` itself, not those of the email that it returns.
struct Parts<'a>(Vec<Part<'a>>);

impl<'a> Parts<'a> {
    fn of(message: &Part<'a>) -> Option<Self> {
        let parts = message.is("multipart", "report").then(|| message.parts());
        parts.filter(|parts| !parts.is_empty()).map(Self)
    }

    fn find(&self, subtypes: &[&str]) -> Option<&Part<'a>> {
        self.0
            .iter()
            .find(|part| subtypes.iter().any(|one| part.is("message", one)))
    }

    fn report(&self) -> Report {
        let decoded = self.find(&["feedback-report"]).map(Part::decoded);
        let feedback = Feedback(decoded.as_deref().and_then(fields));
        match self.kind(&feedback) {
            Some(kind) => Report {
                kind,
                original: self.original(),
                mail_from: feedback.mail_from(),
            },
            None => Report::without_original(ReportKind::Nothing),
        }
    }

    fn kind(&self, feedback: &Feedback<'_>) -> Option<ReportKind> {
        if let Some(part) = self.find(&["delivery-status", "global-delivery-status"]) {
            let recipients = recipients(&part.decoded());
            return (!recipients.is_empty()).then_some(ReportKind::Status(recipients));
        }
        feedback.complains().then_some(ReportKind::Complaint)
    }

    fn original(&self) -> Option<MessageId> {
        let returns = [
            ("message", "rfc822"),
            ("message", "global"),
            ("text", "rfc822-headers"),
            ("message", "global-headers"),
        ];
        let returned =
            |part: &&Part<'a>| returns.iter().any(|(kind, subtype)| part.is(kind, subtype));
        let mut parts = self.0.iter().filter(returned);
        parts
            .find_map(|part| returned_id(&part.decoded()))
            .map(MessageId::new)
    }
}

/// The fields of a complaint (RFC 5965), if a report has them.
struct Feedback<'a>(Option<Message<'a>>);

impl Feedback<'_> {
    fn field(&self, name: &'static str) -> Option<&str> {
        Some(self.0.as_ref()?.header_raw(name)?.trim())
    }

    fn complains(&self) -> bool {
        let kind = self.field("Feedback-Type").unwrap_or_default();
        ["abuse", "fraud"]
            .iter()
            .any(|one| kind.eq_ignore_ascii_case(one))
    }

    fn mail_from(&self) -> Option<ReturnPath> {
        let address = self.field("Original-Mail-From")?;
        let address = address.trim_start_matches('<').trim_end_matches('>');
        Some(ReturnPath(address.to_owned()))
    }
}

/// The groups of fields that have an `Action`. The group about the whole message has none.
fn recipients(status: &[u8]) -> Vec<RecipientStatus> {
    groups(status)
        .iter()
        .filter_map(|group| recipient(group))
        .collect()
}

/// Splits a status into its groups of fields, which blank lines separate.
fn groups(status: &[u8]) -> Vec<Vec<u8>> {
    let mut groups = vec![Vec::new()];
    for line in status.split_inclusive(|&byte| byte == b'\n') {
        match groups.last_mut() {
            Some(group) if !line.trim_ascii().is_empty() => group.extend_from_slice(line),
            _ => groups.push(Vec::new()),
        }
    }
    groups
}

fn recipient(group: &[u8]) -> Option<RecipientStatus> {
    let fields = fields(group)?;
    let action = match fields
        .header_raw("Action")?
        .trim()
        .to_ascii_lowercase()
        .as_str()
    {
        "failed" => Action::Failed,
        "delayed" => Action::Delayed,
        "delivered" => Action::Delivered,
        "relayed" => Action::Relayed,
        "expanded" => Action::Expanded,
        _ => return None,
    };
    Some(RecipientStatus {
        action,
        code: fields.header_raw("Status").and_then(EnhancedCode::parse),
        diagnostic: fields.header_raw("Diagnostic-Code").map(Reason::new),
    })
}

/// Whether a message is an automatic reply, by RFC 3834, section 5, or by the `Precedence` that older programs write.
fn is_automatic_reply(message: &Message<'_>) -> bool {
    let begins = |name: &'static str, word: &str| {
        let value = message.header_raw(name).unwrap_or_default();
        let first = value.split([';', '(']).next().unwrap_or_default();
        first.trim().eq_ignore_ascii_case(word)
    };
    begins("Auto-Submitted", "auto-replied") || begins("Precedence", "auto_reply")
}
