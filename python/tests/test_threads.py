"""Shared objects under threads: every answer is right, and nothing is lost."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hosts import MemoryHost, http_send_mail, request, send_mailer

import franking
from franking import Account, Commit

THREADS = 8


@pytest.fixture(autouse=True)
def _switch_often() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def hammer(work: Callable[[int], None]) -> None:
    """Runs the work on all threads at once. Raises the exception of any of them."""
    barrier = threading.Barrier(THREADS)

    def run(number: int) -> None:
        barrier.wait()
        work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(run, range(THREADS)))


def test_one_decision_is_read_by_many_threads() -> None:
    recipients = ",".join(f"n{n}@customer.example" for n in range(50))
    body = http_send_mail(*[request(to=recipients, body="a" * 1000)] * 80)
    decision = franking.decide("httpSendMail", body, MemoryHost())
    expected = decision.to_dict()
    plan = decision.plan
    assert plan is not None
    rows = plan.create
    shared = iter(rows)
    seen: list[str] = []

    def read(number: int) -> None:
        for _ in range(3):
            assert decision.to_dict() == expected
            assert len(rows) == 50 and rows[number].email == f"n{number}@customer.example"
            assert sum(len(message.recipients) for message in plan.messages) == 4000
        # One iterator gives each row to one of the threads.
        seen.extend(row.email for row in shared)

    hammer(read)
    assert sorted(seen) == sorted(row.email for row in rows)


def test_one_call_takes_each_answer_once_however_many_give_it() -> None:
    for body in (send_mailer(), http_send_mail(request(body="a" * 200_000))):
        operation = "httpSendMail" if b"requests" in body else "sendMailer"
        for _ in range(20):
            call = franking.Call(operation, body)
            taken: list[int] = []

            def answer(number: int, call: franking.Call = call, taken: list[int] = taken) -> None:
                try:
                    call.answer_account(Account())
                    taken.append(number)
                except franking.MisuseError:
                    pass
                repr(call)
                call.step()

            hammer(answer)
            assert len(taken) == 1
            assert isinstance(call.step(), franking.Questions)


def test_questions_domain_sets_and_policies_are_shared() -> None:
    blacklist = franking.DomainSet(f"d{n}.example" for n in range(1000))
    blacklists = franking.Blacklists(blacklist)
    policy = franking.Policy(batch="partial")
    body = http_send_mail(request(to=",".join(f"a@x.d{n}.example" for n in range(2000))))
    call = franking.Call("httpSendMail", body, policy)
    call.answer_account(Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    questions = step

    def ask(_number: int) -> None:
        for _ in range(5):
            assert len(questions.subscribers) == 2000
            found = blacklists.answer(questions, franking.Facts()).domains
            assert sum(map(bool, found)) == 1000
            assert blacklist.listed("x.y.d7.example") == "d7.example"
            assert policy == franking.Policy.from_json(policy.to_json())

    hammer(ask)


def driven(call: franking.Call, host: franking.Host) -> franking.Decision:
    while True:
        match call.step():
            case franking.AccountQuestion(key):
                call.answer_account(host.account(key))
            case franking.Questions() as questions:
                call.answer_facts(host.facts(questions))
            case franking.Plan():
                call.answer_commit(host.commit(call.begin_commit()))
            case franking.Decision() as decision:
                return decision


def test_however_many_threads_drive_one_call_its_plan_is_carried_out_once() -> None:
    class Slow(MemoryHost):
        def commit(self, plan: franking.Plan, /) -> Commit:
            carried_out.append(str(plan.to_dict()))
            sum(range(10_000))
            return Commit.done(1)

    for record in (False, True):
        for _ in range(20):
            carried_out: list[str] = []
            call = franking.Call("sendMailer", send_mailer(), record=record)
            barrier = threading.Barrier(THREADS)

            def drive(_number: int, call: franking.Call = call, barrier: threading.Barrier = barrier) -> None:
                barrier.wait()
                try:
                    assert driven(call, Slow()).failure in (None, "unknown")
                except franking.MisuseError:
                    pass

            hammer(drive)
            assert len(carried_out) == 1
            assert driven(call, Slow()).code == 200 and len(carried_out) == 1


def test_many_threads_decide_at_once() -> None:
    bodies = [
        send_mailer(),
        send_mailer(subID=8),
        http_send_mail(),
        b"{",
        http_send_mail(request(body="a" * 100_000)),
    ]
    operations = ["sendMailer", "sendMailer", "httpSendMail", "sendMailer", "httpSendMail"]
    expected = [200, 454, 200, 442, 200]

    def decide(_number: int) -> None:
        for _ in range(30):
            got = [
                franking.decide(operation, body, MemoryHost()).code
                for operation, body in zip(operations, bodies, strict=True)
            ]
            assert got == expected

    hammer(decide)


def test_bulk_checks_keep_their_order_on_any_number_of_threads() -> None:
    bodies = [send_mailer(subID=None, email=f"a{n}@b.example" if n % 3 else "bad") for n in range(10_000)]
    expected = [200 if n % 3 else 412 for n in range(10_000)]
    for threads in (None, 1, 2, 7, 0, 1000):
        assert [
            report.code for report in franking.preflight_many("sendMailer", iter(bodies), threads=threads)
        ] == expected
    assert list(franking.preflight_many("sendMailer", [])) == []


def test_bulk_checks_say_at_once_what_is_wrong_with_their_arguments() -> None:
    with pytest.raises(franking.InvalidError):
        franking.preflight_many("sendmailer", [])
    with pytest.raises(TypeError):
        list(franking.preflight_many("sendMailer", [5]))  # type: ignore[list-item]
