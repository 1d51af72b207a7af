"""No leaks: memory stays level over 100,000 calls."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest
from hosts import MemoryHost, http_send_mail, request, send_mailer

import franking

STATUS = Path("/proc/self/statm")
pytestmark = pytest.mark.skipif(not STATUS.exists(), reason="memory is read from /proc")

ACCEPTED = send_mailer(firstName="F", email="x")
REFUSED = send_mailer(subID=None, email="bad", fromName="\x01")
BATCH = http_send_mail(request(to="a@b.example,A@b.example,bad"), request(body="<a href=//x.example>"))
LISTED = franking.Blacklists(franking.DomainSet(["spam.example"]))
PARTIAL = franking.Policy(batch="partial")


def resident() -> int:
    gc.collect()
    # Without the pages of files: the system takes them away when it has little memory, and they come back when they are used.
    _, resident, of_files, *_ = STATUS.read_text().split()
    return (int(resident) - int(of_files)) * 4096


def decide_and_read(number: int) -> None:
    if number % 3 == 0:
        franking.decide("sendMailer", ACCEPTED, MemoryHost())
    elif number % 3 == 1:
        decision = franking.decide("httpSendMail", BATCH, MemoryHost(), PARTIAL)
        assert decision.plan is not None
        for message in decision.plan.messages:
            list(message.recipients)
        list(decision.refused)
        iter(decision.plan.create)
        _ = (decision.plan.debit, decision.asked, decision.explanation(), decision.to_dict())
    else:
        report = franking.preflight("sendMailer", REFUSED)
        list(report.violations)
        next(iter(report.warnings), None)


def misuse(number: int) -> None:
    call = franking.Call("sendMailer", ACCEPTED)
    try:
        call.answer_commit(franking.Commit.done(number))
    except franking.MisuseError:
        pass
    try:
        franking.Policy(max_bytes=0)
    except franking.PolicyError:
        pass
    franking.Address.parse("a@b.example")
    try:
        franking.Address.parse("bad")
    except franking.InvalidError:
        pass


def other_domains(number: int) -> None:
    html = "".join(f"<a href='//n{number}-{n}.shop.example'>" for n in range(5))
    call = franking.Call("httpSendMail", http_send_mail(request(body=html)))
    call.answer_account(franking.Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    found = LISTED.answer(step, franking.Facts()).domains
    assert len(found) > 5 and not any(found)


@pytest.mark.parametrize(
    ("work", "calls"), [(decide_and_read, 70_000), (misuse, 30_000), (other_domains, 20_000)]
)
def test_memory_stays_level(work: Callable[[int], None], calls: int) -> None:
    warm = calls // 5
    for number in range(warm):
        work(number)
    before = resident()
    for number in range(calls):
        work(number)
    grown = resident() - before
    # A leak of one object for each call would be several megabytes.
    assert grown < 1_500_000, f"{grown} bytes more after {calls} calls"
