"""Columns of calls: in every layout of Arrow, by pyarrow and Polars, each body gets the same result as on
its own."""

from __future__ import annotations

import gc
import random
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from hosts import SEVEN, MemoryHost, http_send_mail, request, send_mailer

import franking
import franking.arrow

CLEAN = b'{"apiKey":"k","mailerID":1,"subID":2}'
BODIES = [
    CLEAN,
    b"{}",
    None,
    b"nonsense",
    b"",
    b'{"apiKey":"k","mailerID":1,"email":"nobody"}',
    b'{"apiKey":"k","apiKey":"k","mailerID":0,"email":"a@example.org","subID":2}',
    CLEAN + b" " * 100,
]
BATCH = (
    b'{"ApiKey":"k","requests":[{"subject":"Hi","body":"%3Cp%3E","from":"s@example.com","to":"a@example.org"},'
    b'{"subject":"Hi","body":"%3Cp%3E","from":"s@example.com","to":"nobody"}]}'
)
NAMES = ["code", "rule", "pointer", "start", "end", "request", "violations", "warnings"]


def one(violation: franking.Violation) -> dict[str, Any]:
    start, end = violation.span or (None, None)
    return {
        "code": violation.code.value,
        "rule": violation.rule.value,
        "pointer": violation.pointer,
        "start": start,
        "end": end,
        "request": violation.request,
    }


def plain(operation: str | None, body: bytes | None) -> dict[str, Any]:
    """The expected row: the result of `franking.preflight` for its body."""
    if operation is None or body is None:
        return dict.fromkeys([*NAMES, "all"])
    report = franking.preflight(operation, body)
    every = [one(violation) for violation in report.violations]
    first = every[0] if every else {**dict.fromkeys(NAMES[:6]), "code": 200}
    return {**first, "violations": len(every), "warnings": len(report.warnings), "all": every}


def rows(calls: Any, operation: str | None = "sendMailer", **options: Any) -> list[dict[str, Any]]:
    checked = pa.table(franking.arrow.preflight(calls, operation, all=True, **options))
    assert checked.column_names == [*NAMES, "all"]
    found: list[dict[str, Any]] = checked.to_pylist()
    return found


EXPECTED = [plain("sendMailer", body) for body in BODIES]
TEXTS = [pa.string(), pa.large_string(), pa.string_view()]
BYTES = [pa.binary(), pa.large_binary(), pa.binary_view()]
FLAT = [*TEXTS, *BYTES]
INDICES = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]


def column(kind: Any, bodies: list[bytes | None] = BODIES) -> Any:
    given: list[Any] = [body and body.decode() for body in bodies] if kind in TEXTS else list(bodies)
    return pa.array(
        ["" if body == b"" and kind in TEXTS else value for body, value in zip(bodies, given)], kind
    )


@pytest.mark.parametrize("kind", FLAT, ids=str)
@pytest.mark.parametrize("threads", [1, 3])
def test_each_form_of_texts_and_bytes_is_read(kind: Any, threads: int) -> None:
    table = pa.table({"other": range(len(BODIES)), "body": column(kind)})
    assert rows(table, threads=threads) == EXPECTED
    # Only a column, and only a batch.
    assert rows(table["body"], threads=threads) == EXPECTED
    assert rows(table.to_batches()[0], threads=threads) == EXPECTED


@pytest.mark.parametrize("kind", FLAT, ids=str)
def test_slices_and_chunks_are_read(kind: Any) -> None:
    whole = column(kind, BODIES * 3)
    for start in range(len(BODIES)):
        for length in (0, 1, 5, 9):
            part = whole.slice(start, length)
            expected = (EXPECTED * 3)[start : start + length]
            assert rows(pa.table({"body": part})) == expected
            # A batch that is a slice of its columns.
            batch = pa.record_batch({"a": pa.nulls(len(whole)), "body": whole}).slice(start, length)
            assert rows(batch) == expected
    chunks = pa.chunked_array([whole.slice(2, 3), whole.slice(0, 0), whole.slice(7, 9)])
    assert rows(pa.table({"body": chunks})) == (EXPECTED * 3)[2:5] + (EXPECTED * 3)[7:16]


@pytest.mark.parametrize("index", INDICES, ids=str)
@pytest.mark.parametrize("values", [pa.string(), pa.large_binary(), pa.binary_view()], ids=str)
def test_dictionaries_are_read(index: Any, values: Any) -> None:
    order = random.Random(7).choices(range(len(BODIES)), k=40)
    indices = pa.array([None if at % 7 == 6 else at for at in order], index)
    body = pa.DictionaryArray.from_arrays(indices, column(values))
    expected = [plain(None, None) if at % 7 == 6 else EXPECTED[at] for at in order]
    assert rows(pa.table({"body": body})) == expected
    assert rows(pa.table({"body": body.slice(3, 20)})) == expected[3:23]


