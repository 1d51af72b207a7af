"""The enumerations of the library, with the properties of their members.

Members that are words are texts, and equal the words of the JSON forms. Codes, events and phases are numbers. Generated from
the core's tables and tools/src/enums.py by `cargo run -p franking-tools -- header`: do not edit.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import NamedTuple, final

from . import _franking

__all__ = [
    "Code",
    "Conflict",
    "Deprecation",
    "DomainRole",
    "Encoding",
    "Event",
    "EventType",
    "Failure",
    "Judgement",
    "Operation",
    "Phase",
    "RecipientRole",
    "Retry",
    "Route",
    "Rule",
    "Undecided",
    "WarningKind",
]


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """The end of an operation."""

    last_day: str
    """The last day on which it is available, `yyyy-mm-dd`. The operation still works on that day."""
    successor: str
    """The operation that replaces it."""
    sunset: str
    """The value of a `Sunset` header (RFC 8594) for it."""
    deprecation: str
    """The value of a `Deprecation` header (RFC 9745) for it."""


@final
class Operation(enum.StrEnum):
    """An operation of the interface (section 4). A parameter that takes an operation also takes its name.

    >>> franking.Operation.HTTP_SEND_MAIL.path, franking.Operation.HTTP_SEND_MAIL.deprecation.successor
    ('/v4/httpSendMail.php', 'sendEmail')
    """

    SEND_MAILER = "sendMailer"
    """One stored email to one recipient (section 4.1)."""
    HTTP_SEND_MAIL = "httpSendMail"
    """One or many emails whose content comes with the call (section 4.2). Deprecated."""

    @property
    def path(self) -> str:
        """The path below the base address to which a client posts a call (interface, section 4)."""
        return _franking.operation_path(self.value)

    @property
    def deprecation(self) -> Deprecation | None:
        """The end of the operation and its replacement (interface, section 9); `None` if it is not deprecated."""
        return _franking.deprecation(self.value)


@final
class Route(enum.StrEnum):
    """The kind of an HTTP request to the path of an operation: see `route`."""

    CALL = "call"
    """A call of an operation."""
    WRONG_METHOD = "wrong-method"
    """The path is that of an operation, and the method is not POST: the call is answered with code 401."""


@final
class DomainRole(enum.Flag):
    """The role in which a domain appears in a call. Each role may have its own blacklist. Combine members with `|`."""

    NONE = 0
    """No role: the domain is on no blacklist."""
    SENDER = 1
    """A sender's address: code 414."""
    REPLY_TO = 2
    """A reply address: code 415."""
    RECIPIENT = 4
    """A recipient's address: code 416."""
    CONTENT = 8
    """A link or an image of the HTML: code 413."""


@final
class RecipientRole(enum.StrEnum):
    """The address list that a recipient is in (interface, section 4.2)."""

    TO = "to"
    """The list to."""
    CC = "cc"
    """The list cc, carbon copy."""
    BCC = "bcc"
    """The list bcc, blind carbon copy."""


@final
class Encoding(enum.StrEnum):
    """How the HTML of a request was sent."""

    FORM = "form"
    """URL-encoded, as HTML forms are: + is a space, %XX an octet."""
    PLAIN = "plain"
    """As it is."""


@final
class Failure(enum.StrEnum):
    """Why a call ended without a code: a failure of the host or of the library, never of the caller."""

    MISUSE = "misuse"
    """The commit was answered with a transaction id that is not 1 to 9007199254740991. What the host
    carried out is not undone: do not try again."""
    HOST = "host"
    """The last attempt met a conflict that has no code, and nothing was carried out. The call can be made
    again."""
    UNKNOWN = "unknown"
    """It is not known whether the plan was carried out: the commit failed, named a conflict that is not
    possible on the operation, or did not say. Look into the host's database before you try again."""
    INTERNAL = "internal"
    """A fault of the library. Nothing was carried out. Report it, with a transcript of the call."""


