"""Partial batches."""

import itertools
import random

from .kit import REQUEST, Suite, account, batch, dump, without, world
from .scenario import HTTP_REQUEST_VARIANTS, ORDER, http_case, http_rank

PARTIAL = {"batch": "partial"}
ADDRESS_RULES = {"recipient-malformed", "recipient-domain-blacklisted", "subscriber-inactive"}
WORLD = {
    "senders": ["news@shop.example", "news@bad.example"],
    "subscribers": [
        {"id": 7, "email": "quiet@customer.example", "inactive": True, "fields": {}},
        {"id": 8, "email": "known@customer.example", "inactive": False, "fields": {}},
        {"id": 9, "email": "quiet@bad.example", "inactive": True, "fields": {}},
    ],
    "blacklists": {
        "sender": ["bad.example"],
        "reply_to": ["bad.example"],
        "recipient": ["bad.example"],
        "content": ["bad.example"],
    },
}


def to(**fields):
    return {**without(REQUEST, "to"), **fields}


def rows(answer):
    return [(row["request"], row["rule"], row["pointer"]) for row in answer["refused"]]


def suite_partial():
    suite = Suite(
        "partial-batches",
        "The policy that makes a batch partial: which requests and addresses are left out, in which order "
        "they are listed, what remains and what it costs, and what answers when nothing remains.",
    )

    def add(name, requests, code, rule, refused, world_changes=None, policy=None, **wants):
        answer = suite.http(
            name,
            batch(*requests) if isinstance(requests, list) else requests,
            code,
            rule,
            policy={**PARTIAL, **(policy or {})},
            world=world(**{**WORLD, **(world_changes or {})}),
            wants=wants,
        )
        assert rows(answer) == refused, (name, rows(answer), refused)
        return answer

    def sent(answer):
        return [
            (mail["request"], [entry["to"] for entry in mail["recipients"]])
            for mail in answer["plan"]["messages"]
        ]

    add("nothing wrong: nothing refused", [REQUEST], 200, None, [])
    got = add(
        "a bad request is left out, the other is sent",
        [to(to="a@x.example", subject=""), REQUEST],
        200,
        None,
        [(0, "subject-missing", "/requests/0/subject")],
    )
    assert sent(got) == [(1, ["new@customer.example"])] and got["plan"]["debit"] == {
        "email": 1,
        "subscriber": 1,
    }
    got = add(
        "a bad address is left out, the others are sent",
        [to(to="a@x.example,nope,b@x.example")],
        200,
        None,
        [(0, "recipient-malformed", "/requests/0/to")],
    )
    assert sent(got) == [(0, ["a@x.example", "b@x.example"])]
    got = add(
        "a blacklisted address is left out",
        [to(to="a@x.example,b@bad.example")],
        200,
        None,
        [(0, "recipient-domain-blacklisted", "/requests/0/to")],
    )
    got = add(
        "an inactive address is left out",
        [to(to="a@x.example", cc="quiet@customer.example")],
        200,
        None,
        [(0, "subscriber-inactive", "/requests/0/cc")],
    )
    got = add(
        "an address both blacklisted and inactive has one row",
        [to(to="a@x.example", bcc="quiet@bad.example")],
        200,
        None,
        [(0, "recipient-domain-blacklisted", "/requests/0/bcc")],
    )
    got = add(
        "malformed duplicates have a row each",
        [to(to="nope,a@x.example,nope", cc="nope")],
        200,
        None,
        [(0, "recipient-malformed", "/requests/0/to")] * 2 + [(0, "recipient-malformed", "/requests/0/cc")],
    )
    got = add(
        "duplicates of a blacklisted address are not listed",
        [to(to="b@bad.example,a@x.example,B@BAD.example", cc="b@bad.example")],
        200,
        None,
        [(0, "recipient-domain-blacklisted", "/requests/0/to")],
    )
    assert got["plan"]["collapsed"] == [] and sent(got) == [(0, ["a@x.example"])]
    got = add(
        "duplicates of an inactive address are not listed",
        [to(to="a@x.example", cc="quiet@customer.example,QUIET@customer.example")],
        200,
        None,
        [(0, "subscriber-inactive", "/requests/0/cc")],
    )
    got = add(
        "duplicates of a sent address are collapsed",
        [to(to="a@x.example,nope,A@x.example")],
        200,
        None,
        [(0, "recipient-malformed", "/requests/0/to")],
    )
    assert [entry["to"] for entry in got["plan"]["collapsed"]] == ["A@x.example"]
    got = add(
        "one address refused in two requests is listed in both",
        [to(to="a@x.example,b@bad.example"), to(to="b@bad.example,c@x.example")],
        200,
        None,
        [
            (0, "recipient-domain-blacklisted", "/requests/0/to"),
            (1, "recipient-domain-blacklisted", "/requests/1/to"),
        ],
    )
    add(
        "a request whose last address is malformed drops out",
        [to(to="nope"), REQUEST],
        200,
        None,
        [(0, "recipient-malformed", "/requests/0/to")],
    )
    add(
        "a request whose addresses are all malformed drops out",
        [to(to="nope,nope2", bcc="nope3"), REQUEST],
        200,
        None,
        [(0, "recipient-malformed", "/requests/0/to")] * 2 + [(0, "recipient-malformed", "/requests/0/bcc")],
    )
    add(
        "a request whose last address is blacklisted drops out",
        [to(to="b@bad.example"), REQUEST],
        200,
        None,
        [(0, "recipient-domain-blacklisted", "/requests/0/to")],
    )
    add(
        "a request whose last address is inactive drops out",
        [to(cc="quiet@customer.example"), REQUEST],
        200,
        None,
        [(0, "subscriber-inactive", "/requests/0/cc")],
    )
    add(
        "one address malformed, the other blacklisted",
        [to(to="nope,b@bad.example"), REQUEST],
        200,
        None,
        [(0, "recipient-malformed", "/requests/0/to"), (0, "recipient-domain-blacklisted", "/requests/0/to")],
    )
    add(
        "one address inactive, the other blacklisted",
        [to(to="quiet@customer.example,b@bad.example"), REQUEST],
        200,
        None,
        [(0, "recipient-domain-blacklisted", "/requests/0/to"), (0, "subscriber-inactive", "/requests/0/to")],
    )
    add(
        "rows of phase 4 come before those of phase 5",
        [to(to="a@x.example,b@bad.example"), {**REQUEST, "subject": ""}, REQUEST],
        200,
        None,
        [
            (1, "subject-missing", "/requests/1/subject"),
            (0, "recipient-domain-blacklisted", "/requests/0/to"),
        ],
    )
    add(
        "a request that drops out is not asked about",
        [{**to(to="nope"), "from": "x@bad.example", "body": "http://bad.example"}, REQUEST],
        200,
        None,
        [(0, "recipient-malformed", "/requests/0/to")],
    )
    add(
        "a request refused whole in phase 5 has one row, its bad address none",
        [{**to(to="a@x.example,nope"), "from": "nobody@shop.example"}, REQUEST],
        200,
        None,
        [(0, "sender-unknown", "/requests/0/from")],
    )
    add(
        "a request refused whole in phase 4 has one row, its bad address none",
        [{**to(to="a@x.example,nope"), "subject": ""}, REQUEST],
        200,
        None,
        [(0, "subject-missing", "/requests/0/subject")],
    )
    add(
        "a request refused whole by a later code than its address's",
        [{**to(to="a@x.example,nope"), "subject": "{{name}}"}, REQUEST],
        200,
        None,
        [(0, "subject-placeholder", "/requests/0/subject")],
    )
    add(
        "a request refused whole by a later code than its blacklisted address's",
        [{**to(to="a@x.example,b@bad.example"), "from": "nobody@shop.example"}, REQUEST],
        200,
        None,
        [(0, "sender-unknown", "/requests/0/from")],
    )
    add(
        "several rules of one request: the first",
        [to(to="a@x.example", subject="", **{"from": "", "body": ""}), REQUEST],
        200,
        None,
        [(0, "subject-missing", "/requests/0/subject")],
    )
    add(
        "an entry that is no object is left out",
        ["x", REQUEST, None],
        200,
        None,
        [(0, "request-not-object", "/requests/0"), (2, "request-not-object", "/requests/2")],
    )
    add(
        "no address at all refuses the request",
        [to(), REQUEST],
        200,
        None,
        [(0, "recipient-missing", "/requests/0")],
    )
    add(
        "a blacklisted sender refuses the request",
        [{**REQUEST, "from": "news@bad.example"}, REQUEST],
        200,
        None,
        [(0, "sender-domain-blacklisted", "/requests/0/from")],
    )
    add(
        "a blacklisted reply address refuses the request",
        [REQUEST, {**REQUEST, "replyTo": "a@bad.example"}],
        200,
        None,
        [(1, "reply-to-domain-blacklisted", "/requests/1/replyTo")],
    )
    add(
        "a blacklisted link refuses the request",
        [REQUEST, {**REQUEST, "body": "https://www.bad.example/"}],
        200,
        None,
        [(1, "html-domain-blacklisted", "/requests/1/body")],
    )
    # Nothing remains.
    no_facts = {"account": 1, "facts": 0, "commits": 0}
    add(
        "nothing remains of one request",
        [to(to="nope")],
        412,
        "recipient-malformed",
        [(0, "recipient-malformed", "/requests/0/to")],
        asked=no_facts,
        request=0,
    )
    add(
        "nothing remains of two requests: the first violation",
        [to(to="nope"), {**REQUEST, "subject": ""}],
        412,
        "recipient-malformed",
        [(0, "recipient-malformed", "/requests/0/to"), (1, "subject-missing", "/requests/1/subject")],
        asked=no_facts,
    )
    add(
        "nothing remains after the facts: phase 4 first",
        [to(to="b@bad.example"), {**REQUEST, "subject": ""}],
        406,
        "subject-missing",
        [
            (1, "subject-missing", "/requests/1/subject"),
            (0, "recipient-domain-blacklisted", "/requests/0/to"),
        ],
        asked={"account": 1, "facts": 1, "commits": 0},
        request=1,
    )
    add(
        "nothing remains after the facts",
        [to(to="b@bad.example"), to(to="quiet@customer.example")],
        416,
        "recipient-domain-blacklisted",
        [(0, "recipient-domain-blacklisted", "/requests/0/to"), (1, "subscriber-inactive", "/requests/1/to")],
    )
    # Rules that refuse the whole call.
    add(
        "too many requests refuse the call",
        [REQUEST, to(to="nope")],
        453,
        "too-many-requests",
        [],
        policy={"max_requests": 1},
    )
    add("no requests refuse the call", [], 475, "requests-missing", [])
    add(
        "a repeated name in one request refuses the call",
        '{"ApiKey":"key-1","requests":[%s,{"to":"a","to":"b"}]}' % dump(REQUEST),
        475,
        "field-repeated",
        [],
    )
    add(
        "an unknown key refuses the call and tells nothing",
        {"ApiKey": "x", "requests": [to(to="nope")]},
        403,
        "key-unknown",
        [],
    )
    add(
        "a blocked account refuses the call and lists nothing",
        [to(to="nope"), REQUEST],
        404,
        "account-blocked",
        [],
        {"accounts": account(blocked=True)},
    )
    got = add(
        "credit counts what remains: it suffices",
        [to(to="a@x.example,b@bad.example,nope"), {**REQUEST, "subject": ""}],
        200,
        None,
        [
            (0, "recipient-malformed", "/requests/0/to"),
            (1, "subject-missing", "/requests/1/subject"),
            (0, "recipient-domain-blacklisted", "/requests/0/to"),
        ],
        {"accounts": account(email_credit=1, subscriber_credit=1)},
    )
    add(
        "credit refuses the call, what was left out is listed all the same",
        [to(to="a@x.example,c@x.example,nope")],
        445,
        "email-credit-low",
        [(0, "recipient-malformed", "/requests/0/to")],
        {"accounts": account(email_credit=1)},
        request=None,
        pointer=None,
    )
    add(
        "subscriber credit refuses the call, what was left out is listed all the same",
        [to(to="a@x.example,b@bad.example")],
        444,
        "subscriber-credit-low",
        [(0, "recipient-domain-blacklisted", "/requests/0/to")],
        {"accounts": account(subscriber_credit=0)},
    )
    add(
        "a conflict at the last commit lists what was left out",
        [to(to="a@x.example,nope")],
        442,
        "subscriber-exists",
        [(0, "recipient-malformed", "/requests/0/to")],
        {"commits": [{"conflict": "subscriber_exists"}] * 3},
        asked={"account": 3, "facts": 3, "commits": 3},
    )
    late = [{"id": 12, "email": "a@x.example", "inactive": True, "fields": {}}]
    add(
        "an address that becomes inactive between two commits is left out",
        [to(to="a@x.example,c@x.example")],
        200,
        None,
        [(0, "subscriber-inactive", "/requests/0/to")],
        {"commits": [{"conflict": "subscriber_inactive", "change": {"subscribers": late}}]},
        asked={"account": 2, "facts": 2, "commits": 2},
    )
    # A whole batch of the same calls lists nothing.
    for name, requests, code, rule in [
        ("a bad address", [to(to="a@x.example,nope")], 412, "recipient-malformed"),
        ("a bad request", [REQUEST, {**REQUEST, "subject": ""}], 406, "subject-missing"),
        ("a blacklisted address", [to(to="a@x.example,b@bad.example")], 416, "recipient-domain-blacklisted"),
    ]:
        answer = suite.http(
            f"whole batch: {name}",
            batch(*requests),
            code,
            rule,
            policy={"batch": "whole"},
            world=world(**WORLD),
        )
        assert answer["refused"] == []
    return suite


