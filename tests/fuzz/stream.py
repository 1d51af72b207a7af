"""The stream of generated cases: the same seed and number give the same case, alone or in a stream."""

import base64
import copy
import json
import pathlib
import random

from conformance import expand

from . import pieces
from .pieces import Raw, pick

VECTORS = pathlib.Path(__file__).resolve().parents[1] / "vectors"
KEY = "key-1"
OPERATIONS = ["sendMailer", "httpSendMail"]
CONFLICTS = ["subscriber_exists", "subscriber_inactive", "subscriber_credit", "email_credit", "other"]
CONFLICTS_OF = {"sendMailer": [*CONFLICTS, "subscriber_gone"], "httpSendMail": CONFLICTS}
LARGEST_VECTOR = 20000  # characters of a vector that is taken as a seed; larger ones would take all the time
TEXT_FIELDS = [
    "mobile", "prefix", "firstName", "phone", "address", "city", "pinCode", "company", "companyFax", "referenceNo",
    "extra1", "extra6", "customField", "birthday", "anniversary",
]  # fmt: skip
MISPLACED = ["ApiKey", "apikey", "subid", "SubID", "replyto", "mailerId", "cutsomField", "x", "", "to", "requests", "\u0000"]


class Stream:
    """Cases by number. `record` makes a transcript of a decide case, or gives None: see `recorder`."""

    def __init__(self, seed, record, vectors=VECTORS):
        self.seed = seed
        self.record = record
        self.seeds = seeds_of(vectors)

    def case(self, number):
        rng = random.Random(f"{self.seed}/{number}")
        ways, weights = zip(*WAYS, strict=True)
        case = rng.choices(ways, weights)[0](self, rng)
        return {"id": f"{self.seed}/{number}", **case}


def seeds_of(folder):
    """Vectors that are valid cases and not large, expanded."""
    seeds = []
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            if "$line" in vector["case"] or "error" in vector["expect"] or path.stem in ("rules", "boundaries"):
                continue
            case = expand(vector["case"])
            if len(str(case)) <= LARGEST_VECTOR:
                seeds.append(case)
    return seeds


# Calls


def send_mailer_body(rng):
    fields = {"apiKey": KEY, "mailerID": rng.choice([42, "42", Raw("42")])}
    recipient = rng.random()
    if recipient < 0.4:
        fields["email"] = pieces.address(rng)
    elif recipient < 0.8:
        fields[rng.choice(["subID", "subID", "subid"])] = rng.choice([7, "7", 8, 9, "0", 0, "007"])
    if rng.random() < 0.3:
        fields["email"] = pieces.good_address(rng)
    if rng.random() < 0.4:
        fields["from"] = pieces.address(rng)
    if rng.random() < 0.25:
        fields["fromName"] = pieces.text(rng)
    if rng.random() < 0.3:
        fields["listName"] = rng.choice(["Customers", "RealTime_Via_API", "Nowhere", "customers", ""])
    for name in rng.sample(TEXT_FIELDS, rng.choice([0, 0, 1, 3])):
        fields[name] = pick(rng, pieces.text, "2000-02-29", "1999-02-29", Raw("411001"), Raw("1.50"), "")
    put_flags(rng, fields)
    return disturbed(rng, fields)


def put_flags(rng, fields):
    for name in ("trackOpens", "trackClicks"):
        if rng.random() < 0.2:
            fields[name] = rng.choice([0, 1, "0", "1", True, False, None, "", 2, "2", Raw("1.0")])


def http_send_mail_body(rng):
    count = rng.choice([0, 1, 1, 1, 2, 2, 3, 5])
    requests = [pick(rng, request, request, request, request, pieces.odd) for _ in range(count)]
    return disturbed(rng, {"ApiKey": KEY, "requests": requests})


def request(rng):
    fields = {
        "subject": rng.choice(["Hello", "Hello", pieces.text(rng)]),
        "body": pieces.body_field(rng),
        "to": pieces.address_list(rng),
        "from": pick(rng, "news@shop.example", pieces.good_address, pieces.address),
    }
    for name in ("cc", "bcc"):
        if rng.random() < 0.3:
            fields[name] = pieces.address_list(rng)
    if rng.random() < 0.3:
        fields[rng.choice(["replyTo", "replyTo", "replyto"])] = pieces.address(rng)
    if rng.random() < 0.3:
        fields["fromName"] = pieces.text(rng)
    if rng.random() < 0.2:
        fields["customField"] = pieces.text(rng)
    put_flags(rng, fields)
    return disturbed(rng, fields)


