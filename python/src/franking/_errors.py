"""What the library raises. Whatever is wrong with a call is returned, never raised."""

from __future__ import annotations

__all__ = ["CommitUnknownError", "FrankingError", "InternalError", "MisuseError", "PolicyError"]


class FrankingError(Exception):
    """The base of everything that the library raises."""

    __module__ = "franking"


class PolicyError(FrankingError, ValueError):
    """A setting of the host's cannot be: of a `Policy`, or an entry of a `DomainSet`. Nothing was built."""

    __module__ = "franking"

    key: str
    """The name of the setting, as the JSON form spells it; `policy` when the whole is of the wrong form."""

    def __init__(self, message: str, key: str = "policy") -> None:
        super().__init__(message)
        self.key = key

    def __reduce__(self) -> tuple[type[PolicyError], tuple[str, str]]:
        return type(self), (str(self), self.key)


class MisuseError(FrankingError, RuntimeError):
    """The host's program is wrong: an answer that was not asked for, of the wrong kind or length. Nothing changed, and
    nothing was carried out by it."""

    __module__ = "franking"


class CommitUnknownError(FrankingError):
    """The host's commit raised, or returned what is no answer: it is not known whether the plan was carried out. The
    call has ended, and deciding the same body anew could send everything twice.

    `__cause__` is what the host raised."""

    __module__ = "franking"


class InternalError(FrankingError):
    """A fault of this library."""

    __module__ = "franking"
