"""The promises of docs/python.md about processes, threads, interpreters, exceptions and cancellation."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hosts import AsyncMemoryHost, MemoryHost, http_send_mail, request, send_mailer

import franking
from franking import Account, Commit, Facts, _franking

BODY = send_mailer(subID=None, email="new@customer.example")
NOTE = "before anything is sent again"


def run(program: str, **environment: str) -> str:
    """The output of a separate program, which has to succeed."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    everything = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    done = subprocess.run(command, capture_output=True, check=False, text=True, env=everything)
    assert done.returncode == 0, done.stderr
    return done.stdout


# Many calls.


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


# Hosts.


class Noting:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def account(self, key: str, /) -> Account | None:
        self.asked.append("account")
        return Account()

    def facts(self, questions: franking.Questions, /) -> Facts:
        self.asked.append("facts")
        return MemoryHost().facts(questions)

    def commit(self, plan: franking.Plan, /) -> Commit:
        self.asked.append("commit")
        return Commit.done(1)


@pytest.mark.parametrize("method", ["account", "facts", "commit"])
@pytest.mark.parametrize("how", ["missing", "not callable"])
def test_a_host_without_a_method_is_told_so_before_anything_begins(method: str, how: str) -> None:
    members = dict(vars(Noting))
    if how == "missing":
        del members[method]
    else:
        members[method] = 5
    host: Any = type("Lacking", (), members)()
    with pytest.raises(TypeError, match=f"Lacking has no {method}: nothing was begun"):
        franking.decide("sendMailer", BODY, host)
    with pytest.raises(TypeError, match=f"Lacking has no {method}: nothing was begun"):
        asyncio.run(franking.adecide("sendMailer", BODY, host))
    assert host.asked == []


def test_methods_may_be_attributes_of_the_host_or_be_found_by_it() -> None:
    class Found:
        def __init__(self, host: Noting) -> None:
            self.host = host

        def __getattr__(self, name: str) -> Any:
            return getattr(self.host, name)

    class Holding:
        account: Callable[[str], Account | None]

    inner = Noting()
    holding: Any = Holding()
    holding.account, holding.facts, holding.commit = inner.account, inner.facts, inner.commit
    found: Any = Found(inner)
    for host in (holding, found):
        assert franking.decide("sendMailer", BODY, host).code == 200

    class Failing(Found):
        def __getattr__(self, name: str) -> Any:
            raise ConnectionError

    failing: Any = Failing(inner)
    with pytest.raises(ConnectionError):
        franking.decide("sendMailer", BODY, failing)


def test_a_mapping_is_not_a_body_and_the_error_says_how_to_make_one() -> None:
    fields: Any = json.loads(BODY)
    for use in (franking.preflight, franking.Call):
        with pytest.raises(TypeError, match=r"not dict: write it as JSON, as json\.dumps does"):
            use("sendMailer", fields)
    assert franking.preflight("sendMailer", json.dumps(fields)).is_clean


# Cancellation.


@pytest.mark.parametrize("error", [asyncio.CancelledError(), KeyboardInterrupt(), SystemExit(1)])
def test_what_leaves_a_commit_that_is_not_an_error_carries_a_note(error: BaseException) -> None:
    class Leaving(MemoryHost):
        def commit(self, plan: franking.Plan, /) -> Commit:
            raise error

    with pytest.raises(type(error)) as left:
        franking.decide("sendMailer", BODY, Leaving())
    assert left.value is error and any(NOTE in note for note in error.__notes__)


@pytest.mark.parametrize(
    "body", [BODY, send_mailer(subID=None, email="new@customer.example", x="a" * 100_000)]
)
def test_a_task_that_is_cancelled_in_its_commit_carries_a_note(body: bytes) -> None:
    async def cancel() -> BaseException:
        begun = asyncio.Event()

        class Waiting(AsyncMemoryHost):
            async def commit(self, plan: franking.Plan, /) -> Commit:
                begun.set()
                return await asyncio.Future[Commit]()

        task = asyncio.create_task(franking.adecide("sendMailer", body, Waiting()))
        await begun.wait()
        task.cancel()
        try:
            await task
        except asyncio.CancelledError as error:
            return error
        raise AssertionError("it was not cancelled")

    assert any(NOTE in note for note in asyncio.run(cancel()).__notes__)


def test_a_task_that_is_cancelled_in_a_look_up_carries_no_note() -> None:
    class Leaving(MemoryHost):
        def account(self, key: str, /) -> Account | None:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError) as left:
        franking.decide("sendMailer", BODY, Leaving())
    assert not hasattr(left.value, "__notes__")


# Memory.


class Bytes(bytes):
    """A subclass, whose instances may refer to anything."""

    keeper: object


class Text(str):
    """The same of texts."""

    keeper: object


