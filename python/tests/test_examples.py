"""The programs of `examples/python`, against a real database file and a real SMTP server."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import asynccontextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import httpx
import polars as pl
import pytest
import sqlalchemy as sa
from aiosmtpd.controller import Controller
from hosts import SENDER, http_send_mail, request, send_mailer

import franking

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))

import bulk
import client
import service


class Mailbox:
    """The messages that an SMTP server was given."""

    def __init__(self) -> None:
        self.emails: list[tuple[list[str], EmailMessage]] = []
        self.refused: dict[str, str] = {}

    async def handle_RCPT(
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: list[str]
    ) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        email = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(email, EmailMessage)
        self.emails.append((envelope.rcpt_tos, email))
        return "250 OK"


@pytest.fixture
def mailbox() -> Iterator[tuple[Mailbox, int]]:
    received = Mailbox()
    # The server takes the port beside this socket, which keeps other programs from it.
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        # clock: a server that does not start fails a test, however late
        controller = Controller(received, hostname="127.0.0.1", port=port, ready_timeout=60)
        controller.start()
        yield received, port
        controller.stop()


@asynccontextmanager
async def running(tmp_path: Path) -> AsyncGenerator[tuple[Any, httpx.AsyncClient]]:
    """(engine, HTTP client) of a service with one account."""
    engine = service.connect(f"sqlite+aiosqlite:///{tmp_path / 'service.db'}")
    blacklists = franking.Blacklists(franking.DomainSet(["spam.example"]))
    application = service.application(engine, blacklists)
    async with application.router.lifespan_context(application):
        async with engine.begin() as connection:
            rows: list[tuple[Any, dict[str, Any]]] = [
                (service.accounts, {"id": 1, "key": "key", "email_credit": 5, "subscriber_credit": 3}),
                (service.senders, {"account": 1, "key": SENDER}),
                (service.lists, {"account": 1, "name": "Known"}),
                (
                    service.mailers,
                    {
                        "account": 1,
                        "id": 42,
                        "from_address": "assigned@sender.example",
                        "from_name": "Shop",
                        "subject": "Stored",
                        "html": "<p>Stored",
                    },
                ),
                (
                    service.subscribers,
                    {
                        "id": 7,
                        "account": 1,
                        "key": "seven@customer.example",
                        "email": "Seven@customer.example",
                    },
                ),
            ]
            for table, row in rows:
                await connection.execute(sa.insert(table).values(**row))
        transport = httpx.ASGITransport(app=application)
        async with httpx.AsyncClient(transport=transport, base_url="http://service.test") as http:
            yield engine, http


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def test_the_service_carries_out_what_it_accepts_and_delivers_it(
    tmp_path: Path, mailbox: tuple[Mailbox, int]
) -> None:
    received, port = mailbox

    async def test() -> None:
        async with running(tmp_path) as (engine, http):
            body = http_send_mail(
                request(to="new@customer.example", cc="seven@customer.example", fromName="Jörg, Shop")
            )
            response = await http.post("/v4/httpSendMail", content=body)
            assert response.json() == {"code": "200", "status": "Success", "transactionId": "1"}
            assert response.headers["Sunset"] == "Tue, 30 Apr 2024 23:59:59 GMT"
            response = await http.post("/v4/sendMailer", content=send_mailer(firstName="Ada"))
            assert response.json()["transactionId"] == "2"
            async with engine.connect() as connection:
                account = (await connection.execute(sa.select(service.accounts))).one()
                assert (account.email_credit, account.subscriber_credit) == (2, 2)
                people = (await connection.execute(sa.select(service.subscribers))).all()
                assert {person.email: person.fields for person in people} == {
                    "Seven@customer.example": {"firstName": "Ada"},
                    "new@customer.example": {},
                }
                members = (await connection.execute(sa.select(service.members.c.list))).scalars().all()
                assert members == ["API_EMAILS", "API_EMAILS"]
            assert await service.deliver(engine, "127.0.0.1", port) == 3
            assert await service.deliver(engine, "127.0.0.1", port) == 0

    run(test())
    assert [to for to, _ in received.emails] == [
        ["new@customer.example"],
        ["seven@customer.example"],
        ["Seven@customer.example"],
    ]
    first, _, stored = (email for _, email in received.emails)
    assert first["From"] == '"Jörg, Shop" <news@sender.example>'
    assert first.get_content().strip() == "<p>Hi"
    assert (stored["Subject"], stored["From"]) == ("Stored", "Shop <assigned@sender.example>")


def test_an_email_that_the_smtp_server_refuses_does_not_hold_back_the_next(
    tmp_path: Path, mailbox: tuple[Mailbox, int]
) -> None:
    received, port = mailbox
    received.refused = {"gone@customer.example": "550 no such user", "full@customer.example": "452 full"}

    async def test() -> None:
        async with running(tmp_path) as (engine, http):
            for name in ("gone", "full", "new"):
                body = http_send_mail(request(to=f"{name}@customer.example"))
                assert (await http.post("/v4/httpSendMail", content=body)).json()["code"] == "200"
            assert await service.deliver(engine, "127.0.0.1", port) == 1
            assert [to for to, _ in received.emails] == [["new@customer.example"]]
            received.refused.clear()
            assert await service.deliver(engine, "127.0.0.1", port) == 1
            assert [to for to, _ in received.emails][1:] == [["full@customer.example"]]

    run(test())


def test_the_service_stops_reading_a_body_that_is_too_large(tmp_path: Path) -> None:
    read = 0

    async def endless() -> AsyncGenerator[bytes]:
        nonlocal read
        while True:
            read += 1 << 20
            yield bytes(1 << 20)

    async def test() -> None:
        async with running(tmp_path) as (_engine, http):
            response = await http.post("/v4/sendMailer", content=endless())
            assert response.status_code == 413

    run(test())
    assert service.MOST_BYTES < read <= service.MOST_BYTES + (2 << 20)


def test_the_service_refuses_and_changes_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        async with running(tmp_path) as (engine, http):
            refusals = {
                "403": http_send_mail(ApiKey="other"),
                "412": http_send_mail(request(to="bad")),
                "413": http_send_mail(request(body="<a href=//www.spam.example>")),
                "416": http_send_mail(request(to="a@x.spam.example")),
                "420": http_send_mail(request(**{"from": "other@sender.example"})),
                "444": http_send_mail(request(to="a@b.example,b@b.example,c@b.example,d@b.example")),
                "445": http_send_mail(*[request(to="seven@customer.example")] * 6),
                "475": b"{",
            }
            for code, body in refusals.items():
                response = await http.post("/mail/v4/httpSendMail.php", content=body)
                assert (response.status_code, response.json()["code"]) == (200, code)
            assert (await http.get("/v4/sendMailer")).json()["code"] == "401"
            assert (await http.post("/other")).status_code == 404
            async with engine.connect() as connection:
                for table in (service.calls, service.outbox, service.members):
                    assert (
                        await connection.execute(sa.select(sa.func.count()).select_from(table))
                    ).scalar() == 0

    run(test())


def test_calls_that_race_for_one_new_subscriber_both_succeed(tmp_path: Path) -> None:
    async def test() -> None:
        async with running(tmp_path) as (engine, http):
            body = send_mailer(subID=None, email="new@customer.example", listName="Known")
            answers = await asyncio.gather(*(http.post("/v4/sendMailer", content=body) for _ in range(4)))
            assert sorted(answer.json()["code"] for answer in answers) == ["200"] * 4
            async with engine.connect() as connection:
                count = sa.select(sa.func.count()).select_from(service.subscribers)
                assert (await connection.execute(count)).scalar() == 2
                assert (
                    await connection.execute(sa.select(service.accounts.c.subscriber_credit))
                ).scalar() == 2

    run(test())


def test_what_changes_between_question_and_commit_is_a_conflict(tmp_path: Path) -> None:
    """The test asks the host by hand, so that it can change the database in between."""

    async def conflict_after(change: Any, body: bytes, operation: str) -> franking.Commit:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        async with running(folder) as (engine, _http):
            host = service.DatabaseHost(engine, franking.Blacklists())
            call = franking.Call(operation, body)
            call.answer_account(await host.account("key"))
            step = call.step()
            assert isinstance(step, franking.Questions)
            call.answer_facts(await host.facts(step))
            step = call.step()
            assert isinstance(step, franking.Plan)
            async with engine.begin() as connection:
                await connection.execute(change)
            return await host.commit(step)

    async def test() -> None:
        update, people = sa.update(service.accounts), service.subscribers
        batch = http_send_mail(request(to="seven@customer.example,new@customer.example"))
        new = sa.insert(people).values(account=1, key="new@customer.example", email="new@customer.example")
        assert await conflict_after(
            update.values(email_credit=1), batch, "httpSendMail"
        ) == franking.Commit.conflict(franking.Conflict.EMAIL_CREDIT)
        assert await conflict_after(
            update.values(subscriber_credit=0), batch, "httpSendMail"
        ) == franking.Commit.conflict(franking.Conflict.SUBSCRIBER_CREDIT)
        assert await conflict_after(new, batch, "httpSendMail") == franking.Commit.conflict(
            franking.Conflict.SUBSCRIBER_EXISTS
        )
        inactive = sa.update(people).values(inactive=True)
        assert await conflict_after(inactive, batch, "httpSendMail") == franking.Commit.conflict(
            franking.Conflict.SUBSCRIBER_INACTIVE
        )
        named = send_mailer(firstName="Ada")
        assert await conflict_after(inactive, named, "sendMailer") == franking.Commit.conflict(
            franking.Conflict.SUBSCRIBER_INACTIVE
        )
        assert await conflict_after(sa.delete(people), named, "sendMailer") == franking.Commit.conflict(
            franking.Conflict.SUBSCRIBER_GONE
        )
        assert await conflict_after(
            sa.delete(people), send_mailer(), "sendMailer"
        ) == franking.Commit.conflict(franking.Conflict.SUBSCRIBER_GONE)
        assert await conflict_after(inactive, send_mailer(), "sendMailer") == franking.Commit.conflict(
            franking.Conflict.SUBSCRIBER_INACTIVE
        )
        assert await conflict_after(sa.delete(people), batch, "httpSendMail") == franking.Commit.conflict(
            franking.Conflict.OTHER
        )
        assert await conflict_after(
            update.values(email_credit=2), batch, "httpSendMail"
        ) == franking.Commit.done(1)

    run(test())


def test_a_request_that_is_cancelled_while_the_service_commits_is_carried_out_wholly_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cancels a request at different moments of the commit, as a server does when its client hangs up."""

    async def effects(engine: Any) -> list[int]:
        async with engine.connect() as connection:
            count = sa.select(sa.func.count())
            counted = [
                (await connection.execute(count.select_from(table))).scalar_one()
                for table in (service.calls, service.outbox, service.members)
            ]
            credit = (await connection.execute(sa.select(service.accounts.c.email_credit))).scalar_one()
        return [*counted, 5 - credit]

    async def test(steps: int) -> bool:
        folder = tmp_path / str(steps)
        folder.mkdir()
        committing = asyncio.Event()
        commit = service.DatabaseHost.commit

        async def watched(host: service.DatabaseHost, plan: franking.Plan, /) -> franking.Commit:
            committing.set()
            return await commit(host, plan)

        async with running(folder) as (engine, http):
            monkeypatch.setattr(service.DatabaseHost, "commit", watched)
            body = send_mailer(subID=None, email="new@customer.example", listName="Known")
            request = asyncio.create_task(http.post("/v4/sendMailer", content=body))
            await committing.wait()
            for _ in range(steps):
                # clock: another moment of the commit each time; the effects are counted at any of them
                await asyncio.sleep(0.0005)
            is_done = request.done()
            request.cancel()
            await asyncio.wait([request])
            monkeypatch.setattr(service.DatabaseHost, "commit", commit)
            found = await effects(engine)
            assert found in ([0, 0, 0, 0], [1, 1, 1, 1])
            # Without an answer, sending the call again is the decision of the caller.
            assert not is_done or found == [1, 1, 1, 1]
        return is_done

    steps = 0
    while not asyncio.run(test(steps)):
        steps += 1
    assert steps > 3


