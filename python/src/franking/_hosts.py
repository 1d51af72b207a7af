"""The protocols of hosts, and the loop that decides a call with an asynchronous host."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from . import _franking
from ._body import size_of
from ._errors import CommitUnknownError, InternalError
from ._franking import AccountQuestion, Call, Decision, Plan, Policy, Questions

if TYPE_CHECKING:
    from ._body import Body
    from ._enums import Operation
    from ._franking import Account, Commit, Facts

__all__ = ["AsyncHost", "Host", "adecide"]

Result = TypeVar("Result")


class Host(Protocol):
    """A program that embeds the library: it owns the database, the clock and the transport.

    An exception of `account` or `facts` is passed on: nothing was carried out, and the call can be decided again. `commit`
    is the point of no return: an exception of it becomes a `CommitUnknownError`.
    """

    def account(self, key: str, /) -> Account | None:
        """Looks up an account.

        Args:
            key: The API key as sent, never empty. It is a secret.

        Returns:
            The account; `None` if no account has the key.
        """
        ...

    def facts(self, questions: Questions, /) -> Facts:
        """Looks up everything else that only the host knows.

        Args:
            questions: The questions, in columns.

        Returns:
            The answers for every member of every column.
        """
        ...

    def commit(self, plan: Plan, /) -> Commit:
        """Carries out the plan in one transaction.

        Args:
            plan: The plan.

        Returns:
            `Commit.done` with the number that identifies the call from then on; `Commit.conflict` with what prevented the
            commit, after a rollback; `Commit.unknown` if it is not known whether the plan was carried out.
        """
        ...


class AsyncHost(Protocol):
    """A `Host` with asynchronous methods."""

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
    """Decides a call with an asynchronous host. Otherwise as `decide`.

    The work on a body of more than 64 KiB is done in a thread, so that the event loop keeps running. That holds for asyncio,
    trio, and anyio on either of them. If a task is cancelled while the host carries out the plan, the result of the plan is
    unknown, and the exception has a note that says so.

    Args:
        operation: The operation that is called, or its name.
        body: The body as it came.
        host: The host, which answers the questions and carries out the plan.
        policy: The settings; the defaults if left out.
        method: The HTTP method as it came.
        record: Whether to record questions and answers, for `Decision.transcript`.

    Returns:
        The decision.

    Raises:
        CommitUnknownError: The host's commit raised, or returned something that is not a `Commit`.
        MisuseError: The host answered a look-up with an object that does not fit the question.
        InvalidError: There is no such operation.
        TypeError: An argument is of the wrong type, or the host lacks a method. Nothing was begun.
        Exception: The exception that the host raised during a look-up. Nothing was carried out, and the call can be decided
            again.
    """
    _franking.require_host(host)
    aside = _in_thread if size_of(body) > _franking.LONG else _at_once
    call = await aside(lambda: Call(operation, body, policy, method=method, record=record))
    # Whether the last step was a commit. What became of it is known after the next step.
    may_be_done = False
    while True:
        try:
            step = call.step()
        except InternalError as error:
            if may_be_done:
                raise CommitUnknownError(_franking.commit_unknown()) from error
            raise
        may_be_done = False
        match step:
            case AccountQuestion(key):
                account = await host.account(key)
                await aside(lambda: call.answer_account(account))  # noqa: B023 - it is awaited within the turn
            case Questions() as questions:
                facts = await host.facts(questions)
                # If the host has not kept the questions, the call need not be cloned for them.
                del questions, step
                await aside(lambda: call.answer_facts(facts))  # noqa: B023 - it is awaited within the turn
                del facts
            case Plan():
                del step
                # Recording writes down the whole plan. A cancellation before the plan reaches the host has carried nothing out.
                await _commit(call, await aside(call.begin_commit), host)
                may_be_done = True
            case Decision() as decision:
                return decision


async def _commit(call: Call, plan: Plan, host: AsyncHost) -> None:
    """The point of no return: once the host has the plan, any failure means that its result is unknown."""
    try:
        commit = await host.commit(plan)
        del plan
        # Answered in this thread, because nothing may come between the commit and its answer.
        call.answer_commit(commit)
    except Exception as error:
        decision = _decision_of(call)
        if isinstance(error, CommitUnknownError) and _takes(error, decision):
            raise
        raise CommitUnknownError(_franking.commit_unknown(), decision) from error
    except BaseException as error:
        _add_note(error)
        raise


def _takes(error: CommitUnknownError, decision: Decision | None) -> bool:
    """Gives an exception its decision. A class of the host's may take none."""
    try:
        error.decision = decision
    except Exception:  # noqa: BLE001 - what a class of the host's raises is not known
        return False
    return True


def _add_note(error: BaseException) -> None:
    """Says beside an exception that the result is unknown. A class of the host's may refuse notes."""
    try:
        error.add_note(_franking.commit_unknown())
    except Exception:  # noqa: BLE001 - what a class of the host's raises is not known
        return


def _decision_of(call: Call) -> Decision | None:
    """The decision of a call that has ended. A fault of the library while it is read must not hide that its result is
    unknown."""
    try:
        return call.decision
    except InternalError:
        return None


async def _in_thread(work: Callable[[], Result]) -> Result:
    # A library that is not loaded cannot be running, so it need not be imported.
    trio, asyncio = sys.modules.get("trio"), sys.modules.get("asyncio")
    if trio is not None and _is_running(trio.lowlevel.current_task):
        result: Result = await trio.to_thread.run_sync(work)
        return result
    if asyncio is not None and _is_running(asyncio.get_running_loop):
        result = await asyncio.to_thread(work)
        return result
    # Another library runs the coroutine. How to start its threads is not known here.
    return work()


def _is_running(running: Callable[[], object]) -> bool:
    try:
        running()
    except RuntimeError:
        return False
    return True


async def _at_once(work: Callable[[], Result]) -> Result:
    return work()
