"""The examples of the docstrings, of the guide and of the README run, and also work on other calls."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import dataclasses
import doctest
import functools
import importlib.util
import inspect
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import franking
from franking import _enums, _rows

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGES = [
    page
    for page in (
        HERE.parent / "README.md",
        ROOT / "README.md",
        ROOT / "docs" / "python.md",
        ROOT / "docs" / "python-host.md",
        ROOT / "docs" / "events.md",
        ROOT / "docs" / "checking.md",
    )
    if page.exists()
]


def documented() -> Iterator[tuple[str, str]]:
    """(name, docstring) of every public object."""
    for name in franking.__all__:
        thing = getattr(franking, name)
        yield name, inspect.getdoc(thing) or ""
        if isinstance(thing, type):
            for member_name, member in vars(thing).items():
                if not member_name.startswith("_"):
                    yield f"{name}.{member_name}", inspect.getdoc(member) or ""
    yield "franking", franking.__doc__ or ""
    yield "franking.arrow", franking.arrow.__doc__ or ""
    yield "franking.arrow.preflight", inspect.getdoc(franking.arrow.preflight) or ""


EXAMPLES = [(name, text) for name, text in documented() if ">>>" in text]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_examples_of_docstrings(name: str, text: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {"franking": franking}, name, None, None)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 0


def test_most_functions_have_an_example() -> None:
    functions = {name for name in franking.__all__ if inspect.isroutine(getattr(franking, name))}
    assert functions - {name for name, _ in EXAMPLES} <= {"adecide"}


def routines() -> Iterator[tuple[str, Any, str]]:
    """(name, routine, docstring) of every public function and method."""
    yield "franking.arrow.preflight", franking.arrow.preflight, inspect.getdoc(franking.arrow.preflight) or ""
    for name in franking.__all__:
        thing = getattr(franking, name)
        if inspect.isroutine(thing):
            yield name, thing, inspect.getdoc(thing) or ""
        elif isinstance(thing, type) and not issubclass(thing, BaseException):
            for member_name, member in vars(thing).items():
                is_plain = isinstance(member, (FunctionType, staticmethod, classmethod))
                if not member_name.startswith("_") and (is_plain or inspect.isroutine(member)):
                    bound = getattr(thing, member_name)
                    yield f"{name}.{member_name}", bound, inspect.getdoc(bound) or ""


ROUTINES = {name: (routine, text) for name, routine, text in routines()}


def parameters_of(routine: Any) -> list[str]:
    return [name for name in inspect.signature(routine).parameters if name != "self"]


def section(text: str, title: str) -> str:
    """A section of a docstring, as Sphinx reads it."""
    found = re.search(rf"^{title}:\n((?:(?: .*)?\n)*(?: .*)?)", text, re.MULTILINE)
    return found.group(1) if found else ""


@pytest.mark.parametrize("name", ROUTINES)
def test_every_function_says_what_it_takes_and_gives(name: str) -> None:
    routine, text = ROUTINES[name]
    if text.startswith("See `Host."):
        return
    described = re.findall(r"^ {4}(\w+): ", section(text, "Args"), re.MULTILINE)
    assert described == parameters_of(routine)
    gives_nothing = name.startswith("Call.answer_")
    assert gives_nothing or section(text, "Returns"), "it does not say what it returns"
    if name not in NEVER_RAISE:
        raised = re.findall(r"^ {4}(\w+): ", section(text, "Raises"), re.MULTILINE)
        assert raised and all(hasattr(franking, error) or hasattr(builtins, error) for error in raised)


# These never raise if their arguments have the right types. The methods that a host writes are here, too.
NEVER_RAISE = {
    *("is_day", "route", "Host.account", "Host.facts", "Host.commit", "Blacklists.answer", "Call.step"),
    *("Commit.unknown", "Decision.blacklisted_link", "Decision.explanation", "Decision.http"),
    *("Plan.to_dict", "Decision.to_dict", "Preflight.to_dict", "Policy.to_dict", "Transcript.to_dict"),
    *("Policy.to_json", "Transcript.to_json", "Transcript.to_masked_json"),
}


@pytest.mark.parametrize(
    "name",
    ["Account", "Blacklists", "Call", "DomainSet", "Facts", "Mailer", "Outcome", "Policy", "Subscriber"],
)
def test_every_class_that_is_made_by_its_user_says_of_what(name: str) -> None:
    thing = getattr(franking, name)
    text = inspect.getdoc(thing) or ""
    described = re.findall(r"^ {4}(\w+): ", section(text, "Args"), re.MULTILINE)
    taken = parameters_of(thing)
    assert described == taken or taken == ["settings"] and set(described) == set(thing().to_dict())
    assert section(text, "Raises")


ROWS = "".join(Path(module.__file__ or "").read_text("utf-8") for module in (_rows, _enums))


def test_everything_that_is_read_is_described() -> None:
    for name in franking.__all__:
        thing = getattr(franking, name)
        if dataclasses.is_dataclass(thing) and isinstance(thing, type):
            lines = ROWS.split(f"class {name}:", 1)[1].splitlines()
            for field in dataclasses.fields(thing):
                at = next(n for n, line in enumerate(lines) if line.startswith(f"    {field.name}: "))
                assert lines[at + 1].startswith('    """'), f"{name}.{field.name}"
        elif isinstance(thing, type) and thing.__module__ == "franking":
            for member_name, member in vars(thing).items():
                if not member_name.startswith("_") and inspect.isdatadescriptor(member):
                    assert member.__doc__, f"{name}.{member_name}"


