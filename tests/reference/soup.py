"""Hosts in soup: a text in which nothing opens, closes or hides what stands behind it.

What begins like a host is one, in the text as written and in what escapes and base64 in it stand for.
"""

import base64 as base64_codec
import html.entities
import re
from bisect import bisect_left
from itertools import product
from urllib.parse import unquote

from .css import unescaped
from .text import WHITE_SPACE
from .urls import LONGEST, address_domains, hosts_of_authority

ROUNDS = 4
SCHEMES = {"h": ["http:", "https:"], "f": ["ftp:"], "w": ["ws:", "wss:"], "m": ["mailto:"]}
SLASHES = "/\\"
STARTS = re.compile(r"[hfwm/\\]", re.IGNORECASE | re.ASCII)
STOPS = re.compile(r"[/\\?#]")
ALSO_STOPS = re.compile(f"[\"'()<>{WHITE_SPACE}]")

REFERENCE = re.compile(r"&(?:#([xX][0-9A-Fa-f]+|[0-9]+);?|([A-Za-z][A-Za-z0-9]*;?))")
BASE64 = re.compile(
    ";[ \t\n\r\0]*" + "[\t\n\r\0]*".join("base64") + "[ \t\n\r\0]*,([A-Za-z0-9+/ \t\n\f\r]*)", re.IGNORECASE
)
# A round takes one link off each of these chains. What is left of them in the end is the mark itself.
CHAINS = [(re.compile("%(?:25)+"), "%"), (re.compile("&(?:amp;|#38;|#[xX]26;)+"), "&")]
# Tabs, line breaks, NULs and the escapes of ISO-2022-JP.
LEFT_OUT = re.compile(r"[\t\n\r\0]|\x1b(?:\([BJI]|\$[@B])")
COMPUTES = re.compile(r"<!ENTITY|<!ATTLIST|http://www\.w3\.org/1999/XSL/Transform")
MARKUP = re.compile(r"<|\]\]>")


def hosts(document):
    """The hosts of a document that is soup, sorted."""
    found = set()
    for text in texts(document):
        found.update(hosts_in(text))
        if computes(text):
            found.add("computed.invalid")
    return sorted(found)


def computes(text):
    """Whether a `data:` document in the text can compute hosts that it does not show."""
    start = text.lower().find("data:")
    return start >= 0 and COMPUTES.search(text, start) is not None


# The texts that count


def texts(document):
    """The document as written, after each of the rounds, and when nothing is left to resolve, with its variants."""
    seen = set()
    for text in stages(document):
        for variant in variants(text):
            if variant not in seen:
                seen.add(variant)
                yield variant


def stages(text):
    yield text
    for _ in range(ROUNDS):
        for text, others in a_round(text):
            yield text
            yield from others
    while True:
        before = text
        for chain, mark in CHAINS:
            text = chain.sub(mark, text)
        others = []
        for text, more in a_round(text):
            others.extend(more)
        yield from others
        if text == before:
            break
    yield text


def a_round(text):
    """Character references, percent escapes and base64, one after the other: (the text, other readings of it)."""
    text = REFERENCE.sub(character, text)
    yield text, []
    text = unquote(text, errors="replace")
    yield text, []
    data = [decoded(found[1]) for found in BASE64.finditer(text)]
    others = [" ".join(piece.decode(f"utf-16-{order}", "replace") for piece in data) for order in ("le", "be")]
    yield BASE64.sub(with_what_it_stands_for, text), others if data else []


def variants(text):
    for variant in (text, unescaped(text)):
        yield variant
        yield LEFT_OUT.sub("", variant)


def character(reference):
    number, name = reference[1], reference[2]
    if number:
        code = int(number[1:], 16) if number[0] in "xX" else int(number[-8:] if len(number.lstrip("0")) < 9 else "1114112")
        if 0x80 <= code < 0xA0:
            return bytes([code]).decode("cp1252", "replace").replace("\ufffd", chr(code))
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    # A name that begins with one that needs no semicolon stands for that one.
    for end in range(len(name), 1, -1):
        if name[:end] in html.entities.html5:
            return html.entities.html5[name[:end]] + name[end:]
    return reference[0]


def with_what_it_stands_for(found):
    """Base64 without its mark, and behind it the text that it stands for."""
    return f",{found[1]} {decoded(found[1]).decode('utf-8', 'replace')}"


def decoded(letters):
    letters = re.sub("[ \t\n\f\r]", "", letters)
    whole = len(letters) // 4 * 4
    return base64_codec.b64decode(letters[:whole] + padded(letters[whole:]))


def padded(letters):
    return letters + "=" * (4 - len(letters)) if len(letters) > 1 else ""


# What begins like a host


