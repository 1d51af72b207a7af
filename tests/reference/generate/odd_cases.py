"""Cases at the edge of their form: lines, members, worlds, changes, transcripts, answers and fields to compose."""

import json

from ..policy import KEYS
from .kit import KEY, MAILER, REQUEST, WORLD, Suite, account, batch, dump, world

DEEP = 127
MAIL = dump(MAILER)
BATCH = dump(batch(REQUEST))


def nested(levels):
    return "[" * levels + "]" * levels


def lines():
    suite = Suite(
        "odd-lines",
        "Lines at the edge of JSON, and members of cases of another type: an answer, or an error with the line's id.",
    )
    day = '"do":"date","text":"2000-01-01"'
    for name, line in [
        ("an empty line", ""),
        ("white space", " \t "),
        ("null", "null"),
        ("an array", '[{"id":1,"do":"rules"}]'),
        ("a text", '"rules"'),
        ("a number", "5"),
        ("a byte-order mark", "\ufeff{" + day + "}"),
        ("something after the object", "{" + day + "} x"),
        ("two objects", "{" + day + "}{" + day + "}"),
        ("a comment", "{" + day + "} // x"),
        ("a comma at the end", "{" + day + ",}"),
        ("single quotes", "{'do':'rules'}"),
        ("NaN", '{"id":NaN,' + day + "}"),
        ("Infinity", '{"id":Infinity,' + day + "}"),
        ("minus Infinity", '{"id":-Infinity,' + day + "}"),
        ("a number that no reader can hold", '{"id":1e400,' + day + "}"),
        ("a number with leading zeros", '{"id":01,' + day + "}"),
        ("a number that begins with a point", '{"id":.5,' + day + "}"),
        ("a lone leading surrogate", '{"id":"\\ud800",' + day + "}"),
        ("a lone trailing surrogate", '{"id":"\\udc00",' + day + "}"),
        ("surrogates in the wrong order", '{"id":"\\udc00\\ud800",' + day + "}"),
        ("a lone surrogate in a text", '{"id":1,"do":"address","text":"\\ud83d@x.example"}'),
        ("a raw tab in a text", '{"id":1,"do":"date","text":"\t"}'),
        ("an unknown escape", '{"id":1,"do":"date","text":"\\x41"}'),
        ("a NUL after the object", "{" + day + "}\0"),
        ("128 levels", '{"x":' + nested(DEEP) + "," + day + "}"),
        ("levels without end", '{"x":' + "[" * 5000),
    ]:
        suite.add_line(name, line)
    suite.add_line("an object without members", "{}")
    for name, number in [
        ("a text with NUL", "a\0b"),
        ("a text with a pair of surrogates", "\U0001f600"),
        ("an empty text", ""),
        ("true", True),
        ("an array", [1, "a", None]),
        ("an object", {"a": {"b": []}}),
        ("2^63-1", 2**63 - 1),
        ("-2^63", -(2**63)),
        ("2^63", 2**63),
        ("2^64-1", 2**64 - 1),
        ("a fraction", 1.5),
        ("100 levels", json.loads(nested(100))),
    ]:
        suite.add(f"the id comes back: {name}", {"do": "date", "text": "x"}, {"valid": False})
        suite.vectors[-1]["case"]["id"] = number
        suite.vectors[-1]["expect"]["id"] = number
    for name, line, valid in [
        ("white space around everything", ' { "id" : 1 ,\t"do" : "date" , "text" : "2000-01-01" } \r', True),
        ("members in another order", '{"text":"2000-01-01","id":1,"do":"date"}', True),
        ("names with escapes", '{"\\u0069d":1,"d\\u006f":"d\\u0061te","text":"2000-01-01"}', True),
        ("unknown members", '{"id":1,"x":{"y":[1e5,null]},"do":"date","text":"2000-01-01"}', True),
        ("a name that holds NUL", '{"id":1,"\\u0000":1,"do":"date","text":"2000-01-01"}', True),
        ("a name twice: the last counts", '{"id":9,"text":"x","do":"date","id":1,"text":"2000-01-01"}', True),
        ("a kind twice: the last counts", '{"id":1,"do":"rules","text":"2000-01-01","do":"date"}', True),
        ("an unknown number beyond 64 bits", '{"id":1,"x":18446744073709551616,"do":"date","text":"x"}', False),
        ("127 levels", '{"id":1,"x":' + nested(DEEP - 1) + ',"do":"date","text":"x"}', False),
        ("brackets in texts are no levels", '{"id":1,"x":"' + "[{" * 200 + '","do":"date","text":"x"}', False),
    ]:
        suite.vectors.append({"name": name, "case": {"$line": line}, "expect": {"id": 1, "valid": valid}})
    missing_and_mistyped(suite)
    return suite


