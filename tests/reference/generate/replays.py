"""Transcripts replayed."""

import copy

from .. import machine, policy, transcript
from .. import world as worlds
from .kit import KEY, MAILER, REQUEST, Suite, account, batch, dump, without, world

FULL = {**MAILER, "from": "news@shop.example", "listName": "Customers", "city": "X"}
HTTP = batch(
    {
        **REQUEST,
        "cc": "known@customer.example",
        "replyTo": "r@answers.example",
        "body": "<a href='https://www.link.example/'>x</a>",
    },
    {**REQUEST, "to": "a@sub.other.example"},
)
ACCOUNT = {"account": account()[KEY]}


def recorded(operation, body, changes=None, settings=None, method="POST"):
    """A whole transcript, with its decision."""
    body = body if isinstance(body, str) else dump(body)
    built = policy.build(settings or {})
    host = worlds.World(operation, world(**(changes or {})))
    steps, decision = transcript.record(machine.run(operation, method, body.encode(), built), host)
    return {
        "operation": operation,
        "method": method,
        "body": body,
        "policy": settings or {},
        "steps": steps,
        "decision": decision,
    }


def replay(suite, name, told):
    """Adds a whole transcript. Its answers all fit, and its replay ends in the recorded decision."""
    answer = suite.add(
        name, {"do": "replay", "transcript": without(told, "decision")}, {"decision": told["decision"]}
    )
    assert set(answer["steps"]) == {"ok"}, (name, answer["steps"])


