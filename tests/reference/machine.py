"""A call from its bytes to its decision, as a generator that yields questions and takes answers."""

from . import answer as answers
from . import content, facts, plan
from .body import read_fields, repeated
from .dates import LAST_DAY
from .fields import KEY_FIELD, TOP_FIELDS
from .jsonread import NotJson, read_object
from .rules import HTTP_SEND_MAIL, SEND_MAILER, Violation, code_of, in_order

CONFLICT_RULES = {
    "subscriber_exists": "subscriber-exists",
    "subscriber_inactive": "subscriber-inactive",
    "subscriber_credit": "subscriber-credit-low",
    "email_credit": "email-credit-low",
    "subscriber_gone": "subscriber-unknown",
    "other": None,
}
LARGEST_TRANSACTION_ID = 2**53 - 1


def conflict_of(kind, operation):
    """The conflict of this name, which may have a hyphen for each underscore; None if a commit of the operation has none such."""
    name = kind.replace("-", "_") if isinstance(kind, str) else None
    return None if name not in CONFLICT_RULES or (name, operation) == ("subscriber_gone", HTTP_SEND_MAIL) else name


def deprecation(operation):
    return {"last_day": LAST_DAY, "successor": "sendEmail"} if operation == HTTP_SEND_MAIL else None


def host_error(operation, error):
    return {
        "code": None,
        "rule": None,
        "pointer": None,
        "span": None,
        "request": None,
        "response": None,
        "plan": None,
        "refused": None,
        "deprecation": deprecation(operation),
        "error": error,
    }


def refusal(operation, policy, violation, refused=()):
    return {
        "code": code_of(violation.rule, operation),
        "rule": violation.rule,
        "pointer": violation.pointer,
        "span": violation.span,
        "request": violation.request,
        "response": answers.write(operation, policy, violation),
        "plan": None,
        "refused": refused_rows(operation, refused),
        "deprecation": deprecation(operation),
    }


def acceptance(operation, policy, accepted, transaction_id, refused):
    return {
        "code": 200,
        "rule": None,
        "pointer": None,
        "span": None,
        "request": None,
        "response": answers.write(operation, policy, None, transaction_id),
        "plan": accepted,
        "refused": refused_rows(operation, refused),
        "deprecation": deprecation(operation),
    }


def refused_rows(operation, violations):
    rows = []
    for violation in in_order(violations, operation):
        rows.append({"request": violation.request, **violation.row(operation)})
    return rows


def transport_violations(operation, body, policy):
    """(violations of phase 1 without the method, the body's object or None)."""
    broken = []
    if operation == HTTP_SEND_MAIL:
        if policy["today"] is not None and policy["today"] > LAST_DAY:
            broken.append(Violation("operation-retired"))
        if len(body) > policy["max_bytes"]:
            broken.append(Violation("body-too-large", "", [0, len(body)]))
            return broken, None
    try:
        root = read_object(body)
    except NotJson:
        broken.append(Violation("body-not-json", "", [0, len(body)]))
        return broken, None
    broken.extend(repeated(root, operation))
    return broken, root


