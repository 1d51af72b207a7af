"""Reads one conformance case a line from standard input and writes one answer a line to standard output.

It uses the public package, as a user would, and knows no rules.
"""

from __future__ import annotations

import base64
import json
import math
import pathlib
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from world import World

import franking

Case = Mapping[str, Any]
Answer = dict[str, Any]


class CaseError(Exception):
    """The line is not a valid case."""


def member(case: Case, key: str, kind: type) -> Any:
    """A member of the case. It has to be there, and to be of this type."""
    value = case.get(key)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise CaseError(f"{key} has to be given, as {kind.__name__}")
    return value


def body_of(case: Case) -> bytes:
    if "body" in case and "body_base64" in case:
        raise CaseError("body and body_base64 are both there")
    if "body" in case:
        return member(case, "body", str).encode()  # type: ignore[no-any-return]
    text = member(case, "body_base64", str)
    body = base64.b64decode(text, validate=True)
    # The decoder ignores the bits that the last character leaves over.
    if base64.b64encode(body).decode("ascii") != text:
        raise CaseError("body_base64 is not base64")
    return body


def policy_of(case: Case) -> franking.Policy:
    policy = case.get("policy")
    return franking.Policy.from_json(json.dumps({} if policy is None else policy))


def do_decide(case: Case) -> Answer:
    try:
        decision = decided(case, policy_of(case))
    except franking.CommitUnknownError as error:
        if error.decision is None:
            raise
        decision = error.decision
    violation = decision.violation
    answer: Answer = {
        "code": decision.code,
        "rule": violation and violation.rule,
        "pointer": violation and violation.pointer,
        "span": violation and violation.span,
        "request": violation and violation.request,
        "response": decision.response,
        "plan": plan_to_json(decision.plan) if decision.plan is not None else None,
        "refused": [refused_to_json(row) for row in decision.refused] if decision.failure is None else None,
        "deprecation": deprecation_to_json(decision.deprecation),
        "asked": asdict(decision.asked),
    }
    if decision.failure is not None:
        answer["error"] = decision.failure
    return answer


def do_http(case: Case) -> Answer:
    policy = policy_of(case)
    try:
        answer = decided(case, policy).http()
    except (franking.CommitUnknownError, franking.MisuseError, franking.InternalError) as error:
        answer = franking.http_answer(member(case, "operation", str), error, policy)
    return {"status": answer.status, "headers": answer.headers, "body": answer.body.decode()}


def decided(case: Case, policy: franking.Policy) -> franking.Decision:
    operation = franking.Operation(member(case, "operation", str))
    host = World(case.get("world"), operation)
    method = member(case, "method", str) if "method" in case else "POST"
    return franking.decide(operation, body_of(case), host, policy, method=method)


def plan_to_json(plan: franking.Plan) -> Answer:
    return {
        "create": [new_subscriber_to_json(new) for new in plan.create],
        "update": [{"id": update.id, "fields": update.fields} for update in plan.update],
        "enlist": [{"id": subscriber, "list": plan.API_LIST} for subscriber in plan.enlist],
        "messages": [message_to_json(message) for message in plan.messages],
        "collapsed": [collapsed_to_json(collapsed) for collapsed in plan.collapsed],
        "debit": asdict(plan.debit),
    }


def new_subscriber_to_json(new: franking.NewSubscriber) -> Answer:
    return {"email": new.email, "match_key": new.match_key, "list": new.list, "fields": new.fields}


def message_to_json(message: franking.Message) -> Answer:
    return {
        "request": message.request,
        "mailer": message.mailer,
        "subject": message.subject,
        "html": message.html,
        "encoding": message.encoding,
        "from": message.from_address,
        "from_name": message.from_name,
        "reply_to": message.reply_to,
        "track_opens": message.track_opens,
        "track_clicks": message.track_clicks,
        "custom_field": message.custom_field,
        "recipients": [recipient_to_json(recipient) for recipient in message.recipients],
    }


def recipient_to_json(recipient: franking.Recipient) -> Answer:
    return {"to": recipient.to, "role": recipient.role, "subscriber": recipient.subscriber}


def collapsed_to_json(collapsed: franking.Collapsed) -> Answer:
    return {
        "request": collapsed.request,
        "pointer": collapsed.pointer,
        "span": collapsed.span,
        "to": collapsed.to,
    }


def refused_to_json(row: franking.Violation) -> Answer:
    return {
        "request": row.request,
        "pointer": row.pointer,
        "span": row.span,
        "rule": row.rule,
        "code": row.code,
    }


def deprecation_to_json(deprecation: franking.Deprecation | None) -> Answer | None:
    if deprecation is None:
        return None
    return {"last_day": deprecation.last_day, "successor": deprecation.successor}


# How many violations the JSON form of a preflight lists.
MOST_VIOLATIONS = 10_000


def do_preflight(case: Case) -> Answer:
    report = franking.preflight(member(case, "operation", str), body_of(case), policy_of(case))
    listed = report.violations[:MOST_VIOLATIONS]
    answer = {
        "violations": [
            {"rule": row.rule, "code": row.code, "pointer": row.pointer, "span": row.span} for row in listed
        ],
        "warnings": [{"warning": row.kind, "pointer": row.pointer} for row in report.warnings],
    }
    more = len(report.violations) - len(listed)
    return answer | ({"more": more} if more else {})


