//! The result codes of the interface (section 7): what each means on each operation, and whether trying again can help.

use core::fmt;

use crate::operation::Operation;

/// A result code, as the field `code` of an answer carries it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.0)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether sending the same call again can change the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Retry {
    /// The call was accepted: sending it again sends the mail again.
    Accepted,
    /// The same call will be refused again: change the call first.
    ChangeTheCall,
    /// The same call may pass once the account, a subscriber or a list in the service has been changed.
    ChangeTheAccount,
    /// Something changed while the call was judged: the same call may pass at once.
    MayHelp,
}

impl Retry {
    /// The advice as a fixed word: `accepted`, `change-the-call`, `change-the-account` or `may-help`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::ChangeTheCall => "change-the-call",
            Self::ChangeTheAccount => "change-the-account",
            Self::MayHelp => "may-help",
        }
    }
}

struct Row {
    code: u16,
    send_mailer: Option<(&'static str, Retry)>,
    http_send_mail: Option<(&'static str, Retry)>,
}

const fn both(code: u16, meaning: &'static str, retry: Retry) -> Row {
    Row {
        code,
        send_mailer: Some((meaning, retry)),
        http_send_mail: Some((meaning, retry)),
    }
}

const fn send_mailer(code: u16, meaning: &'static str, retry: Retry) -> Row {
    Row {
        code,
        send_mailer: Some((meaning, retry)),
        http_send_mail: None,
    }
}

const fn http_send_mail(code: u16, meaning: &'static str, retry: Retry) -> Row {
    Row {
        code,
        send_mailer: None,
        http_send_mail: Some((meaning, retry)),
    }
}

use Retry::{Accepted, ChangeTheAccount, ChangeTheCall, MayHelp};

/// Sections 7.1 to 7.3 of the interface, by code.
const TABLE: &[Row] = &[
    both(200, "Success", Accepted),
    both(401, "Invalid method", ChangeTheCall),
    both(402, "Unauthorized, empty key", ChangeTheCall),
    both(403, "Unauthorized, invalid key", ChangeTheCall),
    both(404, "Account sending blocked", ChangeTheAccount),
    both(405, "Account expired", ChangeTheAccount),
    http_send_mail(406, "Email subject not provided", ChangeTheCall),
    http_send_mail(407, "Invalid email address for reply-to", ChangeTheCall),
    http_send_mail(408, "HTML content not provided", ChangeTheCall),
    http_send_mail(409, "Sender email not provided", ChangeTheCall),
    http_send_mail(410, "Invalid email address for sender", ChangeTheCall),
    http_send_mail(411, "No recipient email address provided", ChangeTheCall),
    both(412, "Invalid recipient email address", ChangeTheCall),
    http_send_mail(413, "Blacklisted domain in the HTML", ChangeTheCall),
    both(414, "Sender domain blacklisted", ChangeTheCall),
    http_send_mail(415, "Reply-to domain blacklisted", ChangeTheCall),
    both(416, "Recipient email domain blacklisted", ChangeTheCall),
    both(417, "Bounced", Accepted),
    both(418, "Delivered", Accepted),
    http_send_mail(
        420,
        "Sender email does not exist in the account",
        ChangeTheAccount,
    ),
    Row {
        code: 442,
        // The interface shows 442 in a sendMailer sample with the status Error and gives no other meaning there.
        send_mailer: Some(("Error", ChangeTheCall)),
        http_send_mail: Some(("Subscriber already exists", MayHelp)),
    },
    both(443, "Subscriber INACTIVE", ChangeTheAccount),
    both(444, "Low subscriber credit", ChangeTheAccount),
    both(445, "Low email credit", ChangeTheAccount),
    both(448, "Account deactivated", ChangeTheAccount),
    both(451, "Opened", Accepted),
    both(452, "Clicked", Accepted),
    http_send_mail(453, "Too many requests per API call", ChangeTheCall),
    Row {
        code: 454,
        send_mailer: Some(("Subscriber does not exist", ChangeTheCall)),
        http_send_mail: Some(("API call exceeds the allowed size", ChangeTheCall)),
    },
    http_send_mail(475, "JSON is not valid", ChangeTheCall),
    http_send_mail(476, "Subject not valid", ChangeTheCall),
    http_send_mail(477, "From name not valid", ChangeTheCall),
    send_mailer(
        478,
        "from or fromName not provided (from missing when fromName is passed)",
        ChangeTheCall,
    ),
    send_mailer(
        602,
        "No subscriber provided (neither subID nor email)",
        ChangeTheCall,
    ),
];

impl Code {
    /// 200: the call was accepted.
    pub const SUCCESS: Self = Self(200);
    /// 442: the one error that sendMailer's list does not explain.
    pub const UNEXPLAINED: Self = Self(442);

    /// The code of that number. Any number of three digits is a code, also one that the interface does not list;
    /// `None` for other numbers.
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        if number >= 100 && number <= 999 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// For the rule table, whose numbers a test compares with the code table.
    pub(crate) const fn listed(number: u16) -> Self {
        Self(number)
    }

    /// The number, 100 to 999.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    fn row(self, operation: Operation) -> Option<(&'static str, Retry)> {
        let row = TABLE.iter().find(|row| row.code == self.0)?;
        match operation {
            Operation::SendMailer => row.send_mailer,
            Operation::HttpSendMail => row.http_send_mail,
        }
    }

    /// What the code means on this operation, in the interface's words; `None` for a code that the interface does not
    /// list there.
    #[must_use]
    pub fn meaning(self, operation: Operation) -> Option<&'static str> {
        self.row(operation).map(|(meaning, _)| meaning)
    }

    /// Whether sending the same call again can help; `None` for a code that the interface does not list there.
    #[must_use]
    pub fn retry(self, operation: Operation) -> Option<Retry> {
        self.row(operation).map(|(_, retry)| retry)
    }

    /// Every code that the interface lists for this operation, in ascending order.
    pub fn all(operation: Operation) -> impl Iterator<Item = Self> {
        TABLE
            .iter()
            .map(|row| Self(row.code))
            .filter(move |code| code.meaning(operation).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_so_that_each_stands_once() {
        assert!(TABLE.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn the_same_number_can_mean_different_things_on_the_two_operations() {
        let code = Code::new(454).unwrap();
        assert_eq!(
            code.meaning(Operation::SendMailer),
            Some("Subscriber does not exist")
        );
        assert_eq!(
            code.meaning(Operation::HttpSendMail),
            Some("API call exceeds the allowed size")
        );
    }
}
