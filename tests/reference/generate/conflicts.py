"""The world that moves between look-up and commit."""

from .kit import MAILER, REQUEST, Suite, account, batch, without, world

KINDS = {
    "subscriber_exists": (442, "subscriber-exists"),
    "subscriber_inactive": (443, "subscriber-inactive"),
    "subscriber_credit": (444, "subscriber-credit-low"),
    "email_credit": (445, "email-credit-low"),
    "subscriber_gone": (454, "subscriber-unknown"),
    "other": (None, None),
}
NEW = [{"id": 9, "email": "new@customer.example", "inactive": False, "fields": {}}]
QUIET = [{"id": 9, "email": "new@customer.example", "inactive": True, "fields": {}}]


def asked(account_count, facts, commits):
    return {"account": account_count, "facts": facts, "commits": commits}


def suites():
    suite = Suite(
        "conflicts",
        "A commit that no longer fits: judged again from fresh look-ups, at most max_attempts times; the "
        "last conflict gives the code, and anything else is an error of the host.",
    )
    for operation, body in (("sendMailer", MAILER), ("httpSendMail", batch(REQUEST))):
        for kind, (code, rule) in KINDS.items():
            if operation == "httpSendMail" and kind == "subscriber_gone":
                for attempts in (1, 3):
                    suite.decide(
                        f"{operation}: no {kind} here, {attempts} attempts",
                        operation,
                        body,
                        error="",
                        policy={"max_attempts": attempts},
                        world=world(commits=[{"conflict": kind}] * attempts),
                    )
                continue
            for attempts in (1, 2, 3, 5):
                last = {
                    "code": code,
                    "rule": rule,
                    "pointer": None,
                    "span": None,
                    "request": None,
                    "plan": None,
                    "asked": asked(attempts, attempts, attempts),
                }
                if code is None:
                    last = {**last, "error": "host", "response": None, "refused": None}
                suite.decide(
                    f"{operation}: {kind} {attempts} times of {attempts}",
                    operation,
                    body,
                    last,
                    policy={"max_attempts": attempts},
                    world=world(commits=[{"conflict": kind}] * attempts),
                )
                if attempts > 1:
                    times = attempts - 1
                    suite.decide(
                        f"{operation}: {kind} {times} times of {attempts}, then success",
                        operation,
                        body,
                        {"code": 200, "asked": asked(attempts, attempts, attempts)},
                        policy={"max_attempts": attempts},
                        world=world(commits=[{"conflict": kind}] * times + [None]),
                    )
            suite.decide(
                f"{operation}: {kind} four times, three by default",
                operation,
                body,
                {"code": code, "asked": asked(3, 3, 3)},
                world=world(commits=[{"conflict": kind}] * 4),
            )
            for other, (other_code, other_rule) in KINDS.items():
                if other == kind or operation == "httpSendMail" and other == "subscriber_gone":
                    continue
                suite.decide(
                    f"{operation}: {kind}, then {other}: the last counts",
                    operation,
                    body,
                    {"code": other_code, "rule": other_rule},
                    policy={"max_attempts": 2},
                    world=world(commits=[{"conflict": kind}, {"conflict": other}]),
                )
        suite.decide(
            f"{operation}: an unknown kind",
            operation,
            body,
            error="",
            world=world(commits=[{"conflict": "weather"}]),
        )
    add = suite.mailer

    def moved(kind, **change):
        return world(commits=[{"conflict": kind, "change": change}])

    plan = add(
        "sendMailer: the subscriber now exists and is updated",
        {**MAILER, "city": "X"},
        200,
        None,
        world=moved("subscriber_exists", subscribers=NEW),
        wants={"asked": asked(2, 2, 2)},
    )["plan"]
    assert (
        plan["create"] == []
        and plan["update"] == [{"id": 9, "fields": {"city": "X"}}]
        and plan["debit"] == {"email": 1, "subscriber": 0}
    )
    add(
        "sendMailer: the subscriber now exists, INACTIVE",
        MAILER,
        443,
        "subscriber-inactive",
        world=moved("subscriber_exists", subscribers=QUIET),
        wants={"asked": asked(2, 2, 1), "pointer": "/email"},
    )
    add(
        "sendMailer: the subscriber is gone",
        {**without(MAILER, "email"), "subID": 7},
        454,
        "subscriber-unknown",
        world=moved("subscriber_gone", subscribers=[]),
        wants={"asked": asked(2, 2, 1), "pointer": "/subID"},
    )
    plan = add(
        "sendMailer: the subscriber of the email is gone and is created",
        {**MAILER, "email": "known@customer.example"},
        200,
        None,
        world=moved("subscriber_gone", subscribers=[]),
    )["plan"]
    assert plan["create"][0]["email"] == "known@customer.example"
    add(
        "sendMailer: gone, and the list for a new one does not exist",
        {**MAILER, "email": "known@customer.example", "listName": "Nowhere"},
        442,
        "list-unknown",
        world=moved("subscriber_gone", subscribers=[]),
    )
    add(
        "sendMailer: the credit is used up",
        MAILER,
        445,
        "email-credit-low",
        world=moved("email_credit", accounts=account(email_credit=0)),
        wants={"asked": asked(2, 2, 1)},
    )
    add(
        "sendMailer: the subscriber credit is used up",
        MAILER,
        444,
        "subscriber-credit-low",
        world=moved("subscriber_credit", accounts=account(subscriber_credit=0)),
    )
    add(
        "sendMailer: the account is blocked meanwhile",
        MAILER,
        404,
        "account-blocked",
        world=moved("other", accounts=account(blocked=True)),
        wants={"asked": asked(2, 1, 1)},
    )
    add(
        "sendMailer: the account is gone meanwhile",
        MAILER,
        403,
        "key-unknown",
        world=moved("other", accounts={}),
        wants={"asked": asked(2, 1, 1), "pointer": "/apiKey"},
    )
    add(
        "sendMailer: the mailer is gone meanwhile",
        MAILER,
        442,
        "mailer-unknown",
        world=moved("other", mailers={}),
    )
    add(
        "sendMailer: the mailer has another sender meanwhile",
        MAILER,
        200,
        None,
        world=moved("other", mailers={"42": {"from": "b@shop.example", "from_name": "B"}}),
    )
    add(
        "sendMailer: the sender is no longer active",
        {**MAILER, "from": "news@shop.example"},
        442,
        "sender-unknown",
        world=moved("other", senders=[]),
    )
    add(
        "sendMailer: the list is gone meanwhile",
        {**MAILER, "listName": "Customers"},
        442,
        "list-unknown",
        world=moved("other", lists=[]),
    )
    add(
        "sendMailer: a domain is blacklisted meanwhile",
        MAILER,
        416,
        "recipient-domain-blacklisted",
        world=moved("other", blacklists={"recipient": ["customer.example"]}),
    )
    add(
        "sendMailer: a transaction id misused at the second commit",
        MAILER,
        world={**moved("other"), "transaction_id": 0},
        wants={"error": "misuse", "code": None, "asked": asked(2, 2, 2)},
    )
    add(
        "sendMailer: two changes of the world",
        MAILER,
        200,
        None,
        wants={"asked": asked(3, 3, 3)},
        world=world(
            commits=[
                {"conflict": "subscriber_exists", "change": {"subscribers": NEW}},
                {"conflict": "subscriber_gone", "change": {"subscribers": []}},
            ]
        ),
    )
    plan = suite.http(
        "httpSendMail: the subscriber now exists and is enlisted",
        batch(REQUEST),
        200,
        None,
        world=moved("subscriber_exists", subscribers=NEW),
        wants={"asked": asked(2, 2, 2)},
    )["plan"]
    assert plan["create"] == [] and plan["enlist"] == [{"id": 9, "list": "API_EMAILS"}]
    suite.http(
        "httpSendMail: a subscriber became INACTIVE",
        batch(REQUEST),
        443,
        "subscriber-inactive",
        world=moved("subscriber_inactive", subscribers=QUIET),
        wants={"asked": asked(2, 2, 1), "request": 0, "pointer": "/requests/0/to"},
    )
    suite.http(
        "httpSendMail: a link is blacklisted meanwhile",
        batch({**REQUEST, "body": "http://x.example"}),
        413,
        "html-domain-blacklisted",
        world=moved("other", blacklists={"content": ["x.example"]}),
    )
    suite.http(
        "httpSendMail: the account expired meanwhile",
        batch(REQUEST),
        405,
        "account-expired",
        world=moved("other", accounts=account(expired=True)),
    )
    suite.http(
        "httpSendMail: the credit is used up",
        batch(REQUEST),
        445,
        "email-credit-low",
        world=moved("email_credit", accounts=account(email_credit=0)),
    )
    for operation, body in (("sendMailer", MAILER), ("httpSendMail", batch(REQUEST))):
        suite.decide(
            f"{operation}: a kind with a hyphen",
            operation,
            body,
            {"code": 442, "rule": "subscriber-exists"},
            policy={"max_attempts": 1},
            world=world(commits=[{"conflict": "subscriber-exists"}]),
        )
    return [suite, unknown()]