@functools.cache
def run_page(page: Path, **given: Any) -> ModuleType:
    """Runs the Python blocks of a page in order, in one module that has the variables `given`. Blocks with
    `>>>` are doctests. A block that needs a missing package (`python needs=fastapi`) is skipped. The page
    is run once, because settings of Django can be made only once."""
    module = ModuleType("page")
    vars(module).update(given)
    text = page.read_text("utf-8")
    blocks = re.finditer(r"^```python(?: needs=(\w+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(re.findall(r"^```python", text, re.MULTILINE)) == len(
        re.findall(r"^```python(?: needs=\w+)?$", text, re.MULTILINE)
    )
    count = 0
    for block in blocks:
        count += 1
        line = text.count("\n", 0, block.start()) + 1
        needed, source = block.groups()
        if needed is not None and importlib.util.find_spec(needed) is None:
            continue
        if source.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(source, vars(module), page.name, str(page), line)
            test.globs = vars(module)
            assert doctest.DocTestRunner(optionflags=FLAGS).run(test, clear_globs=False).failed == 0
        else:
            exec(compile("\n" * line + source, str(page), "exec"), vars(module))
    assert count, f"{page.name} has no examples"
    return module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_examples_of_pages(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(page)
    assert os.getcwd() == str(tmp_path)


def single(**fields: Any) -> bytes:
    return json.dumps({"apiKey": "k", "mailerID": 42, **fields}).encode()


def batch(**fields: Any) -> bytes:
    entry = {
        "subject": "s",
        "body": "<p>",
        "to": "ada@customer.example",
        "from": "news@shop.example",
        **fields,
    }
    return json.dumps({"ApiKey": "k", "requests": [entry]}).encode()


# The longest possible domain with the most labels.
MANY_LABELS = "a." * 118 + "customer.example"
HTML = '<a href="//www.spam.example">'

# The expected answers of the shop in the guide. It knows one account, one sender, one stored email and one
# subscriber.
CALLS: list[tuple[str, str, bytes, int]] = [
    ("by id", "sendMailer", single(subID=7), 200),
    ("by a text of an id", "sendMailer", single(subID="7"), 200),
    ("unknown id", "sendMailer", single(subID=8), 454),
    ("by address", "sendMailer", single(email="Ada@Customer.Example"), 200),
    ("new address", "sendMailer", single(email="new@customer.example", firstName="N"), 200),
    ("new address, list", "sendMailer", single(email="new@customer.example", listName="Shop"), 442),
    ("known address, list", "sendMailer", single(email="ada@customer.example", listName="Shop"), 200),
    ("from", "sendMailer", single(subID=7, **{"from": "News@Shop.example"}), 200),
    ("unknown sender", "sendMailer", single(subID=7, **{"from": "other@shop.example"}), 442),
    ("listed sender", "sendMailer", single(subID=7, **{"from": "news@www.spam.example"}), 414),
    ("listed recipient", "sendMailer", single(email="a@b.spam.example"), 416),
    ("no address", "sendMailer", single(email="nobody"), 412),
    ("unknown stored email", "sendMailer", single(subID=7, mailerID=43), 442),
    ("largest id", "sendMailer", single(subID=2**63 - 1), 454),
    ("many labels", "sendMailer", single(email=f"a@{MANY_LABELS}"), 200),
    (
        "many labels, twice",
        "sendMailer",
        single(email=f"a@{MANY_LABELS}", **{"from": f"b@{MANY_LABELS}"}),
        442,
    ),
    ("too many labels", "sendMailer", single(email=f"a@a.{MANY_LABELS}"), 412),
    ("huge field", "sendMailer", single(subID=7, firstName="x" * 300_000), 200),
    ("huge address", "sendMailer", single(email="a" * 300_000 + "@customer.example"), 412),
    ("unknown fields", "sendMailer", single(subID=7, other=[{}] * 20_000), 200),
    ("unknown account", "sendMailer", single(subID=7, apiKey="x"), 403),
    ("no account", "sendMailer", b"{}", 402),
    ("empty", "sendMailer", b"", 442),
    ("not JSON", "sendMailer", b"{", 442),
    ("no UTF-8", "sendMailer", b"\xff\xfe", 442),
    ("an array", "sendMailer", b"[]", 442),
    ("deep", "sendMailer", b"[" * 200_000, 442),
    ("batch", "httpSendMail", batch(), 200),
    ("new recipients", "httpSendMail", batch(to="a@b.example,C@b.example", cc="ada@customer.example"), 200),
    ("too little credit", "httpSendMail", batch(to=",".join(f"a{n}@b.example" for n in range(101))), 445),
    ("listed link", "httpSendMail", batch(body=HTML), 413),
    ("listed reply address", "httpSendMail", batch(replyTo="a@spam.example"), 415),
    ("sender of a batch", "httpSendMail", batch(**{"from": "other@shop.example"}), 420),
    ("no requests", "httpSendMail", b'{"ApiKey": "k"}', 475),
    ("empty batch", "httpSendMail", b"", 475),
]


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    page = ROOT / "docs" / "python-host.md"
    if not page.exists():
        pytest.skip("the guide is in the repository alone")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(tmp_path_factory.mktemp("guide"))
        return run_page(page)


def test_the_page_of_servers_that_exist_decides_in_shadow(guide: ModuleType) -> None:
    page = ROOT / "docs" / "migrating.md"
    shop = guide.Shop()
    shadow = run_page(page, shop=shop)
    noted: list[Any] = []
    accepted = single(subID=7)
    shadow.compare("sendMailer", accepted, 200, shop, lambda *line: noted.append(line))
    assert not noted and not shop.outbox
    shadow.compare("sendMailer", accepted, 442, shop, lambda *line: noted.append(line))
    assert noted[0][:3] == (442, 200, None) and "ada@customer" not in noted[0][3] and not shop.outbox


@pytest.mark.parametrize(
    ("operation", "body", "code"), [call[1:] for call in CALLS], ids=[call[0] for call in CALLS]
)
def test_the_hosts_of_the_guide_answer_ordinary_and_hostile_calls(
    guide: ModuleType, operation: str, body: bytes, code: int
) -> None:
    shop = guide.Shop()
    decision = franking.decide(operation, body, shop)
    assert (decision.code, decision.failure) == (code, None)
    assert bool(shop.outbox) == (code == 200)
    in_memory = guide.ShopInMemory()
    assert franking.decide(operation, body, in_memory).code == code and in_memory.outbox == shop.outbox
    for serve in web_hosts(guide):
        status, headers, answer = serve(guide.Shop(), franking.Operation(operation).path, body)
        assert status == 200 and franking.Response.read(answer).code == code
        assert ("Sunset" in headers) == (operation == "httpSendMail")
    if operation == "sendMailer":
        assert guide.decide(franking.Call(operation, body), guide.Shop()).code == code
        assert franking.Response.read(guide.serve(body, guide.Shop()).body).code == code
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE credit AS SELECT 100 AS emails")
        database.execute("CREATE TABLE outbox (id INTEGER PRIMARY KEY, recipient, sender, subject, html)")
        assert franking.decide(operation, body, guide.OtherShop(database)).code == code
        (sent,) = database.execute("SELECT count(*) FROM outbox").fetchone()
        assert sent == len(shop.outbox)
    forgetful = guide.ForgetfulShop()
    if code == 200:
        with pytest.raises(franking.CommitUnknownError):
            franking.decide(operation, body, forgetful)
        assert forgetful.outbox == shop.outbox
    else:
        assert franking.decide(operation, body, forgetful).code == code


Serve = Callable[[Any, str, bytes], tuple[int, Mapping[str, str], bytes]]


def web_hosts(guide: ModuleType) -> list[Serve]:
    """The page's HTTP hosts whose frameworks are installed. Each returns (status, headers, body) of a
    response."""
    served: list[Serve] = []
    if hasattr(guide, "app"):

        def fastapi(shop: Any, path: str, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
            guide.app.state.host = guide.AsyncShop(shop)
            response = asyncio.run(guide.ask("POST", path, body))
            return response.status_code, response.headers, response.content

        served.append(fastapi)
    if hasattr(guide, "view"):
        from django.test import RequestFactory  # type: ignore[import-untyped]

        def django(shop: Any, path: str, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
            vars(guide)["shop"] = shop
            response = guide.view(RequestFactory().post(path, body, content_type="application/json"))
            return response.status_code, response.headers, response.content

        served.append(django)
    return served


def test_the_hosts_behind_http_are_tested_where_the_frameworks_are(guide: ModuleType) -> None:
    installed = [name for name in ("fastapi", "django") if importlib.util.find_spec(name) is not None]
    assert [serve.__name__ for serve in web_hosts(guide)] == installed


def test_the_guide_invites_to_send_again_only_where_nothing_was_carried_out(guide: ModuleType) -> None:
    class Down(guide.Shop):  # type: ignore[misc,name-defined]
        def facts(self, questions: franking.Questions) -> Any:
            raise ConnectionError

    class Saying(guide.Shop):  # type: ignore[misc,name-defined]
        def commit(self, plan: franking.Plan) -> Any:
            return said

    class Lost(guide.Shop):  # type: ignore[misc,name-defined]
        def commit(self, plan: franking.Plan) -> Any:
            raise ConnectionError

    other = franking.Commit.conflict(franking.Conflict.OTHER)
    for host, said, status, invites in [
        (Down, None, 503, True),
        (Saying, other, 503, True),
        (Lost, None, 503, False),
        (guide.ForgetfulShop, None, 503, False),
        (Saying, franking.Commit.unknown(), 503, False),
        (Saying, franking.Commit.done(0), 503, False),
        (Saying, 1, 503, False),
    ]:
        for serve in web_hosts(guide):
            got, headers, _answer = serve(host(), "/v4/sendMailer", single(subID=7))
            assert (got, "Retry-After" in headers) == (status, invites), (host, serve)
