//! The result codes of the interface (section 7): what each means on each operation, and whether a retry can help.

use core::fmt;

use crate::operation::Operation;
use crate::word::words;

/// A result code: the value of `code` in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(u16);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

words! {
    enum Retry "Whether sending the same call again can help."
    1 Accepted "accepted" "The call was accepted: sending it again sends the mail again."
    2 ChangeTheCall "change-the-call" "The same call will be refused again: change the call first."
    3 ChangeTheAccount "change-the-account" "The same call may pass once the account, a subscriber or a list in the service has been changed."
    4 MayHelp "may-help" "Something changed while the call was judged: the same call may pass at once."
}

/// The meaning of a code on one operation, or on both.
struct CodeRow {
    code: u16,
    /// `None` when the code means the same on both.
    operation: Option<Operation>,
    meaning: &'static str,
    retry: Retry,
}

impl CodeRow {
    fn is_of(&self, operation: Operation) -> bool {
        self.operation.is_none_or(|own| own == operation)
    }
}

const BOTH: Option<Operation> = None;
const SEND_MAILER: Option<Operation> = Some(Operation::SendMailer);
const HTTP_SEND_MAIL: Option<Operation> = Some(Operation::HttpSendMail);

macro_rules! codes {
    ($($code:literal $operation:ident $meaning:literal $retry:ident)*) => {
        /// Sections 7.1 to 7.3 of the interface, by code.
        const TABLE: &[CodeRow] = &[$(CodeRow {
            code: $code,
            operation: $operation,
            meaning: $meaning,
            retry: Retry::$retry,
        }),*];
    };
}

// For 442 on sendMailer, the interface has only a sample answer, with the status Error.
codes! {
    200 BOTH "Success" Accepted
    401 BOTH "Invalid method" ChangeTheCall
    402 BOTH "Unauthorized, empty key" ChangeTheCall
    403 BOTH "Unauthorized, invalid key" ChangeTheCall
    404 BOTH "Account sending blocked" ChangeTheAccount
    405 BOTH "Account expired" ChangeTheAccount
    406 HTTP_SEND_MAIL "Email subject not provided" ChangeTheCall
    407 HTTP_SEND_MAIL "Invalid email address for reply-to" ChangeTheCall
    408 HTTP_SEND_MAIL "HTML content not provided" ChangeTheCall
    409 HTTP_SEND_MAIL "Sender email not provided" ChangeTheCall
    410 HTTP_SEND_MAIL "Invalid email address for sender" ChangeTheCall
    411 HTTP_SEND_MAIL "No recipient email address provided" ChangeTheCall
    412 BOTH "Invalid recipient email address" ChangeTheCall
    413 HTTP_SEND_MAIL "Blacklisted domain in the HTML" ChangeTheCall
    414 BOTH "Sender domain blacklisted" ChangeTheCall
    415 HTTP_SEND_MAIL "Reply-to domain blacklisted" ChangeTheCall
    416 BOTH "Recipient email domain blacklisted" ChangeTheCall
    417 BOTH "Bounced" Accepted
    418 BOTH "Delivered" Accepted
    420 HTTP_SEND_MAIL "Sender email does not exist in the account" ChangeTheAccount
    442 SEND_MAILER "Error" ChangeTheCall
    442 HTTP_SEND_MAIL "Subscriber already exists" MayHelp
    443 BOTH "Subscriber INACTIVE" ChangeTheAccount
    444 BOTH "Low subscriber credit" ChangeTheAccount
    445 BOTH "Low email credit" ChangeTheAccount
    448 BOTH "Account deactivated" ChangeTheAccount
    451 BOTH "Opened" Accepted
    452 BOTH "Clicked" Accepted
    453 HTTP_SEND_MAIL "Too many requests per API call" ChangeTheCall
    454 SEND_MAILER "Subscriber does not exist" ChangeTheCall
    454 HTTP_SEND_MAIL "API call exceeds the allowed size" ChangeTheCall
    475 HTTP_SEND_MAIL "JSON is not valid" ChangeTheCall
    476 HTTP_SEND_MAIL "Subject not valid" ChangeTheCall
    477 HTTP_SEND_MAIL "From name not valid" ChangeTheCall
    478 SEND_MAILER "from or fromName not provided (from missing when fromName is passed)" ChangeTheCall
    602 SEND_MAILER "No subscriber provided (neither subID nor email)" ChangeTheCall
}

impl Code {
    /// 200: the call was accepted.
    pub const SUCCESS: Self = Self(200);
    /// 442: the one error code that the interface does not explain on sendMailer.
    pub const UNEXPLAINED: Self = Self(442);

    /// The code with that number: any number of three digits, whether or not the interface lists it. `None` for other
    /// numbers.
    #[must_use]
    pub const fn new(number: u16) -> Option<Self> {
        if number >= 100 && number <= 999 {
            Some(Self(number))
        } else {
            None
        }
    }

    /// For the rule table. A test checks its numbers against the code table.
    pub(crate) const fn listed(number: u16) -> Self {
        Self(number)
    }

    /// The number, 100 to 999.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    fn row(self, operation: Operation) -> Option<&'static CodeRow> {
        let mut rows = TABLE.iter().filter(|row| row.is_of(operation));
        rows.find(|row| row.code == self.0)
    }

    /// What the code means on this operation, in the interface's words; `None` for a code that the interface does not
    /// list there.
    #[must_use]
    pub fn meaning(self, operation: Operation) -> Option<&'static str> {
        self.row(operation).map(|row| row.meaning)
    }

    /// Whether sending the same call again can help; `None` for a code that the interface does not list there.
    #[must_use]
    pub fn retry(self, operation: Operation) -> Option<Retry> {
        self.row(operation).map(|row| row.retry)
    }

    /// Every code that the interface lists for this operation, in ascending order.
    pub fn all(operation: Operation) -> impl Iterator<Item = Self> {
        let rows = TABLE.iter().filter(move |row| row.is_of(operation));
        rows.map(|row| Self(row.code))
    }
}

#[cfg(test)]
mod tests;
