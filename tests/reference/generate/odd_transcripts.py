"""Transcripts at the edge of their form."""

from .kit import KEY, MAILER, REQUEST, Suite, batch, dump

MAIL = dump(MAILER)
BATCH = dump(batch(REQUEST))


def unsaid(replay, asked, known, facts, done):
    """`blacklisted` of a stored address has no default. If it is left out and the call is judged by it, that is misuse."""
    row = {"id": 7, "email": "new@customer.example"}
    for name, blacklisted in (("left out", {}), ("null", {"blacklisted": None})):
        for column, rows in (
            ("mailers", [{"from": "news@shop.example", **blacklisted}]),
            ("subscribers", [{**row, **blacklisted}]),
        ):
            replay(
                f"{column}: whether it is listed is {name}",
                [asked, {"answer": {"facts": {**facts, column: rows}}}, known, done],
                {"steps": ["ok", "misuse", "ok", "ok"]},
            )
        by_id = {**facts, "subscribers": [], "domains": [], "subscriber_ids": [{**row, **blacklisted}]}
        replay(
            f"subscriber_ids: whether it is listed is {name}",
            [asked, {"answer": {"facts": by_id}}],
            {"steps": ["ok", "misuse"]},
            body=dump({"apiKey": KEY, "mailerID": 42, "subID": 7}),
        )
        own_sender = {**facts, "mailers": [{"from": "news@shop.example", **blacklisted}], "senders": [True]}
        own_sender["domains"] = [[], []]
        replay(
            f"the mailer of a call with a sender of its own: whether it is listed is {name}",
            [asked, {"answer": {"facts": own_sender}}, done],
            {"steps": ["ok"] * 3},
            body=dump({**MAILER, "from": "news@shop.example"}),
        )
        batch_facts = {"senders": [True], "subscribers": [{**row, **blacklisted}], "domains": [[], []]}
        replay(
            f"httpSendMail's subscribers: whether they are listed is {name}",
            [asked, {"answer": {"facts": batch_facts}}, done],
            {"steps": ["ok"] * 3},
            operation="httpSendMail",
            body=BATCH,
        )


def without_address(replay, asked, known, facts, done):
    """An empty stored address is misuse if the email would use it. Otherwise it is ignored."""
    row = {"id": 7, "email": "", "blacklisted": False}
    mailer = {"from": "", "blacklisted": False}
    for column, rows in (("mailers", [mailer]), ("subscribers", [row])):
        replay(
            f"{column}: the stored address is empty",
            [asked, {"answer": {"facts": {**facts, column: rows}}}, known, done],
            {"steps": ["ok", "misuse", "ok", "ok"]},
        )
    replay(
        "subscriber_ids: the stored address is empty",
        [asked, {"answer": {"facts": {**facts, "subscribers": [], "domains": [], "subscriber_ids": [row]}}}],
        {"steps": ["ok", "misuse"]},
        body=dump({"apiKey": KEY, "mailerID": 42, "subID": 7}),
    )
    replay(
        "the mailer of a call with a sender of its own: the stored address is empty",
        [asked, {"answer": {"facts": {**facts, "mailers": [mailer], "senders": [True], "domains": [[], []]}}}, done],
        {"steps": ["ok"] * 3},
        body=dump({**MAILER, "from": "news@shop.example"}),
    )
    replay(
        "httpSendMail's subscribers: the stored address is empty",
        [asked, {"answer": {"facts": {"senders": [True], "subscribers": [row], "domains": [[], []]}}}, done],
        {"steps": ["ok"] * 3},
        operation="httpSendMail",
        body=BATCH,
    )


