"""The HTTP answers follow the library's table: for each way in which a call can end, by each function that
gives them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hosts import MemoryHost, http_send_mail, send_mailer

import franking
from franking import Commit, Conflict, Undecided

ENDED = {"Sunset": "Tue, 30 Apr 2024 23:59:59 GMT", "Deprecation": "@1714521599"}
BODIES = {"sendMailer": send_mailer(), "httpSendMail": http_send_mail()}
JSON = {"Content-Type": "application/json"}
AGAIN = {"Retry-After": "5"}


def also(operation: str, headers: dict[str, str]) -> dict[str, str]:
    """The headers, together with those of a deprecated operation."""
    return {**headers, **(ENDED if operation == "httpSendMail" else {})}


@pytest.mark.parametrize("operation", BODIES)
def test_a_call_with_a_code_is_answered_by_its_response(operation: str) -> None:
    for body in (BODIES[operation], b"{}", b"{"):
        decision = franking.decide(operation, body, MemoryHost())
        answer = decision.http()
        assert (answer.status, answer.headers) == (200, also(operation, JSON))
        assert answer.body.decode() == decision.response


@pytest.mark.parametrize("operation", BODIES)
@pytest.mark.parametrize(
    ("commit", "status", "headers"),
    [
        (Commit.conflict(Conflict.OTHER), 503, AGAIN),
        (Commit.unknown(), 503, {}),
        (Commit.done(0), 503, {}),
    ],
)
def test_a_call_without_a_code_invites_to_send_it_again_only_where_nothing_was_carried_out(
    operation: str, commit: Commit, status: int, headers: dict[str, str]
) -> None:
    answer = franking.decide(operation, BODIES[operation], MemoryHost(commits=[commit] * 3)).http()
    assert (answer.status, answer.headers, answer.body) == (status, also(operation, headers), b"")


@pytest.mark.parametrize("operation", BODIES)
@pytest.mark.parametrize(
    ("outcome", "status", "headers"),
    [
        (ConnectionError(), 503, AGAIN),
        (KeyError("a fault of a look-up"), 503, AGAIN),
        (Undecided.UNDONE, 503, AGAIN),
        (franking.CommitUnknownError(), 503, {}),
        (Undecided.UNKNOWN, 503, {}),
        (0, 503, {}),
        (-1, 503, {}),
        (2**53, 503, {}),
        (2**70, 503, {}),
        (franking.MisuseError(), 500, {}),
        (franking.InternalError(), 500, {}),
        (Undecided.FAULT, 500, {}),
    ],
)
def test_a_call_without_a_decision_is_answered_by_what_became_of_it(
    operation: str, outcome: Any, status: int, headers: dict[str, str]
) -> None:
    answer = franking.http_answer(operation, outcome)
    assert (answer.status, answer.headers, answer.body) == (status, also(operation, headers), b"")


def raised_from(error: BaseException) -> Exception:
    try:
        raise ValueError("another one") from error
    except ValueError as raised:
        return raised


def raised_while_handling(error: BaseException) -> Exception:
    try:
        try:
            raise error
        finally:
            raise ValueError("another one")
    except ValueError as raised:
        return raised


def noted() -> BaseException:
    """The exception with which a task ends that was cancelled while the host carried out a plan."""

    async def test() -> BaseException:
        class Waiting:
            async def account(self, key: str, /) -> franking.Account | None:
                return MemoryHost().account(key)

            async def facts(self, questions: franking.Questions, /) -> franking.Facts:
                return MemoryHost().facts(questions)

            async def commit(self, plan: franking.Plan, /) -> Commit:
                began.set()
                await asyncio.Event().wait()
                raise AssertionError

        began = asyncio.Event()
        task = asyncio.create_task(franking.adecide("sendMailer", send_mailer(), Waiting()))
        await began.wait()
        task.cancel()
        await asyncio.wait([task])
        try:
            task.result()
        except asyncio.CancelledError as error:
            return error
        raise AssertionError

    return asyncio.run(test())


@pytest.mark.parametrize("inner", [franking.CommitUnknownError, noted])
@pytest.mark.parametrize(
    "outer",
    [
        raised_from,
        raised_while_handling,
        lambda error: ExceptionGroup("several", [ValueError(), raised_from(error)]),
        lambda error: raised_from(BaseExceptionGroup("several", [error])),
    ],
)
def test_an_exception_that_was_raised_because_of_an_unknown_commit_does_not_invite_to_send_the_call_again(
    inner: Callable[[], BaseException], outer: Callable[[BaseException], Exception]
) -> None:
    answer = franking.http_answer("sendMailer", outer(inner()))
    assert (answer.status, answer.headers) == (503, {})


def test_exceptions_that_were_raised_from_each_other_in_a_circle_are_looked_at_once() -> None:
    one, other = ValueError(), ValueError()
    one.__cause__, other.__cause__ = other, one
    assert franking.http_answer("sendMailer", one).headers == AGAIN


def test_what_decide_raises_is_answered_as_its_decision_would_be() -> None:
    class Lost(MemoryHost):
        def commit(self, plan: franking.Plan, /) -> Commit:
            raise ConnectionError

    with pytest.raises(franking.CommitUnknownError) as raised:
        franking.decide("sendMailer", send_mailer(), Lost())
    assert raised.value.decision is not None
    assert franking.http_answer("sendMailer", raised.value) == raised.value.decision.http()


@pytest.mark.parametrize("operation", BODIES)
@pytest.mark.parametrize("record", [False, True])
def test_a_call_by_hand_is_answered_whatever_became_of_it(operation: str, record: bool) -> None:
    def answered(call: franking.Call, error: Exception | None, status: int, headers: dict[str, str]) -> None:
        answer = call.http(error)
        assert (answer.status, answer.headers) == (status, also(operation, headers))

    def before_its_commit() -> franking.Call:
        call = franking.Call(operation, BODIES[operation], record=record)
        call.answer_account(franking.Account())
        step = call.step()
        assert isinstance(step, franking.Questions)
        call.answer_facts(MemoryHost().facts(step))
        return call

    down = ConnectionError()
    for call in (franking.Call(operation, BODIES[operation], record=record), before_its_commit()):
        answered(call, down, 503, AGAIN)
        answered(call, franking.MisuseError(), 500, {})
        answered(call, None, 500, {})
    # Once the plan is handed out, nobody may send the call again, whatever was raised.
    call.begin_commit()
    for error in (down, franking.MisuseError(), None):
        answered(call, error, 503, {})
    # A conflict says that nothing was carried out.
    call.answer_commit(Commit.conflict(Conflict.OTHER))
    answered(call, down, 503, AGAIN)
    call = before_its_commit()
    with pytest.raises(franking.CommitUnknownError) as raised:
        call.answer_commit(None)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    answered(call, raised.value, 503, {})
    call = before_its_commit()
    call.answer_commit(Commit.done(1))
    answered(call, down, 200, JSON)
    assert call.decision is not None and call.http() == call.decision.http()
    answered(franking.Call(operation, b"{}"), None, 200, JSON)
    wrong: Any
    for wrong in (5, Undecided.UNDONE, KeyboardInterrupt(), ConnectionError):
        with pytest.raises(TypeError, match="error has to be an Exception, not"):
            call.http(wrong)


def test_an_accepted_call_is_answered_by_its_id_before_it_is_decided() -> None:
    for policy in (franking.Policy(), franking.Policy(answer_values="numbers")):
        host = MemoryHost(commits=[Commit.done(77)])
        decision = franking.decide("sendMailer", send_mailer(), host, policy)
        assert franking.http_answer("sendMailer", 77, policy) == decision.http()


def test_a_body_that_the_host_has_not_read_is_answered_by_its_size() -> None:
    assert franking.http_answer("sendMailer", Undecided.TOO_LARGE).status == 413
    answer = franking.http_answer("httpSendMail", Undecided.TOO_LARGE)
    assert answer.status == 200 and franking.Response.read(answer.body).code == 454


def test_an_answer_shows_nothing_of_its_body_and_what_is_none_is_refused() -> None:
    answer = franking.decide("sendMailer", send_mailer(), MemoryHost()).http()
    assert "transactionId" not in repr(answer)
    wrong: Any
    for wrong in (None, True, 1.5, KeyboardInterrupt(), franking.CommitUnknownError):
        with pytest.raises(TypeError, match="outcome has to be"):
            franking.http_answer("sendMailer", wrong)
    for wrong in ("sent", "\ud800"):
        with pytest.raises(franking.InvalidError, match="Undecided"):
            franking.http_answer("sendMailer", wrong)
    for outcome in Undecided:
        word: Any = outcome.value.replace("-", "_")
        answer = franking.http_answer("sendMailer", outcome)
        assert franking.http_answer("sendMailer", word) == answer
    with pytest.raises(franking.InvalidError, match="sendMailer"):
        franking.http_answer("sendmailer", Undecided.FAULT)