def do_address(case: Case) -> Answer:
    try:
        address = franking.Address.parse(member(case, "text", str))
    except franking.InvalidError:
        return {"valid": False, "key": None, "domain": None}
    return {"valid": True, "key": address.match_key, "domain": address.domain}


def do_addresses(case: Case) -> Answer:
    return {
        "entries": [
            {
                "text": entry.text,
                "valid": entry.address is not None,
                "key": entry.address and entry.address.match_key,
            }
            for entry in franking.address_entries(member(case, "text", str))
        ]
    }


def do_decode(case: Case) -> Answer:
    try:
        return asdict(franking.html_decode(member(case, "text", str)))
    except franking.InvalidError:
        return {"html": None, "encoding": None}


def do_hosts(case: Case) -> Answer:
    return {"hosts": franking.html_hosts(member(case, "html", str))}


def do_blacklisted(case: Case) -> Answer:
    blacklist = franking.DomainSet(member(case, "entries", list))
    # A set accepts only domains.
    (domain,) = franking.DomainSet([member(case, "domain", str)])
    return {"blacklisted": blacklist.listed(domain) is not None}


def do_date(case: Case) -> Answer:
    return {"valid": franking.is_day(member(case, "text", str))}


def do_outcome(case: Case) -> Answer:
    events = member(case, "events", list)
    if any(type(event) is not int for event in events):
        raise CaseError("an event has to be a code")
    outcome = franking.Outcome(
        events,
        track_opens=member(case, "track_opens", bool) if "track_opens" in case else False,
        track_clicks=member(case, "track_clicks", bool) if "track_clicks" in case else False,
    )
    return {"summary": outcome.summary}


def do_answer(case: Case) -> Answer:
    return asdict(franking.Response.read(member(case, "text", str)))


def do_compose(case: Case) -> Answer:
    operation = member(case, "operation", str)
    calls = franking.compose(operation, member(case, "fields", dict), policy_of(case))
    return {"calls": [call.body for call in calls]}


def do_replay(case: Case) -> Answer:
    transcript = franking.Transcript.from_json(json.dumps(member(case, "transcript", dict)))
    replay = transcript.replay()
    return {"steps": ["ok" if taken else "misuse" for taken in replay.steps], "decision": replay.decision}


def do_rules(_case: Case) -> Answer:
    return {
        "rules": [
            {
                "rule": rule,
                "phase": rule.phase,
                "sendMailer": rule.code("sendMailer"),
                "httpSendMail": rule.code("httpSendMail"),
                "meaning": rule.meaning,
                "remedy": rule.remedy,
            }
            for rule in franking.Rule
        ]
    }


KINDS: dict[str, Callable[[Case], Answer]] = {
    "address": do_address,
    "addresses": do_addresses,
    "answer": do_answer,
    "blacklisted": do_blacklisted,
    "compose": do_compose,
    "date": do_date,
    "decide": do_decide,
    "decode": do_decode,
    "hosts": do_hosts,
    "http": do_http,
    "outcome": do_outcome,
    "preflight": do_preflight,
    "replay": do_replay,
    "rules": do_rules,
}

# The depth to which a case may nest, including the case's own object.
DEEPEST = 127
SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def integer(token: str) -> int | float:
    """A whole number. Beyond 64 bits it is a floating-point number, as in readers of other languages."""
    number = int(token) if len(token) <= 20 else None
    if number is not None and -(2**63) <= number < 2**64:
        return number
    return real(token)


def real(token: str) -> float:
    number = float(token)
    if math.isinf(number):
        raise ValueError("a number that is too large")
    return number


def no_constant(_token: str) -> None:
    raise ValueError("NaN and Infinity are not JSON")


def is_deep(value: object) -> bool:
    level: list[Any] = [value]
    for _ in range(DEEPEST + 1):
        level = [one for one in level if isinstance(one, (dict, list))]
        if not level:
            return False
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return True


def read(line: bytes) -> Any:
    """Reads the JSON of a line, as strictly as RFC 8259."""
    value = json.loads(line.decode(), parse_int=integer, parse_float=real, parse_constant=no_constant)
    if SURROGATE.search(line):
        # Half of a surrogate pair cannot be encoded.
        json.dumps(value, ensure_ascii=False).encode()
    if is_deep(value):
        raise ValueError("it nests too deep")
    return value


def answer(line: bytes) -> Answer:
    try:
        case = read(line)
    except (ValueError, RecursionError):
        return {"id": None, "error": "the line is not the JSON of a case"}
    if not isinstance(case, dict):
        return {"id": None, "error": "the case is not an object"}
    number = case.get("id")
    try:
        kind = KINDS.get(member(case, "do", str))
        if kind is None:
            raise CaseError("there is no such case")
        return {"id": number, **kind(case)}
    except Exception as error:  # noqa: BLE001 - the executor goes on after any case
        return {"id": number, "error": str(error) or type(error).__name__}


def main() -> None:
    for line in sys.stdin.buffer:
        text = json.dumps(answer(line), ensure_ascii=False, separators=(",", ":"))
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
        # The program that drives the executor may wait for each answer.
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
