"""The texts in which soup is searched: as written, and with references, CSS escapes or both resolved, each once."""

import re
from bisect import bisect_left
from urllib.parse import unquote

from . import css
from .markup import resolved

TAKEN_OUT = re.compile("[\t\n\r\0]")
# A character that ends a text may be in it as an escape. Noncharacters keep apart the characters that escapes stand for.
MARKS = "\"'()<>,; \f"
APART = {ord(mark): chr(0xFDD0 + number) for number, mark in enumerate(MARKS)}
TOGETHER = {0xFDD0 + number: mark for number, mark in enumerate(MARKS)}


class Form:
    """A text without tabs, line breaks and NULs.

    `has_references`: whether its character references are unresolved. `is_apart`: whether marks are kept apart. `gaps`:
    before which of its characters a tab or line break was, in order.
    """

    def __init__(self, text, has_references=False, is_apart=False):
        self.has_references = has_references
        self.is_apart = is_apart
        self.gaps = []
        taken = 0
        for found in TAKEN_OUT.finditer(text):
            if found[0] != "\0":
                self.gaps.append(found.start() - taken)
            taken += 1
        self.text = TAKEN_OUT.sub("", text)
        self.places = {}

    def search(self, pattern, start):
        """The beginning of the first match at or after a place, or the end of the text."""
        if pattern not in self.places:
            self.places[pattern] = [found.start() for found in pattern.finditer(self.text)]
        return following(self.places[pattern], start, len(self.text))

    def find(self, char, start):
        return self.search(re.compile(re.escape(char)), start)

    def next_gap(self, start):
        return following(self.gaps, start, len(self.text))


def following(places, start, otherwise):
    at = bisect_left(places, start)
    return places[at] if at < len(places) else otherwise


def four(text):
    """The text as written, with references, with CSS escapes, and with both resolved."""
    with_references = resolved(text)
    forms = {}
    for form in (text, css.unescaped(text)):
        forms.setdefault(form, Form(form, has_references=True))
    for form in (with_references, css.unescaped(with_references)):
        forms.setdefault(form, Form(form))
    return list(forms.values())


def with_marks_apart(text):
    """The four texts, and the same texts with characters of escapes that end nothing."""
    plain, apart = resolved(text), resolved(text, marks=APART)
    texts = [text, plain, apart]
    texts += [css.unescaped(form, marks) for form in (text, plain) for marks in ({}, APART)]
    texts.append(css.unescaped(apart, APART))
    return dict.fromkeys(texts)


def readings_of_part(text):
    """How a part of a style sheet may be read: as the four, percent-decoded, and as a sheet within it; marks of CSS escapes apart."""
    texts = {text.replace("\0", "")}
    texts |= {resolved(form) for form in texts}
    texts |= {css.unescaped(form, marks) for form in texts for marks in ({}, APART)}
    texts |= {TAKEN_OUT.sub("", form) for form in texts}
    texts |= {unquote(form, errors="replace") for form in texts}
    texts |= {css.unescaped(form, marks) for form in texts for marks in ({}, APART)}
    return texts | {TAKEN_OUT.sub("", form) for form in texts}
