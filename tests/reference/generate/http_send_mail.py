"""httpSendMail: content, recipients, plans, subjects, encodings, size and day."""

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


def suite_content():
    suite = Suite(
        "http-send-mail-content",
        "What the body of an httpSendMail call alone shows: subjects with control characters and "
        "placeholders, names, reply addresses, and bodies that are missing, plain, encoded or no UTF-8.",
    )
    add = suite.http

    def one(name, code, rule, policy=None, **fields):
        return add(name, batch({**REQUEST, **fields}), code, rule, policy=policy)

    for char in (
        "\u0000",
        "\u0001",
        "\t",
        "\n",
        "\r",
        "\u001f",
        "\u007f",
        "\u0080",
        "\u0085",
        "\u009f",
        "\u2028",
        "\u2029",
    ):
        one(f"subject with U+{ord(char):04X}", 476, "subject-control", subject=f"a{char}b")
        one(f"fromName with U+{ord(char):04X}", 477, "from-name-control", fromName=f"a{char}b")
    for char in (
        "\u00a0",
        "\u00ad",
        "\u200b",
        "\u202e",
        "\ufeff",
        "\ue000",
        "\uffff",
        "\u0378",
        "😀",
        "\u3000",
        "\u202f",
    ):
        one(f"subject with U+{ord(char):04X}", 200, None, subject=f"a{char}b")
        one(f"fromName with U+{ord(char):04X}", 200, None, fromName=f"a{char}b")
    n64, n65 = "n" * 64, "n" * 65
    held = [
        "{{name}}",
        "{{ name }}",
        "{{  name  }}",
        "Hi {{name}}!",
        "{%name%}",
        "{% name %}",
        "%%name%%",
        "%% first name %%",
        "*|NAME|*",
        "*| NAME |*",
        "{*name*}",
        "{* name *}",
        "${name}",
        "${ name }",
        "{{_}}",
        "{{_1}}",
        "{{a.b-c~d e}}",
        "{{é}}",
        "{{имя}}",
        "{{名前}}",
        "{{a\u0661}}",
        "{{{name}}}",
        "{{{{name}}}}",
        "{{1}} {{a}}",
        f"{{{{{n64}}}}}",
        f"{{{{ {n64} }}}}",
        f"{{{{{n64[:63]}.}}}}",
        "{{a}}{{b}}",
        "%%%name%%",
        "$${name}",
        "{{x} {{y}}",
        "${{name}}",
        "{%%a%%}",
        # A mark that closes nothing can open.
        "%%1%%b%%",
        "%%%a%%",
        "*|1|*|b|*",
        "{{ {{a}} }}",
    ]
    clear = [
        "{{}}",
        "{{ }}",
        "{{1}}",
        "{{1a}}",
        "{{-a}}",
        "{{.a}}",
        "{{~a}}",
        "{{a",
        "a}}",
        "{ {a}}",
        "{{a} }",
        "{a}",
        "{{a\u00a0b}}",
        "{{\u00a0a}}",
        "{{a,b}}",
        "{{a|b}}",
        "{{a(b)}}",
        f"{{{{{n65}}}}}",
        "{{a:b}}",
        "{{#if a}}",
        "{{/a}}",
        "{% 1 %}",
        "%%",
        "%%%%",
        "100%% sure",
        "%name%",
        "*|1|*",
        "*|a*",
        "{*a}",
        "$name",
        "${}",
        "${1}",
        "$ {a}",
        "{{a%}",
        "{%a}}",
        "[name]",
        "<name>",
        "{{a\u0301}}",
        "{{😀}}",
        "{{a/b}}",
        "{{a!}}",
        "}}a{{",
        "{{'a'}}",
        "5 * | a | * 5",
    ]
    for subject in held:
        one(
            f"a placeholder: {subject if len(subject) < 40 else 'a name of 64'}",
            476,
            "subject-placeholder",
            subject=subject,
        )
    for subject in clear:
        one(f"no placeholder: {subject if len(subject) < 40 else 'a name of 65'}", 200, None, subject=subject)
    one(
        "no pair of marks: nothing is a placeholder",
        200,
        None,
        {"placeholders": []},
        subject="{{name}} %%name%% ${name}",
    )
    one(
        "other marks: theirs count",
        476,
        "subject-placeholder",
        {"placeholders": [["[[", "]]"], ["<", ">"]]},
        subject="Hi <first name>",
    )
    for marks, subject, is_held in [
        (["a", "b"], "axb", True),
        (["a", "b"], "aab", True),
        (["a", "b"], "ab", False),
        (["a", "b"], "a-b", False),
        (["a", "b"], "a" * 70 + "b", True),
        (["_", "_"], "___", True),
        (["_", "_"], "__", False),
        (["<", "x>"], "<xx>", True),
        (["<", "x>"], "<x>", False),
    ]:
        code, rule = (476, "subject-placeholder") if is_held else (200, None)
        # With a name, so that the page of rules goes on showing a call with the usual marks, which is shorter.
        fields = {"subject": subject, "fromName": "The Shop"}
        one(f"marks of letters {marks}: {subject}", code, rule, {"placeholders": [marks]}, **fields)
    one("other marks: the usual ones do not", 200, None, {"placeholders": [["[[", "]]"]]}, subject="{{name}}")
    one(
        "other marks: the second pair",
        476,
        "subject-placeholder",
        {"placeholders": [["[[", "]]"], ["«", "»"]]},
        subject="Hi «имя»",
    )
    one("a placeholder in another field is text", 200, None, fromName="{{name}}", customField="{{name}}")
    for text in ("b@c.example", " b@c.example ", "B@BÜCHER.example"):
        one(f"replyTo {text!a}", 200, None, replyTo=text)
    for text in (
        "b",
        "b@c",
        "a@b.example,c@d.example",
        "a@b.example,",
        ",a@b.example",
        "A <a@b.example>",
        "a@b.example c@d.example",
        "\u200ba@b.example",
        "a@b.example;",
    ):
        one(f"replyTo {text!a}", 407, "reply-to-malformed", replyTo=text)
    for text in (
        "s",
        "s@shop",
        "news@shop.example,news@shop.example",
        "Shop <news@shop.example>",
        "news@shop.example.",
        "news @shop.example",
        ",",
    ):
        one(f"from {text!a}", 410, "sender-malformed", **{"from": text})
    for text in (
        "plain",
        "a@b",
        "a@b.example c@d.example",
        "a@b.example;c@d.example",
        "a@b.example,nope",
        "nope,a@b.example",
        "A <a@b.example>",
        "a@@b.example",
    ):
        one(f"to {text!a}", 412, "recipient-malformed", to=text)
    one("a bad cc beside a good to", 412, "recipient-malformed", cc="nope")
    one("a bad bcc beside a good to", 412, "recipient-malformed", bcc="nope")
    bodies = [
        # body, code, rule, html, encoding
        ("Hello", 200, None, "Hello", "form"),
        ("Hello+you", 200, None, "Hello you", "form"),
        ("%3Cp%3EHi%3C%2Fp%3E", 200, None, "<p>Hi</p>", "form"),
        ("%3cp%3e", 200, None, "<p>", "form"),
        ("caf%C3%A9", 200, None, "café", "form"),
        ("100%25", 200, None, "100%", "form"),
        ("100%", 200, None, "100%", "form"),
        ("%zz%4", 200, None, "%zz%4", "form"),
        ("%%34", 200, None, "%4", "form"),
        ("%253C", 200, None, "%3C", "form"),
        ("%00a", 200, None, "\u0000a", "form"),
        (" \tHello+you \n", 200, None, "Hello you", "form"),
        ("\u00a0Hello\u3000", 200, None, "Hello", "form"),
        ("+Hello+", 200, None, " Hello ", "form"),
        ("<p>a+b %41</p>", 200, None, "<p>a+b %41</p>", "plain"),
        (" <p> ", 200, None, " <p> ", "plain"),
        ("a b", 200, None, "a b", "plain"),
        ("é", 200, None, "é", "plain"),
        ("a\nb", 200, None, "a\nb", "plain"),
        ("a\u007fb", 200, None, "a\u007fb", "plain"),
        ("http://a.example/?q=%41+b", 200, None, "http://a.example/?q=%41+b", "plain"),
        ("HTTPS://a.example/", 200, None, "HTTPS://a.example/", "plain"),
        (" http:x", 200, None, " http:x", "plain"),
        ("xhttp:%41", 200, None, "xhttp:A", "form"),
        ("ftp:%41", 200, None, "ftp:A", "form"),
        ("%22%5C%5E%60%7B%7C%7D+", 200, None, '"\\^`{|} ', "form"),
        ("'();:@&=$,/?#[]!*~", 200, None, "'();:@&=$,/?#[]!*~", "form"),
        ("%20", 408, "html-missing", None, None),
        ("+", 408, "html-missing", None, None),
        ("+%09%0A%0D%0C", 408, "html-missing", None, None),
        ("%C2%A0%E3%80%80%E2%80%A8", 408, "html-missing", None, None),
        ("%E2%80%8B", 200, None, "\u200b", "form"),
        ("%FF", 408, "html-not-utf8", None, None),
        ("%C3", 408, "html-not-utf8", None, None),
        ("a%C3b", 408, "html-not-utf8", None, None),
        ("%ED%A0%80", 408, "html-not-utf8", None, None),
        ("%C0%80", 408, "html-not-utf8", None, None),
        ("%F4%90%80%80", 408, "html-not-utf8", None, None),
        ("caf%E9", 408, "html-not-utf8", None, None),
        ("%F0%9F%98%80", 200, None, "😀", "form"),
        ("<%FF>", 200, None, "<%FF>", "plain"),
    ]
    bodies += [(f"%41{mark}", 200, None, f"%41{mark}", "plain") for mark in '<>"\\^`{|}']
    for text, code, rule, html, encoding in bodies:
        answer = one(f"body {text!a}", code, rule, body=text)
        if code == 200:
            mail = answer["plan"]["messages"][0]
            assert (mail["html"], mail["encoding"]) == (html, encoding), (text, mail)
    for text, html in [
        ("<p>a+b</p>", "<p>a b</p>"),
        (" é%41 ", "éA"),
        ("http:%41", "http:A"),
        ("a b+c", "a b c"),
        ("%41", "A"),
        ("\u00a0<%C3%A9>\u00a0", "<é>"),
    ]:
        answer = one(f"always decoded: {text!a}", 200, None, {"html_encoding": "always"}, body=text)
        assert (
            answer["plan"]["messages"][0]["html"] == html
            and answer["plan"]["messages"][0]["encoding"] == "form"
        )
    one("always decoded: no UTF-8", 408, "html-not-utf8", {"html_encoding": "always"}, body="<%FF>")
    one("always decoded: nothing left", 408, "html-missing", {"html_encoding": "always"}, body="\u2003+")
    return suite


