"""Many calls at once, on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from ._franking import Policy, Preflight, preflight_batch
from ._hosts import size_of

if TYPE_CHECKING:
    from ._enums import Operation
    from ._hosts import Body

__all__ = ["preflight_many"]

_BATCH = 4096
_BATCH_BYTES = 64 * 1024 * 1024


def preflight_many(
    operation: Operation | str,
    bodies: Iterable[Body],
    policy: Policy | None = None,
    *,
    threads: int | None = None,
) -> Iterator[Preflight]:
    """Checks bodies on all cores, as `preflight` does one.

    Bodies are taken some thousand at a time, so that they may be more than memory holds.

    Args:
        operation: The operation that all of them are for, or its name.
        bodies: The bodies.
        policy: The settings; the defaults if left out.
        threads: How many threads work; one for each core if left out.

    Returns:
        What is found in each body, in order.

    Raises:
        InvalidError: There is no such operation.
        TypeError: An argument is of the wrong type; for a body it is raised when its turn comes.

    >>> bodies = ['{"apiKey": "k", "mailerID": 1, "subID": 2}', "{}", "nonsense"]
    >>> [report.code.value for report in franking.preflight_many("sendMailer", bodies)]
    [200, 402, 442]
    """
    threads = _cores() if threads is None else max(1, threads)
    # What is wrong with the arguments is said now, and not when the first result is asked for.
    preflight_batch(operation, [], policy, threads)
    return _checked(operation, iter(bodies), policy, threads)


def _checked(
    operation: Operation | str, bodies: Iterator[Body], policy: Policy | None, threads: int
) -> Iterator[Preflight]:
    while batch := _take(bodies):
        yield from preflight_batch(operation, batch, policy, threads)


def _take(bodies: Iterator[Body]) -> list[Body]:
    batch: list[Body] = []
    size = 0
    for body in islice(bodies, _BATCH):
        batch.append(body)
        size += size_of(body)
        if size >= _BATCH_BYTES:
            break
    return batch


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
