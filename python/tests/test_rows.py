"""Rows: up to 64 are a tuple, more are a sequence that makes rows on demand. Most texts of rows are made when
they are read."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from typing import Any
from unittest import mock

import pytest
from hosts import MemoryHost, http_send_mail, request, send_mailer

import franking

FEW = 64


def plan_of(recipients: int, **fields: Any) -> franking.Plan:
    to = ",".join(f"n{number}@customer.example" for number in range(recipients))
    plan = franking.decide("httpSendMail", http_send_mail(request(to=to, **fields)), MemoryHost()).plan
    assert plan is not None
    return plan


def test_up_to_64_rows_are_a_tuple() -> None:
    for count in (1, 2, FEW):
        plan = plan_of(count)
        assert type(plan.create) is tuple and len(plan.create) == count
        assert type(plan.messages[0].recipients) is tuple
        nothing: list[Any] = [plan.update, plan.enlist, plan.collapsed]
        assert nothing == [(), (), ()]
    report = franking.preflight("sendMailer", send_mailer())
    assert report.violations == () and report.warnings == ()
    many, other = plan_of(FEW + 1).create, plan_of(FEW + 1).create
    assert type(many) is not tuple and list(many) == list(other)
    # More rows than that are equal only to themselves.
    same = many
    assert many == same and many != other


@pytest.mark.parametrize("count", [6, FEW, FEW + 1, 200])
def test_rows_are_a_sequence(count: int) -> None:
    rows = plan_of(count).create
    listed = list(rows)
    anything: Any = rows
    assert isinstance(anything, Sequence) and len(rows) == len(listed) == count and bool(rows)
    assert list(rows) == listed and [row.email for row in listed] == [
        f"n{number}@customer.example" for number in range(count)
    ]
    assert list(reversed(rows)) == listed[::-1]
    for position in (0, 3, count - 1):
        row = listed[position]
        assert rows[position] == rows[position - count] == row
        assert row in rows and rows.index(row) == position and rows.count(row) == 1
    assert rows.index(listed[3], 2, 5) == 3 and rows.index(listed[-1], -1) == count - 1
    nowhere: list[tuple[object, int, int]] = [(listed[3], 4, 6), (listed[3], 0, 3), ("x", 0, 6)]
    for other, start, stop in nowhere:
        with pytest.raises(ValueError, match="not in"):
            rows.index(other, start, stop)
    assert rows.count(5) == 0 and 5 not in rows
    assert rows[1:3] == (listed[1], listed[2]) and rows[::-2] == tuple(listed[::-2])
    for index in (count, -count - 1, 10**30, -(10**30)):
        with pytest.raises(IndexError):
            rows[index]
    wrong: Any = "0"
    with pytest.raises(TypeError):
        rows[wrong]
    match rows:
        case [first, *_, last]:
            assert (first, last) == (listed[0], listed[-1])
        case _:
            pytest.fail("a sequence is matched as one")


def test_an_index_makes_each_row_once_however_often_rows_are_indexed() -> None:
    rows = plan_of(500).create
    # The first index makes the rows up to it. From then on they are kept.
    assert rows[300] is rows[300] is rows[-200]
    assert rows[0] is rows[0] and rows[0] is not next(iter(rows))
    assert [rows[number] for number in range(500)] == list(rows)


def test_every_kind_of_rows_can_be_many() -> None:
    many = FEW + 2
    refused = franking.decide(
        "httpSendMail",
        http_send_mail(request(), *[request(subject=None)] * many),
        MemoryHost(),
        franking.Policy(batch="partial"),
    ).refused
    assert {row.rule for row in refused} == {franking.Rule.SUBJECT_MISSING} and len(refused) == many
    assert [refused[number].request for number in range(many)] == list(range(1, many + 1))
    report = franking.preflight("httpSendMail", http_send_mail(*[request(subject=None, subjct="x")] * many))
    assert len(report.violations) == many and report.violations[many - 1].request == many - 1
    unknown = [row for row in report.warnings if row.kind == "field-unknown"]
    assert len(unknown) == many and unknown[-1].pointer == f"/requests/{many - 1}/subjct"
    again = ",".join(["a@customer.example"] * (many + 1))
    plan = franking.decide("httpSendMail", http_send_mail(*[request(to=again)] * many), MemoryHost()).plan
    assert plan is not None
    assert len(plan.messages) == many and plan.messages[many - 1].request == many - 1
    assert len(plan.collapsed) == many * many and plan.collapsed[many].request == 1
    recipients = plan_of(many).messages[0].recipients
    assert recipients[-1].to == f"n{many - 1}@customer.example" and recipients[-1].role == "to"
    for rows in (refused, report.violations, plan.messages, plan.collapsed, recipients):
        assert repr(rows).startswith("<Rows of ")


def test_rows_outlive_what_they_were_read_from() -> None:
    for count in (3, FEW + 3):
        rows, last = plan_of(count).create, plan_of(count).messages[0].recipients[-1]
        running = iter(rows)
        row = next(running)
        del rows
        assert row.email == "n0@customer.example" and last.to == f"n{count - 1}@customer.example"
        assert sum(1 for _ in running) == count - 1


def test_a_row_keeps_its_body_and_lets_it_go() -> None:
    body = bytes(http_send_mail(request(subject=None)))
    before = sys.getrefcount(body)
    (violation,) = franking.preflight("httpSendMail", body).violations
    assert sys.getrefcount(body) == before + 1 and violation.pointer == "/requests/0/subject"
    del violation
    assert sys.getrefcount(body) == before


def test_rows_are_equal_that_say_the_same_whatever_they_were_read_from() -> None:
    body = http_send_mail(request(to="a@customer.example,A@customer.example,bad", subjct="x"))
    one, other = (franking.preflight("httpSendMail", body) for _ in range(2))
    assert one.violations == other.violations and one.warnings == other.warnings
    assert len({*one.violations, *other.violations}) == len(one.violations)
    assert (
        one.violations[0]
        != franking.preflight("httpSendMail", http_send_mail(request(to="bad"))).violations[0]
    )
    assert plan_of(3).create == plan_of(3).create != plan_of(4).create
    assert hash(plan_of(2).create[1]) == hash(plan_of(2).create[1])
    assert plan_of(2).messages[0].recipients == plan_of(2).messages[0].recipients
    wrong: Any = one.violations[0]
    assert wrong != 5 and wrong != one.warnings[0]


def test_recipients_are_equal_by_their_address_role_and_subscriber() -> None:
    (one, second), (other, _) = (plan_of(2).messages[0].recipients for _ in range(2))
    assert one is not other and one == other and hash(one) == hash(other)
    assert one != second and len({one, other, second}) == 2
    copied = plan_of(1, cc="n1@customer.example").messages[0].recipients[1]
    assert copied.to == second.to and copied != second
    host = MemoryHost(by_key={"n0@customer.example": franking.Subscriber(8, "", False, None)})
    plan = franking.decide("httpSendMail", http_send_mail(request(to="n0@customer.example")), host).plan
    assert plan is not None
    (known,) = plan.messages[0].recipients
    assert (known.to, known.subscriber) == (one.to, 8) and known != one
    anything: Any = one
    assert anything != one.to and anything == mock.ANY


def test_a_recipient_does_not_keep_the_body_of_its_call() -> None:
    body = bytes(http_send_mail(request(to="n0@customer.example")))
    before = sys.getrefcount(body)
    plan = franking.decide("httpSendMail", body, MemoryHost()).plan
    assert plan is not None
    (recipient,) = plan.messages[0].recipients
    assert sys.getrefcount(body) == before + 1
    del plan
    assert sys.getrefcount(body) == before and recipient.to == "n0@customer.example"


def test_the_violation_of_a_report_is_the_first_of_its_violations() -> None:
    for body in (send_mailer(), send_mailer(subID=None, email="bad", fromName="\x01"), b"{"):
        report = franking.preflight("sendMailer", body)
        assert report.violation == next(iter(report.violations), None)
        assert report.code == (200 if report.violation is None else report.violation.code)


def test_a_row_is_frozen_and_has_no_dict_and_is_not_pickled() -> None:
    (violation, *_) = franking.preflight("sendMailer", "{}").violations
    anything: Any = violation
    with pytest.raises(AttributeError):
        anything.code = 200
    with pytest.raises(TypeError, match="unpack"):
        _rule, *_ = anything
    assert not hasattr(violation, "__dict__")
    with pytest.raises(TypeError, match="pickle"):
        pickle.dumps(violation)


def test_the_fields_of_a_row_are_a_new_dict_each_time() -> None:
    body = send_mailer(subID=None, email="new@customer.example", firstName="F", city="C")
    plan = franking.decide("sendMailer", body, MemoryHost()).plan
    assert plan is not None
    (new,) = plan.create
    assert new.fields == {"firstName": "F", "city": "C"} and new.fields is not new.fields
    plan = franking.decide("sendMailer", send_mailer(firstName="F"), MemoryHost()).plan
    assert plan is not None
    (update,) = plan.update
    assert (update.id, update.fields) == (7, {"firstName": "F"})
