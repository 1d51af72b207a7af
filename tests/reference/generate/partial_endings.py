"""How the calls of partial batches end."""

from .kit import KEY, REQUEST, Suite, account, batch, put, world
from .partial import PARTIAL, WORLD, rows, to
from .replays import recorded, replay

# Request 0 has two entries in `to`: the first is not an address, and the domain of the second is on a blacklist.
NOPE = (0, "recipient-malformed", "/requests/0/to")
LISTED = (0, "recipient-domain-blacklisted", "/requests/0/to")
SENT = [to(to="nope,a@x.example,b@bad.example")]
UNKNOWN = {"from": "nobody@shop.example"}
CONTROL = {"fromName": "A\nB"}
WITHOUT_CODE = {"code": None, "rule": None, "response": None, "plan": None, "refused": None}


def changed(kind, **change):
    """The world after whose first commit the members are replaced."""
    return {"commits": [{"conflict": kind, "change": change}]}


def asked(accounts, facts, commits):
    return {"account": accounts, "facts": facts, "commits": commits}


# Conflicts, after which the call is judged again: how it ends, and what it lists then.
RETRIES = [
    # Phases 2 and 3 list nothing: what was left out is judged after them.
    ("the key is unknown", changed("other", accounts={}), 403, "key-unknown", [], asked(2, 1, 1)),
    ("blocked", changed("other", accounts=account(blocked=True)), 404, "account-blocked", [], asked(2, 1, 1)),
    ("expired", changed("email_credit", accounts=account(expired=True)), 405, "account-expired", [], asked(2, 1, 1)),
    (
        "deactivated",
        changed("subscriber_exists", accounts=account(deactivated=True)),
        448,
        "account-deactivated",
        [],
        asked(2, 1, 1),
    ),
    # Phase 5 is judged from the new facts alone.
    (
        "nothing remains",
        changed("other", blacklists={"recipient": ["bad.example", "x.example"]}),
        412,
        "recipient-malformed",
        [NOPE, LISTED, LISTED],
        asked(2, 2, 1),
    ),
    (
        "the request is refused whole",
        changed("other", senders=[]),
        412,
        "recipient-malformed",
        [(0, "sender-unknown", "/requests/0/from")],
        asked(2, 2, 1),
    ),
    ("the domain is taken off", changed("other", blacklists={}), 200, None, [NOPE], asked(2, 2, 2)),
    # Credit is counted for what remains, in phase 6 and at the last commit.
    (
        "no email credit",
        changed("email_credit", accounts=account(email_credit=0)),
        445,
        "email-credit-low",
        [NOPE, LISTED],
        asked(2, 2, 1),
    ),
    (
        "no subscriber credit",
        changed("subscriber_credit", accounts=account(subscriber_credit=0)),
        444,
        "subscriber-credit-low",
        [NOPE, LISTED],
        asked(2, 2, 1),
    ),
    (
        "credit for one email and one subscriber",
        changed("email_credit", accounts=account(email_credit=1, subscriber_credit=1)),
        200,
        None,
        [NOPE, LISTED],
        asked(2, 2, 2),
    ),
    (
        "INACTIVE at the last commit",
        {"commits": [{"conflict": "subscriber_inactive"}] * 3},
        443,
        "subscriber-inactive",
        [NOPE, LISTED],
        asked(3, 3, 3),
    ),
]

# Calls of which nothing remains: the requests, the code with its rule and place, and the rows.
NOTHING_REMAINS = [
    (
        "malformed addresses, and a rule with a higher code",
        [{**to(to="nope,nope"), **CONTROL}],
        (412, *NOPE[1:]),
        [(0, "from-name-control", "/requests/0/fromName")],
    ),
    (
        "a malformed address, and a field of a wrong type",
        [{**to(to="nope"), "trackOpens": 2}],
        (412, *NOPE[1:]),
        [(0, "field-wrong-type", "/requests/0/trackOpens")],
    ),
    (
        "a malformed address, and HTML that can hide a host",
        [{**to(to="nope,a@x.example"), "body": "<p>\x1b"}],
        (412, *NOPE[1:]),
        [(0, "html-host-hidden", "/requests/0/body")],
    ),
    (
        "a malformed address with a higher code in request 0, a lower code in request 1",
        [{**to(to="nope"), **CONTROL}, {**REQUEST, "subject": ""}],
        (412, *NOPE[1:]),
        [(0, "from-name-control", "/requests/0/fromName"), (1, "subject-missing", "/requests/1/subject")],
    ),
    (
        "an earlier request with a higher code",
        [{**REQUEST, **CONTROL}, {**REQUEST, "subject": ""}],
        (477, "from-name-control", "/requests/0/fromName"),
        [(0, "from-name-control", "/requests/0/fromName"), (1, "subject-missing", "/requests/1/subject")],
    ),
    (
        "a malformed address in a request that phase 5 refuses whole",
        [{**to(to="nope,a@x.example"), **UNKNOWN}],
        (412, *NOPE[1:]),
        [(0, "sender-unknown", "/requests/0/from")],
    ),
    (
        "a blacklisted address in a request whose sender is unknown",
        [{**to(to="b@bad.example"), **UNKNOWN}],
        (416, *LISTED[1:]),
        [(0, "sender-unknown", "/requests/0/from")],
    ),
    (
        "an INACTIVE address in a request whose sender is unknown",
        [{**to(to="quiet@customer.example"), **UNKNOWN}],
        (420, "sender-unknown", "/requests/0/from"),
        [(0, "sender-unknown", "/requests/0/from")],
    ),
    (
        "rows of both phases, and the first violation has none",
        [{**to(to="nope,a@x.example"), **UNKNOWN}, to(to="nope,b@bad.example")],
        (412, *NOPE[1:]),
        [
            (1, "recipient-malformed", "/requests/1/to"),
            (0, "sender-unknown", "/requests/0/from"),
            (1, "recipient-domain-blacklisted", "/requests/1/to"),
        ],
    ),
]

