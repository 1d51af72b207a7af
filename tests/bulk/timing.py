"""The time that something takes, to be shown. No check depends on it."""

import time


class Timed:
    """`with Timed() as timed`: `str(timed)` says how many seconds it took."""

    def __enter__(self):
        # clock: shown beside what was found, and judged by nothing
        self.began = time.monotonic()
        return self

    def __exit__(self, *_):
        # clock: as above
        self.seconds = time.monotonic() - self.began

    def __str__(self):
        return f"{self.seconds:.1f} s"