@pytest.mark.parametrize("make", [lambda: Bytes(BODY), lambda: Text(BODY.decode())])
def test_a_cycle_through_a_body_is_collected(make: Callable[[], Any]) -> None:
    body = make()
    body.keeper = [
        franking.preflight("sendMailer", body),
        franking.decide("sendMailer", body, MemoryHost()),
        franking.Call("sendMailer", body),
    ]
    gone = weakref.ref(body) if isinstance(body, Text) else None
    alive = [id(one) for one in gc.get_objects() if one is body.keeper]
    assert alive
    del body
    gc.collect()
    assert not any(type(one) in (Bytes, Text) for one in map(_referred, gc.get_objects()) if one is not None)
    assert gone is None or gone() is None


def _referred(thing: object) -> object:
    """The body of a `Preflight` in a list, else `None`."""
    return thing[0].body if type(thing) is list and thing and type(thing[0]) is franking.Preflight else None


def test_a_cycle_through_the_iterable_of_many_bodies_is_collected() -> None:
    def begin() -> weakref.ref[Iterator[bytes]]:
        def bodies() -> Iterator[bytes]:
            while True:
                yield BODY
                assert keeper

        source = bodies()
        reports = franking.preflight_many("sendMailer", source)
        keeper = [reports]
        assert next(reports).is_clean and next(reports).is_clean
        return weakref.ref(source)

    gone = begin()
    gc.collect()
    assert gone() is None


def test_a_body_of_a_subclass_is_read_by_its_own_bytes_whatever_the_subclass_says() -> None:
    class Lying(str):
        def encode(self, *_: Any, **__: Any) -> bytes:
            return b"{}"

    class LyingBytes(bytes):
        def __bytes__(self) -> bytes:
            return b"{}"

    for body in (Lying(BODY.decode()), LyingBytes(BODY)):
        report = franking.preflight("sendMailer", body)
        assert report.is_clean and type(report.body) is bytes and report.body == BODY


def test_importing_the_package_loads_no_event_loop() -> None:
    loaded = run("""
        import sys
        import franking
        list(franking.preflight_many("sendMailer", [b"{}"] * 3))
        print([name for name in ("asyncio", "concurrent.futures", "trio", "anyio") if name in sys.modules])
    """)
    assert loaded.strip() == "[]"


# Processes and interpreters.


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_made_by_fork_goes_on_with_what_its_parent_has() -> None:
    """Runs in a separate program, because this one has threads."""
    shown = run(
        """
        import os, sys
        sys.path.insert(0, os.environ["TESTS"])
        from hosts import MemoryHost, http_send_mail, send_mailer
        import franking

        call = franking.Call("sendMailer", send_mailer())
        call.answer_account(franking.Account())
        large = http_send_mail(*[{}] * 20_000)
        rows = franking.preflight("httpSendMail", large).violations
        reports = franking.preflight_many("sendMailer", [send_mailer()] * 2_000, threads=2)
        next(reports)
        child = os.fork()
        host = MemoryHost()
        call.answer_facts(host.facts(call.step()))
        call.answer_commit(host.commit(call.begin_commit()))
        assert call.decision.code == 200 and rows[-1].code == rows[0].code
        assert sum(report.is_clean for report in reports) == 1_999
        assert len(franking.preflight("httpSendMail", large).violations) == len(rows)
        if child == 0:
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert status == 0
        print("both")
    """,
        TESTS=str(Path(__file__).resolve().parent),
    )
    assert shown == "both\n"


def test_a_sub_interpreter_is_refused_with_an_import_error() -> None:
    shown = run("""
        try:
            import _interpreters as interpreters
        except ImportError:
            import _xxsubinterpreters as interpreters
        import franking

        number = interpreters.create()
        run = getattr(interpreters, "run_string", None) or interpreters.exec
        ended = None
        try:
            ended = run(number, '''
        try:
            import franking
        except ImportError as error:
            pass
        else:
            raise SystemError("it was imported")
        ''')
        except Exception as error:
            ended = error
        assert ended is None, ended
        interpreters.destroy(number)
        print(franking.preflight("sendMailer", b"{}").code.value)
    """)
    assert shown == "402\n"


def test_a_second_copy_under_another_name_is_refused(tmp_path: Path) -> None:
    home = Path(franking.__file__).parent
    shutil.copytree(home, tmp_path / "vendored")
    said = run(
        """
        import franking
        try:
            import vendored
        except ImportError as error:
            print(error)
        """,
        PYTHONPATH=os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
    )
    assert "only as franking" in said


def test_the_extension_exports_nothing_that_the_c_library_has() -> None:
    """One process can load both libraries: neither uses the functions of the other."""
    extension = ctypes.CDLL(_franking.__file__)
    assert hasattr(extension, "PyInit__franking")
    for name in ("franking_version", "franking_policy_new", "franking_call_new", "franking_preflight_new"):
        assert not hasattr(extension, name)


def test_numbers_of_64_bits_come_through_whole() -> None:
    largest = 2**63 - 1
    for number in (2**53 + 1, largest):
        subscriber = franking.Subscriber(number, "a@customer.example", False, None)
        host = MemoryHost(by_id={number: subscriber})
        plan = franking.decide("sendMailer", send_mailer(subID=number), host).plan
        assert plan is not None and plan.messages[0].recipients[0].subscriber == number
    assert sys.maxsize > 2**32


# Exceptions.