def transcripts():
    suite = Suite("odd-transcripts", "Transcripts at the edge: answers of odd forms are no case or a misuse.")
    base = {"operation": "sendMailer", "method": "POST", "body": MAIL, "policy": {}}
    asked = {"answer": {"account": {}}}
    facts = {
        "mailers": [{"from": "news@shop.example", "blacklisted": False}],
        "subscribers": [None],
        "domains": [[]],
    }
    known = {"answer": {"facts": facts}}
    done = {"answer": {"commit": {"transaction_id": 5}}}

    def replay(name, steps, wants=None, error=None, **others):
        return suite.add(name, {"do": "replay", "transcript": {**base, "steps": steps, **others}}, wants, error)

    whole = replay("columns that are left out are empty", [asked, known, done], {"steps": ["ok"] * 3})
    assert whole["decision"]["code"] == 200
    replay("no steps", [], {"steps": [], "decision": None})
    replay("every answer twice", [asked, asked, known, known, done, done], {"steps": ["ok", "misuse"] * 3})
    replay("the last first", [done, known, asked], {"steps": ["misuse", "misuse", "ok"]})
    for name, content in {
        "an object without members": {},
        "null": None,
        "an array": [],
        "two kinds": {"account": None, "facts": {}},
        "an unknown kind": {"accounts": {}},
        "an account that is an array": {"account": []},
        "an account that is true": {"account": True},
        "an account with an unknown member": {"account": {"x": 1}},
        "a flag that is null": {"account": {"blocked": None}},
        "a flag that is a number": {"account": {"blocked": 0}},
        "a credit that is a fraction": {"account": {"email_credit": 1.5}},
        "a credit that is a text": {"account": {"email_credit": "1"}},
        "facts that are null": {"facts": None},
        "facts that are an array": {"facts": []},
        "an unknown column": {"facts": {"accounts": []}},
        "a column that is null": {"facts": {"lists": None}},
        "a flag that is null in a column": {"facts": {"lists": [None]}},
        "a mailer without an address": {"facts": {"mailers": [{}]}},
        "a mailer with an unknown member": {"facts": {"mailers": [{"from": "a@x.example", "id": 5}]}},
        "a mailer that is an array": {"facts": {"mailers": [["a@x.example", None, False]]}},
        "a subscriber without an id": {"facts": {"subscribers": [{"email": "a@x.example"}]}},
        "a subscriber that is an array": {"facts": {"subscribers": [[7, "a@x.example", False, False]]}},
        "a subscriber's id that is negative": {"facts": {"subscribers": [{"id": -1, "email": "a@x.example"}]}},
        "a subscriber's id that is a text": {"facts": {"subscribers": [{"id": "7", "email": "a@x.example"}]}},
        "an unknown role": {"facts": {"domains": [["senders"]]}},
        "roles that are no array": {"facts": {"domains": ["sender"]}},
        "a commit that is null": {"commit": None},
        "a commit that is an array": {"commit": [5]},
        "a commit of both kinds": {"commit": {"transaction_id": 5, "conflict": "other"}},
        "a commit of no kind": {"commit": {}},
        "a commit with an unknown member": {"commit": {"transaction_id": 5, "x": 1}},
        "a transaction id that is a text": {"commit": {"transaction_id": "5"}},
        "a transaction id that is null": {"commit": {"transaction_id": None}},
        "an unknown conflict": {"commit": {"conflict": "others"}},
        "a commit that is known": {"commit": {"unknown": False}},
        "a commit that is unknown, and done": {"commit": {"unknown": True, "transaction_id": 5}},
        "a word for listed": {"facts": {"mailers": [{"from": "a@x.example", "blacklisted": "no"}]}},
    }.items():
        replay(f"no answer: {name}", [{"answer": content}], error="")
        replay(f"no answer after the end: {name}", [{"answer": {"account": None}}, {"answer": content}], error="")
    for odd in (None, [], "x", 5, {}, {"ask": {"account": KEY}}):
        replay(f"a step is {dump(odd)}", [odd], error="")
    for odd in (None, {}, "x", 5):
        replay(f"steps are {dump(odd)}", odd, error="")
    replay("an account that does not exist", [{"answer": {"account": None}}], {"steps": ["ok"]})
    replay("an unknown member of a step", [{**asked, "x": 1}], {"steps": ["ok"], "decision": None})
    for name, ask in {
        "another key": {"account": "key-2"},
        "another kind": {"facts": {}},
        "null": None,
        "an array": [],
    }.items():
        replay(f"a question that is not asked: {name}", [{"ask": ask, **asked}], error="")
    replay("a question after the end", [{"answer": {"account": None}}, {"ask": {"account": KEY}, **asked}], error="")
    replay("a question of a misuse", [{"ask": {"account": KEY}, "answer": {"facts": {}}}], {"steps": ["misuse"]})
    for column, rows in {
        "mailers": [[], [None, None]],
        "senders": [[True]],
        "subscriber_ids": [[None]],
        "subscribers": [[], [None, None]],
        "lists": [[True]],
        "domains": [[], [[], []]],
    }.items():
        for row in rows:
            replay(
                f"{column} answered with {len(row)}",
                [asked, {"answer": {"facts": {**facts, column: row}}}, known],
                {"steps": ["ok", "misuse", "ok"]},
            )
    for number in (0, 2**63, 2**64 - 1):
        row = {"id": number, "email": "new@customer.example", "blacklisted": False}
        replay(
            f"a subscriber with the id {number}",
            [asked, {"answer": {"facts": {**facts, "subscribers": [row]}}}, known, done],
            {"steps": ["ok", "misuse", "ok", "ok"]},
        )
    ended = {"answer": {"commit": {"unknown": True}}}
    unknown = replay("a commit of which nothing is known", [asked, known, ended, done], {"steps": ["ok"] * 3 + ["misuse"]})
    assert unknown["decision"]["error"] == "unknown"
    for kind in ("account", "facts"):
        other = {"answer": {kind: {}}}
        replay(f"{kind} instead of a commit", [asked, known, other, done], {"steps": ["ok", "ok", "misuse", "ok"]})
    unsaid(replay, asked, known, facts, done)
    without_address(replay, asked, known, facts, done)
    largest = {"id": 2**63 - 1, "email": "new@customer.example", "blacklisted": False}
    replay("a subscriber with the id 2^63-1", [asked, {"answer": {"facts": {**facts, "subscribers": [largest]}}}, done])
    for number in (0, -1, 2**53, 2**63, 2**64, 1.5, 1e300):
        ended = {"answer": {"commit": {"transaction_id": number}}}
        replay(
            f"the transaction id {dump(number)} ends the call",
            [asked, known, ended, done],
            {"steps": ["ok", "ok", "misuse", "misuse"]},
        )
    replay(
        "a role that was not asked about says nothing",
        [asked, {"answer": {"facts": {**facts, "domains": [["content", "reply_to", "sender"]]}}}, done],
        {"steps": ["ok"] * 3},
    )
    replay(
        "a role named twice",
        [asked, {"answer": {"facts": {**facts, "domains": [["recipient", "recipient"]]}}}],
        {"steps": ["ok"] * 2},
    )
    conflict = {"answer": {"commit": {"conflict": "subscriber_exists"}}}
    rounds = [asked, known, conflict] * 3
    replay("conflicts until the attempts are over", rounds, {"steps": ["ok"] * 9})
    replay("and one answer more", [*rounds, asked], {"steps": [*["ok"] * 9, "misuse"]})
    replay("conflicts that go on", [*rounds[:6], asked], {"steps": ["ok"] * 7, "decision": None})
    http = {"operation": "httpSendMail", "body": BATCH}
    replay("subscriber_gone on httpSendMail", [{"answer": {"commit": {"conflict": "subscriber_gone"}}}], error="", **http)
    for name, changes in {
        "masked": {"masked": True},
        "masked is true though the body is there": {"masked": True, "decision": None},
        "no body": {"body": None},
        "both kinds of body": {"body_base64": "e30="},
        "an unknown operation": {"operation": "sendEmail"},
        "a method that is null": {"method": None},
        "a method that is a number": {"method": 5},
        "a policy that cannot be": {"policy": {"max_bytes": 0}},
        "an unknown policy key": {"policy": {"x": 1}},
        "a policy that is an array": {"policy": []},
    }.items():
        replay(name, [asked], error="", **changes)
    for odd in (False, None, 0, "true", [True]):
        replay(f"masked is {dump(odd)}", [asked], {"steps": ["ok"]}, masked=odd)
    replay("a policy that is null", [asked], {"steps": ["ok"]}, policy=None)
    replay("a decision that is not looked at", [asked], {"steps": ["ok"]}, decision={"code": 5})
    replay("a call that needs no answer", [asked], {"steps": ["misuse"]}, method="GET")
    replay("unknown members of a transcript", [asked], {"steps": ["ok"]}, world={"accounts": 5}, id=9)
    return suite


def suites():
    return [transcripts()]
