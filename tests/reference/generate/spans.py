"""The places of violations in a body: spans of bytes, and pointers."""

from .kit import REQUEST, Suite, dump, without


def span_suite():
    suite = Suite(
        "places",
        "Pointers and spans of violations: bytes of the body, quotes included; entries of lists without "
        "what was trimmed; what is missing at the object that lacks it; escapes in names and values.",
    )
    base = '{"apiKey":"key-1","mailerID":42,"email":"a@b.example"'
    for name, rule, body, pointer, piece in [
        ("a text value", "date-malformed", base + ',"birthday":"1.1.2000"}', "/birthday", '"1.1.2000"'),
        ("a number", "date-malformed", base + ',"birthday": 20000101 }', "/birthday", "20000101"),
        (
            "a wrong type: an object",
            "field-wrong-type",
            base + ',"city": {"a": [1]} }',
            "/city",
            '{"a": [1]}',
        ),
        ("a wrong type: an array", "field-wrong-type", base + ',"city":[ ] }', "/city", "[ ]"),
        ("a wrong type: true", "field-wrong-type", base + ',"city":\ttrue\n}', "/city", "true"),
        ("an escaped name", "field-wrong-type", base + ',"c\\u0069ty":false}', "/city", "false"),
        (
            "an escaped value",
            "date-malformed",
            base + ',"birthday":"\\u0031999-02-29"}',
            "/birthday",
            '"\\u0031999-02-29"',
        ),
        (
            "after characters of many bytes",
            "date-malformed",
            base + ',"city":"日本😀é","birthday":"x"}',
            "/birthday",
            '"x"',
        ),
        (
            "after white space of every kind",
            "date-malformed",
            " \r\n\t" + base + ' ,\n "birthday"\t:\r"x" } ',
            "/birthday",
            '"x"',
        ),
        (
            "after a byte-order mark",
            "date-malformed",
            "\ufeff" + base + ',"birthday":"x"}',
            "/birthday",
            '"x"',
        ),
        (
            "subid keeps its spelling",
            "subscriber-id-malformed",
            '{"apiKey":"key-1","mailerID":42,"subid":"x"}',
            "/subid",
            '"x"',
        ),
        (
            "subID keeps its spelling",
            "subscriber-id-malformed",
            '{"apiKey":"key-1","mailerID":42,"subID":"x"}',
            "/subID",
            '"x"',
        ),
        (
            "mailerID missing",
            "mailer-missing",
            ' {"apiKey":"key-1","email":"a@b.example"} ',
            "/mailerID",
            '{"apiKey":"key-1","email":"a@b.example"}',
        ),
        (
            "mailerID null",
            "mailer-missing",
            '{"apiKey":"key-1","mailerID":null,"email":"a@b.example"}',
            "/mailerID",
            "null",
        ),
        (
            "mailerID white space",
            "mailer-missing",
            '{"apiKey":"key-1","mailerID":" \\t","email":"a@b.example"}',
            "/mailerID",
            '" \\t"',
        ),
        ("from missing", "sender-missing", base + ',"fromName":"S"}', "/from", base + ',"fromName":"S"}'),
        ("from empty", "sender-missing", base + ',"fromName":"S","from":""}', "/from", '""'),
        (
            "no subscriber",
            "recipient-missing",
            ' {"apiKey":"key-1","mailerID":42}\n',
            "",
            '{"apiKey":"key-1","mailerID":42}',
        ),
        (
            "no subscriber, though both fields are there",
            "recipient-missing",
            '{"apiKey":"key-1","mailerID":42,"email":"","subID":null}',
            "",
            '{"apiKey":"key-1","mailerID":42,"email":"","subID":null}',
        ),
        (
            "email with spaces around is one value",
            "recipient-malformed",
            '{"apiKey":"key-1","mailerID":42,"email":" a b "}',
            "/email",
            '" a b "',
        ),
        (
            "two wrong types: the order of the interface",
            "field-wrong-type",
            base + ',"customField":[],"city":{},"prefix":true}',
            "/prefix",
            "true",
        ),
        (
            "two bad days: the order of the interface",
            "date-malformed",
            base + ',"anniversary":"x","birthday":"y"}',
            "/birthday",
            '"y"',
        ),
    ]:
        at = body.rindex(piece)
        begin = len(body[:at].encode())
        suite.decide(
            name,
            "sendMailer",
            body,
            {"rule": rule, "pointer": pointer, "span": [begin, begin + len(piece.encode())], "request": None},
        )
    for name, rule, body, pointer, piece in [
        (
            "key missing: its pointer in that operation's spelling",
            "key-missing",
            ' {"mailerID":1} ',
            "/apiKey",
            '{"mailerID":1}',
        ),
        ("key in the other spelling", "key-missing", '{"ApiKey":""}', "/ApiKey", '""'),
        ("key of a wrong type", "key-missing", '{"apiKey":["key-1"]}', "/apiKey", '["key-1"]'),
        ("key unknown", "key-unknown", '{"ApiKey":"\\u0041"}', "/ApiKey", '"\\u0041"'),
    ]:
        at = body.rindex(piece)
        suite.decide(
            name, "sendMailer", body, {"rule": rule, "pointer": pointer, "span": [at, at + len(piece)]}
        )
    suite.decide(
        "httpSendMail: key missing",
        "httpSendMail",
        '{"requests":[]}',
        {"rule": "key-missing", "pointer": "/ApiKey", "span": [0, 15]},
    )
    suite.decide(
        "httpSendMail: key in the other spelling",
        "httpSendMail",
        '{"apiKey":null}',
        {"rule": "key-missing", "pointer": "/apiKey", "span": [10, 14]},
    )

    def request_case(name, rule, request, field, piece, index=0):
        body = '{"ApiKey":"key-1","requests":[%s%s]}' % ((dump(REQUEST) + ", ") * index, request)
        at = body.rindex(piece)
        begin = len(body[:at].encode())
        pointer = f"/requests/{index}" + (f"/{field}" if field else "")
        suite.decide(
            f"httpSendMail: {name}",
            "httpSendMail",
            body,
            {
                "rule": rule,
                "pointer": pointer,
                "span": [begin, begin + len(piece.encode())],
                "request": index,
            },
        )

    def request(**fields):
        return dump({**REQUEST, **fields})

    def lacking(*names):
        return dump(without(REQUEST, *names))

    def raw(field, value, **others):
        return dump({**without(REQUEST, field), **others})[:-1] + f',"{field}":{value}}}'

    request_case("subject missing", "subject-missing", lacking("subject"), "subject", lacking("subject"))
    request_case(
        "subject missing in the second request",
        "subject-missing",
        lacking("subject"),
        "subject",
        lacking("subject"),
        1,
    )
    request_case("subject null", "subject-missing", raw("subject", "null"), "subject", "null")
    request_case("from missing", "sender-missing", lacking("from"), "from", lacking("from"), 1)
    request_case(
        "body white space once decoded", "html-missing", raw("body", '"%20%0A+"'), "body", '"%20%0A+"'
    )
    request_case("no list at all: the request", "recipient-missing", lacking("to"), "", lacking("to"), 2)
    request_case("an empty to", "recipient-missing", raw("to", '" , "'), "to", '" , "')
    request_case(
        "an empty cc, no to",
        "recipient-missing",
        raw(
            "cc",
            '","',
        ).replace('"to":"new@customer.example",', ""),
        "cc",
        '","',
    )
    request_case(
        "an empty bcc and a null cc: the first there",
        "recipient-missing",
        raw("bcc", '""').replace('"to":"new@customer.example"', '"cc":null'),
        "cc",
        "null",
    )
    request_case(
        "an entry, trimmed",
        "recipient-malformed",
        raw("to", '"a@b.example , bad one ,c@d.example"'),
        "to",
        "bad one",
    )
    request_case(
        "an entry between escaped white space",
        "recipient-malformed",
        raw("cc", '"a@b.example,\\t\\u0020nope\\u00a0\\n"'),
        "cc",
        "nope",
    )
    request_case(
        "an entry with escapes",
        "recipient-malformed",
        raw("bcc", '"x\\u0040y\\u002c z\\u0040w.example"'),
        "bcc",
        "x\\u0040y",
    )
    request_case(
        "an entry with a surrogate pair",
        "recipient-malformed",
        raw("to", '"a@b.example, \\ud83d\\ude00 ,c@d.example"'),
        "to",
        "\\ud83d\\ude00",
    )
    request_case(
        "an entry after characters of many bytes",
        "recipient-malformed",
        raw("to", '"é@b.example,😀"'),
        "to",
        "😀",
    )
    request_case("a solidus, escaped", "recipient-malformed", raw("to", '"a\\/b@c"'), "to", "a\\/b@c")
    request_case("a number as a list", "recipient-malformed", raw("to", "411001"), "to", "411001")
    request_case("a wrong type", "field-wrong-type", raw("trackOpens", "2"), "trackOpens", "2")
    request_case("replyto keeps its spelling", "reply-to-malformed", raw("replyto", '"x"'), "replyto", '"x"')
    request_case("an entry that is no object", "request-not-object", '"x y"', "", '"x y"', 1)
    request_case("an entry that is null", "request-not-object", "null", "", "null", 3)
    request_case(
        "an unknown sender",
        "sender-unknown",
        raw("from", '" other@shop.example "'),
        "from",
        '" other@shop.example "',
    )
    for name, body, rule, pointer, piece in [
        ("requests missing", '{"ApiKey":"key-1"} ', "requests-missing", "/requests", '{"ApiKey":"key-1"}'),
        ("requests empty", '{"ApiKey":"key-1","requests":[ ]}', "requests-missing", "/requests", "[ ]"),
        (
            "requests an object",
            '{"ApiKey":"key-1","requests":{"a":1}}',
            "requests-missing",
            "/requests",
            '{"a":1}',
        ),
        ("requests text", '{"ApiKey":"key-1","requests":"[]"}', "requests-missing", "/requests", '"[]"'),
        ("requests a number", '{"ApiKey":"key-1","requests":7}', "requests-missing", "/requests", "7"),
        ("requests null", '{"ApiKey":"key-1","requests":null}', "requests-missing", "/requests", "null"),
        ("requests white space", '{"ApiKey":"key-1","requests":" "}', "requests-missing", "/requests", '" "'),
    ]:
        at = body.rindex(piece)
        suite.decide(
            f"httpSendMail: {name}",
            "httpSendMail",
            body,
            {"rule": rule, "code": 475, "pointer": pointer, "span": [at, at + len(piece)], "request": None},
        )
    return suite


def suites():
    return [span_suite()]
