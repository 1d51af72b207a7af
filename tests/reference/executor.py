"""Cases in, answers out: one JSON line each."""

import base64
import binascii
import json

from . import (
    address,
    answer,
    compose,
    dates,
    domain,
    form,
    links,
    machine,
    outcome,
    policy,
    preflight,
    rules,
    transcript,
)
from .world import CaseError, World


def body_of(case):
    if "body" in case:
        return case["body"].encode("utf-8")
    return base64.b64decode(case["body_base64"], validate=True)


def operation_of(case):
    if case.get("operation") not in rules.OPERATIONS:
        raise CaseError("no such operation")
    return case["operation"]


def start(case):
    operation = operation_of(case)
    return machine.run(operation, case["method"], body_of(case), policy.build(case.get("policy", {})))


def do_decide(case):
    host = World(operation_of(case), case.get("world", {}))
    _, decision = transcript.record(start(case), host)
    return {**decision, "asked": host.asked}


def do_preflight(case):
    return preflight.preflight(operation_of(case), body_of(case), policy.build(case.get("policy", {})))


def do_address(case):
    parsed = address.parse(case["text"])
    if parsed is None:
        return {"valid": False, "key": None, "domain": None}
    return {"valid": True, "key": parsed.key, "domain": parsed.domain}


def do_addresses(case):
    entries = []
    for begin, end in address.split_list(case["text"]):
        text = case["text"][begin:end]
        parsed = address.parse(text)
        entries.append({"text": text, "valid": parsed is not None, "key": parsed and parsed.key})
    return {"entries": entries}


def do_decode(case):
    html, encoding = form.decode(case["text"])
    return {"html": html, "encoding": None if html is None else encoding}


def do_hosts(case):
    return {"hosts": sorted(set(links.hosts_in_order(case["html"])))}


def do_blacklisted(case):
    name = domain.normalize_entry(case["domain"])
    entries = [domain.normalize_entry(entry) for entry in case["entries"]]
    if name is None or None in entries:
        raise CaseError("no domain")
    return {"blacklisted": domain.is_blacklisted(name, entries)}


def do_date(case):
    return {"valid": dates.is_day(case["text"])}


def do_outcome(case):
    if not set(case["events"]) <= outcome.EVENTS:
        raise CaseError("no such event")
    return {"summary": outcome.summary(case["events"], case["track_opens"], case["track_clicks"])}


def do_answer(case):
    return answer.read(case["text"])


def do_compose(case):
    built = policy.build(case.get("policy", {}))
    return {"calls": compose.compose(operation_of(case), case["fields"], built)}


def do_replay(case):
    replayed = case["transcript"]
    results, decision = transcript.replay(start(replayed), replayed["steps"], operation_of(replayed))
    return {"steps": results, "decision": decision}


def do_rules(_case):
    return {
        "rules": [
            {
                "rule": rule,
                "phase": phase,
                "sendMailer": send_mailer,
                "httpSendMail": http_send_mail,
                "meaning": "Broken as the rules say.",
                "remedy": "Do as the rules say.",
            }
            for rule, phase, send_mailer, http_send_mail in rules.TABLE
        ]
    }


KINDS = {name[3:]: function for name, function in list(globals().items()) if name.startswith("do_")}

ERRORS = (
    CaseError,
    policy.InvalidPolicy,
    answer.Unreadable,
    compose.DoesNotFit,
    binascii.Error,
    KeyError,
    TypeError,
    AttributeError,
    ValueError,
)


def answer_case(case):
    """The answer to a case that was read from its line."""
    number = case.get("id") if isinstance(case, dict) else None
    try:
        if not isinstance(case, dict) or case.get("do") not in KINDS:
            raise CaseError("no such kind of case")
        return {"id": number, **KINDS[case["do"]](case)}
    except ERRORS as error:
        return {"id": number, "error": str(error) or type(error).__name__}


def answer_line(line):
    try:
        case = json.loads(line)
    except ValueError:
        return {"id": None, "error": "the line is not JSON"}
    return answer_case(case)
