"""Hosts in soup: a text in which nothing opens, closes or hides what stands behind it.

What begins like a host is one, in the text as written and in what escapes and base64 in it stand for.
"""

import base64 as base64_codec
import html.entities
import re
import unicodedata
from bisect import bisect_left
from functools import lru_cache
from itertools import product
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from .css import ESCAPE, escaped_character
from .text import WHITE_SPACE
from .urls import LONGEST, host_of, hosts_of_authority

ROUNDS = 4
SCHEMES = {"h": ["http:", "https:"], "f": ["ftp:"], "w": ["ws:", "wss:"], "m": ["mailto:"]}
SLASHES = "/\\"
STARTS = re.compile(r"[hfwm/\\]", re.IGNORECASE | re.ASCII)
STOPS = re.compile(r"[/\\?#]")
# What an escape of CSS stands for is never markup.
ESCAPED_MARKS = {ord("<"): "\ufdd0", ord(">"): "\ufdd1", ord("]"): "\ufdd2", ord("["): "\ufdd3"}
BRACKETS_AGAIN = {0xFDD2: "]", 0xFDD3: "["}
SPACE = WHITE_SPACE + "".join(map(chr, range(1, 0x20)))
DIVIDERS = re.compile(f"[\"'`()<>,;@\ufdd0\ufdd1{SPACE}]")
# An `@` divides a user name from a host: within a URL.
DIVIDER_OF_URLS = re.compile(f"[\"'`()<>,;\ufdd0\ufdd1{SPACE}]")
BRACKETS = re.compile("[<>\ufdd0\ufdd1]")
# Up to here what follows `mailto:` may hold addresses; behind markup that is left out, what follows may be text.
ADDRESS_STOPS = "<\ufdd0"
ADDRESS_STOPS_BEHIND_MARKUP = '"<>\ufdd0\ufdd1' + SPACE
ADDRESS = re.compile(r"\[[^\]]*\]")
HOST_STOPS = "/\\?#"

REFERENCE = re.compile(r"&(?:#([xX][0-9A-Fa-f]+|[0-9]+);?|([A-Za-z][A-Za-z0-9]*;?))")
LONGEST_NAME = max(map(len, html.entities.html5))
GAP = "[ \t\n\f\r\0]*"
BASE64 = re.compile(
    f";{GAP}" + GAP.join("base64,") + "([-A-Za-z0-9+/_ \t\n\f\r\0]*)",
    re.IGNORECASE | re.ASCII,
)
FROM_URLS = str.maketrans("-_", "+/", " \t\n\f\r\0")
# A round takes one link off each of these chains. What is left of them in the end is the mark itself.
CHAINS = [(re.compile("%(?:25)+"), "%"), (re.compile("&(?:amp;|#38;|#[xX]26;)+"), "&")]
# Tabs, line breaks, NULs and the escapes of ISO-2022-JP.
LEFT_OUT = re.compile(r"[\t\n\r\0]|\x1b(?:\$\(|[($])[@-Z]")
TABS = re.compile(r"[\t\n\r]")
NO_CHARACTER = re.compile(r"\0|\x1b(?:\$\(|[($])[@-Z]")
JSON_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
COMPUTES = re.compile(r"<!ENTITY|<!ATTLIST|www\.w3\.org/1999/XSL/Transform", re.IGNORECASE | re.ASCII)
STYLE = r"(?:[^:\s/<>]*:)?style(?![^\s/>])"
# `<style/>` is empty in SVG and in XML, and elsewhere no tag in it is one.
STYLE_START = re.compile("<" + STYLE + "(?!/>)", re.IGNORECASE | re.ASCII)
STYLE_MARK = re.compile("[</]" + STYLE, re.IGNORECASE | re.ASCII)
STYLE_END = re.compile("/" + STYLE, re.IGNORECASE | re.ASCII)
# What begins an element to some reader; `/`, `!` and `?` cannot stand there in a style sheet either.
ELEMENT = re.compile("[A-Za-z_:/!?\x80-\U0010ffff]")
HIDING = {"!--": re.compile("--!?>"), "![CDATA[": re.compile("]]>")}
MARKUP = re.compile(r"<|\]\]>")
# Nothing, comments and the like, and tags.
KINDS = [re.compile("</>"), re.compile(r"<[!?]|\]\]>"), re.compile("<(?![!?]|/>)")]


