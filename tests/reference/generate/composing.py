"""What a client sends: compose."""

import json

from .kit import KEY, MAILER, REQUEST, Suite


def suites():
    suite = Suite(
        "compose",
        "Requests packed in order into as few legal calls as the limits allow: exact texts, flags in each "
        "operation's type, HTML encoded, the number of requests and the bytes of a call at their limits.",
    )

    def http(name, requests, calls=None, policy=None, error=None, key=KEY):
        case = {"do": "compose", "operation": "httpSendMail", "fields": {"ApiKey": key, "requests": requests}}
        if policy:
            case["policy"] = policy
        answer = suite.add(name, case, error=error)
        if calls is not None:
            got = [len(json.loads(call)["requests"]) for call in answer["calls"]]
            assert got == calls, (name, got)
        return answer

    def mailer(name, fields, text):
        suite.add(name, {"do": "compose", "operation": "sendMailer", "fields": fields}, {"calls": [text]})

    mailer("sendMailer: the least", MAILER, '{"apiKey":"key-1","mailerID":42,"email":"new@customer.example"}')
    mailer(
        "sendMailer: the interface's order of fields",
        {
            "customField": "c",
            "trackClicks": 1,
            "trackOpens": 0,
            "anniversary": "2000-01-02",
            "birthday": "2000-01-01",
            "extra6": "6",
            "extra1": "1",
            "listName": "L",
            "mobile": "m",
            "email": "e@x.example",
            "subID": 7,
            "fromName": "N",
            "from": "f@x.example",
            "mailerID": 42,
            "apiKey": KEY,
        },
        '{"apiKey":"key-1","mailerID":42,"from":"f@x.example","fromName":"N","subID":7,"email":"e@x.example","mobile":"m","listName":"L","extra1":"1","extra6":"6","birthday":"2000-01-01","anniversary":"2000-01-02","trackOpens":0,"trackClicks":1,"customField":"c"}',
    )
    from ..fields import SEND_MAILER_FIELDS

    everything = {
        name: {"text": f"v-{name}", "integer": 5, "flag": True}[kind]
        for name, kind in reversed(SEND_MAILER_FIELDS)
    }
    answer = suite.add(
        "sendMailer: every field", {"do": "compose", "operation": "sendMailer", "fields": everything}
    )
    assert list(json.loads(answer["calls"][0])) == [name for name, _ in SEND_MAILER_FIELDS]
    mailer(
        "sendMailer: true and false are integers",
        {**MAILER, "trackOpens": True, "trackClicks": False},
        '{"apiKey":"key-1","mailerID":42,"email":"new@customer.example","trackOpens":1,"trackClicks":0}',
    )
    mailer(
        "sendMailer: null is left out",
        {**MAILER, "from": None, "city": None},
        '{"apiKey":"key-1","mailerID":42,"email":"new@customer.example"}',
    )
    mailer(
        "sendMailer: escapes",
        {**MAILER, "city": '"\\/\b\f\n\r\t\u0000\u001f\u007f é😀\u2028'},
        '{"apiKey":"key-1","mailerID":42,"email":"new@customer.example","city":"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\u007f é😀\u2028"}',
    )
    mailer(
        "sendMailer: the largest ids",
        {"apiKey": KEY, "mailerID": 2**63 - 1, "subID": 2**63 - 1},
        '{"apiKey":"key-1","mailerID":9223372036854775807,"subID":9223372036854775807}',
    )
    mailer(
        "sendMailer: no content is judged",
        {"apiKey": KEY, "mailerID": 1, "email": "bad", "fromName": "a\nb"},
        '{"apiKey":"key-1","mailerID":1,"fromName":"a\\nb","email":"bad"}',
    )
    answer = http("httpSendMail: one request", [REQUEST], [1])
    assert answer["calls"] == [
        '{"ApiKey":"key-1","requests":[{"subject":"Hello","body":"Hello","to":"new@customer.example","from":"news@shop.example"}]}'
    ]
    answer = http(
        "httpSendMail: the interface's order of fields, flags as text",
        [
            {
                "trackClicks": False,
                "trackOpens": True,
                "customField": "c",
                "replyTo": "r@x.example",
                "fromName": "N",
                "from": "f@x.example",
                "bcc": "b@x.example",
                "cc": "c@x.example",
                "to": "t@x.example",
                "body": "<p>Hi</p>",
                "subject": "S",
            }
        ],
        [1],
    )
    assert answer["calls"] == [
        '{"ApiKey":"key-1","requests":[{"subject":"S","body":"%3Cp%3EHi%3C%2Fp%3E","to":"t@x.example","cc":"c@x.example","bcc":"b@x.example","from":"f@x.example","fromName":"N","replyTo":"r@x.example","customField":"c","trackOpens":"1","trackClicks":"0"}]}'
    ]
    for html, encoded in [
        ("a b", "a+b"),
        ("a+b", "a%2Bb"),
        ("100%", "100%25"),
        ("*-._", "*-._"),
        ("~!'()", "%7E%21%27%28%29"),
        ("é😀", "%C3%A9%F0%9F%98%80"),
        ("\r\n\t\u0000", "%0D%0A%09%00"),
        ("%41", "%2541"),
        ('<a href="x?a=1&b=2#c">', "%3Ca+href%3D%22x%3Fa%3D1%26b%3D2%23c%22%3E"),
        ("AZaz09", "AZaz09"),
        ("\u00a0", "%C2%A0"),
        ("@:/;,$", "%40%3A%2F%3B%2C%24"),
        ("[\\]^_`{|}", "%5B%5C%5D%5E_%60%7B%7C%7D"),
    ]:
        answer = http(f"httpSendMail: the HTML {html!a}", [{**REQUEST, "body": html}], [1])
        assert json.loads(answer["calls"][0])["requests"][0]["body"] == encoded
    http("httpSendMail: two requests in one call", [REQUEST, {**REQUEST, "subject": "2"}], [2])
    http("httpSendMail: null is left out", [{**REQUEST, "cc": None, "trackOpens": None}], [1])
    http("httpSendMail: no content is judged", [{"subject": "{{x}}", "to": "bad"}], [1])
    http("httpSendMail: no requests, no calls", [], [])
    for count, limit, calls in [
        (1, 1, [1]),
        (2, 1, [1, 1]),
        (5, 2, [2, 2, 1]),
        (6, 2, [2, 2, 2]),
        (6, 3, [3, 3]),
        (7, 3, [3, 3, 1]),
        (3, 1000, [3]),
    ]:
        http(
            f"httpSendMail: {count} requests, {limit} a call",
            [{**REQUEST, "subject": str(index)} for index in range(count)],
            calls,
            {"max_requests": limit},
        )
    small = {"subject": "s"}
    head = f'{{"ApiKey":"{KEY}","requests":['
    one = len(head) + len('{"subject":"s"}') + 2
    step = len(',{"subject":"s"}')
    for extra, count, calls in [
        (0, 1, [1]),
        (0, 3, [1, 1, 1]),
        (step - 1, 2, [1, 1]),
        (step, 2, [2]),
        (step + 1, 2, [2]),
        (step, 5, [2, 2, 1]),
        (2 * step - 1, 5, [2, 2, 1]),
        (2 * step, 5, [3, 2]),
        (4 * step, 5, [5]),
    ]:
        http(
            f"httpSendMail: {count} requests of one size, room for {extra} bytes more than one",
            [small] * count,
            calls,
            {"max_bytes": one + extra},
        )
    http("httpSendMail: one byte too little for one", [small], error="0", policy={"max_bytes": one - 1})
    http(
        "httpSendMail: the second fits in no call",
        [small, {"subject": "ss"}],
        error="1",
        policy={"max_bytes": one},
    )
    http(
        "httpSendMail: the fourth fits in no call",
        [small] * 3 + [{"subject": "s" * 50}, small],
        error="3",
        policy={"max_bytes": one + 20},
    )
    http(
        "httpSendMail: bytes count, not characters", [{"subject": "é"}], error="0", policy={"max_bytes": one}
    )
    http(
        "httpSendMail: bytes count, not characters, exactly",
        [{"subject": "é"}],
        [1],
        policy={"max_bytes": one + 1},
    )
    http("httpSendMail: escapes count", [{"subject": "\n"}], error="0", policy={"max_bytes": one})
    http("httpSendMail: escapes count, exactly", [{"subject": "\n"}], [1], policy={"max_bytes": one + 1})
    http(
        "httpSendMail: encoded HTML counts",
        [{"body": "<"}],
        error="0",
        policy={"max_bytes": len(head) + len('{"body":"%3C"}') + 1},
    )
    http(
        "httpSendMail: encoded HTML counts, exactly",
        [{"body": "<"}],
        [1],
        policy={"max_bytes": len(head) + len('{"body":"%3C"}') + 2},
    )
    http("httpSendMail: the key counts", [small], error="0", policy={"max_bytes": one}, key=KEY + "x")
    sizes = [5, 1, 9, 2, 2, 7, 3, 3, 3, 10, 1]
    http(
        "httpSendMail: many sizes, in order, as few as that allows",
        [{"subject": "s" * size} for size in sizes],
        None,
        policy={"max_bytes": one + step + 9},
    )
    for count, calls in [
        (999, [999]),
        (1000, [1000]),
        (1001, [1000, 1]),
        (2000, [1000, 1000]),
        (2001, [1000, 1000, 1]),
    ]:
        http(f"httpSendMail: {count} requests", {"$items": [[{"subject": "s"}, count]]}, calls)
        texts = [
            {"$parts": [[head, 1], ['{"subject":"s"},', size - 1], ['{"subject":"s"}]}', 1]]}
            for size in calls
        ]
        suite.replace_expectation({"id": suite.vectors[-1]["case"]["id"], "calls": texts})
    # 32 MB: two requests that fit exactly, then one byte more.
    room = 33554432 - len(head) - 2 - len('{"subject":""}') * 2 - 1
    for name, lengths, calls in [
        ("exactly 32 MB", (room - 5, 5), [2]),
        ("32 MB and one byte", (room - 5, 6), [1, 1]),
    ]:
        subjects = [{"subject": {"$parts": [["s", length]]}} for length in lengths]
        http(f"httpSendMail: {name}", subjects, calls)
        items = [[['{"subject":"', 1], ["s", length], ['"}', 1]] for length in lengths]
        if calls == [2]:
            texts = [{"$parts": [[head, 1], *items[0], [",", 1], *items[1], ["]}", 1]]}]
        else:
            texts = [{"$parts": [[head, 1], *item, ["]}", 1]]} for item in items]
        suite.replace_expectation({"id": suite.vectors[-1]["case"]["id"], "calls": texts})
    single = 33554432 - len(head) - 2 - len('{"subject":""}')
    http(
        "httpSendMail: one request of 32 MB and one byte",
        [small, {"subject": {"$parts": [["s", single + 1]]}}],
        error="1",
    )
    for operation in ("sendmailer", ""):
        suite.add(
            f"no operation: {operation!r}",
            {"do": "compose", "operation": operation, "fields": MAILER},
            error="",
        )
    return [suite]