WHOLE = {
    "decide": {"operation": "sendMailer", "method": "POST", "body": MAIL, "world": WORLD},
    "preflight": {"operation": "httpSendMail", "body": BATCH},
    "address": {"text": "a@x.example"},
    "addresses": {"text": "a@x.example,b"},
    "decode": {"text": "%3Cp"},
    "hosts": {"html": "<a href=//x.example>"},
    "blacklisted": {"domain": "x.example", "entries": ["x.example"]},
    "date": {"text": "2000-01-01"},
    "outcome": {"events": [418], "track_opens": False, "track_clicks": False},
    "answer": {"text": '{"code":200}'},
    "compose": {"operation": "sendMailer", "fields": {"apiKey": KEY}},
    "replay": {"transcript": {"operation": "sendMailer", "method": "POST", "body": "{}", "steps": []}},
}
MAY_BE_MISSING = {"method", "policy", "world", "track_opens", "track_clicks"}
ODD = [None, True, 1, 1.5, "x", [], {}, [None], ["x"], {"x": 1}]


def missing_and_mistyped(suite):
    for kind, members in WHOLE.items():
        for name, value in members.items():
            case = {"do": kind, **{key: value for key, value in members.items() if key != name}}
            error = None if name in MAY_BE_MISSING else ""
            suite.add(f"{kind} without {name}", case, error=error)
            for odd in ODD:
                if type(odd) is type(value) or name == "world" and odd is None:
                    continue
                suite.add(f"{kind}: {name} is {dump(odd)}", {**case, name: odd}, error="")
    for kind in ("decide", "preflight", "compose"):
        base = {"do": kind, **WHOLE[kind]}
        suite.add(f"{kind}: a policy that is null", {**base, "policy": None})
        for odd in (True, False, 0, 1, "", "x", [], [[]]):
            suite.add(f"{kind}: a policy that is {dump(odd)}", {**base, "policy": odd}, error="")
    decide = {"do": "decide", **WHOLE["decide"]}
    suite.add("decide: a world that is null", {**decide, "world": None}, {"rule": "key-unknown"})
    suite.add("decide: an empty world", {**decide, "world": {}}, {"rule": "key-unknown"})
    suite.add("both kinds of body", {**decide, "body_base64": "e30="}, error="")
    suite.add("both kinds of body, one null", {**decide, "body_base64": None}, error="")
    suite.add("unknown members of a case", {**decide, "x": 1, "events": 5}, {"code": 200})
    without = {key: value for key, value in decide.items() if key != "body"}
    for name, text in [
        ("no padding", "e30"),
        ("padding too long", "e30=="),
        ("padding within", "e3==e30="),
        ("something after the padding", "e30=e30="),
        ("white space", "e3 0="),
        ("a line break", "e30=\n"),
        ("the URL alphabet", "-_-_"),
        ("bits left over", "e31="),
        ("bits left over before two signs", "ex=="),
        ("not ASCII", "é30="),
        ("nothing but padding", "===="),
        ("one character", "e"),
    ]:
        suite.add(f"base64: {name}", {**without, "body_base64": text}, error="")
    for name, text in [("the empty body", ""), ("a byte", "ew=="), ("bytes that are no UTF-8", "gP/+")]:
        suite.add(f"base64: {name}", {**without, "body_base64": text}, {"rule": "body-not-json"})
    for method in ("", "post", "POST\0", "POST\n", " POST", "PÖST", "GET"):
        suite.add(f"a method: {method!r}", {**decide, "method": method}, {"code": 401})
    for event in (417.0, 418.5, "418", True, None, [418], 0, -418, 416, 419, 453, 65953, 4294967713, 2**64, 200):
        suite.add(f"an event: {dump(event)}", {"do": "outcome", "events": [418, event]}, error="")
    suite.add("no events", {"do": "outcome", "events": []}, {"summary": 200})


