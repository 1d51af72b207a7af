"""sendMailer: who gets the email, what is stored, what it costs."""

from .kit import KEY, MAILER, SPELLINGS, Suite, account, spelled, without, world


def one(plan):
    return plan["messages"][0]


def suite_plan():
    suite = Suite(
        "send-mailer-plan",
        "Accepted calls of sendMailer: create or update, effective sender and name, the address that the "
        "email goes to, lists, cleared fields, credits.",
    )
    add = suite.mailer
    plan = add(
        "a new subscriber is created with what was sent",
        {**MAILER, "firstName": "F", "mobile": "1", "birthday": "2000-02-29", "extra6": "x"},
        200,
        None,
    )["plan"]
    assert plan["create"] == [
        {
            "email": "new@customer.example",
            "match_key": "new@customer.example",
            "list": "RealTime_Via_API",
            "fields": {"firstName": "F", "mobile": "1", "birthday": "2000-02-29", "extra6": "x"},
        }
    ]
    assert (
        plan["debit"] == {"email": 1, "subscriber": 1}
        and plan["update"] == plan["enlist"] == plan["collapsed"] == []
    )
    plan = add(
        "customField, listName and flags are not stored",
        {**MAILER, "customField": "c", "listName": "Customers", "trackOpens": 1},
        200,
        None,
    )["plan"]
    email = "new@customer.example"
    assert plan["create"] == [{"email": email, "match_key": email, "list": "Customers", "fields": {}}]
    assert one(plan)["custom_field"] == "c" and one(plan)["track_opens"] is True
    plan = add(
        "a known email keeps its id, and its stored address gets the email",
        {**MAILER, "email": " KNOWN@Customer.example ", "city": "X"},
        200,
        None,
    )["plan"]
    assert plan["create"] == [] and plan["update"] == [{"id": 7, "fields": {"city": "X"}}]
    assert one(plan)["recipients"] == [{"to": "known@customer.example", "role": None, "subscriber": 7}]
    assert plan["debit"] == {"email": 1, "subscriber": 0}
    plan = add(
        "no update when nothing was sent",
        {**MAILER, "email": "known@customer.example", "listName": "Nowhere"},
        200,
        None,
    )["plan"]
    assert plan["update"] == []
    plan = add(
        "subID identifies, whatever the email says",
        {**MAILER, "subID": 7, "email": "new@customer.example", "city": "X"},
        200,
        None,
    )["plan"]
    assert one(plan)["recipients"][0]["to"] == "known@customer.example" and plan["update"][0]["fields"] == {
        "city": "X"
    }
    plan = add(
        "a new address is stored and mailed as sent, trimmed",
        {**MAILER, "email": "\u00a0New@Customer.EXAMPLE\n"},
        200,
        None,
    )["plan"]
    assert plan["create"][0]["email"] == one(plan)["recipients"][0]["to"] == "New@Customer.EXAMPLE"
    plan = add(
        "from and fromName are the effective sender",
        {**MAILER, "from": " News@SHOP.example ", "fromName": " Shop "},
        200,
        None,
    )["plan"]
    assert one(plan)["from"] == "News@SHOP.example" and one(plan)["from_name"] == " Shop "
    plan = add("without from, the mailer's address and name", MAILER, 200, None)["plan"]
    assert one(plan)["from"] == "news@shop.example" and one(plan)["from_name"] == "The Shop"
    plan = add("from alone keeps the mailer's name", {**MAILER, "from": "news@shop.example"}, 200, None)[
        "plan"
    ]
    assert one(plan)["from_name"] == "The Shop"
    add("the assigned address need not be an active sender", MAILER, 200, None, world=world(senders=[]))
    add("a sender is compared by match key", {**MAILER, "from": "NEWS@shop.EXAMPLE"}, 200, None)
    add(
        "a sender of an international domain is compared by match key",
        {**MAILER, "from": "Ä@BÜCHER.example"},
        200,
        None,
        world=world(senders=["a\u0308@xn--bcher-kva.example"]),
    )
    add(
        "an unknown sender",
        {**MAILER, "from": "other@shop.example"},
        442,
        "sender-unknown",
        wants={"pointer": "/from"},
    )
    add(
        "a list that does not exist",
        {**MAILER, "listName": "Nowhere"},
        442,
        "list-unknown",
        wants={"pointer": "/listName"},
    )
    add("list names are compared exactly", {**MAILER, "listName": "customers"}, 442, "list-unknown")
    add("list names are not trimmed", {**MAILER, "listName": "Customers "}, 442, "list-unknown")
    add("the default list need not exist", MAILER, 200, None, world=world(lists=[]))
    add(
        "the default list, named, need not exist",
        {**MAILER, "listName": "RealTime_Via_API"},
        200,
        None,
        world=world(lists=[]),
    )
    add(
        "the default list in another case must exist",
        {**MAILER, "listName": "realtime_via_api"},
        442,
        "list-unknown",
        world=world(lists=[]),
    )
    add("API_EMAILS is no exception here", {**MAILER, "listName": "API_EMAILS"}, 442, "list-unknown")
    add(
        "a list is of no matter for a known email",
        {**MAILER, "email": "known@customer.example", "listName": "Nowhere"},
        200,
        None,
    )
    add("a list is of no matter beside subID", {**MAILER, "subID": 7, "listName": "Nowhere"}, 200, None)
    add(
        "a list is judged by its type for a known email",
        {**MAILER, "email": "known@customer.example", "listName": []},
        442,
        "field-wrong-type",
    )
    add(
        "an unknown subID",
        {**without(MAILER, "email"), "subID": 8},
        454,
        "subscriber-unknown",
        wants={"pointer": "/subID"},
    )
    add(
        "an unknown subid keeps its spelling",
        {**without(MAILER, "email"), "subid": 8},
        454,
        "subscriber-unknown",
        wants={"pointer": "/subid"},
    )
    add(
        "an unknown subID beside a known email",
        {**MAILER, "email": "known@customer.example", "subID": 8},
        454,
        "subscriber-unknown",
    )
    add(
        "an unknown mailer", {**MAILER, "mailerID": 43}, 442, "mailer-unknown", wants={"pointer": "/mailerID"}
    )
    quiet = world(subscribers=[{"id": 7, "email": "known@customer.example", "inactive": True, "fields": {}}])
    add(
        "an inactive subscriber by email",
        {**MAILER, "email": "known@customer.example"},
        443,
        "subscriber-inactive",
        world=quiet,
        wants={"pointer": "/email"},
    )
    add(
        "an inactive subscriber by subID",
        {**without(MAILER, "email"), "subID": 7},
        443,
        "subscriber-inactive",
        world=quiet,
        wants={"pointer": "/subID"},
    )
    add(
        "an inactive subscriber by subid",
        {**without(MAILER, "email"), "subid": "7"},
        443,
        "subscriber-inactive",
        world=quiet,
        wants={"pointer": "/subid"},
    )
    add("an inactive subscriber whom nobody addresses", MAILER, 200, None, world=quiet)
    for role, code, rule, pointer in [
        ("sender", 414, "sender-domain-blacklisted", "/mailerID"),
        ("recipient", 416, "recipient-domain-blacklisted", "/email"),
    ]:
        for entry in ("shop.example", "customer.example", "mail.shop.example", "other.example"):
            hit = {"sender": "shop.example", "recipient": "customer.example"}[role] == entry
            add(
                f"{entry} on the {role} list",
                MAILER,
                *((code, rule) if hit else (200, None)),
                world=world(blacklists={role: [entry]}),
                wants={"pointer": pointer} if hit else None,
            )
    everything = {
        "reply_to": ["shop.example", "customer.example"],
        "content": ["shop.example", "customer.example"],
    }
    add(
        "lists of other roles are of no matter",
        {**MAILER, "from": "news@shop.example"},
        200,
        None,
        world=world(blacklists=everything),
    )
    add(
        "the domain of from is judged",
        {**MAILER, "from": "news@mail.shop.example"},
        414,
        "sender-domain-blacklisted",
        wants={"pointer": "/from"},
        world=world(senders=["news@mail.shop.example"], blacklists={"sender": ["shop.example"]}),
    )
    add(
        "with from, the assigned domain is not judged",
        {**MAILER, "from": "news@other.example"},
        200,
        None,
        world=world(senders=["news@other.example"], blacklists={"sender": ["shop.example"]}),
    )
    add(
        "the assigned domain is judged with its parents",
        MAILER,
        414,
        "sender-domain-blacklisted",
        wants={"pointer": "/mailerID"},
        world=world(
            mailers={"42": {"from": "a@b.c.shop.example", "from_name": "S"}},
            blacklists={"sender": ["c.shop.example"]},
        ),
    )
    add(
        "the stored address is judged, not the email beside subID",
        {**MAILER, "subID": 7, "email": "a@bad.example"},
        200,
        None,
        world=world(blacklists={"recipient": ["bad.example"]}),
    )
    add(
        "the stored address of a subID is judged",
        {**MAILER, "subID": 7},
        416,
        "recipient-domain-blacklisted",
        wants={"pointer": "/subID"},
        world=world(blacklists={"recipient": ["customer.example"]}),
    )
    add(
        "a parent on the recipient list",
        {**MAILER, "email": "a@b.c.customer.example"},
        416,
        "recipient-domain-blacklisted",
        world=world(blacklists={"recipient": ["customer.example"]}),
    )
    for field, role, code, rule in [
        ("from", "sender", 414, "sender-domain-blacklisted"),
        ("email", "recipient", 416, "recipient-domain-blacklisted"),
    ]:
        for entry in ("listed.example", "a.listed.example", "isted.example"):
            for name, spelling in SPELLINGS.items():
                add(
                    f"the domain of {field} {name}, {entry} listed",
                    spelled({**MAILER, field: "nobody@shop.example"}, field, spelling),
                    *((200, None) if entry == "isted.example" else (code, rule)),
                    world=world(senders=["x@a.listed.example"], blacklists={role: [entry]}),
                )
    add(
        "a single label is not asked about",
        {**MAILER, "email": "a@b.customer.example"},
        200,
        None,
        world=world(blacklists={"recipient": ["example"]}),
    )
    add(
        "an international domain on a list, in ASCII form",
        {**MAILER, "email": "a@bücher.example"},
        416,
        "recipient-domain-blacklisted",
        world=world(blacklists={"recipient": ["xn--bcher-kva.example"]}),
    )
    for name, changes, body, code, rule in [
        ("one email credit suffices", {"email_credit": 1, "subscriber_credit": 1}, MAILER, 200, None),
        ("no email credit", {"email_credit": 0}, MAILER, 445, "email-credit-low"),
        (
            "no subscriber credit for a new one",
            {"subscriber_credit": 0},
            MAILER,
            444,
            "subscriber-credit-low",
        ),
        (
            "no subscriber credit, none needed",
            {"subscriber_credit": 0},
            {**MAILER, "email": "known@customer.example"},
            200,
            None,
        ),
        (
            "no subscriber credit, none needed by subID",
            {"subscriber_credit": 0},
            {**MAILER, "subID": 7},
            200,
            None,
        ),
        ("neither credit", {"subscriber_credit": 0, "email_credit": 0}, MAILER, 444, "subscriber-credit-low"),
        ("no limit of either credit", {"subscriber_credit": None, "email_credit": None}, MAILER, 200, None),
        ("blocked", {"blocked": True}, MAILER, 404, "account-blocked"),
        ("expired", {"expired": True}, MAILER, 405, "account-expired"),
        ("deactivated", {"deactivated": True}, MAILER, 448, "account-deactivated"),
        (
            "blocked, expired and deactivated",
            {"blocked": True, "expired": True, "deactivated": True},
            MAILER,
            404,
            "account-blocked",
        ),
        ("expired and deactivated", {"expired": True, "deactivated": True}, MAILER, 405, "account-expired"),
        ("expired, and the body breaks a rule", {"expired": True}, {"apiKey": KEY}, 405, "account-expired"),
    ]:
        add(f"account: {name}", body, code, rule, world=world(accounts=account(**changes)))
    add(
        "an account refused is not asked about facts",
        MAILER,
        404,
        "account-blocked",
        world=world(accounts=account(blocked=True)),
        wants={"asked": {"account": 1, "facts": 0, "commits": 0}, "pointer": None, "span": None},
    )
    add(
        "content refused is not asked about",
        {**MAILER, "email": "bad"},
        412,
        "recipient-malformed",
        wants={"asked": {"account": 1, "facts": 0, "commits": 0}},
    )
    add(
        "credit refused is not committed",
        MAILER,
        445,
        "email-credit-low",
        world=world(accounts=account(email_credit=0)),
        wants={"asked": {"account": 1, "facts": 1, "commits": 0}, "pointer": None, "span": None},
    )
    add(
        "one look-up each and one commit",
        MAILER,
        200,
        None,
        wants={"asked": {"account": 1, "facts": 1, "commits": 1}},
    )
    add(
        "the first of several subscribers with one key",
        {**MAILER, "email": "TWIN@customer.example"},
        200,
        None,
        world=world(
            subscribers=[
                {"id": number, "email": email, "inactive": False, "fields": {}}
                for number, email in [(5, "Twin@customer.example"), (4, "twin@customer.example")]
            ]
        ),
    )
    for text in (
        "Name",
        "Na\u0000me",
        "Na\nme",
        "Na\u007fme",
        "Na\u0085me",
        "Na\u2028me",
        "Na\u2029me",
        "Na\u00adme",
        "Na\u200bme",
        "Na\ufeffme",
        '"Name" <x>',
        "名前",
        "\tName",
    ):
        refused = any(char in text for char in "\u0000\n\u007f\u0085\u2028\u2029\t")
        add(
            f"fromName {text!a}",
            {**MAILER, "from": "news@shop.example", "fromName": text},
            *((442, "from-name-control") if refused else (200, None)),
        )
    for field in ("birthday", "anniversary"):
        for text, good in [
            ("2024-02-29", True),
            ("2023-02-29", False),
            ("0001-01-01", True),
            ("0000-01-01", False),
            ("9999-12-31", True),
            ("10000-01-01", False),
            ("2024-2-9", False),
            (" 2024-02-28", False),
            ("2024-02-28 ", False),
            ("2024/02/28", False),
        ]:
            answer = add(
                f"{field} {text!r}",
                {**MAILER, field: text},
                *((200, None) if good else (442, "date-malformed")),
            )
            assert not good or answer["plan"]["create"][0]["fields"] == {field: text}
    # Clearing.
    clears = {"empty_clears": True}
    known = {**MAILER, "email": "known@customer.example"}
    plan = add(
        "an empty value clears under the policy",
        {**known, "city": "", "phone": "1"},
        200,
        None,
        policy=clears,
    )["plan"]
    assert plan["update"] == [{"id": 7, "fields": {"city": "", "phone": "1"}}]
    plan = add(
        "null and white space never clear", {**known, "city": None, "phone": " "}, 200, None, policy=clears
    )["plan"]
    assert plan["update"] == []
    plan = add(
        "an empty value clears by subID too",
        {**without(MAILER, "email"), "subID": 7, "birthday": "", "extra1": ""},
        200,
        None,
        policy=clears,
    )["plan"]
    assert plan["update"] == [{"id": 7, "fields": {"birthday": "", "extra1": ""}}]
    plan = add(
        "a created subscriber has no cleared fields",
        {**MAILER, "city": "", "phone": "1"},
        200,
        None,
        policy=clears,
    )["plan"]
    assert plan["create"][0]["fields"] == {"phone": "1"}
    plan = add(
        "an empty value is absent without the policy",
        {**known, "city": "", "phone": "1"},
        200,
        None,
        policy={"empty_clears": False},
    )["plan"]
    assert plan["update"] == [{"id": 7, "fields": {"phone": "1"}}]
    add(
        "an empty email is absent under the policy too",
        {**MAILER, "email": ""},
        602,
        "recipient-missing",
        policy=clears,
    )
    add(
        "an empty from is absent under the policy too",
        {**MAILER, "from": "", "fromName": "S"},
        478,
        "sender-missing",
        policy=clears,
    )
    add("no size limit here", {**MAILER, "city": "x" * 3000}, 200, None, policy={"max_bytes": 10})
    add("the day is of no matter here", MAILER, 200, None, policy={"today": "2030-01-01"})
    for method in ("GET", "post", "Post", "PUT", "", "POST ", "HEAD", "OPTIONS"):
        add(
            f"the method {method!r}",
            MAILER,
            401,
            "method-not-post",
            method=method,
            wants={"pointer": None, "span": None, "deprecation": None},
        )
    for number in (1, 2**31, 2**53 - 1):
        answer = add(f"transaction id {number}", MAILER, 200, None, world=world(transaction_id=number))
        assert answer["response"] == f'{{"code":"200","status":"Success","transactionId":"{number}"}}'
    for number in (0, 2**53, 2**63 - 1):
        add(
            f"transaction id {number} is the host's misuse",
            MAILER,
            world=world(transaction_id=number),
            wants={
                "code": None,
                "error": "misuse",
                "response": None,
                "plan": None,
                "asked": {"account": 1, "facts": 1, "commits": 1},
            },
        )
    template = {
        name: ""
        for name in (
            "from",
            "fromName",
            "subID",
            "mobile",
            "listName",
            "city",
            "birthday",
            "trackOpens",
            "trackClicks",
            "customField",
            "extra1",
        )
    }
    add("a payload template with empty fields", {**template, **MAILER}, 200, None)
    add("an unknown field is ignored", {**MAILER, "colour": ["blue"], "requests": []}, 200, None)
    stored = [{"id": 7, "email": "a@b.0x1", "inactive": False, "fields": {}}]
    for name, listed, code, rule in (
        ("is not listed", [], 200, None),
        ("is listed", ["b.0x1"], 416, "recipient-domain-blacklisted"),
    ):
        suite.mailer(
            f"a stored address whose domain ends in a hexadecimal number {name}",
            {**without(MAILER, "email"), "subID": 7, "customField": "who is stored"},
            code,
            rule,
            world=world(subscribers=stored, blacklists={"recipient": listed}),
        )
    return suite


def suites():
    return [suite_plan()]
