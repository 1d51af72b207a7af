"""Checks calls in files with Polars: takes a column of bodies, and gives columns of findings.

    python bulk.py calls.ndjson findings.parquet

The files may be larger than memory: they are read, checked and written batch by batch, on all cores.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

import franking.arrow

FINDINGS = pl.Schema(
    {
        "code": pl.Int32,
        "rule": pl.String,
        "pointer": pl.String,
        "violations": pl.Int64,
    }
)


def find(operation: franking.Operation | str, bodies: pl.Series) -> pl.DataFrame:
    """The findings for each body: the code with which it would be answered, and its first violation."""
    checked = pl.DataFrame(franking.arrow.preflight(bodies.to_frame("body"), operation))
    return checked.select(FINDINGS.names()).cast(FINDINGS)


def check(calls: pl.LazyFrame, operation: franking.Operation | str, column: str = "body") -> pl.LazyFrame:
    """The frame with the columns of findings added."""

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