def disturbed(rng, fields):
    """Members of an object, now and then missing, of another type, unknown, twice, in another order."""
    pairs = list(fields.items())
    if rng.random() < 0.12 and pairs:
        pairs.pop(rng.randrange(len(pairs)))
    if rng.random() < 0.12 and pairs:
        at = rng.randrange(len(pairs))
        pairs[at] = (pairs[at][0], pieces.odd(rng))
    if rng.random() < 0.1:
        pairs.append((rng.choice(MISPLACED), pick(rng, pieces.text, pieces.odd)))
    if rng.random() < 0.03 and pairs:
        pairs.append(rng.choice(pairs))
    if rng.random() < 0.3:
        rng.shuffle(pairs)
    return tuple(pairs)


def body_of(rng, operation):
    """The member of a case that holds the body."""
    value = send_mailer_body(rng) if operation == "sendMailer" else http_send_mail_body(rng)
    data = pieces.write_json(rng, value).encode("utf-8")
    way = rng.random()
    if way < 0.12:
        data = pieces.mutate(rng, data)
    elif way < 0.14:
        data = b"\xef\xbb\xbf" + data
    elif way < 0.16:
        data = data[: rng.randrange(len(data))]
    return put_body(data, rng.random() < 0.05)


def put_body(data, as_base64=False):
    try:
        if not as_base64:
            return {"body": data.decode("utf-8")}
    except UnicodeDecodeError:
        pass
    return {"body_base64": base64.b64encode(data).decode("ascii")}


def bytes_of(case):
    return case["body"].encode("utf-8") if "body" in case else base64.b64decode(case["body_base64"])


def without_body(case):
    return {key: value for key, value in case.items() if key not in ("body", "body_base64")}


# Policies and worlds


def policy(rng):
    """Often none, or a few settings."""
    if rng.random() < 0.5:
        return {}
    settings = {
        "max_requests": [1, 2, 3, 1000],
        "max_bytes": [100, 400, 1000, 33554432],
        "max_attempts": [1, 2, 3, 5],
        "today": [None, "2024-04-30", "2024-05-01"],
        "batch": ["whole", "partial", "partial", "partial"],
        "empty_clears": [True, False],
        "html_encoding": ["detect", "always"],
        "placeholders": [[], [["{{", "}}"]], [["<", ">"], ["\u00ab", "\u00bb"]], [["a", "a"]]],
        "answer_values": ["strings", "numbers"],
        "answer_status": ["word", "meaning", "place"],
    }
    rare = {"max_bytes": 0.15, "max_requests": 0.2, "today": 0.15}
    kept = [name for name in settings if rng.random() < rare.get(name, 0.3)]
    return {name: rng.choice(settings[name]) for name in kept}


def account(rng):
    credit = [None, None, 0, 1, 2, 1000000]
    return {
        "blocked": rng.random() < 0.04,
        "expired": rng.random() < 0.04,
        "deactivated": rng.random() < 0.04,
        "subscriber_credit": rng.choice(credit),
        "email_credit": rng.choice(credit),
    }


def world_part(rng, name):
    if name == "accounts":
        return {KEY: account(rng), "key-2": account(rng)} if rng.random() < 0.97 else {}
    if name == "mailers":
        assigned = {"from": pieces.good_address(rng), "from_name": rng.choice(["The Shop", None, "\u0001"])}
        return {"42": assigned} if rng.random() < 0.95 else {}
    if name == "senders":
        return ["news@shop.example", *(pieces.good_address(rng) for _ in range(rng.choice([0, 1, 5])))]
    if name == "subscribers":
        return [
            {"id": number, "email": pieces.good_address(rng), "inactive": rng.random() < 0.15, "fields": {}}
            for number in rng.sample([7, 8, 9, 10, 2**53, 2**63 - 1], rng.choice([0, 1, 3, 6]))
        ]
    if name == "lists":
        return rng.choice([["Customers"], ["Customers", "Nowhere"], [], ["RealTime_Via_API"]])
    roles = [role for role in ("sender", "reply_to", "recipient", "content") if rng.random() < 0.35]
    return {role: rng.sample(LISTED, rng.choice([0, 1, 2])) for role in roles}


LISTED = pieces.LISTED_DOMAINS
PARTS = ["accounts", "mailers", "senders", "subscribers", "lists", "blacklists"]


def world(rng, operation):
    made = {name: world_part(rng, name) for name in PARTS}
    if rng.random() < 0.5:
        made["transaction_id"] = rng.choice([1, 5, 2**53 - 1, 2**53, 0, 2**32, -1])
    if rng.random() < 0.3:
        made["commits"] = [pick(rng, None, conflict(operation), conflict(operation)) for _ in range(rng.choice([1, 3, 4]))]
    return made


