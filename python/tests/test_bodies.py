"""The types of a body, and the treatment of its bytes."""

from __future__ import annotations

import array
import mmap
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hosts import MemoryHost, http_send_mail, request, send_mailer

import franking

BODY = send_mailer(email="not an address", subID=None)
# The system decides when a runnable thread continues. On a busy machine it may take many attempts.
ATTEMPTS = 50


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        bytearray(BODY),
        memoryview(BODY),
        BODY.decode(),
        memoryview(BODY + b"x")[:-1],
        array.array("B", BODY),
    ],
    ids=["bytes", "bytearray", "memoryview", "str", "part of a memoryview", "array"],
)
def test_bytes_text_and_what_lends_bytes_are_bodies(body: Any) -> None:
    report = franking.preflight("sendMailer", body)
    assert report.code == 412
    assert report.body == BODY


def test_a_mapped_file_is_a_body(tmp_path: Path) -> None:
    path = tmp_path / "body.json"
    path.write_bytes(BODY)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert franking.preflight("sendMailer", mapped).code == 412


@pytest.mark.parametrize("body", [None, 5, ["{"], {"apiKey": "k"}, object()])
def test_anything_else_is_a_type_error(body: Any) -> None:
    for use in (franking.preflight, franking.Call):
        with pytest.raises(TypeError, match="body has to be bytes"):
            use("sendMailer", body)


def test_bytes_are_not_copied() -> None:
    body = bytes(http_send_mail(request(body="a" * 3_000_000)))
    before = sys.getrefcount(body)
    report = franking.preflight("httpSendMail", body)
    assert report.body is body
    assert sys.getrefcount(body) == before + 1
    decision = franking.decide("httpSendMail", body, MemoryHost())
    assert sys.getrefcount(body) == before + 2
    del report, decision
    assert sys.getrefcount(body) == before


def test_a_body_that_may_change_is_copied() -> None:
    body = bytearray(BODY)
    report = franking.preflight("sendMailer", body)
    body[:] = b"{}"
    assert report.code == 412 and report.body == BODY


def test_half_of_a_surrogate_pair_is_no_utf_8_and_the_rules_say_so() -> None:
    report = franking.preflight("sendMailer", '{"apiKey":"\ud800"}')
    assert [row.rule for row in report.violations] == ["body-not-json"]


def test_what_is_read_keeps_the_body_alive_and_lets_it_go() -> None:
    body = http_send_mail(request()).decode()
    before = sys.getrefcount(body)
    decision = franking.decide("httpSendMail", body, MemoryHost())
    assert decision.plan is not None
    message = decision.plan.messages[0]
    del decision
    assert sys.getrefcount(body) > before and message.html == "<p>Hi"
    del message
    assert sys.getrefcount(body) == before


def check_a_body() -> Callable[[], object]:
    links = '<a href="https://www.example.com/page">x</a>' * 200
    requests = [request(body=franking.html_encode(links), to=f"n{n}@customer.example") for n in range(900)]
    body = http_send_mail(*requests)
    assert len(body) > 8_000_000
    return lambda: franking.preflight("httpSendMail", body)


def split_a_list() -> Callable[[], object]:
    addresses = "somebody@customer.example, " * 50_000
    return lambda: franking.address_entries(addresses)


@pytest.mark.parametrize("long_work", [check_a_body, split_a_list])
def test_long_work_lets_other_threads_run(long_work: Callable[[], Callable[[], object]]) -> None:
    work = long_work()
    asked, answered = threading.Semaphore(0), threading.Semaphore(0)
    turns = 0

    def take_turns() -> None:
        nonlocal turns
        while asked.acquire() and not is_over:
            turns += 1
            answered.release()

    is_over = False
    thread = threading.Thread(target=take_turns, daemon=True)
    interval = sys.getswitchinterval()
    # With this interval no thread is asked to release the interpreter during the test.
    sys.setswitchinterval(3600)
    try:
        thread.start()
        for attempt in range(ATTEMPTS):
            # The other thread can continue as soon as this one releases the interpreter: during the work, or
            # only at `answered`.
            asked.release()
            work()
            has_run = turns > attempt
            answered.acquire()
            if has_run:
                break
        else:
            pytest.fail("no other thread ran during the work")
    finally:
        is_over = True
        asked.release()
        sys.setswitchinterval(interval)
    thread.join()
