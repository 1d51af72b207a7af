"""Invalid policies, and settings at their limits."""

from .kit import MAILER, REQUEST, Suite, batch


def invalid():
    suite = Suite(
        "policies", "Policies that cannot be, refused with the key named, and settings at their limits."
    )
    bad = {
        "max_requests": [0, -1, "10", 1.5, True, []],
        "max_bytes": [0, -1, "10", 1.5, False, {}],
        "max_attempts": [0, -3, "3", 2.5, True, []],
        "today": [
            "",
            "today",
            "2024-02-30",
            "2024-5-1",
            "30.04.2024",
            "2024-04-30T00:00:00Z",
            20240430,
            True,
            "0000-01-01",
            " 2024-04-30",
        ],
        "batch": ["", "Whole", "PARTIAL", "half", True, 1],
        "empty_clears": ["true", 1, 0, "", []],
        "html_encoding": ["", "Detect", "never", True],
        "hidden_hosts": ["", "Refuse", "ask ", "never", True, 1],
        "bare_domains": ["true", 1, 0, "", []],
        "placeholders": [
            "{{ }}",
            {},
            [["{{"]],
            [["{{", "}}", "x"]],
            [["", "}}"]],
            [["{{", ""]],
            ["{{", "}}"],
            [[1, 2]],
            True,
        ],
        "answer_values": ["", "Strings", "number", 1, True],
        "answer_status": ["", "Word", "text", 2, False],
    }
    for key, values in bad.items():
        for value in values:
            suite.mailer(f"{key} cannot be {value!r}", MAILER, policy={key: value}, error=key)
    for value in bad["max_requests"][:2] + bad["max_requests"][2:3]:
        suite.add(
            f"a preflight refuses max_requests {value!r}",
            {"do": "preflight", "operation": "httpSendMail", "body": "{}", "policy": {"max_requests": value}},
            error="max_requests",
        )
    suite.add(
        "compose refuses a policy too",
        {
            "do": "compose",
            "operation": "httpSendMail",
            "fields": {"ApiKey": "k", "requests": []},
            "policy": {"max_bytes": -1},
        },
        error="max_bytes",
    )
    suite.add(
        "replay refuses a policy too",
        {
            "do": "replay",
            "transcript": {
                "operation": "sendMailer",
                "method": "POST",
                "body": "{}",
                "policy": {"batch": "some"},
                "steps": [],
            },
        },
        error="batch",
    )
    for key in ("maxRequests", "max_request", "retry", "Today", "", "max_requests "):
        suite.mailer(f"no such key: {key!r}", MAILER, policy={key: 1}, error=key)
    suite.mailer(
        "an unknown key beside good ones",
        MAILER,
        policy={"max_attempts": 1, "colour": "blue"},
        error="colour",
    )
    suite.mailer("an empty policy", MAILER, 200, None, policy={})
    defaults = {
        "max_requests": 1000,
        "max_bytes": 33554432,
        "max_attempts": 3,
        "today": None,
        "batch": "whole",
        "empty_clears": False,
        "html_encoding": "detect",
        "hidden_hosts": "refuse",
        "bare_domains": False,
        "placeholders": [["{{", "}}"], ["{%", "%}"], ["%%", "%%"], ["*|", "|*"], ["{*", "*}"], ["${", "}"]],
        "answer_values": "strings",
        "answer_status": "word",
    }
    for operation, body in (("sendMailer", MAILER), ("httpSendMail", batch(REQUEST))):
        suite.decide(
            f"{operation}: every key at its default", operation, body, {"code": 200}, policy=defaults
        )
    body = batch(REQUEST)
    size = len(__import__("json").dumps(body, separators=(",", ":")))
    suite.http("max_bytes: exactly", body, 200, None, policy={"max_bytes": size})
    suite.http(
        "max_bytes: one more",
        body,
        454,
        "body-too-large",
        policy={"max_bytes": size - 1},
        wants={"pointer": "", "span": [0, size]},
    )
    suite.http("max_bytes 1", body, 454, "body-too-large", policy={"max_bytes": 1})
    suite.http(
        "max_bytes counts bytes, not characters", '{"é":1}', 454, "body-too-large", policy={"max_bytes": 7}
    )
    suite.http(
        "max_bytes is judged before the JSON", "x" * 30, 454, "body-too-large", policy={"max_bytes": 29}
    )
    suite.http(
        "max_bytes counts a byte-order mark",
        b"\xef\xbb\xbf{}",
        454,
        "body-too-large",
        policy={"max_bytes": 4},
    )
    for limit in (1, 2, 3):
        for count in (1, 2, 3, 4):
            suite.http(
                f"max_requests {limit}, {count} requests",
                batch(*[REQUEST] * count),
                *((453, "too-many-requests") if count > limit else (200, None)),
                policy={"max_requests": limit},
            )
    return suite


def suites():
    return [invalid()]
