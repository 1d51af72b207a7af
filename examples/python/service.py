"""A service with Starlette, SQLite through SQLAlchemy, and an SMTP server for delivery.

    uvicorn --factory service:from_environment

The tables are made when it starts. You fill in accounts, senders, lists and stored emails, and call `deliver` every few
seconds from a program of your own.

The plan of a call is carried out in one transaction, which also writes the emails to an outbox; what the database
finds changed meanwhile is a conflict, and the call is judged again. `deliver` sends the emails of the outbox.

HTTP status 503 with `Retry-After` invites to send a call again: it is answered only where nothing was carried out.
"""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.headerregistry import Address as HeaderAddress
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import islice
from typing import Any, TypeVar

import aiosmtplib
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

import franking
from franking import Account, Commit, Conflict, Facts, Mailer, Subscriber

logger = logging.getLogger(__name__)
metadata = sa.MetaData()

accounts = sa.Table(
    "accounts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("key", sa.String, unique=True, nullable=False),
    sa.Column("blocked", sa.Boolean, nullable=False, default=False),
    sa.Column("expired", sa.Boolean, nullable=False, default=False),
    sa.Column("deactivated", sa.Boolean, nullable=False, default=False),
    # NULL: no limit.
    sa.Column("subscriber_credit", sa.Integer),
    sa.Column("email_credit", sa.Integer),
)
senders = sa.Table(
    "senders",
    metadata,
    sa.Column("account", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("key", sa.String, primary_key=True),
)
mailers = sa.Table(
    "mailers",
    metadata,
    sa.Column("account", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("from_address", sa.String, nullable=False),
    sa.Column("from_name", sa.String),
    sa.Column("subject", sa.String, nullable=False),
    sa.Column("html", sa.String, nullable=False),
)
lists = sa.Table(
    "lists",
    metadata,
    sa.Column("account", sa.ForeignKey("accounts.id"), primary_key=True),
    sa.Column("name", sa.String, primary_key=True),
)
subscribers = sa.Table(
    "subscribers",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("account", sa.ForeignKey("accounts.id"), nullable=False),
    # Two addresses with the same match key are the same mailbox, so the key is unique. The address is stored as it was sent.
    sa.Column("key", sa.String, nullable=False),
    sa.Column("email", sa.String, nullable=False),
    sa.Column("inactive", sa.Boolean, nullable=False, default=False),
    sa.Column("fields", sa.JSON, nullable=False, default=dict),
    sa.UniqueConstraint("account", "key"),
)
members = sa.Table(
    "members",
    metadata,
    sa.Column("subscriber", sa.ForeignKey("subscribers.id"), primary_key=True),
    sa.Column("list", sa.String, primary_key=True),
)
calls = sa.Table(
    "calls",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("account", sa.ForeignKey("accounts.id"), nullable=False),
)
outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("call", sa.ForeignKey("calls.id"), nullable=False),
    sa.Column("recipient", sa.String, nullable=False),
    sa.Column("from_address", sa.String, nullable=False),
    sa.Column("from_name", sa.String),
    sa.Column("reply_to", sa.String),
    sa.Column("subject", sa.String, nullable=False),
    sa.Column("html", sa.String, nullable=False),
    # The SMTP server's reply code if it has refused the email for good; otherwise NULL.
    sa.Column("refused", sa.Integer),
)

# The number of bytes of a body that are read: a little more than the largest one that can be accepted.
MOST_BYTES = 34_000_000
# The number of values in one statement. SQLite takes at most 32,766.
CHUNK = 10_000
Item = TypeVar("Item")


def chunks(items: Iterable[Item]) -> Iterator[list[Item]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


class Rollback(Exception):
    """The plan cannot be carried out, because of the conflict."""

    def __init__(self, conflict: Conflict) -> None:
        super().__init__(conflict)
        self.conflict = conflict


@dataclass
class DatabaseHost:
    """A host for one call: it remembers the account of the call."""

    engine: AsyncEngine
    blacklists: franking.Blacklists
    account_id: int | None = None

    # Look-ups.

    async def account(self, key: str, /) -> Account | None:
        columns = accounts.c
        query = sa.select(
            columns.id,
            columns.blocked,
            columns.expired,
            columns.deactivated,
            columns.subscriber_credit,
            columns.email_credit,
        ).where(columns.key == key)
        async with self.engine.connect() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        self.account_id = row[0]
        return Account(*row[1:])

    async def facts(self, questions: franking.Questions, /) -> franking.Facts:
        async with self.engine.connect() as connection:
            by_id = await self._subscribers(connection, subscribers.c.id, questions.subscriber_ids)
            by_key = await self._subscribers(connection, subscribers.c.key, questions.subscribers)
            known_senders = await self._known(connection, senders.c.key, senders, questions.senders)
            known_lists = await self._known(connection, lists.c.name, lists, questions.lists)
            known_mailers = await self._mailers(connection, questions.mailers)
        facts = Facts(
            mailers=[known_mailers.get(number) for number in questions.mailers],
            senders=[key in known_senders for key in questions.senders],
            subscriber_ids=[by_id.get(number) for number in questions.subscriber_ids],
            subscribers=[by_key.get(key) for key in questions.subscribers],
            lists=[name in known_lists for name in questions.lists],
        )
        return self.blacklists.answer(questions, facts)

    async def _subscribers(
        self, connection: AsyncConnection, column: sa.Column[Any], wanted: Sequence[Any]
    ) -> dict[Any, Subscriber]:
        found: dict[Any, Subscriber] = {}
        for chunk in chunks(wanted):
            query = sa.select(column, subscribers.c.id, subscribers.c.email, subscribers.c.inactive)
            query = query.where(subscribers.c.account == self.account_id, column.in_(chunk))
            for value, number, email, inactive in await connection.execute(query):
                found[value] = Subscriber(number, email, inactive, blacklisted=None)
        return found

    async def _mailers(self, connection: AsyncConnection, wanted: Sequence[int]) -> dict[int, Mailer]:
        query = sa.select(mailers.c.id, mailers.c.from_address, mailers.c.from_name)
        query = query.where(mailers.c.account == self.account_id, mailers.c.id.in_(wanted))
        rows = await connection.execute(query)
        return {number: Mailer(address, name, blacklisted=None) for number, address, name in rows}

    async def _known(
        self, connection: AsyncConnection, column: sa.Column[str], table: sa.Table, wanted: Sequence[str]
    ) -> set[str]:
        known: set[str] = set()
        for chunk in chunks(wanted):
            query = sa.select(column).where(table.c.account == self.account_id, column.in_(chunk))
            known.update(await connection.scalars(query))
        return known

    # The plan.

    async def commit(self, plan: franking.Plan, /) -> Commit:
        try:
            async with self.engine.begin() as connection:
                number = await self._carry_out(connection, plan)
        except Rollback as rollback:
            return Commit.conflict(rollback.conflict)
        return Commit.done(number)

    async def _carry_out(self, connection: AsyncConnection, plan: franking.Plan) -> int:
        await self._debit(connection, "email_credit", plan.debit.email, Conflict.EMAIL_CREDIT)
        await self._debit(connection, "subscriber_credit", plan.debit.subscriber, Conflict.SUBSCRIBER_CREDIT)
        for message in plan.messages:
            await self._refuse_changed(connection, message)
        for new in plan.create:
            await self._create(connection, new)
        for update in plan.update:
            await self._update(connection, update)
        for chunk in chunks(plan.enlist):
            rows = [{"subscriber": number, "list": plan.API_LIST} for number in chunk]
            await connection.execute(sa.insert(members).prefix_with("OR IGNORE"), rows)
        inserted = await connection.execute(sa.insert(calls).values(account=self.account_id))
        (call,) = inserted.inserted_primary_key or (0,)
        for message in plan.messages:
            await self._send(connection, call, message)
        return int(call)

    async def _debit(self, connection: AsyncConnection, name: str, amount: int, conflict: Conflict) -> None:
        credit = accounts.c[name]
        enough = sa.or_(credit.is_(None), credit >= amount)
        update = sa.update(accounts).where(accounts.c.id == self.account_id, enough)
        changed = await connection.execute(update.values({name: credit - amount}))
        if amount and changed.rowcount == 0:
            raise Rollback(conflict)

    async def _create(self, connection: AsyncConnection, new: franking.NewSubscriber) -> None:
        insert = sa.insert(subscribers).values(
            account=self.account_id, key=new.match_key, email=new.email, inactive=False, fields=new.fields
        )
        try:
            inserted = await connection.execute(insert)
        except IntegrityError:
            raise Rollback(Conflict.SUBSCRIBER_EXISTS) from None
        (number,) = inserted.inserted_primary_key or (0,)
        await connection.execute(sa.insert(members).values(subscriber=number, list=new.list))

    async def _update(self, connection: AsyncConnection, update: franking.Update) -> None:
        query = sa.select(subscribers.c.fields).where(subscribers.c.id == update.id)
        stored = (await connection.execute(query)).one_or_none()
        if stored is None:
            raise Rollback(Conflict.SUBSCRIBER_GONE)
        fields = {**stored[0], **update.fields}
        await connection.execute(
            sa.update(subscribers).where(subscribers.c.id == update.id).values(fields=fields)
        )

    async def _refuse_changed(self, connection: AsyncConnection, message: franking.Message) -> None:
        """Checks that all subscribers among the recipients still exist and are active."""
        is_stored = message.mailer is not None
        for chunk in chunks({number for number in message.subscribers if number is not None}):
            query = sa.select(subscribers.c.inactive).where(subscribers.c.id.in_(chunk))
            inactive = (await connection.scalars(query)).all()
            if any(inactive):
                raise Rollback(Conflict.SUBSCRIBER_INACTIVE)
            if len(inactive) < len(chunk):
                # Only sendMailer has a code for that. On the other operation, the next attempt creates a new subscriber.
                raise Rollback(Conflict.SUBSCRIBER_GONE if is_stored else Conflict.OTHER)

    async def _send(self, connection: AsyncConnection, call: int, message: franking.Message) -> None:
        subject, html = message.subject, message.html
        if message.mailer is not None:
            query = sa.select(mailers.c.subject, mailers.c.html)
            query = query.where(mailers.c.account == self.account_id, mailers.c.id == message.mailer)
            subject, html = (await connection.execute(query)).one()
        common = {
            "call": call,
            "from_address": message.from_address,
            "from_name": message.from_name,
            "reply_to": message.reply_to,
            "subject": subject,
            "html": html,
        }
        for chunk in chunks(message.recipients):
            rows = [{**common, "recipient": recipient.to} for recipient in chunk]
            await connection.execute(sa.insert(outbox), rows)


def connect(url: str) -> AsyncEngine:
    """An engine whose transactions take SQLite's write lock when they begin to write, and wait for it."""
    # Errors of the database are logged without the values, which are addresses and names.
    engine = create_async_engine(url, connect_args={"timeout": 30}, hide_parameters=True)

    @event.listens_for(engine.sync_engine, "connect")
    def _connected(connection: Any, _record: object) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")

    return engine


# Delivering.


def to_email(row: sa.Row[Any]) -> EmailMessage:
    """Makes the email of a row of the outbox. Texts of a plan may contain any character: the email package encodes them."""
    email = EmailMessage()
    local_part, _, domain = row.from_address.rpartition("@")
    name = "".join(character for character in row.from_name or "" if character.isprintable())
    email["From"] = HeaderAddress(name, local_part, domain)
    email["To"] = row.recipient
    email["Subject"] = row.subject
    email["Message-ID"] = make_msgid(f"outbox-{row.id}", domain=domain)
    if row.reply_to:
        email["Reply-To"] = row.reply_to
    email.set_content(row.html, subtype="html")
    return email


async def deliver(engine: AsyncEngine, host: str, port: int) -> int:
    """Sends the emails of the outbox to an SMTP server, each separately. Returns the number of emails that were sent.

    An email is removed after it was sent. If the program ends between the two, the next run sends this email again. An
    email that the server refuses for now is sent by a later run, and one that it refuses for good is not tried again.
    """
    delivered = 0
    waiting = sa.select(outbox).where(outbox.c.refused.is_(None)).order_by(outbox.c.id)
    async with engine.connect() as connection:
        rows = (await connection.execute(waiting)).all()
    if not rows:
        return 0
    async with aiosmtplib.SMTP(hostname=host, port=port) as smtp:
        for row in rows:
            end: sa.Delete | sa.Update = sa.delete(outbox)
            try:
                # Each email has one recipient, so that recipients do not see each other.
                await smtp.send_message(to_email(row), recipients=[row.recipient])
            except (aiosmtplib.SMTPRecipientsRefused, aiosmtplib.SMTPResponseException) as error:
                refused = (
                    error.recipients[0] if isinstance(error, aiosmtplib.SMTPRecipientsRefused) else error
                )
                code = refused.code
                logger.warning("the SMTP server has refused email %d with code %d", row.id, code)
                # It may refuse a sender because of its settings or yours, so that email is sent again.
                if code < 500 or isinstance(error, aiosmtplib.SMTPSenderRefused):
                    continue
                end = sa.update(outbox).values(refused=code)
            else:
                delivered += 1
            async with engine.begin() as connection:
                await connection.execute(end.where(outbox.c.id == row.id))
    return delivered


# The application.


def respond(answer: franking.HttpAnswer) -> Response:
    return Response(answer.body, answer.status, answer.headers)


def application(
    engine: AsyncEngine, blacklists: franking.Blacklists, policy: franking.Policy | None = None
) -> Starlette:
    async def call(request: Request) -> Response:
        found = franking.route(request.method, request.url.path)
        if found is None:
            return PlainTextResponse("not found", 404)
        _route, operation = found
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                return respond(franking.http_answer(operation, franking.Undecided.TOO_LARGE, policy))
        host = DatabaseHost(engine, blacklists)
        try:
            decision = await franking.adecide(operation, bytes(body), host, policy, method=request.method)
        except Exception as error:
            logger.exception("a call of account %s was not decided", host.account_id)
            return respond(franking.http_answer(operation, error, policy))
        return respond(decision.http())

    @asynccontextmanager
    async def lifespan(_application: Starlette) -> AsyncGenerator[None]:
        async with engine.begin() as connection:
            await connection.run_sync(metadata.create_all)
        yield
        await engine.dispose()

    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return Starlette(routes=[Route("/{path:path}", call, methods=methods)], lifespan=lifespan)


def from_environment() -> Starlette:
    url = os.environ.get("DATABASE_URL", "sqlite+aiosqlite:///service.db")
    return application(connect(url), franking.Blacklists())
