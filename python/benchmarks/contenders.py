"""The programs that are measured: this package with a host over dicts, and the peers, with the same data
and workloads."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peer

import franking
from franking import Account, Commit, Mailer, Operation, Subscriber

NAMES = peer.NAMES
METHODS = {
    Operation.SEND_MAILER: peer.Peer.send_mailer,
    Operation.HTTP_SEND_MAIL: peer.Peer.http_send_mail,
}
NOBODY: set[str] = set()
THREADS = {"many": 1, "many2": 2}


class DictHost:
    """A host with its data in dicts and sets, as the host in Rust and the peers have it."""

    def __init__(self, world: dict[str, Any]) -> None:
        self.blacklist = franking.DomainSet(world["blacklist"])
        self.blacklists = franking.Blacklists(self.blacklist)
        self.lists = set[str](world["lists"])
        self.accounts: dict[str, Account] = {}
        self.senders: dict[str, set[str]] = {}
        self.mailers: dict[int, Mailer] = {}
        for row in world["accounts"]:
            self.accounts[row["key"]] = Account(
                subscriber_credit=row["subscriber_credit"], email_credit=row["email_credit"]
            )
            self.senders[row["key"]] = {sender.lower() for sender in row["senders"]}
            for mailer in row["mailers"]:
                listed = self.is_listed(mailer["from"])
                self.mailers[mailer["id"]] = Mailer(mailer["from"], mailer["from_name"], listed)
        self.by_id: dict[int, Subscriber] = {}
        self.by_key: dict[str, Subscriber] = {}
        for row in world["subscribers"]:
            listed = self.is_listed(row["email"])
            record = Subscriber(row["id"], row["email"], row["inactive"], listed)
            self.by_id[row["id"]] = self.by_key[row["email"].lower()] = record
        self.account_senders = NOBODY

    def is_listed(self, email: str) -> bool:
        try:
            address = franking.Address.parse(email)
        except franking.InvalidError:
            return False
        return self.blacklist.listed(address.domain) is not None

    def account(self, key: str, /) -> Account | None:
        self.account_senders = self.senders.get(key, NOBODY)
        return self.accounts.get(key)

    def facts(self, questions: franking.Questions, /) -> franking.Facts:
        return self.blacklists.look_up(
            questions,
            mailers=self.mailers,
            senders=self.account_senders,
            subscriber_ids=self.by_id,
            subscribers=self.by_key,
            lists=self.lists,
        )

    def commit(self, _plan: franking.Plan, /) -> Commit:
        """Does not read the plan, because the peers do not make one."""
        return Commit.done(1)


class ReadingHost(DictHost):
    """A host that reads all of a plan, as it would to pass the mail on. The host in Rust reads the same."""

    def __init__(self, host: DictHost) -> None:
        vars(self).update(vars(host))

    def commit(self, plan: franking.Plan, /) -> Commit:
        emails = 0
        for message in plan.messages:
            _ = (message.from_address, message.from_name, message.subject)
            _ = (message.html, message.subscribers)
            emails += len(message.addresses)
        _ = len(plan.create)
        return Commit.done(emails or 1)


class PageHost(DictHost):
    """A host that reads the rows of a plan, as the host of docs/python-host.md does."""

    def __init__(self, host: DictHost) -> None:
        vars(self).update(vars(host))

    def commit(self, plan: franking.Plan, /) -> Commit:
        outbox: list[tuple[str, str, int | str | None]] = []
        for message in plan.messages:
            for recipient in message.recipients:
                outbox.append((recipient.to, message.from_address, message.mailer or message.subject))
        for new in plan.create:
            _ = (new.email, new.match_key, new.list, new.fields)
        return Commit.done(len(outbox) or 1)


class OrdinaryHost(ReadingHost):
    """The host of the guide, which looks up each key on its own."""

    def facts(self, questions: franking.Questions, /) -> franking.Facts:
        facts = franking.Facts(
            mailers=[self.mailers.get(number) for number in questions.mailers],
            senders=[key in self.account_senders for key in questions.senders],
            subscriber_ids=[self.by_id.get(number) for number in questions.subscriber_ids],
            subscribers=[self.by_key.get(key) for key in questions.subscribers],
            lists=[name in self.lists for name in questions.lists],
        )
        return self.blacklists.answer(questions, facts)


class Contenders:
    """The contenders by name. `franking` reads the columns of plans, and so does `ordinary`, with an
    ordinary host. `rows` reads their rows, and `unread` does not read plans. `check` has no host; `many`
    is the same in bulk on one thread, and `many2` on two. `today` and `tuned` are the peers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        world = json.loads((folder / "world.json").read_bytes())
        self.host = DictHost(world)
        self.hosts = {
            "franking": ReadingHost(self.host),
            "ordinary": OrdinaryHost(self.host),
            "rows": PageHost(self.host),
            "unread": self.host,
        }
        peer_host = peer.Host(world)
        self.peers = {
            "today": peer.Peer(peer_host, peer.Today()),
            "tuned": peer.Peer(peer_host, peer.Tuned()),
        }
        self.workloads: dict[str, tuple[list[bytes], list[int]]] = {}
        del world
        # A program would do the same after loading its tables.
        gc.collect()
        gc.freeze()

    def load(self, workload: str) -> tuple[list[bytes], list[int]]:
        """The bodies of a workload and their codes."""
        if workload not in self.workloads:
            # Only one workload is kept, because W3 is big.
            self.workloads = {workload: peer.load(self.folder, workload)}
        return self.workloads[workload]

    def codes(self, contender: str, workload: str, calls: int | None = None) -> list[int | None]:
        """The code of each of the first calls of a workload."""
        operation, bodies = self.of(workload, calls)
        match contender:
            case "check":
                return [franking.preflight(operation, body).code for body in bodies]
            case "many" | "many2":
                reports = franking.preflight_many(operation, bodies, threads=THREADS[contender])
                return [report.code for report in reports]
            case "franking" | "ordinary" | "rows" | "unread":
                host = self.hosts[contender]
                return [franking.decide(operation, body, host).code for body in bodies]
            case _:
                other, method = self.peers[contender], METHODS[operation]
                return [other.decide(method, body) for body in bodies]

    def run(self, contender: str, workload: str, count: int, calls: int | None = None) -> int:
        """The processor time of this thread, in nanoseconds, for the first calls of a workload, repeated
        `count` times."""
        operation, bodies = self.of(workload, calls)
        # Only the call and the loop around it are timed.
        bodies *= count
        match contender:
            case "check":
                return self._check(operation, bodies)
            case "many" | "many2":
                return self._many(operation, bodies, THREADS[contender])
            case "franking" | "ordinary" | "rows" | "unread":
                return self._decide(operation, bodies, self.hosts[contender])
            case _:
                return self._ask(self.peers[contender], METHODS[operation], bodies)

    def of(self, workload: str, calls: int | None) -> tuple[Operation, list[bytes]]:
        is_send_mailer = workload in peer.SEND_MAILER
        operation = Operation.SEND_MAILER if is_send_mailer else Operation.HTTP_SEND_MAIL
        return operation, self.load(workload)[0][:calls]

    def _check(self, operation: Operation, bodies: list[bytes]) -> int:
        check = franking.preflight
        started = time.thread_time_ns()
        for body in bodies:
            check(operation, body).code  # noqa: B018
        return time.thread_time_ns() - started

    def _many(self, operation: Operation, bodies: list[bytes], threads: int) -> int:
        # The processor time of all threads.
        started = time.process_time_ns()
        for report in franking.preflight_many(operation, bodies, threads=threads):
            report.code  # noqa: B018
        return time.process_time_ns() - started

    def _decide(self, operation: Operation, bodies: list[bytes], host: DictHost) -> int:
        decide = franking.decide
        started = time.thread_time_ns()
        for body in bodies:
            decide(operation, body, host).response  # noqa: B018
        return time.thread_time_ns() - started

    def _ask(self, other: peer.Peer, method: Callable[[peer.Peer, bytes], None], bodies: list[bytes]) -> int:
        decide = other.decide
        started = time.thread_time_ns()
        for body in bodies:
            decide(method, body)
        return time.thread_time_ns() - started
