"""Every field of both operations with values of every type."""

from ..fields import PERSONALIZATION_TEXT
from .kit import MAILER, REQUEST, Suite, batch, dump, world

INTEGER_GOOD = {
    "1": "1",
    "a string": '"42"',
    "a string with leading zeros": '"0042"',
    "2^53-1": str(2**53 - 1),
    "2^53": str(2**53),
    "2^63-1": str(2**63 - 1),
    "2^63-1 as a string": f'"{2**63 - 1}"',
    "2^63-1 with leading zeros": f'"000{2**63 - 1}"',
    "a long string of zeros and a one": '"' + "0" * 60 + '1"',
}
INTEGER_BAD = {
    "0": "0",
    "minus zero": "-0",
    "minus one": "-1",
    "a fraction": "42.0",
    "an exponent": "42e0",
    "1e2": "1e2",
    "2^63": str(2**63),
    "2^64": str(2**64),
    "2^64 and 42": str(2**64 + 42),
    "thirty digits": "1" * 30,
    "true": "true",
    "false": "false",
    "an array": "[42]",
    "an object": '{"id":42}',
    "an empty array": "[]",
    "an empty object": "{}",
    "zero as a string": '"0"',
    "zeros as a string": '"000"',
    "a sign in a string": '"+42"',
    "a minus in a string": '"-42"',
    "white space before": '" 42"',
    "white space after": '"42 "',
    "a fraction in a string": '"42.0"',
    "an exponent in a string": '"4e1"',
    "hexadecimal in a string": '"0x2A"',
    "a separator in a string": '"4,2"',
    "2^63 as a string": f'"{2**63}"',
    "letters": '"abc"',
    "fullwidth digits": '"４２"',
    "Arabic digits": '"٤٢"',
    "a superscript": '"4²"',
    "a line break in a string": '"42\\n"',
    "NUL in a string": '"42\\u0000"',
}
ABSENT = {
    "null": "null",
    "an empty string": '""',
    "a space": '" "',
    "a tab and a line break": '"\\t\\n"',
    "a no-break space": '"\\u00a0"',
    "an ideographic space": '"\u3000"',
    "a line separator": '"\\u2028"',
    "next line": '"\\u0085"',
    "an ogham space": '"\u1680"',
}
NOT_WHITE = {
    "a zero-width space": '"\\u200b"',
    "a byte-order mark": '"\\ufeff"',
    "U+001F": '"\\u001f"',
    "a Mongolian vowel separator": '"\\u180e"',
}
FLAG = {
    "0": ("0", False),
    "1": ("1", True),
    "true": ("true", True),
    "false": ("false", False),
    "0 as a string": ('"0"', False),
    "1 as a string": ('"1"', True),
    "null": ("null", False),
    "an empty string": ('""', False),
    "white space": ('" "', False),
}
FLAG_BAD = {
    "2": "2",
    "minus one": "-1",
    "minus zero": "-0",
    "1.0": "1.0",
    "1e0": "1e0",
    "0.0": "0.0",
    "10": "10",
    "true as a string": '"true"',
    "yes": '"yes"',
    "on": '"on"',
    "01 as a string": '"01"',
    "white space around": '" 1"',
    "white space after": '"1 "',
    "an array": "[1]",
    "an object": "{}",
    "a fullwidth 1": '"１"',
}
TEXT_NUMBERS = [
    "0",
    "-0",
    "411001",
    "1.50",
    "1e5",
    "-12.5E-3",
    "123456789012345678901234567890",
    "9007199254740993",
]
TEXT_BAD = {
    "true": "true",
    "false": "false",
    "an array": "[]",
    "an array of text": '["a"]',
    "an object": "{}",
}
TEXT_FIELDS = ["mobile", *PERSONALIZATION_TEXT]


def member(body, name, value):
    """The body with a raw member in place of the one of that name."""
    kept = dump({key: item for key, item in body.items() if key != name})
    return kept[:-1] + ("," if kept != "{}" else "") + f'"{name}":{value}}}'


