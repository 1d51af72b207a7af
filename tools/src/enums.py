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

    #: members Operation

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

    #: members Route without none


@final
class DomainRole(enum.Flag):
    """The role in which a domain appears in a call. Each role may have its own blacklist. Combine members with `|`."""

    NONE = 0
    """No role: the domain is on no blacklist."""
    #: members DomainRole


#: class RecipientRole(enum.StrEnum)


#: class Encoding(enum.StrEnum)


#: class Failure(enum.StrEnum)


@final
class Undecided(enum.StrEnum):
    """The outcome of a call that has no decision: see `http_answer`."""

    #: members HttpOutcome without accepted


#: class Judgement(enum.StrEnum)


#: class Retry(enum.StrEnum)


#: class Conflict(enum.StrEnum)


#: class Phase(enum.IntEnum)


#: class Event(enum.IntEnum)


#: class EventType(enum.StrEnum)


@final
class Code(enum.IntEnum):
    """A result code that the interface lists (section 7), by its first meaning there. `code_meaning` says what it means
    on an operation.

    >>> franking.Code(454), franking.code_meaning(454, "httpSendMail")
    (<Code.SUBSCRIBER_DOES_NOT_EXIST: 454>, 'API call exceeds the allowed size')
    """

    #: codes


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

    #: members Rule

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

    #: members WarningKind

    @property
    def number(self) -> int:
        """The number in the C interface. It never changes and is never reused."""
        return _WARNINGS[self.value][0]

    @property
    def meaning(self) -> str:
        """The condition of the warning, as one clause without a full stop."""
        return _WARNINGS[self.value][1]
