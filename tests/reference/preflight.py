"""A call judged without a host: every violation of phases 1 and 4 and of the key, and warnings."""

import re

from . import content, links
from .body import read_fields
from .fields import KEY_FIELD, REQUEST_FIELDS, TOP_FIELDS, field_of
from .jsonread import pointer_token
from .machine import transport_violations
from .plan import distinct
from .rules import HTTP_SEND_MAIL, SEND_MAILER, in_order

WARNINGS = [
    "operation-deprecated",
    "key-placeholder",
    "field-unknown",
    "key-in-request",
    "body-plain",
    "recipient-repeated",
    "link-unreadable",
    "subscriber-id-zero",
]
# The number of violations that are listed; further ones are counted.
LISTED = 10000
ZEROS = re.compile(r"0+")


def preflight(operation, body, policy):
    broken, root = transport_violations(operation, body, policy)
    warnings = []  # (position, warning, pointer)
    if operation == HTTP_SEND_MAIL:
        warnings.append((-1, "operation-deprecated", None))
    if root is not None:
        fields = read_fields(root, TOP_FIELDS[operation], "")
        missing = content.key_violation(fields, operation)
        if missing:
            broken.append(missing)
        key = fields[KEY_FIELD[operation]]
        if key.given and is_placeholder_key(key.value):
            warnings.append((key.span[0], "key-placeholder", key.pointer))
        warnings.extend(unknown_members(root, TOP_FIELDS[operation], "", False))
        if operation == SEND_MAILER:
            broken.extend(content.check_send_mailer(root, fields))
            sub_id = fields["subID"]
            if is_zero(sub_id.node):
                warnings.append((sub_id.span[0], "subscriber-id-zero", sub_id.pointer))
        else:
            of_call = content.check_call(fields, policy)
            if of_call:
                broken.append(of_call)
            else:
                for request in content.read_requests(body, fields, policy):
                    broken.extend(content.check_request(request, policy))
                    warnings.extend(request_warnings(request))
    warnings.sort(key=lambda warning: (warning[0], WARNINGS.index(warning[1])))
    more = len(broken) - LISTED
    return {
        "violations": [violation.row(operation) for violation in in_order(broken, operation)[:LISTED]],
        **({"more": more} if more > 0 else {}),
        "warnings": [{"warning": warning, "pointer": pointer} for _, warning, pointer in warnings],
    }


def is_placeholder_key(key):
    return key in ("<API_KEY>", "$apiKey") or key.startswith("INSERT_")


def is_zero(node):
    return node is not None and node.kind in ("string", "number") and bool(ZEROS.fullmatch(node.value))


def unknown_members(node, fields, prefix, in_request):
    for name, value in node.value:
        if field_of(name, fields) is not None:
            continue
        is_key = in_request and name in ("ApiKey", "apiKey")
        warning = "key-in-request" if is_key else "field-unknown"
        yield value.start, warning, f"{prefix}/{pointer_token(name)}"


def request_warnings(request):
    if not request.is_object:
        return
    yield from unknown_members(request.node, REQUEST_FIELDS, request.pointer, True)
    body = request.fields["body"]
    if request.encoding == "plain":
        yield body.span[0], "body-plain", body.pointer
    if request.html is not None:
        for _ in links.unreadable(request.html):
            yield body.span[0], "link-unreadable", body.pointer
    _, later = distinct([entry for entry in request.entries if entry.address])
    for entry in later:
        yield entry.span[0], "recipient-repeated", entry.field.pointer
