"""Many calls, one after the other or on many threads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sized
from itertools import chain, islice
from typing import TYPE_CHECKING

from ._body import size_of
from ._franking import Policy, Preflight, Reports, preflight_batch

if TYPE_CHECKING:
    from ._body import Body
    from ._enums import Operation

__all__ = ["preflight_many"]

_BATCH = 256
"""Bodies for each thread: few enough for their reports to stay in the cache, and many enough to be worth a thread."""
_BATCH_BYTES = 32 * 1024 * 1024
_SAMPLE = 64
"""Bodies by which the number of threads is chosen."""
_WORTH_A_THREAD = 2048
"""Bytes of a body that take longer to check than to hand to another thread."""


def preflight_many(
    operation: Operation | str,
    bodies: Iterable[Body],
    policy: Policy | None = None,
    *,
    threads: int | None = None,
) -> Iterator[Preflight]:
    """Checks bodies, as `preflight` does one.

    On one thread it costs less than a loop over `preflight`, and each report comes before the next body is asked for, so
    that a live stream is followed. On more threads at most 256 bodies are taken ahead for each of them. There may be more
    bodies than memory holds.

    Args:
        operation: The operation that all of them are for, or its name.
        bodies: The bodies.
        policy: The settings; the defaults if left out.
        threads: How many threads work. If left out, one; but one for each core when `bodies` has a length, so that all
            of them are there, and the first 64 have more than 2 KiB on average: checking less is quicker than sharing it.

    Returns:
        What is found in each body, in order.

    Raises:
        InvalidError: There is no such operation.
        TypeError: An argument is of the wrong type. For a body it is raised when its turn comes, after the reports on all
            bodies before it; so is what the iterable of bodies raises.

    >>> bodies = ['{"apiKey": "k", "mailerID": 1, "subID": 2}', "{}", "nonsense"]
    >>> [report.code.value for report in franking.preflight_many("sendMailer", bodies)]
    [200, 402, 442]
    """
    if isinstance(bodies, (str, bytes, bytearray, memoryview)):
        raise TypeError(
            f"bodies has to be an iterable of bodies, not one body of type {type(bodies).__name__}"
        )
    # What is wrong with the arguments is said now, and not when the first report is asked for.
    preflight_batch(operation, [], policy, 1)
    source = iter(bodies)
    if threads is None:
        threads = 1
        if isinstance(bodies, Sized):
            sample, size, failed = _take(source, _SAMPLE)
            threads = cores() if size > _WORTH_A_THREAD * len(sample) else 1
            source = chain(sample, source if failed is None else _raising(failed))
    if threads <= 1:
        return Reports(operation, source, policy)
    return _ahead(operation, source, policy, threads)


def _ahead(
    operation: Operation | str, bodies: Iterator[Body], policy: Policy | None, threads: int
) -> Iterator[Preflight]:
    failed: Exception | None = None
    while failed is None:
        batch, _size, failed = _take(bodies, _BATCH * threads)
        if not batch:
            break
        reports, wrong = preflight_batch(operation, batch, policy, threads)
        yield from reports
        failed = wrong or failed
    if failed is not None:
        raise failed


def _take(bodies: Iterator[Body], count: int) -> tuple[list[Body], int, Exception | None]:
    """Bodies, how many bytes they have, and what the iterator raised after them."""
    batch: list[Body] = []
    size = 0
    try:
        for body in islice(bodies, count):
            batch.append(body)
            size += size_of(body)
            if size >= _BATCH_BYTES:
                break
    except Exception as error:  # noqa: BLE001 - it is raised after the reports on the bodies before it
        return batch, size, error
    return batch, size, None


def _raising(error: Exception) -> Iterator[Body]:
    yield from ()
    raise error


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
