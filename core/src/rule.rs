//! The rule table: every way in which a call can be wrong, once. Everything that lists rules derives from it.
//!
//! Among rules with the same code, the row that comes first wins. The numbers are what C programs see: they never change
//! and are never reused. A new rule takes the next free number, wherever its row is.

mod phase;

use core::fmt;

use crate::code::Code;
use crate::operation::Operation;
use crate::word::words;
pub use phase::{Phase, Scope};

/// The version of the rules. It rises when a call is decided differently than before. It does not depend on the version of
/// the library.
pub const RULES_VERSION: u32 = 2;

struct RuleRow {
    identifier: &'static str,
    phase: Phase,
    scope: Scope,
    send_mailer: Option<Code>,
    http_send_mail: Option<Code>,
    fields: &'static [&'static str],
    meaning: &'static str,
    remedy: &'static str,
    send_mailer_remedy: &'static str,
    http_send_mail_remedy: &'static str,
}

macro_rules! code {
    (-) => {
        None
    };
    ($code:literal) => {
        Some(Code::listed($code))
    };
}

/// A remedy: one text for both operations, or one for each.
macro_rules! remedy {
    (SendMailer ($send_mailer:literal $http_send_mail:literal)) => {
        $send_mailer
    };
    (HttpSendMail ($send_mailer:literal $http_send_mail:literal)) => {
        $http_send_mail
    };
    (Both ($send_mailer:literal $http_send_mail:literal)) => {
        concat!(
            "sendMailer: ",
            $send_mailer,
            " httpSendMail: ",
            $http_send_mail
        )
    };
    ($operation:ident $both:literal) => {
        $both
    };
}

macro_rules! rules {
    ($(
        $number:literal $variant:ident $identifier:literal $phase:ident $scope:ident $send_mailer:tt $http_send_mail:tt
        [$($field:literal),*]
        $meaning:literal
        $remedy:tt
    )*) => {
        /// A way in which a call can be wrong. The order of the variants is the order of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Rule {
            $(
                #[doc = concat!("`", $identifier, "`: ", $meaning, ".")]
                $variant,
            )*
        }

        impl Rule {
            /// Every rule, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            words! {
                pub const WORDS: Rule "A way in which a call can be wrong. The order is that of the table."
                $($number $variant $identifier $meaning)*
            }

            words! { @numbers $($number $variant)* }

            const fn row(self) -> &'static RuleRow {
                match self {
                    $(Self::$variant => const {
                        &RuleRow {
                            identifier: $identifier,
                            phase: Phase::$phase,
                            scope: Scope::$scope,
                            send_mailer: code!($send_mailer),
                            http_send_mail: code!($http_send_mail),
                            fields: &[$($field),*],
                            meaning: $meaning,
                            remedy: remedy!(Both $remedy),
                            send_mailer_remedy: remedy!(SendMailer $remedy),
                            http_send_mail_remedy: remedy!(HttpSendMail $remedy),
                        }
                    },)*
                }
            }
        }
    };
}

