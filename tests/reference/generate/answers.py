"""Answers in each style, deprecation, and the reader of answers."""

from .kit import MAILER, REQUEST, Suite, account, batch, without, world


def answers():
    suite = Suite(
        "answers",
        "The exact answer text in each style of status and of values, and the reader of answers.",
    )
    calls = [
        ("accepted", "sendMailer", MAILER, {}, 200, "Success", None),
        ("accepted", "httpSendMail", batch(REQUEST), {}, 200, "Success", None),
        ("key empty", "sendMailer", without(MAILER, "apiKey"), {}, 402, "Unauthorized, empty key", None),
        ("key invalid", "httpSendMail", {"ApiKey": "x"}, {}, 403, "Unauthorized, invalid key", None),
        (
            "blocked",
            "sendMailer",
            MAILER,
            {"accounts": account(blocked=True)},
            404,
            "Account sending blocked",
            None,
        ),
        (
            "expired",
            "httpSendMail",
            batch(REQUEST),
            {"accounts": account(expired=True)},
            405,
            "Account expired",
            None,
        ),
        (
            "deactivated",
            "sendMailer",
            MAILER,
            {"accounts": account(deactivated=True)},
            448,
            "Account deactivated",
            None,
        ),
        ("not JSON", "sendMailer", "{", {}, 442, "Error", None),
        ("not JSON", "httpSendMail", "{", {}, 475, "JSON is not valid", None),
        (
            "recipient invalid",
            "sendMailer",
            {**MAILER, "email": "x"},
            {},
            412,
            "Invalid recipient email address",
            "/email",
        ),
        (
            "subscriber unknown",
            "sendMailer",
            {**MAILER, "subID": 8},
            {},
            454,
            "Subscriber does not exist",
            None,
        ),
        (
            "subscriber malformed",
            "sendMailer",
            {**without(MAILER, "email"), "subid": 0},
            {},
            454,
            "Subscriber does not exist",
            "/subid",
        ),
        ("a day malformed", "sendMailer", {**MAILER, "birthday": "x"}, {}, 442, "Error", "/birthday"),
        ("mailer missing", "sendMailer", without(MAILER, "mailerID"), {}, 442, "Error", "/mailerID"),
        ("mailer unknown", "sendMailer", {**MAILER, "mailerID": 1}, {}, 442, "Error", None),
        (
            "sender blacklisted",
            "sendMailer",
            MAILER,
            {"blacklists": {"sender": ["shop.example"]}},
            414,
            "Sender domain blacklisted",
            None,
        ),
        (
            "recipient blacklisted",
            "sendMailer",
            MAILER,
            {"blacklists": {"recipient": ["customer.example"]}},
            416,
            "Recipient email domain blacklisted",
            None,
        ),
        (
            "subscriber credit",
            "sendMailer",
            MAILER,
            {"accounts": account(subscriber_credit=0)},
            444,
            "Low subscriber credit",
            None,
        ),
        (
            "email credit",
            "httpSendMail",
            batch(REQUEST),
            {"accounts": account(email_credit=0)},
            445,
            "Low email credit",
            None,
        ),
        (
            "inactive",
            "httpSendMail",
            batch({**REQUEST, "to": "known@customer.example"}),
            {"subscribers": [{"id": 7, "email": "known@customer.example", "inactive": True, "fields": {}}]},
            443,
            "Subscriber INACTIVE",
            None,
        ),
        (
            "subject missing",
            "httpSendMail",
            batch(without(REQUEST, "subject")),
            {},
            406,
            "Email subject not provided",
            "/requests/0/subject",
        ),
        (
            "reply-to invalid",
            "httpSendMail",
            batch({**REQUEST, "replyto": "x"}),
            {},
            407,
            "Invalid email address for reply-to",
            "/requests/0/replyto",
        ),
        (
            "html missing",
            "httpSendMail",
            batch(REQUEST, without(REQUEST, "body")),
            {},
            408,
            "HTML content not provided",
            "/requests/1/body",
        ),
        (
            "sender missing",
            "httpSendMail",
            batch(without(REQUEST, "from")),
            {},
            409,
            "Sender email not provided",
            "/requests/0/from",
        ),
        (
            "sender invalid",
            "httpSendMail",
            batch({**REQUEST, "from": "x"}),
            {},
            410,
            "Invalid email address for sender",
            "/requests/0/from",
        ),
        (
            "recipient missing",
            "httpSendMail",
            batch(without(REQUEST, "to")),
            {},
            411,
            "No recipient email address provided",
            "/requests/0",
        ),
        (
            "recipient invalid",
            "httpSendMail",
            batch(*[REQUEST] * 17, {**REQUEST, "to": "x"}),
            {},
            412,
            "Invalid recipient email address",
            "/requests/17/to",
        ),
        (
            "html blacklisted",
            "httpSendMail",
            batch({**REQUEST, "body": "http://x.example"}),
            {"blacklists": {"content": ["x.example"]}},
            413,
            "Blacklisted domain in the HTML",
            None,
        ),
        (
            "reply-to blacklisted",
            "httpSendMail",
            batch({**REQUEST, "replyTo": "a@x.example"}),
            {"blacklists": {"reply_to": ["x.example"]}},
            415,
            "Reply-to domain blacklisted",
            None,
        ),
        (
            "sender unknown",
            "httpSendMail",
            batch(REQUEST),
            {"senders": []},
            420,
            "Sender email does not exist in the account",
            None,
        ),
        (
            "subscriber exists",
            "httpSendMail",
            batch(REQUEST),
            {"commits": [{"conflict": "subscriber_exists"}] * 3},
            442,
            "Subscriber already exists",
            None,
        ),
        (
            "subscriber exists",
            "sendMailer",
            MAILER,
            {"commits": [{"conflict": "subscriber_exists"}] * 3},
            442,
            "Error",
            None,
        ),
        (
            "subscriber gone",
            "sendMailer",
            MAILER,
            {"commits": [{"conflict": "subscriber_gone"}] * 3},
            454,
            "Subscriber does not exist",
            None,
        ),
        ("requests missing", "httpSendMail", {"ApiKey": "key-1"}, {}, 475, "JSON is not valid", "/requests"),
        (
            "a wrong type",
            "httpSendMail",
            batch({**REQUEST, "trackOpens": 5}),
            {},
            475,
            "JSON is not valid",
            "/requests/0/trackOpens",
        ),
        ("no object", "httpSendMail", batch("x"), {}, 475, "JSON is not valid", "/requests/0"),
        (
            "a name repeated",
            "httpSendMail",
            '{"ApiKey":"key-1","a":1,"a":2}',
            {},
            475,
            "JSON is not valid",
            None,
        ),
        (
            "subject invalid",
            "httpSendMail",
            batch({**REQUEST, "subject": "{{a}}"}),
            {},
            476,
            "Subject not valid",
            "/requests/0/subject",
        ),
        (
            "name invalid",
            "httpSendMail",
            batch({**REQUEST, "fromName": "\n"[:0] + "a\nb"}),
            {},
            477,
            "From name not valid",
            "/requests/0/fromName",
        ),
        ("method", "sendMailer", MAILER, {"method": "GET"}, 401, "Invalid method", None),
        (
            "too many",
            "httpSendMail",
            batch(REQUEST, REQUEST),
            {"policy": {"max_requests": 1}},
            453,
            "Too many requests per API call",
            "/requests",
        ),
        (
            "too large",
            "httpSendMail",
            batch(REQUEST),
            {"policy": {"max_bytes": 10}},
            454,
            "API call exceeds the allowed size",
            None,
        ),
    ]
    for name, operation, body, changes, code, meaning, place in calls:
        changes = dict(changes)
        method, more = changes.pop("method", "POST"), changes.pop("policy", {})
        for values in ("strings", "numbers"):
            for style in ("word", "meaning", "place"):
                status = ("Success" if code == 200 else "Error") if style == "word" else meaning
                if style == "place" and place:
                    status = f"{meaning} at {place}"
                shown = f'"{code}"' if values == "strings" else str(code)
                number = (
                    ""
                    if code != 200
                    else ',"transactionId":"5"'
                    if values == "strings"
                    else ',"transactionId":5'
                )
                suite.decide(
                    f"{operation}, {name}: {values}, {style}",
                    operation,
                    body,
                    {"code": code, "response": f'{{"code":{shown},"status":"{status}"{number}}}'},
                    method=method,
                    policy={"answer_values": values, "answer_status": style, **more},
                    world=world(transaction_id=5, **changes),
                )
    for code, body, meaning, place in [
        (602, {"apiKey": "key-1", "mailerID": 42}, "No subscriber provided (neither subID nor email)", ""),
        (
            478,
            {**MAILER, "fromName": "S"},
            "from or fromName not provided (from missing when fromName is passed)",
            " at /from",
        ),
    ]:
        for style, status in (("word", "Error"), ("meaning", meaning), ("place", meaning + place)):
            suite.decide(
                f"sendMailer, {code}: {style}",
                "sendMailer",
                body,
                {"response": f'{{"code":"{code}","status":"{status}"}}'},
                policy={"answer_status": style},
            )
    return suite


