"""The exceptions of the library. Everything that is wrong with a call is returned, never raised."""

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
    """The base class of all exceptions of the library, except those that are Python's own, such as `TypeError` and
    `IndexError`."""

    __module__ = "franking"


class InvalidError(FrankingError, ValueError):
    """A value given to the library is invalid, such as an address, a domain or the name of an operation.
    Nothing was done with it. The text says what to correct, and shows nothing of the value."""

    __module__ = "franking"


class PolicyError(InvalidError):
    """A setting of a `Policy` is invalid. No policy was made."""

    __module__ = "franking"

    key: str
    """The name of the setting, as in the JSON form; `policy` if the form as a whole is wrong."""

    def __init__(self, message: str, key: str = "policy") -> None:
        super().__init__(message)
        self.key = key

    def __reduce__(self) -> tuple[type[PolicyError], tuple[str, str]]:
        return type(self), (str(self), self.key)


class ComposeError(InvalidError):
    """The fields do not make a call. `compose` has composed nothing."""

    __module__ = "franking"

    request: int | None
    """The position of the request at fault, from 0; `None` if the fault is not in a request."""
    field: str | None
    """The field at fault, if there is one."""

    def __init__(self, message: str, request: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.request = request
        self.field = field

    def __reduce__(self) -> tuple[type[ComposeError], tuple[str, int | None, str | None]]:
        return type(self), (str(self), self.request, self.field)


class TranscriptError(InvalidError):
    """A document is not a transcript, is masked, or has questions that its call does not ask."""

    __module__ = "franking"


class WebhookError(InvalidError):
    """A webhook cannot be trusted: a header is missing, the webhook is too old, or no signature fits. The
    text says what to do, and shows nothing of the webhook."""

    __module__ = "franking"


class MisuseError(FrankingError, RuntimeError):
    """The host's program has a mistake: it gave an answer that was not asked for, or one of the wrong kind
    or length. Nothing changed, and nothing was carried out."""

    __module__ = "franking"


class CommitUnknownError(FrankingError):
    """The host's commit raised, or returned something that is not a `Commit`, or the library failed after it, so
    it is not known whether the plan was carried out. The call has ended. Deciding the same body again could send
    everything twice.

    `__cause__` is the exception that the host raised, or the `InternalError`."""

    __module__ = "franking"

    decision: Decision | None
    """The decision of the ended call. Its `failure` is `Failure.UNKNOWN`. `None` in a copy that pickle has made,
    and if a fault of the library has left no decision."""

    def __init__(self, message: str = "", decision: Decision | None = None) -> None:
        super().__init__(message)
        self.decision = decision

    def __reduce__(self) -> tuple[type[CommitUnknownError], tuple[str]]:
        return type(self), (str(self),)


class InternalError(FrankingError):
    """A fault of this library."""

    __module__ = "franking"
