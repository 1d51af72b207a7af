"""The body as JSON: validity, repeated names, spellings, escapes, spans."""

from .kit import REQUEST, Suite, batch, dump, without

OK = '{"apiKey":"key-1","mailerID":42,"email":"new@customer.example"}'


def nested(depth, inner="1"):
    """A sendMailer body with that number of objects and arrays open at once."""
    return OK[:-1] + ',"other":' + "[" * (depth - 1) + inner + "]" * (depth - 1) + "}"


def json_suite():
    suite = Suite(
        "json",
        "Which bodies are one JSON object as the rules want it, on both operations. A body that is not "
        "answers 442 on sendMailer and 475 on httpSendMail, at the whole body.",
    )
    http_ok = dump(batch(REQUEST))
    bom = "\ufeff"
    good = {
        "as it is": lambda text: text,
        "white space around": lambda text: f" \t\r\n{text}\n \t\r",
        "a byte-order mark": lambda text: bom + text,
        "a byte-order mark and white space": lambda text: f"{bom} {text} ",
        "white space inside": lambda text: text.replace(",", " ,\n ").replace(":", " : ").replace("{", "{ "),
        "an unknown member with every kind of value": lambda text: (
            text[:-1] + ',"x":[null,true,false,-0,1.5e+10,"",{},[]]}'
        ),
        "numbers of any size in an unknown member": lambda text: (
            text[:-1] + ',"x":[1e999999,123456789012345678901234567890,-0.0E-7]}'
        ),
        "an empty name": lambda text: text[:-1] + ',"":1}',
        "an escaped NUL in a name": lambda text: text[:-1] + ',"\\u0000":1}',
        "a surrogate pair in an escape": lambda text: text[:-1] + ',"x":"\\ud83d\\ude00","\\uD83D\\uDE01":1}',
        "every simple escape": lambda text: text[:-1] + ',"x":"\\"\\\\\\/\\b\\f\\n\\r\\t"}',
        "DEL and C1 in a string": lambda text: text[:-1] + ',"x":"\u007f\u0085"}',
        "a noncharacter in a string": lambda text: text[:-1] + ',"x":"\uffff\\uffff"}',
        "127 open at once": lambda text: text[:-1] + ',"x":' + "[" * 126 + "]" * 126 + "}",
        "128 open at once": lambda text: text[:-1] + ',"x":' + "[" * 127 + "]" * 127 + "}",
        "128 open at once, objects": lambda text: text[:-1] + ',"x":' + '{"a":' * 127 + "1" + "}" * 127 + "}",
        "128 open at once, many times": lambda text: (
            text[:-1] + ',"x":[' + ",".join(["[" * 126 + "]" * 126] * 3) + "]}"
        ),
    }
    bad = {
        "nothing": lambda text: "",
        "white space": lambda text: " \n",
        "a byte-order mark alone": lambda text: bom,
        "two byte-order marks": lambda text: bom + bom + text,
        "a byte-order mark after white space": lambda text: " " + bom + text,
        "a byte-order mark at the end": lambda text: text + bom,
        "an array": lambda text: f"[{text}]",
        "a string": lambda text: dump(text),
        "a number": lambda text: "1",
        "null": lambda text: "null",
        "a word": lambda text: "POST",
        "cut off": lambda text: text[:-1],
        "cut off inside a string": lambda text: text[:12],
        "a comma last": lambda text: text[:-1] + ",}",
        "a comma first": lambda text: "{," + text[1:],
        "two commas": lambda text: text[:-1] + ',,"x":1}',
        "no comma": lambda text: text[:-1] + ' "x":1}',
        "something after": lambda text: text + "x",
        "a second object": lambda text: text + text,
        "a comma after": lambda text: text + ",",
        "NUL after": lambda text: text + "\u0000",
        "a comment": lambda text: "/* */" + text,
        "a comment at the end of a line": lambda text: text[:-1] + "} // x",
        "a no-break space": lambda text: "\u00a0" + text,
        "a form feed": lambda text: "\f" + text,
        "a vertical tab": lambda text: text + "\v",
        "single quotes": lambda text: text.replace('"', "'"),
        "a bare name": lambda text: text[:-1] + ",x:1}",
        "a number for a name": lambda text: text[:-1] + ",1:1}",
        "a member without value": lambda text: text[:-1] + ',"x":}',
        "a member without colon": lambda text: text[:-1] + ',"x"}',
        "NaN": lambda text: text[:-1] + ',"x":NaN}',
        "Infinity": lambda text: text[:-1] + ',"x":Infinity}',
        "minus Infinity": lambda text: text[:-1] + ',"x":-Infinity}',
        "True": lambda text: text[:-1] + ',"x":True}',
        "nul": lambda text: text[:-1] + ',"x":nul}',
        "nullx": lambda text: text[:-1] + ',"x":nullx}',
        "undefined": lambda text: text[:-1] + ',"x":undefined}',
        "a plus sign": lambda text: text[:-1] + ',"x":+1}',
        "a minus sign alone": lambda text: text[:-1] + ',"x":-}',
        "a leading zero": lambda text: text[:-1] + ',"x":01}',
        "a minus and a leading zero": lambda text: text[:-1] + ',"x":-01}',
        "a number that begins with a point": lambda text: text[:-1] + ',"x":.5}',
        "a number that ends with a point": lambda text: text[:-1] + ',"x":5.}',
        "an exponent without digits": lambda text: text[:-1] + ',"x":1e}',
        "an exponent with a sign alone": lambda text: text[:-1] + ',"x":1e+}',
        "hexadecimal": lambda text: text[:-1] + ',"x":0x1}',
        "a raw line break in a string": lambda text: text[:-1] + ',"x":"a\nb"}',
        "a raw tab in a string": lambda text: text[:-1] + ',"x":"a\tb"}',
        "a raw NUL in a string": lambda text: text[:-1] + ',"x":"a\u0000b"}',
        "a raw U+001F in a name": lambda text: text[:-1] + ',"x\u001f":1}',
        "an unknown escape": lambda text: text[:-1] + ',"x":"\\x41"}',
        "an escaped apostrophe": lambda text: text[:-1] + ',"x":"\\\'"}',
        "an upper-case U": lambda text: text[:-1] + ',"x":"\\U0041"}',
        "three hex digits": lambda text: text[:-1] + ',"x":"\\u041"}',
        "an escape with a letter that is no hex digit": lambda text: text[:-1] + ',"x":"\\u00g1"}',
        "an escape with a sign": lambda text: text[:-1] + ',"x":"\\u+041"}',
        "a lone high surrogate": lambda text: text[:-1] + ',"x":"\\ud83d"}',
        "a lone low surrogate": lambda text: text[:-1] + ',"x":"\\ude00"}',
        "a high surrogate and a letter": lambda text: text[:-1] + ',"x":"\\ud83dx"}',
        "a high surrogate and another escape": lambda text: text[:-1] + ',"x":"\\ud83d\\n"}',
        "a high surrogate and no surrogate": lambda text: text[:-1] + ',"x":"\\ud83d\\u0041"}',
        "two high surrogates": lambda text: text[:-1] + ',"x":"\\ud83d\\ud83d"}',
        "surrogates in the wrong order": lambda text: text[:-1] + ',"x":"\\ude00\\ud83d"}',
        "a lone surrogate in a name": lambda text: text[:-1] + ',"\\ud800":1}',
        "a string without end": lambda text: text[:-1] + ',"x":"}',
        "brackets of two kinds": lambda text: text[:-1] + ',"x":[}]}',
        "an array that ends with a comma": lambda text: text[:-1] + ',"x":[1,]}',
        "an array that begins with a comma": lambda text: text[:-1] + ',"x":[,1]}',
        "one bracket too many": lambda text: text + "}",
        "129 open at once": lambda text: text[:-1] + ',"x":' + "[" * 128 + "]" * 128 + "}",
        "129 open at once, objects": lambda text: text[:-1] + ',"x":' + '{"a":' * 128 + "1" + "}" * 128 + "}",
    }
    bad_bytes = {
        "a byte that is no UTF-8": b"\xff",
        "a continuation byte alone": b"\x80",
        "a two-byte character cut off": b"\xc3",
        "an overlong slash": b"\xc0\xaf",
        "an overlong NUL": b"\xe0\x80\x80",
        "a surrogate in UTF-8": b"\xed\xa0\x80",
        "a character above U+10FFFF": b"\xf4\x90\x80\x80",
        "Latin-1": b"caf\xe9",
    }
    for operation, text, code in (("sendMailer", OK, 442), ("httpSendMail", http_ok, 475)):
        for name, change in good.items():
            suite.decide(f"{operation}: valid: {name}", operation, change(text), {"code": 200})
        for name, change in bad.items():
            body = change(text)
            span = [0, len(body.encode("utf-8"))]
            suite.decide(
                f"{operation}: not valid: {name}",
                operation,
                body,
                {
                    "code": code,
                    "rule": "body-not-json",
                    "pointer": "",
                    "span": span,
                    "asked": {"account": 0, "facts": 0, "commits": 0},
                },
            )
        for name, piece in bad_bytes.items():
            body = text[:-1].encode() + b',"x":"' + piece + b'"}'
            suite.decide(
                f"{operation}: not valid: {name}",
                operation,
                body,
                {"code": code, "rule": "body-not-json", "span": [0, len(body)]},
            )
        for encoding in ("utf-16-le", "utf-16-be", "utf-32-le"):
            suite.decide(
                f"{operation}: not valid: {encoding}",
                operation,
                text.encode(encoding),
                {"code": code, "rule": "body-not-json"},
            )
    return suite


