"""Faults of the library at each moment of a call: the exception says whether the call may be sent again."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hosts import AsyncMemoryHost, MemoryHost, send_mailer

import franking
from franking import Account, Commit, _franking

BODY = send_mailer(subID=None, email="new@customer.example")

needs_faults = pytest.mark.skipif(
    not hasattr(_franking, "_panic_next"), reason="a package that is shipped has no switch for faults"
)


def next_panics(which: int = 1) -> None:
    """Makes the library fail in the next work, or in a later one."""
    getattr(_franking, "_panic_next")(which)  # noqa: B009


@needs_faults
def test_a_fault_of_the_library_is_an_internal_error_of_one_check_alone() -> None:
    next_panics()
    with pytest.raises(franking.InternalError):
        franking.preflight("sendMailer", BODY)
    assert franking.preflight("sendMailer", BODY).is_clean


@needs_faults
def test_a_call_in_which_the_library_fails_stays_undecided_and_other_calls_go_on() -> None:
    call, other = (franking.Call("sendMailer", BODY) for _ in range(2))
    next_panics()
    with pytest.raises(franking.InternalError):
        call.answer_account(Account())
    with pytest.raises(franking.InternalError):
        call.step()
    other.answer_account(Account())
    assert isinstance(other.step(), franking.Questions)


class FaultAfterCommit(MemoryHost):
    """The library fails after the commit of this host. If the host has an error, its commit raises it."""

    error: Exception | None = None
    which = 1

    def commit(self, plan: franking.Plan, /) -> Commit:
        done = super().commit(plan)
        next_panics(self.which)
        if self.error is not None:
            raise self.error
        return done


def decided(host: FaultAfterCommit, is_async: bool, record: bool) -> franking.Decision:
    if is_async:
        return asyncio.run(franking.adecide("sendMailer", BODY, AsyncMemoryHost(host), record=record))
    return franking.decide("sendMailer", BODY, host, record=record)


def lets_nobody_send_again(answer: franking.HttpAnswer) -> bool:
    return (answer.status, answer.headers) == (503, {})


@needs_faults
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("record", [False, True])
def test_a_fault_after_a_commit_is_unknown_and_nobody_may_send_again(is_async: bool, record: bool) -> None:
    with pytest.raises(franking.CommitUnknownError) as unknown:
        decided(FaultAfterCommit(), is_async, record)
    assert isinstance(unknown.value.__cause__, franking.InternalError)
    decision = unknown.value.decision
    assert decision is not None and decision.failure is franking.Failure.UNKNOWN
    assert lets_nobody_send_again(franking.http_answer("sendMailer", unknown.value))


@needs_faults
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("record", [False, True])
def test_a_fault_after_the_answer_to_a_commit_is_unknown_as_well(is_async: bool, record: bool) -> None:
    host = FaultAfterCommit()
    host.which = 2
    with pytest.raises(franking.CommitUnknownError) as unknown:
        decided(host, is_async, record)
    assert isinstance(unknown.value.__cause__, franking.InternalError)
    assert lets_nobody_send_again(franking.http_answer("sendMailer", unknown.value))


class TakesNoDecision(franking.CommitUnknownError):
    """An exception of a host whose attribute `decision` cannot be set."""

    def __setattr__(self, name: str, value: object) -> None:
        if name == "decision" and value is not None:
            raise AttributeError(name)
        super().__setattr__(name, value)


class TakesNoNote(BaseException):
    def add_note(self, note: str, /) -> None:
        raise AttributeError(note)


class Raises(MemoryHost):
    """A host whose commit raises after the plan was carried out."""

    error: BaseException

    def commit(self, plan: franking.Plan, /) -> Commit:
        super().commit(plan)
        raise self.error


@pytest.mark.parametrize("is_async", [False, True])
def test_an_exception_of_a_commit_that_takes_no_decision_or_note_is_not_replaced(is_async: bool) -> None:
    host = Raises()

    def decide() -> None:
        if is_async:
            asyncio.run(franking.adecide("sendMailer", BODY, AsyncMemoryHost(host)))
        else:
            franking.decide("sendMailer", BODY, host)

    host.error = TakesNoDecision("the host's own")
    with pytest.raises(franking.CommitUnknownError) as unknown:
        decide()
    assert unknown.value.__cause__ is host.error
    assert unknown.value.decision is not None
    assert lets_nobody_send_again(franking.http_answer("sendMailer", unknown.value))
    host.error = TakesNoNote()
    with pytest.raises(TakesNoNote):
        decide()


@needs_faults
@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("error", [ConnectionError(), franking.CommitUnknownError("the host's own")])
def test_a_fault_after_a_commit_that_raised_hides_nothing(is_async: bool, error: Exception) -> None:
    host = FaultAfterCommit()
    host.error = error
    with pytest.raises(franking.CommitUnknownError) as unknown:
        decided(host, is_async, record=False)
    assert error in (unknown.value, unknown.value.__cause__)
    decision = unknown.value.decision
    if is_async:
        # The library failed when `adecide` read the decision.
        assert decision is None
    else:
        assert decision is not None
        with pytest.raises(franking.InternalError):
            _ = decision.failure
        assert decision.failure is franking.Failure.UNKNOWN
    assert lets_nobody_send_again(franking.http_answer("sendMailer", unknown.value))


def at_commit(record: bool) -> franking.Call:
    call, host = franking.Call("sendMailer", BODY, record=record), MemoryHost()
    call.answer_account(Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    call.answer_facts(host.facts(step))
    return call


@needs_faults
@pytest.mark.parametrize("record", [False, True])
@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize("outcome", [Commit.done(5), Commit.conflict(franking.Conflict.OTHER), None])
def test_by_hand_a_fault_in_the_answer_to_a_plan_ends_the_call_as_unknown(
    record: bool, begun: bool, kept: bool, outcome: Any
) -> None:
    call = at_commit(record)
    plan = call.begin_commit() if begun else call.step()
    assert isinstance(plan, franking.Plan)
    if not kept:
        del plan
    next_panics()
    with pytest.raises(franking.CommitUnknownError) as unknown:
        call.answer_commit(outcome)
    assert isinstance(unknown.value.__cause__, franking.InternalError)
    for decision in (unknown.value.decision, call.decision, call.step()):
        assert isinstance(decision, franking.Decision) and decision.failure is franking.Failure.UNKNOWN
        assert lets_nobody_send_again(decision.http())
    assert lets_nobody_send_again(franking.http_answer("sendMailer", unknown.value))
    assert lets_nobody_send_again(call.http(unknown.value))
    if record:
        assert call.transcript().to_dict()["steps"][-1]["answer"] == {"commit": {"unknown": True}}
    # The plan cannot be carried out a second time.
    with pytest.raises(franking.MisuseError, match="waits for nothing"):
        call.begin_commit()
    with pytest.raises(franking.MisuseError, match="waits for nothing"):
        call.answer_commit(Commit.done(5))


@needs_faults
def test_a_decision_that_a_fault_keeps_from_being_read_lets_nobody_send_again() -> None:
    decision = franking.decide("sendMailer", BODY, MemoryHost())
    next_panics()
    assert lets_nobody_send_again(decision.http())
    # Only that one reading fails.
    assert decision.http().status == 200


@needs_faults
def test_by_hand_a_fault_says_over_http_whether_a_plan_was_handed_out() -> None:
    for begun in (False, True):
        call = at_commit(record=False)
        if begun:
            call.begin_commit()
        # A fault while the decision is read.
        next_panics()
        answer = call.http(franking.InternalError())
        assert lets_nobody_send_again(answer) if begun else answer.status == 500
    # This fault comes before a plan was handed out, so nothing can have been carried out.
    call = at_commit(record=False)
    next_panics()
    with pytest.raises(franking.InternalError) as fault:
        call.begin_commit()
    assert call.http(fault.value).status == 500 and call.operation == "sendMailer"
    # A host that answers had a plan, which it may have read without `begin_commit`.
    with pytest.raises(franking.CommitUnknownError) as unknown:
        call.answer_commit(Commit.done(5))
    assert isinstance(unknown.value.__cause__, franking.InternalError)
    assert lets_nobody_send_again(call.http(unknown.value)) and lets_nobody_send_again(call.http(fault.value))
