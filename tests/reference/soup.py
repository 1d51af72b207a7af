"""Hosts in soup: a text in which nothing opens, closes or hides the text after it.

A text that begins like a host is a host, in each of four texts. The cases that this leaves open are reported by the numbers
of the rules' clauses.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from . import nested, styles
from .markup import joins, known_name
from .text import WHITE_SPACE
from .texts import TOGETHER, Form, following, four, with_marks_apart
from .urls import LONGEST, SLASHES, Sharing, authorities_in_text, hosts_of_authority, mail_domains, without_punctuation

ESCAPE = "\x1b"
TOO_MANY = 6  # the clause of a text that costs more than any reader is asked to spend
START = re.compile(r"[/\\]{2,}|(?:https?|ftp|wss?):[/\\]*|(mailto:)|(www\.)", re.IGNORECASE | re.ASCII)
# The beginnings of which readers make a link in text.
TEXT_START = re.compile(r"(?:https?|ftp)://|www\.", re.IGNORECASE | re.ASCII)
LONG_END = re.compile(r"[/\\?#]")
SHORT_END = re.compile(rf"[/\\?#\"'(),;<>{WHITE_SPACE}]")
OTHER_ENDS = [re.compile(rf"[/\\?#{end}]") for end in ['"', "'", ")", r">\t-\r "]]
# The kinds of ends of a value of an attribute or of a `url()`.
VALUE_ENDS = {"line", *OTHER_ENDS}
TEXT_END = re.compile(rf"[/\\?#\"'<>{WHITE_SPACE}]")
MARKS = "\"'(),;"
# These are not a part of a URL at whose end they are.
CONTROLS = "".join(map(chr, range(0x21)))
ADDRESS_END = re.compile(rf"[\"'<>,;()?&#/\\{WHITE_SPACE}]")
SIGN = re.compile("@|%40")
NAMED = re.compile("&([A-Za-z][A-Za-z0-9]*)(;?)")
COMPUTES = re.compile(r"srcdoc|<!ATTLIST|www\.w3\.org/1999/XSL/Transform", re.IGNORECASE | re.ASCII)
ENTITY = re.compile(
    r"<!ENTITY(?:\s*[^\s\"'%]+\s*(?:\"https?://[^/&%\"'\s]+/[^&%\"]*\"|'https?://[^/&%\"'\s]+/[^&%']*'))?",
    re.IGNORECASE | re.ASCII,
)


class Found(NamedTuple):
    """The hosts in a soup, the clauses by which it can hide others, and how many places hosts begin at."""

    hosts: frozenset
    clauses: frozenset
    starts: int


@lru_cache(maxsize=256)
def read(text, inner=None):
    """`inner`: the document in a document that has this text, if it is one."""
    hosts, clauses = set(), set()
    forms = four(text)
    # Starts in the text as it is written. The other three texts repeat them, and readers may or may not count that.
    starts = len(set(starts_of(forms[0].text)))
    # Some readers end a value before they resolve escapes, so that a mark in it that an escape writes ends nothing.
    apart = [Form(form, is_apart=True) for form in with_marks_apart(text) if form.translate(TOGETHER) != form]
    for form in [*forms, *apart]:
        if ESCAPE in form.text:
            clauses.add(3)
        for reading in map(together, [*readings(form), *addresses(form)]):
            found = hosts_of_reading(reading)
            hosts.update(found)
            if found and reading.is_short and form.has_references and has_open_name(form.text, reading):
                clauses.add(2)
            if inner and not inner.is_utf8 and not reading.is_long and not reading.is_ascii():
                clauses.add(4)
    if styles.has_parted_url(text):
        clauses.add(1)
    if not (inner and inner.is_json) and nested.has_long_tags(text, inner is not None):
        clauses.add(TOO_MANY)
    if inner is None:
        if nested.shares_data(text):
            clauses.add(5)
        for document in nested.in_soup(text):
            found = read(document.text, document)
            hosts |= found.hosts
            clauses |= found.clauses
            starts += found.starts
    else:
        if inner.is_wide:
            clauses.add(4)
        if computes(forms, inner) or nested.has_data_document(text, inner.is_json):
            clauses.add(5)
    return Found(frozenset(hosts), frozenset(clauses), starts)


def computes(forms, inner):
    """Whether a document in a document can make hosts that it does not show."""
    return any(
        COMPUTES.search(form.text)
        or inner.is_sheet and "image-set" in form.text.lower()
        or any(found[0].lower() == "<!entity" for found in ENTITY.finditer(form.text))
        for form in forms
    )


# Where a host may begin and end


class Reading(NamedTuple):
    """A text that may be a host, perhaps with a user name and a port, and its end in the text."""

    text: str
    end: int
    is_short: bool = False
    is_long: bool = False
    # For an address: the text after `mailto:`, with its percent escapes.
    addresses: str = ""

    def is_ascii(self):
        return (self.addresses or self.text).isascii()


def together(reading):
    return reading._replace(text=reading.text.translate(TOGETHER), addresses=reading.addresses.translate(TOGETHER))


def starts_of(text):
    """The places at which a host can begin, except those at which it ends at once."""
    for found in START.finditer(text):
        start = found.start() if found[2] else found.end()
        if not found[1] and not LONG_END.match(text, start) and start < len(text):
            yield start


def readings(form):
    text = form.text
    # For each end of long readings, where the first of these begins.
    first_start = {}
    # For each kind of end the starts without slashes.
    sharing = {}
    for found in START.finditer(text):
        if found[1]:
            continue
        start = found.start() if found[2] else found.end()
        long_end = form.search(LONG_END, start)
        first_start.setdefault(long_end, start)
        for kind, reading in readings_from(form, start, TEXT_START.fullmatch(found[0])):
            if form.is_apart and kind not in VALUE_ENDS or kind == "line" and not form.gaps:
                continue
            if found[0][-1] in SLASHES:
                yield reading
            else:
                yield from sharing.setdefault(kind, Sharing(text)).add(start, reading.end, reading)
    for kind in sharing.values():
        yield from kind.rest()
    for end, start in [] if form.is_apart else first_start.items():
        for at in re.finditer("@", text[start:end]):
            yield from short_readings(form, start + at.end())


def readings_from(form, start, is_text):
    """Each reading that begins there, with its kind of end."""
    text = form.text
    short = list(short_readings(form, start))
    yield from zip(("short", "line"), short)
    if is_text:
        end = form.search(TEXT_END, start)
        parts = enumerate(authorities_in_text(text[start:end].rstrip(CONTROLS)))
        yield from ((("text", kind), Reading(part, start + len(part))) for kind, part in parts if part.lower() != "www")
    long_end = form.search(LONG_END, start)
    yield "long", Reading(text[max(start, long_end - LONGEST) : long_end], long_end, is_long=True)
    for pattern in OTHER_ENDS:
        end = form.search(pattern, start)
        part = text[start:end].rstrip(CONTROLS).rstrip(MARKS)
        yield pattern, Reading(part[-LONGEST:], start + len(part))


def short_readings(form, start):
    """To the first mark, and to the first tab or line break, which ends a value without quotes and a link in text."""
    end = form.search(SHORT_END, start)
    yield Reading(form.text[max(start, end - LONGEST) : end], end, is_short=True)
    gap = following(form.gaps, start + 1, None)
    is_cut = gap is not None and gap <= end
    part = without_punctuation(form.text[start:gap]) if is_cut else form.text[start:end]
    if not is_cut or part.lower() != "www":
        yield Reading(part[-LONGEST:], start + len(part), is_short=True)


def addresses(form):
    """The domains after `mailto:`, up to the next `>`, or up to the end of a value that begins with it in quotes."""
    passed = 0
    for found in START.finditer(form.text):
        if found[1] and found.end() >= passed:
            passed = form.find(">", found.end())
            quote = form.text[max(0, found.start() - 1) : found.start()]
            if quote in ("'", '"'):
                passed = max(passed, form.text.find(quote, found.end()))
            written = form.text[found.end() : passed]
            domains = unquote(written, errors="replace").split("@")[1:]
            # In a value without quotes a tab or line break ends an address.
            for sign in SIGN.finditer(form.text, found.end(), passed):
                domain = form.text[sign.end() : min(form.next_gap(sign.end()), passed)]
                domains += [] if "@" in domain else [unquote(domain, errors="replace")]
            for domain in domains:
                stop = ADDRESS_END.search(domain)
                yield Reading(domain[: stop.start() if stop else len(domain)], passed, addresses=written)


@lru_cache(maxsize=65536)
def hosts_of_reading(reading):
    if reading.addresses:
        return mail_domains(reading.text.rstrip("."))
    return hosts_of_authority(reading.text, any_port=True)


def has_open_name(text, reading):
    """Whether it has a named reference without semicolon, which counts in text and does not count in an attribute."""
    start = reading.end - len(reading.text)
    for found in NAMED.finditer(text, start):
        if found.start() >= reading.end:
            return False
        known = known_name(found[1] + found[2])
        if known is not None and not known.endswith(";"):
            end = found.start() + 1 + len(known)
            if joins(text[end : end + 1]):
                return True
    return False
