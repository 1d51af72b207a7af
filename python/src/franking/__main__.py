"""The command `franking`, also `python -m franking`. It is the program that the sources build from `programs/cli/`."""

from __future__ import annotations

import signal
import sys

from franking._franking import run_command


def main() -> int:
    """Runs the command with the arguments of the process.

    Returns:
        The exit status: 0 when nothing is wrong, 1 when something is, 2 when the command could not be carried out.
    """
    # Python would notice an interruption only when the command has ended.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["franking", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
