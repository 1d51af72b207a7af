"""A host that answers from a case's `world`, as a user of the package would write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import franking


class WorldError(Exception):
    """The world of a case is not of its form."""


class World:
    def __init__(self, world: Mapping[str, Any], operation: franking.Operation) -> None:
        if not isinstance(world, dict):
            raise WorldError("world has to be an object")
        self._world = dict(world)
        self._commits = [read_commit(entry, operation) for entry in world.get("commits", [])]
        self._index()

    def _index(self) -> None:
        """Makes the tables from the world."""
        world = self._world
        self._accounts = {
            key: franking.AccountRecord(**row) for key, row in world.get("accounts", {}).items()
        }
        self._blacklists = {
            role: franking.DomainSet(names) for role, names in world.get("blacklists", {}).items()
        }
        self._mailers = {int(number): self._mailer(row) for number, row in world.get("mailers", {}).items()}
        self._senders = {key_of(address) for address in world.get("senders", [])}
        self._lists = set(world.get("lists", []))
        self._by_id: dict[int, franking.SubscriberRecord] = {}
        self._by_key: dict[str, franking.SubscriberRecord] = {}
        for row in world.get("subscribers", []):
            record = self._subscriber(row)
            self._by_id.setdefault(record.id, record)
            self._by_key.setdefault(key_of(record.email), record)

    def _mailer(self, row: Mapping[str, Any]) -> franking.MailerRecord:
        return franking.MailerRecord(
            row["from"], row.get("from_name"), self._is_listed(row["from"], "sender")
        )

    def _subscriber(self, row: Mapping[str, Any]) -> franking.SubscriberRecord:
        is_listed = self._is_listed(row["email"], "recipient")
        return franking.SubscriberRecord(row["id"], row["email"], row.get("inactive", False), is_listed)

    def _is_listed(self, email: str, role: str) -> bool:
        blacklist = self._blacklists.get(role)
        address = franking.parse_address(email)
        if blacklist is None or not address:
            return False
        return blacklist.listed(address.domain) is not None

    def account(self, key: str, /) -> franking.AccountRecord | None:
        return self._accounts.get(key)

    def facts(self, questions: franking.Questions, /) -> franking.Findings:
        return franking.Findings(
            mailers=[self._mailers.get(number) for number in questions.mailers],
            senders=[key in self._senders for key in questions.senders],
            subscriber_ids=[self._by_id.get(number) for number in questions.subscriber_ids],
            subscribers=[self._by_key.get(key) for key in questions.subscribers],
            lists=[name in self._lists for name in questions.lists],
            domains=questions.listed(**self._blacklists),
        )

    def commit(self, plan: franking.Plan, /) -> int | franking.Conflict:
        conflict, change = self._commits.pop(0) if self._commits else (None, {})
        if conflict is None:
            return self._world.get("transaction_id", 1)  # type: ignore[no-any-return]
        self._world.update(change)
        self._index()
        return conflict


def read_commit(
    entry: Mapping[str, Any] | None, operation: franking.Operation
) -> tuple[franking.Conflict | None, Mapping[str, Any]]:
    if entry is None:
        return None, {}
    conflict = franking.Conflict(entry["conflict"])
    if conflict is franking.Conflict.SUBSCRIBER_GONE and operation is franking.Operation.HTTP_SEND_MAIL:
        raise WorldError("httpSendMail has no subscriber that could be gone")
    return conflict, entry.get("change", {})


def key_of(email: str) -> str:
    address = franking.parse_address(email)
    if not address:
        raise WorldError(address.reason)
    return address.key