def conflict(operation):
    def made(rng):
        change = {name: world_part(rng, name) for name in rng.sample(PARTS, rng.choice([0, 0, 1, 2]))}
        return {"conflict": rng.choice(CONFLICTS_OF[operation]), **({"change": change} if change else {})}

    return made


# Cases


def decide(_, rng):
    operation = rng.choice(OPERATIONS)
    return {
        "do": "decide",
        "operation": operation,
        "method": "POST" if rng.random() < 0.98 else rng.choice(["GET", "post", "", "POST "]),
        **body_of(rng, operation),
        "policy": policy(rng),
        "world": world(rng, operation),
    }


def over_http(_, rng):
    return {**decide(_, rng), "do": "http"}


def preflight(_, rng):
    operation = rng.choice(OPERATIONS)
    return {"do": "preflight", "operation": operation, **body_of(rng, operation), "policy": policy(rng)}


def replay(stream, rng):
    """A conversation as it was, or with answers that are wrong, missing, repeated or in another order."""
    told = stream.record(decide(stream, rng))
    if told is None:
        return decide(stream, rng)
    steps = told["steps"]
    keeps_questions = rng.random() < 0.4
    if not keeps_questions:
        for step in steps:
            step.pop("ask", None)
    if rng.random() < 0.8:
        for _ in range(rng.choice([1, 1, 2, 4])):
            disturb_steps(rng, steps, told["operation"])
    if rng.random() < 0.5:
        told.pop("decision", None)
    return {"do": "replay", "transcript": told}


def disturb_steps(rng, steps, operation):
    at = rng.randrange(len(steps) + 1)
    way = rng.randrange(6)
    if way == 0:
        steps.insert(at, {"answer": any_answer(rng, operation)})
    elif way == 1 and steps:
        steps.insert(at, copy.deepcopy(rng.choice(steps)))
    elif at == len(steps):
        return
    elif way == 2:
        del steps[at]
    elif way == 3:
        rng.shuffle(steps)
    elif way == 4:
        steps[at]["answer"] = any_answer(rng, operation)
    else:
        disturb_answer(rng, steps[at]["answer"])


COLUMNS = ["mailers", "senders", "subscriber_ids", "subscribers", "lists", "domains"]


def disturb_answer(rng, answer):
    """Facts that no world gives, or columns of another length."""
    ((kind, content),) = answer.items()
    if kind == "account":
        answer[kind] = account(rng) if rng.random() < 0.8 else None
    if kind != "facts":
        return
    name = rng.choice(COLUMNS)
    column = content.setdefault(name, [])
    if rng.random() < 0.3:
        column.append(any_fact(rng, name))
    elif rng.random() < 0.2 and column:
        column.pop()
    elif column:
        column[rng.randrange(len(column))] = any_fact(rng, name)


def any_fact(rng, column):
    if column in ("senders", "lists"):
        return rng.random() < 0.5
    if column == "domains":
        return rng.sample(["sender", "reply_to", "recipient", "content"], rng.choice([0, 1, 4]))
    if rng.random() < 0.3:
        return None
    address = pieces.good_address(rng)
    if column == "mailers":
        return {"from": address, "from_name": rng.choice([None, "x"]), "blacklisted": rng.random() < 0.3}
    return {
        "id": rng.choice([1, 7, 2**63 - 1]),
        "email": address,
        "inactive": rng.random() < 0.3,
        "blacklisted": rng.random() < 0.3,
    }


def any_answer(rng, operation):
    kind = rng.choice(["account", "facts", "commit"])
    if kind == "account":
        return {"account": account(rng) if rng.random() < 0.9 else None}
    if kind == "commit" and rng.random() < 0.5:
        return {"commit": {"conflict": rng.choice(CONFLICTS_OF[operation])}}
    if kind == "commit":
        return {"commit": {"transaction_id": rng.choice([1, 2**53 - 1, 2**53, 0])}}
    return {"facts": {name: [any_fact(rng, name) for _ in range(rng.choice([0, 0, 1, 2]))] for name in COLUMNS}}


def seed_changed(stream, rng):
    """A vector with another policy or world, or with bytes changed."""
    case = copy.deepcopy(rng.choice(stream.seeds))
    kind = case["do"]
    if kind in ("decide", "preflight"):
        if rng.random() < 0.3:
            case["policy"] = {**(case.get("policy") or {}), **policy(rng)}
        if kind == "decide" and rng.random() < 0.3:
            case["world"] = world(rng, case["operation"])
        if rng.random() < 0.6:
            case = {**without_body(case), **put_body(pieces.mutate(rng, bytes_of(case)))}
    elif kind == "replay":
        told = case["transcript"]
        for step in told["steps"]:
            step.pop("ask", None)
        disturb_steps(rng, told["steps"], told["operation"])
    elif "text" in case or "html" in case:
        name = "text" if "text" in case else "html"
        case[name] = pieces.mutate(rng, case[name].encode("utf-8")).decode("utf-8", "replace")
    return case


