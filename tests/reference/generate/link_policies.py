"""Bodies that can hide a host: refused by a rule of their own, or asked about; and bare domains."""

from .kit import REQUEST, Suite, batch, span_of, dump, world

OPEN = "<svg><style>@import 'ht<g/>tp:a.example'</style></svg>"
ASK = {"hidden_hosts": "ask"}
BARE = {"bare_domains": True}
LISTED = {"blacklists": {"content": ["computed.invalid", "shop.test"]}}

# Soup with more names than are judged, and with as many as are judged. Each `&comma` ends a host for some readers and not for others.
TOO_MANY = {
    "hosts": "<svg>" + "".join(f"//a{number}.b!c;d\"e'f)g&comma;h/" for number in range(300)),
    "starts": "<svg>" + "//a.b/" * 500,
}
AS_MANY_AS_ARE_JUDGED = {
    "hosts": "<svg>" + "".join(f"//a{number}.b!c;d\"e'f)g&comma;h/" for number in range(3)),
    "starts": "<svg>" + "//a.b/" * 256,
}

# Text with bare domains, and the first of them that is on the list.
DOMAINS = {
    "alone": ("shop.test", True),
    "in a sentence": ("<p>Visit shop.test.</p>", True),
    "in upper case": ("<p>Shop.TEST</p>", True),
    "below another": ("<p>www2.shop.test</p>", True),
    "in brackets": ("<p>(shop.test)</p>", True),
    "before Japanese": ("<p>shop.test\u3092</p>", True),
    "after Japanese": ("<p>\u3053\u3061\u3089shop.test</p>", True),
    "with wide dots": ("<p>shop\u3002test</p>", True),
    "with a path": ("<p>shop.test/x</p>", True),
    "of an address": ("<p>x@shop.test</p>", True),
    "parted by a tag": ("<p>shop<b>.test</b></p>", False),
    "in a title": ("<title>shop.test</title>", False),
    "in an attribute": ("<p title=shop.test>", False),
    "in a comment": ("<!-- shop.test -->", False),
    "one label": ("<p>test</p>", False),
    "a number last": ("<p>shop.test.24</p>", False),
}


def suites():
    suite = Suite(
        "hidden-hosts",
        "What the policies `hidden_hosts` and `bare_domains` do: a body that can hide a host is refused or asked about, a bare "
        "domain in text counts or not.",
    )
    body = batch({**REQUEST, "body": OPEN})
    text = dump(body)
    place = {"pointer": "/requests/0/body", "span": span_of(text, dump(OPEN)), "request": 0}
    refused = {**place, "asked": {"account": 1, "facts": 0, "commits": 0}}
    suite.http("a body that can hide a host is refused", body, 413, "html-host-hidden", wants=refused)
    suite.http("the same, stated", body, 413, "html-host-hidden", policy={"hidden_hosts": "refuse"}, wants=refused)
    suite.http("the same, form-encoded", batch({**REQUEST, "body": "%3Cp%3E%1B"}), 413, "html-host-hidden")
    suite.http("the policy asks, and the name is not listed", body, 200, None, policy=ASK)
    suite.http(
        "the policy asks, and the name is listed",
        body,
        413,
        "html-domain-blacklisted",
        policy=ASK,
        world=world(**LISTED),
        wants=place,
    )
    for name, html in TOO_MANY.items():
        many = batch({**REQUEST, "body": html})
        suite.http(f"a body whose soup has more {name} than can be judged is refused", many, 413, "html-host-hidden")
    for name, html in AS_MANY_AS_ARE_JUDGED.items():
        few = batch({**REQUEST, "body": html})
        suite.http(f"a body whose soup has as many {name} as can be judged", few, 200, None)
    literal = batch({**REQUEST, "body": "<a href=http://computed.invalid/>"})
    suite.http("a link to the name hides nothing", literal, 200, None)
    suite.http("a link to the name that is listed", literal, 413, "html-domain-blacklisted", world=world(**LISTED))
    suite.http(
        "the place in the status",
        body,
        413,
        "html-host-hidden",
        policy={"answer_status": "place"},
        wants={"response": '{"code":"413","status":"Blacklisted domain in the HTML at /requests/0/body"}'},
    )
    suite.http("a lower code of the request wins", batch({**REQUEST, "body": OPEN, "subject": ""}), 406, "subject-missing")
    suite.http(
        "an earlier request wins", batch({**REQUEST, "fromName": "\x07"}, {**REQUEST, "body": OPEN}), 477, "from-name-control"
    )
    answer = suite.http(
        "a partial batch leaves the request out",
        batch({**REQUEST, "body": OPEN}, REQUEST),
        200,
        None,
        policy={"batch": "partial"},
    )
    assert [(row["request"], row["rule"]) for row in answer["refused"]] == [(0, "html-host-hidden")], answer
    suite.preflight("a preflight says so", "httpSendMail", body, ["html-host-hidden"])
    suite.preflight("a preflight of a policy that asks does not", "httpSendMail", body, [], policy=ASK)
    suite.preflight("a preflight of a link to the name", "httpSendMail", literal, [])
    for name, (html, is_found) in DOMAINS.items():
        case = batch({**REQUEST, "body": html})
        suite.http(f"a bare domain {name}, by default", case, 200, None, world=world(**LISTED))
        suite.http(
            f"a bare domain {name}, when they count",
            case,
            *((413, "html-domain-blacklisted") if is_found else (200, None)),
            policy=BARE,
            world=world(**LISTED),
        )
    # The second character is the sign of a tone.
    shop = "\u0e23\u0e49\u0e32\u0e19.test"
    suite.http(
        "a bare domain with a mark, when they count",
        batch({**REQUEST, "body": f"<p>{shop}</p>"}),
        413,
        "html-domain-blacklisted",
        policy=BARE,
        world=world(blacklists={"content": [shop]}),
    )
    for name, html in TOO_MANY.items():
        many = batch({**REQUEST, "body": html})
        suite.http(f"a body with more {name} than can be judged is refused also if the policy asks", many, 413, "html-host-hidden", policy=ASK)
    return [suite]
