"""Calls built from slots, so that any two rules that one call can break are broken together.

Each rule has variants; a variant says what it needs in which slot. Two variants fit together when
they need nothing different in one slot. ORDER is written by hand from the order in which rules win.
"""

import copy

from .kit import KEY, MAILER, REQUEST, WORLD, dump, without

# (phase, code on sendMailer, code on httpSendMail), in table order.
ORDER = {
    "method-not-post": (1, 401, 401),
    "operation-retired": (1, None, 401),
    "body-too-large": (1, None, 454),
    "body-not-json": (1, 442, 475),
    "field-repeated": (1, 442, 475),
    "key-missing": (2, 402, 402),
    "key-unknown": (2, 403, 403),
    "account-blocked": (3, 404, 404),
    "account-expired": (3, 405, 405),
    "account-deactivated": (3, 448, 448),
    "too-many-requests": (4, None, 453),
    "requests-missing": (4, None, 475),
    "request-not-object": (4, None, 475),
    "field-wrong-type": (4, 442, 475),
    "subject-missing": (4, None, 406),
    "reply-to-malformed": (4, None, 407),
    "html-missing": (4, None, 408),
    "html-not-utf8": (4, None, 408),
    "sender-missing": (4, 478, 409),
    "sender-malformed": (4, 442, 410),
    "recipient-missing": (4, 602, 411),
    "recipient-malformed": (4, 412, 412),
    "subscriber-id-malformed": (4, 454, None),
    "mailer-missing": (4, 442, None),
    "subject-control": (4, None, 476),
    "subject-placeholder": (4, None, 476),
    "from-name-control": (4, 442, 477),
    "date-malformed": (4, 442, None),
    "html-host-hidden": (4, None, 413),
    "html-domain-blacklisted": (5, None, 413),
    "sender-domain-blacklisted": (5, 414, 414),
    "reply-to-domain-blacklisted": (5, None, 415),
    "recipient-domain-blacklisted": (5, 416, 416),
    "sender-unknown": (5, 442, 420),
    "subscriber-inactive": (5, 443, 443),
    "subscriber-unknown": (5, 454, None),
    "mailer-unknown": (5, 442, None),
    "list-unknown": (5, 442, None),
    "subscriber-credit-low": (6, 444, 444),
    "email-credit-low": (6, 445, 445),
    "subscriber-exists": (7, 442, 442),
}
NAMES = list(ORDER)


def mailer_rank(rule):
    phase, code, _ = ORDER[rule]
    return (phase, code == 442, code, NAMES.index(rule))


def http_rank(rule, request):
    """`request` is None for a rule of the call."""
    phase, _, code = ORDER[rule]
    return (phase, -1 if request is None else request, code, NAMES.index(rule))


def merge(*variants):
    """All slots together, or None when two variants need different things."""
    merged = {}
    for variant in variants:
        for slot, value in variant.items():
            if merged.setdefault(slot, value) != value:
                return None
    return merged


# The slots that every variant but body-not-json and the method needs.
READ = {"syntax": "ok"}
KNOWN = {"syntax": "ok", "key": "known"}

MAILER_VARIANTS = {
    "method-not-post": [{"method": "GET"}],
    "body-not-json": [{"syntax": "bad", "key": "unread"}],
    "field-repeated": [{**READ, "repeated": "yes"}],
    "key-missing": [{**READ, "key": "missing"}],
    "key-unknown": [{**READ, "key": "unknown"}],
    "account-blocked": [{**KNOWN, "blocked": "yes"}],
    "account-expired": [{**KNOWN, "expired": "yes"}],
    "account-deactivated": [{**KNOWN, "deactivated": "yes"}],
    "field-wrong-type": [{**READ, "type": "wrong"}],
    "sender-missing": [
        {**READ, "from": "absent", "name": "plain"},
        {**READ, "from": "absent", "name": "control"},
    ],
    "sender-malformed": [{**READ, "from": "malformed"}],
    "recipient-missing": [{**READ, "recipient": "none"}],
    "recipient-malformed": [{**READ, "recipient": "malformed"}],
    "subscriber-id-malformed": [{**READ, "recipient": "id-malformed"}],
    "mailer-missing": [{**READ, "mailer": "missing"}],
    "from-name-control": [{**READ, "name": "control", "from": "valid"}, {**READ, "name": "control"}],
    "date-malformed": [{**READ, "date": "malformed"}],
    "sender-domain-blacklisted": [
        {**KNOWN, "from": "valid", "sender-list": "from"},
        {**KNOWN, "from": "absent", "sender-list": "assigned", "mailer": "known"},
    ],
    "recipient-domain-blacklisted": [
        {**KNOWN, "recipient": recipient, "recipient-list": "yes"}
        for recipient in ("new", "known", "id-known")
    ],
    "sender-unknown": [{**KNOWN, "from": "valid", "senders": "none"}],
    "subscriber-inactive": [
        {**KNOWN, "recipient": recipient, "inactive": "yes"} for recipient in ("known", "id-known")
    ],
    "subscriber-unknown": [{**KNOWN, "recipient": "id-unknown"}],
    "mailer-unknown": [{**KNOWN, "mailer": "unknown"}],
    "list-unknown": [{**KNOWN, "recipient": "new", "list": "unknown"}],
    "subscriber-credit-low": [{**KNOWN, "recipient": "new", "subscriber-credit": "low"}],
    "email-credit-low": [{**KNOWN, "email-credit": "low"}],
    "subscriber-exists": [{**KNOWN, "recipient": "new", "commit": "exists"}],
}


