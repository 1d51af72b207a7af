"""Preflights: every violation in order, and warnings."""

import json

from .kit import KEY, MAILER, REQUEST, Suite, batch, without
from .scenario import (
    HTTP_CALL_VARIANTS,
    HTTP_REQUEST_VARIANTS,
    MAILER_VARIANTS,
    ORDER,
    http_case,
    http_rank,
    mailer_case,
    mailer_rank,
)

DEPRECATED = ("operation-deprecated", None)


def preflight_case(case):
    return {
        key: value for key, value in {**case, "do": "preflight"}.items() if key not in ("world", "method")
    }


def violations():
    suite = Suite(
        "preflight-violations",
        "Preflights: all violations of the phases that the body alone shows, sorted as rules win; the "
        "first is what the service would answer if every fact were favourable.",
    )
    for rule, variants in MAILER_VARIANTS.items():
        for variant in variants[:1]:
            visible = rule != "method-not-post" and (ORDER[rule][0] in (1, 4) or rule == "key-missing")
            answer = suite.add(f"sendMailer: {rule}", preflight_case(mailer_case(variant)))
            assert [entry["rule"] for entry in answer["violations"]] == ([rule] if visible else []), answer
    for rule, variants in HTTP_CALL_VARIANTS.items():
        visible = rule != "method-not-post" and (ORDER[rule][0] in (1, 4) or rule == "key-missing")
        answer = suite.add(f"httpSendMail: {rule}", preflight_case(http_case(variants[0], [{}])))
        assert [entry["rule"] for entry in answer["violations"]] == ([rule] if visible else []), answer
    for rule, variants in HTTP_REQUEST_VARIANTS.items():
        answer = suite.add(f"httpSendMail: {rule}", preflight_case(http_case({}, [{}, variants[0]])))
        assert [entry["rule"] for entry in answer["violations"]] == ([rule] if ORDER[rule][0] == 4 else []), (
            answer
        )
    add = suite.preflight
    add(
        "sendMailer: everything wrong at once",
        "sendMailer",
        '{"x":1,"x":2,"apiKey":[],"mailerID":"x","from":"bad","fromName":"a\\nb","email":"bad","city":[],"listName":{},"anniversary":"y","birthday":"x","trackClicks":5,"trackOpens":7,"customField":true}',
        ["field-repeated", "key-missing", "recipient-malformed"]
        + ["field-wrong-type"] * 6
        + ["sender-malformed", "from-name-control", "date-malformed", "date-malformed"],
    )
    add(
        "sendMailer: an empty object",
        "sendMailer",
        "{}",
        ["key-missing", "recipient-missing", "mailer-missing"],
    )
    add(
        "sendMailer: a subscriber id and a name without sender",
        "sendMailer",
        {"apiKey": KEY, "subID": "-1", "fromName": "a\u0000", "mailerID": 0},
        ["subscriber-id-malformed", "sender-missing", "field-wrong-type", "from-name-control"],
    )
    add(
        "httpSendMail: an empty object",
        "httpSendMail",
        "{}",
        ["key-missing", "requests-missing"],
        [DEPRECATED],
    )
    add(
        "httpSendMail: two empty requests",
        "httpSendMail",
        batch({}, {}),
        ["subject-missing", "html-missing", "sender-missing", "recipient-missing"] * 2,
    )
    add(
        "httpSendMail: everything wrong in one request",
        "httpSendMail",
        batch(
            {
                "subject": "{{a}}\n",
                "body": "%FF",
                "to": "x,y",
                "cc": "z",
                "bcc": [],
                "from": "w",
                "fromName": "a\u2029",
                "replyTo": "v",
                "customField": [],
                "trackOpens": 2,
                "trackClicks": 2,
            }
        ),
        ["reply-to-malformed", "html-not-utf8", "sender-malformed"]
        + ["recipient-malformed"] * 3
        + ["field-wrong-type"] * 4
        + ["subject-control", "subject-placeholder", "from-name-control"],
    )
    add(
        "httpSendMail: requests in order, each by code",
        "httpSendMail",
        batch(
            {**REQUEST, "fromName": "a\tb", "subject": ""},
            "x",
            {**REQUEST, "to": "", "replyTo": "x"},
            REQUEST,
        ),
        [
            "subject-missing",
            "from-name-control",
            "request-not-object",
            "reply-to-malformed",
            "recipient-missing",
        ],
    )
    add(
        "httpSendMail: malformed entries by place",
        "httpSendMail",
        batch({**without(REQUEST, "to"), "bcc": "b1,b2", "cc": "c1", "to": "t1, t2"}),
        ["recipient-malformed"] * 5,
    )
    add(
        "httpSendMail: too many requests, nothing of them",
        "httpSendMail",
        batch({}, {}),
        ["too-many-requests"],
        [DEPRECATED],
        policy={"max_requests": 1},
    )
    add(
        "httpSendMail: retired, and the rest",
        "httpSendMail",
        batch({**REQUEST, "subject": ""}),
        ["operation-retired", "subject-missing"],
        policy={"today": "2024-05-01"},
    )
    add(
        "httpSendMail: not retired on the last day",
        "httpSendMail",
        batch(REQUEST),
        [],
        policy={"today": "2024-04-30"},
    )
    add(
        "httpSendMail: too large, and that alone",
        "httpSendMail",
        "{}",
        ["body-too-large"],
        policy={"max_bytes": 1},
    )
    add(
        "httpSendMail: repeated and the key and requests",
        "httpSendMail",
        '{"requests":7,"requests":[],"x":{"y":1,"y":1}}',
        ["field-repeated", "field-repeated", "key-missing", "requests-missing"],
    )
    add(
        "httpSendMail: a repeated field of a request",
        "httpSendMail",
        '{"ApiKey":"k","requests":[{"subject":"","subject":"a","body":"b","to":"a@x.example","from":null,"from":"bad"}]}',
        ["field-repeated", "field-repeated", "sender-malformed"],
    )
    add(
        "a partial batch changes nothing here",
        "httpSendMail",
        batch({**REQUEST, "to": "x"}),
        ["recipient-malformed"],
        policy={"batch": "partial"},
    )
    add("sendMailer: not JSON, and that alone", "sendMailer", '{"apiKey":', ["body-not-json"], [])
    add("sendMailer: an array, and that alone", "sendMailer", "[]", ["body-not-json"], [])
    add("sendMailer: a good call", "sendMailer", MAILER, [], [])
    add("httpSendMail: a good call", "httpSendMail", batch(REQUEST), [], [DEPRECATED])
    add(
        "httpSendMail: two spellings of a field in requests that are not the first",
        "httpSendMail",
        '{"ApiKey":"k","requests":['
        + json.dumps(REQUEST)
        + '],"requests":[{"replyTo":"a@x.example","replyto":"b@x.example"}]}',
        ["field-repeated"] * 2,
    )
    add(
        "sendMailer: repeated names in values of repeated names",
        "sendMailer",
        '{"x":{"y":1,"y":{"z":[{"a":1,"a":2}],"z":{}}},"x":{"b":0,"b":[ {"c":1,"c": [ ] , "d" : 1 } ] } ,"x":{"e":0,"e":1},'
        + json.dumps(MAILER)[1:],
        ["field-repeated"] * 7,
    )
    return suite