def unknown():
    suite = Suite("commit-unknown", "A commit that does not say what came of it ends the call without a code.")
    fails = {"fails": True}
    for operation, add in (("sendMailer", suite.mailer), ("httpSendMail", suite.http)):
        body = MAILER if operation == "sendMailer" else batch(REQUEST)
        for name, commits, count in (
            ("at the first commit", [fails], 1),
            ("at the second", [{"conflict": "other"}, fails], 2),
            ("at the last", [{"conflict": "other"}, {"conflict": "email_credit"}, fails], 3),
            ("and none after it is tried", [fails, {"conflict": "other"}, None], 1),
        ):
            wants = {"error": "unknown", "code": None, "response": None, "plan": None, "refused": None}
            wants["asked"] = asked(count, count, count)
            add(f"{operation}: {name}", body, world=world(commits=commits), wants=wants)
    suite.http(
        "httpSendMail: also of a policy that tries more often",
        batch(REQUEST),
        policy={"max_attempts": 5},
        world=world(commits=[fails]),
        wants={"error": "unknown", "asked": asked(1, 1, 1)},
    )
    suite.http(
        "httpSendMail: a partial batch says nothing of what it leaves out",
        batch(REQUEST, {**REQUEST, "subject": ""}),
        policy={"batch": "partial"},
        world=world(commits=[fails]),
        wants={"error": "unknown", "refused": None},
    )
    suite.mailer(
        "sendMailer: not reached by a call that is refused",
        {**MAILER, "mailerID": None},
        442,
        "mailer-missing",
        world=world(commits=[fails]),
        wants={"asked": asked(1, 0, 0)},
    )
    return suite