@final
class Undecided(enum.StrEnum):
    """The outcome of a call that has no decision: see `http_answer`."""

    TOO_LARGE = "too-large"
    """The body is longer than the host reads."""
    UNDONE = "undone"
    """Nothing was carried out: a look-up failed, or the host has too much to do. The same call can be sent
    again."""
    FAULT = "fault"
    """A program is wrong, the host's or the library, and no plan was handed out."""
    UNKNOWN = "unknown"
    """A plan was handed out, and it is not known whether it was carried out."""


@final
class Judgement(enum.StrEnum):
    """The result of judging a rule."""

    KEPT = "kept"
    """It was judged, and nothing that was looked at breaks it."""
    BROKEN = "broken"
    """It is broken and gives the code."""
    BROKEN_IN_PART = "broken-in-part"
    """It is broken by requests or recipients that a partial batch leaves out."""
    NOT_REACHED = "not-reached"
    """The call was decided, or failed, before the rule was judged."""


@final
class Retry(enum.StrEnum):
    """Whether sending the same call again can help."""

    ACCEPTED = "accepted"
    """The call was accepted: sending it again sends the mail again."""
    CHANGE_THE_CALL = "change-the-call"
    """The same call will be refused again: change the call first."""
    CHANGE_THE_ACCOUNT = "change-the-account"
    """The same call may pass once the account, a subscriber or a list in the service has been changed."""
    MAY_HELP = "may-help"
    """Something changed while the call was judged: the same call may pass at once."""


@final
class Conflict(enum.StrEnum):
    """What prevented a plan from being carried out."""

    SUBSCRIBER_EXISTS = "subscriber_exists"
    """A subscriber to be created exists by now: code 442."""
    SUBSCRIBER_INACTIVE = "subscriber_inactive"
    """A subscriber became INACTIVE: code 443."""
    SUBSCRIBER_CREDIT = "subscriber_credit"
    """The subscriber credit no longer suffices: code 444."""
    EMAIL_CREDIT = "email_credit"
    """The email credit no longer suffices: code 445."""
    SUBSCRIBER_GONE = "subscriber_gone"
    """The subscriber is gone: code 454, on sendMailer only."""
    OTHER = "other"
    """Anything else: the host's own error, without a code."""


@final
class Phase(enum.IntEnum):
    """When a rule is judged. Phases are judged in this order, and the lowest that has a violation wins."""

    TRANSPORT = 1
    """The method, the end of the operation, the size and the JSON. The host is asked nothing."""
    AUTHENTICATION = 2
    """The account by its key."""
    ACCOUNT = 3
    """The state of that account."""
    CONTENT = 4
    """What the body alone shows."""
    FACTS = 5
    """What only the host knows, asked in one batch."""
    CREDIT = 6
    """The credits of the account."""
    COMMIT = 7
    """What changed meanwhile, found when the host carries out the plan."""


@final
class Event(enum.IntEnum):
    """Something that happened to an email after it was accepted (interface, section 6). Its number is a
    code."""

    BOUNCED = 417
    """It could not be delivered."""
    DELIVERED = 418
    """It reached the recipient's mail server."""
    OPENED = 451
    """The recipient opened it."""
    CLICKED = 452
    """The recipient followed a link in it."""


@final
class EventType(enum.StrEnum):
    """What happened to an email, to its reader or to a webhook, as the service tells it."""

    DELIVERED = "delivered"
    """The mail server took the email over."""
    BOUNCED = "bounced"
    """The email could not be delivered."""
    NOT_BOUNCED = "not_bounced"
    """A bounce that was told is undone: the email did not bounce."""
    OPENED = "opened"
    """The reader opened the email."""
    CLICKED = "clicked"
    """The reader followed a link in the email."""
    COMPLAINED = "complained"
    """The reader reported the email as abuse."""
    NOT_COMPLAINED = "not_complained"
    """A complaint that was told is undone."""
    UNSUBSCRIBED = "unsubscribed"
    """The reader has unsubscribed by the service's own link."""
    RESUBSCRIBED = "resubscribed"
    """The operator has lifted what the reader had unsubscribed from."""
    SUPPRESSED = "suppressed"
    """The subscriber has become INACTIVE because of what was reported."""
    LIFTED = "lifted"
    """The operator has made a suppressed subscriber active again."""
    WEBHOOK_DISABLED = "webhook_disabled"
    """A webhook of the account is posted to no more, because its endpoint has failed for days."""


