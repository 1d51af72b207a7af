"""Checks the same calls by franking-bulk, by the Python package, and by the recipes of docs/bulk.md on two workers each.

    python -m clusters PROGRAMS FOLDER

PROGRAMS is the folder of the programs that were built. Everything is written below FOLDER. The findings of all have to be equal, even
if a worker is killed halfway. Closes with `N passed, N failed`.
"""

import json
import logging
import os
import pathlib
import shutil
import subprocess
import sys

import franking.arrow
import made
import pyarrow
import pyarrow.compute
import pyarrow.parquet
import recipes
import transcripts
from timing import Timed
from watch import Watch

ROWS = int(os.environ.get("ROWS", "1000000"))
WORKERS = 2
COLUMNS = ["id", "code", "rule", "pointer", "start", "end", "request", "violations", "warnings"]
TYPES = pyarrow.schema(
    [(name, pyarrow.string() if name in ("id", "rule", "pointer") else pyarrow.int64()) for name in COLUMNS]
)
# The processor seconds after which a worker is killed.
KILLED_AFTER = 1.0
results = []


def passed(what, holds, note=""):
    results.append(holds)
    print(f"{'passed' if holds else 'FAILED'}: {what}{': ' if note else ''}{note}", flush=True)


def plain(table):
    """A table of findings with the same types and order for all writers."""
    table = table.select(COLUMNS)
    columns = []
    for field in TYPES:
        column = table[field.name]
        if pyarrow.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        columns.append(column.cast(field.type))
    return pyarrow.table(columns, schema=TYPES).sort_by("id").combine_chunks()


def read(folder):
    return plain(pyarrow.parquet.read_table(folder))


def by_program(programs, here, calls):
    """Returns the findings of the program, and says how long it takes beside reading alone."""
    out = here / "program"
    command = [
        programs / "franking-bulk",
        "check",
        calls,
        "--carry",
        "id",
        "--out",
        out,
        "--memory",
        "256",
        "--json",
    ]
    with Watch(["franking-bulk check"]) as watch, Timed() as timed:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    summary = json.loads(done.stdout)
    most = watch.megabytes
    passed("franking-bulk checks all calls", done.returncode == 1 and summary["calls"] == ROWS, f"{timed}")
    passed(
        "it takes no more memory than it may",
        most < 256 + 64,
        f"{most} MB of 256 and what the program itself takes",
    )
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    passed("what is finished is not done again", json.loads(again.stdout) == summary)
    return read(out)


def by_package(calls):
    table = pyarrow.parquet.read_table(calls)
    with Timed() as timed:
        found = pyarrow.table(franking.arrow.preflight(table))
    return plain(found.add_column(0, "id", table["id"])), timed


def by_duckdb(here, calls):
    out = here / "duckdb.parquet"
    with Timed() as timed:
        recipes.load(here, "duckdb").check_with_duckdb(f"{calls}/*.parquet", str(out))
    return read(out), timed


def by_spark(here, calls, kills):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(f"local-cluster[{WORKERS},1,1024]").appName("franking")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executorEnv.PYTHONPATH": str(here),
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.files.maxPartitionBytes": str(8 << 20),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    out = here / "spark"
    with Watch(["pyspark.daemon", "pyspark/daemon"], kills) as watch, Timed() as timed:
        recipes.load(here, "spark").check_with_spark(spark, str(calls), str(out))
    found = read(out)
    if kills is None:
        listed = here / "again.parquet"
        recipes.load(here, "spark").redecide_with_spark(
            spark, str(here / "transcripts.parquet"), str(listed), ["bad.example"]
        )
        found = (found, pyarrow.parquet.read_table(listed).sort_by("number"))
        most = batches_of_spark(spark)
        passed("Spark bounds a batch in bytes", most <= 66 << 20, f"{most >> 20} MB of 64")
    spark.stop()
    return found, timed, watch


def batches_of_spark(spark):
    """The most bytes that Spark lends in a batch, of rows of a megabyte, where the recipe allows 64 MB."""

    def lengths(batches):
        for batch in batches:
            yield pyarrow.record_batch({"bytes": [batch.nbytes]})

    frame = spark.range(200, numPartitions=1).selectExpr("repeat('x', 1048576) AS body")
    return max(row["bytes"] for row in frame.mapInArrow(lengths, "bytes bigint").collect())


