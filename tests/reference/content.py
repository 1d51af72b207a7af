"""Phase 4: the violations that the body alone shows."""

from . import address, dates, links, placeholder
from .body import Request
from .fields import DATES, KEY_FIELD
from .rules import Violation
from .text import has_control, is_white, trim

KEYLESS_TYPES = {"apiKey", "ApiKey", "requests", "subID"}


def key_violation(fields, operation):
    key = fields[KEY_FIELD[operation]]
    return None if key.given else key.broken("key-missing")


def wrong_types(fields, request=None, except_for=()):
    return [
        field.broken("field-wrong-type", request)
        for name, field in fields.items()
        if field.state == "wrong" and name not in KEYLESS_TYPES and name not in except_for
    ]


def valid_address(field):
    """The valid address that a field holds, trimmed, or None."""
    return address.parse(trim(field.value)) if field.given else None


def check_send_mailer(root, fields):
    by_id = fields["subID"].present
    broken = wrong_types(fields, except_for=("email",) if by_id else ())
    if fields["from"].given and valid_address(fields["from"]) is None:
        broken.append(fields["from"].broken("sender-malformed"))
    if fields["fromName"].present and not fields["from"].present:
        broken.append(fields["from"].broken("sender-missing"))
    if by_id and not fields["subID"].given:
        broken.append(fields["subID"].broken("subscriber-id-malformed"))
    if not by_id and not fields["email"].present:
        broken.append(Violation("recipient-missing", "", root.span))
    if not by_id and fields["email"].given and valid_address(fields["email"]) is None:
        broken.append(fields["email"].broken("recipient-malformed"))
    if not fields["mailerID"].present:
        broken.append(fields["mailerID"].broken("mailer-missing"))
    if fields["fromName"].given and has_control(fields["fromName"].value):
        broken.append(fields["fromName"].broken("from-name-control"))
    for name in DATES:
        if fields[name].given and not dates.is_day(fields[name].value):
            broken.append(fields[name].broken("date-malformed"))
    return broken


def check_request(request, policy):
    index = request.index
    if not request.is_object:
        return [Violation("request-not-object", request.pointer, request.node.span, index)]
    fields = request.fields
    broken = wrong_types(fields, index)
    if not fields["subject"].present:
        broken.append(fields["subject"].broken("subject-missing", index))
    if fields["replyTo"].given and valid_address(fields["replyTo"]) is None:
        broken.append(fields["replyTo"].broken("reply-to-malformed", index))
    if fields["body"].given and request.html is None:
        broken.append(fields["body"].broken("html-not-utf8", index))
    elif not fields["body"].present or fields["body"].given and is_white(request.html):
        broken.append(fields["body"].broken("html-missing", index))
    if not fields["from"].present:
        broken.append(fields["from"].broken("sender-missing", index))
    if fields["from"].given and valid_address(fields["from"]) is None:
        broken.append(fields["from"].broken("sender-malformed", index))
    lists = [fields[role] for role in ("to", "cc", "bcc")]
    if not request.entries and not any(field.state == "wrong" for field in lists):
        there = [field for field in lists if field.there]
        pointer, span = (there[0].pointer, there[0].span) if there else (request.pointer, request.node.span)
        broken.append(Violation("recipient-missing", pointer, span, index))
    for entry in request.entries:
        if entry.address is None:
            broken.append(entry.broken("recipient-malformed", index))
    if fields["subject"].given and has_control(fields["subject"].value):
        broken.append(fields["subject"].broken("subject-control", index))
    if fields["subject"].given and placeholder.holds_placeholder(
        fields["subject"].value, policy["placeholders"]
    ):
        broken.append(fields["subject"].broken("subject-placeholder", index))
    if fields["fromName"].given and has_control(fields["fromName"].value):
        broken.append(fields["fromName"].broken("from-name-control", index))
    if request.html is not None and links.is_refused(request.html, policy["hidden_hosts"]):
        broken.append(fields["body"].broken("html-host-hidden", index))
    return broken


def check_call(fields, policy):
    """The violation of the call itself in phase 4, which leaves nothing to say about requests."""
    requests = fields["requests"]
    if not requests.given or not requests.value:
        return requests.broken("requests-missing")
    if len(requests.value) > policy["max_requests"]:
        return requests.broken("too-many-requests")
    return None


def read_requests(body, fields, policy):
    return [Request(body, node, index, policy) for index, node in enumerate(fields["requests"].value)]
