"""Hosts whose commit fails at one point, and a caller that tries again whenever the library allows it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from hosts import MemoryHost

import franking

Carry = Callable[[list[str], franking.Plan], Any]


class DatabaseError(Exception):
    """An error of a database."""


def raising(error: BaseException, *, after: bool) -> Carry:
    def commit(sent: list[str], plan: franking.Plan) -> Any:
        if after:
            sent.extend(plan.messages[0].addresses)
        raise error

    return commit


def returning(outcome: Any) -> Carry:
    def commit(sent: list[str], plan: franking.Plan) -> Any:
        sent.extend(plan.messages[0].addresses)
        return outcome

    return commit


class Unreadable(str):
    """A text that fails when it is read."""

    def __eq__(self, other: object) -> bool:
        raise DatabaseError

    __hash__ = str.__hash__


# Each carries out the plan before it fails, except those named "before".
ORDINARY: dict[str, Carry] = {
    "raises before": raising(DatabaseError(), after=False),
    "raises after": raising(DatabaseError(), after=True),
    "raises a timeout": raising(TimeoutError(), after=True),
    "raises a misuse": raising(franking.MisuseError("look at step() first"), after=True),
    "raises an internal error": raising(franking.InternalError("a fault"), after=True),
    "raises an error of values": raising(ValueError(5), after=True),
    "forgets return": returning(None),
    "returns True": returning(True),
    "returns False": returning(False),
    "returns a number": returning(1),
    "returns a conflict": returning(franking.Conflict.OTHER),
    "returns a text": returning("done"),
    "returns half of a surrogate pair": returning("\ud800"),
    "returns a text of its own": returning(Unreadable("1")),
    "returns a number that is none": returning(1.0),
    "returns a list": returning([1]),
    "returns a dict": returning({"transaction_id": 1}),
    "returns an object": returning(object()),
    "returns a class": returning(franking.Conflict),
}
# Exceptions that no program catches as an error. They are passed on as they are.
LEAVING: dict[str, BaseException] = {
    "cancelled": asyncio.CancelledError(),
    "interrupted": KeyboardInterrupt(),
    "exits": SystemExit(1),
    "generator exits": GeneratorExit(),
}
# Answers with which the call ends without a code.
SAID: dict[str, tuple[franking.Commit, franking.Failure]] = {
    "unknown": (franking.Commit.unknown(), franking.Failure.UNKNOWN),
    "0": (franking.Commit.done(0), franking.Failure.MISUSE),
    "too large a number": (franking.Commit.done(2**70), franking.Failure.MISUSE),
    "a negative number": (franking.Commit.done(-1), franking.Failure.MISUSE),
}


class Failing(MemoryHost):
    """A host whose first commit fails, and whose next one would succeed. It records what it has sent."""

    def __init__(self, commit: Carry) -> None:
        super().__init__()
        self.failing = commit
        self.sent: list[str] = []
        self.committed = 0

    def commit(self, plan: franking.Plan, /) -> Any:
        self.committed += 1
        if self.committed == 1:
            return self.failing(self.sent, plan)
        self.sent.extend(plan.messages[0].addresses)
        return franking.Commit.done(1)


def may_try_again(error: BaseException) -> bool:
    """Whether the text of an error lets a caller try again. An error of any other kind does."""
    return isinstance(error, Exception) and "before anything is sent again" not in str(error)


def insist(decide: Callable[[], franking.Decision], tries: int = 3) -> franking.Decision | BaseException:
    """Tries as often as the library allows it. Returns the last result."""
    last: franking.Decision | BaseException = RuntimeError("never tried")
    for _ in range(tries):
        try:
            last = decide()
        except BaseException as error:  # noqa: BLE001 - the caller looks at all of them
            last = error
            if not may_try_again(error):
                break
        else:
            # Failure.HOST comes from conflicts: nothing was carried out, so it tries again.
            if last.failure is not franking.Failure.HOST:
                break
    return last
