"""The hosts that an HTML body names: section 6."""

import re
import unicodedata
from bisect import bisect_left

from . import css, soup
from .text import WHITE_SPACE
from .tokens import Comment, Document, EndTag, Tag, Text
from .urls import hosts_of, is_data, is_picture_sound_or_font, is_readable

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
# Elements whose `data:` URLs are read whatever their type says.
EMBEDDING = {"link", "iframe", "frame", "object", "embed"}
NO_TEXT = {"style", "script", "title", "textarea"}
ASCII_SPACE = "\t\n\f\r "
# Lists of URLs, and what parts these.
LISTS = {"ping": ASCII_SPACE, "profile": ASCII_SPACE, "archive": ASCII_SPACE + ","}
REFRESH_SPACE = ASCII_SPACE + "\v"
NOSCRIPT_END = re.compile("</noscript", re.IGNORECASE | re.ASCII)
LINK_START = re.compile(r"https?://|www\.", re.IGNORECASE | re.ASCII)
LINK_STOP = re.compile(f"[<>\"'{WHITE_SPACE}]")
ENDS_IN_IPV6_HOST = re.compile(r"https?://[/\\]*(?:[^/?#\\]*@)?\[[^\[\]/]*\]", re.IGNORECASE | re.ASCII)
CONDITION = re.compile(r"\[if", re.IGNORECASE | re.ASCII)


def hosts_in_order(html):
    return read(html)[0]


def unreadable(html):
    return read(html)[1]


def read(html):
    """(hosts in order, URLs that no browser can read)."""
    hosts, bad = [], []
    # Conditional comments are documents by themselves, each read at its place; they may stand in each other.
    open_documents = [items(html)]
    while open_documents:
        item = next(open_documents[-1], None)
        if item is None:
            open_documents.pop()
        elif item[0] == "document":
            open_documents.append(items(item[1]))
        elif item[0] == "hosts":
            hosts.extend(item[1])
        else:
            bad.append(item[1])
    return hosts, bad


def items(html):
    """What a document holds, in order: ("hosts", list), ("unreadable", url), ("document", html)."""
    document = Document(html)
    every_string = has_image_set(document)
    for token in document.tokens:
        if isinstance(token, Tag):
            yield from items_of_tag(token, document, every_string)
        elif isinstance(token, Comment):
            inside = conditional(token.data)
            if inside is not None:
                yield "document", inside
        elif isinstance(token, Text):
            yield from items_of_text(token, document, every_string)
    if not is_ordinary(document):
        yield "hosts", soup.hosts(html)


def is_ordinary(document):
    """Whether its tags are the same with every tree."""
    tags = [token for token in document.tokens if isinstance(token, Tag)]
    if any(tag.name in TREE_DEPENDENT for tag in tags):
        return False
    ends = {
        token.start for token in document.tokens if isinstance(token, EndTag) and token.name == "noscript"
    }
    written = [found.start() for found in NOSCRIPT_END.finditer(document.html)]
    for tag in tags:
        if tag.name == "noscript":
            following = bisect_left(written, tag.end)
            if following < len(written) and written[following] not in ends:
                return False
    return True


def conditional(comment):
    """The document in a comment that begins with `[if`, or None."""
    if not CONDITION.match(comment):
        return None
    _, mark, inside = comment.partition("]>")
    if not mark:
        return None
    before, end, _ = inside.rpartition("<![endif]")
    return before if end else inside


# Start tags


def items_of_tag(tag, document, every_string):
    for name, value in tag.attributes.items():
        if name == "style":
            yield from items_of_css(value, document, every_string)
            continue
        value = value.replace(document.nul, "\ufffd")
        if name == "srcdoc":
            yield "hosts", soup.hosts(value)
        for readings in links_of_attribute(tag, name, value):
            yield from items_of_link(readings, tag.name in EMBEDDING)


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
        if tag.attributes.get("http-equiv", "").lower() == "refresh":
            links.extend(links_of_refresh(value))
        if "itemprop" in tag.attributes:
            links.append([value])
        return links
    return []


def items_of_link(readings, embedding):
    """What one URL names that may be read in several ways."""
    for url in readings:
        yield "hosts", hosts_of(url)
        if is_data(url) and (embedding or not is_picture_sound_or_font(url)):
            yield "hosts", soup.hosts(url)
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
        if isinstance(token, Tag) and "style" in token.attributes:
            yield token.attributes["style"]
        elif isinstance(token, Text) and token.tag is not None and token.tag.name == "style":
            yield token.data


def has_image_set(document):
    """Whether the document's CSS calls `image-set()` anywhere, or a document that is read as soup names it."""
    return any(
        css.calls_image_set(reading)
        for sheet in sheets_of(document)
        for reading in readings_of_css(sheet, document)
    ) or any("image-set" in text.lower() for text in soups_of(document))


def soups_of(document):
    """What is read as soup in the document, or the document."""
    if not is_ordinary(document):
        yield document.html
    for token in document.tokens:
        if isinstance(token, Tag):
            yield from (value for name, value in token.attributes.items() if name == "srcdoc" or "data:" in value.lower())
        elif isinstance(token, Text) and token.tag is not None and token.tag.name == "script":
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
        yield from items_of_link(link.readings, link.in_import)


# Text


def items_of_text(text, document, every_string):
    name = text.tag.name if text.tag is not None else None
    if name == "style":
        yield from items_of_css(text.data, document, every_string)
    elif name == "script":
        if is_linked_data(text.tag):
            yield "hosts", soup.hosts(text.data.replace(document.nul, "\0"))
    elif name not in NO_TEXT:
        yield "hosts", hosts_of_text(text.data.replace(document.nul, "\0"))
        if document.nul in text.data:
            yield "hosts", hosts_of_text(text.data.replace(document.nul, ""))


def is_linked_data(tag):
    kind = tag.attributes.get("type", "").partition(";")[0]
    return kind.strip(ASCII_SPACE).lower() == "application/ld+json"


def hosts_of_text(run):
    hosts = []
    for start in LINK_START.finditer(run):
        if start.start() > 0 and joins(run[start.start() - 1]):
            continue
        stop = LINK_STOP.search(run, start.end())
        link = run[start.start() : stop.start() if stop else len(run)]
        while unicodedata.category(link[-1]).startswith("P") and not ENDS_IN_IPV6_HOST.fullmatch(link):
            link = link[:-1]
        if len(link) <= len(start.group()):
            continue
        hosts.extend(hosts_of(link if ":" in start.group() else f"http://{link}"))
    return hosts


def joins(char):
    """Whether a link cannot begin after this character."""
    category = unicodedata.category(char)
    return category.startswith("L") or category == "Nd" or char in "_-./@"
