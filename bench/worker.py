"""The library and the Python peers as contenders of bench/src/remote.rs.

    python worker.py DIRECTORY        where `workload all DIRECTORY` has written the workloads

Contenders: `franking` decides with a host over dicts that reads the plan as the Rust host does (bench/src/ours.rs);
`check` is the preflight; `today` and `tuned` are the peers of python/benchmarks/peer.py.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1] / "python" / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import franking  # noqa: E402
import peer  # noqa: E402
from franking_bench import DictHost, operation_of  # noqa: E402

Contender = Callable[[bytes], int]


class Host(DictHost):
    """Reads everything but the HTML of a plan, as a host that carries it out would."""

    def commit(self, plan: franking.Plan, /) -> int:
        emails = 0
        for message in plan.messages:
            _ = (message.from_address, message.from_name, message.subject, message.reply_to, message.custom_field)
            _ = message.subscribers
            emails += len(message.addresses)
            if message.mailer is not None:
                for update in plan.update:
                    _ = update.fields
                for new in plan.create:
                    _ = new.fields
        _ = plan.debit
        return max(1, emails)


class Worker:
    def __init__(self, directory: Path) -> None:
        world = json.loads((directory / "world.json").read_bytes())
        self.host = Host(world)
        peer_host = peer.Host(world)
        self.peers = {"today": peer.Peer(peer_host, peer.Today()), "tuned": peer.Peer(peer_host, peer.Tuned())}
        self.bodies = {name: peer.load(directory, name)[0] for name in peer.NAMES}

    def contender(self, name: str, workload: str) -> Contender:
        operation, host = operation_of(workload), self.host
        if name == "franking":

            def decide(body: bytes) -> int:
                decision = franking.decide(operation, body, host)
                _ = decision.answer
                return decision.code or 0

            return decide
        if name == "check":

            def check(body: bytes) -> int:
                preflight = franking.check(operation, body)
                return 200 if preflight.ok else preflight.violations[0].code

            return check
        method = peer.Peer.send_mailer if workload in peer.SEND_MAILER else peer.Peer.http_send_mail
        chosen = self.peers[name]
        return lambda body: chosen.decide(method, body)

    def codes(self, name: str, workload: str) -> str:
        return " ".join(str(code) for code in map(self.contender(name, workload), self.bodies[workload]))

    def run(self, name: str, workload: str, count: str) -> str:
        contender, bodies = self.contender(name, workload), self.bodies[workload]
        times = range(int(count))
        started = time.thread_time_ns()
        if len(bodies) == 1:
            (body,) = bodies
            for _ in times:
                contender(body)
        else:
            for _ in times:
                for body in bodies:
                    contender(body)
        return str(time.thread_time_ns() - started)


def main(directory: str) -> None:
    worker = Worker(Path(directory))
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        action, *arguments = line.split()
        answer = {"codes": worker.codes, "run": worker.run}[action](*arguments)
        print(answer, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
