"""Hosts in soup: a text in which nothing opens, closes or hides what stands behind it.

What begins like a host is one, in the text as written and in what escapes and base64 in it stand for.
"""

import base64 as base64_codec
import html.entities
import re
import unicodedata
from bisect import bisect_left
from itertools import product
from urllib.parse import unquote

from .css import unescaped
from .text import WHITE_SPACE
from .urls import LONGEST, host_of, hosts_of_authority

ROUNDS = 4
SCHEMES = {"h": ["http:", "https:"], "f": ["ftp:"], "w": ["ws:", "wss:"], "m": ["mailto:"]}
SLASHES = "/\\"
STARTS = re.compile(r"[hfwm/\\]", re.IGNORECASE | re.ASCII)
STOPS = re.compile(r"[/\\?#]")
DIVIDERS = re.compile(f"[\"'`()<>,;@{WHITE_SPACE}]")
# An `@` divides a user name from a host: within a URL.
DIVIDER_OF_URLS = re.compile(f"[\"'`()<>,;{WHITE_SPACE}]")
BRACKETS = re.compile("[<>]")
# Up to here what follows `mailto:` may hold addresses.
ADDRESS_STOPS = '"<>' + WHITE_SPACE
HOST_STOPS = "/\\?#"

REFERENCE = re.compile(r"&(?:#([xX][0-9A-Fa-f]+|[0-9]+);?|([A-Za-z][A-Za-z0-9]*;?))")
LONGEST_NAME = max(map(len, html.entities.html5))
BASE64 = re.compile(
    ";[ \t\n\r\0]*" + "[\t\n\r\0]*".join("base64") + "[ \t\n\r\0]*,([A-Za-z0-9+/ \t\n\f\r]*)(=*)",
    re.IGNORECASE | re.ASCII,
)
# A round takes one link off each of these chains. What is left of them in the end is the mark itself.
CHAINS = [(re.compile("%(?:25)+"), "%"), (re.compile("&(?:amp;|#38;|#[xX]26;)+"), "&")]
# Tabs, line breaks, NULs and the escapes of ISO-2022-JP.
LEFT_OUT = re.compile(r"[\t\n\r\0]|\x1b(?:\([BJI]|\$[@B])")
NO_CHARACTER = re.compile(r"\0|\x1b(?:\([BJI]|\$[@B])")
JSON_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
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
        steps, others = a_round(text)
        yield from steps + others
        text = steps[-1]
    while True:
        before = text
        for chain, mark in CHAINS:
            text = chain.sub(mark, text)
        steps, others = a_round(text)
        yield from others
        text = steps[-1]
        if text == before:
            break
    yield text


def a_round(text):
    """The text after each of the steps of a round; base64 in it as UTF-16, which leads no further."""
    with_characters = REFERENCE.sub(character, NO_CHARACTER.sub("", text))
    with_bytes = unquote(with_characters, errors="replace")
    data = [decoded(found[1]) for found in BASE64.finditer(with_bytes)]
    with_base64 = BASE64.sub(with_what_it_stands_for, with_bytes)
    orders = ["utf-16-le", "utf-16-be"] if data else []
    others = [" ".join(piece.decode(order, "replace") for piece in data) for order in orders]
    return [with_characters, with_bytes, with_base64], others


def variants(text):
    # An escape of JSON is a character reference in other words.
    without_json = JSON_ESCAPE.sub(lambda escape: character(REFERENCE.match(f"&#x{escape[1]};")), text)
    for variant in (text, unescaped(without_json)):
        yield variant
        yield LEFT_OUT.sub("", variant)


def character(reference):
    number, name = reference[1], reference[2]
    if number:
        digits, base = (number[1:], 16) if number[0] in "xX" else (number, 10)
        digits = digits.lstrip("0")
        # More digits than the last code point has are no code point.
        code = int(digits or "0", base) if len(digits) <= 7 else 0x110000
        if 0x80 <= code < 0xA0:
            return bytes([code]).decode("cp1252", "replace").replace("\ufffd", chr(code))
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    # A name that begins with one that needs no semicolon stands for that one.
    for end in range(min(len(name), LONGEST_NAME), 1, -1):
        if name[:end] in html.entities.html5:
            return html.entities.html5[name[:end]] + name[end:]
    return reference[0]


def with_what_it_stands_for(found):
    """Base64 without its mark, and behind it the text that it stands for."""
    return f",{found[1]}{found[2]} {decoded(found[1]).decode('utf-8', 'replace')} "


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
    for ends in readings:
        wholes, pieces, words = candidates(Characters(text, ends))
        for whole in wholes:
            yield from hosts_of_authority(whole, any_port=True, cut=False)
        for piece in with_and_without_punctuation(pieces):
            yield from hosts_of_authority(piece, any_port=True)
        for word in with_and_without_punctuation(words):
            yield from (host for host in hosts_of_authority(word, any_port=True) if "." in host or host[0] == "[")


def with_and_without_punctuation(texts):
    """As in a link of text, punctuation at the end of a host may be no part of it."""
    for text in texts:
        # What the scan takes for the host ends before a port.
        yield text
        host = host_of(text)
        plain = host
        while plain and unicodedata.category(plain[-1]).startswith("P"):
            plain = plain[:-1]
        if plain != host:
            yield plain


def candidates(characters):
    """What counts as a host when the standard takes it, and what counts by its longest end when not."""
    text = characters.text
    starts, pieces, words = set(), set(), set()
    passed_hosts, passed_addresses = set(), set()
    # For each slash, where the row of slashes ends that begins with it.
    row_ends = {}
    for found in reversed(list(STARTS.finditer(text))):
        start = found.start()
        if found[0] in SLASHES:
            next_one = characters.after(start)
            row_ends[start] = row_ends.get(next_one, next_one)
            if next_one in row_ends:
                starts.add(row_ends[start])
            continue
        for scheme in SCHEMES[found[0].lower()]:
            end = characters.matches(start, scheme)
            if end is not None and scheme == "mailto:":
                for host in behind_at(characters, end, ADDRESS_STOPS, passed_addresses):
                    # The next field of the URL begins at `&`, which the standard takes in hosts.
                    pieces.add(host.partition("&")[0])
            elif end is not None:
                starts.add(row_ends.get(end, end))
        if characters.matches(start, "www.") is not None:
            starts.add(start)
    wholes = set()
    for start in starts:
        first, last = characters.read(start)
        wholes.add(last)
        divider = DIVIDER_OF_URLS.search(first)
        pieces.add(first[: divider.start()] if divider else first)
        if divider:
            behind = DIVIDERS.split(BRACKETS.split(first, maxsplit=1)[0][divider.end() :])
            # A word alone is no domain: what follows a URL has many.
            words.update(behind)
            words.update(behind_at(characters, start, HOST_STOPS, passed_hosts))
    return wholes, pieces, words


def behind_at(characters, place, stops, passed):
    """What follows each `@` from there to a stop, up to a divider. `passed`: where an earlier search has been."""
    text = characters.text
    while place < len(text) and place not in passed and text[place] not in stops:
        passed.add(place)
        if text[place] == "@":
            yield DIVIDERS.split(characters.read(characters.after(place))[0], maxsplit=1)[0]
        place = characters.after(place)


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