def decode_suite():
    suite = Suite(
        "decode", "A body field alone: the HTML that is delivered and the encoding that was assumed."
    )
    for text, html, encoding in [
        ("", "", "form"),
        (" ", "", "form"),
        ("\n\u00a0\t", "", "form"),
        ("+", " ", "form"),
        ("a", "a", "form"),
        ("a+b%2Bc", "a b+c", "form"),
        ("%41%5a%5A", "AZZ", "form"),
        ("%4", "%4", "form"),
        ("%", "%", "form"),
        ("%%", "%%", "form"),
        ("%4G%G4", "%4G%G4", "form"),
        ("%25%34%31", "%41", "form"),
        ("%e2%82%ac", "€", "form"),
        ("%FF", None, None),
        ("ok%80", None, None),
        ("%C3%", None, None),
        ("<b>", "<b>", "plain"),
        (" <b>+%41 ", " <b>+%41 ", "plain"),
        ("é", "é", "plain"),
        ("a%20b", "a b", "form"),
        ("a b", "a b", "plain"),
        ("\ta\t", "a", "form"),
        ("a\tb", "a\tb", "plain"),
        ("a\u0001", "a\u0001", "plain"),
        ("\u0085a", "a", "form"),
        ("\ufeffa", "\ufeffa", "plain"),
        ("%EF%BB%BFa", "\ufeffa", "form"),
        ("a\u0000b", "a\u0000b", "plain"),
        ("http:", "http:", "plain"),
        ("https:", "https:", "plain"),
        ("hTTp://x/%41", "hTTp://x/%41", "plain"),
        ("httpx:%41", "httpx:A", "form"),
        ("http%3A%2F%2Fx", "http://x", "form"),
        ("\nhttp:%41", "\nhttp:%41", "plain"),
        ("http", "http", "form"),
        ("a{b", "a{b", "plain"),
        ("a%7Bb", "a{b", "form"),
        ("%3Chtml%3E%0D%0A", "<html>\r\n", "form"),
        ("%F0%9F%98%80", "😀", "form"),
        ("%F0%9F%98", None, None),
        ("%ud83d", "%ud83d", "form"),
        ("a&amp;b", "a&amp;b", "form"),
        ("a;b=c", "a;b=c", "form"),
    ]:
        suite.add(f"{text!a}", {"do": "decode", "text": text}, {"html": html, "encoding": encoding})
    for mark in '<>"\\^`{|} ':
        suite.add(
            f"plain by {mark!r}",
            {"do": "decode", "text": f"%41{mark}%42"},
            {"html": f"%41{mark}%42", "encoding": "plain"},
        )
    for mark in "!#$&'()*,-./:;=?@[]_~":
        suite.add(
            f"not plain by {mark!r}",
            {"do": "decode", "text": f"%41{mark}%42"},
            {"html": f"A{mark}B", "encoding": "form"},
        )
    return suite


def suites():
    return [suite_plan(), suite_content(), decode_suite()]
