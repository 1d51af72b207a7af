"""A host over dicts, and calls for it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import franking
from franking import Account, Blacklists, Commit, DomainSet, Facts, Mailer, Subscriber

SENDER = "news@sender.example"
SEVEN = Subscriber(7, "seven@customer.example", False, None)


@dataclass
class MemoryHost:
    accounts: dict[str, Account] = field(default_factory=lambda: {"key": Account()})
    mailers: dict[int, Mailer] = field(
        default_factory=lambda: {42: Mailer("assigned@sender.example", "Shop", None)}
    )
    senders: set[str] = field(default_factory=lambda: {SENDER})
    by_id: dict[int, Subscriber] = field(default_factory=lambda: {7: SEVEN})
    by_key: dict[str, Subscriber] = field(default_factory=lambda: {"seven@customer.example": SEVEN})
    lists: set[str] = field(default_factory=lambda: {"Known"})
    blacklists: Blacklists = field(default_factory=lambda: Blacklists(DomainSet(["spam.example"])))
    commits: list[Commit] = field(default_factory=list)

    def account(self, key: str, /) -> Account | None:
        return self.accounts.get(key)

    def facts(self, questions: franking.Questions, /) -> Facts:
        found = Facts(
            mailers=[self.mailers.get(number) for number in questions.mailers],
            senders=[key in self.senders for key in questions.senders],
            subscriber_ids=[self.by_id.get(number) for number in questions.subscriber_ids],
            subscribers=[self.by_key.get(key) for key in questions.subscribers],
            lists=[name in self.lists for name in questions.lists],
        )
        return self.blacklists.answer(questions, found)

    def commit(self, plan: franking.Plan, /) -> Commit:
        return self.commits.pop(0) if self.commits else Commit.done(1)


class AsyncMemoryHost:
    def __init__(self, host: MemoryHost | None = None) -> None:
        self.host = host or MemoryHost()

    async def account(self, key: str, /) -> Account | None:
        return self.host.account(key)

    async def facts(self, questions: franking.Questions, /) -> Facts:
        return self.host.facts(questions)

    async def commit(self, plan: franking.Plan, /) -> Commit:
        return self.host.commit(plan)


def send_mailer(**fields: Any) -> bytes:
    return json.dumps({"apiKey": "key", "mailerID": 42, "subID": 7, **fields}).encode()


def request(**fields: Any) -> dict[str, Any]:
    return {"subject": "Hello", "body": "%3Cp%3EHi", "to": "new@customer.example", "from": SENDER, **fields}


def http_send_mail(*requests: dict[str, Any], **fields: Any) -> bytes:
    return json.dumps({"ApiKey": "key", "requests": list(requests) or [request()], **fields}).encode()