def run(operation, method, body, policy):
    """Yields {"account"|"facts"|"commit": ...}, takes the answers' contents, returns the decision."""

    def refuse(violations, refused=()):
        return refusal(operation, policy, in_order(violations, operation)[0], refused)

    broken, root = transport_violations(operation, body, policy)
    if method != "POST":
        broken.append(Violation("method-not-post"))
    if broken:
        return refuse(broken)

    fields = read_fields(root, TOP_FIELDS[operation], "")
    key = fields[KEY_FIELD[operation]]
    missing = content.key_violation(fields, operation)
    if missing:
        return refuse([missing])

    for _ in range(1, policy["max_attempts"] + 1):
        account = yield {"account": key.value}
        if account is None:
            return refuse([key.broken("key-unknown")])
        states = [f"account-{state}" for state in ("blocked", "expired", "deactivated") if account[state]]
        if states:
            return refuse([Violation(rule) for rule in states])

        if operation == SEND_MAILER:
            decided = yield from judge_send_mailer(root, fields, policy)
        else:
            decided = yield from judge_http_send_mail(body, fields, policy)
        broken, refused, accepted = decided
        if broken:
            return refuse(broken, refused)
        low = facts.credit_violation(account, accepted["debit"])
        if low:
            return refuse([low], refused)

        done = yield {"commit": accepted}
        if "unknown" in done:
            return host_error(operation, "unknown")
        if "transaction_id" in done:
            if not 1 <= done["transaction_id"] <= LARGEST_TRANSACTION_ID:
                return host_error(operation, "misuse")
            return acceptance(operation, policy, accepted, done["transaction_id"], refused)

    rule = CONFLICT_RULES[done["conflict"]]
    if rule is None:
        return host_error(operation, "host")
    return refuse([Violation(rule, phase=7)], refused)


def judge_send_mailer(root, fields, policy):
    """(violations that refuse the call, violations of a partial batch, plan)."""
    broken = content.check_send_mailer(root, fields)
    if broken:
        return broken, [], None
    ask = facts.ask_send_mailer(fields).ask()
    known = facts.Facts(ask, (yield {"facts": ask}))
    broken = facts.check_send_mailer(fields, known)
    if broken:
        return broken, [], None
    return [], [], plan.of_send_mailer(fields, known, policy)


def judge_http_send_mail(body, fields, policy):
    of_call = content.check_call(fields, policy)
    if of_call:
        return [of_call], [], None
    requests = content.read_requests(body, fields, policy)
    batch = Batch(requests, policy)
    for request in requests:
        batch.take(request, content.check_request(request, policy))
    if batch.refuses_call():
        return batch.violations, batch.rows(), None

    kept = batch.kept()
    ask = facts.ask_http_send_mail(kept).ask()
    known = facts.Facts(ask, (yield {"facts": ask}))
    for request, entries in kept:
        batch.take(request, facts.check_request(request, entries, known))
    if batch.refuses_call():
        return batch.violations, batch.rows(), None
    return [], batch.rows(), plan.of_http_send_mail(batch.kept(), known)


class Batch:
    """The requests of a call that remain, and those that were left out of it."""

    def __init__(self, requests, policy):
        self.partial = policy["batch"] == "partial"
        self.violations = []
        self.by_request = {}
        self.remaining = {
            request.index: (request, list(request.entries) if request.is_object else [])
            for request in requests
        }

    def take(self, request, violations):
        if not violations:
            return
        self.violations.extend(violations)
        self.by_request.setdefault(request.index, []).extend(violations)
        if any(not violation.is_of_address() for violation in violations):
            del self.remaining[request.index]
            return
        spans = [violation.span for violation in violations]
        _, entries = self.remaining[request.index]
        keys = {entry.address.key for entry in entries if entry.span in spans and entry.address}
        entries = [
            entry
            for entry in entries
            if entry.span not in spans and not (entry.address and entry.address.key in keys)
        ]
        self.remaining[request.index] = (request, entries)
        if not entries:
            del self.remaining[request.index]

    def refuses_call(self):
        return not self.remaining or bool(self.violations) and not self.partial

    def kept(self):
        return list(self.remaining.values())

    def rows(self):
        """One violation for each request or address left out of a partial batch."""
        if not self.partial:
            return []
        rows = []
        for violations in self.by_request.values():
            whole = [violation for violation in violations if not violation.is_of_address()]
            if whole:
                rows.append(in_order(whole, HTTP_SEND_MAIL)[0])
            else:
                rows.extend(first_of_each_address(violations))
        return rows


def first_of_each_address(violations):
    """The first violation of each address; later places of an address are not listed."""
    rows = {}
    for violation in in_order(violations, HTTP_SEND_MAIL):
        place = violation.address_key if violation.address_key else tuple(violation.span)
        rows.setdefault(place, violation)
    return list(rows.values())
