"""httpSendMail: recipients, plans, credits, size and day."""

import itertools
from urllib.parse import quote, quote_plus

from .kit import REQUEST, SPELLINGS, Suite, account, batch, spelled, without, world

ADDRESSES = "a@x.example, b@x.example"


ROLES = {
    "sender": ("from", "{}@{}", 414, "sender-domain-blacklisted"),
    "reply_to": ("replyTo", "{}@{}", 415, "reply-to-domain-blacklisted"),
    "recipient": ("to", "{}@{}", 416, "recipient-domain-blacklisted"),
    "content": ("body", "<a href='https://{1}/{0}'>", 413, "html-domain-blacklisted"),
}


def add_two_roles(add):
    """One domain in two roles, a parent of which is listed for one of them: it is asked about in both."""
    domain, senders = "a.b.listed.example", ["news@shop.example", "x@a.b.listed.example", "x@b.listed.example"]
    for first, second in itertools.permutations(ROLES, 2):
        for listed in (first, second):
            known = world(senders=senders, blacklists={listed: ["listed.example"]})
            _, _, code, rule = ROLES[listed]
            together, apart = dict(REQUEST), [dict(REQUEST), dict(REQUEST)]
            for index, role in enumerate((first, second)):
                field, form, _, _ = ROLES[role]
                together[field] = form.format("x", domain)
                apart[index][field] = form.format("x", domain)
            add(
                f"{first} and {second} are one domain whose parent is listed for {listed}",
                batch(together),
                code,
                rule,
                world=known,
            )
            add(
                f"{first} and {second} of two requests are one domain whose parent is listed for {listed}",
                batch(*apart),
                code,
                rule,
                world=known,
                wants={"request": 0 if listed == first else 1},
            )
            field, form, _, _ = ROLES[second]
            apart[1][field] = form.format("x", "b.listed.example")
            add(
                f"{first}, then its parent as {second}, whose own parent is listed for {listed}",
                batch(*apart),
                code,
                rule,
                world=known,
                wants={"request": 0 if listed == first else 1},
            )


def add_spellings(add):
    """The domain of an address, however it is written, is asked about with its parents."""
    for role in ("sender", "reply_to", "recipient"):
        field, _, code, rule = ROLES[role]
        body = batch({**REQUEST, field: "nobody@shop.example"})
        for entry in ("listed.example", "a.listed.example", "isted.example"):
            refused = entry in ("listed.example", "a.listed.example")
            for name, spelling in SPELLINGS.items():
                add(
                    f"the domain of {field} {name}, {entry} listed",
                    spelled(body, field, spelling),
                    code if refused else 200,
                    rule if refused else None,
                    world=world(senders=["news@shop.example", "x@a.listed.example"], blacklists={role: [entry]}),
                )


