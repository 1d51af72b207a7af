from __future__ import annotations

import re
from typing import Any

import pytest

import franking
from franking import _franking


def test_the_enumerations_are_the_librarys_tables() -> None:
    assert [rule.value for rule in franking.Rule] == [row[0] for row in _franking.rule_table()]
    assert [kind.value for kind in franking.WarningKind] == [row[0] for row in _franking.warning_table()]
    for rule in franking.Rule:
        assert rule.name == rule.value.replace("-", "_").upper()
        assert rule.meaning and rule.remedy and rule.number and 1 <= rule.phase <= 7 and rule.phase_name
        for operation in franking.Operation:
            code = rule.code(operation)
            assert code is None or code in franking.codes(operation)


def test_the_code_of_a_rule_is_that_of_the_operation_and_what_is_no_operation_is_refused() -> None:
    rule = franking.Rule.REQUESTS_MISSING
    assert (rule.code("httpSendMail"), rule.code(franking.Operation.SEND_MAILER)) == (475, None)
    for name in ("sendmailer", "", "requests-missing"):
        for function in (rule.code, franking.codes, franking.deprecation, franking.operation_path):
            with pytest.raises(franking.MisuseError, match="sendMailer"):
                function(name)
    not_text: Any = 5
    with pytest.raises(TypeError):
        rule.code(not_text)


def test_codes_mean_what_their_operation_says() -> None:
    for operation in franking.Operation:
        for code in franking.codes(operation):
            assert franking.code_meaning(operation, code) and franking.code_retry(operation, code)
    for code in (-1, 0, 999, 2**80):
        assert (
            franking.code_meaning("sendMailer", code) is None
            and franking.code_retry("sendMailer", code) is None
        )


def test_routes_name_an_operation_and_whether_the_method_is_right() -> None:
    assert franking.route("POST", "/x/v4/httpSendMail") == (franking.Operation.HTTP_SEND_MAIL, True)
    assert franking.route("GET", "/v4/sendMailer") == (franking.Operation.SEND_MAILER, False)
    assert franking.route("POST", "/") is None
    assert franking.operation_path("httpSendMail") == "/v4/httpSendMail.php"


def test_everything_public_is_named_documented_and_said_to_be_the_packages_own() -> None:
    assert sorted(franking.__all__) == franking.__all__
    assert re.fullmatch(r"\d+\.\d+\.\d+", franking.__version__)
    for name in franking.__all__:
        thing = getattr(franking, name)
        if isinstance(thing, type) or callable(thing) and not hasattr(thing, "__args__"):
            assert thing.__doc__, name
        if isinstance(thing, type):
            for member_name, member in vars(thing).items():
                if not member_name.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert member.__doc__ or issubclass(thing, str), f"{name}.{member_name}"
