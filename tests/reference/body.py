"""From bytes to fields: the contents of a body, the place of each field, and the names that repeat."""

import re

from . import address, form
from .fields import REQUEST_FIELDS, TOP_FIELDS, field_of
from .jsonread import characters, pointer_token
from .rules import HTTP_SEND_MAIL, Violation
from .text import is_white

MISSING = "missing"  # no member
ABSENT = "absent"  # a member that is null, empty or white space
WRONG = "wrong"  # a member of a wrong type
GIVEN = "given"

DIGITS = re.compile(r"[0-9]+")
LARGEST_INTEGER = 2**63 - 1


class Field:
    """One field of an object: its state, its value when given, and its place."""

    def __init__(self, order, state, value, pointer, span, node):
        self.order = order
        self.state = state
        self.value = value
        self.pointer = pointer
        self.span = span
        self.node = node

    @property
    def present(self):
        """Whether the field is there, for every rule but that of its own type: a wrong type counts as present."""
        return self.state in (GIVEN, WRONG)

    @property
    def given(self):
        return self.state == GIVEN

    @property
    def there(self):
        return self.state != MISSING

    def text(self):
        return self.value if self.given else None

    def broken(self, rule, request=None):
        return Violation(rule, self.pointer, self.span, request, self.order, self.span[0])


def is_absent(node):
    return node.kind == "null" or node.kind == "string" and is_white(node.value)


def text_of(node):
    return node.value if node.kind in ("string", "number") else None


def integer_of(node):
    if node.kind not in ("string", "number") or not DIGITS.fullmatch(node.value):
        return None
    digits = node.value.lstrip("0")
    if digits == "" or len(digits) > 19:
        return None
    number = int(digits)
    return number if number <= LARGEST_INTEGER else None


def flag_of(node):
    if node.kind == "bool":
        return node.value
    if node.kind in ("string", "number") and node.value in ("0", "1"):
        return node.value == "1"
    return None


def array_of(node):
    return node.value if node.kind == "array" else None


READERS = {"text": text_of, "integer": integer_of, "flag": flag_of, "array": array_of}


def read_fields(node, fields, prefix):
    """The fields of an object. A repeated field has the first value that is not absent."""
    members = {}
    for name, value in node.value:
        field = field_of(name, fields)
        if field is not None:
            members.setdefault(field, []).append((name, value))
    found = {}
    for order, (field, kind) in enumerate(fields):
        candidates = members.get(field, [])
        if not candidates:
            found[field] = Field(order, MISSING, None, f"{prefix}/{field}", node.span, None)
            continue
        name, value = next((c for c in candidates if not is_absent(c[1])), candidates[0])
        pointer = f"{prefix}/{name}"
        if is_absent(value):
            found[field] = Field(order, ABSENT, None, pointer, value.span, value)
            continue
        read = READERS[kind](value)
        state = WRONG if read is None else GIVEN
        found[field] = Field(order, state, read, pointer, value.span, value)
    return found


def repeated(root, operation):
    """The violations field-repeated, one for each name in one object."""
    violations = []
    pending = [(root, "", "top")]
    while pending:
        node, pointer, place = pending.pop()
        if node.kind == "array":
            inner = "request" if place == "requests" else None
            for index, entry in enumerate(node.value):
                if entry.kind in ("object", "array"):
                    within = inner if entry.kind == "object" else None
                    pending.append((entry, f"{pointer}/{index}", within))
            continue
        fields = TOP_FIELDS[operation] if place == "top" else REQUEST_FIELDS if place == "request" else []
        seen = {}
        for name, value in node.value:
            group = field_of(name, fields) or name
            seen[group] = seen.get(group, 0) + 1
            member = f"{pointer}/{pointer_token(name)}"
            if seen[group] == 2:
                violations.append(Violation("field-repeated", member, value.span, position=value.start))
            if value.kind in ("object", "array"):
                is_requests = place == "top" and operation == HTTP_SEND_MAIL and name == "requests"
                pending.append((value, member, "requests" if is_requests and value.kind == "array" else None))
    return violations


class Entry:
    """One entry of an address list."""

    def __init__(self, role, field, text, span, parsed):
        self.role = role
        self.field = field
        self.text = text
        self.span = span
        self.address = parsed

    def broken(self, rule, request):
        violation = Violation(rule, self.field.pointer, self.span, request, self.field.order, self.span[0])
        violation.address_key = self.address.key if self.address else None
        return violation


class Request:
    """One entry of `requests`: its fields, its decoded HTML and its addresses."""

    def __init__(self, body, node, index, policy):
        self.index = index
        self.node = node
        self.pointer = f"/requests/{index}"
        self.is_object = node.kind == "object"
        if not self.is_object:
            return
        self.fields = read_fields(node, REQUEST_FIELDS, self.pointer)
        self.html, self.encoding = None, None
        self.bare_domains = policy["bare_domains"]
        if self.fields["body"].given:
            always = policy["html_encoding"] == "always"
            self.html, self.encoding = form.decode(self.fields["body"].value, always)
        self.entries = [
            entry for role in ("to", "cc", "bcc") for entry in entries_of(body, self.fields[role], role)
        ]


def entries_of(body, field, role):
    if not field.given:
        return []
    text = field.value
    places = characters(body, field.node) if field.node.escaped or not text.isascii() else None
    offset = field.node.start + (1 if field.node.kind == "string" else 0)
    entries = []
    for start, end in address.split_list(text):
        if places is None:
            span = [offset + start, offset + end]
        else:
            span = [places[start][1], places[end - 1][2]]
        piece = text[start:end]
        entries.append(Entry(role, field, piece, span, address.parse(piece)))
    return entries
