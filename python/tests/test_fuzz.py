"""The whole surface with whatever comes: only what is documented is raised."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hosts import SENDER, MemoryHost, http_send_mail, request, send_mailer
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import franking
from franking import Conflict, Facts

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
            if isinstance(value, franking.Rows):
                assert len(list(value)) == len(value) and bool(value) == (len(value) > 0)
    json.loads(report.to_json())


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


@given(OPERATIONS, BODIES, POLICIES, st.lists(st.sampled_from([*Conflict, 0, 5]), max_size=3))
def test_whatever_the_body_a_decision_returns(
    operation: franking.Operation, body: bytes | str, policy: franking.Policy | None, outcomes: list[Any]
) -> None:
    if operation == "httpSendMail":
        outcomes = [outcome for outcome in outcomes if outcome != "subscriber_gone"]
    decision = franking.decide(operation, body, MemoryHost(outcomes=outcomes), policy)
    assert (decision.code is None) == (decision.failure is not None)
    read_everything(decision)
    if decision.plan is not None:
        assert decision.plan.to_dict() == decision.to_dict()["plan"]
    # What a preflight refuses is never accepted, unless in part.
    if decision.code == 200 and policy is None:
        assert franking.preflight(operation, body, policy).ok


ANSWERS = st.one_of(
    st.just(franking.Account()),
    st.builds(Facts),
    st.builds(
        Facts, st.just([None]), st.just([True]), st.just([None]), st.just([None]), st.just([True]), JSON
    ),
    st.integers(),
    st.sampled_from(list(Conflict)),
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
            assert call.decision is not None and call.decision.failure == "unknown"
    if record:
        replay = call.transcript().replay()
        assert (replay.decision is None) == (call.decision is None)


@given(st.text(max_size=60) | TEXTS)
def test_whatever_the_text_its_parts_are_read(text: str) -> None:
    address = franking.Address.parse(text)
    if isinstance(address, franking.Address):
        again = franking.Address.parse(address.key)
        assert isinstance(again, franking.Address) and again.key == address.key
    for entry in franking.address_entries(text):
        assert franking.Address.parse(entry.text) == entry.address
    franking.html_decode(text)
    franking.html_decode(text, always=True)
    franking.is_day(text)
    franking.domain_to_ascii(text)
    assert franking.domain_walk(text)[:1] in ((text,), ()) or franking.domain_walk(text)
    franking.Response.read(text)
    franking.route(text, text)
    try:
        decoded = franking.html_decode(franking.html_encode(text), always=True)
        assert (
            decoded is not None and decoded.html == text.strip() or not text.isascii() or text.strip() != text
        )
        franking.html_links(text)
        franking.html_hosts(text)
        franking.DomainSet([text])
        franking.Transcript.from_json(text)
    except (franking.PolicyError, franking.MisuseError, UnicodeEncodeError):
        pass


@given(OPERATIONS, st.dictionaries(SEND_MAILER_NAMES | REQUEST_NAMES | st.just("requests"), JSON, max_size=6))
def test_whatever_the_fields_composing_returns(operation: franking.Operation, fields: dict[str, Any]) -> None:
    try:
        calls = franking.compose(operation, fields)
    except franking.MisuseError:
        return
    if isinstance(calls, franking.Uncomposable):
        assert calls.reason
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