SENT_OVER_HTTP = {
    "accepted in part": (SENT, {}, {}, 200, '{"code":"200","status":"Success","transactionId":"1"}'),
    "nothing remains": ([to(to="nope")], {}, {}, 200, '{"code":"412","status":"Error"}'),
    "nothing remains, and the place is that of the first violation": (
        [{**to(to="nope"), **CONTROL}],
        {},
        {"answer_status": "place"},
        200,
        '{"code":"412","status":"Invalid recipient email address at /requests/0/to"}',
    ),
    "no credit for what remains": (
        SENT,
        {"accounts": account(email_credit=0)},
        {"answer_values": "numbers", "answer_status": "meaning"},
        200,
        '{"code":445,"status":"Low email credit"}',
    ),
    "the key is unknown after a conflict": (
        SENT,
        changed("other", accounts={}),
        {},
        200,
        '{"code":"403","status":"Error"}',
    ),
    "the host failed at each attempt": (SENT, {"commits": [{"conflict": "other"}] * 3}, {}, 503, ""),
    "a commit that did not say what came of it": (SENT, {"commits": [{"fails": True}]}, {}, 503, ""),
    "the same after a conflict": (SENT, {"commits": [{"conflict": "other"}, {"fails": True}]}, {}, 503, ""),
    "a transaction id that cannot be": (SENT, {"transaction_id": 0}, {}, 503, ""),
}


def suites():
    suite = Suite(
        "partial-batches-endings",
        "How the call of a partial batch ends: judged again after a conflict, when nothing remains, without a code, "
        "over HTTP and in a transcript.",
    )

    def add(name, requests, world_changes, **wants):
        answer = suite.http(
            name, batch(*requests), policy=PARTIAL, world=world(**{**WORLD, **world_changes}), wants=wants
        )
        return answer

    for name, changes, code, rule, refused, times in RETRIES:
        answer = add(f"judged again: {name}", SENT, changes, code=code, rule=rule, asked=times)
        assert rows(answer) == refused, (name, rows(answer))
        told = recorded("httpSendMail", batch(*SENT), {**WORLD, **changes}, PARTIAL)
        replay(suite, f"judged again, replayed: {name}", told)
    answer = add(
        "judged again: one request is refused whole, another is sent",
        [*SENT, to(to="c@x.example", **{"from": "two@x.example"})],
        {"senders": ["news@shop.example", "two@x.example"], **changed("other", senders=["two@x.example"])},
        code=200,
        rule=None,
        asked=asked(2, 2, 2),
    )
    assert rows(answer) == [(0, "sender-unknown", "/requests/0/from")]
    assert [mail["request"] for mail in answer["plan"]["messages"]] == [1]
    assert answer["plan"]["debit"] == {"email": 1, "subscriber": 1}
    for name, requests, (code, rule, pointer), refused in NOTHING_REMAINS:
        place = {"rule": rule, "pointer": pointer, "request": 0}
        answer = add(f"nothing remains: {name}", requests, {}, code=code, **place, plan=None)
        assert rows(answer) == refused, (name, rows(answer))
    for name, changes, failure in [
        ("the last conflict has no code", {"commits": [{"conflict": "other"}] * 3}, "host"),
        ("a commit that did not say what came of it", {"commits": [{"fails": True}]}, "unknown"),
        ("a transaction id that cannot be", {"transaction_id": 2**53}, "misuse"),
    ]:
        add(f"without a code: {name}", SENT, changes, **WITHOUT_CODE, error=failure)
    for name, (requests, changes, policy, status, body) in SENT_OVER_HTTP.items():
        case = {"do": "http", "operation": "httpSendMail", **put(batch(*requests))}
        case.update(policy={**PARTIAL, **policy}, world=world(**{**WORLD, **changes}))
        answer = suite.add(f"over HTTP: {name}", case, {"status": status, "body": body})
        assert ("Retry-After" in answer["headers"]) == (name == "the host failed at each attempt"), (name, answer)
    # Nothing is asked about a request that is left out, or about an entry that is not an address.
    dropped = {**to(to="nope"), "from": "x@drop.example", "replyTo": "y@drop.example", "body": "http://drop.example"}
    told = recorded("httpSendMail", batch(dropped, to(to="z@drop.example", subject=""), *SENT), WORLD, PARTIAL)
    assert told["steps"][0]["ask"] == {"account": KEY}
    assert told["steps"][1]["ask"] == {
        "facts": {
            "mailers": [],
            "senders": ["news@shop.example"],
            "subscriber_ids": [],
            "subscribers": ["a@x.example", "b@bad.example"],
            "lists": [],
            "domains": [
                {"domain": "shop.example", "roles": ["sender"]},
                {"domain": "x.example", "roles": ["recipient"]},
                {"domain": "bad.example", "roles": ["recipient"]},
            ],
        }
    }
    replay(suite, "a request that drops out is not asked about", told)
    return [suite]
