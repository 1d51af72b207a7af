"""The command `franking`, also `python -m franking`. It is the program that the sources build from `programs/cli/`."""

from __future__ import annotations

import signal
import sys

from franking._franking import run_command


def main() -> int:
    """Runs the command with the arguments of the process.

    Returns:
        The exit status: 0 if nothing is wrong, 1 if something is wrong, 2 if the command could not be carried out.
    """
    # Python handles signals only between its own instructions, and so would see an interrupt only after the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return run_command(["franking", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
