"""The body as JSON: validity, repeated names, spellings, escapes."""

from .kit import REQUEST, Suite, batch, dump

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


def suites():
    return [json_suite(), repeated_suite()]
