"""Values: equality, pickling, and a repr that shows nothing of what was sent."""

from __future__ import annotations

import copy
import datetime
import json
import pickle
from typing import Any

import pytest
from hosts import MemoryHost, http_send_mail, request, send_mailer

import franking

SECRET = "s3cret"


def values() -> list[Any]:
    report = franking.preflight("httpSendMail", http_send_mail(request(to="bad", subjct="x")))
    decision = franking.decide(
        "httpSendMail", http_send_mail(request(to="a@customer.example,A@customer.example")), MemoryHost()
    )
    assert decision.plan is not None
    message = decision.plan.messages[0]
    call = franking.Call("sendMailer", send_mailer(), record=True)
    call.drive(MemoryHost())
    return [
        franking.Policy(batch="partial", today=datetime.date(2024, 5, 1), placeholders=[("[", "]")]),
        franking.DomainSet(["a.example", "b.example"]),
        franking.Outcome([418, 452], track_opens=True),
        franking.Address.parse("a@b.example"),
        franking.Address.parse("a"),
        franking.Response.read('{"code":200}'),
        franking.Response.read("x"),
        franking.compose("httpSendMail", {"ApiKey": "k", "requests": [{"subject": []}]}),
        franking.Account(email_credit=5),
        call.transcript(),
        *report.violations,
        *report.warnings,
        *decision.plan.create,
        *decision.plan.collapsed,
        *message.recipients,
        decision.plan.debit,
        decision.asked,
        decision.deprecation,
        *decision.explanation(),
        *franking.html_links("<img src=//a.example>"),
        *franking.address_entries("a@b.example,c"),
        *franking.Rule,
    ]


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_values_are_equal_to_what_pickle_and_copy_make_of_them(value: Any) -> None:
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is type(value) and repr(again) == repr(value)
    assert copy.deepcopy(value) == value


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
        while not isinstance(step := call.step(), franking.Done):
            shown.append(step)
            match step:
                case franking.AccountQuestion(key):
                    call.answer_account(host.account(key))
                case franking.Questions() as questions:
                    findings = host.facts(questions)
                    shown += [questions, findings]
                    call.answer_facts(findings)
                case franking.Plan() as plan:
                    shown += [plan, *plan.create, *plan.update, *plan.collapsed]
                    for message in plan.messages:
                        shown += [message, message.recipients, *message.recipients]
                    call.answer_commit(1)
        decision = step.decision
        assert decision.code == 200
        shown += [step, decision, *decision.refused]
        for value in shown:
            assert SECRET not in repr(value).lower()
            assert SECRET not in str(value).lower() or isinstance(value, str)
    for text in (f"{SECRET}@customer.example", SECRET):
        assert SECRET not in repr(franking.Address.parse(text))
        assert SECRET not in repr(franking.address_entries(text))


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


def test_a_domain_set_says_which_entry_cannot_be() -> None:
    with pytest.raises(franking.PolicyError, match="entry 1 ") as caught:
        franking.DomainSet(["a.example", "http://b.example/"])
    assert caught.value.key == "entries"
    with pytest.raises(TypeError):
        franking.DomainSet([5])  # type: ignore[list-item]
    blacklist = franking.DomainSet(["A.example"])
    assert list(blacklist) == ["a.example"] and len(blacklist) == 1
    assert blacklist.listed("x.y.a.example") == "a.example" and blacklist.listed("no host") is None
    not_text: Any = 5
    assert not_text not in blacklist and "\ud800" not in blacklist


def test_an_outcome_takes_only_events_and_does_not_change() -> None:
    outcome = franking.Outcome(track_clicks=True)
    assert outcome.record(franking.Event.CLICKED).summary == 452 and outcome.summary == 200
    assert (franking.Outcome([418]) | franking.Outcome([417])).events == (417, 418)
    for event in (200, 0, -1, 2**80):
        with pytest.raises(franking.MisuseError, match="418"):
            outcome.record(event)


def test_composed_calls_are_checked_and_say_which_requests_they_carry() -> None:
    requests = [
        {"subject": "s", "body": "<p>", "to": f"a{n}@b.example", "from": "f@b.example"} for n in range(5)
    ]
    calls = franking.compose(
        "httpSendMail", {"ApiKey": "k", "requests": requests}, franking.Policy(max_requests=2)
    )
    assert not isinstance(calls, franking.Uncomposable)
    assert [call.requests for call in calls] == [range(2), range(2, 4), range(4, 5)]
    assert all(franking.preflight("httpSendMail", call.body).ok for call in calls)
    wrong = franking.compose("httpSendMail", {"ApiKey": "k", "requests": [{}, {"subject": True}]})
    assert isinstance(wrong, franking.Uncomposable) and not wrong
    assert (wrong.request, wrong.field) == (1, "subject")
    with pytest.raises(franking.MisuseError, match="JSON"):
        franking.compose("sendMailer", {"apiKey": object()})


def test_answers_are_read_from_text_and_bytes() -> None:
    for text in ('{"code":"404","status":"Error"}', b'{"code":404,"status":"Error"}'):
        answer = franking.Response.read(text)
        assert answer and (answer.code, answer.ok, answer.transaction_id) == (404, False, None)
    for wrong in ("", b"\xff", "[]", '{"code":"2000"}', "\ud800"):
        assert not franking.Response.read(wrong)
