"""The contenders for `bench/`, whose program times them beside those in Rust, turn by turn.

    python worker.py DIRECTORY

DIRECTORY is what `workload all DIRECTORY` of `bench/` has written. Each line on standard input is answered by one:

    codes CONTENDER WORKLOAD        the code of each call, separated by spaces
    run CONTENDER WORKLOAD COUNT    the nanoseconds of the thread's time for deciding all calls COUNT times

See `contenders.Contenders` for their names.
"""

from __future__ import annotations

import sys
from pathlib import Path

from contenders import Contenders


def main(folder: str) -> None:
    contenders = Contenders(Path(folder))
    for line in sys.stdin:
        match line.split():
            case ["codes", contender, workload]:
                print(*contenders.codes(contender, workload), flush=True)
            case ["run", contender, workload, count]:
                print(contenders.run(contender, workload, int(count)), flush=True)
            case _:
                sys.exit(f"worker.py does not know {line!r}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
