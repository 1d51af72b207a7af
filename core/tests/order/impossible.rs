//! The pairs of rules that no one call can break, and why. A pair is either made by the test or listed here.

/// Scope, one rule, the other, reason.
type Group = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static str,
);

const ACCOUNT: &[&str] = &["account-blocked", "account-expired", "account-deactivated"];
const CREDIT: &[&str] = &["subscriber-credit-low", "email-credit-low"];
const COMMIT: &[&str] = &[
    "subscriber-exists",
    "subscriber-inactive@7",
    "subscriber-credit-low@7",
    "email-credit-low@7",
    "subscriber-unknown@7",
];
const HTTP_COMMIT: &[&str] = &[
    "subscriber-exists",
    "subscriber-inactive@7",
    "subscriber-credit-low@7",
    "email-credit-low@7",
];
const CREATES: &[&str] = &[
    "subscriber-credit-low",
    "subscriber-exists",
    "subscriber-credit-low@7",
];

const SEND: &str = "sendMailer";
const CALL: &str = "httpSendMail, both of the call";
const MIXED: &str = "httpSendMail, call and request";
const SAME: &str = "httpSendMail, one request";

pub(crate) const PAIRS: &[Group] = &[
    (
        SEND,
        &["key-missing"],
        &["key-unknown"],
        "a key that is not there is not unknown",
    ),
    (
        SEND,
        &["key-missing", "key-unknown"],
        ACCOUNT,
        "no account, no state of it",
    ),
    (
        SEND,
        &["key-missing", "key-unknown"],
        CREDIT,
        "no account, no credit of it",
    ),
    (
        SEND,
        &["sender-missing"],
        &["sender-malformed", "sender-unknown"],
        "what is not there is neither",
    ),
    (
        SEND,
        &["sender-malformed"],
        &["sender-domain-blacklisted", "sender-unknown"],
        "what is no address has no domain and is nobody's",
    ),
    (
        SEND,
        &["recipient-missing"],
        &["recipient-malformed"],
        "what is not there is not malformed",
    ),
    (
        SEND,
        &["recipient-missing", "recipient-malformed"],
        &["subscriber-id-malformed", "subscriber-unknown"],
        "with subID there is a recipient, and email is not looked at",
    ),
    (
        SEND,
        &[
            "recipient-missing",
            "recipient-malformed",
            "subscriber-id-malformed",
        ],
        CREATES,
        "nobody can be created",
    ),
    (
        SEND,
        &[
            "recipient-malformed",
            "subscriber-id-malformed",
            "subscriber-unknown",
        ],
        &["recipient-domain-blacklisted", "subscriber-inactive"],
        "no address and no subscriber to be judged",
    ),
    (
        SEND,
        &["recipient-missing"],
        &["recipient-domain-blacklisted", "subscriber-inactive"],
        "no address and no subscriber to be judged",
    ),
    (
        SEND,
        &["subscriber-id-malformed"],
        &["subscriber-unknown"],
        "one subID is one of them",
    ),
    (
        SEND,
        &[
            "subscriber-id-malformed",
            "subscriber-unknown",
            "subscriber-inactive",
        ],
        &["list-unknown"],
        "the list matters only when nobody matches an email",
    ),
    (
        SEND,
        &["mailer-missing"],
        &["mailer-unknown"],
        "an id that is not there is not unknown",
    ),
    (
        SEND,
        &["subscriber-inactive", "subscriber-unknown"],
        CREATES,
        "nobody is created",
    ),
    (
        SEND,
        COMMIT,
        COMMIT,
        "a host names one conflict for a commit",
    ),
    (
        CALL,
        &["key-missing"],
        &["key-unknown"],
        "a key that is not there is not unknown",
    ),
    (
        CALL,
        &["key-missing", "key-unknown"],
        ACCOUNT,
        "no account, no state of it",
    ),
    (
        CALL,
        &["key-missing", "key-unknown"],
        CREDIT,
        "no account, no credit of it",
    ),
    (
        CALL,
        &["requests-missing"],
        &["too-many-requests"],
        "none are not too many",
    ),
    (CALL, &["requests-missing"], CREDIT, "nothing is sent"),
    (
        CALL,
        &["requests-missing"],
        HTTP_COMMIT,
        "nothing is committed",
    ),
    (
        CALL,
        HTTP_COMMIT,
        HTTP_COMMIT,
        "a host names one conflict for a commit",
    ),
    (
        MIXED,
        &["requests-missing"],
        &[
            "request-not-object",
            "field-wrong-type",
            "subject-missing",
            "reply-to-malformed",
            "html-missing",
            "html-not-utf8",
            "sender-missing",
            "sender-malformed",
            "recipient-missing",
            "recipient-malformed",
            "subject-control",
            "subject-placeholder",
            "from-name-control",
            "html-domain-blacklisted",
            "sender-domain-blacklisted",
            "reply-to-domain-blacklisted",
            "recipient-domain-blacklisted",
            "sender-unknown",
            "subscriber-inactive",
        ],
        "there is no request",
    ),
    (
        SAME,
        &["request-not-object"],
        &[
            "field-wrong-type",
            "subject-missing",
            "reply-to-malformed",
            "html-missing",
            "html-not-utf8",
            "sender-missing",
            "sender-malformed",
            "recipient-missing",
            "recipient-malformed",
            "subject-control",
            "subject-placeholder",
            "from-name-control",
            "html-domain-blacklisted",
            "sender-domain-blacklisted",
            "reply-to-domain-blacklisted",
            "recipient-domain-blacklisted",
            "sender-unknown",
            "subscriber-inactive",
        ],
        "what is no object has no fields",
    ),
    (
        SAME,
        &["subject-missing"],
        &["subject-control", "subject-placeholder"],
        "there is no subject",
    ),
    (
        SAME,
        &["reply-to-malformed"],
        &["reply-to-domain-blacklisted"],
        "what is no address has no domain",
    ),
    (
        SAME,
        &["html-missing"],
        &["html-not-utf8", "html-domain-blacklisted"],
        "there is no HTML",
    ),
    (
        SAME,
        &["html-not-utf8"],
        &["html-domain-blacklisted"],
        "there is no text to be read",
    ),
    (
        SAME,
        &["sender-missing"],
        &[
            "sender-malformed",
            "sender-domain-blacklisted",
            "sender-unknown",
        ],
        "there is no sender",
    ),
    (
        SAME,
        &["sender-malformed"],
        &["sender-domain-blacklisted", "sender-unknown"],
        "what is no address has no domain and is nobody's",
    ),
    (
        SAME,
        &["recipient-missing"],
        &[
            "recipient-malformed",
            "recipient-domain-blacklisted",
            "subscriber-inactive",
        ],
        "there is no recipient",
    ),
];

/// Whether the pair is listed, in either order.
pub(crate) fn is(scope: &str, left: &str, right: &str) -> bool {
    PAIRS.iter().any(|(own, lefts, rights, _)| {
        *own == scope
            && ((lefts.contains(&left) && rights.contains(&right))
                || (lefts.contains(&right) && rights.contains(&left)))
    })
}