// number variant identifier phase scope sendMailer httpSendMail [fields] meaning remedy
// A remedy that differs between the operations is a pair in parentheses: sendMailer's, then httpSendMail's.
rules! {
    1 MethodNotPost "method-not-post" Transport Call 401 401 []
        "the HTTP method is not exactly POST"
        "Send the call as an HTTP POST."
    2 OperationRetired "operation-retired" Transport Call - 401 []
        "the service has retired the operation and its last day has passed"
        "Use the operation sendEmail; httpSendMail ended after 2024-04-30."
    3 BodyTooLarge "body-too-large" Transport Call - 454 []
        "the body is larger than the allowed size (33,554,432 bytes unless the policy says otherwise)"
        "Split the requests over several calls."
    4 BodyNotJson "body-not-json" Transport Call 442 475 []
        "the body is not one JSON object in UTF-8"
        "Send one JSON object in UTF-8, with nothing after it."
    5 FieldRepeated "field-repeated" Transport Call 442 475 []
        "an object has a name twice, or a field in two of its spellings"
        "Give each field once; two readers could otherwise see two different calls."
    6 KeyMissing "key-missing" Authentication Call 402 402 ["apiKey", "ApiKey"]
        "the account's API key is absent, or not a text"
        (
            "Put the account's API key at the top level of the body, as apiKey."
            "Put the account's API key at the top level of the body, as ApiKey."
        )
    7 KeyUnknown "key-unknown" Authentication Call 403 403 ["apiKey", "ApiKey"]
        "no account has this API key"
        "Check the API key; it is compared exactly as sent."
    8 AccountBlocked "account-blocked" Account Call 404 404 []
        "sending is blocked for the account"
        "Ask the service to unblock sending."
    9 AccountExpired "account-expired" Account Call 405 405 []
        "the account has expired"
        "Renew the account."
    10 AccountDeactivated "account-deactivated" Account Call 448 448 []
        "the account is deactivated"
        "Ask the service to activate the account."
    11 TooManyRequests "too-many-requests" Content Call - 453 ["requests"]
        "requests has more entries than allowed (1000 unless the policy says otherwise)"
        "Split the requests over several calls."
    12 RequestsMissing "requests-missing" Content Call - 475 ["requests"]
        "requests is absent, not an array, or empty"
        "Give requests as an array of at least one request object."
    13 RequestNotObject "request-not-object" Content Request - 475 ["requests"]
        "an entry of requests is not an object"
        "Make each entry of requests an object with subject, body, from and recipients."
    14 FieldWrongType "field-wrong-type" Content Request 442 475 []
        "a field's value has a type that the field does not take"
        "Send text as a string, an id as a whole number from 1 to 9223372036854775807, a flag as 0 or 1."
    15 SubjectMissing "subject-missing" Content Request - 406 ["subject"]
        "subject is absent"
        "Give the email a subject."
    16 ReplyToMalformed "reply-to-malformed" Content Request - 407 ["replyTo"]
        "replyTo is not exactly one valid address"
        "Give one plain address, such as name@example.com, or leave replyTo out."
    17 HtmlMissing "html-missing" Content Request - 408 ["body"]
        "body is absent, or nothing but white space once decoded"
        "Give the email's HTML, URL-encoded, in body."
    18 HtmlNotUtf8 "html-not-utf8" Content Request - 408 ["body"]
        "the bytes of body, once decoded, are not UTF-8"
        "Encode the HTML as UTF-8 before URL-encoding it."
    19 SenderMissing "sender-missing" Content Request 478 409 ["from"]
        "from is absent where it is needed"
        (
            "Give from, the address of an active sender of the account, or leave fromName out."
            "Give from, the address of an active sender of the account."
        )
    20 SenderMalformed "sender-malformed" Content Request 442 410 ["from"]
        "from is not a valid address"
        "Give one plain address, such as name@example.com; the name goes in fromName."
    21 RecipientMissing "recipient-missing" Content Request 602 411 ["subID", "email", "to", "cc", "bcc"]
        "nobody is named to receive the email"
        (
            "Give subID or email."
            "Give at least one address in to, cc or bcc."
        )
    22 RecipientMalformed "recipient-malformed" Content Address 412 412 ["email", "to", "cc", "bcc"]
        "a recipient's address is not valid"
        (
            "Give one plain address, such as name@example.com, without a display name."
            "Give plain addresses, such as name@example.com, separated by commas, without display names."
        )
    23 SubscriberIdMalformed "subscriber-id-malformed" Content Call 454 - ["subID"]
        "subID is not a whole number from 1 to 9223372036854775807, so no subscriber can have it"
        "Give the id of an existing subscriber, or leave subID out and give email."
    24 MailerMissing "mailer-missing" Content Call 442 - ["mailerID"]
        "mailerID is absent"
        "Give the id of the stored email in mailerID."
    25 SubjectControl "subject-control" Content Request - 476 ["subject"]
        "subject holds a control character or a line break"
        "Remove control characters and line breaks from subject."
    26 SubjectPlaceholder "subject-placeholder" Content Request - 476 ["subject"]
        "subject holds a personalization placeholder"
        "Write the subject out: it is not personalized."
    27 FromNameControl "from-name-control" Content Request 442 477 ["fromName"]
        "fromName holds a control character or a line break"
        "Remove control characters and line breaks from fromName."
    28 DateMalformed "date-malformed" Content Call 442 - ["birthday", "anniversary"]
        "birthday or anniversary is not a day of the calendar, written yyyy-mm-dd"
        "Write the day as yyyy-mm-dd, such as 1990-02-28."
    41 HtmlHostHidden "html-host-hidden" Content Request - 413 ["body"]
        "the HTML has a place where any host could be hidden (refused unless the policy says otherwise)"
        "Write this place plainly: without a document in a document, and without markup or an unfinished escape in a URL."
    29 HtmlDomainBlacklisted "html-domain-blacklisted" Facts Request - 413 ["body"]
        "a link or image in the HTML leads to a blacklisted domain"
        "Remove the link, or ask the service why its domain is listed."
    30 SenderDomainBlacklisted "sender-domain-blacklisted" Facts Request 414 414 ["from", "mailerID"]
        "the sender's domain is blacklisted"
        "Send from an address of another domain."
    31 ReplyToDomainBlacklisted "reply-to-domain-blacklisted" Facts Request - 415 ["replyTo"]
        "the domain of replyTo is blacklisted"
        "Give a reply address of another domain."
    32 RecipientDomainBlacklisted "recipient-domain-blacklisted" Facts Address 416 416 ["subID", "email", "to", "cc", "bcc"]
        "the domain of a recipient is blacklisted"
        "Leave this recipient out."
    33 SenderUnknown "sender-unknown" Facts Request 442 420 ["from"]
        "from is not an active sender of the account"
        "Register and activate this sender, or send from an active one."
    34 SubscriberInactive "subscriber-inactive" Facts Address 443 443 ["subID", "email", "to", "cc", "bcc"]
        "a recipient is an INACTIVE subscriber"
        "Leave this recipient out, or activate the subscriber."
    35 SubscriberUnknown "subscriber-unknown" Facts Call 454 - ["subID"]
        "no subscriber has this subID"
        "Give the id of an existing subscriber, or leave subID out and give email."
    36 MailerUnknown "mailer-unknown" Facts Call 442 - ["mailerID"]
        "the account has no stored email with this mailerID"
        "Give the id of a stored email of the account."
    37 ListUnknown "list-unknown" Facts Call 442 - ["listName"]
        "the account has no list of this name"
        "Create the list first, or leave listName out; names are compared exactly."
    38 SubscriberCreditLow "subscriber-credit-low" Credit Call 444 444 []
        "the call creates more subscribers than the account's subscriber credit allows"
        "Buy subscriber credit, or send to fewer new subscribers."
    39 EmailCreditLow "email-credit-low" Credit Call 445 445 []
        "the call sends more emails than the account's email credit allows"
        "Buy email credit, or send fewer emails."
    40 SubscriberExists "subscriber-exists" Commit Call 442 442 []
        "a subscriber that the call was to create was created by somebody else meanwhile"
        "Send the call again."
}