def test_nothing_and_nulls_give_nothing_and_nulls() -> None:
    empty = pa.table({"body": pa.array([], pa.string())})
    assert rows(empty) == []
    assert rows(pa.table({"body": pa.nulls(3)})) == [plain(None, None)] * 3
    assert rows(pa.table({"body": pa.nulls(3, pa.string())})) == [plain(None, None)] * 3
    # A struct whose rows are null.
    whole = pa.StructArray.from_arrays([column(pa.string())], ["body"], mask=pa.array([False, True] * 4))
    assert rows(whole) == [row if at % 2 == 0 else plain(None, None) for at, row in enumerate(EXPECTED)]


def test_each_row_may_have_an_operation_of_its_own() -> None:
    operations = ["sendMailer", "httpSendMail", None] * 4
    bodies = [CLEAN, BATCH, CLEAN, BATCH, CLEAN, None] * 2
    expected = [plain(operation, body) for operation, body in zip(operations, bodies)]
    for kind in [*FLAT, pa.dictionary(pa.int8(), pa.string())]:
        names = (
            pa.array(operations, pa.string()).cast(pa.binary() if kind in BYTES else pa.string()).cast(kind)
        )
        assert rows(pa.table({"operation": names, "body": bodies}), None) == expected


def test_polars_lends_and_takes_columns() -> None:
    frame = pl.DataFrame({"body": pl.Series(BODIES, dtype=pl.Binary)})
    checked = pl.DataFrame(franking.arrow.preflight(frame, "sendMailer"))
    assert checked.columns == NAMES
    assert checked.cast({"rule": pl.String}).to_dicts() == [
        {name: row[name] for name in NAMES} for row in EXPECTED
    ]


def test_batches_are_taken_one_by_one_as_they_are_asked_for() -> None:
    asked = []

    def batches() -> Iterator[Any]:
        for number in range(4):
            asked.append(number)
            body = column(FLAT[number])
            yield pl.DataFrame({"body": body}) if number == 2 else pa.record_batch({"body": body})

    reader = pa.RecordBatchReader.from_stream(franking.arrow.preflight(batches(), "sendMailer", threads=1))
    assert asked == [0]
    for number in range(4):
        assert reader.read_next_batch()["code"].to_pylist() == [row["code"] for row in EXPECTED]
        assert asked == list(range(number + 1))
    with pytest.raises(StopIteration):
        reader.read_next_batch()
    assert rows([]) == []


def test_what_fails_says_what_to_do() -> None:
    table = pa.table({"text": ["{}"]})
    with pytest.raises(franking.InvalidError, match="there is no column body"):
        franking.arrow.preflight(table, "sendMailer")
    with pytest.raises(
        franking.InvalidError, match=r'column body has the type "l".*: cast it to text or binary'
    ):
        franking.arrow.preflight(pa.table({"body": [1]}), "sendMailer")
    with pytest.raises(franking.InvalidError, match="there is no column operation"):
        franking.arrow.preflight(pa.table({"body": ["{}"]}))
    with pytest.raises(franking.InvalidError, match="the operation has to be"):
        franking.arrow.preflight(pa.table({"body": ["{}"]}), "sendEmail")
    with pytest.raises(TypeError, match="each of calls has to lend columns by __arrow_c_stream__"):
        franking.arrow.preflight(["{}"], "sendMailer")  # type: ignore[list-item]
    with pytest.raises(TypeError, match="calls has to lend columns by __arrow_c_stream__"):
        franking.arrow.preflight(7, "sendMailer")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="transcripts has to lend columns by __arrow_c_stream__"):
        franking.arrow.redecide(7)  # type: ignore[arg-type]
    wrong = franking.arrow.preflight(pa.table({"body": ["{}"], "operation": ["sendmailer"]}))
    with pytest.raises(pa.ArrowInvalid, match="row 0 of column operation is not the name of an operation"):
        pa.table(wrong)


def test_what_fails_later_is_an_error_of_the_stream() -> None:
    def failing() -> Iterator[Any]:
        yield pa.record_batch({"body": ["{}"]})
        raise OSError("the lake is dry")

    reader = pa.RecordBatchReader.from_stream(franking.arrow.preflight(failing(), "sendMailer"))
    assert reader.read_next_batch().num_rows == 1
    for _ in range(2):
        with pytest.raises(pa.ArrowInvalid, match="OSError: the lake is dry"):
            reader.read_next_batch()
    other = franking.arrow.preflight(
        [pa.record_batch({"body": ["{}"]}), pa.record_batch({"text": ["{}"]})], "sendMailer"
    )
    with pytest.raises(pa.ArrowInvalid, match="there is no column body"):
        pa.table(other)


