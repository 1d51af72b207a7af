"""How many calls a second are checked as columns, beside a loop, `preflight_many`, a check by regular expressions, and reading alone.

    python columns.py [ROWS]

Bodies are W1 (a call of sendMailer, all fields) and W2 (a call of httpSendMail, one request with 20 kB of HTML). Each line is the best of
three runs, in the time of one thread's processor unless it says two.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote_plus

import polars as pl

import franking
import franking.arrow

W1 = json.dumps(
    {
        "apiKey": "key-1",
        "mailerID": 42,
        "email": "reader@customer.example",
        "firstName": "Ada",
        "lastName": "Lovelace",
        "city": "London",
        "birthday": "1815-12-10",
        "list": "Customers",
    }
)
HTML = "<p>Hello <a href='https://www.shop.example/offers?x=1'>our offers</a> of this week</p>\n" * 235
W2 = json.dumps(
    {
        "ApiKey": "key-1",
        "requests": [
            {
                "subject": "Hello",
                "body": quote_plus(HTML),
                "from": "news@shop.example",
                "to": "reader@customer.example",
            }
        ],
    }
)
PLAUSIBLE = r'"(?i:apikey)"\s*:\s*"[^"]+"'


def best(work: Callable[[], Any], clock: Callable[[], float] = time.thread_time) -> float:
    taken = []
    for _ in range(3):
        began = clock()
        work()
        taken.append(clock() - began)
    return min(taken)


def main(rows: int) -> None:
    print(f"{'':42}{'rows/s':>12}{'MB/s':>8}{'to columns':>12}")
    for name, operation, body, count in [
        ("W1", "sendMailer", W1, rows),
        ("W2", "httpSendMail", W2, rows // 20),
    ]:
        frame = pl.DataFrame({"body": [f"{body} " if number % 2 else body for number in range(count)]})
        bodies = frame["body"].to_list()

        def columns(threads: int, operation: str = operation, frame: pl.DataFrame = frame) -> Any:
            return pl.DataFrame(franking.arrow.preflight(frame, operation, threads=threads))

        def loop(operation: str = operation, bodies: list[str] = bodies) -> Any:
            return [franking.preflight(operation, body).code for body in bodies]

        def many(operation: str = operation, bodies: list[str] = bodies) -> Any:
            return [report.code for report in franking.preflight_many(operation, bodies, threads=1)]

        def expression(frame: pl.DataFrame = frame) -> Any:
            return frame.select(pl.col("body").str.contains(PLAUSIBLE) & pl.col("body").str.len_bytes().gt(2))

        def read(frame: pl.DataFrame = frame) -> Any:
            return frame.select(pl.col("body").str.len_bytes().sum())

        alone = best(lambda: columns(1))
        measured = [
            ("columns, one thread", alone),
            ("columns, two threads, by the wall", best(lambda: columns(2), time.perf_counter)),
            ("preflight_many, one thread", best(many)),
            ("a loop over preflight", best(loop)),
            ("Polars: one regular expression (wall)", best(expression, time.perf_counter)),
            ("Polars: lengths alone (wall)", best(read, time.perf_counter)),
        ]
        for what, seconds in measured:
            speed, megabytes = count / seconds, count * len(body) / seconds / 1e6
            print(f"{name}, {what:38}{speed:12,.0f}{megabytes:8,.0f}{seconds / alone:12.3f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400_000)