@pytest.mark.parametrize("method", ["account", "facts"])
def test_what_a_look_up_raises_is_passed_on_as_it_is(method: str) -> None:
    error = ConnectionError("down")

    class Down(MemoryHost):
        def __getattribute__(self, name: str) -> Any:
            return super().__getattribute__(name)

    def fail(*_: object) -> Any:
        raise error

    host: Any = type("Failing", (Down,), {method: fail})()
    with pytest.raises(ConnectionError) as raised:
        franking.decide("sendMailer", BODY, host)
    assert raised.value is error and not isinstance(error, franking.FrankingError)


# Event loops.


LARGE = http_send_mail(*[request(to=f"n{n}@customer.example", body="a" * 2000) for n in range(100)])


def watched() -> tuple[Any, list[int], list[int]]:
    """A host, the number of turns of the loop, and that number at each call of a method of the host."""
    turns, seen = [0], []

    class Watched(AsyncMemoryHost):
        async def account(self, key: str, /) -> Account | None:
            seen.append(turns[0])
            return await super().account(key)

        async def facts(self, questions: franking.Questions, /) -> Facts:
            seen.append(turns[0])
            return await super().facts(questions)

        async def commit(self, plan: franking.Plan, /) -> Commit:
            seen.append(turns[0])
            assert threading.current_thread() is threading.main_thread()
            return await super().commit(plan)

    return Watched(), turns, seen


@pytest.mark.skipif(importlib.util.find_spec("trio") is None, reason="trio is not there")
def test_a_large_body_lets_the_loop_of_trio_turn() -> None:
    import trio

    host, turns, seen = watched()

    async def turn() -> None:
        while True:
            turns[0] += 1
            await trio.lowlevel.checkpoint()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(turn)
            await trio.lowlevel.checkpoint()
            seen.append(turns[0])
            assert (await franking.adecide("httpSendMail", LARGE, host)).code == 200
            nursery.cancel_scope.cancel()

    trio.run(main)
    begun, account, facts, commit = seen
    assert begun < account < facts < commit


@pytest.mark.skipif(importlib.util.find_spec("anyio") is None, reason="anyio is not there")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_commit_that_anyio_or_trio_ends_does_not_invite_to_send_again(backend: str) -> None:
    if importlib.util.find_spec(backend) is None:
        pytest.skip(f"{backend} is not there")
    import anyio

    class Hangs(AsyncMemoryHost):
        scope: Any = None

        async def commit(self, plan: franking.Plan, /) -> franking.Commit:
            # The caller's time is over while the host carries out the plan.
            self.scope.deadline = -math.inf
            await anyio.sleep_forever()
            raise AssertionError

    fail_after: list[tuple[Any, type[Exception]]] = [(anyio.fail_after, TimeoutError)]
    if backend == "trio":
        import trio

        fail_after.append((trio.fail_after, trio.TooSlowError))

    async def main() -> None:
        for ends, gives_up in fail_after:
            host = Hangs()
            with pytest.raises(gives_up) as raised, ends(math.inf) as host.scope:
                await franking.adecide("sendMailer", send_mailer(), host)
            said = franking.http_answer("sendMailer", raised.value)
            assert (said.status, said.headers) == (503, {})

    anyio.run(main, backend=backend)


@pytest.mark.skipif(importlib.util.find_spec("anyio") is None, reason="anyio is not there")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_large_body_lets_the_loop_of_anyio_turn(backend: str) -> None:
    if importlib.util.find_spec(backend) is None:
        pytest.skip(f"{backend} is not there")
    import anyio
    import anyio.lowlevel

    host, turns, seen = watched()

    async def turn() -> None:
        while True:
            turns[0] += 1
            await anyio.lowlevel.checkpoint()

    async def main() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(turn)
            await anyio.lowlevel.checkpoint()
            seen.append(turns[0])
            assert (await franking.adecide("httpSendMail", LARGE, host)).code == 200
            group.cancel_scope.cancel()

    anyio.run(main, backend=backend)
    begun, account, facts, commit = seen
    assert begun < account < facts < commit


@pytest.mark.skipif(importlib.util.find_spec("trio") is None, reason="trio is not there")
def test_a_task_of_trio_that_is_cancelled_in_its_commit_carries_a_note() -> None:
    import trio

    notes: list[str] = []

    async def main() -> None:
        with trio.CancelScope() as scope:

            class Waiting(AsyncMemoryHost):
                async def commit(self, plan: franking.Plan, /) -> Commit:
                    scope.cancel()
                    await trio.lowlevel.checkpoint()
                    raise AssertionError("it was not cancelled")

            try:
                await franking.adecide("sendMailer", BODY, Waiting())
            except trio.Cancelled as error:
                notes.extend(error.__notes__)
                raise

    trio.run(main)
    assert any(NOTE in note for note in notes)


# Faults of the library.

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
    """A host after whose commit the library fails. With an error, the commit raises it."""

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
    """An exception of a host. The decision cannot be set."""

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
    # The fault is of that one reading.
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
    # A fault before any plan was handed out, which leaves nothing to look at.
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
