from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

import franking


def test_each_rule_says_what_it_is_and_its_codes_have_meanings() -> None:
    for rule in franking.Rule:
        assert rule.meaning and rule.remedy and rule.number and rule.phase
        for operation in franking.Operation:
            code = rule.code(operation)
            assert code is None or franking.code_meaning(code, operation)
    for kind in franking.WarningKind:
        assert kind.meaning and kind.number


def test_the_code_of_a_rule_is_that_of_the_operation_and_what_is_no_operation_is_refused() -> None:
    rule = franking.Rule.REQUESTS_MISSING
    assert (rule.code("httpSendMail"), rule.code(franking.Operation.SEND_MAILER)) == (475, None)
    for name in ("sendmailer", "", "requests-missing"):
        for function in (
            rule.code,
            partial(franking.code_meaning, 200),
            partial(franking.code_retry, 200),
            partial(franking.preflight, body="{}"),
            partial(franking.Call, body="{}"),
            partial(franking.compose, fields={}),
            partial(franking.preflight_many, bodies=[]),
        ):
            with pytest.raises(franking.InvalidError, match="sendMailer"):
                function(name)
    not_text: Any = 5
    with pytest.raises(TypeError):
        rule.code(not_text)


def test_codes_mean_what_their_operation_says() -> None:
    for operation in franking.Operation:
        for code in franking.Code:
            is_listed = franking.code_meaning(code, operation) is not None
            assert (franking.code_retry(code, operation) is not None) == is_listed
    assert franking.code_meaning(602, "httpSendMail") is None
    for number in (-1, 0, 999, 2**80):
        assert franking.code_meaning(number, "sendMailer") is None
        assert franking.code_retry(number, "sendMailer") is None


def test_routes_name_an_operation_and_whether_the_method_is_right() -> None:
    call = (franking.Route.CALL, franking.Operation.HTTP_SEND_MAIL)
    assert franking.route("POST", "/x/v4/httpSendMail") == call
    wrong = (franking.Route.WRONG_METHOD, franking.Operation.SEND_MAILER)
    assert franking.route("GET", "/v4/sendMailer") == franking.route("\ud800", "/v4/sendMailer") == wrong
    assert franking.route("POST", "/") is franking.route("POST", "\ud800") is None
    assert franking.Operation.HTTP_SEND_MAIL.path == "/v4/httpSendMail.php"
    deprecation = franking.Operation.HTTP_SEND_MAIL.deprecation
    assert deprecation is not None and deprecation.last_day == "2024-04-30"
    assert franking.Operation.SEND_MAILER.deprecation is None


def test_everything_public_is_named_documented_and_said_to_be_the_packages_own() -> None:
    assert sorted(franking.__all__) == franking.__all__
    assert re.fullmatch(r"\d+\.\d+\.\d+", franking.__version__)
    assert franking.__rules_version__ >= 1
    for name in franking.__all__:
        thing = getattr(franking, name)
        assert thing.__doc__ and thing.__module__ == "franking", name
        if isinstance(thing, type):
            for member_name, member in vars(thing).items():
                if not member_name.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert member.__doc__ or issubclass(thing, str), f"{name}.{member_name}"
