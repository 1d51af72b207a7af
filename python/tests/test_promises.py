"""The promises of docs/python.md about hosts, memory, processes and interpreters."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import shutil
import subprocess
import sys
import textwrap
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hosts import MemoryHost, send_mailer

import franking
from franking import Account, Commit, Facts, _franking

BODY = send_mailer(subID=None, email="new@customer.example")


def run(program: str, **environment: str) -> str:
    """The output of a separate program, which has to succeed."""
    command = [sys.executable, "-c", textwrap.dedent(program)]
    everything = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    done = subprocess.run(command, capture_output=True, check=False, text=True, env=everything)
    assert done.returncode == 0, done.stderr
    return done.stdout


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
