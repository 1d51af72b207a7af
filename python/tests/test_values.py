"""Values: equality, pickling, and a repr that shows nothing of what was sent."""

from __future__ import annotations

import copy
import dataclasses
import datetime
import json
import pickle
from typing import Any

import pytest
from hosts import MemoryHost, http_send_mail, request, send_mailer

import franking

SECRET = "s3cret"


def questions_of(body: bytes) -> franking.Questions:
    call = franking.Call("sendMailer", body)
    call.answer_account(franking.Account())
    step = call.step()
    assert isinstance(step, franking.Questions)
    return step


def values() -> list[Any]:
    decision = franking.decide(
        "httpSendMail", http_send_mail(request(to="a@customer.example,A@customer.example")), MemoryHost()
    )
    assert decision.plan is not None
    recorded = franking.decide("sendMailer", send_mailer(), MemoryHost(), record=True)
    return [
        franking.Policy(batch="partial", today=datetime.date(2024, 5, 1), placeholders=[("[", "]")]),
        franking.DomainSet(["a.example", "b.example"]),
        franking.Blacklists(franking.DomainSet(["a.example"]), content=franking.DomainSet(["b.example"])),
        franking.Outcome([418, 452], track_opens=True),
        franking.Address.parse("a@b.example"),
        franking.Notice.read('{"type":"opened","data":{"id":1}}'),
        franking.Response.read('{"code":200}'),
        franking.Response.read('{"code":999}'),
        *franking.compose("sendMailer", {"apiKey": "k"}),
        franking.Account(email_credit=5),
        franking.Mailer("a@b.example", None, None),
        franking.Subscriber(7, "a@b.example", False, True),
        MemoryHost().facts(questions_of(send_mailer())),
        franking.Commit.done(2**53),
        franking.Commit.conflict(franking.Conflict.SUBSCRIBER_GONE),
        franking.Commit.unknown(),
        franking.html_decode("<p>"),
        recorded.transcript(),
        recorded.transcript().replay(),
        decision.plan.debit,
        decision.asked,
        decision.deprecation,
        *decision.explanation(),
        *franking.html_links("<img src=//a.example>"),
        *franking.address_entries("a@b.example,c"),
        *franking.Rule,
        *franking.Code,
        *franking.Conflict,
        *franking.DomainRole,
        franking.DomainRole.SENDER | franking.DomainRole.CONTENT,
    ]


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_values_are_equal_to_what_pickle_and_copy_make_of_them(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is type(value) and repr(again) == repr(value)
    for again in (copy.copy(value), copy.deepcopy(value)):
        assert again == value and type(again) is type(value)


def test_a_set_that_several_roles_share_is_pickled_once() -> None:
    entries = franking.DomainSet([f"n{number}.example" for number in range(500)])
    one, all_of_them = franking.Blacklists(sender=entries), franking.Blacklists(entries)
    assert len(pickle.dumps(all_of_them)) < len(pickle.dumps(one)) * 1.2
    assert pickle.loads(pickle.dumps(all_of_them)) == all_of_them != one


def test_unequal_values_are_unequal() -> None:
    assert franking.Policy() == franking.Policy() != franking.Policy(max_bytes=1)
    assert hash(franking.Policy()) == hash(franking.Policy(max_requests=1000))
    assert franking.DomainSet(["a.example", "B.example"]) == franking.DomainSet(["b.example", "a.example"])
    assert hash(franking.DomainSet(["a.example", "B.example"])) == hash(
        franking.DomainSet(["b.example", "a.example"])
    )
    assert franking.DomainSet(["a.example"]) != franking.DomainSet() != {"a.example"}
    assert franking.Outcome([417]) != franking.Outcome([418])
    assert franking.Outcome([418, 417]) == franking.Outcome([417, 418, 418])


def test_no_repr_shows_what_a_caller_sent() -> None:
    fields = {
        "apiKey": SECRET,
        "from": f"{SECRET}@sender.example",
        "fromName": SECRET,
        "email": f"{SECRET}@customer.example",
        "subID": None,
        "listName": SECRET,
        "firstName": SECRET,
        "customField": SECRET,
        SECRET: 1,
    }
    entry = request(
        subject=SECRET,
        body=f"<p>{SECRET}",
        to=f"{SECRET}@customer.example,{SECRET.upper()}@customer.example,{SECRET}",
        replyTo=f"{SECRET}@sender.example",
        customField=SECRET,
        **{SECRET: 1},
    )
    record = franking.Subscriber(1, f"{SECRET}@customer.example", False, False)
    host = MemoryHost(
        accounts={SECRET: franking.Account(), "key": franking.Account()},
        senders={f"{SECRET}@sender.example", "news@sender.example"},
        lists={SECRET},
        by_key={f"{SECRET}@customer.example": record},
        blacklists=franking.Blacklists(),
    )
    policy = franking.Policy(batch="partial")
    for operation, body in [("sendMailer", send_mailer(**fields)), ("httpSendMail", http_send_mail(entry))]:
        report = franking.preflight(operation, body)
        call = franking.Call(operation, body, policy)
        shown: list[Any] = [
            franking.Facts(subscribers=[record]),
            report,
            report.violations,
            *report.violations,
            *report.warnings,
            call,
        ]
        while not isinstance(step := call.step(), franking.Decision):
            shown.append(step)
            match step:
                case franking.AccountQuestion(key):
                    call.answer_account(host.account(key))
                case franking.Questions() as questions:
                    facts = host.facts(questions)
                    shown += [questions, facts, *facts.subscribers, *facts.mailers]
                    call.answer_facts(facts)
                case franking.Plan() as plan:
                    shown += [plan, *plan.create, *plan.update, *plan.collapsed]
                    for message in plan.messages:
                        shown += [message, message.recipients, *message.recipients]
                    call.answer_commit(franking.Commit.done(1))
        decision = step
        assert decision.code == 200
        shown += [decision, *decision.refused]
        for value in shown:
            assert SECRET not in repr(value).lower()
            assert SECRET not in str(value).lower() or isinstance(value, str)
    for text in (f"{SECRET}@customer.example", SECRET):
        assert SECRET not in repr(franking.address_entries(text))
        try:
            shown = [franking.Address.parse(text)]
        except franking.InvalidError as error:
            shown = [error]
        assert SECRET not in repr(shown)
    html = f'<p style="x:url({SECRET})"><a href="//{SECRET}.example">{SECRET}'
    assert SECRET not in repr([*franking.html_links(html), franking.html_decode(html)])


def test_a_policy_is_built_from_texts_dates_and_pairs() -> None:
    policy = franking.Policy(
        today=datetime.date(2024, 5, 1), placeholders=[("<<", ">>")], answer_status="place"
    )
    assert policy.today == datetime.date(2024, 5, 1)
    assert policy.placeholders == (("<<", ">>"),)
    assert franking.Policy.from_json(policy.to_json()) == policy
    assert policy.to_dict()["today"] == "2024-05-01" == json.loads(policy.to_json())["today"]
    assert policy.replace(today=None, max_bytes=5) == franking.Policy(
        placeholders=[("<<", ">>")], answer_status="place", max_bytes=5
    )
    assert franking.Policy(today="2024-05-01").today == policy.today
    assert repr(franking.Policy(max_attempts=2)) == "Policy(max_attempts=2)"


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"max_requests": 0}, "max_requests"),
        ({"max_bytes": -1}, "max_bytes"),
        ({"max_attempts": 2**80}, "max_attempts"),
        ({"max_attempts": 1.5}, "max_attempts"),
        ({"batch": "some"}, "batch"),
        ({"today": "2024-02-30"}, "today"),
        ({"today": datetime.datetime(2024, 5, 1, 12)}, "today"),
        ({"placeholders": [("", "]")]}, "placeholders"),
        ({"placeholders": [("[",)]}, "placeholders"),
        ({"placeholders": 5}, "placeholders"),
        ({"answer_status": "\ud800"}, "answer_status"),
        ({"unknown": 1}, "policy"),
    ],
)
def test_a_policy_that_cannot_be_is_refused_with_the_name_of_the_setting(
    settings: dict[str, Any], key: str
) -> None:
    with pytest.raises(franking.PolicyError) as caught:
        franking.Policy(**settings)
    assert caught.value.key == key
    assert issubclass(franking.PolicyError, ValueError) and issubclass(
        franking.PolicyError, franking.FrankingError
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.key) == (str(caught.value), key)


