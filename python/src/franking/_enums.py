"""The names of the library, as enumerations whose members are texts.

The members of `Rule` and `WarningKind` are those of the library's own tables; a test compares them.
"""

from __future__ import annotations

import enum
from typing import Literal, NamedTuple, TypeAlias, final

from . import _franking

__all__ = [
    "Conflict",
    "Event",
    "Judgement",
    "Operation",
    "Phase",
    "RecipientRole",
    "Retry",
    "Role",
    "Rule",
    "WarningKind",
    "rules",
]

Role: TypeAlias = Literal["sender", "reply_to", "recipient", "content"]
"""In what a domain appears in a call: blacklists may differ by it."""

RecipientRole: TypeAlias = Literal["to", "cc", "bcc"]
"""The address list in which a recipient stands."""

Retry: TypeAlias = Literal["accepted", "change-the-call", "change-the-account", "may-help"]
"""Whether sending the same call again can help."""

Judgement: TypeAlias = Literal["kept", "broken", "broken-in-part", "not-reached"]
"""What came of judging a rule."""

Phase: TypeAlias = Literal["transport", "authentication", "account", "content", "facts", "credit", "commit"]
"""When a rule is judged, in this order: a lower phase always wins."""


@final
class Operation(enum.StrEnum):
    """An operation of the interface. Wherever one is taken, its name does as well."""

    SEND_MAILER = "sendMailer"
    """One stored email to one recipient."""
    HTTP_SEND_MAIL = "httpSendMail"
    """One or many emails whose content comes with the call. Deprecated."""


@final
class Conflict(enum.StrEnum):
    """What stood in the way of a plan when the host wanted to carry it out."""

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
class Event(enum.IntEnum):
    """Something that happened to an email after it was accepted."""

    BOUNCED = 417
    DELIVERED = 418
    OPENED = 451
    CLICKED = 452


class _RuleRow(NamedTuple):
    identifier: str
    number: int
    phase: int
    phase_name: Phase
    fields: tuple[str, ...]
    meaning: str
    remedy: str


_RULES = {row[0]: _RuleRow(*row[:4], tuple(row[4]), *row[5:]) for row in _franking.rule_table()}
_WARNINGS = {identifier: (number, meaning) for identifier, number, meaning in _franking.warning_table()}


@final
class Rule(enum.StrEnum):
    """A way in which a call can be wrong. The order of the members is the order of the table.

    >>> rule = franking.Rule.RECIPIENT_MALFORMED
    >>> rule.code("sendMailer"), rule.phase_name, rule.meaning
    (412, 'content', "a recipient's address is not valid")
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
        """The number that C programs see; never changed, never used again."""
        return _RULES[self.value].number

    @property
    def phase(self) -> int:
        """When the rule is judged, 1 to 7: a lower phase always wins."""
        return _RULES[self.value].phase

    @property
    def phase_name(self) -> Phase:
        """The name of the phase."""
        return _RULES[self.value].phase_name

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that the rule judges, in the interface's spelling."""
        return _RULES[self.value].fields

    @property
    def meaning(self) -> str:
        """When the rule is broken, as one clause without a full stop."""
        return _RULES[self.value].meaning

    @property
    def remedy(self) -> str:
        """What to do about it, as whole sentences."""
        return _RULES[self.value].remedy

    def code(self, operation: Operation | str, /) -> int | None:
        """The code that answers a call of the operation which breaks the rule; `None` where it does not apply."""
        return _franking.rule_code(self.value, operation)


@final
class WarningKind(enum.StrEnum):
    """What a preflight warns of: never changes the code, but was probably not meant."""

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
        """The number that C programs see; never changed, never used again."""
        return _WARNINGS[self.value][0]

    @property
    def meaning(self) -> str:
        """When it is given, as one clause without a full stop."""
        return _WARNINGS[self.value][1]


def rules() -> tuple[Rule, ...]:
    """The rule table, in order.

    >>> franking.rules()[0].value
    'method-not-post'
    """
    return tuple(Rule)
