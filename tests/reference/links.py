"""The hosts that an HTML body names: section 6."""

import re
import sys
import unicodedata
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from . import css, nested, soup
from .domain import mail_domain
from .nested import ELSEWHERE, SHEET
from .text import WHITE_SPACE
from .tokens import Comment, Document, EndTag, Tag, Text
from .urls import Sharing, authorities_in_text, carried, hosts_of, hosts_of_authority, is_readable, without_punctuation

TREE_DEPENDENT = {"svg", "math", "template", "select", "frameset"}
URL_ATTRIBUTES = {
    "href",
    "xlink:href",
    "o:href",
    "src",
    "background",
    "action",
    "formaction",
    "poster",
    "codebase",
    "cite",
    "longdesc",
    "usemap",
    "lowsrc",
    "dynsrc",
    "data-saferedirecturl",
}
URL_ATTRIBUTES_OF = {("object", "data"), ("object", "classid"), ("embed", "code")}
SOURCE_SETS = {"srcset", "imagesrcset"}
NO_TEXT = {"style", "script", "title", "textarea"}
ASCII_SPACE = "\t\n\f\r "
# Attributes with lists of URLs, and the characters that separate these.
LISTS = {"ping": ASCII_SPACE, "profile": ASCII_SPACE, "archive": ASCII_SPACE + ","}
REFRESH_SPACE = ASCII_SPACE + "\v"
NOSCRIPT_END = re.compile("</noscript", re.IGNORECASE | re.ASCII)
# Their raw text is markup to readers in a terminal, who also end a comment at `-- >`.
MARKUP_IN_TERMINALS = {"xmp", "iframe", "noembed", "noframes"}
END_IN_TERMINALS = re.compile(r"--[ \t\n\f\r]+>")
LINK_START = re.compile(r"(?:https?|ftp)://|(www\.)", re.IGNORECASE | re.ASCII)
LINK_STOP = re.compile(f"[<>\"'{WHITE_SPACE}/\\\\?#]")
CONTROLS = "".join(map(chr, range(0x20)))
DOTS = ".\u3002\uff0e\uff61"
CONDITION = re.compile(r"\[if", re.IGNORECASE | re.ASCII)


HIDDEN = "computed.invalid"
ESCAPE = 3  # the clause of U+001B
# The cost of a host besides its octets.
EACH_HOST = 8


class Found(NamedTuple):
    """The hosts that a body names, and the ways in which it can hide others."""

    hosts: list  # in order
    clauses: set  # by which it can hide hosts
    unreadable: list  # URLs that no browser can read


def hosts_in_order(html, bare_domains=False):
    """The hosts that 413 judges, and the name for those that the body can hide."""
    found = read(html, bare_domains)
    return found.hosts + ([HIDDEN] if found.clauses else [])


def unreadable(html):
    return read(html).unreadable


def is_refused(html, hidden_hosts):
    """Whether a body that can hide a host is refused. Under the policy `ask` the host is asked instead, but nobody can be asked
    about names that were not read."""
    clauses = read(html).clauses
    return bool(clauses) if hidden_hosts == "refuse" else soup.TOO_MANY in clauses


@lru_cache(maxsize=64)
def read(html, bare_domains=False):
    found = Found([], {ESCAPE} if soup.ESCAPE in html else set(), [])
    # Conditional comments are documents of their own, each read at its place; they may contain each other.
    open_documents = [items(Document(html), bare_domains)]
    every_string = False
    soups = []
    while open_documents:
        item = next(open_documents[-1], None)
        if item is None:
            open_documents.pop()
        elif item[0] == "document":
            inner = Document(item[1])
            if len(open_documents) == 1:
                every_string = any(map(counts_every_string, chain(inner)))
            open_documents.append(items(inner, bare_domains, every_string, is_conditional=True))
        elif item[0] == "soup":
            found.hosts.extend(sorted(item[1].hosts))
            found.clauses.update(item[1].clauses)
            soups.append(item[1])
        elif item[0] == "hosts":
            found.hosts.extend(item[1])
        else:
            found.unreadable.append(item[1])
    if names_too_many(html, soups):
        found.clauses.add(soup.TOO_MANY)
    return found


def names_too_many(html, soups):
    """Whether soup names more than any reader is asked to judge: each host and each start is counted once here, and at least
    once by every reader."""
    length = len(html.encode())
    hosts = frozenset().union(*(soup.hosts for soup in soups))
    octets = sum(len(host) + EACH_HOST for host in hosts)
    return octets > 2 * length + 512 or sum(soup.starts for soup in soups) > length // 16 + 256