def blacklist_of(*entries: str) -> franking.DomainSet:
    return franking.DomainSet(entries)


def test_a_domain_set_says_which_entry_cannot_be() -> None:
    with pytest.raises(franking.InvalidError, match="entry 1 of the set, counted from 0: this is not"):
        franking.DomainSet(["a.example", "http://b.example/"])
    with pytest.raises(TypeError):
        franking.DomainSet([5])  # type: ignore[list-item]
    for one_text in ("localhost", "a.example"):
        for use in (franking.DomainSet, blacklist_of("a").union, blacklist_of("a").difference):
            with pytest.raises(TypeError, match="not as one str"):
                use(one_text)
    blacklist = franking.DomainSet(["A.example"])
    assert list(blacklist) == ["a.example"] and len(blacklist) == 1
    assert blacklist.listed("x.y.a.example") == "a.example" and blacklist.listed("b.example") is None
    for text in ("no host", "http://a.example/", "", "\ud800.example"):
        with pytest.raises(franking.InvalidError):
            blacklist.listed(text)
    not_text: Any = 5
    assert not_text not in blacklist and "\ud800" not in blacklist


def test_an_outcome_takes_only_events_and_does_not_change() -> None:
    outcome = franking.Outcome(track_clicks=True)
    assert outcome.record(franking.Event.CLICKED).summary == 452 and outcome.summary == 200
    assert (franking.Outcome([418]) | franking.Outcome([417])).events == (franking.Event.BOUNCED, 418)
    for event in (200, 0, -1, 2**80):
        with pytest.raises(franking.InvalidError, match="418"):
            outcome.record(event)


