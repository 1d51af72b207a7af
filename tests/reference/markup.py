"""Tags and character references, read from any place of a text, as the WHATWG tokenizer reads them."""

import html.entities
import re
from typing import NamedTuple

SPACE = " \t\n\f\r"
REFERENCE = re.compile(r"&(?:#([xX][0-9A-Fa-f]+|[0-9]+);?|([A-Za-z][A-Za-z0-9]*;?))")
NAMES = html.entities.html5
LONGEST_NAME = max(map(len, NAMES))
ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def resolved(text, in_attribute=False, marks=None):
    """The text with its character references resolved. `marks`: what is put for some of the characters."""
    if "&" not in text:
        return text
    return REFERENCE.sub(lambda found: character(found, in_attribute).translate(marks or {}), text)


def character(reference, in_attribute=False):
    number, name = reference[1], reference[2]
    if number:
        digits, base = (number[1:], 16) if number[0] in "xX" else (number, 10)
        digits = digits.lstrip("0")
        # A number with more digits than the last code point is not a code point.
        code = int(digits or "0", base) if len(digits) <= 7 else 0x110000
        if 0x80 <= code < 0xA0:
            return bytes([code]).decode("cp1252", "replace").replace("\ufffd", chr(code))
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    known = known_name(name)
    if known is None:
        return reference[0]
    rest = name[len(known) :]
    following = rest[:1] or reference.string[reference.end() : reference.end() + 1]
    if in_attribute and not known.endswith(";") and joins(following):
        return reference[0]
    return NAMES[known] + rest


def known_name(name):
    """The longest beginning of the name that is a reference, or None."""
    return next((name[:end] for end in range(min(len(name), LONGEST_NAME), 1, -1) if name[:end] in NAMES), None)


def joins(char):
    """Whether a reference without semicolon before this character does not count in an attribute."""
    return char == "=" or char.isascii() and char.isalnum()


class Tag(NamedTuple):
    """A tag: its name in lower case, all its attributes with their values as written, and where it ends."""

    name: str
    attributes: list
    end: int


def read_tag(text, start, space=SPACE):
    """The tag that begins at this `<`, up to its end or that of the text. `space`: what separates attributes."""
    at = start + 1 + text.startswith("/", start + 1)
    name, at = up_to(text, at, space + "/>")
    attributes = []
    while True:
        at = skip(text, at, space + "/")
        if at >= len(text) or text[at] == ">":
            return Tag(name.translate(ASCII_LOWER), attributes, min(at + 1, len(text)))
        # An equals sign in the first place is a part of the name.
        attribute, at = up_to(text, at + 1, space + "/>=", at)
        value, after = "", skip(text, at, space)
        if text[after : after + 1] == "=":
            value, at = read_value(text, skip(text, after + 1, space), space)
        attributes.append((attribute.translate(ASCII_LOWER), value))


def read_value(text, at, space):
    quote = text[at : at + 1]
    if quote and quote in "\"'":
        end = text.find(quote, at + 1)
        return (text[at + 1 :], len(text)) if end < 0 else (text[at + 1 : end], end + 1)
    return up_to(text, at, space + ">")


def skip(text, at, characters):
    while at < len(text) and text[at] in characters:
        at += 1
    return at


def up_to(text, at, stops, start=None):
    """The text from `start` (`at`) to the first of these characters at or after `at`, and the place of that character."""
    found = re.compile(f"[{re.escape(stops)}]").search(text, at)
    end = found.start() if found else len(text)
    return text[at if start is None else start : end], end