def hosts_in(text):
    # The text with its markup, and without it as HTML and XML tell what that is; often they tell the same.
    readings = [{}]
    for tag_ends, is_xml in product([next_mark, next_mark_outside_quotes], [False, True]):
        ends = markup(text, tag_ends, is_xml)
        if ends not in readings:
            readings.append(ends)
    hosts, addresses = set(), set()
    for ends in readings:
        more, more_addresses = candidates(Characters(text, ends))
        hosts |= more
        addresses |= more_addresses
    for host in hosts:
        yield from hosts_of_authority(host, any_port=True)
    for list_of_addresses in addresses:
        yield from address_domains(list_of_addresses)


def candidates(characters):
    """What stands where a host may, and where addresses may."""
    text = characters.text
    hosts, addresses = set(), set()
    # For each slash, where the row of slashes ends that begins with it.
    row_ends = {}
    for found in reversed(list(STARTS.finditer(text))):
        start = found.start()
        if found[0] in SLASHES:
            next_one = characters.after(start)
            row_ends[start] = row_ends.get(next_one, next_one)
            if next_one in row_ends:
                hosts.update(characters.candidates(row_ends[start]))
            continue
        for scheme in SCHEMES[found[0].lower()]:
            end = characters.matches(start, scheme)
            if end is not None and scheme == "mailto:":
                addresses.update(characters.candidates(end))
            elif end is not None:
                hosts.update(characters.candidates(row_ends.get(end, end)))
        if characters.matches(start, "www.") is not None:
            hosts.update(characters.candidates(start))
    return hosts, addresses


class Characters:
    """The characters of a text in order, without the markup between them.

    `markup`: for each start of markup its end. A reading may begin anywhere, inside markup too.
    """

    def __init__(self, text, markup):
        self.text = text
        self.starts = sorted(markup)
        self.stops = [stop.start() for stop in STOPS.finditer(text)]
        # For each start of markup: where the next character stands, and what can be read from there.
        self.landing, self.ahead = {}, {}
        for start in reversed(self.starts):
            end = markup[start]
            self.landing[start] = self.landing.get(end, end)
            self.ahead[start] = self.read(self.landing[start])

    def after(self, place):
        """Where the next character stands."""
        return self.landing.get(place + 1, place + 1)

    def matches(self, place, word):
        """Where the character behind the word stands, or None when another word begins there."""
        for char in word:
            if self.text[place : place + 1].lower() != char:
                return None
            place = self.after(place)
        return place

    def read(self, place):
        """What stands from there to the next of `/`, `\\`, `?` and `#`: its first characters, and its last."""
        stop = following(self.stops, place, len(self.text))
        gap = following(self.starts, place, len(self.text))
        end = min(stop, gap)
        first = self.text[place : min(end, place + LONGEST)]
        last = self.text[max(place, end - LONGEST) : end]
        if gap < stop:
            first = (first + self.ahead[gap][0])[:LONGEST]
            last = (last + self.ahead[gap][1])[-LONGEST:]
        return first, last

    def candidates(self, place):
        first, last = self.read(place)
        return last, ALSO_STOPS.split(first, maxsplit=1)[0]


def following(places, place, otherwise):
    at = bisect_left(places, place)
    return places[at] if at < len(places) else otherwise


def markup(text, tag_ends, is_xml):
    """For each start of a comment, processing instruction, tag or mark of CDATA its end, in HTML or in XML."""
    end_of_tag = tag_ends(text)
    # In HTML `<!-->` is a comment, `--!>` ends one too, and an instruction is a comment that the next mark ends.
    end_of_comment = Ends(text, "-->" if is_xml else "--!?>")
    end_of_instruction = Ends(text, r"\?>" if is_xml else ">")
    ends = {}
    for found in MARKUP.finditer(text):
        start = found.start()
        if found[0] == "]]>":
            end = start + 3
        elif text.startswith("<![CDATA[", start):
            end = start + 9
        elif text.startswith("<!--", start):
            end = end_of_comment(start + (4 if is_xml else 2))
        elif text.startswith("<?", start):
            end = end_of_instruction(start + 2)
        else:
            end = end_of_tag(start + 1)
        if end is not None:
            ends[start] = end
    return ends


class Ends:
    """Finds the end of the first match of a pattern at or behind a place, or None."""

    def __init__(self, text, pattern):
        matches = list(re.finditer(pattern, text))
        self.starts = [match.start() for match in matches]
        self.ends = [match.end() for match in matches] + [None]

    def __call__(self, place):
        return self.ends[bisect_left(self.starts, place)]


def next_mark(text):
    """Finds the end of a tag: behind the next `>`."""
    return Ends(text, ">")


def next_mark_outside_quotes(text):
    """Finds the end of a tag: behind the next `>` that stands outside quotes."""
    marks = [(found.start(), found[0]) for found in re.finditer("[>\"']", text)]
    places = [place for place, _ in marks]
    ends = [None] * (len(marks) + 1)
    next_of = {}
    for at in range(len(marks) - 1, -1, -1):
        place, mark = marks[at]
        if mark == ">":
            ends[at] = place + 1
        elif mark in next_of:
            ends[at] = ends[next_of[mark] + 1]
        next_of[mark] = at
    return lambda place: ends[bisect_left(places, place)]