@final
class Code(enum.IntEnum):
    """A result code that the interface lists (section 7), by its first meaning there. `code_meaning` says what it means
    on an operation.

    >>> franking.Code(454), franking.code_meaning(454, "httpSendMail")
    (<Code.SUBSCRIBER_DOES_NOT_EXIST: 454>, 'API call exceeds the allowed size')
    """

    SUCCESS = 200
    INVALID_METHOD = 401
    UNAUTHORIZED_EMPTY_KEY = 402
    UNAUTHORIZED_INVALID_KEY = 403
    ACCOUNT_SENDING_BLOCKED = 404
    ACCOUNT_EXPIRED = 405
    EMAIL_SUBJECT_NOT_PROVIDED = 406
    INVALID_EMAIL_ADDRESS_FOR_REPLY_TO = 407
    HTML_CONTENT_NOT_PROVIDED = 408
    SENDER_EMAIL_NOT_PROVIDED = 409
    INVALID_EMAIL_ADDRESS_FOR_SENDER = 410
    NO_RECIPIENT_EMAIL_ADDRESS_PROVIDED = 411
    INVALID_RECIPIENT_EMAIL_ADDRESS = 412
    BLACKLISTED_DOMAIN_IN_THE_HTML = 413
    SENDER_DOMAIN_BLACKLISTED = 414
    REPLY_TO_DOMAIN_BLACKLISTED = 415
    RECIPIENT_EMAIL_DOMAIN_BLACKLISTED = 416
    BOUNCED = 417
    DELIVERED = 418
    SENDER_EMAIL_DOES_NOT_EXIST_IN_THE_ACCOUNT = 420
    ERROR = 442
    SUBSCRIBER_INACTIVE = 443
    LOW_SUBSCRIBER_CREDIT = 444
    LOW_EMAIL_CREDIT = 445
    ACCOUNT_DEACTIVATED = 448
    OPENED = 451
    CLICKED = 452
    TOO_MANY_REQUESTS_PER_API_CALL = 453
    SUBSCRIBER_DOES_NOT_EXIST = 454
    JSON_IS_NOT_VALID = 475
    SUBJECT_NOT_VALID = 476
    FROM_NAME_NOT_VALID = 477
    FROM_OR_FROMNAME_NOT_PROVIDED = 478
    NO_SUBSCRIBER_PROVIDED = 602


class _RuleRow(NamedTuple):
    identifier: str
    number: int
    phase: int
    fields: tuple[str, ...]
    meaning: str
    remedy: str


_RULES = {row[0]: _RuleRow(*row[:3], tuple(row[3]), *row[4:]) for row in _franking.rule_table()}
_WARNINGS = {identifier: (number, meaning) for identifier, number, meaning in _franking.warning_table()}


