"""A host that answers from a case's `world`, as a user of the package would write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import franking

FLAGS = ("blocked", "expired", "deactivated")
CREDITS = ("subscriber_credit", "email_credit")
ROLES = {"sender", "reply_to", "recipient", "content"}


class WorldError(Exception):
    """The world of a case has the wrong form."""


def needed(value: Any, kind: type) -> Any:
    """Returns a value that has to be of a type. A flag is not a number."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise WorldError(f"the world has a value that is no {kind.__name__}")
    return value


def optional(value: Any, kind: type) -> Any:
    """Like `needed`, but null stands for the empty value of the type."""
    return kind() if value is None else needed(value, kind)


def credit_of(value: Any) -> int | None:
    if value is not None and not -(2**63) <= needed(value, int) < 2**63:
        raise WorldError("a credit is a number of 64 bits")
    return value  # type: ignore[no-any-return]


def account_of(row: Any) -> franking.Account:
    row = needed(row, dict)
    blocked, expired, deactivated = (optional(row.get(name), bool) for name in FLAGS)
    subscriber_credit, email_credit = (credit_of(row.get(name)) for name in CREDITS)
    return franking.Account(blocked, expired, deactivated, subscriber_credit, email_credit)


def check_subscriber(row: Any) -> None:
    number = needed(needed(row, dict).get("id"), int)
    needed(row.get("email"), str)
    optional(row.get("inactive"), bool)
    if not 1 <= number < 2**63:
        raise WorldError("the id of a subscriber is a number from 1 to 2^63-1")


def check_mailer(row: Any) -> None:
    needed(needed(row, dict).get("from"), str)
    optional(row.get("from_name"), str)


def check_commit(entry: Any, operation: franking.Operation) -> None:
    entry = needed(entry, dict)
    if entry.get("conflict") is None and entry.get("fails") is True:
        return
    if entry.get("fails") is not None:
        raise WorldError("a commit fails, or reports a conflict")
    if (
        conflict_of(entry) is franking.Conflict.SUBSCRIBER_GONE
        and operation is franking.Operation.HTTP_SEND_MAIL
    ):
        raise WorldError("httpSendMail has no subscriber that could be gone")
    check(entry.get("change"), operation)


def check(world: Any, operation: franking.Operation) -> None:
    """Raises unless it is a world, and each change in it as well."""
    world = optional(world, dict)
    for row in optional(world.get("accounts"), dict).values():
        account_of(row)
    for row in optional(world.get("mailers"), dict).values():
        check_mailer(row)
    for text in [*optional(world.get("senders"), list), *optional(world.get("lists"), list)]:
        needed(text, str)
    for row in optional(world.get("subscribers"), list):
        check_subscriber(row)
    for role, names in optional(world.get("blacklists"), dict).items():
        if role not in ROLES:
            raise WorldError("there is no such role")
        franking.DomainSet(optional(names, list))
    if type(world.get("transaction_id")) not in (type(None), int, float):
        raise WorldError("transaction_id is not a number")
    for entry in optional(world.get("commits"), list):
        if entry is not None:
            check_commit(entry, operation)


class World:
    def __init__(self, world: Any, operation: franking.Operation) -> None:
        check(world, operation)
        self._world: dict[str, Any] = {}
        self._attempts = 0
        self._change(world)

    def _change(self, change: Mapping[str, Any] | None) -> None:
        """Takes over the given members, and makes the tables again."""
        self._world.update({name: value for name, value in (change or {}).items() if value is not None})
        world = self._world
        self._accounts = {key: account_of(row) for key, row in world.get("accounts", {}).items()}
        sets = {role: franking.DomainSet(names or []) for role, names in world.get("blacklists", {}).items()}
        self._blacklists = franking.Blacklists(**sets)
        self._senders = {key_of(address) for address in world.get("senders", [])} - {None}
        self._lists = set(world.get("lists", []))
        self._by_id: dict[int, franking.Subscriber] = {}
        self._by_key: dict[str, franking.Subscriber] = {}
        for row in world.get("subscribers", []):
            record = self._subscriber(row)
            self._by_id.setdefault(record.id, record)
            key = key_of(record.email)
            if key is not None:
                self._by_key.setdefault(key, record)

    def _mailer(self, number: int) -> franking.Mailer | None:
        row = self._world.get("mailers", {}).get(str(number))
        if row is None:
            return None
        return franking.Mailer(row["from"], row.get("from_name"), said(row["from"]))

    def _subscriber(self, row: Mapping[str, Any]) -> franking.Subscriber:
        email = row["email"]
        return franking.Subscriber(row["id"], email, row.get("inactive") or False, said(email))

    def account(self, key: str, /) -> franking.Account | None:
        return self._accounts.get(key)

    def facts(self, questions: franking.Questions, /) -> franking.Facts:
        facts = franking.Facts(
            mailers=[self._mailer(number) for number in questions.mailers],
            senders=[key in self._senders for key in questions.senders],
            subscriber_ids=[self._by_id.get(number) for number in questions.subscriber_ids],
            subscribers=[self._by_key.get(key) for key in questions.subscribers],
            lists=[name in self._lists for name in questions.lists],
        )
        return self._blacklists.answer(questions, facts)

    def commit(self, plan: franking.Plan, /) -> franking.Commit:
        commits = self._world.get("commits", [])
        entry = commits[self._attempts] if self._attempts < len(commits) else None
        self._attempts += 1
        if entry is None:
            number = self._world.get("transaction_id", 1)
            # Any number is passed on: the library judges whether it can be an id.
            return franking.Commit.done(number if isinstance(number, int) else 0)
        if entry.get("fails"):
            raise WorldError("the commit of the world fails")
        self._change(entry.get("change"))
        return franking.Commit.conflict(conflict_of(entry))


def conflict_of(entry: Mapping[str, Any]) -> franking.Conflict:
    """A world may write a hyphen for each underscore."""
    return franking.Conflict(needed(entry.get("conflict"), str).replace("-", "_"))


def said(email: str) -> bool | None:
    """Whether a stored address is listed: False for one that is not a mailbox; the blacklists answer for all others."""
    return False if key_of(email) is None else None


def key_of(email: str) -> str | None:
    try:
        return franking.Address.parse(email).match_key
    except franking.InvalidError:
        return None
