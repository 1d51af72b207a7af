"""What a client sends: requests packed, in order, into as few legal calls as that allows."""

import json

from . import form
from .fields import REQUEST_FIELDS, SEND_MAILER_FIELDS
from .rules import SEND_MAILER


class DoesNotFit(Exception):
    """One request alone is larger than a call may be."""


def write_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_fields(given, fields, flags_are_text):
    written = {}
    for name, kind in fields:
        value = given.get(name)
        if value is None:
            continue
        if kind == "flag":
            value = 1 if value in (True, 1, "1") else 0
            value = str(value) if flags_are_text else value
        elif kind == "integer":
            value = int(value)
        elif name == "body" and flags_are_text:
            value = form.encode(value)
        written[name] = value
    return write_json(written)


def compose(operation, fields, policy):
    if operation == SEND_MAILER:
        return [write_fields(fields, SEND_MAILER_FIELDS, flags_are_text=False)]
    head = "{" + f'"ApiKey":{write_json(fields["ApiKey"])},"requests":['
    tail = "]}"
    room = policy["max_bytes"] - len((head + tail).encode("utf-8"))
    calls, batch, size = [], [], 0
    for index, request in enumerate(fields["requests"]):
        text = write_fields(request, REQUEST_FIELDS, flags_are_text=True)
        length = len(text.encode("utf-8"))
        if length > room:
            raise DoesNotFit(f"request {index} fits in no call")
        if batch and (len(batch) == policy["max_requests"] or size + 1 + length > room):
            calls.append(batch)
            batch, size = [], 0
        size += length + (1 if batch else 0)
        batch.append(text)
    if batch:
        calls.append(batch)
    return [head + ",".join(batch) + tail for batch in calls]