def repeated_suite():
    suite = Suite(
        "repeated-fields",
        "The same name twice in one object, at any depth, and two spellings of one field: the second "
        "value is the place, whatever the values are.",
    )
    first = {"code": 442, "rule": "field-repeated", "request": None}
    for name, body, pointer, piece in [
        ("a known field", OK[:-1] + ',"email":"b@c.example"}', "/email", '"b@c.example"'),
        ("the same value", OK[:-1] + ',"mailerID": 42}', "/mailerID", None),
        ("an unknown field", OK[:-1] + ',"x":1,"x":"two"}', "/x", '"two"'),
        ("three times: the second counts", OK[:-1] + ',"x":1,"x":"two","x":3}', "/x", '"two"'),
        ("with null", OK[:-1] + ',"x":1,"x":null}', "/x", "null"),
        ("both null", OK[:-1] + ',"city":null,"city":null}', "/city", None),
        ("an empty name", OK[:-1] + ',"":1,"":"two"}', "/", '"two"'),
        ("after unescaping", OK[:-1] + ',"\\u0065mail":"b@c.example"}', "/email", '"b@c.example"'),
        ("a solidus, escaped once", OK[:-1] + ',"a/b":1,"a\\/b":"two"}', "/a~1b", '"two"'),
        ("a tilde", OK[:-1] + ',"a~b":1,"a~b":"two"}', "/a~0b", '"two"'),
        (
            "a surrogate pair and the character itself",
            OK[:-1] + ',"😀":1,"\\ud83d\\ude00":"two"}',
            "/😀",
            '"two"',
        ),
        ("in an object inside", OK[:-1] + ',"x":{"y":1,"y":"two"}}', "/x/y", '"two"'),
        ("in an array inside", OK[:-1] + ',"x":[0,{"y":1,"y":"two"}]}', "/x/1/y", '"two"'),
        ("deep inside", OK[:-1] + ',"x":[[{"a":{"y":1,"y":"two"}}]]}', "/x/0/0/a/y", '"two"'),
        ("subID and subid", OK[:-1] + ',"subID":7,"subid":8}', "/subid", "8"),
        ("subid and subID", OK[:-1] + ',"subid":7,"subID":8}', "/subID", "8"),
        ("subID and a null subid", OK[:-1] + ',"subID":7,"subid":null}', "/subid", "null"),
        ("an empty subID and subid", OK[:-1] + ',"subID":"","subid":8}', "/subid", "8"),
        ("apiKey and ApiKey", OK[:-1] + ',"ApiKey":""}', "/ApiKey", '""'),
        ("two places: by position", OK[:-1] + ',"x":{"y":1,"y":"two"},"x":3}', "/x/y", '"two"'),
        ("two places: the outer one first", OK[:-1] + ',"x":1,"x":{"y":1,"y":2}}', "/x", '{"y":1,"y":2}'),
        ("two names: the one repeated first", OK[:-1] + ',"a":1,"b":1,"b":"two","a":2}', "/b", '"two"'),
        ("the key twice, before it is judged", OK[:-1] + ',"apiKey":"another"}', "/apiKey", '"another"'),
    ]:
        wants = {**first, "pointer": pointer}
        if piece is not None:
            at = body.rindex(piece)
            begin = len(body[:at].encode())
            wants["span"] = [begin, begin + len(piece.encode())]
        suite.decide(f"sendMailer: {name}", "sendMailer", body, wants)
    request = dump(REQUEST)
    for name, body, pointer in [
        ("requests", '{"ApiKey":"key-1","requests":[%s],"requests":[%s]}' % (request, request), "/requests"),
        ("ApiKey and apiKey", '{"ApiKey":"key-1","apiKey":"key-1","requests":[%s]}' % request, "/apiKey"),
        (
            "a field of a request",
            '{"ApiKey":"key-1","requests":[%s]}' % (request[:-1] + ',"to":""}'),
            "/requests/0/to",
        ),
        (
            "replyTo and replyto",
            '{"ApiKey":"key-1","requests":[%s]}' % (request[:-1] + ',"replyTo":"a@b.example","replyto":""}'),
            "/requests/0/replyto",
        ),
        (
            "replyto and replyTo in the second request",
            '{"ApiKey":"key-1","requests":[%s,%s]}'
            % (request, request[:-1] + ',"replyto":null,"replyTo":null}'),
            "/requests/1/replyTo",
        ),
        (
            "in an entry that is an array",
            '{"ApiKey":"key-1","requests":[%s,[{"a":1,"a":2}]]}' % request,
            "/requests/1/0/a",
        ),
        (
            "in more requests than are allowed",
            '{"ApiKey":"key-1","requests":[1,2,{"a":1,"a":2}]}',
            "/requests/2/a",
        ),
    ]:
        policy = {"max_requests": 2} if "more requests" in name else None
        suite.http(
            f"httpSendMail: {name}",
            body,
            475,
            "field-repeated",
            wants={"pointer": pointer, "request": None},
            policy=policy,
        )
    for name, operation, body in [
        ("subid and subID where they are no fields", "httpSendMail", dump(batch(REQUEST, subID=1, subid=2))),
        (
            "replyTo and replyto where they are no fields",
            "sendMailer",
            OK[:-1] + ',"replyTo":"a","replyto":"b"}',
        ),
        (
            "replyTo and replyto at the top of httpSendMail",
            "httpSendMail",
            dump(batch(REQUEST, replyTo="a", replyto="b")),
        ),
        (
            "ApiKey and apiKey inside a request",
            "httpSendMail",
            dump(batch({**REQUEST, "ApiKey": "a", "apiKey": "b"})),
        ),
        ("subID and subid inside an object", "sendMailer", OK[:-1] + ',"x":{"subID":1,"subid":2}}'),
        ("names that differ in case", "sendMailer", OK[:-1] + ',"City":"a","city":"b"}'),
        ("names that differ in normal form", "sendMailer", OK[:-1] + ',"\u00e9":1,"e\u0301":2}'),
        ("one name in two objects", "sendMailer", OK[:-1] + ',"x":[{"a":1},{"a":1}],"a":1}'),
    ]:
        suite.decide(f"no repetition: {name}", operation, body, {"code": 200})
    suite.preflight(
        "a preflight lists every repeated name once, by position",
        "sendMailer",
        '{"a":1,"a":2,"a":3,"apiKey":"k","apiKey":"l","mailerID":1,"b":{"c":1,"c":2},"email":"a@b.example"}',
        ["field-repeated"] * 3,
    )
    suite.preflight(
        "a preflight goes on with the first value that is not absent",
        "sendMailer",
        '{"apiKey":"","apiKey":"k","mailerID":null,"mailerID":1,"email":" ","email":"bad","email":"a@b.example"}',
        ["field-repeated", "field-repeated", "field-repeated", "recipient-malformed"],
    )
    suite.preflight(
        "a preflight goes on with the spelling that is not absent",
        "sendMailer",
        '{"apiKey":"","ApiKey":"k","mailerID":1,"subID":null,"subid":"x"}',
        ["field-repeated", "field-repeated", "subscriber-id-malformed"],
    )
    return suite


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
    return [json_suite(), repeated_suite(), span_suite()]