def by_ray(here, calls, kills):
    import ray

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    runtime = {"env_vars": {"PYTHONPATH": str(here)}}
    ray.init(
        num_cpus=WORKERS,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        runtime_env=runtime,
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    out = here / "ray"
    # Ray adds files to those of a run before.
    shutil.rmtree(out, ignore_errors=True)
    with Watch(["ray::Map", "ray::ReadParquet", "check_batch"], kills) as watch, Timed() as timed:
        recipes.load(here, "ray").check_with_ray(str(calls), str(out), rows=4096)
    ray.shutdown()
    return read(out), timed, watch


def two_gigabytes():
    """One batch of more than 2 GiB of text, as large text and as views, compared with the same text in small batches."""
    one = made.call(35 * 39)
    bodies = pyarrow.array([one[1], made.call(40)[1]], pyarrow.large_string())
    count = (2 << 30) // len(one[1]) * 2 + 4_000
    index = pyarrow.array([number % 2 for number in range(count)], pyarrow.int64())
    large = bodies.take(index)
    small = [large.slice(start, 50_000) for start in range(0, count, 50_000)]
    expected = pyarrow.table(franking.arrow.preflight(small, one[0]))
    # A slice refers to all of its text, which is too long to be cast.
    copies = [part.take(pyarrow.array(range(len(part)))) for part in small]
    views = pyarrow.concat_arrays([copy.cast(pyarrow.string_view()) for copy in copies])
    for form in (large, views):
        found = pyarrow.table(franking.arrow.preflight(form, one[0]))
        passed(f"a batch of {form.nbytes >> 20} MB as {form.type}", found.equals(expected))


def large_among_small(programs, here):
    """Calls of 26 MB among short ones in one row group, of which a batch of equal rows would hold a gigabyte."""
    html = "<p>x</p>" * (26 * (1 << 20) // 8)
    large = {"from": "a@shop.example", "to": "b@shop.example", "subject": "s", "body": html}
    bodies = [json.dumps({"ApiKey": "k", "requests": requests}) for requests in ([], [large])]
    texts = pyarrow.array(bodies, pyarrow.large_string())
    index = pyarrow.array([int(number % 2000 == 0) for number in range(80_000)])
    path = here / "large.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"body": texts.take(index)}), path, row_group_size=80_000)
    command = [
        programs / "franking-bulk",
        "check",
        path,
        "--operation",
        "httpSendMail",
        "--memory",
        "64",
        "--json",
    ]
    with Watch(["franking-bulk check"]) as watch:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    path.unlink()
    calls = json.loads(done.stdout)["calls"]
    # In addition to the bytes that it may hold: a page of the file, and the memory for checking two of the calls.
    note = f"{watch.megabytes} MB of 64, and of a page and two calls"
    passed(
        "a gigabyte of long calls among short ones",
        calls == 80_000 and 0 < watch.megabytes < 64 + 26 * 4,
        note,
    )


def main(programs, here):
    for name in ("calls", "program", "spark", "ray", "again.parquet"):
        shutil.rmtree(here / name, ignore_errors=True)
    names = recipes.write(here)
    passed("each recipe of the page is run", names == ["duckdb", "ray", "spark"], " ".join(names))
    length = made.write(here / "calls", ROWS)
    calls = here / "calls"
    print(f"{ROWS} calls, {length >> 20} MB", flush=True)
    with Timed() as timed:
        pyarrow.parquet.read_table(calls)
    print(f"reading them alone by pyarrow: {timed}", flush=True)
    expected = by_program(programs, here, calls)
    passed(
        "the calls have each kind of finding",
        len(expected["rule"].unique()) > 8,
        str(len(expected["rule"].unique())),
    )
    found, timed = by_package(calls)
    passed("the Python package finds the same", found.equals(expected), f"{timed}")
    found, timed = by_duckdb(here, calls)
    passed("the recipe of DuckDB finds the same", found.equals(expected), f"{timed}")
    again = transcripts.decided_again(programs, here, passed)
    (found, found_again), timed, watch = by_spark(here, calls, None)
    note = f"{timed}, {watch.megabytes} MB the largest worker"
    passed("the recipe of Spark finds the same on two workers", found.equals(expected), note)
    passed("its worker stays within 1,024 MB", 0 < watch.megabytes < 1_024)
    passed("the recipe of Spark decides the same again", found_again["code_now"].to_pylist() == again)
    found, timed, watch = by_spark(here, calls, KILLED_AFTER)
    passed("the same where one of its workers is killed", watch.killed and found.equals(expected), f"{timed}")
    found, timed, watch = by_ray(here, calls, None)
    note = f"{timed}, {watch.megabytes} MB the largest worker"
    passed("the recipe of Ray finds the same on two workers", found.equals(expected), note)
    passed("its worker stays within 1,024 MB", 0 < watch.megabytes < 1_024)
    found, timed, watch = by_ray(here, calls, KILLED_AFTER)
    passed("the same where one of its workers is killed", watch.killed and found.equals(expected), f"{timed}")
    two_gigabytes()
    large_among_small(programs, here)
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return results.count(False)


if __name__ == "__main__":
    sys.exit(1 if main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])) else 0)
