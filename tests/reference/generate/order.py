"""Every rule alone, and every pair of rules that one call can break."""

import itertools

from ..executor import answer_case
from .kit import Suite
from .scenario import (
    HTTP_CALL_VARIANTS,
    HTTP_REQUEST_VARIANTS,
    MAILER_VARIANTS,
    ORDER,
    http_case,
    http_rank,
    mailer_case,
    mailer_rank,
    merge,
)


def together(first, second):
    """The first way to break two rules at once, as one set of slots, or None."""
    for one, other in itertools.product(first, second):
        merged = merge(one, other)
        if merged is not None:
            return merged
    return None


def assert_both_broken(case, *rules):
    """What a preflight can see, it must see: a pair of which one is not broken proves nothing."""
    visible = [rule for rule in rules if ORDER[rule][0] in (1, 4) or rule == "key-missing"]
    visible = [rule for rule in visible if rule != "method-not-post"]
    answer = answer_case({**case, "do": "preflight"})
    found = [violation["rule"] for violation in answer["violations"]]
    if not {"body-not-json", "body-too-large", "too-many-requests", "requests-missing"} & set(rules):
        assert set(visible) <= set(found), (rules, found, case)


def mailer_suite():
    suite = Suite(
        "order-send-mailer",
        "Every rule of sendMailer broken alone, then every two rules that one call can break: the "
        "winner is the one that comes first in the order of phases and codes, with 442 last in its phase.",
    )
    for rule, variants in MAILER_VARIANTS.items():
        for variant in variants:
            code = ORDER[rule][1]
            suite.add(f"{rule} alone answers {code}", mailer_case(variant), {"code": code, "rule": rule})
    for first, second in itertools.combinations(MAILER_VARIANTS, 2):
        slots = together(MAILER_VARIANTS[first], MAILER_VARIANTS[second])
        if slots is None:
            continue
        winner = min((first, second), key=mailer_rank)
        assert_both_broken(mailer_case(slots), first, second)
        suite.add(
            f"{winner} wins of {first} and {second}",
            mailer_case(slots),
            {"code": ORDER[winner][1], "rule": winner},
        )
    return suite


def http_suites():
    alone = Suite(
        "order-http-send-mail",
        "Every rule of httpSendMail broken alone, then every two rules that one call can break, both in "
        "one request or in the call itself: phase first, the call before its requests, then the lowest code.",
    )
    apart = Suite(
        "order-http-send-mail-two-requests",
        "Two rules of httpSendMail broken in two different requests of one call, in both orders: within "
        "a phase the earlier request wins, whatever its code.",
    )
    for rule, variants in HTTP_CALL_VARIANTS.items():
        for call in variants:
            alone.add(
                f"{rule} alone",
                http_case(call, [{}]),
                {"code": ORDER[rule][2], "rule": rule, "request": None},
            )
    for rule, variants in HTTP_REQUEST_VARIANTS.items():
        # The first variant breaks one rule; the others are for pairs.
        alone.add(
            f"{rule} alone",
            http_case({}, [{}, variants[0]]),
            {"code": ORDER[rule][2], "rule": rule, "request": 1},
        )

    for first, second in itertools.combinations(HTTP_CALL_VARIANTS, 2):
        call = together(HTTP_CALL_VARIANTS[first], HTTP_CALL_VARIANTS[second])
        if call is not None:
            add(alone, call, [{}], [(first, None), (second, None)])
    for first, second in itertools.product(HTTP_CALL_VARIANTS, HTTP_REQUEST_VARIANTS):
        call = together(HTTP_CALL_VARIANTS[first], [{"syntax": "ok", "requests": "some"}])
        if call is not None:
            add(alone, call, [{}, HTTP_REQUEST_VARIANTS[second][0]], [(first, None), (second, 1)])
    for first, second in itertools.combinations(HTTP_REQUEST_VARIANTS, 2):
        slots = together(HTTP_REQUEST_VARIANTS[first], HTTP_REQUEST_VARIANTS[second])
        if slots is not None:
            add(alone, {}, [slots], [(first, 0), (second, 0)])
    for first, second in itertools.product(HTTP_REQUEST_VARIANTS, repeat=2):
        requests = [HTTP_REQUEST_VARIANTS[first][0], HTTP_REQUEST_VARIANTS[second][0]]
        add(apart, {}, requests, [(first, 0), (second, 1)])
    return [alone, apart]


def add(suite, call, requests, broken):
    assert_both_broken(http_case(call, requests), *(rule for rule, _ in broken))
    winner, request = min(broken, key=lambda pair: http_rank(*pair))
    places = " and ".join(rule + ("" if index is None else f" in request {index}") for rule, index in broken)
    suite.add(
        f"{winner} wins of {places}",
        http_case(call, requests),
        {"code": ORDER[winner][2], "rule": winner, "request": request},
    )


def suites():
    return [mailer_suite(), *http_suites()]