@pytest.mark.parametrize(
    ("lost", "invites"), [("accounts", True), ("mailers", True), ("calls", False), ("outbox", False)]
)
def test_the_service_invites_to_send_again_only_where_nothing_was_carried_out_and_logs_no_values(
    lost: str, invites: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The database fails at a look-up or during the commit, because a table is missing."""

    async def test() -> None:
        async with running(tmp_path) as (engine, http):
            async with engine.begin() as connection:
                await connection.execute(sa.text("PRAGMA foreign_keys = OFF"))
                await connection.execute(sa.text(f"DROP TABLE {lost}"))
            response = await http.post("/v4/sendMailer", content=send_mailer(firstName="Ada"))
            assert (response.status_code, "Retry-After" in response.headers) == (503, invites)
            async with engine.connect() as connection:
                fields = (await connection.execute(sa.select(service.subscribers.c.fields))).scalars().all()
                assert fields == [{}]

    run(test())
    assert f"no such table: {lost}" in caplog.text and "parameters hidden" in caplog.text
    assert "Ada" not in caplog.text and "customer.example" not in caplog.text


def test_the_service_answers_what_the_host_said_of_its_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with running(tmp_path) as (_engine, http):
            for outcome, status, invites in [
                (franking.Commit.conflict(franking.Conflict.OTHER), 503, True),
                (franking.Commit.unknown(), 503, False),
                (None, 503, False),
                (5, 503, False),
                (franking.Commit.done(0), 503, False),
                (franking.Commit.done(5), 200, False),
            ]:

                async def commit(_host: Any, _plan: franking.Plan, outcome: Any = outcome) -> Any:
                    return outcome

                monkeypatch.setattr(service.DatabaseHost, "commit", commit)
                response = await http.post("/v4/sendMailer", content=send_mailer())
                assert (response.status_code, "Retry-After" in response.headers) == (status, invites)

    run(test())


def test_the_client_posts_only_what_passes_and_reads_the_answers() -> None:
    posted: list[httpx.Request] = []

    def answer(http_request: httpx.Request) -> httpx.Response:
        posted.append(http_request)
        report = franking.preflight("httpSendMail", http_request.content)
        code = 442 if len(posted) == 1 else report.code
        return httpx.Response(200, json={"code": str(code), "status": "Success", "transactionId": "5"})

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        sender = client.Client(http, "https://service.test", "key")
        entry = {"subject": "s", "body": "<p>1+1", "to": "a@b.example", "from": "f@b.example"}
        results = sender.send([entry] * 1500)
        assert [sent.requests for sent in results] == [range(1000), range(1000, 1500)]
        assert [sent.may_help_again for sent in results] == [True, False]
        assert posted[0].url.path == "/v4/httpSendMail.php"
        with pytest.raises(client.NotSent, match="/requests/1/to"):
            sender.send([entry, {**entry, "to": "bad"}])
        with pytest.raises(client.NotSent):
            sender.send([{"subject": []}])
        assert len(posted) == 2


def test_bulk_checks_of_files(tmp_path: Path) -> None:
    bodies = [
        send_mailer().decode(),
        send_mailer(email="bad", subID=None, birthday="x").decode(),
        "{",
        None,
    ] * 500
    frame = pl.DataFrame({"number": range(len(bodies)), "body": bodies})
    for name in ("calls.ndjson", "calls.parquet"):
        source, target = tmp_path / name, tmp_path / f"{name}.found.parquet"
        (frame.write_parquet if name.endswith("parquet") else frame.write_ndjson)(source)
        bulk.main(source, target)
        found = pl.read_parquet(target).sort("number")
        assert found["number"].to_list() == list(range(len(bodies)))
        assert found.select("code", "rule", "pointer", "violations").rows()[:4] == [
            (200, None, None, 0),
            (412, "recipient-malformed", "/email", 2),
            (442, "body-not-json", "", 1),
            (None, None, None, None),
        ]
