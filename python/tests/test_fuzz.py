"""The whole public surface with random arguments: only documented exceptions are raised."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import pytest
from hosts import SENDER, MemoryHost, http_send_mail, request, send_mailer
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import franking
from franking import Commit, Conflict, Facts, Failure

settings.register_profile(
    "tests", max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
settings.load_profile("tests")


def batch(entries: list[Any]) -> bytes:
    return http_send_mail(*entries)


OPERATIONS = st.sampled_from(list(franking.Operation))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
TEXTS = st.sampled_from(
    ["key", SENDER, "new@customer.example", "a@b", "", " ", "%FF", "<p>", "{{name}}", "\x00", "7"]
)
JSON = st.recursive(
    SCALARS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
SEND_MAILER_NAMES = st.sampled_from(
    [
        "apiKey",
        "ApiKey",
        "mailerID",
        "from",
        "fromName",
        "subID",
        "subid",
        "email",
        "listName",
        "birthday",
        "extra1",
        "trackOpens",
        "customField",
        "mobile",
        "unknown",
    ]
)
REQUEST_NAMES = st.sampled_from(
    [
        "subject",
        "body",
        "to",
        "cc",
        "bcc",
        "from",
        "fromName",
        "replyTo",
        "replyto",
        "trackClicks",
        "ApiKey",
        "other",
    ]
)
REQUESTS = (
    st.dictionaries(REQUEST_NAMES, TEXTS | JSON, max_size=8).map(lambda fields: {**request(), **fields})
    | JSON
)
BODIES = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200),
    JSON.map(json.dumps),
    st.dictionaries(SEND_MAILER_NAMES, TEXTS | JSON, max_size=8).map(lambda fields: send_mailer(**fields)),
    st.lists(REQUESTS, max_size=3).map(batch),
)
POLICIES = st.sampled_from(
    [
        None,
        franking.Policy(batch="partial"),
        franking.Policy(max_requests=1, answer_status="place"),
        franking.Policy(today="2024-05-01", empty_clears=True, html_encoding="always", placeholders=[]),
    ]
)


def read_everything(report: franking.Preflight | franking.Decision) -> None:
    """Reads every attribute, and every row."""
    for name in dir(report):
        if not name.startswith("_"):
            value = getattr(report, name)
            if isinstance(value, Sequence) and not isinstance(value, str):
                assert len(list(value)) == len(value) and bool(value) == (len(value) > 0)
    form = report.to_dict()
    assert json.loads(json.dumps(form)) == form


@given(OPERATIONS, BODIES, POLICIES)
@example(franking.Operation.HTTP_SEND_MAIL, "[" * 1000, None)
def test_whatever_the_body_a_check_returns(
    operation: franking.Operation, body: bytes | str, policy: franking.Policy | None
) -> None:
    report = franking.preflight(operation, body, policy)
    read_everything(report)
    length = len(report.body)
    for row in report.violations:
        assert row.span is None or 0 <= row.span[0] <= row.span[1] <= length


COMMITS = [*map(Commit.conflict, Conflict), Commit.done(0), Commit.done(5), Commit.unknown()]


@given(OPERATIONS, BODIES, POLICIES, st.lists(st.sampled_from(COMMITS), max_size=3))
def test_whatever_the_body_a_decision_returns(
    operation: franking.Operation, body: bytes | str, policy: franking.Policy | None, commits: list[Commit]
) -> None:
    decision = franking.decide(operation, body, MemoryHost(commits=commits), policy)
    assert (decision.code is None) == (decision.failure is not None)
    read_everything(decision)
    if decision.plan is not None:
        assert decision.plan.to_dict() == decision.to_dict()["plan"]
    # A call that preflight refuses is never accepted, unless in part.
    if decision.code == 200 and policy is None:
        assert franking.preflight(operation, body, policy).is_clean


ANSWERS = st.one_of(
    st.just(franking.Account()),
    st.builds(Facts),
    st.builds(
        Facts,
        mailers=st.just([None]),
        senders=st.just([True]),
        subscriber_ids=st.just([None]),
        subscribers=st.just([None]),
        lists=st.just([True]),
        domains=st.lists(st.sampled_from(franking.DomainRole)),
    ),
    st.integers(),
    st.sampled_from([*Conflict, *COMMITS]),
    SCALARS,
    JSON,
)
KINDS = st.sampled_from(["account", "facts", "begin", "commit", "right"])
MOVES = st.lists(st.tuples(KINDS, ANSWERS), max_size=12)


@given(OPERATIONS, BODIES, MOVES, st.booleans())
def test_in_whatever_order_a_call_is_answered_only_misuse_is_raised(
    operation: franking.Operation, body: bytes | str, moves: list[tuple[str, Any]], record: bool
) -> None:
    call = franking.Call(operation, body, record=record)
    host = MemoryHost()
    begun = False
    for move, answer in moves:
        before = call.step()
        try:
            if move == "begin":
                call.begin_commit()
                assert isinstance(before, franking.Plan)
                begun = True
            elif move == "right":
                match before:
                    case franking.AccountQuestion(key):
                        call.answer_account(host.account(key))
                    case franking.Questions() as questions:
                        call.answer_facts(host.facts(questions))
                    case franking.Plan() as plan:
                        call.answer_commit(host.commit(plan))
                    case franking.Decision():
                        break
            else:
                getattr(call, f"answer_{move}")(answer)
        except franking.MisuseError:
            assert type(call.step()) is type(before)
        except franking.CommitUnknownError:
            assert begun or isinstance(before, franking.Plan)
            assert call.decision is not None and call.decision.failure is Failure.UNKNOWN
    if record:
        replay = call.transcript().replay()
        assert (replay.decision is None) == (call.decision is None)


Result = TypeVar("Result")


def made(make: Callable[[str], Result], text: str) -> Result | None:
    """The result of `make` for a text; `None` if it is refused, which always raises `InvalidError`."""
    try:
        return make(text)
    except franking.InvalidError:
        return None


@given(st.text(max_size=60) | TEXTS | st.text(st.characters(), max_size=20))
def test_whatever_the_text_its_parts_are_read(text: str) -> None:
    address = made(franking.Address.parse, text)
    if address is not None:
        assert franking.Address.parse(address.match_key).match_key == address.match_key
    for entry in made(franking.address_entries, text) or ():
        assert made(franking.Address.parse, entry.text) == entry.address
        assert (entry.address is None) == (entry.reason is not None)
    made(franking.html_decode, text)
    made(partial(franking.html_decode, always=True), text)
    franking.is_day(text)
    canonical = made(franking.domain_to_ascii, text)
    names = made(franking.domain_walk, text)
    assert (names is None) == (canonical is None or len(canonical) > 253)
    franking.route(text, text)
    encoded = made(franking.html_encode, text)
    if encoded is not None and text.isascii() and text.strip() == text:
        assert franking.html_decode(encoded, always=True).html == text
    made(franking.html_links, text)
    for host in made(franking.html_hosts, text) or ():
        # Each host that a call asks about can be looked up.
        assert franking.DomainSet().listed(host) is None
    for function in (
        franking.Response.read,
        franking.Transcript.from_json,
        franking.Policy.from_json,
        franking.DomainSet().listed,
        lambda text: franking.DomainSet([text]),
        lambda text: franking.Mailer(text, text, None),
        lambda text: franking.Commit.conflict(text),
        lambda text: franking.preflight(text, "{}"),
    ):
        made(function, text)


@given(OPERATIONS, st.dictionaries(SEND_MAILER_NAMES | REQUEST_NAMES | st.just("requests"), JSON, max_size=6))
def test_whatever_the_fields_composing_returns(operation: franking.Operation, fields: dict[str, Any]) -> None:
    try:
        calls = franking.compose(operation, fields)
    except franking.ComposeError as error:
        assert str(error)
        return
    for call in calls:
        json.loads(call.body)


@given(
    st.dictionaries(st.sampled_from(["max_bytes", "batch", "today", "placeholders", "x"]), JSON, max_size=3)
)
def test_whatever_the_settings_a_policy_is_built_or_refused(settings: dict[str, Any]) -> None:
    try:
        policy = franking.Policy(**settings)
    except franking.PolicyError as error:
        assert error.key
    else:
        assert franking.Policy.from_json(policy.to_json()) == policy
    try:
        franking.Policy.from_json(json.dumps(settings))
    except franking.PolicyError:
        pass


@pytest.mark.parametrize("function", [franking.preflight, franking.Call, franking.compose])
def test_arguments_of_the_wrong_type_are_type_errors(function: Any) -> None:
    for arguments in ((), (5, b""), ("sendMailer",), ("sendMailer", b"{}", "policy")):
        with pytest.raises(TypeError):
            function(*arguments)