def world_of(slots):
    world = copy.deepcopy(WORLD)
    state = world["accounts"][KEY]
    for slot in ("blocked", "expired", "deactivated"):
        state[slot] = slot in slots
    for slot in ("subscriber-credit", "email-credit"):
        if slot in slots:
            state[slot.replace("-", "_")] = 0
    if slots.get("senders") == "none":
        world["senders"] = ["other@shop.example"]
    if "inactive" in slots:
        world["subscribers"][0]["inactive"] = True
    if "commit" in slots:
        world["commits"] = [{"conflict": "subscriber_exists"}] * 3
    return world


def mailer_case(slots):
    body = {**MAILER, "from": "news@shop.example"}
    world = world_of(slots)
    blacklists = {}
    if slots.get("key") == "missing":
        body["apiKey"] = ""
    if slots.get("key") == "unknown":
        body["apiKey"] = "another"
    if "type" in slots:
        body["customField"] = {}
    sender = slots.get("from", "valid")
    if sender == "absent":
        body = without(body, "from")
    if sender == "malformed":
        body["from"] = "no address"
    if "name" in slots:
        body["fromName"] = "Shop" if slots["name"] == "plain" else "Sh\u0007op"
    body = {
        **without(body, "email"),
        **{
            "new": {"email": "new@customer.example"},
            "known": {"email": "known@customer.example"},
            "malformed": {"email": "customer.example"},
            "none": {},
            "id-known": {"subID": 7},
            "id-unknown": {"subID": 8},
            "id-malformed": {"subID": "x"},
        }[slots.get("recipient", "new")],
    }
    if slots.get("mailer") == "missing":
        body = without(body, "mailerID")
    if slots.get("mailer") == "unknown":
        body["mailerID"] = 43
    if "date" in slots:
        body["birthday"] = "1999-02-29"
    if "list" in slots:
        body["listName"] = "Nowhere"
    if "sender-list" in slots:
        blacklists["sender"] = ["shop.example"]
    if "recipient-list" in slots:
        blacklists["recipient"] = ["customer.example"]
    if blacklists:
        world["blacklists"] = blacklists
    return {
        "do": "decide",
        "operation": "sendMailer",
        "method": slots.get("method", "POST"),
        "body": written(body, slots),
        "world": world,
    }


def written(body, slots):
    text = dump(body)
    if slots.get("syntax") == "bad":
        return text + ","
    if "repeated" in slots:
        return text[:-1] + ',"other":1,"other":2}'
    return text


# Rules of an httpSendMail call, and those of one of its requests.