impl Rule {
    /// The identifier that programs and people see together with the code, such as `recipient-malformed`.
    #[must_use]
    pub const fn identifier(self) -> &'static str {
        self.row().identifier
    }

    /// The phase in which the rule is judged. Some rules of phases 5 and 6 may also turn out to be broken when the plan
    /// is carried out.
    #[must_use]
    pub const fn phase(self) -> Phase {
        self.row().phase
    }

    /// How much of a partial batch a violation refuses. On sendMailer, which has no batches, it is always the call.
    #[must_use]
    pub const fn scope(self, operation: Operation) -> Scope {
        match operation {
            Operation::SendMailer => Scope::Call,
            Operation::HttpSendMail => self.row().scope,
        }
    }

    /// The code of a call of this operation that breaks the rule; `None` where the rule does not apply.
    #[must_use]
    pub const fn code(self, operation: Operation) -> Option<Code> {
        match operation {
            Operation::SendMailer => self.row().send_mailer,
            Operation::HttpSendMail => self.row().http_send_mail,
        }
    }

    /// The fields that the rule judges, in the interface's spelling; empty when it judges no particular field.
    #[must_use]
    pub const fn fields(self) -> &'static [&'static str] {
        self.row().fields
    }

    /// When the rule is broken, as one clause without a full stop.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.row().meaning
    }

    /// What to do about a violation, as whole sentences. Where the operations differ, there is a remedy for each, after
    /// its name.
    #[must_use]
    pub const fn remedy(self) -> &'static str {
        self.row().remedy
    }

    /// What to do about a violation on this operation, as whole sentences.
    #[must_use]
    pub const fn remedy_on(self, operation: Operation) -> &'static str {
        match operation {
            Operation::SendMailer => self.row().send_mailer_remedy,
            Operation::HttpSendMail => self.row().http_send_mail_remedy,
        }
    }

    /// The rule with this identifier; `None` when there is none.
    #[must_use]
    pub fn from_identifier(identifier: &str) -> Option<Self> {
        let mut rules = Self::ALL.iter().copied();
        rules.find(|rule| rule.identifier() == identifier)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.identifier())
    }
}

#[cfg(test)]
mod tests;
