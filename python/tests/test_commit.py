"""Commit is the point of no return: nothing is sent twice, in whatever way a host's commit fails and a
caller tries again."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import pytest
from failing import LEAVING, ORDINARY, SAID, DatabaseError, Failing, insist, raising, returning
from hosts import AsyncMemoryHost, MemoryHost, http_send_mail, send_mailer

import franking
from franking import Account, Asked, Commit, Conflict, Facts, Failure

BODY = send_mailer()
ONCE = Asked(account=1, facts=1, commits=1)
Drive = Callable[[franking.Call, MemoryHost], franking.Decision]


def by_decide(_call: franking.Call, host: MemoryHost, record: bool = False) -> franking.Decision:
    return franking.decide("sendMailer", BODY, host, record=record)


def by_adecide(_call: franking.Call, host: MemoryHost, record: bool = False) -> franking.Decision:
    return asyncio.run(franking.adecide("sendMailer", BODY, AsyncMemoryHost(host), record=record))


def by_hand(call: franking.Call, host: MemoryHost) -> franking.Decision:
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


DRIVERS: dict[str, tuple[Drive, bool]] = {
    "decide": (by_decide, False),
    "decide, recorded": (partial(by_decide, record=True), False),
    "adecide": (by_adecide, False),
    "adecide, recorded": (partial(by_adecide, record=True), False),
    "by hand": (by_hand, False),
    "by hand, recorded": (by_hand, True),
}
# The drivers that leave the call to the caller.
LEFT = {name: driver for name, driver in DRIVERS.items() if "decide" not in name}


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("point", ORDINARY)
def test_a_commit_that_fails_is_an_error_that_lets_nobody_send_again(point: str, driver: str) -> None:
    drive, record = DRIVERS[driver]
    call = franking.Call("sendMailer", BODY, record=record)
    host = Failing(ORDINARY[point])
    last = insist(lambda: drive(call, host))
    assert len(host.sent) <= 1
    if "by hand" in driver and point.startswith("raises"):
        # The caller's own loop gets the host's own error. The call has still ended, and its decision says so.
        assert isinstance(last, franking.Decision) and last.failure is Failure.UNKNOWN
        return
    assert host.committed == 1
    if isinstance(last, franking.Decision):
        assert "by hand" in driver and last.failure is Failure.UNKNOWN
    else:
        assert type(last) is franking.CommitUnknownError
        assert "not known whether the plan was carried out" in str(last)
        assert last.decision is not None and last.decision.failure is Failure.UNKNOWN
        assert (last.decision.code, last.decision.asked.commits) == (None, 1)
        if "recorded" in driver:
            ended = last.decision.transcript().replay().decision
            assert ended is not None and ended["error"] == "unknown"
        if point.startswith("raises"):
            assert last.__cause__ is not None
            assert not isinstance(last.__cause__, franking.CommitUnknownError)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("point", LEAVING)
@pytest.mark.parametrize("after", [False, True])
def test_what_is_no_error_goes_on_as_it_is(point: str, driver: str, after: bool) -> None:
    drive, record = DRIVERS[driver]
    call = franking.Call("sendMailer", BODY, record=record)
    host = Failing(raising(LEAVING[point], after=after))
    with pytest.raises(BaseException) as caught:
        drive(call, host)
    assert type(caught.value) is type(LEAVING[point])
    assert (host.committed, len(host.sent)) == (1, int(after))


@pytest.mark.parametrize("driver", LEFT)
@pytest.mark.parametrize("point", [*ORDINARY, *LEAVING])
def test_after_it_the_same_call_decides_nothing_any_more(point: str, driver: str) -> None:
    drive, record = LEFT[driver]
    commit = ORDINARY.get(point) or raising(LEAVING[point], after=True)
    call = franking.Call("sendMailer", BODY, record=record)
    host = Failing(commit)
    with pytest.raises((Exception, *map(type, LEAVING.values()))):
        drive(call, host)
    for _ in range(2):
        decision = by_hand(call, host)
        assert (decision.failure, decision.code, decision.response) == (Failure.UNKNOWN, None, None)
        assert (decision.plan, decision.rule, decision.asked) == (None, None, ONCE)
        assert "unknown" in repr(decision) and "nothing" in repr(call)
    assert (host.committed, len(host.sent)) == (1, 0 if point == "raises before" else 1)
    if record:
        transcript = call.transcript()
        assert transcript.to_dict()["steps"][-1]["answer"] == {"commit": {"unknown": True}}
        replay = transcript.replay()
        assert replay.steps == (True, True, True)
        assert replay.decision is not None and replay.decision["error"] == "unknown"


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("point", SAID)
def test_an_answer_that_cannot_be_ends_the_call_without_a_code(point: str, driver: str) -> None:
    drive, record = DRIVERS[driver]
    outcome, failure = SAID[point]
    call = franking.Call("sendMailer", BODY, record=record)
    host = Failing(returning(outcome))
    last = insist(lambda: drive(call, host))
    assert isinstance(last, franking.Decision)
    assert (last.failure, last.code, last.asked.commits) == (failure, None, 1)
    assert (host.committed, len(host.sent)) == (1, 1)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("point", ["account", "facts"])
@pytest.mark.parametrize("error", [DatabaseError(), asyncio.CancelledError()], ids=["error", "cancelled"])
def test_a_look_up_that_fails_is_passed_on_and_the_call_can_be_decided_again(
    point: str, driver: str, error: BaseException
) -> None:
    class Down(Failing):
        failed = False

        def account(self, key: str, /) -> Account | None:
            self.fail("account")
            return super().account(key)

        def facts(self, questions: franking.Questions, /) -> Facts:
            self.fail("facts")
            return super().facts(questions)

        def fail(self, asked: str) -> None:
            if asked == point and not self.failed:
                self.failed = True
                raise error

    drive, record = DRIVERS[driver]
    call = franking.Call("sendMailer", BODY, record=record)
    host = Down(returning(Commit.done(5)))
    with pytest.raises(type(error)) as caught:
        drive(call, host)
    assert caught.value is error
    assert drive(call, host).transaction_id == 5 and len(host.sent) == 1


@pytest.mark.parametrize("driver", DRIVERS)
def test_conflicts_are_tried_again_and_a_failure_among_them_is_the_end(driver: str) -> None:
    class Conflicting(Failing):
        def commit(self, plan: franking.Plan, /) -> Any:
            self.committed += 1
            if self.committed == 1:
                return Commit.conflict(Conflict.SUBSCRIBER_EXISTS)
            return self.failing(self.sent, plan)

    drive, record = DRIVERS[driver]
    call = franking.Call("sendMailer", BODY, record=record)
    host = Conflicting(returning(None))
    insist(lambda: drive(call, host))
    assert (host.committed, len(host.sent)) == (2, 1)
    host = Conflicting(returning(Commit.done(5)))
    decision = drive(franking.Call("sendMailer", BODY, record=record), host)
    assert (decision.transaction_id, host.committed, len(host.sent)) == (5, 2, 1)


def at_commit() -> tuple[franking.Call, MemoryHost]:
    call, host = franking.Call("sendMailer", BODY), MemoryHost()
    call.answer_account(host.account("key"))
    step = call.step()
    assert isinstance(step, franking.Questions)
    call.answer_facts(host.facts(step))
    return call, host


@pytest.mark.parametrize(
    "outcome", [None, True, 1, Conflict.OTHER, "unknown", [1], 1.5, "\ud800", Commit, object()], ids=str
)
def test_by_hand_whatever_is_given_for_a_commit_ends_the_call(outcome: Any) -> None:
    call, _ = at_commit()
    with pytest.raises(
        franking.CommitUnknownError, match="not known whether the plan was carried out"
    ) as caught:
        call.answer_commit(outcome)
    assert caught.value.decision is not None and caught.value.decision.failure is Failure.UNKNOWN
    assert call.decision is not None and call.decision.failure is Failure.UNKNOWN
    with pytest.raises(franking.MisuseError, match="waits for nothing"):
        call.answer_commit(Commit.done(5))


def test_the_error_says_what_was_given() -> None:
    for outcome, name in [(None, "NoneType"), (1, "int"), ([1], "list")]:
        with pytest.raises(franking.CommitUnknownError, match=f"not by {name}; it is not known"):
            franking.decide("sendMailer", BODY, Failing(returning(outcome)))


def test_by_hand_an_answer_of_another_kind_is_a_misuse_and_changes_nothing() -> None:
    call, host = at_commit()
    for begun in (False, True):
        if begun:
            plan = call.begin_commit()
            assert plan.debit.email == 1
        with pytest.raises(franking.MisuseError, match="waits for commit, but account"):
            call.answer_account(host.account("key"))
        with pytest.raises(franking.MisuseError, match="waits for commit, but facts"):
            call.answer_facts(Facts())
        assert isinstance(call.step(), franking.Decision if begun else franking.Plan)
    with pytest.raises(franking.MisuseError, match="begin_commit"):
        call.begin_commit()
    call.answer_commit(Commit.done(5))
    assert call.decision is not None and call.decision.transaction_id == 5


def test_a_plan_that_was_begun_can_be_read_until_nobody_has_it_any_more() -> None:
    call, _ = at_commit()
    plan = call.begin_commit()
    assert call.decision is not None and call.decision.failure is Failure.UNKNOWN
    before = plan.to_dict()
    call.answer_commit(Commit.conflict(Conflict.EMAIL_CREDIT))
    assert isinstance(call.step(), franking.AccountQuestion)
    assert plan.to_dict() == before and plan.messages[0].addresses == ("seven@customer.example",)


def test_by_hand_begin_commit_is_misuse_before_and_after() -> None:
    call = franking.Call("sendMailer", BODY)
    with pytest.raises(franking.MisuseError, match="waits for account"):
        call.begin_commit()
    call.answer_account(None)
    with pytest.raises(franking.MisuseError, match="waits for nothing"):
        call.begin_commit()


def test_a_conflict_that_cannot_happen_ends_the_call_whoever_drives() -> None:
    operation, body = "httpSendMail", http_send_mail()

    def impossible() -> Failing:
        return Failing(returning(Commit.conflict(Conflict.SUBSCRIBER_GONE)))

    decisions = [
        franking.decide(operation, body, impossible()),
        asyncio.run(franking.adecide(operation, body, AsyncMemoryHost(impossible()))),
        franking.decide(operation, body, impossible(), record=True),
        by_hand(franking.Call(operation, body), impossible()),
    ]
    assert [decision.failure for decision in decisions] == [Failure.UNKNOWN] * 4


def test_a_call_cannot_be_copied_so_that_its_plan_is_not_carried_out_twice() -> None:
    for record in (False, True):
        call = franking.Call("sendMailer", BODY, record=record)
        for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="its plan is carried out at most once"):
                duplicate(call)


def test_a_task_that_is_cancelled_while_commit_runs_sends_once_at_most() -> None:
    class Waiting(AsyncMemoryHost):
        def __init__(self, points: int) -> None:
            super().__init__()
            self.points = points
            self.sent: list[str] = []

        async def commit(self, plan: franking.Plan, /) -> Commit:
            for point in range(4):
                if point == 2:
                    self.sent.extend(plan.messages[0].addresses)
                if point == self.points:
                    waiting.set()
                    # clock: waits until it is cancelled, which comes much earlier
                    await asyncio.sleep(60)
            return Commit.done(1)

    async def cancel(points: int) -> int:
        host = Waiting(points)
        task = asyncio.create_task(franking.adecide("sendMailer", BODY, host))
        await waiting.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return len(host.sent)

    for points in range(4):
        waiting = asyncio.Event()
        assert asyncio.run(cancel(points)) == (points >= 2)


async def by_hand_asynchronously(call: franking.Call, host: franking.AsyncHost) -> franking.Decision:
    while True:
        match call.step():
            case franking.AccountQuestion(key):
                call.answer_account(await host.account(key))
            case franking.Questions() as questions:
                call.answer_facts(await host.facts(questions))
            case franking.Plan():
                call.answer_commit(await host.commit(call.begin_commit()))
            case franking.Decision() as decision:
                return decision


@pytest.mark.parametrize("record", [False, True])
def test_a_coroutine_that_is_dropped_while_commit_runs_leaves_a_call_that_has_ended(record: bool) -> None:
    class Suspended:
        def __await__(self) -> Generator[None, None, Commit]:
            yield
            return Commit.done(1)

    class Suspending(AsyncMemoryHost):
        sent = 0

        async def commit(self, plan: franking.Plan, /) -> Commit:
            self.sent += 1
            return await Suspended()

    call, host = franking.Call("sendMailer", BODY, record=record), Suspending()
    coroutine = by_hand_asynchronously(call, host)
    coroutine.send(None)
    assert call.decision is not None and call.decision.failure is Failure.UNKNOWN
    coroutine.close()
    again = asyncio.run(by_hand_asynchronously(call, host))
    assert (again.failure, again.asked, host.sent) == (Failure.UNKNOWN, ONCE, 1)


def test_the_plan_of_a_task_that_was_cancelled_while_commit_ran_can_still_be_read() -> None:
    kept: list[franking.Plan] = []

    class Kept(AsyncMemoryHost):
        async def commit(self, plan: franking.Plan, /) -> Commit:
            kept.append(plan)
            await asyncio.Future()
            return Commit.done(1)

    async def drive() -> None:
        await franking.adecide("sendMailer", BODY, Kept())

    async def start() -> None:
        task = asyncio.ensure_future(drive())
        # clock: yields to the task; the time does not matter
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(start())
    # The plan can still be read, for a look into the database.
    assert kept[0].messages[0].addresses == ("seven@customer.example",)


def test_a_sync_host_given_to_adecide_is_not_asked_twice() -> None:
    class HalfAsync(AsyncMemoryHost):
        sent = 0

        def commit(self, plan: franking.Plan, /) -> Any:
            self.sent += 1
            return Commit.done(1)

    host = HalfAsync()
    last = insist(lambda: asyncio.run(franking.adecide("sendMailer", BODY, host)))
    assert isinstance(last, franking.CommitUnknownError) and isinstance(last.__cause__, TypeError)
    assert host.sent == 1


def test_an_async_commit_of_a_sync_host_is_told_about_adecide() -> None:
    class HalfAsync(MemoryHost):
        async def commit(self, plan: franking.Plan, /) -> Any:  # type: ignore[override]
            return Commit.done(1)

    host: Any = HalfAsync()
    with (
        pytest.raises(franking.CommitUnknownError, match="adecide"),
        pytest.warns(RuntimeWarning, match="never awaited"),
    ):
        franking.decide("sendMailer", BODY, host)


def test_the_error_of_a_commit_shows_nothing_of_the_call() -> None:
    commit = raising(DatabaseError("UNIQUE failed: seven@customer.example"), after=True)
    with pytest.raises(franking.CommitUnknownError) as caught:
        franking.decide("sendMailer", BODY, Failing(commit))
    assert "customer.example" not in repr(caught.value)
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), franking.CommitUnknownError)