def warnings():
    suite = Suite(
        "preflight-warnings",
        "Warnings of preflights, in the order of their places: each kind, and what looks like one but is none.",
    )
    add = suite.preflight
    for key, warned in [
        ("<API_KEY>", True),
        ("$apiKey", True),
        ("INSERT_API_KEY", True),
        ("INSERT_YOUR_KEY_HERE", True),
        ("key-1", False),
        ("API_KEY_7", False),
        ("", False),
    ]:
        rules = [] if key else ["key-missing"]
        add(
            f"the key {key!r}",
            "sendMailer",
            {**MAILER, "apiKey": key},
            rules,
            [("key-placeholder", "/apiKey")] if warned else [],
        )
    add(
        "a placeholder key in the other spelling",
        "sendMailer",
        {**without(MAILER, "apiKey"), "ApiKey": "<API_KEY>"},
        [],
        [("key-placeholder", "/ApiKey")],
    )
    add(
        "a placeholder key on httpSendMail",
        "httpSendMail",
        batch(REQUEST, ApiKey="<API_KEY>"),
        [],
        [DEPRECATED, ("key-placeholder", "/ApiKey")],
    )
    for name in (
        "mailerId",
        "Email",
        "firstname",
        "zip",
        "requests",
        "subject",
        "replyTo",
        "to",
        "",
        "a/b",
        "a~b",
        "a~1b",
        "名前",
        "EMAIL",
        "email ",
        "apikey",
    ):
        pointer = "/" + name.replace("~", "~0").replace("/", "~1")
        add(
            f"sendMailer: the field {name!r} is unknown",
            "sendMailer",
            {**MAILER, name: "x"},
            [],
            [("field-unknown", pointer)],
        )
    for name in ("email", "mailerID", "subID", "request", "Requests", "subject", "replyTo"):
        add(
            f"httpSendMail: the field {name!r} is unknown at the top",
            "httpSendMail",
            batch(REQUEST, **{name: "x"}),
            [],
            [DEPRECATED, ("field-unknown", f"/{name}")],
        )
    for name in ("Subject", "html", "replyto ", "reply_to", "email", "firstName", "requests", "apikey"):
        add(
            f"httpSendMail: the field {name!r} is unknown in a request",
            "httpSendMail",
            batch(REQUEST, {**REQUEST, name: "x"}),
            [],
            [DEPRECATED, ("field-unknown", f"/requests/1/{name}")],
        )
    for name in ("ApiKey", "apiKey"):
        add(
            f"httpSendMail: {name} inside a request",
            "httpSendMail",
            batch({**REQUEST, name: KEY}),
            [],
            [DEPRECATED, ("key-in-request", f"/requests/0/{name}")],
        )
    add(
        "both keys inside a request",
        "httpSendMail",
        batch({**REQUEST, "ApiKey": "a", "apiKey": "b"}),
        [],
        [DEPRECATED, ("key-in-request", "/requests/0/ApiKey"), ("key-in-request", "/requests/0/apiKey")],
    )
    add(
        "unknown members of objects inside are not looked at",
        "sendMailer",
        {**MAILER, "x": {"y": {"z": 1}}},
        [],
        [("field-unknown", "/x")],
    )
    add(
        "each unknown member warns, also a repeated one",
        "sendMailer",
        '{"a":1,"b":2,"apiKey":"k","a":3,"mailerID":1,"email":"a@b.example","c":4}',
        ["field-repeated"],
        [("field-unknown", "/a"), ("field-unknown", "/b"), ("field-unknown", "/a"), ("field-unknown", "/c")],
    )
    add("an unknown field with null", "sendMailer", {**MAILER, "x": None}, [], [("field-unknown", "/x")])
    for text, plain in [
        ("<p>x</p>", True),
        ("Hello+you", False),
        ("%3Cp%3E", False),
        ("a b", True),
        ("é", True),
        ("http://x.example/", True),
        ("<p>%3Cp%3E</p>", True),
        ("  ab  ", False),
    ]:
        add(
            f"body {text!r}",
            "httpSendMail",
            batch({**REQUEST, "body": text}),
            [],
            [DEPRECATED] + ([("body-plain", "/requests/0/body")] if plain else []),
        )
    add(
        "a plain body, always decoded",
        "httpSendMail",
        batch({**REQUEST, "body": "<p>x</p>"}),
        [],
        [DEPRECATED],
        policy={"html_encoding": "always"},
    )
    for text, count in [
        ("a@x.example,a@x.example", 1),
        ("a@x.example,A@X.example,a@x.example", 2),
        ("a@x.example,b@x.example", 0),
        ("nope,nope", 0),
    ]:
        add(
            f"to {text}",
            "httpSendMail",
            batch({**REQUEST, "to": text}),
            None,
            [DEPRECATED] + [("recipient-repeated", "/requests/0/to")] * count,
        )
    add(
        "a duplicate over to and bcc",
        "httpSendMail",
        batch({**REQUEST, "bcc": "new@customer.example"}),
        [],
        [DEPRECATED, ("recipient-repeated", "/requests/0/bcc")],
    )
    add(
        "the role decides which is the duplicate, not the place",
        "httpSendMail",
        batch({"bcc": "a@x.example", **without(REQUEST, "to"), "to": "a@x.example"}),
        [],
        [DEPRECATED, ("recipient-repeated", "/requests/0/bcc")],
    )
    add("no duplicate over two requests", "httpSendMail", batch(REQUEST, REQUEST), [], [DEPRECATED])
    for text, count in [
        ('<a href="http://[x">x</a>', 1),
        ('<a href="http://a b.example">x</a>', 1),
        ('<a href="https://">x</a>', 1),
        ('<a href="//">x</a>', 1),
        ('<a href="http://x.example:99999/">x</a>', 1),
        ('<a href="http://a%zz.example/">x</a>', 1),
        ('<a href="http://1.2.3.256/">x</a>', 1),
        ('<a href="http://a^b.example/">x</a>', 1),
        ('<a href="http://[1::2::3]/">x</a>', 1),
        ('<a href="http://x.example/">x</a>', 0),
        ('<a href="x y">x</a>', 0),
        ('<a href="">x</a>', 0),
        ('<a href="#x">x</a>', 0),
        ('<a href="mailto:a b">x</a>', 0),
        ('<a href="javascript:x()">x</a>', 0),
        ("<p>http://[x</p>", 0),
        ('<img src="http://[x"><img src="http://[y">', 2),
        ('<p style="background:url(http://[x)">', 1),
        ("<style>@import 'http://[x';</style>", 1),
        ('<img srcset="http://[x 1x, http://[y 2x">', 2),
        ('<a ping="http://[x http://x.example">', 1),
        ('<!-- <a href="http://[x"> -->', 0),
        ('<a title="http://[x">', 0),
        ("<meta http-equiv=refresh content='0;url=http://[x'>", 1),
        ("<base href='http://[x'>", 1),
        ("<base href='o:'><a href=x>", 0),
        ("<a href='http://a^b.x.example/'>", 1),
        ("<a href='http://xn--a.x.example/'>", 1),
        ("<a href='http://[x", 1),
        ("<!--[if mso]><a href='http://[x'><![endif]-->", 1),
        ("<svg></svg><a href='http://[x'>", 1),
        ("<svg></svg><a alt='http://[x'>", 0),
        ("<svg></svg><xmp><a href='http://[x'></xmp>", 0),
        ("<svg><style>@import '&#47;/[x'</style>", 0),
        ("<iframe srcdoc='<a href=http://[x>'>", 0),
        ("<iframe src='data:text/html,<a href=http://[x>'>", 0),
        ("<script type=application/ld+json>http://[x</script>", 0),
        ("<meta itemprop=url content='http://[x'>", 1),
        ('<meta http-equiv=refresh content="0;url=\'http://[x\'y\'">', 1),
        ("<style>@import http://[x;</style>", 1),
        ("<style>a{b:url(http://[x y)}</style>", 1),
        ("<style>a{b:url(x y)}</style>", 0),
        ("<style>a{b:image-set('http://[x')}</style>", 1),
        ("<style>a{b:u\0rl(http://[x)}</style>", 1),
    ]:
        add(
            f"links that no browser reads: {text}",
            "httpSendMail",
            batch({**REQUEST, "body": text}),
            [],
            [DEPRECATED, ("body-plain", "/requests/0/body")]
            + [("link-unreadable", "/requests/0/body")] * count,
        )
    for value, warned in [
        (0, True),
        ("0", True),
        ("000", True),
        ("", False),
        (None, False),
        (7, False),
        ("07", False),
        (False, False),
        ("0x", False),
    ]:
        for name in ("subID", "subid"):
            answer = add(
                f"{name} {value!r}",
                "sendMailer",
                {**MAILER, name: value},
                None,
                [("subscriber-id-zero", f"/{name}")] if warned else [],
            )
            assert not warned or answer["violations"][0]["rule"] == "subscriber-id-malformed"
    add(
        "several warnings, by place",
        "httpSendMail",
        batch(
            {
                "html": "x",
                "to": "a@x.example,a@x.example",
                "ApiKey": "k",
                "body": "<p>",
                "subject": "s",
                "from": "news@shop.example",
            },
            ApiKey="<API_KEY>",
            extra=1,
        ),
        [],
        [
            DEPRECATED,
            ("key-placeholder", "/ApiKey"),
            ("field-unknown", "/requests/0/html"),
            ("recipient-repeated", "/requests/0/to"),
            ("key-in-request", "/requests/0/ApiKey"),
            ("body-plain", "/requests/0/body"),
            ("field-unknown", "/extra"),
        ],
    )
    add(
        "warnings beside violations",
        "sendMailer",
        {"apiKey": "$apiKey", "subID": 0, "Mailer": 1},
        ["subscriber-id-malformed", "mailer-missing"],
        [("key-placeholder", "/apiKey"), ("subscriber-id-zero", "/subID"), ("field-unknown", "/Mailer")],
    )
    return suite


