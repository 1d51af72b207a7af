"""Every rule alone, and every pair of rules that one call can break."""

import itertools
import re

from ..executor import answer_case
from .kit import KEY, Suite
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
    """A preflight must see what it can see: a pair of rules of which one is not broken proves nothing."""
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


def pairs_in(suites):
    found = set()
    for suite in suites:
        for vector in suite.vectors:
            pair = PAIR.fullmatch(vector["name"])
            if pair:
                found.add(frozenset(pair.groups()))
    return found


PAIR = re.compile(r"\S+ wins of (\S+)(?: in request \d)? and (\S+?)(?: in request \d)?(?: \(\d+\))?")


def too_large(case):
    return {**case, "policy": {**case.get("policy", {}), "max_bytes": 20}}


def not_json(case):
    return {**case, "body": case["body"] + ","}


def without_key(case):
    return {**case, "body": case["body"].replace(f'"{KEY}"', '""', 1)}


def of_nobody(case):
    return {**case, "body": case["body"].replace(f'"{KEY}"', '"another"', 1)}


def one_too_many(case):
    return {**case, "policy": {**case.get("policy", {}), "max_requests": 1}}


# Changes that keep the rest of a call from being looked at, made to a call that breaks another rule.
BLINDING = {
    "sendMailer": {"body-not-json": not_json, "key-missing": without_key, "key-unknown": of_nobody},
    "httpSendMail": {
        "body-too-large": too_large,
        "body-not-json": not_json,
        "key-missing": without_key,
        "key-unknown": of_nobody,
        "too-many-requests": one_too_many,
    },
}
NO_ACCOUNT = {"key-missing", "key-unknown"}
STATES = {"account-blocked", "account-expired", "account-deactivated"}


def blind_suite(others):
    suite = Suite(
        "order-unread",
        "Calls that are too large, not JSON, of an unknown caller or of too many requests, and break another rule that"
        " is then not looked at.",
    )
    seen = {"sendMailer": pairs_in(others[:1]), "httpSendMail": pairs_in(others[1:])}
    for operation, ways in BLINDING.items():
        for (blinding, blind), (rule, request, case) in itertools.product(ways.items(), broken_alone(operation)):
            pair = frozenset([blinding, rule])
            if len(pair) == 1 or pair in seen[operation]:
                continue
            if pair <= NO_ACCOUNT or pair & NO_ACCOUNT and pair & STATES:
                continue
            if pair == {"too-many-requests", "requests-missing"}:
                continue
            seen[operation].add(pair)
            if operation == "sendMailer":
                winner = min((blinding, rule), key=mailer_rank)
                code = ORDER[winner][1]
            else:
                winner = min([(blinding, None), (rule, request)], key=lambda one: http_rank(*one))[0]
                code = ORDER[winner][2]
            suite.add(f"{winner} wins of {blinding} and {rule}", blind(case), {"code": code, "rule": winner})
    return suite


def broken_alone(operation):
    """(rule, request or None, a call of two requests at least where it has requests) for every rule."""
    if operation == "sendMailer":
        for rule, variants in MAILER_VARIANTS.items():
            yield rule, None, mailer_case(variants[0])
        return
    for rule, variants in HTTP_CALL_VARIANTS.items():
        yield rule, None, http_case(variants[0], [{}, {}])
    for rule, variants in HTTP_REQUEST_VARIANTS.items():
        yield rule, 1, http_case({}, [{}, variants[0]])


def suites():
    others = [mailer_suite(), *http_suites()]
    return [*others, blind_suite(others)]
