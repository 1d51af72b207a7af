"""The number of calls checked each second as columns, compared with a loop, `preflight_many`, JSON Schema, a
regular expression, and only reading.

    python columns.py FOLDER [ROWS]

FOLDER has the calls W1 and W2 that `cargo run --release --package franking-bench --bin workload all FOLDER`
writes. Each line is the best of three runs, in processor time of one thread unless it says wall time. JSON
Schema is `jsonschema-rs` with the schemas of docs/openapi.json, which describe only fields and types.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import polars as pl

import franking
import franking.arrow

PLAUSIBLE = r'"(?i:apikey)"\s*:\s*"[^"]+"'
DESCRIPTION = pathlib.Path(__file__).resolve().parents[2] / "docs" / "openapi.json"
PATHS = {"sendMailer": "/v4/sendMailer", "httpSendMail": "/v4/httpSendMail.php"}


def best(work: Callable[[], Any], clock: Callable[[], float] = time.thread_time) -> float:
    taken = []
    for _ in range(3):
        began = clock()
        work()
        taken.append(clock() - began)
    return min(taken)


def schema(operation: str) -> Any:
    """A validator of bodies by their JSON Schema."""
    description = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    content = description["paths"][PATHS[operation]]["post"]["requestBody"]["content"]["application/json"]
    return jsonschema_rs.validator_for(content["schema"] | {"components": description["components"]})


def main(folder: pathlib.Path, rows: int) -> None:
    print(f"{'':42}{'rows/s':>12}{'MB/s':>8}{'to columns':>12}")
    for name, operation, count in [("W1", "sendMailer", rows), ("W2", "httpSendMail", rows // 20)]:
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        bodies = [lines[number % len(lines)] for number in range(count)]
        frame = pl.DataFrame({"body": bodies})
        length = sum(len(body.encode()) for body in lines) * count / len(lines)
        validator = schema(operation)

        def columns(threads: int, operation: str = operation, frame: pl.DataFrame = frame) -> Any:
            return pl.DataFrame(franking.arrow.preflight(frame, operation, threads=threads))

        def loop(operation: str = operation, bodies: list[str] = bodies) -> Any:
            return [franking.preflight(operation, body).code for body in bodies]

        def many(operation: str = operation, bodies: list[str] = bodies) -> Any:
            return [report.code for report in franking.preflight_many(operation, bodies, threads=1)]

        def by_schema(validator: Any = validator, bodies: list[str] = bodies) -> Any:
            return [validator.is_valid(json.loads(body)) for body in bodies]

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
            ("JSON Schema, a loop", best(by_schema)),
            ("Polars: one regular expression (wall)", best(expression, time.perf_counter)),
            ("Polars: lengths alone (wall)", best(read, time.perf_counter)),
        ]
        for what, seconds in measured:
            speed, megabytes = count / seconds, length / seconds / 1e6
            print(f"{name}, {what:38}{speed:12,.0f}{megabytes:8,.0f}{seconds / alone:12.3f}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 400_000)