HTTP_CALL_VARIANTS = {
    "method-not-post": [{"method": "GET"}],
    "operation-retired": [{"today": "late"}],
    "body-too-large": [{"size": "large", "syntax": "unread", "key": "unread", "requests": "unread"}],
    "body-not-json": [{"syntax": "bad", "key": "unread", "requests": "unread"}],
    "field-repeated": [{**READ, "repeated": "yes"}],
    "key-missing": [{**READ, "key": "missing"}],
    "key-unknown": [{**READ, "key": "unknown"}],
    "account-blocked": [{**KNOWN, "blocked": "yes"}],
    "account-expired": [{**KNOWN, "expired": "yes"}],
    "account-deactivated": [{**KNOWN, "deactivated": "yes"}],
    "too-many-requests": [{**READ, "requests": "many"}],
    "requests-missing": [{**READ, "requests": "missing"}],
    "subscriber-credit-low": [{**KNOWN, "requests": "some", "subscriber-credit": "low"}],
    "email-credit-low": [{**KNOWN, "requests": "some", "email-credit": "low"}],
    "subscriber-exists": [{**KNOWN, "requests": "some", "commit": "exists"}],
}
FACT = {"object": "yes", "facts": "asked"}
HTTP_REQUEST_VARIANTS = {
    "request-not-object": [{"object": "no"}],
    "field-wrong-type": [{"object": "yes", "type": "wrong"}],
    "subject-missing": [{"object": "yes", "subject": "absent"}],
    "reply-to-malformed": [{"object": "yes", "reply": "malformed"}],
    "html-missing": [{"object": "yes", "html": "absent"}],
    "html-not-utf8": [{"object": "yes", "html": "not-utf8"}],
    "sender-missing": [{"object": "yes", "from": "absent"}],
    "sender-malformed": [{"object": "yes", "from": "malformed"}],
    "recipient-missing": [{"object": "yes", "to": "none", "malformed": "no"}],
    "recipient-malformed": [{"object": "yes", "malformed": "yes"}],
    "subject-control": [{"object": "yes", "subject": "control"}, {"object": "yes", "subject": "both"}],
    "subject-placeholder": [
        {"object": "yes", "subject": "placeholder"},
        {"object": "yes", "subject": "both"},
    ],
    "from-name-control": [{"object": "yes", "name": "control"}],
    "html-host-hidden": [{"object": "yes", "html": "hidden"}],
    "html-domain-blacklisted": [{**FACT, "html": "bad-link"}],
    "sender-domain-blacklisted": [{**FACT, "from": "bad-domain"}, {**FACT, "from": "bad-and-unknown"}],
    "reply-to-domain-blacklisted": [{**FACT, "reply": "bad-domain"}],
    "recipient-domain-blacklisted": [{**FACT, "to": "bad-domain"}, {**FACT, "to": "bad-and-inactive"}],
    "sender-unknown": [{**FACT, "from": "unknown"}, {**FACT, "from": "bad-and-unknown"}],
    "subscriber-inactive": [{**FACT, "to": "inactive"}, {**FACT, "to": "bad-and-inactive"}],
}
HTTP_WORLD = {
    "senders": ["news@shop.example", "news@bad.example"],
    "blacklists": {
        "sender": ["bad.example"],
        "reply_to": ["bad.example"],
        "recipient": ["bad.example"],
        "content": ["bad.example"],
    },
    "subscribers": [
        {"id": 7, "email": "quiet@customer.example", "inactive": True, "fields": {}},
        {"id": 8, "email": "quiet@bad.example", "inactive": True, "fields": {}},
    ],
}


def http_request(slots):
    if slots.get("object") == "no":
        return "no object"
    request = dict(REQUEST)
    put = {
        ("subject", "absent"): {"subject": ""},
        ("subject", "control"): {"subject": "A\nB"},
        ("subject", "placeholder"): {"subject": "Hi {{ name }}"},
        ("subject", "both"): {"subject": "Hi {{name}}\n"},
        ("reply", "malformed"): {"replyTo": "a@b.example,c@d.example"},
        ("reply", "bad-domain"): {"replyTo": "answers@bad.example"},
        ("html", "absent"): {"body": "%20+"},
        ("html", "not-utf8"): {"body": "caf%E9"},
        ("html", "hidden"): {"body": "<svg><style>@import 'ht<g>tp:x'</style></svg>"},
        ("html", "bad-link"): {"body": "<a href='https://bad.example/'>x</a>"},
        ("from", "absent"): {"from": None},
        ("from", "malformed"): {"from": "Shop <news@shop.example>"},
        ("from", "unknown"): {"from": "nobody@shop.example"},
        ("from", "bad-domain"): {"from": "news@bad.example"},
        ("from", "bad-and-unknown"): {"from": "nobody@bad.example"},
        ("to", "none"): {"to": " , "},
        ("to", "bad-domain"): {"to": "someone@bad.example"},
        ("to", "inactive"): {"to": "quiet@customer.example"},
        ("to", "bad-and-inactive"): {"to": "quiet@bad.example"},
        ("name", "control"): {"fromName": "A\u2028B"},
        ("type", "wrong"): {"customField": []},
    }
    for slot, value in slots.items():
        request.update(put.get((slot, value), {}))
    if slots.get("malformed") == "yes":
        request["to"] += ",not-an-address"
    return request


def http_case(call, requests):
    world = {**world_of(call), **copy.deepcopy(HTTP_WORLD)}
    body = {"ApiKey": KEY, "requests": [http_request(slots) for slots in requests]}
    policy = {}
    if call.get("key") == "missing":
        body = without(body, "ApiKey")
    if call.get("key") == "unknown":
        body["ApiKey"] = "another"
    if call.get("requests") == "missing":
        body["requests"] = []
    if call.get("requests") == "many":
        policy["max_requests"] = 1
        body["requests"] = (body["requests"] * 2)[:2]
    if "today" in call:
        policy["today"] = "2024-05-01"
    if "size" in call:
        policy["max_bytes"] = 20
    case = {
        "do": "decide",
        "operation": "httpSendMail",
        "method": call.get("method", "POST"),
        "body": written(body, call),
        "world": world,
    }
    return {**case, "policy": policy} if policy else case
