"""Days, outcomes, the rule table, and lines that are not cases."""

import itertools

from .kit import Suite, dump
from .scenario import ORDER


def days():
    suite = Suite("dates", "Days written yyyy-mm-dd in the proleptic Gregorian calendar, year 0001 to 9999.")
    good = [
        "2000-01-01",
        "1999-12-31",
        "2024-02-29",
        "2000-02-29",
        "1600-02-29",
        "0004-02-29",
        "0001-01-01",
        "9999-12-31",
        "1582-10-10",
        "1752-09-05",
        "2100-02-28",
        "2023-04-30",
        "2400-02-29",
    ]
    good += [
        f"2023-{month:02}-{last}"
        for month, last in enumerate([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], 1)
    ]
    bad = [
        "",
        " ",
        "2000",
        "2000-01",
        "2000-1-1",
        "2000-01-1",
        "2000-001-01",
        "00-01-01",
        "20000101",
        "2000/01/01",
        "2000.01.01",
        "01-01-2000",
        "2000-01-01T00:00:00Z",
        " 2000-01-01",
        "2000-01-01 ",
        "2000-01-01\n",
        "0000-01-01",
        "10000-01-01",
        "-2000-01-01",
        "+2000-01-01",
        "2000-00-01",
        "2000-13-01",
        "2000-01-00",
        "2000-01-32",
        "1900-02-29",
        "2100-02-29",
        "2023-02-29",
        "2023-02-30",
        "2024-02-30",
        "２０００-01-01",
        "2000-01-٠١",
        "2000–01–01",
        "2000-01-0x",
        "abcd-ef-gh",
        "2000-W01-1",
        "2000-001",
        "2000-01-01x",
        "x2000-01-01",
        "2000--1-01",
        "2000-01--1",
        "2000- 1- 1",
        "\u00002000-01-01",
        "2000-1e-01",
        "0x7d-01-01",
        "1e10-01-01",
    ]
    bad += [
        f"2023-{month:02}-{last + 1}"
        for month, last in enumerate([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], 1)
    ]
    for text in good:
        suite.add(f"a day: {text}", {"do": "date", "text": text}, {"valid": True})
    for text in bad:
        suite.add(f"no day: {text!r}", {"do": "date", "text": text}, {"valid": False})
    return suite


def outcomes():
    suite = Suite(
        "outcomes", "The summary of an email's events in any order and number, with and without tracking."
    )
    events = (417, 418, 451, 452)
    for size in range(5):
        for chosen in itertools.combinations(events, size):
            for opens, clicks in itertools.product((True, False), repeat=2):
                counted = {
                    event
                    for event in chosen
                    if not (event == 451 and not opens or event == 452 and not clicks)
                }
                summary = next((event for event in (452, 451, 417, 418) if event in counted), 200)
                suite.add(
                    f"{list(chosen)}, opens {opens}, clicks {clicks}",
                    {"do": "outcome", "events": list(chosen), "track_opens": opens, "track_clicks": clicks},
                    {"summary": summary},
                )
    for order in itertools.permutations(events):
        suite.add(
            f"the order {list(order)} is of no matter",
            {"do": "outcome", "events": list(order), "track_opens": True, "track_clicks": True},
            {"summary": 452},
        )
    for listed, summary in [
        ([418, 418], 418),
        ([417, 418, 417], 417),
        ([451, 418, 451, 451], 451),
        ([418, 417], 417),
        ([452] * 50, 452),
    ]:
        suite.add(
            f"repeated: {listed[:4]}",
            {"do": "outcome", "events": listed, "track_opens": True, "track_clicks": True},
            {"summary": summary},
        )
    for event in (200, 0, 416, 453, -1, 999):
        suite.add(
            f"no event: {event}",
            {"do": "outcome", "events": [418, event], "track_opens": True, "track_clicks": True},
            error="",
        )
    return suite


def table():
    suite = Suite(
        "rules", "The rule table: identifiers, phases and codes in order; meaning and remedy are any text."
    )
    suite.add("the whole table in order", {"do": "rules"})
    got = suite.vectors[-1]["expect"]
    assert [(row["rule"], row["phase"], row["sendMailer"], row["httpSendMail"]) for row in got["rules"]] == [
        (rule, *columns) for rule, columns in ORDER.items()
    ]
    for row in got["rules"]:
        row.update(meaning={"$text": ""}, remedy={"$text": ""})
    return suite


def lines():
    suite = Suite(
        "executor-errors",
        "Lines that are no valid case: an error with the line's id, and the executor goes on.",
    )
    for name, line in [
        ("not JSON", "nope"),
        ("cut off", '{"id":1,"do":"rules"'),
        ("an empty object", "{}"),
        ("only a kind that does not exist", '{"do":"nothing"}'),
    ]:
        suite.add_line(name, line)
    suite.add("after a bad line the executor goes on", {"do": "date", "text": "2000-01-01"}, {"valid": True})
    for number in ("x", 7, 0, "é😀", "a\nb"):
        suite.add_line(
            f"an unknown kind keeps the id {number!r}", dump({"id": number, "do": "decides"}), number
        )
    for kind in ("", "Decide", "decide ", "outcomes", None, 5):
        suite.add(f"an unknown kind: {kind!r}", {"do": kind}, error="")
    good = {"do": "decide", "method": "POST", "body": "{}"}
    for operation in ("", "sendmailer", "SendMailer", "sendEmail", "httpSendMail.php", None):
        suite.add(f"an unknown operation: {operation!r}", {**good, "operation": operation}, error="")
        suite.add(
            f"an unknown operation in a preflight: {operation!r}",
            {"do": "preflight", "operation": operation, "body": "{}"},
            error="",
        )
    suite.add("no body", {"do": "decide", "operation": "sendMailer", "method": "POST"}, error="")
    suite.add(
        "a body that is no base64",
        {"do": "preflight", "operation": "sendMailer", "body_base64": "@@@"},
        error="",
    )
    for number in ("text", 12, 2**40, None):
        answer = suite.add(f"the id {number!r} comes back", {"do": "date", "text": "x"}, {"valid": False})
        suite.vectors[-1]["case"]["id"] = number
        suite.vectors[-1]["expect"] = {**answer, "id": number}
    suite.add("a body as base64", {"do": "preflight", "operation": "sendMailer", "body_base64": "e30="}, None)
    suite.add(
        "an empty body as base64", {"do": "preflight", "operation": "sendMailer", "body_base64": ""}, None
    )
    return suite


def suites():
    return [days(), outcomes(), table(), lines()]