def integer_suite():
    suite = Suite(
        "types-integers",
        "mailerID and subID with every kind of value. A mailerID that is no integer is a wrong type; a "
        "subID that is none cannot exist, which is 454 without asking the host.",
    )
    asked_none = {"account": 1, "facts": 0, "commits": 0}
    for name, value in INTEGER_GOOD.items():
        number = int(value.strip('"'))
        known = world(
            mailers={str(number): {"from": "news@shop.example", "from_name": "The Shop"}},
            subscribers=[{"id": number, "email": "known@customer.example", "inactive": False, "fields": {}}],
        )
        answer = suite.mailer(f"mailerID: {name}", member(MAILER, "mailerID", value), 200, None, world=known)
        assert answer["plan"]["messages"][0]["mailer"] == number
        for spelling in ("subID", "subid"):
            body = {"apiKey": MAILER["apiKey"], "mailerID": number}
            answer = suite.mailer(
                f"{spelling}: {name}", member(body, spelling, value), 200, None, world=known
            )
            assert answer["plan"]["messages"][0]["recipients"] == [
                {"to": "known@customer.example", "role": None, "subscriber": number}
            ]
    for name, value in {**INTEGER_BAD, **NOT_WHITE}.items():
        suite.mailer(
            f"mailerID: {name}",
            member(MAILER, "mailerID", value),
            442,
            "field-wrong-type",
            wants={"pointer": "/mailerID", "asked": asked_none},
        )
        suite.mailer(
            f"subID: {name}",
            member(MAILER, "subID", value),
            454,
            "subscriber-id-malformed",
            wants={"pointer": "/subID", "asked": asked_none},
        )
    for name, value in ABSENT.items():
        suite.mailer(f"mailerID is absent: {name}", member(MAILER, "mailerID", value), 442, "mailer-missing")
        suite.mailer(f"subID is absent, email counts: {name}", member(MAILER, "subID", value), 200, None)
    return suite


def flag_suite():
    suite = Suite("types-flags", "trackOpens and trackClicks with every kind of value, on both operations.")
    for field, key in (("trackOpens", "track_opens"), ("trackClicks", "track_clicks")):
        for name, (value, on) in FLAG.items():
            answer = suite.mailer(f"sendMailer {field}: {name}", member(MAILER, field, value), 200, None)
            assert answer["plan"]["messages"][0][key] is on
            answer = suite.http(
                f"httpSendMail {field}: {name}",
                '{"ApiKey":"key-1","requests":[%s]}' % member(REQUEST, field, value),
                200,
                None,
            )
            assert answer["plan"]["messages"][0][key] is on
        for name, value in {**FLAG_BAD, **NOT_WHITE}.items():
            suite.mailer(
                f"sendMailer {field}: {name}",
                member(MAILER, field, value),
                442,
                "field-wrong-type",
                wants={"pointer": f"/{field}"},
            )
            suite.http(
                f"httpSendMail {field}: {name}",
                '{"ApiKey":"key-1","requests":[%s]}' % member(REQUEST, field, value),
                475,
                "field-wrong-type",
                wants={"pointer": f"/requests/0/{field}"},
            )
    return suite


