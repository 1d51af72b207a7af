"""The shape of a host, and the loop that serves one that waits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from . import _franking
from ._body import size_of
from ._errors import CommitUnknownError
from ._franking import AccountQuestion, Call, Decision, Plan, Policy, Questions

if TYPE_CHECKING:
    from ._body import Body
    from ._enums import Operation
    from ._franking import Account, Commit, Facts

__all__ = ["AsyncHost", "Host", "adecide"]

Result = TypeVar("Result")


class Host(Protocol):
    """A program that embeds the library: it owns the database, the clock and the transport.

    What `account` and `facts` raise is passed on: nothing was carried out, and the call can be decided again. `commit` is
    the point of no return: what it raises becomes a `CommitUnknownError`.
    """

    def account(self, key: str, /) -> Account | None:
        """Looks an account up.

        Args:
            key: The API key as sent, never empty: a secret.

        Returns:
            The account; `None` when none has the key.
        """
        ...

    def facts(self, questions: Questions, /) -> Facts:
        """Looks everything else up that only the host knows.

        Args:
            questions: What is asked, in columns.

        Returns:
            What is known of every member of every column.
        """
        ...

    def commit(self, plan: Plan, /) -> Commit:
        """Carries the plan out in one transaction.

        Args:
            plan: What to do.

        Returns:
            `Commit.done` with the number by which the call is known from then on; `Commit.conflict` with what stood in
            the way, after a rollback; `Commit.unknown` when it cannot be told whether the plan was carried out.
        """
        ...


class AsyncHost(Protocol):
    """A `Host` that waits for its database."""

    async def account(self, key: str, /) -> Account | None:
        """See `Host.account`."""
        ...

    async def facts(self, questions: Questions, /) -> Facts:
        """See `Host.facts`."""
        ...

    async def commit(self, plan: Plan, /) -> Commit:
        """See `Host.commit`."""
        ...


async def adecide(
    operation: Operation | str,
    body: Body,
    host: AsyncHost,
    policy: Policy | None = None,
    *,
    method: str = "POST",
    record: bool = False,
) -> Decision:
    """Decides a call with a host that waits for its database; otherwise as `decide`.

    A body of more than 64 KiB is worked on in a thread, so that the event loop goes on: that of asyncio, of trio, or of
    anyio on either. A task that is cancelled while the host carries out the plan does not know what came of it: the
    exception has a note that says so.

    Args:
        operation: The operation that is called, or its name.
        body: The body as it came.
        host: What is asked, and carries the plan out.
        policy: The settings; the defaults if left out.
        method: The HTTP method as it came.
        record: Whether to note what is asked and answered, for `Decision.transcript`.

    Returns:
        What was decided.

    Raises:
        CommitUnknownError: The host's commit raised, or returned something that is not a `Commit`.
        MisuseError: The host gave a look-up something that is not an answer to it.
        InvalidError: There is no such operation.
        TypeError: An argument is of the wrong type, or the host lacks a method. Nothing was begun.
        Exception: What the host raised when it looked something up. Nothing was carried out, and the call can be decided
            again.
    """
    _franking.require_host(host)
    aside = _in_thread if size_of(body) > _franking.LONG else _at_once
    call = await aside(lambda: Call(operation, body, policy, method=method, record=record))
    while True:
        match call.step():
            case AccountQuestion(key):
                account = await host.account(key)
                await aside(lambda: call.answer_account(account))  # noqa: B023 - it is awaited within the turn
            case Questions() as questions:
                facts = await host.facts(questions)
                # Asked for no longer, it need not be kept apart from the call.
                del questions
                await aside(lambda: call.answer_facts(facts))  # noqa: B023 - it is awaited within the turn
                del facts
            case Plan():
                await _commit(call, host)
            case Decision() as decision:
                return decision


async def _commit(call: Call, host: AsyncHost) -> None:
    """The point of no return: once the plan is handed out, whatever fails says that it is not known what came of it."""
    plan = call.begin_commit()
    try:
        commit = await host.commit(plan)
        del plan
        # In this thread: nothing may come between the commit and its answer.
        call.answer_commit(commit)
    except CommitUnknownError as error:
        error.decision = call.decision
        raise
    except Exception as error:
        raise CommitUnknownError(_franking.commit_unknown(), call.decision) from error
    except BaseException as error:
        error.add_note(_franking.commit_unknown())
        raise


async def _in_thread(work: Callable[[], Result]) -> Result:
    # Nobody runs under a library that is not loaded: no import of it is worth its time.
    trio, asyncio = sys.modules.get("trio"), sys.modules.get("asyncio")
    if trio is not None and _is_running(trio.lowlevel.current_task):
        result: Result = await trio.to_thread.run_sync(work)
        return result
    if asyncio is not None and _is_running(asyncio.get_running_loop):
        result = await asyncio.to_thread(work)
        return result
    # Another library drives the coroutine, whose threads are its own.
    return work()


def _is_running(running: Callable[[], object]) -> bool:
    try:
        running()
    except RuntimeError:
        return False
    return True


async def _at_once(work: Callable[[], Result]) -> Result:
    return work()