def suites():
    suite = Suite(
        "transcripts",
        "Transcripts replayed: right answers, wrong ones that are the host's misuse and change nothing, "
        "questions that stand or are left out, conversations that do not reach the end.",
    )

    def add(name, told, results=None, decision="as told", error=None, drop_decision=True):
        told = copy.deepcopy(told)
        wanted = told.pop("decision") if drop_decision else told["decision"]
        answer = suite.add(name, {"do": "replay", "transcript": told}, error=error)
        if results is not None:
            assert answer["steps"] == results, (name, answer["steps"])
        if error is None and decision == "as told":
            assert answer["decision"] == wanted, (name, answer["decision"], wanted)
        elif error is None:
            assert answer["decision"] is decision or answer["decision"] == decision, (
                name,
                answer["decision"],
            )
        return answer

    def changed(told, change):
        told = copy.deepcopy(told)
        change(told["steps"])
        return told

    def silent(steps):
        for step in steps:
            step.pop("ask", None)

    full, http = recorded("sendMailer", FULL), recorded("httpSendMail", HTTP)
    # What is asked, in columns, by hand.
    assert [step["ask"] for step in full["steps"]][:2] == [
        {"account": KEY},
        {
            "facts": {
                "mailers": [42],
                "senders": ["news@shop.example"],
                "subscriber_ids": [],
                "subscribers": ["new@customer.example"],
                "lists": ["Customers"],
                "domains": [
                    {"domain": "shop.example", "roles": ["sender"]},
                    {"domain": "customer.example", "roles": ["recipient"]},
                ],
            }
        },
    ]
    assert http["steps"][1]["ask"] == {
        "facts": {
            "mailers": [],
            "senders": ["news@shop.example"],
            "subscriber_ids": [],
            "subscribers": ["new@customer.example", "known@customer.example", "a@sub.other.example"],
            "lists": [],
            "domains": [
                {"domain": "shop.example", "roles": ["sender"]},
                {"domain": "answers.example", "roles": ["reply_to"]},
                {"domain": "customer.example", "roles": ["recipient"]},
                {"domain": "www.link.example", "roles": ["content"]},
                {"domain": "link.example", "roles": ["content"]},
                {"domain": "sub.other.example", "roles": ["recipient"]},
                {"domain": "other.example", "roles": ["recipient"]},
            ],
        }
    }
    for name, told in [("sendMailer", full), ("httpSendMail", http)]:
        add(f"{name}: as written", told, ["ok"] * 3)
        add(f"{name}: with its decision", told, ["ok"] * 3, drop_decision=False)
        add(f"{name}: without the questions", changed(told, silent), ["ok"] * 3)
        add(f"{name}: without one question", changed(told, lambda steps: steps[1].pop("ask")), ["ok"] * 3)
        for count in (0, 1, 2):
            add(
                f"{name}: unfinished after {count} steps",
                changed(told, lambda steps: steps.__delitem__(slice(count, None))),
                ["ok"] * count,
                None,
            )
        for place in range(4):
            for kind, answer in [
                ("account", ACCOUNT),
                ("facts", told["steps"][1]["answer"]),
                ("commit", {"commit": {"transaction_id": 1}}),
            ]:
                if place < 3 and list(told["steps"][place]["answer"]) == [kind]:
                    continue
                results = ["ok"] * place + ["misuse"] + ["ok"] * (3 - place)
                add(
                    f"{name}: an answer about {kind} out of turn, at step {place}",
                    changed(told, lambda steps: steps.insert(place, {"answer": answer})),
                    results,
                )
        for column, values in told["steps"][1]["answer"]["facts"].items():

            def longer(steps):
                steps.insert(1, copy.deepcopy(steps[1]))
                steps[1]["answer"]["facts"][column].append(
                    []
                    if column == "domains"
                    else None
                    if column in ("mailers", "subscriber_ids", "subscribers")
                    else True
                )

            def shorter(steps):
                steps.insert(1, copy.deepcopy(steps[1]))
                steps[1]["answer"]["facts"][column].pop()

            add(f"{name}: one {column} too many", changed(told, longer), ["ok", "misuse", "ok", "ok"])
            if values:
                add(f"{name}: one of {column} too few", changed(told, shorter), ["ok", "misuse", "ok", "ok"])
        add(
            f"{name}: two answers more than were asked for",
            changed(told, lambda steps: steps.extend([{"answer": ACCOUNT}, {"answer": ACCOUNT}])),
            ["ok"] * 3 + ["misuse"] * 2,
        )
        add(
            f"{name}: only wrong answers",
            {**told, "steps": [{"answer": {"commit": {"transaction_id": 5}}}] * 3},
            ["misuse"] * 3,
            None,
        )
        add(
            f"{name}: a question that is not asked",
            changed(told, lambda steps: steps[0].update(ask={"account": "another"})),
            error="",
        )
    add(
        "the account is not known",
        {**full, "steps": [{"answer": {"account": None}}]},
        ["ok"],
        {**recorded("sendMailer", FULL, {"accounts": {}})["decision"]},
    )
    for operation, body, changes, settings, results in [
        ("sendMailer", "{", {}, {}, []),
        ("sendMailer", without(FULL, "apiKey"), {}, {}, []),
        ("sendMailer", FULL, {"accounts": account(blocked=True)}, {}, ["ok"]),
        ("sendMailer", {**FULL, "email": "bad"}, {}, {}, ["ok"]),
        ("sendMailer", FULL, {"lists": []}, {}, ["ok", "ok"]),
        ("sendMailer", FULL, {"accounts": account(email_credit=0)}, {}, ["ok", "ok"]),
        ("sendMailer", {**FULL, "subID": 7}, {}, {}, ["ok"] * 3),
        ("sendMailer", {**FULL, "subID": 8}, {}, {}, ["ok"] * 2),
        ("sendMailer", FULL, {"commits": [{"conflict": "subscriber_exists"}]}, {}, ["ok"] * 6),
        ("sendMailer", FULL, {"commits": [{"conflict": "subscriber_gone"}] * 3}, {}, ["ok"] * 9),
        ("sendMailer", FULL, {"commits": [{"conflict": "other"}] * 2}, {"max_attempts": 2}, ["ok"] * 6),
        ("sendMailer", FULL, {"commits": [{"conflict": "other"}]}, {"max_attempts": 1}, ["ok"] * 3),
        ("sendMailer", FULL, {}, {"answer_values": "numbers", "answer_status": "place"}, ["ok"] * 3),
        ("httpSendMail", "[]", {}, {}, []),
        ("httpSendMail", HTTP, {}, {"today": "2024-05-01"}, []),
        ("httpSendMail", HTTP, {}, {"max_requests": 1}, ["ok"]),
        ("httpSendMail", HTTP, {"blacklists": {"content": ["link.example"]}}, {}, ["ok"] * 2),
        (
            "httpSendMail",
            HTTP,
            {"blacklists": {"recipient": ["other.example"]}},
            {"batch": "partial"},
            ["ok"] * 3,
        ),
        (
            "httpSendMail",
            HTTP,
            {"commits": [{"conflict": "email_credit", "change": {"accounts": account(email_credit=1)}}]},
            {},
            ["ok"] * 5,
        ),
        ("httpSendMail", HTTP, {"commits": [{"conflict": "subscriber_inactive"}] * 3}, {}, ["ok"] * 9),
        ("httpSendMail", batch({**REQUEST, "to": "a@x.example,nope"}), {}, {"batch": "partial"}, ["ok"] * 3),
        ("httpSendMail", batch({**REQUEST, "to": "nope"}), {}, {"batch": "partial"}, ["ok"]),
    ]:
        told = recorded(operation, body, changes, settings)
        shown = told["decision"]["rule"] or told["decision"].get("error") or "accepted"
        add(f"{operation}: {shown} in {len(results)} steps", told, results)
        add(
            f"{operation}: {shown} in {len(results)} steps, without the questions",
            changed(told, silent),
            results,
        )
        if len(results) < 7:
            add(
                f"{operation}: {shown} in {len(results)} steps, then one answer more",
                changed(told, lambda steps: steps.append({"answer": ACCOUNT})),
                results + ["misuse"],
            )
        if results:
            add(
                f"{operation}: {shown}, the last answer missing",
                changed(told, lambda steps: steps.pop()),
                results[:-1],
                None,
            )
    add("the method is not POST", recorded("sendMailer", FULL, method="PUT"), [])
    # Facts that no world gives: the host's own word on addresses that are not in the body.
    least = recorded("sendMailer", MAILER)

    def with_facts(told, **columns):
        def change(steps):
            steps[1]["answer"]["facts"].update(columns)

        return changed(told, change)

    def ends(name, told, rule, code):
        answer = suite.add(
            name,
            {
                "do": "replay",
                "transcript": without(
                    {**told, "steps": [{"answer": step["answer"]} for step in told["steps"]][:2]}, "decision"
                ),
            },
        )
        assert (answer["decision"]["rule"], answer["decision"]["code"]) == (rule, code), answer

    ends(
        "an assigned address that the host calls blacklisted",
        with_facts(least, mailers=[{"from": "news@shop.example", "from_name": "S", "blacklisted": True}]),
        "sender-domain-blacklisted",
        414,
    )
    ends(
        "a stored address that the host calls blacklisted",
        with_facts(
            least, subscribers=[{"id": 1, "email": "x@y.example", "inactive": False, "blacklisted": True}]
        ),
        "recipient-domain-blacklisted",
        416,
    )
    ends(
        "a stored address that the host calls inactive",
        with_facts(
            least, subscribers=[{"id": 1, "email": "x@y.example", "inactive": True, "blacklisted": False}]
        ),
        "subscriber-inactive",
        443,
    )
    ends(
        "a recipient's domain on the list",
        with_facts(least, domains=[["recipient"]]),
        "recipient-domain-blacklisted",
        416,
    )
    told = with_facts(
        least,
        subscribers=[{"id": 1, "email": "x@y.example", "inactive": False, "blacklisted": False}],
        domains=[["recipient"]],
    )
    told["steps"][2].pop("ask")
    answer = suite.add(
        "a matched address is judged by the host's word alone",
        {"do": "replay", "transcript": without(told, "decision")},
        {"steps": ["ok"] * 3},
    )
    assert answer["decision"]["code"] == 200 and answer["decision"]["plan"]["messages"][0]["recipients"] == [
        {"to": "x@y.example", "role": None, "subscriber": 1}
    ]
    told = changed(least, lambda steps: steps[2]["answer"].update(commit={"transaction_id": 2**53 - 1}))
    assert (
        suite.add("the largest transaction id", {"do": "replay", "transcript": without(told, "decision")})[
            "decision"
        ]["code"]
        == 200
    )
    told = changed(least, lambda steps: steps[2]["answer"].update(commit={"transaction_id": 0}))
    suite.add(
        "a transaction id that cannot be ends the call",
        {"do": "replay", "transcript": without(told, "decision")},
        {"steps": ["ok", "ok", "misuse"]},
    )
    as_bytes = {
        **without(least, "body", "decision"),
        "body_base64": __import__("base64").b64encode(least["body"].encode()).decode(),
    }
    suite.add("a body as base64", {"do": "replay", "transcript": as_bytes}, {"steps": ["ok"] * 3})
    return [suite]
