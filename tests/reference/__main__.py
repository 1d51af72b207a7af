"""The executor: `python -m reference`, with the folder `tests` on the module path."""

import json
import sys

from .executor import answer_line


def main():
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    for line in sys.stdin.buffer:
        answer = answer_line(line.decode("utf-8", "surrogateescape"))
        print(json.dumps(answer, ensure_ascii=False, sort_keys=True, separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
