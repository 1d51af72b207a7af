"""Checks calls that wait in files, with Polars: a column of bodies in, columns of findings out.

    python bulk.py calls.ndjson findings.parquet

The files may be larger than memory: they are read, checked and written batch by batch, on all cores. With PySpark the
same function does the work of `mapInArrow`: `pl.from_arrow` takes its batches, and `to_arrow` gives them back.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

import franking

FINDINGS = pl.Schema(
    {
        "code": pl.UInt16,
        "rule": pl.String,
        "pointer": pl.String,
        "found": pl.UInt32,
    }
)


def find(operation: franking.Operation | str, bodies: pl.Series) -> pl.DataFrame:
    """For each body the code it would be answered with, and the first thing that is wrong with it."""
    rows = []
    for report in franking.preflight_many(operation, bodies.fill_null("")):
        first = report.violation
        found = 0 if first is None else len(report.violations)
        rows.append((report.code, first and first.rule.value, first and first.pointer, found))
    return pl.DataFrame(rows, schema=FINDINGS, orient="row")


def check(calls: pl.LazyFrame, operation: franking.Operation | str, column: str = "body") -> pl.LazyFrame:
    """The frame with the columns of findings beside its own."""

    def findings(batch: pl.DataFrame) -> pl.DataFrame:
        return batch.hstack(find(operation, batch[column]))

    schema = pl.Schema({**calls.collect_schema(), **FINDINGS})
    return calls.map_batches(findings, streamable=True, schema=schema)


def main(source: Path, target: Path) -> None:
    scan = pl.scan_parquet if source.suffix == ".parquet" else pl.scan_ndjson
    findings = check(scan(source), franking.Operation.SEND_MAILER)
    findings.sink_parquet(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