def test_a_result_is_read_once_and_may_be_left() -> None:
    checked = franking.arrow.preflight(pa.table({"body": ["{}"]}), "sendMailer")
    pa.table(checked)
    with pytest.raises(franking.MisuseError, match="read once"):
        checked.__arrow_c_stream__()
    before = pa.total_allocated_bytes()
    for _ in range(20):
        left = franking.arrow.preflight(pa.table({"body": ["x" * 10_000] * 100}), "sendMailer")
        left.__arrow_c_stream__()
        franking.arrow.preflight(pa.table({"body": ["x" * 10_000] * 100}), "sendMailer")
        del left
    gc.collect()
    assert pa.total_allocated_bytes() <= before + 1_000_000


def test_a_cycle_through_the_batches_of_a_result_is_collected() -> None:
    def begin() -> weakref.ref[Iterator[Any]]:
        def batches() -> Iterator[Any]:
            while True:
                yield pa.record_batch({"body": ["{}"]})
                assert keeper

        source = batches()
        keeper = [franking.arrow.preflight(source, "sendMailer")]
        return weakref.ref(source)

    gone = begin()
    gc.collect()
    assert gone() is None


def test_a_result_whose_stream_was_taken_keeps_its_batches() -> None:
    def batches() -> Iterator[Any]:
        for _ in range(3):
            gc.collect()
            yield pa.record_batch({"body": ["{}"]})

    reader = pa.RecordBatchReader.from_stream(franking.arrow.preflight(batches(), "sendMailer", threads=1))
    gc.collect()
    assert reader.read_all().num_rows == 3


def test_a_result_holds_no_bodies() -> None:
    before = pa.total_allocated_bytes()
    body = pa.array(["x" * 100_000] * 200)
    checked = pa.table(franking.arrow.preflight(pa.table({"body": body}), "sendMailer"))
    del body
    gc.collect()
    assert pa.total_allocated_bytes() - before < 1_000_000
    assert checked.nbytes < 100_000 and checked.num_rows == 200


def test_metadata_say_by_which_rules_and_policy() -> None:
    def metadata(policy: franking.Policy | None) -> dict[bytes, bytes]:
        calls = pa.table({"body": ["{}"]})
        found: dict[bytes, bytes] = pa.table(
            franking.arrow.preflight(calls, "sendMailer", policy)
        ).schema.metadata
        return found

    usual, other = metadata(None), metadata(franking.Policy(max_requests=7))
    assert usual == metadata(franking.Policy())
    assert usual[b"franking.rules"] == str(franking.__rules_version__).encode()
    assert len(usual[b"franking.policy"]) == 64 and usual != other


def test_the_policy_is_that_which_is_given() -> None:
    calls = pa.table({"body": [BATCH]})
    assert rows(calls, "httpSendMail")[0]["rule"] == "recipient-malformed"
    assert (
        rows(calls, "httpSendMail", policy=franking.Policy(max_requests=1))[0]["rule"] == "too-many-requests"
    )


def test_the_interpreter_is_let_go() -> None:
    body = pa.array([BATCH] * 20_000)
    checked = franking.arrow.preflight(pa.table({"body": body}), "httpSendMail", threads=1)
    during = []
    reading = threading.Thread(target=lambda: during.append(pa.table(checked).num_rows))
    reading.start()
    turns = 0
    while reading.is_alive():
        turns += 1
    reading.join()
    assert during == [20_000] and turns > 100


def test_any_mixture_is_checked_as_each_by_itself() -> None:
    chance = random.Random(11)
    pieces = rb'" { } \ , : [ apiKey mailerID 1 email a@b.c'.split() + [b"\xff", b" "]
    bodies: list[bytes | None] = list(BODIES)
    for _ in range(3_000):
        body = bytearray(chance.choice([body for body in BODIES if body is not None]))
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(body) + 1)
            body[at : at + chance.randrange(5)] = chance.choice(pieces)
        bodies.append(bytes(body))
    expected = [plain("sendMailer", body) for body in bodies]
    for threads in (1, 2, 5):
        assert rows(pa.table({"body": pa.array(bodies, pa.binary())}), threads=threads) == expected


