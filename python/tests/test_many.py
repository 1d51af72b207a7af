"""Many calls are checked in order, and what came before a fault of the iterable is reported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hosts import send_mailer

import franking

BODY = send_mailer(subID=None, email="new@customer.example")


def test_a_live_stream_is_followed_each_report_comes_before_the_next_body_is_asked_for() -> None:
    events: list[str] = []

    def stream() -> Iterator[bytes]:
        for number in range(5):
            events.append(f"body {number}")
            yield BODY

    for number, report in enumerate(franking.preflight_many("sendMailer", stream())):
        events.append(f"report {number}")
        assert report.is_clean
    assert events == [f"{what} {number}" for number in range(5) for what in ("body", "report")]


@pytest.mark.parametrize("threads", [None, 1, 2, 7])
@pytest.mark.parametrize("before", [0, 1, 99, 600])
@pytest.mark.parametrize("live", [False, True])
def test_every_body_before_one_that_cannot_be_is_reported(
    threads: int | None, before: int, live: bool
) -> None:
    wrong: Any = [BODY] * before + [5, BODY]
    reports: list[franking.Preflight] = []
    with pytest.raises(TypeError, match="body has to be bytes, str, or an object that lends bytes, not int"):
        reports.extend(franking.preflight_many("sendMailer", iter(wrong) if live else wrong, threads=threads))
    assert [report.code for report in reports] == [200] * before


@pytest.mark.parametrize("before", [0, 1, 70, 700])
def test_large_bodies_of_a_list_are_checked_on_all_cores_in_order(before: int) -> None:
    def body(number: int) -> bytes:
        return send_mailer(subID=None, email=f"a{number}@b.example" if number % 3 else "bad", x="x" * 4000)

    bodies = [body(number) for number in range(before)]
    wrong: Any = 5
    expected = [200 if number % 3 else 412 for number in range(before)]
    assert [report.code for report in franking.preflight_many("sendMailer", bodies)] == expected
    reports: list[franking.Preflight] = []
    with pytest.raises(TypeError, match="not int"):
        reports.extend(franking.preflight_many("sendMailer", [*bodies, wrong, b"{}"]))
    assert [report.code for report in reports] == expected


@pytest.mark.parametrize("threads", [None, 1, 2])
def test_every_body_before_what_the_iterable_raises_is_reported(threads: int | None) -> None:
    def failing() -> Iterator[bytes]:
        yield from [BODY] * 50
        raise ConnectionError("the stream broke")

    reports: list[franking.Preflight] = []
    with pytest.raises(ConnectionError, match="the stream broke"):
        reports.extend(franking.preflight_many("sendMailer", failing(), threads=threads))
    assert len(reports) == 50


def test_one_body_is_not_taken_for_many() -> None:
    for body in (BODY, BODY.decode(), bytearray(BODY)):
        with pytest.raises(TypeError, match="not one body"):
            franking.preflight_many("sendMailer", body)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