def suite_plan():
    suite = Suite(
        "http-send-mail-plan",
        "Accepted calls of httpSendMail: one email for each address, roles, duplicates left out, "
        "subscribers created and enlisted, credits, and what the plan carries of each request.",
    )
    add = suite.http

    def plan(name, *requests, **others):
        return add(name, batch(*requests), 200, None, **others)["plan"]

    def to(**fields):
        return {**without(REQUEST, "to"), **fields}

    def recipients(plan, index=0):
        return [
            (entry["to"], entry["role"], entry["subscriber"])
            for entry in plan["messages"][index]["recipients"]
        ]

    got = plan("to, cc and bcc", to(to="a@x.example", cc="b@x.example", bcc="c@x.example"))
    assert recipients(got) == [
        ("a@x.example", "to", None),
        ("b@x.example", "cc", None),
        ("c@x.example", "bcc", None),
    ]
    assert got["debit"] == {"email": 3, "subscriber": 3}
    got = plan(
        "the order is to, cc, bcc, whatever the body's",
        to(bcc="c@x.example", cc="b@x.example", to="a@x.example"),
    )
    assert [entry["email"] for entry in got["create"]] == ["a@x.example", "b@x.example", "c@x.example"]
    got = plan("cc alone", to(cc=ADDRESSES))
    assert recipients(got) == [("a@x.example", "cc", None), ("b@x.example", "cc", None)]
    got = plan("bcc alone", to(bcc=ADDRESSES, to="", cc=None))
    got = plan("a duplicate within to", to(to="a@x.example,A@X.EXAMPLE , b@x.example"))
    assert recipients(got) == [("a@x.example", "to", None), ("b@x.example", "to", None)]
    assert [(entry["to"], entry["pointer"]) for entry in got["collapsed"]] == [
        ("A@X.EXAMPLE", "/requests/0/to")
    ]
    assert got["debit"] == {"email": 2, "subscriber": 2}
    got = plan(
        "the first place is the role",
        to(to="a@x.example", cc="a@x.example,b@x.example", bcc="b@x.example,a@x.example,c@x.example"),
    )
    assert recipients(got) == [
        ("a@x.example", "to", None),
        ("b@x.example", "cc", None),
        ("c@x.example", "bcc", None),
    ]
    assert [entry["pointer"] for entry in got["collapsed"]] == [
        "/requests/0/cc",
        "/requests/0/bcc",
        "/requests/0/bcc",
    ]
    got = plan(
        "duplicates by normal form and domain form",
        to(to="\u00e4@bücher.example,A\u0308@XN--bcher-kva.example"),
    )
    assert len(got["collapsed"]) == 1
    got = plan("duplicates by final sigma", to(to="ΟΔΟΣ@x.example,οδος@x.example,οδοσ@x.example"))
    assert [entry["to"] for entry in got["collapsed"]] == ["οδος@x.example"]
    got = plan("tags are no duplicates", to(to="a@x.example,a+b@x.example,a.b@x.example,ab@x.example"))
    assert got["collapsed"] == []
    got = plan("ten times the same", to(to=",".join(["a@x.example"] * 10)))
    assert len(got["collapsed"]) == 9 and got["debit"] == {"email": 1, "subscriber": 1}
    got = plan(
        "the same address in two requests gets two emails and is created once",
        to(to="a@x.example"),
        to(to="A@x.example"),
    )
    assert got["debit"] == {"email": 2, "subscriber": 1} and [entry["email"] for entry in got["create"]] == [
        "a@x.example"
    ]
    assert recipients(got, 1) == [("A@x.example", "to", None)]
    got = plan("a known subscriber is enlisted, the email goes as sent", to(to="KNOWN@customer.example"))
    assert (
        got["enlist"] == [{"id": 7, "list": "API_EMAILS"}]
        and got["create"] == []
        and got["debit"] == {"email": 1, "subscriber": 0}
    )
    assert recipients(got) == [("KNOWN@customer.example", "to", 7)]
    got = plan(
        "a known subscriber in two requests is enlisted once",
        to(to="known@customer.example"),
        to(cc="Known@customer.example"),
    )
    assert got["enlist"] == [{"id": 7, "list": "API_EMAILS"}] and got["debit"] == {
        "email": 2,
        "subscriber": 0,
    }
    got = plan(
        "known and new together", to(to="new@customer.example,known@customer.example,new2@customer.example")
    )
    assert recipients(got) == [
        ("new@customer.example", "to", None),
        ("known@customer.example", "to", 7),
        ("new2@customer.example", "to", None),
    ]
    got = plan(
        "everything that a request carries",
        {
            **REQUEST,
            "fromName": "Shop",
            "replyTo": " Answers@shop.example ",
            "customField": " c ",
            "trackOpens": "1",
            "trackClicks": True,
        },
    )
    mail = got["messages"][0]
    assert (
        mail["from_name"],
        mail["reply_to"],
        mail["custom_field"],
        mail["track_opens"],
        mail["track_clicks"],
    ) == ("Shop", "Answers@shop.example", " c ", True, True)
    got = plan("replyto is a spelling of replyTo", {**REQUEST, "replyto": "answers@shop.example"})
    assert got["messages"][0]["reply_to"] == "answers@shop.example"
    got = plan("the sender as sent, trimmed", {**REQUEST, "from": "\u3000News@SHOP.example "})
    assert got["messages"][0]["from"] == "News@SHOP.example" and got["messages"][0]["from_name"] is None
    got = plan("the subject as sent", {**REQUEST, "subject": "  Hello \u00a0"})
    assert got["messages"][0]["subject"] == "  Hello \u00a0"
    got = plan("empty entries are skipped", to(to=",, a@x.example , ,", cc=" , "))
    assert recipients(got) == [("a@x.example", "to", None)]
    plan("API_EMAILS need not exist", REQUEST, world=world(lists=[]))
    body = '{"ApiKey":"key-1","requests":[{"subject":"h","body":"b","from":"news@shop.example","to":"a@x.example,\\u0061@x.example"}]}'
    got = add("an escaped duplicate keeps the bytes in the body", body, 200, None)["plan"]
    assert got["collapsed"] == [
        {
            "request": 0,
            "pointer": "/requests/0/to",
            "span": [body.index("\\u0061"), body.index("\\u0061") + 16],
            "to": "a@x.example",
        }
    ]
    for name, changes, request, code, rule in [
        ("email credit for each email", {"email_credit": 2}, to(to=ADDRESSES), 200, None),
        ("one email credit too few", {"email_credit": 1}, to(to=ADDRESSES), 445, "email-credit-low"),
        ("duplicates cost nothing", {"email_credit": 1}, to(to="a@x.example,A@x.example"), 200, None),
        ("subscriber credit for each new one", {"subscriber_credit": 2}, to(to=ADDRESSES), 200, None),
        (
            "one subscriber credit too few",
            {"subscriber_credit": 1},
            to(to=ADDRESSES),
            444,
            "subscriber-credit-low",
        ),
        (
            "no subscriber credit for known ones",
            {"subscriber_credit": 0},
            to(to="known@customer.example"),
            200,
            None,
        ),
        (
            "both credits too low",
            {"subscriber_credit": 1, "email_credit": 1},
            to(to=ADDRESSES),
            444,
            "subscriber-credit-low",
        ),
        ("no limits", {"subscriber_credit": None, "email_credit": None}, to(to=ADDRESSES), 200, None),
        ("blocked", {"blocked": True}, to(to=ADDRESSES), 404, "account-blocked"),
        ("expired", {"expired": True}, to(to=ADDRESSES), 405, "account-expired"),
        ("deactivated", {"deactivated": True}, to(to=ADDRESSES), 448, "account-deactivated"),
    ]:
        add(f"account: {name}", batch(request), code, rule, world=world(accounts=account(**changes)))
    lists = {
        "sender": ["s.example"],
        "reply_to": ["r.example"],
        "recipient": ["t.example"],
        "content": ["c.example"],
    }
    roles = world(senders=["a@s.example", "a@r.example", "a@t.example", "a@c.example"], blacklists=lists)
    for domain in "srtc":
        for field, code, rule, own in [
            ("from", 414, "sender-domain-blacklisted", "s"),
            ("replyTo", 415, "reply-to-domain-blacklisted", "r"),
            ("to", 416, "recipient-domain-blacklisted", "t"),
            ("body", 413, "html-domain-blacklisted", "c"),
        ]:
            value = f"https://{domain}.example/" if field == "body" else f"a@{domain}.example"
            request = {**REQUEST, "from": "a@r.example" if own != "s" else value, field: value}
            add(
                f"{domain}.example as {field}",
                batch(request),
                *((code, rule) if domain == own else (200, None)),
                world=roles,
            )
    add(
        "the first of two bad recipients",
        batch(to(to="a@x.example,a@sub.t.example,b@t.example")),
        416,
        "recipient-domain-blacklisted",
        world=roles,
    )
    add_two_roles(add)
    add_spellings(add)
    for host, listed, code in [
        ("[::ffff:192.0.2.1]", "192.0.2.1", 413),
        ("[::FFFF:c000:0201]", "192.0.2.1", 413),
        ("[::192.0.2.1]", "192.0.2.1", 200),
        ("192.0.2.1", "192.0.2.1", 413),
        ("0xC0000201", "192.0.2.1", 413),
        ("192.0.2.2", "192.0.2.1", 200),
        ("192.0.2.1.", "192.0.2.1", 413),
    ]:
        add(
            f"a link to {host} with {listed} on the list",
            batch({**REQUEST, "body": f"<a href='http://{host}/'>"}),
            code,
            "html-domain-blacklisted" if code == 413 else None,
            world=world(blacklists={"content": [listed]}),
        )
    for html, listed in [
        ("http&colon;//a.example", True),
        ("http&#58;//a.example", True),
        ("www&period;a.example", True),
        ("ww&#119;.a.example", True),
        ("&nbsp;www.a.example", True),
        ("caf&eacute; at a&period;example", False),
        ("<p style=\"b:url('//a.example')\">x", True),
        ("<p style='b:\\75rl(//a.example)'>x", True),
        ("<p style='b:url&lpar;//a.example&rpar;'>x", True),
        ("<style>@import '//a.example';</style>", True),
        ("<title>www.a.example</title>", False),
        ("<img srcset='x 1x, //a.example 2x'>", True),
        ("<meta http-equiv=refresh content='0;url=//a.example'>", True),
        ("<object data='//a.example'>", True),
        ("<p data='//a.example'>", False),
        ("<a href='https://a.example", True),
        ("<a href='mailto:x@a.example'>", True),
        ("<!--[if mso]><a href='//a.example'><![endif]-->", True),
        ("<!-- <a href='//a.example'> -->", False),
    ]:
        for way, encode in [("+", quote_plus), ("%20", quote)]:
            add(
                f"encoded with {way}: {html}",
                batch({**REQUEST, "body": encode(html)}),
                413 if listed else 200,
                "html-domain-blacklisted" if listed else None,
                world=world(blacklists={"content": ["a.example"]}),
            )
    quiet = world(subscribers=[{"id": 7, "email": "known@customer.example", "inactive": True, "fields": {}}])
    add(
        "an inactive subscriber anywhere refuses the call",
        batch(REQUEST, to(to="a@x.example", bcc="b@x.example, KNOWN@customer.example")),
        443,
        "subscriber-inactive",
        world=quiet,
        wants={"request": 1, "pointer": "/requests/1/bcc"},
    )
    for number in (1, 2**53 - 1):
        plan(f"transaction id {number}", REQUEST, world=world(transaction_id=number))
    for number in (0, 2**53):
        add(
            f"transaction id {number} is the host's misuse",
            batch(REQUEST),
            world=world(transaction_id=number),
            wants={
                "code": None,
                "error": "misuse",
                "refused": None,
                "deprecation": {"last_day": "2024-04-30", "successor": "sendEmail"},
            },
        )
    for method in ("GET", "post", "PATCH"):
        add(f"the method {method!r}", batch(REQUEST), 401, "method-not-post", method=method)
    for today, code in [
        ("2024-04-29", 200),
        ("2024-04-30", 200),
        ("2024-05-01", 401),
        ("2025-01-01", 401),
        ("0001-01-01", 200),
        ("9999-12-31", 401),
        (None, 200),
    ]:
        add(
            f"the day {today}",
            batch(REQUEST),
            code,
            "operation-retired" if code == 401 else None,
            policy={"today": today},
            wants={"deprecation": {"last_day": "2024-04-30", "successor": "sendEmail"}},
        )
    add("retirement wins over a broken body", "{", 401, "operation-retired", policy={"today": "2024-05-01"})
    return suite


def suites():
    return [suite_plan()]