def policies():
    suite = Suite("odd-policies", "Values of policies at the edge, most of which cannot be.")
    case = {"do": "decide", **WHOLE["decide"]}
    counts = ("max_requests", "max_bytes", "max_attempts")
    for name in counts:
        for value in (1, 2**31 - 1):
            suite.add(f"{name} {value}", {**case, "policy": {name: value}}, {"code": 200})
        for value in (0, -1, 1.0, 1.5, "1", True, [], {}, 2**64, -(2**63)):
            suite.add(f"{name} {dump(value)}", {**case, "policy": {name: value}}, error=name)
    for value in ("", "2024-5-1", "2024-05-01 ", " 2024-05-01", "2023-02-29", "0000-01-01", "٢٠٢٤-٠٥-٠١", 20240501, True, []):
        suite.add(f"today {dump(value)}", {**case, "policy": {"today": value}}, error="today")
    http = {"do": "decide", "operation": "httpSendMail", "method": "POST", "body": BATCH, "world": WORLD}
    for value, rule in [
        (None, None),
        ("0001-01-01", None),
        ("2024-04-29", None),
        ("2024-04-30", None),
        ("2024-05-01", "operation-retired"),
        ("2024-05-02", "operation-retired"),
        ("9999-12-31", "operation-retired"),
    ]:
        suite.add(f"the day {value}", {**http, "policy": {"today": value}}, {"rule": rule})
    for name, values in {
        "batch": ["", "Whole", "partial ", True, 0],
        "empty_clears": ["true", 0, 1, []],
        "html_encoding": ["", "Detect", "never", True],
        "answer_values": ["", "string", 1],
        "answer_status": ["", "words", True],
        "placeholders": [
            "{{",
            {},
            [None],
            ["{{", "}}"],
            [["{{"]],
            [["{{", "}}", "x"]],
            [["", "}}"]],
            [["{{", ""]],
            [["{{", 1]],
            [{"open": "{{"}],
        ],
        "max_requests ": [5],
        "Batch": ["whole", None],
        "": [1],
        "x\0": [1],
    }.items():
        for value in values:
            suite.add(f"{name!r} {dump(value)}", {**case, "policy": {name: value}}, error="")
    for name in KEYS:
        suite.add(f"{name} is null: the default", {**case, "policy": {name: None}}, {"code": 200})
    suite.add("a good setting beside a bad one", {**case, "policy": {"batch": "whole", "max_bytes": 0}}, error="")
    for marks in [" ", "}}"], ["{{", "\u2003"]:
        suite.add(f"a blank mark in {dump(marks)}", {**case, "policy": {"placeholders": [marks]}}, error="")
    return suite