@final
class Rule(enum.StrEnum):
    """A way in which a call can be wrong. The order of the members is the order of the table.

    >>> rule = franking.Rule.RECIPIENT_MALFORMED
    >>> rule.code("sendMailer"), rule.phase
    (<Code.INVALID_RECIPIENT_EMAIL_ADDRESS: 412>, <Phase.CONTENT: 4>)
    >>> rule.meaning
    "a recipient's address is not valid"
    """

    METHOD_NOT_POST = "method-not-post"
    OPERATION_RETIRED = "operation-retired"
    BODY_TOO_LARGE = "body-too-large"
    BODY_NOT_JSON = "body-not-json"
    FIELD_REPEATED = "field-repeated"
    KEY_MISSING = "key-missing"
    KEY_UNKNOWN = "key-unknown"
    ACCOUNT_BLOCKED = "account-blocked"
    ACCOUNT_EXPIRED = "account-expired"
    ACCOUNT_DEACTIVATED = "account-deactivated"
    TOO_MANY_REQUESTS = "too-many-requests"
    REQUESTS_MISSING = "requests-missing"
    REQUEST_NOT_OBJECT = "request-not-object"
    FIELD_WRONG_TYPE = "field-wrong-type"
    SUBJECT_MISSING = "subject-missing"
    REPLY_TO_MALFORMED = "reply-to-malformed"
    HTML_MISSING = "html-missing"
    HTML_NOT_UTF8 = "html-not-utf8"
    SENDER_MISSING = "sender-missing"
    SENDER_MALFORMED = "sender-malformed"
    RECIPIENT_MISSING = "recipient-missing"
    RECIPIENT_MALFORMED = "recipient-malformed"
    SUBSCRIBER_ID_MALFORMED = "subscriber-id-malformed"
    MAILER_MISSING = "mailer-missing"
    SUBJECT_CONTROL = "subject-control"
    SUBJECT_PLACEHOLDER = "subject-placeholder"
    FROM_NAME_CONTROL = "from-name-control"
    DATE_MALFORMED = "date-malformed"
    HTML_HOST_HIDDEN = "html-host-hidden"
    HTML_DOMAIN_BLACKLISTED = "html-domain-blacklisted"
    SENDER_DOMAIN_BLACKLISTED = "sender-domain-blacklisted"
    REPLY_TO_DOMAIN_BLACKLISTED = "reply-to-domain-blacklisted"
    RECIPIENT_DOMAIN_BLACKLISTED = "recipient-domain-blacklisted"
    SENDER_UNKNOWN = "sender-unknown"
    SUBSCRIBER_INACTIVE = "subscriber-inactive"
    SUBSCRIBER_UNKNOWN = "subscriber-unknown"
    MAILER_UNKNOWN = "mailer-unknown"
    LIST_UNKNOWN = "list-unknown"
    SUBSCRIBER_CREDIT_LOW = "subscriber-credit-low"
    EMAIL_CREDIT_LOW = "email-credit-low"
    SUBSCRIBER_EXISTS = "subscriber-exists"

    @property
    def number(self) -> int:
        """The number in the C interface. It never changes and is never reused."""
        return _RULES[self.value].number

    @property
    def phase(self) -> Phase:
        """The phase in which the rule is judged."""
        return Phase(_RULES[self.value].phase)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the rule judges, in the interface's spelling."""
        return _RULES[self.value].fields

    @property
    def meaning(self) -> str:
        """The condition under which the rule is broken, as one clause without a full stop."""
        return _RULES[self.value].meaning

    @property
    def remedy(self) -> str:
        """What to do when the rule is broken, as whole sentences."""
        return _RULES[self.value].remedy

    def code(self, operation: Operation | str, /) -> Code | None:
        """The code that answers a call which breaks the rule (interface, section 7).

        Args:
            operation: The operation that is called, or its name.

        Returns:
            The code; `None` if the rule does not apply.

        Raises:
            InvalidError: There is no such operation.
        """
        code = _franking.rule_code(self.value, operation)
        return None if code is None else Code(code)


@final
class WarningKind(enum.StrEnum):
    """The kind of a warning of preflight. A warning is about something that was probably not meant. It never changes the code."""

    OPERATION_DEPRECATED = "operation-deprecated"
    KEY_PLACEHOLDER = "key-placeholder"
    FIELD_UNKNOWN = "field-unknown"
    KEY_IN_REQUEST = "key-in-request"
    BODY_PLAIN = "body-plain"
    RECIPIENT_REPEATED = "recipient-repeated"
    LINK_UNREADABLE = "link-unreadable"
    SUBSCRIBER_ID_ZERO = "subscriber-id-zero"

    @property
    def number(self) -> int:
        """The number in the C interface. It never changes and is never reused."""
        return _WARNINGS[self.value][0]

    @property
    def meaning(self) -> str:
        """The condition of the warning, as one clause without a full stop."""
        return _WARNINGS[self.value][1]
