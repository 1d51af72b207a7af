"""What the library raises. Whatever is wrong with a call is returned, never raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._franking import Decision

__all__ = [
    "CommitUnknownError",
    "ComposeError",
    "FrankingError",
    "InternalError",
    "InvalidError",
    "MisuseError",
    "PolicyError",
    "TranscriptError",
    "WebhookError",
]


class FrankingError(Exception):
    """The base of everything that the library raises, but for `TypeError` and `IndexError`, which are Python's own."""

    __module__ = "franking"


class InvalidError(FrankingError, ValueError):
    """A value given to the library is invalid: an address, a domain, the name of an operation. Nothing was made
    of it. The text says what to correct, and shows nothing of the value."""

    __module__ = "franking"


class PolicyError(InvalidError):
    """A setting of a `Policy` cannot be. Nothing was built."""

    __module__ = "franking"

    key: str
    """The name of the setting, as the JSON form spells it; `policy` when the whole is of the wrong form."""

    def __init__(self, message: str, key: str = "policy") -> None:
        super().__init__(message)
        self.key = key

    def __reduce__(self) -> tuple[type[PolicyError], tuple[str, str]]:
        return type(self), (str(self), self.key)


class ComposeError(InvalidError):
    """Fields that make no call: `compose` has written nothing."""

    __module__ = "franking"

    request: int | None
    """The request at fault, from 0; `None` when the fault is not in a request."""
    field: str | None
    """The field at fault, if it is one."""

    def __init__(self, message: str, request: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.request = request
        self.field = field

    def __reduce__(self) -> tuple[type[ComposeError], tuple[str, int | None, str | None]]:
        return type(self), (str(self), self.request, self.field)


class TranscriptError(InvalidError):
    """A document that is not a transcript, that is masked, or that notes what its call does not ask."""

    __module__ = "franking"


class WebhookError(InvalidError):
    """A webhook that is not to be trusted: a header is missing, it is too old, or no signature fits. The text says what
    to do, and shows nothing of the webhook."""

    __module__ = "franking"


class MisuseError(FrankingError, RuntimeError):
    """The host's program is wrong: an answer that was not asked for, of the wrong kind or length. Nothing changed, and
    nothing was carried out by it."""

    __module__ = "franking"


class CommitUnknownError(FrankingError):
    """The host's commit raised, or returned something that is not a `Commit`: it is not known whether the plan was carried out. The
    call has ended, and deciding the same body anew could send everything twice.

    `__cause__` is what the host raised."""

    __module__ = "franking"

    decision: Decision | None
    """The end of the call: its `failure` is `Failure.UNKNOWN`. `None` in a copy that pickle has made."""

    def __init__(self, message: str = "", decision: Decision | None = None) -> None:
        super().__init__(message)
        self.decision = decision

    def __reduce__(self) -> tuple[type[CommitUnknownError], tuple[str]]:
        return type(self), (str(self),)


class InternalError(FrankingError):
    """A fault of this library."""

    __module__ = "franking"