def worlds():
    suite = Suite(
        "odd-worlds",
        "Worlds at the edge: what is left out or null is empty, what is of another type is no case, also in a change"
        " that is never made.",
    )
    case = {"do": "decide", **WHOLE["decide"]}

    def mailer(name, wants=None, error=None, body=MAIL, operation="sendMailer", **changes):
        changed = {**case, "operation": operation, "body": body, "world": world(**changes)}
        return suite.add(name, changed, wants, error)

    names = ("accounts", "mailers", "senders", "subscribers", "lists", "blacklists", "transaction_id", "commits")
    lists = {"senders", "subscribers", "lists", "commits"}
    for name in names:
        mailer(f"{name} is null", **{name: None})
        for odd in (True, "x", [], {}, [1], [[]], {"x": 1}, 5):
            fits = odd == [] if name in lists else odd == {} if name != "transaction_id" else odd == 5
            if type(odd) is bool or not fits:
                mailer(f"{name} is {dump(odd)}", error="", **{name: odd})
                mailer(
                    f"{name} is {dump(odd)} in a change that is not made",
                    error="",
                    commits=[None, {"conflict": "other", "change": {name: odd}}],
                )
    mailer("an unknown member of a world", {"code": 200}, clock="noon", nothing=None)
    for name in ("blocked", "expired", "deactivated"):
        mailer(f"{name} is null", {"code": 200}, accounts=account(**{name: None}))
        for odd in (0, 1, "true", []):
            mailer(f"{name} is {dump(odd)}", error="", accounts=account(**{name: odd}))
    for name in ("subscriber_credit", "email_credit"):
        mailer(f"{name} is null", {"code": 200}, accounts=account(**{name: None}))
        for value, code in [(1, 200), (0, None), (-1, None), (2**63 - 1, 200), (-(2**63), None)]:
            mailer(f"{name} {value}", {"code": code or (444 if name[0] == "s" else 445)}, accounts=account(**{name: value}))
        for odd in (1.0, 1.5, "1", True, 2**63, 2**64, -(2**63) - 1):
            mailer(f"{name} is {dump(odd)}", error="", accounts=account(**{name: odd}))
    mailer("an account without members", {"code": 200}, accounts={KEY: {}})
    mailer("an account with an unknown member", {"code": 200}, accounts={KEY: {"name": 5}})
    for odd in (None, [], True, [True, False, False, None, None]):
        mailer(f"an account is {dump(odd)}", error="", accounts={KEY: odd})
    mailer("another account that is none", error="", accounts={**WORLD["accounts"], "other": None})
    for key in ("", " ", "k\0ey", "schlüssel", "KEY-1", "key-1 ", "\u0000", "\ufdd0", "a\tb", "\U0001f600"):
        body = dump({**MAILER, "apiKey": key})
        mailer(f"the key {key!r}", body=body, accounts={key: {"expired": True}, KEY: {}})
        mailer(f"the key {key!r} is not there", body=body, accounts={KEY: {}, key + "\0": {}, "\ufdd0" + key: {}})
    for odd in (None, [], {}, {"from": None}, {"from": 5}, {"from_name": "x"}, ["a@x.example", None]):
        mailer(f"a mailer is {dump(odd)}", error="", mailers={"42": odd})
    mailer("a mailer's name is no text", error="", mailers={"42": {"from": "a@x.example", "from_name": 5}})
    mailer("a mailer whose address is none", mailers={"42": {"from": "nobody"}})
    mailer("a mailer whose address is empty", error="", mailers={"42": {"from": ""}})
    mailer("a mailer whose name is empty", mailers={"42": {"from": "a@x.example", "from_name": ""}})
    for key in ("042", " 42", "+42", "42.0", "4_2", "４２", "x", ""):
        mailer(f"mailers are found by decimal digits: {key!r}", {"rule": "mailer-unknown"}, mailers={key: {"from": "a@x.example"}})
    largest = dump({**MAILER, "mailerID": 2**63 - 1})
    mailer("the mailer 2^63-1", {"code": 200}, body=largest, mailers={str(2**63 - 1): {"from": "a@x.example"}})
    mailer("senders that are no addresses", {"code": 200}, senders=["", "nobody", "a@b", "news@shop.example"])
    mailer("a sender that is no text", error="", senders=[None])
    mailer("a list that is no text", error="", lists=[5])
    for name in ("a\0b", "a", "a\0", "\0", "ü", "A", "a "):
        body = dump({**MAILER, "listName": name})
        mailer(f"the list {name!r}", {"code": 200}, body=body, lists=[name])
        mailer(f"the list {name!r} is another", {"rule": "list-unknown"}, body=body, lists=[name + "x", name + "\0", "x"])
    known = {"id": 7, "email": "new@customer.example"}
    for odd in (
        None,
        [],
        {},
        {"id": 7},
        {"email": "a@x.example"},
        {**known, "id": 0},
        {**known, "id": -1},
        {**known, "id": 1.0},
        {**known, "id": "7"},
        {**known, "id": True},
        {**known, "id": None},
        {**known, "id": 2**63},
        {**known, "id": 2**64},
        {**known, "email": None},
        {**known, "email": 5},
        {**known, "inactive": 1},
        {**known, "inactive": "x"},
    ):
        mailer(f"a subscriber is {dump(odd)}", error="", subscribers=[odd])
    mailer("a subscriber without more than it needs", {"code": 200}, subscribers=[known])
    mailer("a subscriber's state is null", {"code": 200}, subscribers=[{**known, "inactive": None, "fields": None}])
    mailer("a subscriber's fields are not looked at", {"code": 200}, subscribers=[{**known, "fields": 5, "x": 1}])
    by_id = dump({"apiKey": KEY, "mailerID": 42, "subID": 2**63 - 1})
    odd_subscriber = {"id": 2**63 - 1, "email": "nobody"}
    mailer("a stored address that is none", body=by_id, subscribers=[odd_subscriber])
    mailer("a stored address that is empty", error="", body=by_id, subscribers=[{**odd_subscriber, "email": ""}])
    mailer(
        "of several subscribers with one id the first",
        {"rule": "subscriber-inactive"},
        body=by_id,
        subscribers=[{**odd_subscriber, "inactive": True}, odd_subscriber],
    )
    mailer(
        "of several subscribers with one key the first",
        {"rule": "subscriber-inactive"},
        subscribers=[{"id": 3, "email": "NEW@customer.example", "inactive": True}, known],
    )
    for odd in ({"senders": []}, {"": []}, {"Content": []}, {"sender": "x.example"}, {"sender": [5]}, {"sender": [None]}):
        mailer(f"blacklists are {dump(odd)}", error="", blacklists=odd)
    for entry in ("", " ", "a b.example", ".", "a..example", "x" * 64 + ".example", "@x.example"):
        mailer(f"the entry {entry!r} is no domain", error="", blacklists={"content": [entry]})
    mailer("a blacklist that is null", {"code": 200}, blacklists={"sender": None, "recipient": []})
    for value, code in [(1, 200), (2**53 - 1, 200)]:
        mailer(f"transaction_id {value}", {"code": code}, transaction_id=value)
    for value in (0, -1, -(2**63), 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 1.5, 1.0, 1e300, -0.5):
        mailer(f"transaction_id {dump(value)}", {"code": None, "error": "misuse"}, transaction_id=value)
    commits(suite, mailer)
    return suite