def calls(count: int, chance: random.Random) -> Iterator[tuple[str, bytes]]:
    """Calls of both operations. Many of them name domains that a list may have."""
    domains = [f"d{number}.example" for number in range(9)]
    for _ in range(count):
        domain = chance.choice(domains)
        if chance.random() < 0.5:
            email = chance.choice([None, f"reader@{domain}", "seven@customer.example", "nobody"])
            fields = {} if email is None else {"email": email, "subID": None}
            yield "sendMailer", send_mailer(mailerID=chance.choice([42, 43]), **fields)
        else:
            requests = [
                request(
                    to=f"reader@{chance.choice(domains)}",
                    body=f"%3Ca%20href=//www.{chance.choice(domains)}/%3E",
                )
                for _ in range(chance.randrange(1, 3))
            ]
            yield "httpSendMail", http_send_mail(*requests)


def test_calls_of_the_past_are_decided_as_each_anew() -> None:
    chance = random.Random(3)
    then, now = MemoryHost(), MemoryHost()
    listed = franking.DomainSet(["d1.example", "www.d2.example"])
    now.blacklists = franking.Blacklists(listed, content=franking.DomainSet(["d3.example"]))
    other = franking.Policy(max_requests=1)
    given = list(calls(3_000, chance))
    decisions = [franking.decide(operation, body, then, record=True) for operation, body in given]
    table = pa.table({"transcript": [decision.transcript().to_json() for decision in decisions]})
    for policy, lists, host in [
        (None, None, then),
        (None, now.blacklists, now),
        (other, now.blacklists, now),
        (other, None, then),
    ]:
        anew = [franking.decide(operation, body, host, policy) for operation, body in given]
        expected = [
            {
                "code_then": before.code.value,
                "code_now": after.code.value,
                "rule_now": after.violation.rule.value if after.violation else None,
                "changed": before.code != after.code,
                "needs": None,
            }
            for before, after in zip(decisions, anew)
            if before.code is not None and after.code is not None
        ]
        assert len(expected) == len(given)
        for threads in (1, 3):
            assert (
                pa.table(franking.arrow.redecide(table, policy, lists, threads=threads)).to_pylist()
                == expected
            )
        assert any(row["changed"] for row in expected) == (policy is not None or lists is not None)


def test_what_a_transcript_does_not_answer_is_needed() -> None:
    host = MemoryHost()
    strict = franking.Policy(max_requests=1)
    refused = franking.decide("httpSendMail", http_send_mail(request(), request()), host, strict, record=True)
    unknown = franking.decide("sendMailer", send_mailer(apiKey="nobody's"), host, record=True)
    before = franking.decide("sendMailer", b"nonsense", host, record=True)
    transcripts = [refused, unknown, before]
    table = pa.table({"transcript": [one.transcript().to_json() for one in transcripts]})
    rows = pa.table(franking.arrow.redecide(table, franking.Policy())).to_pylist()
    assert [(row["code_then"], row["code_now"], row["changed"], row["needs"]) for row in rows] == [
        # The call was refused for its two requests, so the host was never asked for facts.
        (453, None, None, "senders"),
        (403, 403, False, None),
        (442, 442, False, None),
    ]


def test_what_is_no_transcript_is_said_and_loses_no_row() -> None:
    host = MemoryHost()
    good = franking.decide("sendMailer", send_mailer(), host, record=True).transcript()
    texts = [
        good.to_json(),
        "nonsense",
        good.to_masked_json(),
        None,
        "{}",
        good.to_json().replace('"answer"', '"reply"'),
    ]
    rows = pa.table(franking.arrow.redecide(pa.table({"transcript": texts}))).to_pylist()
    assert [row["needs"] for row in rows] == [
        None,
        "transcript",
        "transcript",
        None,
        "transcript",
        "transcript",
    ]
    assert [row["code_now"] for row in rows] == [200, None, None, None, None, None]
    with pytest.raises(franking.InvalidError, match="there is no column transcript"):
        franking.arrow.redecide(pa.table({"body": texts}))


def test_a_stored_address_is_judged_by_the_new_list() -> None:
    host = MemoryHost()
    by_id = franking.decide("sendMailer", send_mailer(), host, record=True)
    by_mailer = franking.decide("sendMailer", send_mailer(mailerID=42), host, record=True)
    table = pa.table({"transcript": [by_id.transcript().to_json(), by_mailer.transcript().to_json()]})
    stored = franking.Blacklists(recipient=franking.DomainSet([SEVEN.email.partition("@")[2]]))
    rules = pa.table(franking.arrow.redecide(table, None, stored))["rule_now"].to_pylist()
    assert rules == ["recipient-domain-blacklisted"] * 2
    sender = franking.Blacklists(sender=franking.DomainSet(["sender.example"]))
    rules = pa.table(franking.arrow.redecide(table, None, sender))["rule_now"].to_pylist()
    assert rules == ["sender-domain-blacklisted"] * 2
