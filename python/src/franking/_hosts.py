"""What a host answers, and the shape of a host."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias

from ._errors import CommitUnknownError
from ._franking import (
    Account,
    Call,
    Commit,
    Decision,
    Done,
    Facts,
    LookedUp,
    Plan,
    Policy,
    Questions,
    commit_unknown,
)

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._enums import Conflict, Operation, Role

    Body: TypeAlias = bytes | bytearray | memoryview | str | Buffer
    """What a call's body may be."""
else:
    Body = bytes | bytearray | memoryview | str

__all__ = [
    "AccountRecord",
    "AsyncHost",
    "Body",
    "Findings",
    "Host",
    "MailerRecord",
    "Step",
    "SubscriberRecord",
    "adecide",
]

Step: TypeAlias = Account | Facts | Commit | Done
"""What a call waits for, for `match`."""


class AccountRecord(NamedTuple):
    """What the host knows of an account."""

    blocked: bool = False
    """Sending is blocked: code 404."""
    expired: bool = False
    """The account has expired: code 405."""
    deactivated: bool = False
    """The account is deactivated: code 448."""
    subscriber_credit: int | None = None
    """How many subscribers may still be created (code 444); `None` for no limit."""
    email_credit: int | None = None
    """How many emails may still be sent (code 445); `None` for no limit."""


class MailerRecord(NamedTuple):
    """What the host knows of a stored email."""

    from_address: str
    """The assigned sender address, which stands in for `from`. A call that asks about a sender does not use it: there it
    may be empty."""
    from_name: str | None
    """The assigned sender name, which stands in for `fromName`."""
    blacklisted: bool | None
    """Whether the address's domain, or a parent of it, is on the blacklist for senders. `None` leaves that to
    `Blacklists`; unsaid, it is a misuse, unless the call has a `from` of its own."""

    def __repr__(self) -> str:
        return "<MailerRecord>"


class SubscriberRecord(NamedTuple):
    """What the host knows of a subscriber."""

    id: int
    """1 to 2**63 - 1."""
    email: str
    """The stored address, to which sendMailer's email goes. On httpSendMail it may be empty."""
    inactive: bool
    """The subscriber is INACTIVE: code 443."""
    blacklisted: bool | None
    """Whether the stored address's domain, or a parent of it, is on the blacklist for recipients. `None` leaves that to
    `Blacklists`; unsaid, it is a misuse on sendMailer. httpSendMail is judged by the addresses as sent."""

    def __repr__(self) -> str:
        return f"<SubscriberRecord {self.id}>"


class Findings(NamedTuple):
    """What the host has found about `Questions`: for each of their columns one that is as long, in the same order.

    What does not exist is `None`, or `False`. Rows of a database do for the records as they are, if they are tuples
    with the same columns; 0 and 1 do for flags. A host that could not look does not answer: it raises.
    """

    mailers: Sequence[MailerRecord | tuple[str, str | None, bool | None] | None] = ()
    """The stored emails."""
    senders: Sequence[bool] = ()
    """Whether each address is that of an active sender of the account."""
    subscriber_ids: Sequence[SubscriberRecord | tuple[int, str, bool, bool | None] | None] = ()
    """The subscribers with these ids."""
    subscribers: Sequence[SubscriberRecord | tuple[int, str, bool, bool | None] | None] = ()
    """The subscribers with these addresses."""
    lists: Sequence[bool] = ()
    """Whether each list exists."""
    domains: Sequence[Collection[Role]] = ()
    """The roles for which each domain is on a blacklist; `Blacklists.answer` fills this column."""

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(column)} {name}" for name, column in zip(self._fields, self, strict=True))
        return f"<Findings of {counts}>"


class Host(Protocol):
    """A program that embeds the library: it owns the database, the clock and the transport."""

    def account(self, key: str, /) -> AccountRecord | None:
        """The account with this key, which is a secret; `None` when there is none."""
        ...

    def facts(self, questions: Questions, /) -> Findings | LookedUp:
        """What is known of every member of every column of the questions."""
        ...

    def commit(self, plan: Plan, /) -> int | Conflict | Literal["unknown"]:
        """Carries the plan out in one transaction and gives its id (1 to 2**53 - 1), or rolls back and says what
        stood in the way. Whoever cannot tell whether it was carried out says `unknown`, or raises."""
        ...


class AsyncHost(Protocol):
    """A `Host` that waits for its database."""

    async def account(self, key: str, /) -> AccountRecord | None:
        """See `Host.account`."""
        ...

    async def facts(self, questions: Questions, /) -> Findings | LookedUp:
        """See `Host.facts`."""
        ...

    async def commit(self, plan: Plan, /) -> int | Conflict | Literal["unknown"]:
        """See `Host.commit`."""
        ...


async def adecide(
    operation: Operation | str,
    body: Body,
    host: AsyncHost,
    policy: Policy | None = None,
    *,
    method: str = "POST",
) -> Decision:
    """Decides a call with a host that waits for its database; otherwise as `decide`.

    A task that is cancelled while the host carries out the plan does not know what came of it either.
    """
    call = Call(operation, body, policy, method=method)
    while True:
        match call.step():
            case Account(key):
                call.answer_account(await host.account(key))
            case Facts(questions):
                findings = await host.facts(questions)
                # Asked for no longer, it need not be kept apart from the call.
                del questions
                call.answer_facts(findings)
            case Commit():
                await _commit(call, host)
            case Done(decision):
                return decision


async def _commit(call: Call, host: AsyncHost) -> None:
    """The point of no return: once the plan is handed out, whatever fails says that it is not known what came of it."""
    plan = call.begin_commit()
    try:
        outcome = await host.commit(plan)
        del plan
        call.answer_commit(outcome)
    except CommitUnknownError:
        raise
    except Exception as error:
        raise CommitUnknownError(commit_unknown()) from error
