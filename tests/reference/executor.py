"""Cases in, answers out: one JSON line each."""

import base64

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
    strictjson,
    transcript,
    urls,
)
from .world import CaseError, World


def body_of(case):
    if "body" in case and "body_base64" in case:
        raise CaseError("both kinds of body")
    if "body" in case:
        return text_of(case, "body").encode("utf-8")
    text = text_of(case, "body_base64")
    body = base64.b64decode(text, validate=True)
    if base64.b64encode(body).decode("ascii") != text:
        raise CaseError("body_base64: bits that are left over")
    return body


def text_of(case, name):
    if not isinstance(case[name], str):
        raise CaseError(f"{name}: not a text")
    return case[name]


def flag_of(case, name):
    if not isinstance(case.get(name, False), bool):
        raise CaseError(f"{name}: neither true nor false")
    return case.get(name, False)


def policy_of(case):
    given = case.get("policy")
    return policy.build({} if given is None else given)


def operation_of(case):
    if case.get("operation") not in rules.OPERATIONS:
        raise CaseError("no such operation")
    return case["operation"]


def start(case):
    operation = operation_of(case)
    method = text_of(case, "method") if "method" in case else "POST"
    return machine.run(operation, method, body_of(case), policy_of(case))


def do_decide(case):
    host = World(operation_of(case), case.get("world"))
    _, decision = transcript.record(start(case), host)
    return {**decision, "asked": host.asked}


# The headers about the operation with each answer (interface, section 8; RFC 8594, RFC 9745).
SUNSET = {"Sunset": "Tue, 30 Apr 2024 23:59:59 GMT", "Deprecation": "@1714521599"}


def do_http(case):
    decision = do_decide(case)
    status, headers, body = 200, {"Content-Type": "application/json"}, decision["response"]
    error = decision.get("error")
    if error is not None:
        # Nothing is known of a plan that was handed out: only after a roll-back may the call be sent again.
        may_be_sent_again = error == "host"
        is_fault = error != "host" and decision["asked"]["commits"] == 0
        status, headers, body = 500 if is_fault else 503, {"Retry-After": "5"} if may_be_sent_again else {}, ""
    if case["operation"] == "httpSendMail":
        headers |= SUNSET
    return {"status": status, "headers": headers, "body": body}


def do_preflight(case):
    return preflight.preflight(operation_of(case), body_of(case), policy_of(case))


def do_address(case):
    parsed = address.parse(text_of(case, "text"))
    if parsed is None:
        return {"valid": False, "key": None, "domain": None}
    return {"valid": True, "key": parsed.key, "domain": parsed.domain}


def do_addresses(case):
    entries = []
    for begin, end in address.split_list(text_of(case, "text")):
        text = case["text"][begin:end]
        parsed = address.parse(text)
        entries.append({"text": text, "valid": parsed is not None, "key": parsed and parsed.key})
    return {"entries": entries}


def do_decode(case):
    html, encoding = form.decode(text_of(case, "text"))
    return {"html": html, "encoding": None if html is None else encoding}


def do_hosts(case):
    return {"hosts": sorted(set(links.hosts_in_order(text_of(case, "html"))))}


def do_blacklisted(case):
    if not isinstance(case["entries"], list):
        raise CaseError("entries: no array")
    name = urls.blacklist_entry(text_of(case, "domain"))
    entries = [urls.blacklist_entry(entry) for entry in case["entries"]]
    if name is None or None in entries:
        raise CaseError("no domain")
    return {"blacklisted": domain.is_blacklisted(name, entries)}


def do_date(case):
    return {"valid": dates.is_day(text_of(case, "text"))}


def do_outcome(case):
    events = case["events"]
    if not isinstance(events, list) or any(type(event) is not int for event in events):
        raise CaseError("events: not an array of codes")
    if not set(events) <= outcome.EVENTS:
        raise CaseError("no such event")
    return {"summary": outcome.summary(events, flag_of(case, "track_opens"), flag_of(case, "track_clicks"))}


def do_answer(case):
    return answer.read(text_of(case, "text"))


def do_compose(case):
    return {"calls": compose.compose(operation_of(case), case["fields"], policy_of(case))}


def do_replay(case):
    replayed = case["transcript"]
    if replayed.get("masked") is True:
        raise CaseError("a masked transcript")
    if not isinstance(replayed["steps"], list):
        raise CaseError("steps: no array")
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
    compose.CannotCompose,
    KeyError,
    TypeError,
    AttributeError,
    ValueError,
)


def answer_case(case):
    """The answer to a case that was read from its line."""
    number = case.get("id") if isinstance(case, dict) else None
    try:
        if not isinstance(case, dict) or not isinstance(case.get("do"), str) or case["do"] not in KINDS:
            raise CaseError("no such kind of case")
        return {"id": number, **KINDS[case["do"]](case)}
    except ERRORS as error:
        return {"id": number, "error": str(error) or type(error).__name__}


def answer_line(line):
    try:
        case = strictjson.loads(line)
    except ValueError:
        return {"id": None, "error": "the line is not JSON"}
    return answer_case(case)