def chain(document):
    """A conditional comment, the one in it, and so on: strings count in all of them alike."""
    while document is not None:
        yield document
        inside = [conditional(token.data) for token in document.tokens if isinstance(token, Comment)]
        document = next((Document(html) for html in inside if html is not None), None)


def counts_every_string(document):
    return start_of_soup(document) is not None or any(
        css.calls_image_set(text) for sheet in sheets_of(document) for text in readings_of_css(sheet, document)
    )


def items(document, bare_domains, every_string=False, is_conditional=False):
    """The items of a document, in order: ("hosts", list), ("soup", hosts and clauses), ("unreadable", url), ("document", html)."""
    start = start_of_soup(document)
    every_string = every_string or counts_every_string(document)
    for token in document.tokens:
        if isinstance(token, Tag):
            yield from items_of_tag(token, document, every_string)
            for other in document.other_readings(token):
                found = items_of_tag(other, document, every_string)
                yield from (item for item in found if item[0] != "unreadable")
        elif isinstance(token, Comment):
            inside = conditional(token.data)
            if inside is not None:
                yield "document", inside
            end = END_IN_TERMINALS.search(token.data)
            # The readers of terminals do not read conditional comments.
            if end and not is_conditional:
                yield "soup", soup.read(token.data[end.end() :])
        elif isinstance(token, Text):
            yield from items_of_text(token, document, every_string, bare_domains)
    if start is not None:
        yield "soup", soup.read(document.html[start:])


def start_of_soup(document):
    """Where the first tag begins by which the tags depend on a tree, or None."""
    ends = {
        token.start for token in document.tokens if isinstance(token, EndTag) and token.name == "noscript"
    }
    written = [found.start() for found in NOSCRIPT_END.finditer(document.html)]
    for tag in document.tokens:
        if not isinstance(tag, Tag):
            continue
        if tag.name in TREE_DEPENDENT:
            return tag.start
        if tag.name == "noscript":
            following = bisect_left(written, tag.end)
            if following >= len(written) or written[following] not in ends:
                return tag.start
    return None


ENDIF = re.compile(r"<!\[endif\]", re.IGNORECASE | re.ASCII)


def conditional(comment):
    """The document in a comment that begins with `[if`, or None."""
    if not CONDITION.match(comment):
        return None
    _, mark, inside = comment.partition("]>")
    if not mark:
        return None
    ends = list(ENDIF.finditer(inside))
    # Some readers know only the exact spelling. For them another one does not end the document.
    if not ends or ends[-1][0] != "<![endif]":
        return inside
    return inside[: ends[-1].start()]


# Start tags


def items_of_tag(tag, document, every_string):
    for name, value in tag.attributes:
        if name == "style":
            yield from items_of_css(value, document, every_string)
            continue
        value = value.replace(document.nul, "\ufffd")
        if name == "srcdoc":
            yield from items_of_inner([nested.in_srcdoc(value)])
        place = nested.place_of(tag.name, tag.values("rel"))
        for readings in links_of_attribute(tag, name, value):
            yield from items_of_link(readings, place, " ".join(tag.values("charset")))


def items_of_inner(documents):
    for inner in documents:
        yield "soup", soup.read(inner.text, inner)


def links_of_attribute(tag, name, value):
    """The links of an attribute, each with the ways to read it."""
    if name in URL_ATTRIBUTES or (tag.name, name) in URL_ATTRIBUTES_OF:
        return [[value]]
    if name in SOURCE_SETS:
        return [[url] for url in urls_of_source_set(value)]
    if name in LISTS:
        return [[url] for url in re.split(f"[{LISTS[name]}]+", value) if url]
    if name == "content" and tag.name == "meta":
        links = []
        if any(value.lower() == "refresh" for value in tag.values("http-equiv")):
            links.extend(links_of_refresh(value))
        if tag.values("itemprop"):
            links.append([value])
        return links
    return []


def items_of_link(readings, place, charset=""):
    """The items of one URL, which may be read in several ways."""
    for url in readings:
        yield "hosts", hosts_of(url)
        yield from items_of_inner(nested.in_data_url(url, place, charset))
        for text in dict.fromkeys([carried(url), unquote(carried(url), errors="replace")]):
            if text:
                yield "soup", soup.read(text)
    if not any(is_readable(url) for url in readings):
        yield "unreadable", readings[0]


def urls_of_source_set(text):
    """The URLs of the image candidate strings."""
    urls = []
    at = 0
    while True:
        while at < len(text) and text[at] in ASCII_SPACE + ",":
            at += 1
        if at >= len(text):
            return urls
        start = at
        while at < len(text) and text[at] not in ASCII_SPACE:
            at += 1
        url = text[start:at]
        urls.append(url.rstrip(","))
        if url.endswith(","):
            continue
        in_parentheses = False
        while at < len(text) and not (text[at] == "," and not in_parentheses):
            in_parentheses = {"(": True, ")": False}.get(text[at], in_parentheses)
            at += 1


