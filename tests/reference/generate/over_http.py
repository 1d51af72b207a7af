"""The answers of a host over HTTP: the status, the headers and the body of each ending of a call."""

from .kit import MAILER, REQUEST, Suite, batch, put, without, world

CALLS = {"sendMailer": MAILER, "httpSendMail": batch(REQUEST)}
ENDINGS = {
    "accepted": {},
    "accepted after a conflict": {"commits": [{"conflict": "other"}]},
    "the host failed at each attempt": {"commits": [{"conflict": "other"}] * 3},
    "a commit that did not say what came of it": {"commits": [{"fails": True}]},
    "a transaction id that cannot be": {"transaction_id": 0},
    "a blacklisted recipient": {"blacklists": {"recipient": ["customer.example"]}},
}
REFUSED = {
    "not JSON": "{",
    "a key twice": {"apiKey": "x", "ApiKey": "x"},
    "a body that is not UTF-8": b"{\xff}",
}


def suites():
    suite = Suite("http", "What a host answers over HTTP: status, headers and body, with nothing to send again after a plan was out.")
    for operation, body in CALLS.items():
        for name, changed in ENDINGS.items():
            add(suite, f"{operation}: {name}", operation, body, world=world(**changed))
        for name, refused in REFUSED.items():
            add(suite, f"{operation}: {name}", operation, refused)
        add(suite, f"{operation}: the method is GET", operation, body, method="GET")
        add(suite, f"{operation}: retired", operation, body, policy={"today": "2024-05-01"})
        add(suite, f"{operation}: too long", operation, body, policy={"max_bytes": 10})
        add(suite, f"{operation}: numbers and meanings", operation, body, policy={"answer_values": "numbers", "answer_status": "meaning"})
        add(suite, f"{operation}: a world that cannot be", operation, body, error="", world={"accounts": []})
        add(suite, f"{operation}: a policy that cannot be", operation, body, error="max_bytes", policy={"max_bytes": -1})
    add(suite, "sendMailer: a mailer left out", "sendMailer", without(MAILER, "mailerID"))
    add(suite, "no such operation", "sendEmail", MAILER, error="")
    suite.add("no body", {"do": "http", "operation": "sendMailer"}, error="body")
    return [suite]


def add(suite, name, operation, body, method=None, policy=None, error=None, **others):
    case = {"do": "http", "operation": operation, **put(body), "world": others.get("world", world())}
    if method:
        case["method"] = method
    if policy:
        case["policy"] = policy
    suite.add(name, case, error=error)