def reader():
    suite = Suite(
        "answer-reader",
        "A reader of answers: strings and numbers alike, what may be missing, what is no answer.",
    )
    for name, text, code, status, number in [
        ("strings", '{"code":"200","status":"Success","transactionId":"123"}', 200, "Success", 123),
        ("numbers", '{"code":200,"status":"Success","transactionId":123}', 200, "Success", 123),
        ("mixed", '{"code":"200","status":"Success","transactionId":123}', 200, "Success", 123),
        ("an error", '{"code":"402","status":"Error"}', 402, "Error", None),
        ("an error in numbers", '{"code":602,"status":"Error"}', 602, "Error", None),
        ("no status", '{"code":"402"}', 402, None, None),
        ("no status but an id", '{"code":"200","transactionId":"1"}', 200, None, 1),
        ("another order", '{"transactionId":"7","status":"Success","code":"200"}', 200, "Success", 7),
        ("white space", ' { "code" : 200 ,\n "status" : "Success" } \n', 200, "Success", None),
        ("unknown members", '{"code":200,"status":"Success","time":[1,{}]}', 200, "Success", None),
        ("a code that no table names", '{"code":"999","status":"x"}', 999, "x", None),
        ("an outcome", '{"code":"418","status":"Delivered"}', 418, "Delivered", None),
        (
            "the largest id",
            '{"code":200,"status":"Success","transactionId":9007199254740991}',
            200,
            "Success",
            2**53 - 1,
        ),
        (
            "the largest id as text",
            '{"code":200,"status":"Success","transactionId":"9007199254740991"}',
            200,
            "Success",
            2**53 - 1,
        ),
        (
            "an international status",
            '{"code":"402","status":"Schlüssel \\u0041😀"}',
            402,
            "Schlüssel A😀",
            None,
        ),
        ("an empty status", '{"code":"402","status":""}', 402, "", None),
    ]:
        suite.add(
            name, {"do": "answer", "text": text}, {"code": code, "status": status, "transaction_id": number}
        )
    for name, text in [
        ("nothing", ""),
        ("no JSON", "OK"),
        ("HTML", "<html>"),
        ("an array", "[]"),
        ("a number", "200"),
        ("null", "null"),
        ("no code", '{"status":"Success"}'),
        ("a null code", '{"code":null,"status":"x"}'),
        ("two digits", '{"code":"20"}'),
        ("four digits", '{"code":"2000"}'),
        ("two digits as a number", '{"code":20}'),
        ("four digits as a number", '{"code":2000}'),
        ("a word", '{"code":"OK"}'),
        ("an empty code", '{"code":""}'),
        ("a negative code", '{"code":-200}'),
        ("a sign", '{"code":"-20"}'),
        ("a fraction", '{"code":200.5}'),
        ("a code with letters", '{"code":"20x"}'),
        ("true", '{"code":true}'),
        ("an array as code", '{"code":[200]}'),
        ("cut off", '{"code":"200"'),
        ("something after", '{"code":"200"} x'),
        ("zero", '{"code":0}'),
        ("fullwidth digits", '{"code":"２００"}'),
    ]:
        suite.add(f"no answer: {name}", {"do": "answer", "text": text}, error="")
    return suite


def suites():
    return [answers(), reader()]
