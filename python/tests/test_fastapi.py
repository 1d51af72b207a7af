"""A host under FastAPI, with clients that hang up, and clients that send again whenever the answer invites
them to. Nothing is sent twice."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from failing import ORDINARY, SAID, DatabaseError, Failing, returning
from fastapi import FastAPI, Request, Response
from hosts import AsyncMemoryHost, send_mailer

import franking
from franking import Account, Commit, Conflict

BODY = send_mailer()


def application(decide: Callable[[Request, bytes], Awaitable[franking.Decision]]) -> FastAPI:
    app = FastAPI()

    @app.post("/v4/sendMailer")
    async def call(request: Request) -> Response:
        try:
            answer = (await decide(request, await request.body())).http()
        except Exception as error:  # noqa: BLE001 - the library knows what each means
            answer = franking.http_answer("sendMailer", error)
        return Response(answer.body, answer.status, answer.headers)

    return app


async def post_until_answered(app: FastAPI, tries: int = 4) -> list[int]:
    """The statuses of a client who sends again as often as the answer has `Retry-After`."""
    statuses: list[int] = []
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://host.test") as http:
        for _ in range(tries):
            response = await http.post("/v4/sendMailer", content=BODY)
            statuses.append(response.status_code)
            if "Retry-After" not in response.headers:
                break
    return statuses


def served(host: Failing) -> FastAPI:
    async def decide(_request: Request, body: bytes) -> franking.Decision:
        return await franking.adecide("sendMailer", body, AsyncMemoryHost(host))

    return application(decide)


@pytest.mark.parametrize("point", [*ORDINARY, *SAID])
def test_a_client_who_sends_again_where_he_is_invited_has_nothing_sent_twice(point: str) -> None:
    host = Failing(ORDINARY[point] if point in ORDINARY else returning(SAID[point][0]))
    statuses = asyncio.run(post_until_answered(served(host)))
    assert statuses == [503]
    assert len(host.sent) == (0 if point == "raises before" else 1)


def test_where_nothing_was_carried_out_the_client_is_invited_and_it_is_sent_once() -> None:
    class Down(Failing):
        failures = 2

        def account(self, key: str, /) -> Account | None:
            self.failures -= 1
            if self.failures >= 0:
                raise DatabaseError
            return super().account(key)

    host = Down(returning(Commit.done(5)))
    assert asyncio.run(post_until_answered(served(host))) == [503, 503, 200]
    assert len(host.sent) == 1

    class Conflicting(Failing):
        conflicts = 3

        def commit(self, plan: franking.Plan, /) -> Any:
            self.conflicts -= 1
            return Commit.conflict(Conflict.OTHER) if self.conflicts >= 0 else super().commit(plan)

    conflicting = Conflicting(returning(Commit.done(5)))
    assert asyncio.run(post_until_answered(served(conflicting))) == [503, 200]
    assert len(conflicting.sent) == 1


class Slow(AsyncMemoryHost):
    """A host that waits at one of four points of its commit. Between the second and the third it sends."""

    def __init__(self, point: int) -> None:
        super().__init__()
        self.point = point
        self.sent: list[str] = []
        self.committed = 0
        self.waiting = asyncio.Event()

    async def commit(self, plan: franking.Plan, /) -> Commit:
        self.committed += 1
        for point in range(4):
            if point == 2:
                self.sent.extend(plan.messages[0].addresses)
            if point == self.point:
                self.waiting.set()
                # clock: waits until it is cancelled, which comes much earlier
                await asyncio.sleep(60)
        return Commit.done(1)


async def hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def serving(app: FastAPI) -> AsyncGenerator[int]:
    """The port of a server that only this machine can reach."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        task = asyncio.create_task(server.serve(sockets=[listening]))
        yield int(listening.getsockname()[1])
        server.should_exit = True
        await task


@pytest.mark.parametrize("point", range(4))
def test_a_client_that_hangs_up_while_commit_runs_cancels_the_task_and_nothing_is_sent_twice(
    point: int,
) -> None:
    async def test() -> None:
        host = Slow(point)
        ended = asyncio.Event()
        raised: list[BaseException] = []

        async def insist(body: bytes) -> franking.Decision:
            """Tries again unless the error is a `CommitUnknownError` or a cancellation."""
            for _ in range(3):
                try:
                    return await franking.adecide("sendMailer", body, host)
                except DatabaseError:
                    continue
            raise DatabaseError

        async def decide(request: Request, body: bytes) -> franking.Decision:
            work = asyncio.create_task(insist(body))
            gone = asyncio.create_task(hung_up(request))
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            for task in (work, gone):
                task.cancel()
            try:
                return await work
            except asyncio.CancelledError as error:
                raised.append(error)
                raise franking.CommitUnknownError from None
            finally:
                ended.set()

        async with serving(application(decide)) as port:
            _reader, writer = await asyncio.open_connection("127.0.0.1", port)
            head = f"POST /v4/sendMailer HTTP/1.1\r\nHost: host.test\r\nContent-Length: {len(BODY)}\r\n\r\n"
            writer.write(head.encode() + BODY)
            await host.waiting.wait()
            writer.close()
            # clock: ends a test that hangs
            await asyncio.wait_for(ended.wait(), 60)
        assert [type(error) for error in raised] == [asyncio.CancelledError]
        assert (host.committed, len(host.sent)) == (1, int(point >= 2))

    asyncio.run(test())


def test_a_timeout_around_a_decision_ends_the_call_too() -> None:
    async def test() -> None:
        host = Slow(3)
        with pytest.raises(TimeoutError) as raised:
            # clock: the caller gives up at some moment of the commit; the effects are counted
            async with asyncio.timeout(0.05):
                await franking.adecide("sendMailer", BODY, host)
        assert franking.http_answer("sendMailer", raised.value).headers == {}
        assert (host.committed, len(host.sent)) == (1, 1)

    asyncio.run(test())
