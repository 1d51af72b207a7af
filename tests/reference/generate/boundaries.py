"""The numbers at which something changes, and bodies that are very large."""

from .kit import KEY, MAILER, REQUEST, Suite, account, batch, dump, world

LIMIT = 33554432
SHORT = {"subject": "s", "body": "b", "from": "news@shop.example"}
POOR = world(accounts=account(email_credit=0))


def padded(text, size):
    """The body with an unknown member that brings it to that number of bytes."""
    head = text[:-1] + ',"pad":"'
    return {"$parts": [[head, 1], ["x", size - len(head) - 2], ['"}', 1]]}


def listing(count, tail="]}"):
    """An httpSendMail body of that number of requests, to different addresses."""
    request = '{"subject":"s","body":"b","from":"news@shop.example","to":"a#@x.example"}'
    return {
        "$parts": [
            [f'{{"ApiKey":"{KEY}","requests":[', 1],
            [request + ",", count - 1, 0],
            [request.replace("#", "last"), 1],
            [tail, 1],
        ]
    }


def suites():
    suite = Suite(
        "boundaries",
        "Limits and one more: requests in a call, bytes in a body, nesting, and bodies large enough to "
        "show work that grows faster than they do. Most end in a refusal, so that the answers stay small.",
    )
    for count, code, rule in [
        (999, 445, "email-credit-low"),
        (1000, 445, "email-credit-low"),
        (1001, 453, "too-many-requests"),
        (5000, 453, "too-many-requests"),
    ]:
        suite.http(f"{count} requests", listing(count), code, rule, world=POOR)
    suite.http(
        "1001 entries that are no objects: too many",
        {"$parts": [[f'{{"ApiKey":"{KEY}","requests":[', 1], ["1,", 1000], ["1]}", 1]]},
        453,
        "too-many-requests",
    )
    suite.http(
        "1000 entries that are no objects",
        {"$parts": [[f'{{"ApiKey":"{KEY}","requests":[', 1], ["1,", 999], ["1]}", 1]]},
        475,
        "request-not-object",
        wants={"request": 0},
    )
    suite.http(
        "1000 requests, the last one bad",
        {"$parts": [*listing(999)["$parts"][:-1], [',{"subject":""}]}', 1]]},
        406,
        "subject-missing",
        wants={"request": 999},
    )
    suite.http(
        "1000 requests need 1000 credits",
        listing(1000),
        445,
        "email-credit-low",
        world=world(accounts=account(email_credit=999)),
    )
    suite.http(
        "a partial batch of 1001 is too many",
        listing(1001),
        453,
        "too-many-requests",
        policy={"batch": "partial"},
    )
    http, mailer = dump(batch(REQUEST)), dump(MAILER)
    suite.http("httpSendMail: 33,554,431 bytes", padded(http, LIMIT - 1), 200, None)
    suite.http("httpSendMail: 33,554,432 bytes", padded(http, LIMIT), 200, None)
    suite.http(
        "httpSendMail: 33,554,433 bytes",
        padded(http, LIMIT + 1),
        454,
        "body-too-large",
        wants={"pointer": "", "span": [0, LIMIT + 1], "asked": {"account": 0, "facts": 0, "commits": 0}},
    )
    suite.http(
        "httpSendMail: 33,554,433 bytes that are no JSON",
        {"$parts": [["[", LIMIT + 1]]},
        454,
        "body-too-large",
    )
    suite.http(
        "httpSendMail: 33,554,432 bytes that are no JSON",
        {"$parts": [["[", LIMIT]]},
        475,
        "body-not-json",
        wants={"span": [0, LIMIT]},
    )
    suite.http(
        "httpSendMail: 33,554,432 bytes of white space", {"$parts": [[" ", LIMIT]]}, 475, "body-not-json"
    )
    suite.http(
        "httpSendMail: 33,554,433 bytes in characters of two bytes",
        {"$parts": [["é", LIMIT // 2], ["x", 1]]},
        454,
        "body-too-large",
    )
    suite.http(
        "httpSendMail: white space after the object counts",
        {"$parts": [[http, 1], [" ", LIMIT - len(http) + 1]]},
        454,
        "body-too-large",
    )
    suite.mailer("sendMailer: 33,554,433 bytes", padded(mailer, LIMIT + 1), 200, None)
    for operation, text, code in (("sendMailer", mailer, 442), ("httpSendMail", http, 475)):
        suite.decide(
            f"{operation}: a million brackets",
            operation,
            {"$parts": [["[", 1000000]]},
            {"code": code, "rule": "body-not-json"},
        )
        suite.decide(
            f"{operation}: a million brackets in a member",
            operation,
            {"$parts": [[text[:-1] + ',"x":', 1], ["[", 1000000], ["]", 1000000], ["}", 1]]},
            {"code": code, "rule": "body-not-json"},
        )
        suite.decide(
            f"{operation}: half a million objects open",
            operation,
            {"$parts": [['{"a":', 500000]]},
            {"code": code, "rule": "body-not-json"},
        )
        first = text[:-1] + ',"x":1'
        suite.decide(
            f"{operation}: a name repeated a million times",
            operation,
            {"$parts": [[first, 1], [',"x":2', 1000000], ["}", 1]]},
            {
                "code": code,
                "rule": "field-repeated",
                "pointer": "/x",
                "span": [len(first) + 5, len(first) + 6],
            },
        )
        suite.decide(
            f"{operation}: two hundred thousand names",
            operation,
            {"$parts": [[text[:-1], 1], [',"x#":1', 200000, 0], ["}", 1]]},
            {"code": 200},
        )
        suite.decide(
            f"{operation}: two hundred thousand names, one of them twice",
            operation,
            {"$parts": [[text[:-1], 1], [',"x#":1', 200000, 0], [',"x7":2}', 1]]},
            {"code": code, "rule": "field-repeated", "pointer": "/x7"},
        )
        suite.decide(
            f"{operation}: a number of a million digits",
            operation,
            {"$parts": [[text[:-1] + ',"x":', 1], ["1", 1000000], ["}", 1]]},
            {"code": 200},
        )
        suite.decide(
            f"{operation}: a million escapes",
            operation,
            {"$parts": [[text[:-1] + ',"x":"', 1], ["\\u0041", 1000000], ['"}', 1]]},
            {"code": 200},
        )
    suite.mailer(
        "a mailerID of a million digits",
        {"$parts": [['{"apiKey":"key-1","email":"a@b.example","mailerID":', 1], ["1", 1000000], ["}", 1]]},
        442,
        "field-wrong-type",
    )
    suite.mailer(
        "a mailerID of a million zeros and 42",
        {
            "$parts": [
                ['{"apiKey":"key-1","email":"a@b.example","mailerID":"', 1],
                ["0", 1000000],
                ['42"}', 1],
            ]
        },
        200,
        None,
    )
    suite.mailer(
        "an email of 30 million letters",
        {"$parts": [['{"apiKey":"key-1","mailerID":42,"email":"', 1], ["a", 30000000], ['"}', 1]]},
        412,
        "recipient-malformed",
    )

    def recipients(*parts):
        head = f'{{"ApiKey":"{KEY}","requests":[{{"subject":"s","body":"b","from":"news@shop.example","to":"'
        return {"$parts": [[head, 1], *parts, ['"}]}', 1]]}

    suite.http(
        "a list of one entry of 30 million letters", recipients(["a", 30000000]), 412, "recipient-malformed"
    )
    suite.http("a list of three million commas", recipients([",", 3000000]), 411, "recipient-missing")
    suite.http(
        "a list of a hundred thousand times the same address",
        recipients(["a@x.example,", 100000]),
        445,
        "email-credit-low",
        world=POOR,
    )
    suite.http(
        "a list of fifty thousand addresses",
        recipients(["a#@x.example,", 50000, 0]),
        445,
        "email-credit-low",
        world=world(accounts=account(email_credit=49999)),
    )
    suite.http(
        "a list of fifty thousand addresses, the last one bad",
        recipients(["a#@x.example,", 50000, 0], ["nope", 1]),
        412,
        "recipient-malformed",
    )
    suite.http(
        "a list of fifty thousand addresses, the last one blacklisted",
        recipients(["a#@x.example,", 50000, 0], ["a@bad.example", 1]),
        416,
        "recipient-domain-blacklisted",
        world=world(blacklists={"recipient": ["bad.example"]}),
    )

    def with_html(*parts):
        head = f'{{"ApiKey":"{KEY}","requests":[{{"subject":"s","to":"a@x.example","from":"news@shop.example","body":"'
        return {"$parts": [[head, 1], *parts, ['"}]}', 1]]}

    bad = world(blacklists={"content": ["bad.example"]})
    suite.http(
        "twenty thousand links, the last one blacklisted",
        with_html(["<a href=//h#.example/>x</a>", 20000, 0], ["<a href=//bad.example/>", 1]),
        413,
        "html-domain-blacklisted",
        world=bad,
    )
    suite.http(
        "twenty thousand links of one host",
        with_html(["<a href=//h.example/>x</a>", 20000]),
        445,
        "email-credit-low",
        world=POOR,
    )
    suite.http(
        "ten thousand links in one style attribute, the last one blacklisted",
        with_html(
            ["<p style='", 1],
            ["background:url(//h#.example/);", 10000, 0],
            ["background:url(//bad.example)'>", 1],
        ),
        413,
        "html-domain-blacklisted",
        world=bad,
    )
    suite.http(
        "a thousand elements open",
        with_html(["<div>", 1000], ["http://bad.example", 1]),
        413,
        "html-domain-blacklisted",
        world=bad,
    )
    suite.http(
        "an HTML body of five million percent signs",
        with_html(["%25", 1666666]),
        445,
        "email-credit-low",
        world=POOR,
    )
    suite.preflight(
        "a preflight of 33,554,433 bytes",
        "httpSendMail",
        {"$parts": [["x", LIMIT + 1]]},
        ["body-too-large"],
        [("operation-deprecated", None)],
    )
    suite.preflight(
        "a preflight of 1001 requests",
        "httpSendMail",
        listing(1001),
        ["too-many-requests"],
        [("operation-deprecated", None)],
    )
    return [suite]