def commits(suite, mailer):
    del suite
    for odd in ([5], ["other"], [True], [{}], [{"conflict": None}], [{"conflict": "Other"}], [{"conflict": ""}], [{"fails": False}], [{"fails": 1}], [{"fails": True, "conflict": "other"}]):
        mailer(f"commits are {dump(odd)}", error="", commits=odd)
        mailer(f"commits are {dump([None, None, None, *odd])}", error="", commits=[None, None, None, *odd])
    for odd in (5, True, "x", []):
        mailer(f"a change is {dump(odd)}", error="", commits=[{"conflict": "other", "change": odd}])
    mailer("a commit that fails", {"code": None, "error": "unknown"}, commits=[{"fails": True}])
    mailer("a commit whose failure is null", error="", commits=[{"fails": None}])
    mailer("a conflict, and no failure", {"code": 200}, commits=[{"fails": None, "conflict": "other"}])
    mailer("a change that is null", {"code": 200}, commits=[{"conflict": "other", "change": None}])
    mailer("a change without members", {"code": 200}, commits=[{"conflict": "other", "change": {}}])
    gone = [{"conflict": "other", "change": {"commits": [None, {"conflict": "subscriber_gone"}]}}]
    asked = {"account": 3, "facts": 3, "commits": 3}
    mailer("a conflict in a change of commits", {"code": 200, "asked": asked}, commits=[*gone, None])
    mailer("which httpSendMail has not", error="", body=BATCH, operation="httpSendMail", commits=gone)
    every = {
        "accounts": ({KEY: {"blocked": True}}, "account-blocked"),
        "mailers": ({}, "mailer-unknown"),
        "senders": ([], "sender-unknown"),
        "subscribers": ([{"id": 3, "email": "new@customer.example", "inactive": True}], "subscriber-inactive"),
        "lists": ([], "list-unknown"),
        "blacklists": ({"recipient": ["customer.example"]}, "recipient-domain-blacklisted"),
    }
    body = dump({**MAILER, "from": "news@shop.example", "listName": "Customers"})
    for name, (value, rule) in every.items():
        for kind in ("other", "subscriber_exists", "email_credit"):
            entry = {"conflict": kind, "change": {name: value}}
            mailer(f"{name} changes at {kind}", {"rule": rule}, body=body, commits=[entry])
        mailer(f"{name} is null in a change: it stays", {"code": 200}, body=body, commits=[{"conflict": "other", "change": {name: None}}])
        back = {"conflict": "other", "change": {name: WORLD.get(name, {})}}
        twice = [{"conflict": "other", "change": {"senders": WORLD["senders"]}}, {"conflict": "other", "change": {name: value}}]
        mailer(f"{name} changes at the second commit", {"rule": rule}, body=body, commits=twice)
        mailer(f"{name} changes too late", body=body, commits=[*twice[:1], back, {"conflict": "other", "change": {name: value}}])
    mailer("the id of the transaction changes", {"code": 200}, commits=[{"conflict": "other", "change": {"transaction_id": 99}}])
    mailer("it changes to one that cannot be", {"error": "misuse"}, commits=[{"conflict": "other", "change": {"transaction_id": 0}}])
    again = {"conflict": "email_credit", "change": {"commits": []}}
    mailer("the list of commits changes to none", {"code": 200}, commits=[again, {"conflict": "other"}, {"conflict": "other"}])
    longer = {"conflict": "other", "change": {"commits": [None, {"conflict": "email_credit"}, {"conflict": "email_credit"}]}}
    mailer("it changes: each commit reads its own entry", {"rule": "email-credit-low"}, commits=[longer])
    shifted = {"conflict": "other", "change": {"commits": [{"conflict": "email_credit"}]}}
    mailer("it changes: entries of commits that are over are not read", {"code": 200}, commits=[shifted])
    mailer("null between conflicts ends the call", {"code": 200}, commits=[{"conflict": "other"}, None, {"conflict": "other"}])


