"""The Python contenders of tests/bench/src/remote.rs: those of python/benchmarks, with a host that reads as much of a plan as
the one in Rust does (tests/bench/src/ours.rs).

    python python_contenders.py DIRECTORY        where `workload all DIRECTORY` has written the workloads

Contenders: `franking` decides and reads the plan. `ordinary` does so with the host of the guide. `unread` does not read the
plan. `check` is the preflight. `today` and `tuned` are the peers.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "benchmarks"))

import franking  # noqa: E402
from contenders import Contenders, OrdinaryHost, ReadingHost  # noqa: E402


class Reader:
    """Reads everything of a plan, as a host that carries it out would."""

    def commit(self, plan: franking.Plan, /) -> franking.Commit:
        emails = 0
        for message in plan.messages:
            _ = (message.from_address, message.from_name, message.subject, message.reply_to, message.custom_field)
            _ = (message.html, message.subscribers)
            emails += len(message.addresses)
            if message.mailer is not None:
                for update in plan.update:
                    _ = update.fields
                for new in plan.create:
                    _ = new.fields
        _ = plan.debit
        return franking.Commit.done(emails or 1)


class Host(Reader, ReadingHost):
    """That of `franking`."""


class PlainHost(Reader, OrdinaryHost):
    """That of `ordinary`."""


def main(folder: str) -> None:
    contenders = Contenders(Path(folder))
    contenders.hosts["franking"] = Host(contenders.host)
    contenders.hosts["ordinary"] = PlainHost(contenders.host)
    for line in sys.stdin:
        match line.split():
            case ["codes", contender, workload]:
                print(*contenders.codes(contender, workload), flush=True)
            case ["run", contender, workload, count]:
                print(contenders.run(contender, workload, int(count)), flush=True)
            case _:
                sys.exit(f"python_contenders.py cannot do {line!r}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