def links_of_refresh(content):
    """The URL of a meta refresh, in a list: the shared declarative refresh steps, with U+000B as white space."""
    text = content.lstrip(REFRESH_SPACE)
    digits = re.match(r"[0-9]*", text).group()
    if digits == "" and not text.startswith("."):
        return []
    text = text[len(digits) :].lstrip("0123456789.")
    if text == "" or text[0] not in ";," + REFRESH_SPACE:
        return []
    text = text.lstrip(REFRESH_SPACE)
    if text[:1] in (";", ","):
        text = text[1:]
    text = text.lstrip(REFRESH_SPACE)
    if text == "":
        return []
    named = re.match(f"url[{REFRESH_SPACE}]*=[{REFRESH_SPACE}]*", text, re.IGNORECASE | re.ASCII)
    if named:
        text = text[named.end() :]
    if text[:1] in ("'", '"'):
        quote, text = text[0], text[1:]
        if quote in text:
            return [list(dict.fromkeys([text.partition(quote)[0], text.rpartition(quote)[0]]))]
    return [[text]]


# CSS


def sheets_of(document):
    for token in document.tokens:
        if isinstance(token, Tag):
            yield from token.values("style")
        elif isinstance(token, Text) and token.tag is not None and token.tag.name == "style":
            yield token.data


def readings_of_css(text, document):
    """The standard replaces NULs, other readers leave them out."""
    return list(dict.fromkeys([text.replace(document.nul, "\ufffd"), text.replace(document.nul, "")]))


def items_of_css(text, document, every_string):
    first, *others = readings_of_css(text, document)
    links = css.urls(first, every_string)
    for other in others:
        links.extend(link for link in css.urls(other, every_string) if link not in links)
    for link in links:
        yield from items_of_link(link.readings, SHEET if link.in_import else ELSEWHERE)


# Text


def items_of_text(text, document, every_string, bare_domains):
    name = text.tag.name if text.tag is not None else None
    if name == "style":
        yield from items_of_css(text.data, document, every_string)
    elif name == "script":
        if nested.is_linked_data(text.tag.values("type")):
            yield from items_of_inner(nested.in_linked_data(text.data.replace(document.nul, "\0")))
    elif name not in NO_TEXT:
        for run in dict.fromkeys(text.data.replace(document.nul, nul) for nul in ("\0", "")):
            yield "hosts", hosts_of_text(run)
            if bare_domains:
                yield "hosts", list(domains_of_text(run))
        if name in MARKUP_IN_TERMINALS:
            yield "soup", soup.read(text.data.replace(document.nul, "\0"))


def hosts_of_text(run):
    hosts = []
    sharing = {}
    for start in LINK_START.finditer(run):
        if start.start() > 0 and joins(run[start.start() - 1], is_www=bool(start[1])):
            continue
        begin = start.start() if start[1] else start.end()
        while not start[1] and run[begin : begin + 1] in ("/", "\\"):
            begin += 1
        stop = LINK_STOP.search(run, begin)
        whole = run[begin : stop.start() if stop else len(run)]
        if not stop or stop[0] not in "/\\?#":
            # Before controls at its end a URL ends.
            whole = without_punctuation(whole).rstrip(CONTROLS)
        for kind, text in enumerate(authorities_in_text(whole)):
            # `www.` alone is not a host.
            if text.lower() == "www":
                continue
            if start[1]:
                counted = sharing.setdefault(kind, Sharing(run)).add(begin, begin + len(text), text)
            else:
                counted = [text]
            for text in counted:
                hosts.extend(hosts_of_authority(text))
    for kind in sharing.values():
        for text in kind.rest():
            hosts.extend(hosts_of_authority(text))
    return list(dict.fromkeys(hosts))


def joins(char, is_www):
    """Whether a link cannot begin after this character."""
    if not is_www:
        return char.isascii() and char.isalnum()
    category = unicodedata.category(char)
    return category.startswith("L") or category == "Nd" or char in "_-./@"


# In Python, `\w` matches no marks.
MARKS = "".join(char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char).startswith("M"))
ROW = re.compile(f"(?:[\\w{MARKS}{DOTS}-](?<!_))+")


def domains_of_text(run):
    """The bare domains: the longest rows of letters, digits, marks, hyphens and dots that are one, and their parts in ASCII."""
    for row in ROW.findall(run):
        for part in dict.fromkeys([row, *re.findall("[\x00-\x7f]+", row)]):
            domain = mail_domain(part.strip(DOTS + "-"))
            if domain is not None:
                yield domain