def unsaid(replay, asked, known, facts, done):
    """Whether a stored address is listed has no default: left out, it is misuse where the call is judged by it."""
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
    """An address that the email would use is misuse when it is empty, and nothing when the email goes without it."""
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


def answers_read():
    suite = Suite("odd-answers", "Answers of services that are odd, as a client reads them.")

    def read(name, text, wants=None, error=None):
        return suite.add(name, {"do": "answer", "text": text}, wants, error)

    for text in ("200", '"200"', " 200 "):
        read(f"the code {text}", '{"code":' + text + "}", {"code": 200, "status": None, "transaction_id": None})
    for text in (
        '"0200"', '"+200"', '" 200"', '"200 "', '"20"', '"2000"', '"2e2"', '"٢٠٠"', "20", "2000", "99", "1000", "-200",
        "200.0", "2e2", "2.5", "true", "null", "[200]", "{}", '""', '"099"', '"000"', "18446744073709551616", "1e400",
    ):  # fmt: skip
        read(f"the code {text}", '{"code":' + text + "}", error="")
    for number in (100, 417, 418, 442, 451, 452, 602, 999):
        read(f"the code {number}", dump({"code": number, "status": "x"}), {"code": number, "status": "x"})
    for text, number in [
        ("1", 1),
        ('"1"', 1),
        ('"007"', 7),
        ("9007199254740991", 2**53 - 1),
        ('"9007199254740991"', 2**53 - 1),
        ('"0000000000000000000000009007199254740991"', 2**53 - 1),
        ("null", None),
    ]:
        read(f"the transaction id {text}", '{"code":200,"transactionId":' + text + "}", {"transaction_id": number})
    for text in (
        "0", '"0"', "-1", '"-1"', "1.0", "1.5", '"1.0"', "1e3", "9007199254740992", '"9007199254740992"', '"x"', '""',
        "true", "[]", "{}", "9223372036854775808", "18446744073709551616", '"99999999999999999999999999"', '" 1"',
    ):  # fmt: skip
        read(f"the transaction id {text}", '{"code":200,"transactionId":' + text + "}", error="")
    for value in ("", " ", "Erfolg ✓", "a\0b", "\u2028", 5, 0):
        text = dump({"code": "200", "status": value})
        read(f"the status {value!r}", text, {"status": value if isinstance(value, str) else str(value)})
    for value in (True, [], {}):
        read(f"the status {value!r}", dump({"code": "200", "status": value}), error="")
    for name, text in [
        ("nothing", ""),
        ("white space", " \n"),
        ("HTML", "<html>"),
        ("an array", '[{"code":200}]'),
        ("a number", "200"),
        ("no code", '{"status":"Success"}'),
        ("another spelling", '{"Code":200}'),
        ("cut off", '{"code":200'),
        ("something after it", '{"code":200}x'),
        ("a lone surrogate", '{"code":200,"status":"\\ud800"}'),
        ("NaN", '{"code":200,"x":NaN}'),
        ("deep", '{"code":200,"x":' + nested(127) + "}"),
    ]:
        read(name, text, error="")
    read("a byte-order mark", '\ufeff{"code":200}', {"code": 200})
    read("white space around it", ' \n{"code" : 200}\r\n\t', {"code": 200})
    read("unknown members", '{"x":{"code":5},"code":200,"y":[1.5,null]}', {"code": 200})
    read("a member twice: the last counts", '{"code":402,"code":200}', {"code": 200})
    read("names with escapes", '{"c\\u006fde":"2\\u00300"}', {"code": 200})
    read("126 levels within", '{"code":200,"x":' + nested(126) + "}", {"code": 200})
    return suite


