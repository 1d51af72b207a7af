"""A JSON reader that keeps the facts that the rules need: spans, repeated names, numbers as written.

Values are `Node`s. The reader keeps its own stack, so that it counts depth and does not recurse.
"""

import re

MAX_OPEN = 128
SPACE = re.compile(rb"[ \t\n\r]*")
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
HEX4 = re.compile(rb"[0-9a-fA-F]{4}")
SIMPLE_ESCAPES = {
    ord('"'): '"',
    ord("\\"): "\\",
    ord("/"): "/",
    ord("b"): "\b",
    ord("f"): "\f",
    ord("n"): "\n",
    ord("r"): "\r",
    ord("t"): "\t",
}
WORDS = ((b"true", True), (b"false", False), (b"null", None))


class NotJson(Exception):
    """The body is not JSON as section 3 defines it."""


class Node:
    """One JSON value: `kind` is object, array, string, number, bool or null.

    `value` is a list of (name, Node) for an object, a list of Nodes for an array, text for a string
    and for a number (its token), else the Python value. `span` is [start, end) in bytes. A string
    with escapes has `pieces`: for each character its first and last byte.
    """

    __slots__ = ("kind", "value", "start", "end", "escaped")

    def __init__(self, kind, value, start, end, escaped=False):
        self.kind = kind
        self.value = value
        self.start = start
        self.end = end
        self.escaped = escaped

    @property
    def span(self):
        return [self.start, self.end]


class Reader:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def fail(self, why):
        raise NotJson(f"{why} at byte {self.at}")

    def space(self):
        self.at = SPACE.match(self.data, self.at).end()

    def peek(self):
        return self.data[self.at] if self.at < len(self.data) else None

    def string(self):
        """The string that begins here: its text, its span and whether it holds escapes."""
        start = self.at
        self.at += 1
        pieces = []
        escaped = False
        while True:
            plain = PLAIN.match(self.data, self.at)
            if plain.end() > self.at:
                pieces.append(plain.group().decode("utf-8"))
                self.at = plain.end()
            char = self.peek()
            if char == ord('"'):
                self.at += 1
                return Node("string", "".join(pieces), start, self.at, escaped)
            if char != ord("\\"):
                self.fail("a string without end or with a raw control character")
            escaped = True
            pieces.append(self.escape())

    def escape(self):
        self.at += 1
        char = self.peek()
        if char in SIMPLE_ESCAPES:
            self.at += 1
            return SIMPLE_ESCAPES[char]
        if char != ord("u"):
            self.fail("an unknown escape")
        unit = self.unit()
        if 0xDC00 <= unit <= 0xDFFF:
            self.fail("a lone surrogate")
        if 0xD800 <= unit <= 0xDBFF:
            if self.data[self.at : self.at + 2] != b"\\u":
                self.fail("a lone surrogate")
            self.at += 1
            low = self.unit()
            if not 0xDC00 <= low <= 0xDFFF:
                self.fail("a lone surrogate")
            return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        return chr(unit)

    def unit(self):
        """The code unit of `uXXXX`, of which the u is here."""
        digits = HEX4.match(self.data, self.at + 1)
        if not digits:
            self.fail("an escape without four hex digits")
        self.at += 5
        return int(digits.group(), 16)

    def scalar(self):
        """A value that is neither an object nor an array."""
        start = self.at
        if self.peek() == ord('"'):
            return self.string()
        for word, value in WORDS:
            if self.data.startswith(word, start):
                self.at += len(word)
                return Node("null" if value is None else "bool", value, start, self.at)
        number = NUMBER.match(self.data, start)
        if not number:
            self.fail("no value")
        self.at = number.end()
        return Node("number", number.group().decode("ascii"), start, self.at)

    def name(self):
        """A member's name with its colon."""
        self.space()
        if self.peek() != ord('"'):
            self.fail("no name")
        name = self.string().value
        self.space()
        if self.peek() != ord(":"):
            self.fail("no colon")
        self.at += 1
        return name

    def document(self):
        self.space()
        stack = []  # open (node, name of the member being read)
        while True:
            # A value has to begin here.
            self.space()
            char = self.peek()
            if char in (ord("{"), ord("[")):
                kind = "object" if char == ord("{") else "array"
                node = Node(kind, [], self.at, None)
                self.at += 1
                if len(stack) + 1 > MAX_OPEN:
                    self.fail("more than 128 objects and arrays open")
                self.space()
                if self.peek() == (ord("}") if kind == "object" else ord("]")):
                    self.at += 1
                    node.end = self.at
                else:
                    stack.append([node, self.name() if kind == "object" else None])
                    continue
            else:
                node = self.scalar()
            # A value ends here, and may end the values around it.
            while True:
                if not stack:
                    self.space()
                    if self.at != len(self.data):
                        self.fail("something after the value")
                    return node
                parent, name = stack[-1]
                parent.value.append((name, node) if parent.kind == "object" else node)
                self.space()
                char = self.peek()
                if char == ord(","):
                    self.at += 1
                    if parent.kind == "object":
                        stack[-1][1] = self.name()
                    break
                if char != (ord("}") if parent.kind == "object" else ord("]")):
                    self.fail("neither comma nor end")
                self.at += 1
                parent.end = self.at
                node = stack.pop()[0]


def read_object(body):
    """The body's object. Raises NotJson."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson(f"invalid UTF-8 at byte {error.start}") from None
    reader = Reader(body)
    if body.startswith(b"\xef\xbb\xbf"):
        reader.at = 3
    node = reader.document()
    if node.kind != "object":
        raise NotJson("no object")
    return node


def characters(body, node):
    """For each character of a string or number node: its character, first byte and end byte."""
    if node.kind == "number":
        return [(char, node.start + i, node.start + i + 1) for i, char in enumerate(node.value)]
    reader = Reader(body)
    found = []
    at = node.start + 1
    while at < node.end - 1:
        if body[at] == ord("\\"):
            reader.at = at
            char = reader.escape()
            found.append((char, at, reader.at))
            at = reader.at
        else:
            length = 1 if body[at] < 0x80 else 2 if body[at] < 0xE0 else 3 if body[at] < 0xF0 else 4
            found.append((body[at : at + length].decode("utf-8"), at, at + length))
            at += length
    return found


def pointer_token(name):
    return name.replace("~", "~0").replace("/", "~1")