class Found(NamedTuple):
    """The hosts of a document that is soup, sorted, and whether `image-set` stands in it."""

    hosts: list
    has_image_set: bool


@lru_cache(maxsize=64)
def read(document):
    found, has_image_set = set(), False
    for text, is_data in texts(document):
        for variant in variants(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")):
            found.update(hosts_in(variant))
        with_nuls, text = text, NO_CHARACTER.sub("", text)
        # A NUL in a name makes it another one to some readers.
        if computes(text, is_data) or is_divided_sheet(with_nuls) or is_divided_sheet(text):
            found.add("computed.invalid")
        has_image_set = has_image_set or "image-set" in text.lower()
    return Found(sorted(found), has_image_set)


def computes(text, is_data):
    """Whether a `data:` document in the text can compute hosts that it does not show."""
    start = 0 if is_data else text.lower().find("data:")
    return start >= 0 and COMPUTES.search(text, start) is not None


def is_divided_sheet(text):
    """Whether some style sheet has an element in it, whose text a reader leaves out of the sheet."""
    start = STYLE_START.search(text)
    while start:
        mark = text.find(">", start.end())
        tag = text[start.end() : mark if mark >= 0 else len(text)]
        # A quote that is open may hide the end of the tag.
        if tag.count('"') % 2 or tag.count("'") % 2:
            return True
        end = end_of_plain_sheet(text, start.end() + len(tag))
        if end is None:
            return True
        start = STYLE_START.search(text, end)
    return False


def end_of_plain_sheet(text, place):
    """Where the sheet ends, or None when it has an element in it, or could have one."""
    while (place := text.find("<", place) + 1) > 0:
        if STYLE_END.match(text, place):
            return place
        hiding = next((mark for mark in HIDING if text.startswith(mark, place)), None)
        if hiding:
            end = HIDING[hiding].search(text, place)
            if not end or STYLE_MARK.search(text, place, end.start()):
                return None
            place = end.start()
        elif ELEMENT.match(text, place):
            return None
    return len(text)


# The texts that count


def texts(document):
    """The document as written, after each of the rounds, and when nothing is left to resolve; the same of what is in base64.

    Each with whether it was in base64, as only `data:` is.
    """
    seen = set()
    pending = [(document, False)]
    while pending:
        text, is_data = pending.pop()
        for stage in stages(text, pending):
            if (stage, is_data) not in seen:
                seen.add((stage, is_data))
                yield stage, is_data


def stages(text, pending):
    yield text
    yield NO_CHARACTER.sub("", text)
    for _ in range(ROUNDS):
        steps = a_round(text, pending)
        yield from steps
        text = steps[-1]
    while True:
        before = text
        for chain, mark in CHAINS:
            text = chain.sub(mark, text)
        text = a_round(text, pending)[-1]
        if text == before:
            break
    yield text


def a_round(text, pending):
    """The text after each of the steps of a round. What was in base64 is pending."""
    with_characters = REFERENCE.sub(character, NO_CHARACTER.sub("", text))
    # Bytes that are no characters may be parts of one with those that the next round resolves.
    with_bytes = unquote_to_bytes(with_characters.encode("utf-8", "surrogateescape")).decode(
        "utf-8", "surrogateescape"
    )
    for found in BASE64.finditer(with_bytes):
        data = decoded(found[1])
        pending.append((data.decode("utf-8", "surrogateescape"), True))
        if 0 in data:
            # An odd byte at the end is no character.
            even = data[: len(data) // 2 * 2]
            pending.extend((even.decode(order, "replace"), True) for order in ("utf-16-le", "utf-16-be"))
    return [NO_CHARACTER.sub("", step) for step in (with_characters, with_bytes, BASE64.sub("", with_bytes))]


def variants(text):
    # To JSON `\u0061` is an `a`, to CSS a `u` and digits. An escape of JSON is a character reference in other words.
    without_json = JSON_ESCAPE.sub(
        lambda escape: character(REFERENCE.match(f"&#x{escape[1]};")).translate(ESCAPED_MARKS), text
    )
    # NULs are left out before escapes are resolved, tabs and line breaks behind that.
    resolved = [
        variant
        for escaped in dict.fromkeys([without_json, text])
        for variant in (without_escapes(escaped), TABS.sub("", without_escapes(NO_CHARACTER.sub("", escaped))))
    ]
    return dict.fromkeys([text, LEFT_OUT.sub("", text), *resolved])


def without_escapes(text):
    return ESCAPE.sub(without_marks, text)


def without_marks(escape):
    return escaped_character(escape).translate(ESCAPED_MARKS if escape[1] else {})


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


def decoded(letters):
    letters = letters.translate(FROM_URLS)
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
        wholes, pieces, words = candidates(text, ends)
        for whole in wholes:
            yield from hosts_of_text(whole, cut=False)
        for piece in with_and_without_punctuation(pieces):
            yield from hosts_of_text(piece)
        for word in with_and_without_punctuation(words):
            yield from (host for host in hosts_of_text(word) if "." in host or host[0] == "[")


def hosts_of_text(text, cut=True):
    return hosts_of_authority(text.translate(BRACKETS_AGAIN), any_port=True, cut=cut)


def with_and_without_punctuation(texts):
    """As in a link of text, punctuation at the end of a host may be no part of it, an `@` neither."""
    for text in texts:
        yield text
        plain = without_punctuation(host_of(text))
        while plain == "" and "@" in text:
            text = text.rpartition("@")[0]
            plain = without_punctuation(host_of(text))
        yield plain


def without_punctuation(text):
    # A bracket that closes an address stays.
    while text and unicodedata.category(text[-1]).startswith("P") and not ADDRESS.fullmatch(text):
        text = text[:-1]
    return text


def candidates(text, ends):
    """What counts as a host when the standard takes it, and what counts by its longest end when not."""
    characters = Characters(text, ends)
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
                stops = [ADDRESS_STOPS, ADDRESS_STOPS_BEHIND_MARKUP]
                for host in behind_at(characters, end, stops, passed_addresses):
                    # The next field of the URL begins at `&`, which the standard takes in hosts.
                    pieces.add(host.partition("&")[0])
            elif end is not None:
                starts.add(row_ends.get(end, end))
        if characters.matches(start, "www.") is not None:
            starts.add(start)
    wholes = {characters.read(start)[1] for start in starts}
    for start in starts:
        words.update(behind_at(characters, start, [HOST_STOPS, HOST_STOPS], passed_hosts))
    for reading in [characters, *up_to_each_kind(text, ends)]:
        for start in starts:
            first, _ = reading.read(start)
            divider = DIVIDER_OF_URLS.search(first)
            pieces.add(first[: divider.start()] if divider else first)
            if divider:
                # A word alone is no domain: what follows a URL has many.
                words.update(DIVIDERS.split(BRACKETS.split(first, maxsplit=1)[0][divider.end() :]))
    return wholes, pieces, words


def up_to_each_kind(text, ends):
    """The readings in which one kind of markup is left out no more, and ends what is read."""
    for kind in KINDS:
        marks = [start for start in ends if kind.match(text, start)]
        if marks:
            others = {start: end for start, end in ends.items() if not kind.match(text, start)}
            yield Characters(text, others, marks)


def behind_at(characters, place, stops, passed):
    """What follows each `@` from there to a stop, up to a divider.

    `stops`: those before markup that is left out, and those behind it. `passed`: where an earlier search has been.
    """
    text = characters.text
    is_behind_markup = False
    while place < len(text) and (place, is_behind_markup) not in passed and text[place] not in stops[is_behind_markup]:
        passed.add((place, is_behind_markup))
        following = characters.after(place)
        if text[place] == "@":
            yield DIVIDERS.split(characters.read(following)[0], maxsplit=1)[0]
        is_behind_markup = is_behind_markup or following > place + 1
        place = following


class Characters:
    """The characters of a text in order, without the markup between them.

    `markup`: for each start of markup its end. `marks`: where what is read ends, besides the usual places. A reading may
    begin anywhere, inside markup too.
    """

    def __init__(self, text, markup, marks=()):
        self.text = text
        self.starts = sorted(markup)
        self.stops = sorted([*marks, *(stop.start() for stop in STOPS.finditer(text))])
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