def composing():
    suite = Suite("odd-fields", "Fields to compose at the edge: odd types, names, sizes and numbers of requests.")

    def compose(name, operation, fields, wants=None, error=None, **policy):
        case = {"do": "compose", "operation": operation, "fields": fields}
        return suite.add(name, {**case, "policy": policy} if policy else case, wants, error)

    for value in (0, -5, 42, 2**63 - 1, 2**63, 2**64 - 1, -(2**63), "42", "", " ", "x", "007"):
        text = json.dumps(value)
        compose(f"mailerID {text}", "sendMailer", {"mailerID": value}, {"calls": ['{"mailerID":' + text + "}"]})
    for value in (1.5, 1.0, 1e300, 2**64, True, [], {}, [1]):
        compose(f"mailerID {dump(value)}", "sendMailer", {"mailerID": value}, error="")
        compose(f"extra1 {dump(value)}", "sendMailer", {"extra1": value}, error="")
    compose("extra1 is a number", "sendMailer", {"extra1": 411001}, {"calls": ['{"extra1":411001}']})
    compose("null is absent", "sendMailer", {"email": None, "trackOpens": None}, {"calls": ["{}"]})
    compose("no fields", "sendMailer", {}, {"calls": ["{}"]})
    for name in ("APIKEY", "mailerId", "subject", "requests", "", "x\0", "subId", "reply_to", " email"):
        compose(f"no field of sendMailer: {name!r}", "sendMailer", {name: "x"}, error="")
    compose("other spellings", "sendMailer", {"ApiKey": KEY, "subid": 7}, {"calls": ['{"apiKey":"key-1","subID":7}']})
    compose("one field in both spellings", "sendMailer", {"ApiKey": KEY, "apiKey": KEY}, error="")
    compose("one field in both spellings, one null", "sendMailer", {"subID": None, "subid": 7}, error="")
    for value, written in [(True, "1"), (False, "0"), (1, "1"), (0, "0"), ("1", "1"), ("0", "0")]:
        compose(f"a flag {dump(value)}", "sendMailer", {"trackOpens": value}, {"calls": ['{"trackOpens":' + written + "}"]})
        body = '{"requests":[{"trackOpens":"' + written + '"}]}'
        compose(f"a flag of a request {dump(value)}", "httpSendMail", {"requests": [{"trackOpens": value}]}, {"calls": [body]})
    for value in ("", " ", "\u3000", None):
        compose(f"a flag that is absent {value!r}", "sendMailer", {"trackOpens": value}, {"calls": ["{}"]})
    for value in (2, -1, 1.0, 0.0, "2", "true", "01", " 1", [], {}, 2**64):
        compose(f"a flag {dump(value)}", "sendMailer", {"trackOpens": value}, error="")
        compose(f"a flag of a request {dump(value)}", "httpSendMail", {"requests": [{"trackClicks": value}]}, error="0")
    for text in ('"', "\\", "/", "\0", "\x1f", "\x7f", "\u2028", "\ufeff", "\U0001f600", "é", "\ud7ff", "\n\r\t\b\f"):
        compose(f"the subject {text!r}", "httpSendMail", {"requests": [{"subject": text}]})
        compose(f"the HTML {text!r}", "httpSendMail", {"requests": [{"body": text}]})
        compose(f"the company {text!r}", "sendMailer", {"company": text})
    compose("HTML with every sign of ASCII", "httpSendMail", {"requests": [{"body": "".join(map(chr, range(128)))}]})
    compose("HTML that is a number", "httpSendMail", {"requests": [{"body": 5}]}, {"calls": ['{"requests":[{"body":5}]}']})
    compose("the order of the interface", "httpSendMail", {"requests": [dict.fromkeys(["trackClicks", "customField", "replyto", "from", "to", "subject"], "1")], "apiKey": 5})
    for fields in ([], None, "x", 5, {"requests": None}, {"requests": {}}, {"requests": "x"}, {}, {"ApiKey": KEY}):
        compose(f"the fields {dump(fields)}", "httpSendMail", fields, error="")
    for entry in (None, [], "x", 5, True):
        compose(f"a request is {dump(entry)}", "httpSendMail", {"requests": [{}, entry]}, error="1")
    for name in ("ApiKey", "replyto ", "Subject", "mailerID", "apiKey"):
        compose(f"no field of a request: {name!r}", "httpSendMail", {"requests": [{}, {}, {name: "x"}]}, error="2")
    for name in ("request", "Requests", "subject", "apikey"):
        compose(f"no field of a call: {name!r}", "httpSendMail", {"requests": [], name: "x"}, error="")
    for value in (True, 1.5, [], {}):
        compose(f"the key is {dump(value)}", "httpSendMail", {"ApiKey": value, "requests": []}, error="")
    compose("a reply address in both spellings", "httpSendMail", {"requests": [{"replyTo": "a", "replyto": "a"}]}, error="0")
    compose("no requests", "httpSendMail", {"ApiKey": KEY, "requests": []}, {"calls": []})
    compose("a key that is null", "httpSendMail", {"ApiKey": None, "requests": [{}]}, {"calls": ['{"requests":[{}]}']})
    empty = {"ApiKey": "k", "requests": [{}] * 5}
    for count, sizes in [(1, [1] * 5), (2, [2, 2, 1]), (4, [4, 1]), (5, [5]), (6, [5])]:
        calls = ['{"ApiKey":"k","requests":[' + ",".join(["{}"] * size) + "]}" for size in sizes]
        compose(f"{count} in a call", "httpSendMail", empty, {"calls": calls}, max_requests=count)
    alone = len('{"ApiKey":"k","requests":[{}]}')
    for room in range(alone - 1, alone + 14):
        fits = 1 + (room - alone) // 3
        sizes = [fits] * (5 // max(fits, 1)) + [5 % max(fits, 1)]
        calls = ['{"ApiKey":"k","requests":[' + ",".join(["{}"] * size) + "]}" for size in sizes if size]
        if fits < 1:
            compose(f"room for {room} bytes", "httpSendMail", empty, error="0", max_bytes=room)
        else:
            compose(f"room for {room} bytes", "httpSendMail", empty, {"calls": calls}, max_bytes=room)
    late = {"ApiKey": "k", "requests": [{}, {}, {"subject": "é" * 5}]}
    alone = len('{"ApiKey":"k","requests":[{"subject":""}]}') + 10
    compose("the third has just enough room", "httpSendMail", late, max_bytes=alone)
    compose("the third has a byte too many", "httpSendMail", late, error="2", max_bytes=alone - 1)
    return suite


def suites():
    return [lines(), policies(), worlds(), transcripts(), answers_read(), composing()]