def pairs():
    suite = Suite(
        "preflight-pairs",
        "Preflights of every two rules that one request or one sendMailer body can break: both are listed, in the order in which they win.",
    )
    import itertools

    from .order import together

    seen = {rule for rule in ORDER if ORDER[rule][0] == 4}
    mailer = [rule for rule in MAILER_VARIANTS if rule in seen]
    for first, second in itertools.combinations(mailer, 2):
        slots = together(MAILER_VARIANTS[first], MAILER_VARIANTS[second])
        if slots is not None:
            answer = suite.add(f"sendMailer: {first} and {second}", preflight_case(mailer_case(slots)))
            assert [entry["rule"] for entry in answer["violations"]] == sorted(
                [first, second], key=mailer_rank
            ), (first, second, answer)
    http = [rule for rule in HTTP_REQUEST_VARIANTS if rule in seen]
    for first, second in itertools.combinations(http, 2):
        slots = together(HTTP_REQUEST_VARIANTS[first], HTTP_REQUEST_VARIANTS[second])
        if slots is not None:
            answer = suite.add(f"httpSendMail: {first} and {second}", preflight_case(http_case({}, [slots])))
            assert [entry["rule"] for entry in answer["violations"]] == sorted(
                [first, second], key=lambda rule: http_rank(rule, 0)
            ), (first, second, answer)
    return suite


def suites():
    return [violations(), warnings(), pairs()]
