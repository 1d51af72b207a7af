"""The calls that a client sends: requests packed, in order, into as few legal calls as that allows."""

import json

from . import form
from .fields import CALL_FIELDS, REQUEST_FIELDS, SEND_MAILER_FIELDS, field_of
from .rules import SEND_MAILER
from .text import is_white


class CannotCompose(Exception):
    """Something that is not a field, or a request that alone is larger than a call may be."""


FLAGS = {"0": False, "1": True}


def write_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def named(given, fields, what):
    """The values by field: each given once, under a name of the interface."""
    if not isinstance(given, dict):
        raise CannotCompose(f"{what} is not an object")
    values = {}
    for name, value in given.items():
        field = field_of(name, fields)
        if field is None or field in values:
            raise CannotCompose(f"{what} has a field that is unknown or given twice")
        values[field] = value
    return values


def flag_of(value, what):
    """True, False or None for absent."""
    if isinstance(value, bool):
        return value
    if type(value) is int and value in (0, 1):
        return bool(value)
    if isinstance(value, str) and value in FLAGS:
        return FLAGS[value]
    if value is None or isinstance(value, str) and is_white(value):
        return None
    raise CannotCompose(f"{what} has a wrong type")


def is_text(value):
    """A text, or a whole number: content is not judged."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def write_fields(given, fields, flags_are_text, what):
    values = named(given, fields, what)
    written = {}
    for name, kind in fields:
        value = values.get(name)
        if kind == "flag":
            value = flag_of(value, f"{what}: {name}")
            if value is not None:
                value = str(int(value)) if flags_are_text else int(value)
        elif value is not None and not is_text(value):
            raise CannotCompose(f"{what}: {name} has a wrong type")
        elif name == "body" and isinstance(value, str):
            value = form.encode(value)
        if value is not None:
            written[name] = value
    return write_json(written)


def compose(operation, fields, policy):
    if operation == SEND_MAILER:
        return [write_fields(fields, SEND_MAILER_FIELDS, flags_are_text=False, what="the call")]
    values = named(fields, CALL_FIELDS, "the call")
    key, requests = values.get("ApiKey"), values.get("requests")
    if key is not None and not is_text(key) or not isinstance(requests, list):
        raise CannotCompose("the call has no array of requests, or its key a wrong type")
    head = "{" + ("" if key is None else f'"ApiKey":{write_json(key)},') + '"requests":['
    tail = "]}"
    room = policy["max_bytes"] - len((head + tail).encode("utf-8"))
    texts = [
        write_fields(request, REQUEST_FIELDS, flags_are_text=True, what=f"request {index}")
        for index, request in enumerate(requests)
    ]
    calls, batch, size = [], [], 0
    for index, text in enumerate(texts):
        length = len(text.encode("utf-8"))
        if length > room:
            raise CannotCompose(f"request {index} fits in no call")
        if batch and (len(batch) == policy["max_requests"] or size + 1 + length > room):
            calls.append(batch)
            batch, size = [], 0
        size += length + (1 if batch else 0)
        batch.append(text)
    if batch:
        calls.append(batch)
    return [head + ",".join(batch) + tail for batch in calls]