def generated(suite):
    """Every request rule beside a good request, every two in two requests beside a good one."""
    for rule, variants in HTTP_REQUEST_VARIANTS.items():
        case = http_case({}, [variants[0], {}])
        answer = suite.add(f"{rule} beside a good request", {**case, "policy": PARTIAL}, {"code": 200})
        assert [(row["request"], row["rule"], row["code"]) for row in answer["refused"]] == [
            (0, rule, ORDER[rule][2])
        ]
        answer = suite.add(f"{rule} alone", {**http_case({}, [variants[0]]), "policy": PARTIAL}, None)
        expected = rule if rule != "recipient-malformed" else None
        assert answer["rule"] == expected
    some = list(HTTP_REQUEST_VARIANTS)
    chosen = random.Random(6).sample(list(itertools.product(some, repeat=2)), 120)
    for first, second in sorted(chosen):
        case = http_case({}, [HTTP_REQUEST_VARIANTS[first][0], {}, HTTP_REQUEST_VARIANTS[second][0]])
        answer = suite.add(
            f"{first} in request 0 and {second} in request 2", {**case, "policy": PARTIAL}, {"code": 200}
        )
        expected = sorted([(first, 0), (second, 2)], key=lambda pair: http_rank(*pair))
        assert [(row["rule"], row["request"]) for row in answer["refused"]] == expected
    return suite


def suites():
    more = Suite(
        "partial-batches-pairs",
        "Partial batches: every rule of a request beside a good request and alone, and two rules in two "
        "requests around a good one, listed in the order of phases and requests.",
    )
    return [suite_partial(), generated(more)]
