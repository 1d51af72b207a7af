"""Checks columns of calls: tables, data frames and streams of any library that has Arrow's PyCapsule interface.

pyarrow, Polars, DuckDB, pandas and others can pass their columns in and read the results. None of them is imported here. The
input is not copied, and the results contain no bodies.

>>> import polars
>>> calls = polars.DataFrame({"body": ['{"apiKey": "k", "mailerID": 1, "subID": 2}', "{}", None, "nonsense"]})
>>> checked = polars.DataFrame(franking.arrow.preflight(calls, "sendMailer"))
>>> checked["code"].to_list(), checked["rule"].to_list()
([200, 402, None, 442], [None, 'key-missing', None, 'body-not-json'])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from ._bulk import cores
from ._franking import Blacklists, CheckedColumns, Policy, preflight_columns, redecide_columns

if TYPE_CHECKING:
    from ._enums import Operation


class LendsStream(Protocol):
    """An object that lends a stream of batches: a table, a data frame, a reader."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class LendsArray(Protocol):
    """An object that lends one batch, or one column."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


Lends = LendsStream | LendsArray

__all__ = ["CheckedColumns", "Lends", "LendsArray", "LendsStream", "preflight", "redecide"]


def preflight(
    calls: Lends | Iterable[Lends],
    operation: Operation | str | None = None,
    policy: Policy | None = None,
    *,
    all: bool = False,
    threads: int | None = None,
) -> CheckedColumns:
    """Checks calls, as `franking.preflight` checks one. It reads a batch when the next result is read.

    A batch has a column `body` of texts or bytes, in any of Arrow's forms for them, dictionaries included. If an object
    lends only one column, that column has the bodies. Other Python threads run while a batch is checked if the library that
    reads the results releases the GIL, as pyarrow does.

    Args:
        calls: An object that lends columns, such as a table, or an iterable of such objects, such as a generator of batches.
        operation: The operation of all calls, or its name. If left out, each row has the name of its own in a column `operation`.
        policy: The settings; the defaults if left out.
        all: Whether the result has a column `all`, a list of the violations of each call.
        threads: The number of threads that work on a batch. If it is left out, there is one for each core. In a cluster with
            one worker for each core, pass 1.

    Returns:
        The results, to be read once. They have one row for each call. `code`, `rule`, `pointer`, `start`, `end` and
        `request` are those of the first violation. `violations` and `warnings` are their numbers. `start` and `end` are
        bytes of the body. A call without violations has the code 200. A row without a body or without an operation is null
        in every column. The metadata of the schema are `franking.rules`, the version of the rules, and `franking.policy`,
        the SHA-256 of the policy's JSON form.

    Raises:
        InvalidError: There is no such operation or no such column, or the column has another type. If a later batch is wrong or
            cannot be read, the library that reads the result raises its own error.
        TypeError: An argument is of the wrong type.

    >>> import polars
    >>> batches = (polars.DataFrame({"text": ["{}"] * rows}).select(body="text") for rows in (1, 2))
    >>> polars.DataFrame(franking.arrow.preflight(batches, "httpSendMail", all=True))["all"].list.len().to_list()
    [2, 2, 2]
    """
    working = cores() if threads is None else max(1, threads)
    return preflight_columns(_lent(calls, "calls"), operation, policy, all, working)


def redecide(
    transcripts: Lends | Iterable[Lends],
    policy: Policy | None = None,
    blacklists: Blacklists | None = None,
    *,
    threads: int | None = None,
) -> CheckedColumns:
    """Decides past calls again, with the host's answers in their transcripts. The results show what a new policy or a new
    list would have changed.

    A batch has a column `transcript` of texts or bytes. Each is the JSON form of a transcript.

    Args:
        transcripts: An object that lends columns, or an iterable of such objects.
        policy: The settings. If they are left out, each call keeps its own.
        blacklists: The lists in which domains and stored addresses are looked up. If left out, the host's own answers count.
        threads: The number of threads that work on a batch. If it is left out, there is one for each core.

    Returns:
        The new decisions, to be read once. There is one row for each transcript. `code_then` is the code in the transcript.
        `code_now` and `rule_now` are those of the new decision. `changed` says whether the codes differ. `needs` is null, or
        it names the questions that the call asks now and the transcript does not answer: `account`, `mailers`, `senders`,
        `subscriber_ids`, `subscribers`, `lists` or `domains`. It is `transcript` if the text is not a transcript that can be
        replayed. If something is needed, `code_now`, `rule_now` and `changed` are null. A call can end without a
        code. If it did so then, `code_then` and `changed` are null. If it does so now, `code_now` and `changed` are. If the
        transcript has no answer to a plan, the plan counts as carried out. A row without a transcript is null in every column.

    Raises:
        InvalidError: There is no column `transcript`, or it has another type.
        TypeError: An argument is of the wrong type.

    >>> import polars
    >>> call = franking.Call("httpSendMail", b"{}", record=True)
    >>> transcripts = polars.DataFrame({"transcript": [call.transcript().to_json(), "{}", None]})
    >>> polars.DataFrame(franking.arrow.redecide(transcripts)).select("code_then", "code_now", "changed", "needs").rows()
    [(402, 402, False, None), (None, None, None, 'transcript'), (None, None, None, None)]
    """
    working = cores() if threads is None else max(1, threads)
    return redecide_columns(_lent(transcripts, "transcripts"), policy, blacklists, working)


def _lent(lenders: Lends | Iterable[Lends], parameter: str) -> Iterator[Any]:
    """Gives the capsules of the objects that lend columns. Errors name the parameter."""
    capsules = _capsules(lenders)
    if capsules is not None:
        yield capsules
        return
    if not isinstance(lenders, Iterable):
        raise TypeError(_WRONG.format(parameter, type(lenders).__name__))
    for batch in lenders:
        capsules = _capsules(batch)
        if capsules is None:
            raise TypeError(_WRONG.format(f"each of {parameter}", type(batch).__name__))
        yield capsules


_WRONG = "{} has to lend columns by __arrow_c_stream__ or __arrow_c_array__, which a {} does not"


def _capsules(lender: Any) -> Any:
    for name in ("__arrow_c_stream__", "__arrow_c_array__"):
        lend = getattr(lender, name, None)
        if lend is not None:
            return lend()
    return None
