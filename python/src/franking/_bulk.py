"""Preflight of many bodies, on one thread or several."""

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
"""The number of bodies for each thread: few enough for their reports to stay in the cache, and many enough to be worth a
thread."""
_BATCH_BYTES = 32 * 1024 * 1024
"""A batch ends with the body that brings it to this number of bytes."""
_SAMPLE = 64
"""The number of bodies by whose size the number of threads is chosen."""
_WORTH_A_THREAD = 2048
"""The number of bytes of a body above which checking it takes longer than handing it to another thread."""


def preflight_many(
    operation: Operation | str,
    bodies: Iterable[Body],
    policy: Policy | None = None,
    *,
    threads: int | None = None,
) -> Iterator[Preflight]:
    """Checks many bodies, as `preflight` checks one.

    On one thread it takes about as long as a loop over `preflight`. It returns each report before it takes the next body, so that
    it can follow a live stream. On several threads it takes at most 256 bodies ahead for each thread, and fewer if they are
    long. The bodies need not fit into memory.

    Args:
        operation: The operation that all bodies are for, or its name.
        bodies: The bodies.
        policy: The settings; the defaults if left out.
        threads: The number of threads. If it is left out, there is one thread for each core if `bodies` has a length and its
            first 64 bodies have more than 2 KiB on average, and else one thread: sharing out smaller bodies takes longer
            than checking them.

    Returns:
        The reports on the bodies, in order.

    Raises:
        InvalidError: There is no such operation.
        TypeError: An argument is of the wrong type. For a body, the error is raised after the reports on all bodies before
            it. So are errors of the iterable of bodies.

    >>> bodies = ['{"apiKey": "k", "mailerID": 1, "subID": 2}', "{}", "nonsense"]
    >>> [report.code.value for report in franking.preflight_many("sendMailer", bodies)]
    [200, 402, 442]
    """
    if isinstance(bodies, (str, bytes, bytearray, memoryview)):
        raise TypeError(
            f"bodies has to be an iterable of bodies, not one body of type {type(bodies).__name__}"
        )
    # Checks the arguments now, and not when the first report is asked for.
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
    """Takes bodies. Returns them, the number of their bytes, and the exception that the iterator raised after them."""
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
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