def test_composed_calls_are_checked_and_say_which_requests_they_carry() -> None:
    requests = [
        {"subject": "s", "body": "<p>", "to": f"a{n}@b.example", "from": "f@b.example"} for n in range(5)
    ]
    calls = franking.compose(
        "httpSendMail", {"ApiKey": "k", "requests": requests}, franking.Policy(max_requests=2)
    )
    assert [call.requests for call in calls] == [range(2), range(2, 4), range(4, 5)]
    assert all(franking.preflight("httpSendMail", call.body).is_clean for call in calls)
    with pytest.raises(franking.ComposeError) as caught:
        franking.compose("httpSendMail", {"ApiKey": "k", "requests": [{}, {"subject": True}]})
    assert (caught.value.request, caught.value.field) == (1, "subject")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.request, again.field) == (str(caught.value), 1, "subject")
    with pytest.raises(franking.ComposeError, match="JSON"):
        franking.compose("sendMailer", {"apiKey": object()})


def test_fields_that_json_cannot_hold_are_not_shown_and_what_a_mapping_raises_is_passed_on() -> None:
    class Failing(dict[str, Any]):
        def __init__(self, error: Exception) -> None:
            super().__init__(apiKey="k")
            self.error = error

        def items(self) -> Any:
            raise self.error

    circle: list[Any] = []
    circle.append(circle)
    for fields in ({"x": object()}, {"x": float("nan")}, {"x": circle}, {"x": {(1, 2): 3}}, {"x": {1: b"y"}}):
        with pytest.raises(franking.ComposeError, match="cannot be written as JSON: give texts") as refused:
            franking.compose("sendMailer", fields)
        assert isinstance(refused.value.__cause__, (TypeError, ValueError))
    with pytest.raises(franking.ComposeError) as refused:
        franking.compose("sendMailer", {"x": Failing(ValueError(SECRET))})
    assert SECRET not in str(refused.value)
    with pytest.raises(ConnectionError):
        franking.compose("sendMailer", {"x": Failing(ConnectionError())})


def test_responses_are_read_from_text_and_bytes() -> None:
    for text in ('{"code":"404","status":"Error"}', b'{"code":404,"status":"Error"}'):
        response = franking.Response.read(text)
        assert (response.code, response.is_success, response.transaction_id) == (404, False, None)
        assert response.code is franking.Code.ACCOUNT_SENDING_BLOCKED
    assert franking.Response.read('{"code":999}').code == 999
    for wrong in ("", b"\xff", "[]", '{"code":"2000"}', "\ud800"):
        with pytest.raises(franking.InvalidError, match="response"):
            franking.Response.read(wrong)


def test_events_are_read_from_text_and_bytes() -> None:
    text = '{"type":"opened","timestamp":null,"data":{"id":"17","code":"451","transactionId":7,"customField":"order 1"}}'
    for given in (text, text.encode()):
        notice = franking.Notice.read(given)
        assert (notice.id, notice.event_type, notice.type_name) == (17, franking.EventType.OPENED, "opened")
        assert notice.code is franking.Code.OPENED and notice.transaction_id == 7
        assert (notice.custom_field, notice.timestamp, notice.recipient) == ("order 1", None, None)
        assert (notice.status, notice.reason) == (None, None)
    assert "order" not in repr(franking.Notice.read(text))
    newer = franking.Notice.read('{"type":"forwarded","data":{"id":1,"code":999}}')
    assert (newer.event_type, newer.type_name, newer.code) == (None, "forwarded", 999)
    for wrong in ("", b"\xff", "[]", "{}", '{"type":"opened","data":{}}', '{"type":1,"data":{"id":1}}'):
        with pytest.raises(franking.InvalidError, match="event"):
            franking.Notice.read(wrong)


def test_what_is_read_is_frozen_has_no_positions_and_no_dict() -> None:
    asked = franking.decide("sendMailer", "{}", MemoryHost()).asked
    anything: Any = asked
    with pytest.raises(dataclasses.FrozenInstanceError):
        anything.facts = 200
    with pytest.raises(TypeError, match="unpack"):
        _account, *_ = anything
    assert not hasattr(asked, "__dict__")
    assert dataclasses.replace(asked, facts=5).facts == 5


