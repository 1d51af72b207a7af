"""What deciding costs in Python: this package beside Rust and beside the Python peers, on the same bytes, turn by turn.

All times are those of the processor: what else the machine does while somebody waits is of no account.

    python franking_bench.py

Needs the package and `requirements.txt` installed, and cargo, which builds the writer of the workloads and the Rust
program that the times are compared with. Writes the sections `python` (to our Rust), `python_peer` (to the peer of
today), `python_peer_tuned` and `python_us` of `target/bench/ratios.json`. QUICK=1 is quick.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peer

import franking
from franking import AccountRecord, Findings, MailerRecord, SubscriberRecord

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
FOLDER = TARGET / "bench" / "workloads"
RATIOS = TARGET / "bench" / "ratios.json"
NAMES = ("W1", "W2", "W3", "W5")
QUICK = os.environ.get("QUICK", "0") not in ("", "0")
ROUNDS = 5 if QUICK else 15
# How long one turn of one contender takes.
TURN = 0.15 if QUICK else 0.4


class DictHost:
    """The world in dicts and sets: as the Rust host has it, and the peers."""

    def __init__(self, world: dict[str, Any]) -> None:
        def is_listed(email: str) -> bool:
            address = franking.parse_address(email)
            return bool(address) and any(name in self.blacklist for name in franking.walk(address.domain))

        self.blacklist = set(world["blacklist"])
        self.lists = set(world["lists"])
        self.accounts: dict[str, AccountRecord] = {}
        self.senders: dict[str, set[str]] = {}
        self.mailers: dict[int, MailerRecord] = {}
        for row in world["accounts"]:
            credits = {"subscriber_credit": row["subscriber_credit"], "email_credit": row["email_credit"]}
            self.accounts[row["key"]] = AccountRecord(**credits)
            self.senders[row["key"]] = {sender.lower() for sender in row["senders"]}
            for mailer in row["mailers"]:
                record = MailerRecord(mailer["from"], mailer["from_name"], is_listed(mailer["from"]))
                self.mailers[mailer["id"]] = record
        self.by_id: dict[int, SubscriberRecord] = {}
        self.by_key: dict[str, SubscriberRecord] = {}
        for row in world["subscribers"]:
            record = SubscriberRecord(row["id"], row["email"], row["inactive"], is_listed(row["email"]))
            self.by_id[row["id"]] = self.by_key[row["email"].lower()] = record
        self.account_senders: set[str] = set()

    def account(self, key: str, /) -> AccountRecord | None:
        self.account_senders = self.senders.get(key, set())
        return self.accounts.get(key)

    def facts(self, questions: franking.Questions, /) -> Findings:
        return questions.look_up(
            mailers=self.mailers,
            senders=self.account_senders,
            subscriber_ids=self.by_id,
            subscribers=self.by_key,
            lists=self.lists,
            blacklist=self.blacklist,
        )

    def commit(self, plan: franking.Plan, /) -> int:
        """Reads everything but the HTML, as a host that hands the mail on would; the Rust host reads the same."""
        emails = 0
        for message in plan.messages:
            _ = (message.from_address, message.from_name, message.subject)
            _ = message.subscribers
            emails += len(message.addresses)
        _ = len(plan.create)
        return max(1, emails)


def operation_of(name: str) -> franking.Operation:
    return franking.Operation.SEND_MAILER if name in peer.SEND_MAILER else franking.Operation.HTTP_SEND_MAIL


def repeated(work: Callable[[], object]) -> tuple[Callable[[], float], int]:
    """(one turn of the work, which gives the seconds for one time; how often it is done in a turn)."""
    work()
    times = 1

    def turn() -> float:
        started = time.process_time()
        for _ in range(times):
            work()
        return (time.process_time() - started) / times

    while (taken := turn()) * times < TURN / 4:
        times *= 2
    times = max(1, round(TURN / taken))
    return turn, times


class Rust:
    """The Rust program that decides a workload so many times; what it needs to start is taken off."""

    def __init__(self, program: Path) -> None:
        self.program = program

    def seconds(self, name: str, times: int) -> float:
        command = [self.program, "franking", name, str(times)]
        before = os.times()
        subprocess.run(command, check=True)
        after = os.times()
        # The time of its processor: how long the program waited to be started does not count.
        return after.children_user + after.children_system - before.children_user - before.children_system

    def turn(self, name: str) -> Callable[[], float]:
        once = self.seconds(name, 1)
        times = 1
        while self.seconds(name, times) - once < TURN / 2 and times < 2**22:
            times *= 4
        return lambda: max(self.seconds(name, times + 1) - self.seconds(name, 1), 1e-9) / times


def build() -> Path:
    """Builds the Rust programs and writes the workloads; the program that decides."""
    cargo = ["cargo", "build", "--quiet", "--release", "--package", "franking-bench", "--bin"]
    for program in ("workload", "repeat"):
        subprocess.run([*cargo, program], cwd=ROOT, check=True)
    subprocess.run([TARGET / "release" / "workload", "all", FOLDER], check=True)
    return TARGET / "release" / "repeat"


def merge(sections: dict[str, Any]) -> None:
    everything = json.loads(RATIOS.read_text()) if RATIOS.exists() else {}
    RATIOS.parent.mkdir(parents=True, exist_ok=True)
    RATIOS.write_text(json.dumps({**everything, **sections}, indent=2) + "\n")


def main() -> None:
    rust = Rust(build())
    world = json.loads((FOLDER / "world.json").read_bytes())
    host = DictHost(world)
    peer_host = peer.Host(world)
    peers = {"python_peer": peer.Peer(peer_host, peer.Today()), "python_peer_tuned": peer.Peer(peer_host, peer.Tuned())}
    del world
    gc.freeze()
    sections: dict[str, dict[str, float]] = {"python": {}, "python_us": {}, **{section: {} for section in peers}}
    for name in NAMES:
        operation = operation_of(name)
        (body,), (code,) = peer.load(FOLDER, name)
        if franking.decide(operation, body, host).code != code:
            sys.exit(f"{name} is answered with another code than {code}")
        decide, _ = repeated(lambda body=body, operation=operation: franking.decide(operation, body, host).answer)
        check, _ = repeated(lambda body=body, operation=operation: franking.check(operation, body).ok)
        contenders: dict[str, Callable[[], float]] = {"python": rust.turn(name)}
        for section, other in peers.items():
            peer.check(other, name, [body], [code])
            method = peer.Peer.send_mailer if name in peer.SEND_MAILER else peer.Peer.http_send_mail
            contenders[section] = repeated(lambda other=other, method=method, body=body: other.decide(method, body))[0]
        ours, checks, ratios = [], [], {section: [] for section in contenders}
        for _ in range(ROUNDS):
            checks.append(check())
            for section, turn in contenders.items():
                # Beside each other in time, so that what slows the machine slows both.
                mine = decide()
                ours.append(mine)
                ratios[section].append(mine / turn())
        sections["python_us"][f"decide_{name}"] = round(statistics.median(ours) * 1e6, 3)
        sections["python_us"][f"check_{name}"] = round(statistics.median(checks) * 1e6, 3)
        for section, values in ratios.items():
            sections[section][name] = round(statistics.median(values), 4)
        shown = ", ".join(f"{section} {values[name]}" for section, values in sections.items() if name in values)
        print(
            f"{name:<4}decide {sections['python_us'][f'decide_{name}']} us, "
            f"check {sections['python_us'][f'check_{name}']} us; ratios: {shown}",
            flush=True,
        )
    merge(sections)


if __name__ == "__main__":
    main()