def text_suite():
    suite = Suite(
        "types-text",
        "Text fields with every kind of value: text as sent, numbers digit for digit, absent values, and "
        "what is a wrong type. Every field of both operations is covered.",
    )
    for field in TEXT_FIELDS:
        answer = suite.mailer(
            f"{field}: text is stored as sent", member(MAILER, field, '" a\\u0000\\n\u00e9 "'), 200, None
        )
        assert answer["plan"]["create"][0]["fields"] == {field: " a\u0000\n\u00e9 "}
        answer = suite.mailer(
            f"{field}: a number is kept as written", member(MAILER, field, "0.10e1"), 200, None
        )
        assert answer["plan"]["create"][0]["fields"] == {field: "0.10e1"}
        suite.mailer(
            f"{field}: true is a wrong type",
            member(MAILER, field, "true"),
            442,
            "field-wrong-type",
            wants={"pointer": f"/{field}"},
        )
        suite.mailer(
            f"{field}: an array is a wrong type",
            member(MAILER, field, "[]"),
            442,
            "field-wrong-type",
            wants={"pointer": f"/{field}"},
        )
        answer = suite.mailer(f"{field}: null stores nothing", member(MAILER, field, "null"), 200, None)
        assert answer["plan"]["create"][0]["fields"] == {}
        answer = suite.mailer(
            f"{field}: white space stores nothing", member(MAILER, field, '" \\u2003 "'), 200, None
        )
        assert answer["plan"]["create"][0]["fields"] == {}
    for number in TEXT_NUMBERS:
        answer = suite.mailer(f"pinCode: the number {number}", member(MAILER, "pinCode", number), 200, None)
        assert answer["plan"]["create"][0]["fields"] == {"pinCode": number}
    for name, value in TEXT_BAD.items():
        for field in (
            "apiKey",
            "from",
            "fromName",
            "email",
            "listName",
            "birthday",
            "anniversary",
            "customField",
        ):
            body = {**MAILER, "from": "news@shop.example"}
            code, rule = (402, "key-missing") if field == "apiKey" else (442, "field-wrong-type")
            suite.mailer(
                f"sendMailer {field}: {name}",
                member(body, field, value),
                code,
                rule,
                wants={"pointer": f"/{field}"},
            )
        for field in (
            "subject",
            "body",
            "to",
            "cc",
            "bcc",
            "from",
            "fromName",
            "replyTo",
            "replyto",
            "customField",
        ):
            suite.http(
                f"httpSendMail {field}: {name}",
                '{"ApiKey":"key-1","requests":[%s]}' % member(REQUEST, field, value),
                475,
                "field-wrong-type",
                wants={"pointer": f"/requests/0/{field}"},
            )
        suite.http(
            f"httpSendMail ApiKey: {name}",
            member(batch(REQUEST), "ApiKey", value),
            402,
            "key-missing",
            wants={"pointer": "/ApiKey"},
        )
    for name, value in ABSENT.items():
        suite.mailer(
            f"sendMailer apiKey is absent: {name}",
            member(MAILER, "apiKey", value),
            402,
            "key-missing",
            wants={"pointer": "/apiKey"},
        )
        suite.mailer(
            f"sendMailer email is absent: {name}",
            member(MAILER, "email", value),
            602,
            "recipient-missing",
            wants={"pointer": ""},
        )
        suite.mailer(
            f"sendMailer from is absent: {name}",
            member({**MAILER, "fromName": "S"}, "from", value),
            478,
            "sender-missing",
        )
        suite.mailer(f"sendMailer fromName is absent: {name}", member(MAILER, "fromName", value), 200, None)
        answer = suite.mailer(
            f"sendMailer listName is absent: {name}", member(MAILER, "listName", value), 200, None
        )
        assert answer["plan"]["create"][0]["list"] == "RealTime_Via_API"
        answer = suite.mailer(
            f"sendMailer customField is absent: {name}", member(MAILER, "customField", value), 200, None
        )
        assert answer["plan"]["messages"][0]["custom_field"] is None
        suite.mailer(f"sendMailer birthday is absent: {name}", member(MAILER, "birthday", value), 200, None)
        for field, code, rule in [
            ("subject", 406, "subject-missing"),
            ("body", 408, "html-missing"),
            ("from", 409, "sender-missing"),
            ("to", 411, "recipient-missing"),
            ("replyTo", 200, None),
            ("fromName", 200, None),
            ("cc", 200, None),
            ("customField", 200, None),
        ]:
            suite.http(
                f"httpSendMail {field} is absent: {name}",
                '{"ApiKey":"key-1","requests":[%s]}' % member(REQUEST, field, value),
                code,
                rule,
            )
        suite.http(
            f"httpSendMail ApiKey is absent: {name}",
            member(batch(REQUEST), "ApiKey", value),
            402,
            "key-missing",
        )
        suite.http(
            f"httpSendMail requests is absent: {name}",
            member(batch(REQUEST), "requests", value),
            475,
            "requests-missing",
        )
    # A wrong type counts as present for every other rule.
    for name, body, code, rule in [
        ("fromName of a wrong type without from", member(MAILER, "fromName", "[]"), 478, "sender-missing"),
        (
            "from of a wrong type with fromName",
            member({**MAILER, "fromName": "S"}, "from", "[]"),
            442,
            "field-wrong-type",
        ),
        (
            "email of a wrong type is no missing subscriber",
            member(MAILER, "email", "{}"),
            442,
            "field-wrong-type",
        ),
        (
            "email of a wrong type beside subID is not looked at",
            member({**MAILER, "subID": 7}, "email", "{}"),
            200,
            None,
        ),
        (
            "a malformed email beside subID is not looked at",
            {**MAILER, "subID": 7, "email": "bad"},
            200,
            None,
        ),
        (
            "subID of a wrong type hides a malformed email",
            {**MAILER, "subID": [], "email": "bad"},
            454,
            "subscriber-id-malformed",
        ),
        (
            "an empty subID beside a wrong email",
            {**MAILER, "subID": "", "email": []},
            442,
            "field-wrong-type",
        ),
        (
            "mailerID of a wrong type is not missing",
            member(MAILER, "mailerID", "[]"),
            442,
            "field-wrong-type",
        ),
        ("a number for an email is text", member(MAILER, "email", "5"), 412, "recipient-malformed"),
        (
            "a number for a fromName is text",
            member({**MAILER, "from": "news@shop.example"}, "fromName", "5"),
            200,
            None,
        ),
        ("a number for a from is text", member(MAILER, "from", "5"), 442, "sender-malformed"),
        ("a number for a birthday is text", member(MAILER, "birthday", "20000101"), 442, "date-malformed"),
        ("a number for a customField is text", member(MAILER, "customField", "5.0"), 200, None),
    ]:
        suite.mailer(f"sendMailer: {name}", body, code, rule)
    known = world()
    known["accounts"]["5.0"] = known["accounts"].pop("key-1")
    suite.mailer(
        "sendMailer: a number for a key is text, digit for digit",
        member(MAILER, "apiKey", "5.0"),
        200,
        None,
        world=known,
    )
    suite.mailer("sendMailer: a key is not trimmed", member(MAILER, "apiKey", '" key-1"'), 403, "key-unknown")
    suite.mailer(
        "sendMailer: a key is compared exactly", member(MAILER, "apiKey", '"KEY-1"'), 403, "key-unknown"
    )
    for name, request, code, rule in [
        ("to of a wrong type is no missing recipient", member(REQUEST, "to", "[]"), 475, "field-wrong-type"),
        (
            "to of a wrong type, cc malformed: the lower code",
            member({**REQUEST, "cc": "bad"}, "to", "[]"),
            412,
            "recipient-malformed",
        ),
        ("subject of a wrong type is not missing", member(REQUEST, "subject", "[]"), 475, "field-wrong-type"),
        ("body of a wrong type is not missing", member(REQUEST, "body", "[]"), 475, "field-wrong-type"),
        ("a number for a body is text", member(REQUEST, "body", "5"), 200, None),
        ("a number for a subject is text", member(REQUEST, "subject", "1e3"), 200, None),
        ("a number for a replyTo is text", member(REQUEST, "replyTo", "5"), 407, "reply-to-malformed"),
    ]:
        suite.http(f"httpSendMail: {name}", '{"ApiKey":"key-1","requests":[%s]}' % request, code, rule)
    for entry in ("null", "true", "1", '"x"', "[]", '[{"subject":"x"}]', '""', '" "'):
        suite.http(
            f"a request that is no object: {entry}",
            '{"ApiKey":"key-1","requests":[%s]}' % entry,
            475,
            "request-not-object",
            wants={"pointer": "/requests/0", "request": 0},
        )
    suite.http(
        "an empty object is a request that lacks its subject",
        '{"ApiKey":"key-1","requests":[{}]}',
        406,
        "subject-missing",
    )
    for name in ("apikey", "APIKEY", "api_key", "Apikey"):
        suite.mailer(
            f"sendMailer: {name} is no spelling of the key",
            {name: "key-1", "mailerID": 42, "email": "a@b.example"},
            402,
            "key-missing",
        )
    suite.mailer(
        "sendMailer: ApiKey is a spelling of the key",
        {"ApiKey": "key-1", "mailerID": 42, "email": "new@customer.example"},
        200,
        None,
    )
    suite.http(
        "httpSendMail: apiKey is a spelling of the key", {"apiKey": "key-1", "requests": [REQUEST]}, 200, None
    )
    for name in ("mailerId", "mailerid", "MailerID"):
        suite.mailer(
            f"sendMailer: {name} is no spelling of mailerID",
            {"apiKey": "key-1", name: 42, "email": "a@b.example"},
            442,
            "mailer-missing",
        )
    for name in ("subId", "SubID", "SUBID"):
        suite.mailer(
            f"sendMailer: {name} is no spelling of subID",
            {"apiKey": "key-1", "mailerID": 42, name: 7},
            602,
            "recipient-missing",
        )
    suite.http(
        "httpSendMail: Requests is no spelling of requests",
        {"ApiKey": "key-1", "Requests": [REQUEST]},
        475,
        "requests-missing",
    )
    for name in ("ReplyTo", "reply_to", "REPLYTO"):
        suite.http(
            f"httpSendMail: {name} is no spelling of replyTo", batch({**REQUEST, name: "bad"}), 200, None
        )
    return suite


def suites():
    return [integer_suite(), flag_suite(), text_suite()]
