"""`adecide` lets the event loop run while it works on a large body. The tests observe the order of events,
not a clock."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from hosts import AsyncMemoryHost, http_send_mail, request, send_mailer

import franking
from franking import Account, Commit, Facts

LARGE = http_send_mail(*[request(to=f"n{n}@customer.example", body="a" * 2000) for n in range(100)])
SMALL = send_mailer()


class Watched(AsyncMemoryHost):
    """A host that never waits itself, so that only the driver determines how often the loop turns."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0
        self.seen: list[int] = []

    async def account(self, key: str, /) -> Account | None:
        self.seen.append(self.turns)
        return await super().account(key)

    async def facts(self, questions: franking.Questions, /) -> Facts:
        self.seen.append(self.turns)
        return await super().facts(questions)

    async def commit(self, plan: franking.Plan, /) -> Commit:
        self.seen.append(self.turns)
        return await super().commit(plan)


async def turns_of(operation: str, body: bytes, **settings: Any) -> list[int]:
    """The numbers of turns of the loop at the start of the call and at each of its questions."""
    host = Watched()

    async def turn() -> None:
        while True:
            host.turns += 1
            # clock: yields to the other tasks; the time does not matter
            await asyncio.sleep(0)

    turning = asyncio.create_task(turn())
    while not host.turns:
        # clock: yields to the other tasks; the time does not matter
        await asyncio.sleep(0)
    host.seen.append(host.turns)
    decision = await franking.adecide(operation, body, host, **settings)
    turning.cancel()
    assert decision.code == 200
    return host.seen


@pytest.mark.parametrize("record", [False, True])
def test_the_loop_turns_while_a_large_body_is_read_and_judged(record: bool) -> None:
    begun, account, facts, commit = asyncio.run(turns_of("httpSendMail", LARGE, record=record))
    assert begun < account < facts < commit


def test_a_small_body_is_decided_without_giving_way() -> None:
    assert len(set(asyncio.run(turns_of("sendMailer", SMALL)))) == 1


def test_the_host_of_a_large_body_is_asked_in_the_thread_of_the_loop() -> None:
    threads: set[int] = set()

    class Noting(Watched):
        async def commit(self, plan: franking.Plan, /) -> Commit:
            threads.add(threading.get_ident())
            return await super().commit(plan)

    async def decide() -> None:
        threads.add(threading.get_ident())
        assert (await franking.adecide("httpSendMail", LARGE, Noting())).code == 200

    asyncio.run(decide())
    assert len(threads) == 1


def test_a_task_that_is_cancelled_while_a_large_body_is_judged_carries_nothing_out() -> None:
    async def cancel(after: int) -> list[str]:
        events: list[str] = []

        class Noting(AsyncMemoryHost):
            async def account(self, key: str, /) -> Account | None:
                events.append("account")
                return await super().account(key)

            async def commit(self, plan: franking.Plan, /) -> Commit:
                events.append("commit")
                return await super().commit(plan)

        task = asyncio.create_task(franking.adecide("httpSendMail", LARGE, Noting()))
        while len(events) < after and not task.done():
            # clock: yields to the task; the time does not matter
            await asyncio.sleep(0)
        # The account is known, and the call is being judged.
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return events

    assert asyncio.run(cancel(1)) == ["account"]


def test_without_a_loop_of_asyncio_a_large_body_is_decided_at_once() -> None:
    """This is the case under another library, whose threads cannot be used."""
    coroutine = franking.adecide("httpSendMail", LARGE, AsyncMemoryHost())
    with pytest.raises(StopIteration) as ended:
        coroutine.send(None)
    assert ended.value.value.code == 200


def test_what_is_wrong_with_the_arguments_is_raised_whatever_the_size() -> None:
    for body in (SMALL, LARGE):
        with pytest.raises(franking.InvalidError, match="sendMailer"):
            asyncio.run(franking.adecide("sendmailer", body, AsyncMemoryHost()))
    with pytest.raises(TypeError, match="bytes"):
        asyncio.run(franking.adecide("sendMailer", 5, AsyncMemoryHost()))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