def views() -> list[Any]:
    """One object of each class whose objects read from the body of a call."""
    body = http_send_mail(request(to="new@customer.example,New@customer.example", subjct="x"))
    call = franking.Call("httpSendMail", body)
    shown: list[Any] = [step := call.step()]
    call.answer_account(franking.Account())
    shown.append(step := call.step())
    assert isinstance(step, franking.Questions)
    call.answer_facts(MemoryHost().facts(step))
    plan = call.begin_commit()
    call.answer_commit(franking.Commit.done(1))
    message = plan.messages[0]
    decision = call.decision
    overwriting = franking.decide("sendMailer", send_mailer(firstName="F"), MemoryHost()).plan
    assert overwriting is not None
    report = franking.preflight("httpSendMail", http_send_mail(*[request(to="bad", subjct="x")] * 70))
    return [
        *shown,
        *(plan, message, message.recipients[0], plan.create[0], overwriting.update[0], plan.collapsed[0]),
        *(decision, report, report.violations, report.violations[0], report.warnings[0]),
    ]


@pytest.mark.parametrize("view", views(), ids=lambda view: type(view).__name__)
def test_a_copy_of_a_view_is_the_view_and_the_error_of_pickle_says_what_to_do(view: Any) -> None:
    assert copy.copy(view) is view and copy.deepcopy({"kept": [view]})["kept"][0] is view
    way_out = "pickle what its to_dict" if hasattr(view, "to_dict") else "pickle its members"
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match=f"cannot pickle a {type(view).__name__}: .*{way_out}"):
            pickle.dumps(view, protocol)


def test_the_dict_of_a_decision_is_complete() -> None:
    body = http_send_mail(request(to="bad"))
    refused = franking.decide("httpSendMail", body, MemoryHost()).to_dict()
    assert refused.pop("remedy").startswith("Give plain addresses")
    assert refused.pop("response") == '{"code":"412","status":"Error"}'
    assert refused == {
        "operation": "httpSendMail",
        "is_accepted": False,
        "code": 412,
        "message": "Invalid recipient email address",
        "rule": "recipient-malformed",
        "meaning": "a recipient's address is not valid",
        "pointer": "/requests/0/to",
        "span": [body.index(b"bad"), body.index(b"bad") + 3],
        "request": 0,
        "transaction_id": None,
        "plan": None,
        "refused": [],
        "deprecation": {"last_day": "2024-04-30", "successor": "sendEmail"},
        "asked": {"account": 1, "facts": 0, "commits": 0},
    }
    partial = franking.decide(
        "httpSendMail",
        http_send_mail(request(), request(subject=None)),
        MemoryHost(),
        franking.Policy(batch="partial"),
    )
    accepted = partial.to_dict()
    assert (accepted["is_accepted"], accepted["code"], accepted["transaction_id"]) == (True, 200, 1)
    assert (accepted["message"], accepted["meaning"], accepted["remedy"]) == ("Success", None, None)
    assert partial.plan is not None and accepted["plan"] == partial.plan.to_dict()
    (left_out,) = accepted["refused"]
    assert (left_out["rule"], left_out["request"], left_out["code"]) == ("subject-missing", 1, 406)
    assert left_out["meaning"] and left_out["remedy"]
    lost = MemoryHost(commits=[franking.Commit.unknown()])
    failed = franking.decide("sendMailer", send_mailer(), lost).to_dict()
    assert failed["error"] == "unknown"
    assert failed["code"] is failed["refused"] is failed["message"] is None
    for form in (refused, accepted, failed):
        assert json.loads(json.dumps(form)) == form


def test_the_dict_of_a_preflight_is_complete() -> None:
    body = http_send_mail(request(to="bad", subjct="x"))
    form = franking.preflight("httpSendMail", body).to_dict()
    assert {name: form[name] for name in ("operation", "is_clean", "code", "message")} == {
        "operation": "httpSendMail",
        "is_clean": False,
        "code": 412,
        "message": "Invalid recipient email address",
    }
    (violation,) = form["violations"]
    assert (violation["rule"], violation["request"], violation["pointer"]) == (
        "recipient-malformed",
        0,
        "/requests/0/to",
    )
    assert violation["meaning"] and violation["remedy"] and body[slice(*violation["span"])] == b"bad"
    unknown = [warning for warning in form["warnings"] if warning["warning"] == "field-unknown"]
    assert [(warning["detail"], warning["pointer"]) for warning in unknown] == [
        ("subject", "/requests/0/subjct")
    ]
    assert unknown[0]["message"].endswith("subject was probably meant.")
    assert json.loads(json.dumps(form)) == form