ODD = [
    None, True, False, 0, 1, -1, 1.5, 1e300, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, "", " ", "x", "0", "null", "\0",
    [], {}, [None], {"x": 1}, [[]],
]  # fmt: skip


def case_changed(stream, rng):
    """A case in which a member, however deep, is another value, is missing, or is new."""
    ways, weights = zip(*((way, weight) for way, weight in WAYS if way is not case_changed), strict=True)
    case = copy.deepcopy(rng.choices(ways, weights)[0](stream, rng))
    for _ in range(rng.choice([1, 1, 1, 2])):
        inner = case
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(inner[key], (dict, list)) and inner[key] and rng.random() < 0.75:
                inner = inner[key]
                continue
            way = rng.random()
            if way < 0.6:
                inner[key] = copy.deepcopy(rng.choice(ODD))
            elif way < 0.8:
                del inner[key]
            elif isinstance(inner, list):
                inner.insert(key, copy.deepcopy(rng.choice(ODD)))
            else:
                inner[rng.choice(["x", "", "commits", "body_base64", "\0", str(key) + " "])] = copy.deepcopy(rng.choice(ODD))
            break
    return case


def one_address(_, rng):
    return {"do": "address", "text": pieces.address(rng)}


def addresses(_, rng):
    return {"do": "addresses", "text": pieces.address_list(rng)}


def decode(_, rng):
    return {"do": "decode", "text": pieces.body_field(rng)}


def hosts(_, rng):
    return {"do": "hosts", "html": pieces.html(rng)}


def blacklisted(_, rng):
    entries = [pick(rng, *LISTED, *pieces.GOOD_DOMAINS) for _ in range(rng.choice([0, 1, 3]))]
    domain = rng.choice([*pieces.GOOD_DOMAINS, "b\u00fccher.example", "a.b.bad.example", "example", "127.0.0.1"])
    return {"do": "blacklisted", "domain": domain, "entries": entries}


def date(_, rng):
    day = f"{rng.choice([0, 1, 1900, 2000, 2023, 2024, 9999]):04}-{rng.randrange(14):02}-{rng.randrange(33):02}"
    return {"do": "date", "text": day if rng.random() < 0.8 else pieces.mutate(rng, day.encode()).decode("utf-8", "replace")}


def outcome(_, rng):
    events = [rng.choice([417, 418, 451, 452]) for _ in range(rng.randrange(6))]
    return {"do": "outcome", "events": events, "track_opens": rng.random() < 0.5, "track_clicks": rng.random() < 0.5}


def answer(_, rng):
    members = [
        ("code", rng.choice(["200", 200, "402", 602, 99, 1000, None, "x", 417])),
        ("status", rng.choice(["Success", "Error", "", None])),
        ("transactionId", rng.choice(["1", 1, 2**53 - 1, None, str(2**53 - 1)])),
    ]
    members = [member for member in members if rng.random() < 0.85]
    rng.shuffle(members)
    return {"do": "answer", "text": pieces.write_json(rng, tuple(members))}


def compose(_, rng):
    operation = rng.choice(OPERATIONS)
    if operation == "sendMailer":
        fields = {"apiKey": KEY, "mailerID": rng.choice([1, 42, 2**63 - 1]), "email": pieces.address(rng)}
        fields.update({name: pieces.text(rng) for name in rng.sample(TEXT_FIELDS, 2)})
        fields["trackOpens"] = rng.random() < 0.5
        return {"do": "compose", "operation": operation, "fields": fields}
    requests = [
        {
            "subject": pieces.text(rng),
            "body": pieces.html(rng),
            "to": pieces.address_list(rng),
            "from": pieces.address(rng),
            "trackClicks": rng.random() < 0.5,
        }
        for _ in range(rng.randrange(6))
    ]
    settings = {"max_requests": rng.choice([1, 2, 1000]), "max_bytes": rng.choice([300, 600, 1500, 33554432])}
    return {"do": "compose", "operation": operation, "fields": {"ApiKey": KEY, "requests": requests}, "policy": settings}


def rules(_stream, _rng):
    return {"do": "rules"}


# How often each kind is in the stream.
WAYS = [
    (decide, 34),
    (over_http, 3),
    (preflight, 12),
    (replay, 15),
    (seed_changed, 20),
    (case_changed, 12),
    (one_address, 3),
    (addresses, 2),
    (decode, 3),
    (hosts, 4),
    (blacklisted, 1),
    (date, 1),
    (outcome, 1),
    (answer, 1),
    (compose, 3),
    (rules, 0.1),
]
