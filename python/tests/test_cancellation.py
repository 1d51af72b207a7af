"""An event loop runs other tasks while a call is decided. A cancelled commit leaves a note: do not send again."""

from __future__ import annotations

import asyncio
import importlib.util
import math
import threading
from typing import Any

import pytest
from hosts import AsyncMemoryHost, MemoryHost, http_send_mail, request, send_mailer

import franking
from franking import Account, Commit, Facts

BODY = send_mailer(subID=None, email="new@customer.example")
NOTE = "before anything is sent again"


@pytest.mark.parametrize("error", [asyncio.CancelledError(), KeyboardInterrupt(), SystemExit(1)])
def test_what_leaves_a_commit_that_is_not_an_error_carries_a_note(error: BaseException) -> None:
    class Leaving(MemoryHost):
        def commit(self, plan: franking.Plan, /) -> Commit:
            raise error

    with pytest.raises(type(error)) as left:
        franking.decide("sendMailer", BODY, Leaving())
    assert left.value is error and any(NOTE in note for note in error.__notes__)


@pytest.mark.parametrize(
    "body", [BODY, send_mailer(subID=None, email="new@customer.example", x="a" * 100_000)]
)
def test_a_task_that_is_cancelled_in_its_commit_carries_a_note(body: bytes) -> None:
    async def cancel() -> BaseException:
        begun = asyncio.Event()

        class Waiting(AsyncMemoryHost):
            async def commit(self, plan: franking.Plan, /) -> Commit:
                begun.set()
                return await asyncio.Future[Commit]()

        task = asyncio.create_task(franking.adecide("sendMailer", body, Waiting()))
        await begun.wait()
        task.cancel()
        try:
            await task
        except asyncio.CancelledError as error:
            return error
        raise AssertionError("it was not cancelled")

    assert any(NOTE in note for note in asyncio.run(cancel()).__notes__)


def test_a_task_that_is_cancelled_in_a_look_up_carries_no_note() -> None:
    class Leaving(MemoryHost):
        def account(self, key: str, /) -> Account | None:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError) as left:
        franking.decide("sendMailer", BODY, Leaving())
    assert not hasattr(left.value, "__notes__")


LARGE = http_send_mail(*[request(to=f"n{n}@customer.example", body="a" * 2000) for n in range(100)])


def watched() -> tuple[Any, list[int], list[int]]:
    """A host, the number of turns of the loop, and that number at each call of a method of the host."""
    turns, seen = [0], []

    class Watched(AsyncMemoryHost):
        async def account(self, key: str, /) -> Account | None:
            seen.append(turns[0])
            return await super().account(key)

        async def facts(self, questions: franking.Questions, /) -> Facts:
            seen.append(turns[0])
            return await super().facts(questions)

        async def commit(self, plan: franking.Plan, /) -> Commit:
            seen.append(turns[0])
            assert threading.current_thread() is threading.main_thread()
            return await super().commit(plan)

    return Watched(), turns, seen


@pytest.mark.skipif(importlib.util.find_spec("trio") is None, reason="trio is not there")
def test_a_large_body_lets_the_loop_of_trio_turn() -> None:
    import trio

    host, turns, seen = watched()

    async def turn() -> None:
        while True:
            turns[0] += 1
            await trio.lowlevel.checkpoint()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(turn)
            await trio.lowlevel.checkpoint()
            seen.append(turns[0])
            assert (await franking.adecide("httpSendMail", LARGE, host)).code == 200
            nursery.cancel_scope.cancel()

    trio.run(main)
    begun, account, facts, commit = seen
    assert begun < account < facts < commit


@pytest.mark.skipif(importlib.util.find_spec("anyio") is None, reason="anyio is not there")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_commit_that_anyio_or_trio_ends_does_not_invite_to_send_again(backend: str) -> None:
    if importlib.util.find_spec(backend) is None:
        pytest.skip(f"{backend} is not there")
    import anyio

    class Hangs(AsyncMemoryHost):
        scope: Any = None

        async def commit(self, plan: franking.Plan, /) -> franking.Commit:
            # The caller's time is over while the host carries out the plan.
            self.scope.deadline = -math.inf
            await anyio.sleep_forever()
            raise AssertionError

    fail_after: list[tuple[Any, type[Exception]]] = [(anyio.fail_after, TimeoutError)]
    if backend == "trio":
        import trio

        fail_after.append((trio.fail_after, trio.TooSlowError))

    async def main() -> None:
        for ends, gives_up in fail_after:
            host = Hangs()
            with pytest.raises(gives_up) as raised, ends(math.inf) as host.scope:
                await franking.adecide("sendMailer", send_mailer(), host)
            said = franking.http_answer("sendMailer", raised.value)
            assert (said.status, said.headers) == (503, {})

    anyio.run(main, backend=backend)


@pytest.mark.skipif(importlib.util.find_spec("anyio") is None, reason="anyio is not there")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_large_body_lets_the_loop_of_anyio_turn(backend: str) -> None:
    if importlib.util.find_spec(backend) is None:
        pytest.skip(f"{backend} is not there")
    import anyio
    import anyio.lowlevel

    host, turns, seen = watched()

    async def turn() -> None:
        while True:
            turns[0] += 1
            await anyio.lowlevel.checkpoint()

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(turn)
            await anyio.lowlevel.checkpoint()
            seen.append(turns[0])
            assert (await franking.adecide("httpSendMail", LARGE, host)).code == 200
            group.cancel_scope.cancel()

    anyio.run(main, backend=backend)
    begun, account, facts, commit = seen
    assert begun < account < facts < commit


@pytest.mark.skipif(importlib.util.find_spec("trio") is None, reason="trio is not there")
def test_a_task_of_trio_that_is_cancelled_in_its_commit_carries_a_note() -> None:
    import trio

    notes: list[str] = []

    async def main() -> None:
        with trio.CancelScope() as scope:

            class Waiting(AsyncMemoryHost):
                async def commit(self, plan: franking.Plan, /) -> Commit:
                    scope.cancel()
                    await trio.lowlevel.checkpoint()
                    raise AssertionError("it was not cancelled")

            try:
                await franking.adecide("sendMailer", BODY, Waiting())
            except trio.Cancelled as error:
                notes.extend(error.__notes__)
                raise

    trio.run(main)
    assert any(NOTE in note for note in notes)
