"""No leaks: memory stays level over 35,000 calls.

The calls are made in an interpreter of their own. In the one that runs the tests, cycles of all other tests lie in the same
pages, and a page more or less of those says nothing about the calls.
"""

from __future__ import annotations

import gc
import subprocess
import sys
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


def growth(work: str, calls: int) -> int:
    """By how many bytes memory grows over these calls, after a fifth of them."""
    one = {one.__name__: one for one in (decide_and_read, misuse, other_domains)}[work]
    for number in range(calls // 5):
        one(number)
    before = resident()
    for number in range(calls):
        one(number)
    return resident() - before


@pytest.mark.parametrize(
    ("work", "calls"), [("decide_and_read", 20_000), ("misuse", 10_000), ("other_domains", 5_000)]
)
def test_memory_stays_level(work: str, calls: int) -> None:
    command = [sys.executable, __file__, work, str(calls)]
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    assert done.returncode == 0, done.stderr
    # A leak of one object for each call would be more: an object has at least 16 bytes, and most have 50 and more.
    assert int(done.stdout) < 20 * calls, f"{done.stdout} bytes more after {calls} calls"


if __name__ == "__main__":
    sys.stdout.write(str(growth(sys.argv[1], int(sys.argv[2]))))
